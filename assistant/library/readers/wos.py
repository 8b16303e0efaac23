"""Web of Science's tagged format (ISI): two-letter tags, values that go on three spaces in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract, split_list
from assistant.types import Record, Rejected, Source

FORMAT = "wos"

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9])(?: (.*))?$")
_HEAD = re.compile(r"^\ufeff?(?:FN (?:Clarivate|Thomson|ISI|Web of)|VR 1\.0\s*$|PT [A-Z]\s*$)")
_LISTS = frozenset({"AU", "AF", "C1", "CR", "BA", "BF", "CA", "GP"})
_TYPES = {"J": "article-journal", "B": "book", "S": "chapter", "C": "paper-conference"}


def recognises(peek: Peek) -> bool:
    """Tell whether the first lines are those of an export or of a record."""
    return any(_HEAD.match(line) for line in peek.lines[:5])


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    """Yield the records, from ``PT`` to ``ER``; either may be missing."""
    block = Block(0)
    for line in decode.lines(document):
        if not line.text.strip():
            continue
        found = None if line.text.startswith("  ") else _TAG.match(line.text)
        if not found:
            if block.fields and block.fields[-1][0] in _LISTS:
                block.add(block.fields[-1][0], line.text.strip())
            else:
                block.go_on(line.text.strip(), " ")
            continue
        tag, value = found.groups()
        if tag in {"ER", "PT"} and block:
            yield block
            block = Block(0)
        if tag in {"ER", "EF", "FN", "VR"}:
            continue
        block.line = block.line or line.number
        block.add(tag, value or "")
    if block:
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    pages = [page for page in (block.first("BP"), block.first("EP")) if page]
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=block.first("TI"),
        authors=[*(block.all("AF") or block.all("AU") or block.all("BA", "BE")), *block.all("CA")],
        year=block.first("PY", "EA", "PD"),
        venue=block.first("SO", "BS", "SE", "J9"),
        doi=block.first("DI", "D2"),
        url=block.first("DL"),
        pmid=block.first("PM"),
        keywords=split_list(block.all("DE", "ID")),
        language=block.first("LA"),
        details={
            "type": _TYPES.get(block.first("PT"), ""),
            "volume": block.first("VL"),
            "issue": block.first("IS"),
            "page": "-".join(pages) or block.first("AR"),
            "publisher": block.first("PU"),
            "ISSN": block.first("SN", "EI"),
            "ISBN": block.first("BN"),
        },
        line=block.line,
    )
