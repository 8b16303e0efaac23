"""From bytes to lines of text, whatever the encoding and the line ends.

A file is read twice, never held: once to find its encoding, once to hand out its lines.
What is not text (a PDF, an image, an archive) is refused with a word on what to do instead.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from assistant.errors import ReadError
from assistant.library.documents import BROKEN, Document, unreadable

MAX_LINE = 1_000_000
"""Characters of one line that are kept; the rest of a longer line is skipped."""

_BLOCK = 1 << 20
_HEAD = 1 << 16
_FEW_HIGH_BYTES = 0.15
_FEW_CONTROLS = 0.1
_DAMAGED = 0.1

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNPACK = "Unpack it and import the files inside."
_AS_TEXT = "Save the abstracts as plain text, one a paragraph, and import that file."
_MAGIC = (
    (b"%PDF", "a PDF", _AS_TEXT),
    (b"{\\rtf", "an RTF document", _AS_TEXT),
    (b"PK\x03\x04", "a ZIP archive or an office document", f"{_UNPACK} Or: {_AS_TEXT.lower()}"),
    (b"\x1f\x8b", "compressed (gzip)", _UNPACK),
    (b"BZh", "compressed (bzip2)", _UNPACK),
    (b"\xfd7zXZ", "compressed (xz)", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x89PNG", "an image", _AS_TEXT),
    (b"\xff\xd8\xff", "an image", _AS_TEXT),
    (b"GIF8", "an image", _AS_TEXT),
    (b"\xd0\xcf\x11\xe0", "an old office document", _AS_TEXT),
    (b"SQLite format 3", "a database", _AS_TEXT),
    (b"\x7fELF", "a program", _AS_TEXT),
    (b"GGUF", "a language model", "Put it into the models folder; see `assistant models list`."),
)
_HIGH = re.compile(rb"[\x80-\xff]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end; ``cut`` says that only its beginning is here."""

    number: int
    text: str
    cut: bool = False


@contextmanager
def text(document: Document, *, newline: str | None = None) -> Iterator[TextIO]:
    """Open a document as text in its own encoding; ``newline`` as for ``open``.

    Raise ``ReadError`` where it is not text, or breaks off while it is being read.
    """
    encoding = detect(document)
    try:
        with (
            document.open() as raw,
            io.TextIOWrapper(raw, encoding=encoding, errors="replace", newline=newline) as handle,
        ):
            yield handle
    except (*BROKEN, UnicodeError) as error:
        raise unreadable(document.name, error) from error


def lines(document: Document, longest: int = MAX_LINE) -> Iterator[Line]:
    """Yield the lines of a text file, counted from 1; raise ``ReadError`` where it is not text.

    Of a line of more than ``longest`` characters only its beginning is kept.
    """
    # newline=None makes CR, LF and CRLF one line end
    with text(document) as handle:
        number = 0
        while piece := handle.readline(longest):
            number += 1
            cut = len(piece) == longest and not piece.endswith("\n")
            rest = piece
            while cut and rest and not rest.endswith("\n"):
                rest = handle.readline(longest)
            yield Line(number, piece.rstrip("\n"), cut)


def detect(document: Document) -> str:
    """Return the name of the encoding that a document is to be read with."""
    name = document.name
    try:
        with document.open() as handle:
            head = handle.read(_HEAD)
            if not head.strip(b" \t\r\n\x00"):
                _refuse_blank(name, head)
            for bom, encoding in _BOMS:
                if head.startswith(bom):
                    return encoding
            _refuse_magic(name, head)
            if b"\x00" in head and (wide := _utf16(head)):
                return wide
        bad = _first_invalid(document)
        _refuse_binary(name, head, valid=bad is None)
        if bad is None:
            return "utf-8"
        with document.open() as handle:
            _skip(handle, max(0, bad - _HEAD))
            return _legacy(handle.read(4 * _HEAD))
    except BROKEN as error:
        raise unreadable(name, error) from error


def _skip(handle: BinaryIO, size: int) -> None:
    """Read on by ``size`` bytes: what is unpacked while it is read cannot be sought."""
    while size > 0 and (block := handle.read(min(size, _BLOCK))):
        size -= len(block)


def _refuse_blank(name: str, head: bytes) -> None:
    # a file that only begins blank is judged further on
    if len(head) < _HEAD:
        what = "holds nothing but blank space" if head else "is empty"
        raise ReadError(f"{name} {what}.", _AS_TEXT)


def _refuse_magic(name: str, head: bytes) -> None:
    for magic, what, hint in _MAGIC:
        if head.startswith(magic):
            raise ReadError(f"{name} is {what}, not text.", hint)


def _refuse_binary(name: str, head: bytes, *, valid: bool) -> None:
    # stray control characters occur in text; many of them, or NULs in what is not UTF-8, do not
    many = len(_CONTROLS.findall(head)) > _FEW_CONTROLS * len(head)
    if many or (b"\x00" in head and not valid):
        raise ReadError(f"{name} is a binary file, not text.", _AS_TEXT)


def _first_invalid(document: Document) -> int | None:
    """Return the offset of the first byte that is not UTF-8, or None where all are."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    offset = 0
    with document.open() as handle:
        while block := handle.read(_BLOCK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                return max(0, offset + error.start)
            offset += len(block)
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return max(0, offset - 4)
    return None


def _utf16(head: bytes) -> str:
    """Return the UTF-16 flavour of text without a BOM, or an empty string."""
    half = len(head) // 2
    even, odd = head[: 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    many, few = max(even, odd), min(even, odd)
    # Latin letters leave every other byte zero; a few percent of punctuation will do for CJK
    if many < 0.02 * half or few > 0.05 * many:
        return ""
    name = "utf-16-le" if odd > even else "utf-16-be"
    text = head[: 2 * half].decode(name, "replace")
    strange = sum(not (char.isprintable() or char.isspace()) for char in text)
    return name if strange < 0.02 * len(text) + 1 else ""


def _legacy(sample: bytes) -> str:
    """Return the likeliest encoding of bytes that are not UTF-8."""
    high = len(_HIGH.findall(sample))
    as_utf8 = sample.decode("utf-8", "replace")
    damaged = as_utf8.count("\ufffd")
    sound = sum(char > "\x7f" for char in as_utf8) - damaged
    if damaged <= _DAMAGED * sound:
        return "utf-8"  # UTF-8 with a few broken bytes
    if high > _FEW_HIGH_BYTES * len(sample):
        import charset_normalizer

        if best := charset_normalizer.from_bytes(sample).best():
            return best.encoding
    return "cp1252"
