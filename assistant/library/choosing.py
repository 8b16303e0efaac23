"""The ids of the papers that filters let through, quick also among very many papers.

What filters look at is taken from the library when it is first asked for and kept, folded, until
the library changes: asking SQLite anew would read every paper of the library for each search.
"""

# ruff: noqa: S608 - names of columns are constants

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from assistant.library.folding import Segments, author_test, words_test
from assistant.types import Filters

Rows: TypeAlias = Callable[[str, Sequence[Any]], list[sqlite3.Row]]
Mask: TypeAlias = npt.NDArray[np.bool_]
Field: TypeAlias = Literal["authors", "venue", "keywords"]

_KEPT = 16  # answers that are remembered: a reader searches again and again in the same ones
_ATTEMPTS = 3
_NO_YEAR = np.iinfo(np.int64).min


class Chooser:
    """Answers filters for one store; safe to share between threads."""

    def __init__(self, rows: Rows, version: Callable[[], str]) -> None:
        self._rows = rows
        self._version = version
        self._lock = threading.RLock()
        self._columns = _Columns(rows)
        self._answers: OrderedDict[Filters, frozenset[str]] = OrderedDict()
        self._known = ""

    def ids(self, filters: Filters) -> frozenset[str]:
        """Return the ids that ``filters``, of which ``paper_ids`` is not looked at, let through."""
        filters = replace(filters, paper_ids=())
        with self._lock:
            for _ in range(_ATTEMPTS):
                version = self._version()
                if version != self._known:
                    self._forget(version)
                if filters in self._answers:
                    self._answers.move_to_end(filters)
                    return self._answers[filters]
                found = self._columns.ids(filters)
                if self._version() == version:
                    return self._remember(filters, found)
            self._forget("")  # somebody is writing without a pause: true to one moment of it
            return found

    def _forget(self, version: str) -> None:
        self._columns, self._known = _Columns(self._rows), version
        self._answers.clear()

    def _remember(self, filters: Filters, found: frozenset[str]) -> frozenset[str]:
        self._answers[filters] = found
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)
        return found


class _Columns:
    """What filters look at, a place a paper; each part is taken up when first asked for."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._places: dict[str, int] = {}
        self._ids: npt.NDArray[Any] = np.zeros(0, dtype=object)
        self._years: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._flags: dict[str, Mask] = {}
        self._collections: dict[str, Mask] | None = None
        self._segments: dict[Field, Segments] = {}

    def ids(self, filters: Filters) -> frozenset[str]:
        self._load()
        mask = np.ones(len(self._ids), dtype=bool)
        for part in self._masks(filters):
            mask &= part
        return frozenset(self._ids[mask].tolist())

    def _masks(self, filters: Filters) -> Iterator[Mask]:
        """Yield a mask for each restriction."""
        if filters.year_from is not None:
            yield (self._years >= filters.year_from) & (self._years != _NO_YEAR)
        if filters.year_to is not None:
            yield (self._years <= filters.year_to) & (self._years != _NO_YEAR)
        if filters.has_abstract is not None:
            yield self._flags["has_abstract"] == filters.has_abstract
        if filters.has_code is not None:
            yield self._flags["has_code"] == filters.has_code
        if filters.collections:
            yield self._of_collections(filters.collections)
        if filters.authors:
            yield self._said("authors", map(author_test, filters.authors))
        if filters.venues:
            yield self._said("venue", map(words_test, filters.venues))
        if filters.keywords:
            yield self._said("keywords", map(words_test, filters.keywords))

    def _load(self) -> None:
        if len(self._places):
            return
        rows = self._rows(
            "SELECT id, year, abstract <> '' AS has_abstract, code_links <> '[]' AS has_code "
            "FROM papers",
            (),
        )
        ids = [row["id"] for row in rows]
        self._places = {id_: place for place, id_ in enumerate(ids)}
        self._ids = np.array(ids, dtype=object)
        years = [_NO_YEAR if row["year"] is None else row["year"] for row in rows]
        self._years = np.array(years, dtype=np.int64)
        for name in ("has_abstract", "has_code"):
            self._flags[name] = np.array([row[name] for row in rows], dtype=bool)

    def _of_collections(self, names: Iterable[str]) -> Mask:
        if self._collections is None:
            self._collections = {}
            for row in self._rows("SELECT collection, paper_id FROM sources", ()):
                place = self._places.get(row["paper_id"])
                if place is not None:
                    self._collection(row["collection"])[place] = True
        mask = np.zeros(len(self._ids), dtype=bool)
        for name in names:
            if name in self._collections:
                mask |= self._collections[name]
        return mask

    def _collection(self, name: str) -> Mask:
        assert self._collections is not None
        return self._collections.setdefault(name, np.zeros(len(self._ids), dtype=bool))

    def _said(self, field: Field, tests: Iterable[tuple[bytes, Callable[[str], bool]]]) -> Mask:
        """Return where one of the tests holds for what stands in a field."""
        if field not in self._segments:
            texts = self._texts(field)
            self._segments[field] = Segments(texts, named=field == "authors")
        mask = np.zeros(len(self._ids), dtype=bool)
        for needle, test in tests:
            mask[self._segments[field].owners(needle, test)] = True
        return mask

    def _texts(self, field: Field) -> Iterator[tuple[int, str]]:
        """Yield the place of a paper with each text of a field."""
        for row in self._rows(f"SELECT id, {field} AS said FROM papers", ()):
            place = self._places.get(row["id"])
            if place is None:
                continue
            for text in [row["said"]] if field == "venue" else json.loads(row["said"]):
                if text:
                    yield place, text
