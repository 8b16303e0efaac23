"""Ovid's citation exports: numbered records, a label a field, values indented below or beside it.

Also its reprint format, with two-letter tags and a dash, whose records begin at ``VN`` or ``UI``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build, unbracketed
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract, split_list, split_people
from assistant.types import Record, Rejected, Source

FORMAT = "ovid"

_NUMBER = re.compile(r"^<\s?\d{1,7}\s?\.?\s?>\s?\.?$")
_LABEL = re.compile(r"^[A-Z][A-Za-z/()&, -]{1,60}$")
_TAG = re.compile(r"^([A-Z][A-Z0-9])(?: {1,3}-(?: |$)|- )(.*)$")
_VENDOR = re.compile(r"^(?:VN|DB) {0,3}- .*Ovid", re.IGNORECASE)
_BEGINS = frozenset({"VN", "UI", "AN", "DB"})
# Names in one line: behind "Doe J." a next one; behind "Doe, Jane A." one that has a comma, too
_NEXT_NAME = re.compile(r"\.\s+(?=[^\W\d_])")
_NEXT_FULL_NAME = re.compile(r"\.\s+(?=[^\s,.]{2,}(?:[ '’-][^\s,.]+){0,4},)")
_OF_PLACE = re.compile(r"[\s,]+\d[\d\s,]*$")
_OF_TITLE = re.compile(
    r"(?i)\s*\[(?:article|original article|review|reviews|letter|editorial|miscellaneous|comment"
    r"|erratum|case reports?|abstract|\d+ refs?|miscellaneous article)\]\s*\.?\s*$"
)
_DOI = re.compile(r"10\.\d{4,9}(?:/|%2[Ff])")
_PLACE = re.compile(r"(\d+)\s?(?:\(([^)]{1,30})\))?:\s?([A-Za-z]?\d+(?:-[A-Za-z]?\d+)?)")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_PMID = re.compile(r"\d{7,8}")
_NAMES = {
    "title": "TI",
    "original title": "OT",
    "abstract": "AB",
    "author": "AL",
    "authors": "AL",
    "author(s)": "AL",
    "authors full name": "FL",
    "author full name": "FL",
    "full author name": "FL",
    "source": "SO",
    "journal name": "JN",
    "journal": "JN",
    "year of publication": "YR",
    "publication year": "YR",
    "date of publication": "DP",
    "publication date": "DP",
    "digital object identifier": "DO",
    "doi": "DO",
    "doi number": "DO",
    "pmid": "PM",
    "pubmed id": "PM",
    "unique identifier": "UN",
    "accession number": "AN",
    "database": "DB",
    "language": "LG",
    "mesh subject headings": "MH",
    "subject headings": "MH",
    "heading words": "MH",
    "key phrase identifiers": "KW",
    "keyword heading": "KW",
    "keywords": "KW",
    "author keywords": "KW",
    "publication type": "PT",
    "document type": "PT",
    "issn": "IS",
    "publisher": "PB",
    "url": "UR",
    "link to the ovid full text or citation": "XL",
}
_TYPES = (
    ("chapter", "chapter"),
    ("book", "book"),
    ("dissertation", "thesis"),
    ("conference", "paper-conference"),
    ("journal", "article-journal"),
    ("article", "article-journal"),
    ("review", "article-journal"),
)


def recognises(peek: Peek) -> bool:
    """Tell whether the first lines are those of an export from Ovid."""
    if any(map(_NUMBER.match, peek.lines[:10])):
        return any(line.lower() in _NAMES or _TAG.match(line) for line in peek.lines)
    return any(map(_VENDOR.match, peek.lines))


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    reading, numbered = _Reading(), False
    for line in decode.lines(document):
        text = line.text.removeprefix("\ufeff").rstrip()
        if not text:
            reading.blank = True
            continue
        is_number = bool(_NUMBER.match(text.strip()))
        numbered = numbered or is_number
        tag, value = ("", "") if is_number else reading.tag(text)
        again = tag in _BEGINS and not numbered and reading.block.has(tag)
        if reading.block and (is_number or (again and (reading.blank or tag == "VN"))):
            yield reading.block
            reading.block = Block(0)
        reading.blank = False
        if not is_number:
            reading.take(line.number, text, tag, value)
    if reading.block:
        yield reading.block


class _Reading:
    """The record that is being read, and how values stand below their labels in this file."""

    def __init__(self) -> None:
        self.block = Block(0)
        self.blank = False
        self._is_indented: bool | None = None
        self._behind_label = False

    def tag(self, text: str) -> tuple[str, str]:
        """Return our tag of a line and its value; blanks where it goes on with a value."""
        if found := _TAG.match(text):
            return found.group(1), found.group(2)
        if text.lower() in _NAMES:
            return _NAMES[text.lower()], ""
        if self._is_indented and not text.startswith(" ") and _LABEL.match(text):
            return "-", ""  # of a field that is not read
        return "", ""

    def take(self, number: int, text: str, tag: str, value: str) -> None:
        """Take a line that is no number into the record."""
        block = self.block
        block.line = block.line or number
        if tag:
            block.add(tag, value)
            self._behind_label = tag != "-" and not value
            return
        if self._behind_label and self._is_indented is None:
            self._is_indented = text.startswith(" ")
        self._behind_label = False
        # people stand one a line, or all in one
        if block.last in {"AL", "FL"} and block.fields[-1][1]:
            block.add(block.last, text.strip())
        else:
            block.go_on(text.strip(), " ")


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    source = block.first("SO")
    place = _PLACE.search(source)
    volume, issue, page = place.groups() if place else ("", "", "")
    said = " ".join(block.all("PT")).lower()
    named = block.all("FL") or block.all("AL")
    people = list(_listed(named)) or split_people(block.all("FA") or block.all("AU"))
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=unbracketed(_OF_TITLE.sub("", block.first("TI", "OT"))),
        authors=people,
        year=block.first("YR", "DP", "DT") or next(iter(_YEAR.findall(source)[::-1]), ""),
        venue=block.first("JN", "JT") or _journal(source),
        doi=next(filter(_DOI.search, block.all("DO", "DI", "UR", "XL", "SO")), ""),
        url=block.first("UR"),
        pmid=_pmid(block),
        keywords=[text.strip("*. ") for text in split_list(block.all("KW", "MH", "SH"))],
        language=block.first("LG", "LA").rstrip("."),
        details={
            "type": next((kind for word, kind in _TYPES if word in said), ""),
            "volume": volume,
            "issue": issue or "",
            "page": page,
            "publisher": block.first("PB"),
            "ISSN": block.first("IS", "SN").partition(" ")[0],
        },
        line=block.line,
    )


def _journal(source: str) -> str:
    return "" if "[Editor" in source else source.partition(". ")[0]


def _listed(values: list[str]) -> Iterator[str]:
    """Yield the names in values that hold many: "Doe J. Roe R.", "Doe, Jane. Roe, Rick"."""
    for value in values:
        if ";" in value:
            names: list[str] = list(split_people([value]))
        else:
            mark = _NEXT_FULL_NAME if "," in value else _NEXT_NAME
            names = mark.split(value)
        yield from (_OF_PLACE.sub("", name.strip().removesuffix(".")) for name in names)


def _pmid(block: Block) -> str:
    own = re.search(r"\d{4,9}", block.first("PM"))
    medline = any("medline" in text.lower() for text in block.all("DB", "VN"))
    told = block.all("UN", "UI", "AN") if medline else block.all("UN")
    return own.group() if own else next((text for text in told if _PMID.fullmatch(text)), "")
