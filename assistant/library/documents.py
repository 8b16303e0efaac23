"""What a reader reads: a file, or what is packed inside one.

A document is opened as often as is needed and never held as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from assistant.errors import ReadError


@dataclass(frozen=True, slots=True)
class Document:
    """Bytes under a name.

    ``name`` is what the ledger calls it (``refs.bib``, ``refs.bib.gz``, ``refs.zip/a.bib``),
    ``collection`` what its papers are filed under where the content does not say.
    ``columns`` maps our field names to the column names of a table: ``{"abstract": "Summary"}``.
    """

    name: str
    collection: str
    open: Callable[[], BinaryIO]
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> Document:
        """Return the document that a file is."""

        def opened() -> BinaryIO:
            return path.open("rb")

        return cls(path.name, path.stem, opened)


def documents(path: Path) -> Iterator[Document]:
    """Yield the documents in a file: itself, or what is packed inside.

    Raise ``ReadError`` for a folder, and for what cannot be unpacked.
    """
    if path.is_dir():
        raise unreadable(str(path), IsADirectoryError())
    yield Document.of(path)


def unreadable(name: str, error: Exception) -> ReadError:
    """Return the ``ReadError`` that tells a reader why a file cannot be opened."""
    if isinstance(error, FileNotFoundError):
        return ReadError(f"{name} does not exist.", "Check the spelling of the path.")
    if isinstance(error, PermissionError):
        return ReadError(
            f"{name} may not be read by this user.",
            "Change its permissions, or copy it to a folder of yours.",
        )
    if isinstance(error, IsADirectoryError):
        return ReadError(f"{name} is a folder.", "Name the files inside.")
    return ReadError(f"{name} cannot be read: {error}.", "Try it again from a local disk.")
