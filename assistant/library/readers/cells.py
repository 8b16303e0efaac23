"""From the cells of a row to the fields of a record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from assistant.library.readers.common import Fields
from assistant.library.readers.inverted import text_of
from assistant.types import OtherAbstract

# The header of our own export, in which a cell that a sheet would take for a formula is guarded.
OURS = frozenset({"citation-key", "other_abstracts", "arxiv_id", "collections"})
GUARD = re.compile(r"^'(?=['=+\-@\t])")

_NOTHING = frozenset({"none", "null", "nan", "n/a", "na", "-", "[]", "#n/a"})
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_END = re.compile(r"(?<=[A-Z][A-Z]|[a-z][a-z])\.$")  # a full stop that is none of an initial
_YEAR = re.compile(r"\d{4}")
_NUMBER = re.compile(r"\s*\((?:ORCID:? ?)?[\dX-]{6,}\)")
_INITIALS = re.compile(r"(?:[A-Z]\.?[- ]?){1,4}(?:\s?(?:Jr|Sr)\.?)?")
_TYPES = (
    ("conference", "paper-conference"),
    ("proceeding", "paper-conference"),
    ("chapter", "chapter"),
    ("section", "chapter"),
    ("preprint", "article"),
    ("posted", "article"),
    ("thesis", "thesis"),
    ("dissertation", "thesis"),
    ("report", "report"),
    ("journal", "article-journal"),
    ("article", "article-journal"),
    ("review", "article-journal"),
    ("book", "book"),
)
CSL_TYPES = frozenset(
    {"article-journal", "article-magazine", "paper-conference", "book", "chapter", "thesis"}
    | {"report", "article", "manuscript", "webpage", "software", "dataset", "patent"}
)


class Cells:
    """Reads the rows of one table."""

    def __init__(self, names: Sequence[str], columns: Mapping[str, Sequence[int]]) -> None:
        self._columns = columns
        self._ours = set(names) >= OURS
        lowered = {name.strip().lower() for name in names}
        # arXiv's own sheets have its number in a column that says no more than "id"
        self._arxiv = (
            [index for index, name in enumerate(names) if name.strip().lower() == "id"]
            if "categories" in lowered
            else []
        )

    def fields(self, cells: Sequence[str], line: int) -> Fields:
        """Return the raw fields of one row."""

        def first(name: str) -> str:
            return next(self._values(cells, name), "")

        kind = first("type")
        pages = [page for page in (first("first_page"), first("last_page")) if page]
        found_dois = [*self._values(cells, "doi"), *self._values(cells, "url")]
        return Fields(
            abstract=first("abstract") or _from_index(first("abstract_index")),
            other_abstracts=[
                *(OtherAbstract(text) for text in self._values(cells, "other_abstract")),
                *_others(first("other_abstracts")),
            ],
            title=first("title"),
            authors=people(first("authors")),
            year=next(
                (text for text in self._values(cells, "year") if re.search(r"\d{4}", text)), ""
            ),
            venue=first("venue"),
            doi=next((text for text in found_dois if "10." in text), ""),
            url=first("url").split(" http")[0].split("|")[0] if not self._ours else first("url"),
            pmid=first("pmid"),
            arxiv_id=first("arxiv_id")
            or next((cells[index] for index in self._arxiv), "")
            or next((text for text in found_dois if "arxiv" in text.lower()), ""),
            keywords=words(first("keywords")),
            language=first("language"),
            details={
                "type": kind if kind in CSL_TYPES else type_of(kind),
                "volume": first("volume"),
                "issue": first("issue"),
                "page": first("page")
                or ("-".join(pages) if len(set(pages)) > 1 else "".join(pages[:1])),
                "publisher": first("publisher"),
                "ISSN": first("ISSN"),
                "ISBN": first("ISBN"),
                "citation-key": first("citation-key"),
            },
            line=line,
        )

    def _values(self, cells: Sequence[str], name: str) -> Iterator[str]:
        for index in self._columns.get(name, ()):
            text = cells[index].strip()
            if self._ours:
                text = GUARD.sub("", text)
            if text and (self._ours or text.lower() not in _NOTHING):
                yield text


def people(text: str) -> list[str]:
    """Return the names in a cell, whatever stands between them."""
    if text.startswith("[") and text.endswith("]"):
        return _listed(text)
    text = _NUMBER.sub("", text)
    for mark in ("|", ";"):
        if mark in text:
            return [_named(part) for part in text.split(mark)]
    if re.search(r"\sand\s|\s&\s", text):
        last = re.split(r",?\s+(?:and|&)\s", text)
        return [name for part in last for name in people(part.strip())]
    if "\n" in text.strip():
        return [_named(part) for part in text.split("\n")]
    parts = [part.strip() for part in _END.sub("", text).split(",") if part.strip()]
    if len(parts) > 1 and len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) == 2 and " " not in parts[0]:  # noqa: PLR2004
        return [text]  # one name, the family first
    return parts


def _named(text: str) -> str:
    family, mark, given = text.strip().partition(",")
    return f"{family}," if given.strip().lower() == "null" else f"{family}{mark}{given}"


def words(text: str) -> list[str]:
    """Return the key words in a cell."""
    if text.startswith("[") and text.endswith("]"):
        return _listed(text)
    mark = next((mark for mark in ("|", ";", "\n", ",") if mark in text), ";")
    return [word.strip(" *") for word in text.split(mark)]


def _listed(text: str) -> list[str]:
    """Return the items of a list as Python or JSON writes it."""
    return [single or double for single, double in _QUOTED.findall(text)]


def type_of(said: str) -> str:
    """Return CSL's word for a kind of publication, or an empty string."""
    lowered = said.lower()
    return next((kind for word, kind in _TYPES if word in lowered), "")


def _from_index(text: str) -> str:
    try:
        return text_of(json.loads(text)) if text else ""
    except (ValueError, RecursionError):
        return ""


def _others(text: str) -> list[OtherAbstract]:
    """Return second abstracts from our own export: a JSON list of [text, language, kind]."""
    try:
        found = json.loads(text) if text else []
        return [OtherAbstract(*map(str, item)) for item in found]
    except (ValueError, TypeError, RecursionError):
        return []
