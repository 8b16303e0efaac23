"""The Cochrane Library's own list: numbered records, a tag with a colon a line."""

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

FORMAT = "text"

_NUMBER = re.compile(r"^\ufeff?\s*Record #\d{1,7} of \d{1,7}\s*$")
_TAG = re.compile(r"^(ID|AU|TI|SO|YR|VL|NO|PG|XR|PT|KW|DOI|AB|US|CC|PB|LA|DA|SN): ?(.*)$")
_PMID = re.compile(r"PUBMED (\d{4,9})")
_LEAST_TAGS = 2


def recognises(peek: Peek) -> bool:
    """Tell whether the first lines number records and have tags with a colon."""
    tags = sum(bool(_TAG.match(line)) for line in peek.lines)
    return tags >= _LEAST_TAGS and any(map(_NUMBER.match, peek.lines))


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    block, begun = Block(0), False
    for line in decode.lines(document):
        if _NUMBER.match(line.text):
            if block:
                yield block
            block, begun = Block(line.number), True
        elif found := _TAG.match(line.text):
            block.add(*found.groups())
        elif begun and line.text.strip():
            block.go_on(line.text.strip(), "\n")
    if block:
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract([unwrapped(text) for text in block.all("AB")])
    pubmed = _PMID.search(" ".join(block.all("XR")))
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=block.first("TI"),
        authors=split_people(block.all("AU")),
        year=block.first("YR", "DA"),
        venue=block.first("SO"),
        doi=block.first("DOI"),
        url=block.first("US"),
        pmid=pubmed.group(1) if pubmed else "",
        keywords=split_list(block.all("KW")),
        language=block.first("LA"),
        details={
            "volume": block.first("VL"),
            "issue": block.first("NO"),
            "page": block.first("PG"),
            "publisher": block.first("PB"),
            "ISSN": block.first("SN"),
        },
        line=block.line,
    )
