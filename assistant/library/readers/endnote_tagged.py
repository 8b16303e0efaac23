"""EndNote's tagged format (``%T``), also written by Google Scholar and many catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import (
    Block,
    one_abstract,
    split_list,
    split_people,
    unwrapped,
)
from assistant.types import Record, Rejected, Source

FORMAT = "endnote"

_TAG = re.compile(r"^\ufeff?%([0-9A-Z@#$&^~*+()\[\]<>!?|])(?:[ \t](.*))?$")
_BEGIN = re.compile(r"^\ufeff?%0[ \t]\S")
_SHARE = re.compile(r"^%[1-5] [a-z]")  # a line of an abstract that begins with one
_NEXT_AUTHOR = re.compile(r"\s*%A\s+")  # as CNKI writes them: all in a line
_TYPES = {
    "journal article": "article-journal",
    "electronic article": "article-journal",
    "magazine article": "article-magazine",
    "conference paper": "paper-conference",
    "conference proceedings": "paper-conference",
    "book": "book",
    "edited book": "book",
    "book section": "chapter",
    "thesis": "thesis",
    "report": "report",
    "government document": "report",
    "unpublished work": "article",
    "generic": "document",
}


def recognises(peek: Peek) -> bool:
    """Tell whether a record begins within the first lines."""
    tags = [line for line in peek.lines if _TAG.match(line)]
    # a comment of LaTeX or BibTeX may begin like a tag; one line alone does not make the format
    return any(_BEGIN.match(line) for line in tags) or (
        len(tags) > 1 and any(line.startswith("%T ") for line in tags)
    )


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    """Yield the records; each begins at its ``%0``, or after a blank line where it has none."""
    block, blank = Block(0), 0
    for line in decode.lines(document):
        if not line.text.strip():
            blank += 1
            continue
        text = line.text.lstrip() if line.text.lstrip().startswith("%") else line.text
        found = _TAG.match(text)
        if not found or (block.last == "X" and _SHARE.match(text)):
            block.go_on(text.strip(), "\n" * (1 + blank))
            blank = 0
            continue
        tag, value = found.group(1), found.group(2) or ""
        tags = {name for name, _ in block.fields}
        if block and (tag == "0" or (blank and "0" not in tags and tag in tags & {"T", "A"})):
            yield block
            block = Block(0)
        blank = 0
        block.line = block.line or line.number
        block.add(tag, value)
    if block:
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract([unwrapped(text) for text in block.all("X")])
    kind = _TYPES.get(block.first("0").lower(), "")
    urls = block.all("U", ">", "<")
    people = block.all("A") or block.all("E", "Y")
    names = (name for value in people for name in _NEXT_AUTHOR.split(value))
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=block.first("T", "!", "Q"),
        authors=(name.rstrip(", ") for name in split_people(names)),
        year=block.first("D", "8", "7"),
        venue=block.first("J", "B", "S"),
        doi=next((text for text in [*block.all("R"), *urls] if "10." in text), ""),
        url=next(iter(urls), ""),
        pmid=block.first("M") if re.fullmatch(r"\d{6,9}", block.first("M")) else "",
        arxiv_id=next((text for text in [*urls, *block.all("J")] if "arxiv" in text.lower()), ""),
        keywords=split_list(block.all("K"), r"[;,\n]"),
        language=block.first("G"),
        details={
            "type": kind,
            "volume": block.first("V"),
            "issue": block.first("N"),
            "page": block.first("P").replace("--", "-"),
            "publisher": block.first("I"),
            "ISBN" if kind in {"book", "chapter"} else "ISSN": block.first("@"),
            "citation-key": block.first("F"),
        },
        line=block.line,
    )
