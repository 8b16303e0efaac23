"""From the cells of a row to the fields of a record, whatever the table calls its columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from assistant.library.readers import cells as said
from assistant.library.readers.common import Fields, arxiv_of, doi_of
from assistant.library.readers.inverted import text_of
from assistant.types import OtherAbstract

# The header of our own export, in which a cell that a sheet would take for a formula is guarded.
_OURS = frozenset({"citation-key", "other_abstracts", "arxiv_id", "collections"})
_GUARD = re.compile(rf"^'(?=[{re.escape(said.FORMULA)}])")
_SPRINGER = frozenset({"item title", "item doi", "authors"})

_NOTHING = frozenset({"none", "null", "nan", "n/a", "na", "-", "--", "[]", "{}", "#n/a", "nil"})
_DATE = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?=[01]\d[0-3]\d(?!\d))")
_YEAR = re.compile(r"\d{4}")
_ADDRESS = re.compile(r"https?://[^\s\"|<>]+")
_LOST_ZERO = re.compile(r"(\d{3,4})\.(\d{1,5})")
_FIVE_DIGITS_SINCE = 1501
_INDEX = re.compile(r"(['\"])((?:\\.|(?!\1)[^\\])+)\1:\s*\[([\d,\s]*)\]")
_EXTRA = {
    "pmid": re.compile(r"(?im)^PMID:\s*(\d+)"),
    "arxiv_id": re.compile(r"(?im)^arXiv:\s*(\S+)"),
    "doi": re.compile(r"(?im)^DOI:\s*(\S+)"),
    "citation-key": re.compile(r"(?im)^Citation Key:\s*(\S+)"),
}
_IDS = {
    "pmid": re.compile(r"(?i)pubmed['\"]?:\s*['\"]?(\d+)"),
    "arxiv_id": re.compile(r"(?i)arxiv['\"]?:\s*['\"]([^'\"]+)"),
    "doi": re.compile(r"(?i)doi['\"]?:\s*['\"]([^'\"]+)"),
}


class Cells:
    """Reads the rows of one table.

    ``sample`` are some of its rows: they show what stands between the names in a cell.
    """

    def __init__(
        self,
        names: Sequence[str],
        columns: Mapping[str, Sequence[int]],
        sample: Sequence[Sequence[str]] = (),
    ) -> None:
        self._columns = columns
        self._ours = set(names) >= _OURS
        lowered = [name.strip("\ufeff ").lower() for name in names]
        self._ids = [at for at, name in enumerate(lowered) if name in {"id", "paper_id"}]
        self._exact = names.index("exact") if self._ours and "exact" in names else -1
        self._arxiv = "categories" in lowered
        self._joined = set(lowered) >= _SPRINGER
        self._marks = {field: self._mark(sample, field) for field in ("authors", "keywords")}

    def fields(self, cells: Sequence[str], line: int) -> Fields:
        """Return the raw fields of one row, which has as many cells as the table has columns."""

        def first(name: str) -> str:
            return next(self._values(cells, name), "")

        ids = self._identifiers(cells)
        abstract, others = self._abstracts(cells)
        return Fields(
            abstract=abstract,
            other_abstracts=others,
            title=first("title"),
            authors=self._people(first("authors")),
            year=self._year(cells),
            venue=first("venue"),
            doi=ids["doi"],
            url=first("url") if self._ours else _address(first("url")),
            pmid=ids["pmid"],
            arxiv_id=ids["arxiv_id"],
            keywords=self._words(first("keywords")),
            language=first("language"),
            details=self._details(cells, ids["citation-key"]),
            line=line,
            exact=cells[self._exact] if self._exact >= 0 else "",
        )

    def _values(self, cells: Sequence[str], name: str) -> Iterator[str]:
        for index in self._columns.get(name, ()):
            text = cells[index].strip()
            if self._ours:
                text = _GUARD.sub("", text)
            if text and (self._ours or text.lower() not in _NOTHING):
                yield text

    def _abstracts(self, cells: Sequence[str]) -> tuple[str, list[OtherAbstract]]:
        """Return the abstract, and those of other columns that say something else."""
        texts = [_from_index(text) for text in self._values(cells, "abstract")]
        texts += [_from_index(text) for text in self._values(cells, "abstract_index") if not texts]
        abstract = texts[0] if texts else ""
        more = [*texts[1:], *self._values(cells, "other_abstract")]
        if not abstract and more:
            abstract = more.pop(0)
        others = [OtherAbstract(text) for text in dict.fromkeys(more) if text != abstract]
        return abstract, [*others, *_others(next(self._values(cells, "other_abstracts"), ""))]

    def _identifiers(self, cells: Sequence[str]) -> dict[str, str]:
        """Return the DOI, PMID, arXiv number and citation key, wherever they stand."""
        dois, urls = (
            [text if self._ours else re.sub(r'["|]', " ", text) for text in found]
            for found in (self._values(cells, "doi"), self._values(cells, "url"))
        )
        ids = [cells[at].strip() for at in self._ids]
        found = {
            "doi": next((text for text in [*dois, *urls, *ids] if doi_of(text)), ""),
            "pmid": next((text for text in self._values(cells, "pmid") if text.strip("0. ")), ""),
            "arxiv_id": next(self._values(cells, "arxiv_id"), "")
            or next(filter(None, map(self._arxiv_number, ids)), "")
            or next((text for text in [*dois, *urls] if "arxiv" in text.lower()), ""),
            "citation-key": next(self._values(cells, "citation-key"), ""),
        }
        for name, patterns in (("extra", _EXTRA), ("ids", _IDS)):
            for text in self._values(cells, name):
                for field, pattern in patterns.items():
                    match = None if found[field] else pattern.search(text)
                    found[field] = match.group(1) if match else found[field]
        return found

    def _arxiv_number(self, text: str) -> str:
        """Return arXiv's number from a column that says no more than "id"."""
        lost = _LOST_ZERO.fullmatch(text) if self._arxiv else None
        if lost:  # a sheet takes 0704.0010 for a number
            month = lost.group(1).zfill(4)
            digits = 5 if int(month) >= _FIVE_DIGITS_SINCE else 4
            return f"{month}.{lost.group(2).ljust(digits, '0')}"
        told = re.fullmatch(r"(?i)(?:arxiv:)?\d{4}\.\d{4,5}(v\d+)?", text)
        return text if told or "arxiv.org/" in text else arxiv_of(text) if self._arxiv else ""

    def _year(self, cells: Sequence[str]) -> str:
        for text in self._values(cells, "year"):
            if day := _DATE.search(text):
                return day.group(1)
            if _YEAR.search(text):
                return text
        return ""

    def _people(self, text: str) -> list[str]:
        if self._ours:
            return text.split(";")
        if self._joined and not re.search(r"[;|,]", text):
            text = said.apart(text)
        return said.people(text, self._marks["authors"])

    def _words(self, text: str) -> list[str]:
        return text.split(";") if self._ours else said.words(text, self._marks["keywords"])

    def _details(self, cells: Sequence[str], key: str) -> dict[str, str]:
        def first(name: str) -> str:
            return next(self._values(cells, name), "")

        kinds = list(self._values(cells, "type"))
        pages = list(dict.fromkeys(filter(None, (first("first_page"), first("last_page")))))
        details = {name: first(name) for name in ("volume", "issue", "publisher", "ISSN", "ISBN")}
        if not self._ours:
            details |= {name: said.plain_list(details[name]) for name in ("ISSN", "ISBN")}
        return {
            **details,
            "type": next(filter(None, map(self._kind, kinds)), ""),
            "page": first("page") or "-".join(pages),
            "citation-key": key,
        }

    def _kind(self, text: str) -> str:
        exact = text in said.CSL_TYPES and (self._ours or text != "article")
        return text if exact else said.type_of(text)

    def _mark(self, sample: Sequence[Sequence[str]], field: str) -> str:
        """Return what stands between the items of this column, where some row shows it."""
        texts = [
            row[at] for row in sample for at in self._columns.get(field, ())[:1] if at < len(row)
        ]
        return next(
            (mark for mark in ";|" if any(mark in text.strip(f" {mark}") for text in texts)), ""
        )


def _address(text: str) -> str:
    """Return the first address in a cell: there may be several, or a formula round one."""
    if match := _ADDRESS.search(text):
        return match.group().rstrip(",;)")
    return text.split(maxsplit=1)[0] if "." in text and len(text.split()) == 1 else ""


def _from_index(text: str) -> str:
    """Return a text as it is, or what an inverted index makes."""
    if not text.startswith("{") or "[" not in text:
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        # as Python writes it
        found = {
            match.group(2): [int(place[:9]) for place in match.group(3).split(",") if place.strip()]
            for match in _INDEX.finditer(text)
        }
    return text_of(found) or text


def _others(text: str) -> list[OtherAbstract]:
    """Return second abstracts from our own export: a JSON list of [text, language, kind]."""
    try:
        found = json.loads(text) if text else []
        return [OtherAbstract(*map(str, item)) for item in found]
    except (ValueError, TypeError, RecursionError):
        return []
