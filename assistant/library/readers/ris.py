"""RIS, in the dialects of the programs that write it.

A record runs from ``TY`` to ``ER``; either may be missing, and tags may stand before ``TY``. A
line without a tag goes on with the value before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers import bibtex_values as values
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract, split_list
from assistant.types import Record, Rejected, Source

FORMAT = "ris"

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9]) {0,2}- ?(.*)$|^\ufeff?([A-Z][A-Z0-9]) {2}-$")
_TYPE = re.compile(r"^\ufeff?TY {0,3}- {0,3}[A-Za-z]+\s*$")
_INDENT = re.compile(r"^ {1,6}")
_TYPES = {
    "JOUR": "article-journal",
    "JFULL": "article-journal",
    "EJOUR": "article-journal",
    "MGZN": "article-magazine",
    "ABST": "article-journal",
    "INPR": "article-journal",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "BOOK": "book",
    "WHOLE": "book",
    "EBOOK": "book",
    "CHAP": "chapter",
    "ECHAP": "chapter",
    "THES": "thesis",
    "RPRT": "report",
    "UNPB": "article",
    "PREP": "article",
}
TYPE_OF = _TYPES


def recognises(peek: Peek) -> bool:
    """Tell whether a record of RIS begins within the first lines."""
    return any(_TYPE.match(line) for line in peek.lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def blocks(document: Document) -> Iterator[Block]:
    """Yield the records as tags and values."""
    block, ended, blank = Block(0), True, 0
    for line in decode.lines(document):
        found = _TAG.match(line.text)
        tag = (found.group(1) or found.group(3)) if found else ""
        if not found:
            if not line.text.strip():
                blank += 1
            elif block and not ended:
                # blank lines inside a value are paragraphs of it
                block.go_on(_INDENT.sub("", line.text), "\n" * (1 + blank))
                blank = 0
            continue
        value, blank = found.group(2) or "", 0
        if tag == "TY" and any(name == "TY" for name, _ in block.fields):
            yield block  # its ER is missing
            block = Block(line.number)
        if tag == "ER":
            if block:
                yield block
            block, ended = Block(0), True
            continue
        block.line = block.line or line.number
        ended = False
        block.add(tag, value)
    if block and any(name in {"TY", "TI", "T1", "AB", "N2"} for name, _ in block.fields):
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB", "N2"))
    kind = block.first("TY").upper()
    journal = block.first("JF", "JO", "T2", "JA", "J2", "T3")
    title = block.first("TI", "T1", "CT")
    book = block.first("BT")
    from_medline = re.search(r"(?i)pubmed|medline", " ".join(block.all("DB", "DP", "PM")))
    ids = block.all("DO", "M3", "UR", "L3", "LK", "N1", "M1", "C7", "ID", "L1", "L2")
    others += values.other_abstracts(block.all("X5"))
    pages = [page for page in (block.first("SP"), block.first("EP")) if page]
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=title or book or block.first("T2" if kind == "BOOK" else "ST"),
        authors=block.all("AU") or block.all("A1") or block.all("A2", "ED", "A3"),
        year=block.first("PY", "Y1", "YR", "DA", "Y2"),
        venue=(journal if title != journal else "") or (book if title else ""),
        doi=next((text for text in ids if "10." in text), ""),
        url=block.first("UR", "L2", "LK", "L1"),
        pmid=_pmid(block, from_medline=bool(from_medline)),
        arxiv_id=next((text for text in block.all(*_ARXIV_TAGS) if "arxiv" in text.lower()), ""),
        keywords=split_list(block.all("KW", "DE")),
        language=block.first("LA"),
        details={
            "type": block.first("X3") or _TYPES.get(kind, ""),
            "volume": block.first("VL"),
            "issue": block.first("IS"),
            "page": "-".join(pages) if len(set(pages)) > 1 else "".join(pages[:1]),
            "publisher": block.first("PB"),
            **_serial(block.first("SN"), kind),
            **({"ISBN": block.first("X4")} if block.first("X4") else {}),
            "citation-key": block.first("ID") if " " not in block.first("ID") else "",
        },
        line=block.line,
        exact=block.first("X9"),
    )


_ARXIV_TAGS = ("X2", "UR", "DO", "M1", "JO", "T2", "JF", "N1", "AN", "L1", "PB", "C7")


def _serial(number: str, kind: str) -> dict[str, str]:
    name = "ISBN" if kind in {"BOOK", "CHAP", "EBOOK", "ECHAP"} or "978" in number[:4] else "ISSN"
    return {name: number}


def _pmid(block: Block, *, from_medline: bool) -> str:
    for text in block.all("X1", "PM", "PMID", "U2", "C2", "C3", "N1", "UR", "L2"):
        if found := re.search(r"(?i)(?:pmid\W{0,3}|pubmed(?:\.ncbi)?[^\d]{1,30})(\d{5,9})", text):
            return found.group(1)
    return block.first("AN") if from_medline else ""
