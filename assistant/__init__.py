"""A chat assistant over research-paper abstracts that runs on the reader's own machine."""

__version__ = "0.1.0"
