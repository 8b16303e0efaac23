"""PubMed's own format (nbib, MEDLINE): four-letter tags, values that go on six spaces in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build, unbracketed
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract
from assistant.types import OtherAbstract, Record, Rejected, Source

FORMAT = "medline"

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)$")
_BEGIN = re.compile(r"^\ufeff?PMID ?- ?\d+")
_OTHER = re.compile(r"^(Publisher|AIDS|KIE|NASA|Plain(?:-| )[Ll]anguage[^:]*): ", re.IGNORECASE)


def recognises(peek: Peek) -> bool:
    """Tell whether a record of PubMed begins within the first lines."""
    return any(_BEGIN.match(line) for line in peek.lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    """Yield the records; each begins at its PMID, or after a blank line."""
    block, blank = Block(0), False
    for line in decode.lines(document):
        if not line.text.strip():
            blank = True
            continue
        found = None if line.text.startswith("    ") else _TAG.match(line.text)
        if not found:
            block.go_on(line.text.strip(), " ")
            continue
        tag, value = found.groups()
        begins = tag == "PMID" or (blank and "PMID" not in dict(block.fields) and tag == "OWN")
        if begins and block:
            yield block
            block = Block(0)
        blank = False
        block.line = block.line or line.number
        block.add(tag, value)
    if block:
        yield block


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    languages = block.all("OABL")
    for index, text in enumerate(block.all("OAB")):
        kind = _OTHER.match(text)
        language = languages[index] if index < len(languages) else ""
        others.append(OtherAbstract(text, language, kind.group(1).lower() if kind else ""))
    ids = block.all("LID", "AID", "SO")
    doi = next((text for text in ids if "[doi]" in text), "")
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=unbracketed(block.first("TI", "BTI", "TT", "CTI")),
        authors=[*(block.all("FAU") or block.all("AU") or block.all("FED")), *block.all("CN")],
        year=block.first("DP", "DEP", "DA", "PHST"),
        venue=block.first("JT", "TA", "BTI" if block.first("TI") else "PB"),
        doi=doi or next((text for text in ids if "10." in text), ""),
        pmid=block.first("PMID"),
        keywords=[text.replace("*", "") for text in block.all("OT", "MH")],
        language=block.first("LA"),
        details={
            "type": _type(block.all("PT")),
            "volume": block.first("VI"),
            "issue": block.first("IP"),
            "page": block.first("PG"),
            "ISSN": block.first("IS").partition(" ")[0],
        },
        line=block.line,
    )


def _type(kinds: list[str]) -> str:
    if any("Preprint" in kind for kind in kinds):
        return "article"
    return "book" if any(kind.startswith("Book") for kind in kinds) else "article-journal"
