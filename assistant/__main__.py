"""Run the command line with ``python -m assistant``."""

from assistant.interfaces.cli.main import main

if __name__ == "__main__":
    main()
