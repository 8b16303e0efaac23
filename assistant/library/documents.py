"""What a reader reads: a file, or what is packed inside one.

A document is opened as often as is needed and never held as a whole; what is packed is unpacked
while it is read, so that an archive that unfolds without end costs no more than its reading.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from assistant.errors import ReadError

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What reading a document may raise beside what its text raises."""

_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_PACKED = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ", "xz"))
_LEFT_BEHIND = frozenset({"Thumbs.db", "desktop.ini"})
_OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/manifest.xml")
_TABLES = ("xl/", "content.xml")


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
        """Return the document that a file is, as it is."""

        def opened() -> BinaryIO:
            return path.open("rb")

        return cls(path.name, path.stem, opened)


def documents(path: Path) -> Iterator[Document]:
    """Yield the documents in a file: itself, or what is packed inside.

    Raise ``ReadError`` for a folder, a pipe or a device, and for what cannot be unpacked.
    """
    if path.is_dir():
        raise unreadable(str(path), IsADirectoryError())
    if path.exists() and not path.is_file():  # opening a pipe would wait for its writer
        raise ReadError(f"{path} is not a regular file.", "Save what it gives in a file first.")
    try:
        with path.open("rb") as handle:
            magic = handle.read(8)
    except OSError as error:
        raise unreadable(str(path), error) from error
    if magic.startswith((_ZIP, _EMPTY_ZIP)):
        yield from _members(path)
    else:
        yield _unpacked(Document.of(path), magic)


def _unpacked(document: Document, magic: bytes) -> Document:
    """Return what is inside a compressed document, or the document itself."""
    kind = next((kind for beginning, kind in _PACKED if magic.startswith(beginning)), "")
    if not kind:
        return document

    def opened() -> BinaryIO:
        return _unpacking(document.open(), kind)

    return Document(document.name, Path(document.collection).stem, opened)


def _unpacking(raw: BinaryIO, kind: str) -> BinaryIO:
    if kind == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=raw))
    if kind == "bzip2":
        return cast("BinaryIO", bz2.BZ2File(raw))
    return cast("BinaryIO", lzma.LZMAFile(raw))


def _members(path: Path) -> Iterator[Document]:
    """Yield the files in a ZIP archive; raise ``ReadError`` where it is none that holds texts."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except BROKEN as error:
        raise ReadError(
            f"{path.name} is a broken ZIP archive.", "Download or pack it again."
        ) from error
    names = [info.filename for info in infos]
    if any(name in _OFFICE for name in names):
        table = any(name.startswith(_TABLES) for name in names)
        raise ReadError(
            f"{path.name} is an office document, not text.",
            "Save the sheet as CSV and import that."
            if table
            else "Save it as plain text, one abstract a paragraph, and import that file.",
        )
    wanted = [info for info in infos if not _hidden(info.filename)]
    if not wanted:
        raise ReadError(f"The archive {path.name} holds no files.", "Pack the exports into it.")
    if all(info.flag_bits & 1 for info in wanted):
        raise _locked(f"The archive {path.name}")
    for info in wanted:
        yield _member(path, info.filename, locked=bool(info.flag_bits & 1))


def _locked(what: str) -> ReadError:
    return ReadError(f"{what} is locked with a password.", "Unpack it and import the files inside.")


def _member(path: Path, name: str, *, locked: bool) -> Document:
    def opened() -> BinaryIO:
        if locked:
            raise _locked(f"{path.name}/{name}")
        try:
            return cast("BinaryIO", zipfile.ZipFile(path).open(name))
        except NotImplementedError as error:
            raise zipfile.BadZipFile(f"it is packed in an unknown way, {error}") from error

    document = Document(f"{path.name}/{name}", PurePosixPath(name).stem, opened)
    try:
        with opened() as handle:
            magic = handle.read(8)
    except (*BROKEN, ReadError):
        return document  # the reading will say what is wrong with it
    return _unpacked(document, magic)


def _hidden(name: str) -> bool:
    """Tell whether a member is what a system leaves behind, and no file of the reader's."""
    path = PurePosixPath(name.replace("\\", "/"))
    return path.name.startswith(".") or path.name in _LEFT_BEHIND or "__MACOSX" in path.parts


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
    if isinstance(error, (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)):
        return ReadError(
            f"{name} breaks off or is damaged: {error}.", "Download or pack the file again."
        )
    return ReadError(f"{name} cannot be read: {error}.", "Try it again from a local disk.")
