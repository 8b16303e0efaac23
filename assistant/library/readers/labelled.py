"""Plain text whose lines say what they are: ``Title: …``, ``Abstract: …``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers import cells
from assistant.library.readers.common import Fields, build
from assistant.library.readers.tagged import Block
from assistant.types import Record, Rejected, Source

FORMAT = "text"

_NAMES = {
    "title": "title",
    "authors": "authors",
    "author": "authors",
    "author(s)": "authors",
    "abstract": "abstract",
    "summary": "abstract",
    "year": "year",
    "date": "year",
    "published": "year",
    "journal": "venue",
    "venue": "venue",
    "source": "venue",
    "conference": "venue",
    "doi": "doi",
    "url": "url",
    "link": "url",
    "pmid": "pmid",
    "arxiv": "arxiv_id",
    "keywords": "keywords",
    "language": "language",
}
_LABEL = re.compile(
    r"^[#>*\s]{0,4}\**(" + "|".join(map(re.escape, _NAMES)) + r")\**\s*[:：]\**\s*(.*)$",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\n\n\W{0,4}(?:paper|article|record|abstract|entry|no\.?"
    r"|nr\.?)?\W{0,3}\d{1,5}\W{0,3}$",
    re.IGNORECASE,
)


def labelled(line: str) -> tuple[str, str] | None:
    """Return our name of the field that a line begins with, and the rest of the line."""
    found = _LABEL.match(line)
    return (_NAMES[found.group(1).lower()], found.group(2).strip()) if found else None


def field_of(heading: str) -> str:
    """Return our name of the field that a heading is, or an empty string."""
    return _NAMES.get(heading.strip(" *:#_").lower(), "")


def recognises(paragraphs: Sequence[str]) -> bool:
    """Tell whether titles and abstracts have labels; an ``Abstract:`` alone does not count."""
    labels = [
        found.group(1).lower()
        for text in paragraphs
        for line in text.split("\n")
        if (found := _LABEL.match(line))
    ]
    titles = labels.count("title")
    return titles > 0 and ("abstract" in labels or "summary" in labels)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a ``Title:``."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    block, blank, opener = Block(0), 0, ""
    for line in decode.lines(document):
        text = line.text.replace("\x00", "")
        if not text.strip():
            blank += 1
            continue
        found = _LABEL.match(text)
        if not found:
            block.go_on(text.strip(), "\n" * (1 + bool(blank)))
            blank = 0
            continue
        name = _NAMES[found.group(1).lower()]
        held = {tag for tag, _ in block.fields}
        opener = opener or name  # what the first record begins with begins the others
        again = name == "title" or (name == "abstract" and blank)
        if name in held and (
            name == opener or (again and opener not in {"arxiv_id", "doi", "pmid"})
        ):
            yield _without_number(block)
            block = Block(0)
        blank = 0
        block.line = block.line or line.number
        block.add(name, found.group(2))
    if block:
        yield block


def _without_number(block: Block) -> Block:
    """Return a block without the "Paper 2" that stands before the next one."""
    tag, value = block.fields[-1]
    block.fields[-1] = (tag, _NEXT.sub("", value))
    return block


def _fields(block: Block) -> Fields:
    return Fields(
        abstract="\n".join(block.all("abstract")),
        title=" ".join(block.first("title").split()),
        authors=cells.people(block.first("authors")),
        year=block.first("year"),
        venue=block.first("venue"),
        doi=block.first("doi"),
        url=block.first("url"),
        pmid=block.first("pmid"),
        arxiv_id=block.first("arxiv_id"),
        keywords=cells.words(block.first("keywords")),
        language=block.first("language"),
        line=block.line,
    )
