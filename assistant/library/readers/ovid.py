"""Ovid's citation exports: numbered records, a label a field, values indented below or beside it.

Also its reprint format, with two-letter tags and a dash, whose records begin at ``VN`` or ``UI``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract, split_list
from assistant.types import Record, Rejected, Source

FORMAT = "ovid"

_NUMBER = re.compile(r"^<\d{1,7}>\s*$|^<\d{1,7}>\s*\.\s*$")
_LABEL = re.compile(r"^([A-Z][A-Za-z/()&. -]{1,40}?)\s*$")
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {0,3}- ?(.*)$")
_VENDOR = re.compile(r"^(?:VN|DB) {0,3}- .*Ovid", re.IGNORECASE)
_BETWEEN = r"[;\n]|(?<=[A-Z])\. (?=[A-Z][a-z])"
_NAMES = {
    "title": "TI",
    "abstract": "AB",
    "author": "AU",
    "authors": "AU",
    "author(s)": "AU",
    "authors full name": "FA",
    "full author name": "FA",
    "source": "SO",
    "journal name": "JN",
    "year of publication": "YR",
    "publication year": "YR",
    "date of publication": "DP",
    "publication date": "DP",
    "digital object identifier": "DO",
    "doi": "DO",
    "pmid": "PM",
    "unique identifier": "UI",
    "accession number": "UI",
    "language": "LG",
    "mesh subject headings": "MH",
    "keyword heading": "KW",
    "keywords": "KW",
    "issn": "IS",
    "publisher": "PB",
    "url": "UR",
    "link to the ovid full text or citation": "XL",
}


def recognises(peek: Peek) -> bool:
    """Tell whether the first lines are those of an export from Ovid."""
    if any(_NUMBER.match(line) for line in peek.lines[:10]):
        return any(line.lower() in _NAMES or _TAG.match(line) for line in peek.lines)
    return any(_VENDOR.match(line) for line in peek.lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    block = Block(0)
    for line in decode.lines(document):
        text = line.text.strip()
        if not text:
            continue
        tagged, label = _TAG.match(line.text), _LABEL.match(line.text)
        tag, value = tagged.groups() if tagged else ("", "")
        if label and not tagged and not line.text.startswith(" "):
            tag = _NAMES.get(text.lower(), "-")
        tags = {name for name, _ in block.fields}
        if block and (_NUMBER.match(text) or (tag in {"VN", "UI"} and tag in tags)):
            yield block
            block = Block(0)
        if _NUMBER.match(text):
            continue
        block.line = block.line or line.number
        if not tag:
            # people stand one a line
            if block.fields and block.fields[-1][0] in {"AU", "FA"} and block.fields[-1][1]:
                block.add(block.fields[-1][0], text)
            else:
                block.go_on(text, " ")
        else:
            block.add(tag, value)
    if block:
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=block.first("TI"),
        authors=split_list(block.all("FA") or block.all("AU"), _BETWEEN),
        year=block.first("YR", "DP", "DT", "SO"),
        venue=block.first("JN", "JT") or block.first("SO").partition(". ")[0],
        doi=next((text for text in block.all("DO", "DI", "UR", "XL", "SO") if "10." in text), ""),
        url=block.first("UR"),
        pmid=_pmid(block),
        keywords=[text.strip("*") for text in split_list(block.all("KW", "MH", "SH"))],
        language=block.first("LG", "LA"),
        details={"publisher": block.first("PB"), "ISSN": block.first("IS", "SN")},
        line=block.line,
    )


def _pmid(block: Block) -> str:
    medline = any("medline" in text.lower() for text in block.all("DB", "VN"))
    return block.first("PM") or (block.first("UI") if medline else "")
