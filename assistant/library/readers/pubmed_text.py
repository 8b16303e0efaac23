"""PubMed's list as text ("Abstract (text)"): numbered records, each a few paragraphs.

The citation, the title, the authors, then the abstract among notes, then the numbers of the
record. No program writes it to be read; what a paragraph is, is told by how it begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build, unbracketed
from assistant.library.readers.paragraphs import Block, paragraphs
from assistant.types import Record, Rejected, Source

FORMAT = "text"

_CITATION = re.compile(
    r"(?P<number>\d{1,6})\. (?P<venue>[^.;]{2,200}?)\.? (?P<year>(?:1[89]"
    r"|20)\d\d)\b(?P<rest>[^\n]{0,400})"
)
_PLACE = re.compile(
    r";\s?(?P<volume>[\w-]{1,12})?(?:\((?P<issue>[^()]{1,20})\))?:(?P<page>[\w-]+(?:\.\w+)*)"
)
_NUMBERS = re.compile(r"^(?:DOI|PMC?ID|PMID): ", re.MULTILINE)
_DOI = re.compile(r"\bdoi: ?(10\.\S+)", re.IGNORECASE)
_PMID = re.compile(r"^PMID: (\d+)", re.MULTILINE)
_NOTE = re.compile(
    r"(?:Author information|Collaborators|Comment (?:in|on)|Erratum (?:in|for)|Update (?:in|of)"
    r"|Republished"
    r"|Retraction (?:in|of)|Summary for patients|Conflict of interest|Dataset|Free PMC"
    r"|Plain Language"
    r"|Contributed equally|Original report|Expression of concern|Corrected and)\b|\[(?:Article in"
    r"|No authors)\b"
)
_MARKS = re.compile(r"\(\d+\)(?:\(\d+\))*|\[\d+\]|[#*\u2020\u2021]+")
_AUTHOR = re.compile(r"(?P<family>.+?) (?P<initials>[A-Z]{1,4}(?: (?:Jr|Sr|2nd|3rd|II|III|IV))?)")


def recognises(blocks: Sequence[Block]) -> bool:
    """Tell whether the first paragraph is a numbered citation and a PMID follows."""
    first = blocks[0].text if blocks else ""
    return bool(_CITATION.match(first)) and any(_PMID.search(block.text) for block in blocks)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a citation."""
    for number, parts in enumerate(_records(paragraphs(decode.lines(document))), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(parts))


def _records(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield the paragraphs of each record; the numbers at its end let the next one begin."""
    parts: list[Block] = []
    ended, count = True, 0
    for block in blocks:
        found = _CITATION.match(block.text)
        if found and (ended or int(found["number"]) == count + 1) and (not parts or ended):
            if parts:
                yield parts
            parts, ended, count = [], False, int(found["number"])
        if len(parts) < 200:  # noqa: PLR2004 - a record with more paragraphs is none
            parts.append(block)
        ended = ended or bool(_PMID.search(block.text))
    if parts:
        yield parts


def _fields(parts: Sequence[Block]) -> Fields:
    citation = " ".join(parts[0].text.split())
    found = _CITATION.match(citation)
    whole = "\n".join(block.text for block in parts)
    place = _PLACE.search(found["rest"]) if found else None
    said = [
        block
        for block in parts[1:]
        if not _NOTE.match(block.text) and not _NUMBERS.match(block.text)
    ]
    title = " ".join(said[0].text.split()) if said else ""
    authors = said[1].text if len(said) > 1 else ""
    people = _people(authors)
    body = said[2:] if people else said[1:]
    doi, pmid = _DOI.search(whole), _PMID.search(whole)
    return Fields(
        abstract="\n".join(" ".join(block.text.split()) for block in body),
        title=unbracketed(title).removesuffix("."),
        authors=people,
        year=found["year"] if found else None,
        venue=found["venue"] if found else "",
        doi=doi.group(1) if doi else "",
        pmid=pmid.group(1) if pmid else "",
        details={name: place[name] or "" for name in ("volume", "issue", "page")} if place else {},
        line=parts[0].line,
    )


def _people(text: str) -> list[str]:
    """Return the authors "Doe J(1), Roe RS(2)." as "Doe, J"; nobody where a part is no name."""
    bare = _MARKS.sub("", " ".join(text.split())).rstrip(". ")
    names = [part for piece in bare.split(", ") for part in piece.split("; ") if part.strip()]
    found = [_AUTHOR.fullmatch(name.strip()) for name in names]
    if sum(1 for match in found if match) < 0.6 * len(names):
        return []
    return [
        f"{match['family']}, {match['initials']}" if match else f"{{{name.strip()}}}"
        for match, name in zip(found, names, strict=True)
    ]
