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
    block, blank = Block(0), 0
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
        if name in held and name in {"title", "abstract"} and (name == "title" or blank):
            yield block
            block = Block(0)
        blank = 0
        block.line = block.line or line.number
        block.add(name, found.group(2))
    if block:
        yield block


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
