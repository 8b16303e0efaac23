"""Readers: bytes of one family of formats become records and rejections.

Each module of this room offers ``recognises(peek)``, which says by content whether a document is
of its family, and ``read(document)``, which streams it. They are asked in the order of
``_READERS``; plain text takes what nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import Document, documents
from assistant.library.readers import (
    bibtex,
    cochrane,
    endnote_tagged,
    json_documents,
    jsonl,
    medline,
    ovid,
    plaintext,
    ris,
    tables,
    wos,
    xml_documents,
)
from assistant.library.readers.peek import LONGEST, Peek
from assistant.types import Record, Rejected

_PEEK = 40


class _Reader(Protocol):
    """One family of formats."""

    def recognises(self, peek: Peek) -> bool:
        """Tell whether a document that begins like this is of this family."""
        ...

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        """Yield what each record became, numbered from 1; raise ``ReadError`` for none."""
        ...


_READERS: tuple[_Reader, ...] = (
    jsonl,
    json_documents,
    xml_documents,
    bibtex,
    ris,
    medline,
    wos,
    ovid,
    cochrane,
    endnote_tagged,
    tables,
    plaintext,
)


def read(source: Path | Document) -> Iterator[Record | Rejected]:
    """Yield what each record of a file became; raise ``ReadError`` for what is no list of records.

    The format is recognised by content; the file is streamed and never held as a whole.
    """
    if isinstance(source, Path):
        for document in documents(source):
            yield from read(document)
        return
    peek = opening(source)
    found = False
    for item in _reader(peek).read(source):
        found = True
        yield item
    if not found:
        raise ReadError(
            f"{source.name} holds no records.",
            "Export it again from the program that it comes from, and look into it first.",
        )


def _reader(peek: Peek) -> _Reader:
    """Return whose format it is: of several, the one that is told by the fewest lines.

    So a table with a cell that looks like RIS is a table, and an abstract that quotes BibTeX is
    none.
    """
    able = [reader for reader in _READERS if reader.recognises(peek)]
    sure = able[:-1] or able  # plain text, the last, takes what nobody else does
    if len(sure) == 1 or sure[0] is jsonl:  # JSON Lines are told by most of their lines
        return sure[0]
    for count in range(1, len(peek.lines)):
        fewer = replace(peek, lines=peek.lines[:count])
        if first := [reader for reader in sure if reader.recognises(fewer)]:
            return first[0]
    return sure[0]


def opening(document: Document) -> Peek:
    """Return the first lines of a document that are not blank."""
    found: list[str] = []
    for line in decode.lines(document):
        if text := line.text.strip("\ufeff\x1e \t\r"):
            found.append(text[:LONGEST])
        if len(found) >= _PEEK:
            break
    return Peek(document.name, tuple(found), document.columns)
