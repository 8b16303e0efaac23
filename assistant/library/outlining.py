"""The papers of a library by name and in outline, without loading them."""

# ruff: noqa: S608 - names of tables and columns are constants; values are always bound

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

PAGE = 500


@dataclass(frozen=True, slots=True)
class Outline:
    """What a list of papers is filtered and sorted by; ``abstract`` is empty if not asked for."""

    id: str
    name: str
    year: int | None
    has_abstract: bool
    abstract: str = ""


class Outlining(ABC):
    """The part of a store that gives papers in outline."""

    @abstractmethod
    def _all(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the name of every paper, without loading the papers."""
        seq = -1
        query = (
            "SELECT seq, id, CASE title WHEN '' THEN handle ELSE title END AS name FROM papers "
            "WHERE seq > ? ORDER BY seq LIMIT ?"
        )
        while rows := self._all(query, [seq, PAGE]):
            yield from ((row["id"], row["name"]) for row in rows)
            seq = rows[-1]["seq"]

    def outlines(self, *, texts: bool = False) -> Iterator[Outline]:
        """Yield every paper in outline, in order of import; with ``texts``, abstracts as well."""
        seq, text = -1, "abstract" if texts else "''"
        query = (
            "SELECT seq, id, CASE title WHEN '' THEN handle ELSE title END AS name, year, "
            f"abstract <> '' AS has_abstract, {text} AS abstract "
            "FROM papers WHERE seq > ? ORDER BY seq LIMIT ?"
        )
        while rows := self._all(query, [seq, PAGE]):
            for row in rows:
                has_abstract = bool(row["has_abstract"])
                yield Outline(row["id"], row["name"], row["year"], has_abstract, row["abstract"])
            seq = rows[-1]["seq"]

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the title of every paper that has one."""
        seq = -1
        query = "SELECT seq, id, title FROM papers WHERE seq > ? ORDER BY seq LIMIT ?"
        while rows := self._all(query, [seq, PAGE]):
            yield from ((row["id"], row["title"]) for row in rows if row["title"])
            seq = rows[-1]["seq"]

    def textless(self) -> dict[str, str]:
        """Return the names of the papers without a passage, by id."""
        rows = self._all(
            "SELECT id, CASE title WHEN '' THEN handle ELSE title END AS name FROM papers "
            # the ids by themselves, so that an index answers and few rows are read
            "WHERE id IN (SELECT id FROM papers AS every "
            "WHERE NOT EXISTS (SELECT 1 FROM passages WHERE paper_id = every.id))"
        )
        return {row["id"]: row["name"] for row in rows}
