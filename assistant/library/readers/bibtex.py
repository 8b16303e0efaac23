"""BibTeX and BibLaTeX, an entry at a time.

A file is cut where a line begins an entry, and each piece is parsed by bibtexparser alone, so that
a brace that is missing in one entry costs that entry and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import bibtex_values as values
from assistant.library.readers.common import MAX_ABSTRACT, Fields, build, doi_of
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "bibtex"

_BEGIN = re.compile(r"^\s*\ufeff?@\s*([A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"@\s*\w+\s*[{(]\s*([^,\s{}]+)")
_BARE = frozenset({"comment", "preamble", "string"})
_UNREADABLE = "no whole entry is found in it"
_SHIELD = "\ue0f0"
_MOST_JOINED = 4  # pieces that one entry may have been cut into by text that looks like an entry
_MOST_CHARACTERS = 20 * MAX_ABSTRACT
_TYPES = {
    "article": "article-journal",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "proceedings": "book",
    "book": "book",
    "mvbook": "book",
    "inbook": "chapter",
    "incollection": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "unpublished": "manuscript",
    "online": "webpage",
    "electronic": "webpage",
    "software": "software",
    "dataset": "dataset",
    "patent": "patent",
}
TYPE_OF = _TYPES


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a file that begins with an entry."""

    line: int
    text: str

    @property
    def kind(self) -> str:
        found = _BEGIN.match(self.text)
        return found.group(1).lower() if found else ""

    @property
    def key(self) -> str:
        found = _KEY.search(self.text)
        return found.group(1)[:80] if found else ""


def recognises(peek: Peek) -> bool:
    """Tell whether an entry begins within the first lines."""
    return any(_BEGIN.match(line) for line in peek.lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each entry became."""
    number, macros = 0, dict(values.MONTHS)
    for piece in _joined(_pieces(document)):
        if piece.kind == "string":
            macros.update(_macros(piece, macros))
        if piece.kind in _BARE:
            continue
        for found in _entries(piece):
            number += 1
            source = Source(document.name, number, FORMAT, document.collection)
            yield _record(source, piece, found, macros)


def _pieces(document: Document) -> Iterator[_Piece]:
    """Yield the file from one beginning of an entry to the next; what stands before is left out."""
    held: list[Line] = []
    size = 0
    for line in decode.lines(document):
        if _BEGIN.match(line.text):
            if held:
                yield _piece(held)
            held, size = [line], len(line.text)
        elif held and size < _MOST_CHARACTERS:
            held.append(line)
            size += len(line.text)
    if held:
        yield _piece(held)


def _piece(lines: list[Line]) -> _Piece:
    return _Piece(lines[0].number, "\n".join(line.text for line in lines).replace("\x00", ""))


def _joined(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Yield the pieces, those put together again that only together close their braces."""
    waiting: list[_Piece] = []
    for piece in pieces:
        waiting.append(piece)
        while waiting:
            size = _closed(waiting)
            if not size and len(waiting) < _MOST_JOINED and _depth(waiting[0].text) > 0:
                break
            yield _Piece(waiting[0].line, "\n".join(part.text for part in waiting[: max(1, size)]))
            waiting = waiting[max(1, size) :]
    while waiting:
        size = _closed(waiting) or 1
        yield _Piece(waiting[0].line, "\n".join(part.text for part in waiting[:size]))
        waiting = waiting[size:]


def _closed(pieces: list[_Piece]) -> int:
    """Return how many pieces from the first on close each other's braces; 0 for none."""
    depth = 0
    for count, piece in enumerate(pieces, 1):
        depth += _depth(piece.text)
        if depth <= 0:
            # an entry that closes alone is whole; one that takes in a whole entry is not one
            return count if count == 1 or _depth(piece.text) < 0 else 0
    return 0


def _depth(text: str) -> int:
    bare = text.replace("\\{", "").replace("\\}", "")
    opening = _BEGIN.match(text)
    round_one = 1 if opening and opening.group().endswith("(") else 0
    return bare.count("{") - bare.count("}") + (round_one if ")" not in bare else 0)


def _entries(piece: _Piece) -> Iterator[Any]:
    """Yield what bibtexparser makes of a piece: entries, and failures as their message."""
    import logging

    import bibtexparser
    from bibtexparser import model

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    try:
        library = bibtexparser.parse_string(_shielded(piece.text), parse_stack=[])
    except Exception as error:  # noqa: BLE001 - the library's own errors have no common class
        yield f"{type(error).__name__}: {error}"
        return
    found = False
    for block in library.blocks:
        whole = getattr(block, "ignore_error_block", None) or block
        if isinstance(whole, model.Entry):
            found = True
            yield whole
        elif isinstance(block, model.ParsingFailedBlock):
            found = True
            yield str(block.error) or _UNREADABLE
    if not found:
        yield _UNREADABLE


def _shielded(text: str) -> str:
    """Hide the signs at line beginnings inside an entry, which the parser takes for another."""
    first, mark, rest = text.partition("@")
    return first + mark + re.sub(r"(\n\s*)@", rf"\1{_SHIELD}", rest)


def _macros(piece: _Piece, known: Mapping[str, str]) -> dict[str, str]:
    import bibtexparser

    library = bibtexparser.parse_string(piece.text, parse_stack=[])
    return {item.key.lower(): values.resolved(str(item.value), known) for item in library.strings}


def _record(
    source: Source, piece: _Piece, found: Any, macros: Mapping[str, str]
) -> Record | Rejected:
    if isinstance(found, str):
        reason = " ".join(found.partition("syntactical error in bibtex:")[2].split()) or found
        return Rejected(
            source,
            f"the entry cannot be read: {' '.join(reason.split())[:200]}".rstrip("."),
            "Look for a brace, a quotation mark or a comma that is missing in it.",
            line=piece.line,
            key=piece.key,
        )
    said: dict[str, list[str]] = {}
    for item in found.fields:
        value = values.resolved(str(item.value), macros).replace(_SHIELD, "@")
        if value.strip():
            said.setdefault(item.key.strip().lower(), []).append(value)
    line = piece.line + int(found.start_line or 0)
    return build(source, _fields(str(found.entry_type).lower(), found.key or "", said, line))


def _fields(kind: str, key: str, said: dict[str, list[str]], line: int) -> Fields:
    def first(*names: str) -> str:
        return next((value for name in names for value in said.get(name, ())), "")

    title, subtitle = values.short(first("title")), values.short(first("subtitle"))
    place = values.short(first("journal", "journaltitle", "booktitle", "maintitle"))
    notes = [v for name in ("doi", "url", "note", "howpublished", "ee") for v in said.get(name, ())]
    return Fields(
        abstract=values.unbraced(first("abstract", "abstractnote")),
        title=f"{title}: {subtitle}" if subtitle and title else title or place,
        authors=values.people_of(first("author") or first("editor", "organization")),
        year=first("year", "date", "eventdate", "urldate" if kind == "online" else "year"),
        venue=place if title else "",
        doi=_longest_doi(notes),
        url=first("url", "ee", "link", "howpublished" if "http" in first("howpublished") else "url")
        .replace("\\url{", "")
        .strip("{}"),
        pmid=first("pmid"),
        arxiv_id=_arxiv(said),
        keywords=values.words_of(said.get("keywords", []) + said.get("keyword", [])),
        language=first("langid", "language").strip("; "),
        other_abstracts=[
            replace(item, text=values.unbraced(item.text))
            for name, found in said.items()
            if name.startswith("otherabstract")
            for item in values.other_abstracts(found)
        ],
        details={
            "type": first("x-csl-type") or _TYPES.get(kind, ""),
            "volume": first("volume"),
            "issue": first("number", "issue"),
            "page": first("pages", "eid").replace("--", "-"),
            "publisher": first("publisher", "school", "institution"),
            "ISSN": first("issn"),
            "ISBN": first("isbn"),
            "citation-key": "" if first("x-key") else key,
        },
        line=line,
    )


def _longest_doi(texts: list[str]) -> str:
    """Return the fullest DOI in these texts: a field given twice may hold a stub."""
    return max(map(doi_of, texts), key=len, default="")


def _arxiv(said: Mapping[str, list[str]]) -> str:
    prefix = "".join(said.get("archiveprefix", []) + said.get("eprinttype", [])).lower()
    eprint = next(iter(said.get("eprint", [])), "")
    if eprint and (not prefix or "arxiv" in prefix):
        return eprint
    for name in ("arxivid", "arxiv", "journal", "note", "number", "url", "howpublished", "doi"):
        for value in said.get(name, ()):
            if "arxiv" in value.lower() or name.startswith("arxiv"):
                return value
    return ""
