"""Run the command line, as ``assistant`` and as ``python -m assistant``.

Nothing is imported here before Ctrl-C is looked after.
"""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line; after Ctrl-C leave with 130 and no traceback, whenever it comes."""
    try:
        from assistant.interfaces.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # While Python takes itself down, a traceback would tell nobody anything.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
