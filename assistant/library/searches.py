"""Searches that a reader keeps: an idea under a name, and how far the library was looked through.

An idea is kept as JSON. ``seen`` is the place in the order of import of the newest paper that was
there when the search was last looked at; places are never given twice.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from assistant.errors import LibraryError
from assistant.types import Filters, Idea, SavedSearch

MOST_OF_A_NAME = 100


class Searches(ABC):
    """The part of a store that keeps searches."""

    @abstractmethod
    def _all(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""

    @abstractmethod
    def _write(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows in the transaction under way."""

    @abstractmethod
    def _must_be_writing(self) -> None:
        """Raise where no transaction is under way."""

    def searches(self) -> list[SavedSearch]:
        """Return the kept searches by name, without counting what is new."""
        rows = self._all("SELECT name, idea, saved_on FROM searches ORDER BY name")
        return [_search_of(row) for row in rows]

    def search(self, name: str) -> SavedSearch:
        """Return a kept search; raise ``LibraryError`` where there is none of this name."""
        rows = self._all("SELECT name, idea, saved_on FROM searches WHERE name = ?", [name])
        if not rows:
            raise LibraryError(
                f"There is no saved search {name!r}.", "See `assistant searches` for their names."
            )
        return _search_of(rows[0])

    def keep_search(self, search: SavedSearch) -> None:
        """Keep a search; what the library holds now counts as seen.

        Raise ``LibraryError`` for a name that is empty, too long or of another search.
        """
        self._must_be_writing()
        _refuse_name(search.name)
        idea = _text_of(replace(search.idea, offset=0))
        rows = self._all("SELECT idea FROM searches WHERE name = ?", [search.name])
        if rows and rows[0]["idea"] == idea:
            return
        if rows:
            raise LibraryError(
                f"Another search is saved as {search.name!r}.",
                f"Choose another name, or forget it: assistant searches --forget {search.name!r}",
            )
        values = (search.name, idea, search.saved_on, self.newest())
        self._write("INSERT INTO searches VALUES (?, ?, ?, ?)", [values])

    def forget_search(self, name: str) -> None:
        """Forget a search; raise ``LibraryError`` where there is none of this name."""
        self._must_be_writing()
        self._write("DELETE FROM searches WHERE name = ?", [(self.search(name).name,)])

    def _rename_in_searches(self, old: str, new: str) -> None:
        """Let the searches of a collection follow it to its new name."""
        for search in self.searches():
            filters = search.idea.filters
            if filters is None or old not in filters.collections:
                continue
            names = tuple(new if name == old else name for name in filters.collections)
            idea = replace(search.idea, filters=replace(filters, collections=names))
            values = (_text_of(idea), search.name)
            self._write("UPDATE searches SET idea = ? WHERE name = ?", [values])

    def note_seen(self, name: str, newest: int) -> None:
        """Remember that a search was looked at, when ``newest`` was the newest paper's place."""
        self._must_be_writing()
        self._write("UPDATE searches SET seen = max(seen, ?) WHERE name = ?", [(newest, name)])

    def newest(self) -> int:
        """Return the place of the newest paper in the order of import, 0 where there is none."""
        return int(self._all("SELECT coalesce(max(seq), 0) AS n FROM papers")[0]["n"])

    def unseen(self, name: str) -> list[str]:
        """Return the ids of the papers that came since a search was last looked at."""
        query = (
            "SELECT papers.id FROM papers JOIN searches ON papers.seq > searches.seen "
            "WHERE searches.name = ? ORDER BY papers.seq"
        )
        return [row["id"] for row in self._all(query, [name])]


def _refuse_name(name: str) -> None:
    hint = "Give it a name of a word or a few."
    if not name.strip():
        raise LibraryError("A saved search needs a name.", hint)
    if len(name) > MOST_OF_A_NAME:
        raise LibraryError(
            f"The name of a saved search has {MOST_OF_A_NAME} characters at most.", hint
        )


def _text_of(idea: Idea) -> str:
    return json.dumps(asdict(idea), ensure_ascii=False)


def _search_of(row: sqlite3.Row) -> SavedSearch:
    return SavedSearch(row["name"], _idea_of(json.loads(row["idea"])), row["saved_on"])


def _idea_of(said: dict[str, Any]) -> Idea:
    filters = said.pop("filters")
    return Idea(**_tuples(said), filters=Filters(**_tuples(filters)) if filters else None)


def _tuples(said: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with tuples for the lists that JSON makes of them."""
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
    }
