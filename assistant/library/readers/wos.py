"""Web of Science's tagged format (ISI): two-letter tags, values that go on three spaces in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract, split_list, split_people
from assistant.library.wordlists import listed
from assistant.types import Record, Rejected, Source

FORMAT = "wos"

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9])(?:[ \t]+(.*))?$")
_NAME = re.compile(r"^FN \S")
_VERSION = re.compile(r"^VR \d\.\d\s*$")
_KIND = re.compile(r"^PT [A-Z]\s*$")
_NEXT = re.compile(r"^(?:AU|TI|AF|SO|BA|BE|CA|UT) \S")
_LISTS = frozenset({"AU", "AF", "C1", "CR", "BA", "BF", "CA", "GP"})
_TEXTS = frozenset({"AB", "TI"})
_KNOWN = frozenset(
    listed("""
    FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU
    FP FX CR NR TC Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z9 U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS SI PN SU
    MA BP EP PS AR DI DL D2 EA EY PG P2 WC WE SC GA PM UT OA HC HP DA ER EF NO FT AE CO
""")
)
_TYPES = {"J": "article-journal", "B": "book", "S": "chapter", "C": "paper-conference"}
_LEADING = 5


def recognises(peek: Peek) -> bool:
    """Tell whether the first lines are those of an export or of a record."""
    lines = peek.lines[:_LEADING]
    if any(map(_VERSION.match, lines)) and any(map(_NAME.match, lines)):
        return True
    pairs = zip(lines, peek.lines[1:], strict=False)
    return any(_KIND.match(line) and _NEXT.match(after) for line, after in pairs)


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
        tag, value = _tag(line.text, block.last)
        if not tag:
            if block.last in _LISTS:
                block.add(block.last, value)
            else:
                block.go_on(value, " ")
            continue
        if tag in {"ER", "PT"} and block:
            yield block
            block = Block(0)
        if tag in {"ER", "EF", "FN", "VR"}:
            continue
        block.line = block.line or line.number
        block.add(tag, value)
    if block:
        yield block


def _tag(text: str, last: str) -> tuple[str, str]:
    """Return tag and value of a line; without a tag it goes on with the ``last`` field."""
    found = None if text.startswith(("  ", "\t")) else _TAG.match(text)
    # a line of a text that lost its blanks may begin with a word in capitals
    if not found or (last in _TEXTS and found.group(1) not in _KNOWN):
        return "", text.strip()
    return found.group(1), found.group(2) or ""


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    pages = [page for page in (block.first("BP"), block.first("EP")) if page]
    people = block.all("AF") or block.all("AU") or block.all("BA", "BF", "BE")
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=block.first("TI"),
        authors=[*split_people(people), *block.all("CA", "GP")],
        year=block.first("PY", "EA", "PD", "EY"),
        venue=block.first("SO", "BS", "SE", "JI", "J9"),
        doi=block.first("DI", "D2"),
        url=block.first("DL"),
        pmid=block.first("PM") or _of_medline(block.first("UT")),
        keywords=split_list(block.all("DE", "ID")),
        language=block.first("LA"),
        details={
            "type": _TYPES.get(block.first("PT"), ""),
            "volume": block.first("VL"),
            "issue": block.first("IS"),
            "page": "-".join(pages) or block.first("PS", "AR"),
            "publisher": block.first("PU"),
            "ISSN": block.first("SN", "EI"),
            "ISBN": block.first("BN"),
        },
        line=block.line,
    )


def _of_medline(number: str) -> str:
    return number.removeprefix("MEDLINE:") if number.startswith("MEDLINE:") else ""
