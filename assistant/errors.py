"""Everything that can go wrong for a reader, in one tree.

    AssistantError            what happened, and the hint that mends it
    ├── ConfigError           a setting is missing, misspelt or out of range
    ├── LibraryError          the library cannot be opened, read or written
    │   ├── LibraryBusy       another process is writing to it
    │   └── ReadError         a file cannot be read as a list of records
    ├── DerivedIndexError    a derived index is missing, corrupt or of another embedder
    ├── ModelError            a model cannot be found, fetched, checked or loaded
    │   └── DownloadError     no source of a model could be used
    └── QuestionError         a question cannot be taken as it is

Shells print ``message`` and ``hint`` and nothing else; tracebacks go to the log file.
"""

from __future__ import annotations


class AssistantError(Exception):
    """Say what went wrong and what the reader can do about it."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ConfigError(AssistantError):
    """A setting is missing, misspelt or out of range."""

    exit_code = 2


class LibraryError(AssistantError):
    """The library cannot be opened, read or written."""


class LibraryBusy(LibraryError):
    """Another process is writing to the library."""


class ReadError(LibraryError):
    """A file cannot be read as a list of records."""


class DerivedIndexError(AssistantError):
    """A derived index is missing, corrupt or made by another embedder."""


class ModelError(AssistantError):
    """A model cannot be found, fetched, checked or loaded."""


class DownloadError(ModelError):
    """No source of a model could be used."""


class QuestionError(AssistantError):
    """A question cannot be taken as it is."""

    exit_code = 2
