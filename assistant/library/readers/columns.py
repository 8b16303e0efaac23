"""Which column of a table holds what, by the names that databases and people give them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from assistant.errors import ReadError
from assistant.library.readers.column_names import EASTERN, LAST, NAMES

MAPPED = (
    *("abstract", "title", "authors", "year", "venue", "doi", "url", "pmid", "arxiv_id"),
    *("keywords", "language"),
)
"""The fields that a reader may name a column for."""

_PLACES = {name: (field, rank) for field, names in NAMES.items() for rank, name in enumerate(names)}
_LAST = {name: (field, rank) for field, names in LAST.items() for rank, name in enumerate(names)}
_SURELY = frozenset({"authors", "year", "doi", "venue", "pmid", "arxiv_id", "keywords", "url"})
_TWO_LETTERS = 2
_CODES = ({"ti", "ab"}, {"ti", "au"})
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
# What flattened JSON and search servers put round a name: content.title.value, abstract_s
_WRAPPED = re.compile(r"^(?:content|fields|metadata) | (?:value|txt|ss?|t|i)$")


def found(header: Sequence[str], asked: Mapping[str, str] | None = None) -> dict[str, list[int]]:
    """Return the columns of each field, the likeliest first; ``asked`` wins over every guess.

    Raise ``ReadError`` for a column that is asked for and is not there.
    """
    ranked = _ranked(header, _PLACES)
    for field, places in _ranked(header, _LAST).items():
        ranked.setdefault(field, places)
    columns = {field: [index for _, index in sorted(places)] for field, places in ranked.items()}
    for field, name in (asked or {}).items():
        index = _named(header, name)
        for others in columns.values():
            if index in others:
                others.remove(index)
        columns[field] = [index]
    return {field: places for field, places in columns.items() if places}


def known(header: Sequence[str]) -> int:
    """Return how many fields have a column of a good name."""
    return len(_ranked(header, _PLACES))


def plainly_papers(header: Sequence[str]) -> bool:
    """Tell whether these columns are those of a list of papers."""
    sure, last = _ranked(header, _PLACES), _ranked(header, _LAST)
    if {"abstract", "abstract_index"} & sure.keys():
        return True
    if "abstract" in last and ("title" in sure or _SURELY & sure.keys()):
        return True
    return "title" in sure and bool(_SURELY & sure.keys())


def is_abstract(name: str) -> bool:
    """Tell whether a name, standing alone, says that its column holds abstracts."""
    return "abstract" in _ranked([name], _PLACES)


def _ranked(
    header: Sequence[str], places: Mapping[str, tuple[str, int]]
) -> dict[str, list[tuple[int, int]]]:
    names = [normal(name) for name in header]
    short = sum(len(name) == _TWO_LETTERS for name in names)
    coded = short > len(names) / 2 or any(codes <= set(names) for codes in _CODES)
    ranked: dict[str, list[tuple[int, int]]] = {}
    for index, name in enumerate(header):
        for variant in _variants(name):
            is_code = len(variant) <= _TWO_LETTERS and variant.isascii()
            if variant in places and (coded or not is_code):
                field, rank = places[variant]
                ranked.setdefault(field, []).append((rank, index))
                break
        else:
            if places is _PLACES and (field := EASTERN.get("".join(_EAST.findall(name)), "")):
                ranked.setdefault(field, []).append((len(NAMES[field]), index))
    return ranked


def _variants(name: str) -> Iterator[str]:
    """Yield the ways in which a name may stand in the lists."""
    plain = normal(name)
    yield plain
    yield normal(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))  # AbstractNote
    bare = _WRAPPED.sub("", _WRAPPED.sub("", plain))
    if bare != plain:
        yield bare


def normal(name: str) -> str:
    """Return a column's name without case, dashes, dots and underscores."""
    bare = unicodedata.normalize("NFKC", name).strip("\ufeff \"'*#").casefold()
    return " ".join(re.sub(r"[_.,:\-\u2010-\u2015\s]+", " ", bare).split())


def _named(header: Sequence[str], wanted: str) -> int:
    for index, name in enumerate(header):
        if name.strip("\ufeff ").casefold() == wanted.strip().casefold():
            return index
    for index, name in enumerate(header):
        if normal(name) == normal(wanted):
            return index
    raise ReadError(
        f"There is no column {wanted!r} in the table.", f"Its columns are: {listed(header)}."
    )


def listed(header: Sequence[str], most: int = 40) -> str:
    """Return the names of columns for a message."""
    names = [" ".join(name.split())[:60] for name in header if name.strip()]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
