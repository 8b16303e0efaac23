"""The questions that can be put to a library; :mod:`assistant.library.store` answers them."""

# ruff: noqa: S608 - names of tables and columns are constants; values are always bound

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from typing import TYPE_CHECKING

from assistant.errors import LibraryError
from assistant.library import schema
from assistant.library.outlining import PAGE, Outlining
from assistant.library.schema import Entry, Place
from assistant.types import Filters, Paper, Passage, Record, Sentence

if TYPE_CHECKING:
    from assistant.library.choosing import Chooser

VERSION_KEY = "content_version"
_MOST_OF_A_KEY = 100


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds; ``collections`` counts papers by collection.

    ``references`` are the papers without an abstract.
    """

    papers: int
    passages: int
    sentences: int
    collections: dict[str, int]
    references: int = 0


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that papers came from: how many records it gave, and to how many papers."""

    file: str
    format: str
    collection: str
    records: int
    papers: int


class Reading(Outlining):
    """Everything of a store that only reads."""

    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]:
        """Return papers in order of import, or those of ``ids`` in that order; skip unknown ids."""
        if ids is None:
            rows = self._all(f"SELECT {schema.PAPER_COLUMNS} FROM papers ORDER BY seq")
        else:
            rows = self._by_ids(f"SELECT {schema.PAPER_COLUMNS} FROM papers WHERE id IN", ids)
        places = self._places([row["id"] for row in rows] if ids is not None else None)
        papers = [
            schema.paper_of(row, tuple(place.source for place in places.get(row["id"], ())))
            for row in rows
        ]
        if ids is None:
            return papers
        known = {paper.id: paper for paper in papers}
        return [known[id_] for id_ in ids if id_ in known]

    def paper(self, paper_id: str) -> Paper:
        """Return one paper; raise ``LibraryError`` where the library does not hold it."""
        found = self.papers([paper_id])
        if not found:
            raise LibraryError(
                f"The library holds no paper {paper_id}.", "See `assistant list` for what it holds."
            )
        return found[0]

    def paper_ids(self, filters: Filters | None = None) -> frozenset[str] | None:
        """Return the ids that ``filters`` let through; None where they restrict nothing."""
        if filters is None or filters == Filters():
            return None
        if not filters.paper_ids:
            return self._chooser.ids(filters)
        wanted = list(dict.fromkeys(filters.paper_ids))
        found = {row["id"] for row in self._by_ids("SELECT id FROM papers WHERE id IN", wanted)}
        if replace(filters, paper_ids=()) != Filters():
            found &= self._chooser.ids(filters)
        return frozenset(found)

    @cached_property
    def _chooser(self) -> Chooser:
        from assistant.library.choosing import Chooser  # numpy, which --help does without

        return Chooser(self._all, self.version)

    def sentences(self, paper_id: str) -> tuple[Sentence, ...]:
        """Return the sentences of a paper in order."""
        query = "SELECT * FROM sentences WHERE paper_id = ? ORDER BY position"
        return tuple(map(schema.sentence_of, self._all(query, [paper_id])))

    def sentences_of(self, ids: Sequence[str]) -> dict[str, tuple[Sentence, ...]]:
        """Return the sentences of several papers, in order."""
        found: dict[str, list[Sentence]] = {id_: [] for id_ in ids}
        for row in self._by_ids("SELECT * FROM sentences WHERE paper_id IN", ids):
            found[row["paper_id"]].append(schema.sentence_of(row))
        return {
            id_: tuple(sorted(items, key=lambda item: item.index)) for id_, items in found.items()
        }

    def titles_of(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return id and title of those of the papers that have one."""
        rows = self._by_ids("SELECT id, title FROM papers WHERE title != '' AND id IN", ids)
        return [(row["id"], row["title"]) for row in rows]

    def all_sentences(self) -> Iterator[Sentence]:
        """Yield all sentences, papers in order of import."""
        yield from map(schema.sentence_of, self._paged("sentences"))

    def passages(self, ids: Iterable[str] | None = None) -> Iterator[Passage]:
        """Yield all passages in order, or those of ``ids`` in that order; skip unknown ids."""
        if ids is None:
            yield from map(schema.passage_of, self._paged("passages"))
            return
        wanted = iter(ids)
        while chunk := list(islice(wanted, PAGE)):
            rows = self._by_ids("SELECT * FROM passages WHERE id IN", chunk)
            known = {row["id"]: schema.passage_of(row) for row in rows}
            yield from (known[id_] for id_ in chunk if id_ in known)

    def passage_ids(self) -> set[str]:
        """Return the ids of all passages."""
        return {row["id"] for row in self._all("SELECT id FROM passages")}

    def passages_of(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return (passage id, paper id) of the passages of these papers."""
        rows = self._by_ids("SELECT id, paper_id FROM passages WHERE paper_id IN", ids)
        return [(row["id"], row["paper_id"]) for row in rows]

    def counts(self) -> Counts:
        """Return how much the library holds."""
        one = [
            self._all(f"SELECT count(*) AS n FROM {table}")[0]["n"]
            for table in ("papers", "passages", "sentences")
        ]
        rows = self._all(
            "SELECT collection, count(DISTINCT paper_id) AS n FROM sources "
            "GROUP BY collection ORDER BY collection"
        )
        bare = self._all("SELECT count(*) AS n FROM papers WHERE abstract = ''")[0]["n"]
        return Counts(one[0], one[1], one[2], {row["collection"]: row["n"] for row in rows}, bare)

    def source_files(self) -> list[SourceFile]:
        """Return the files that papers came from, in order of import."""
        rows = self._all(
            "SELECT file, collection, min(format) AS format, count(*) AS records, "
            "count(DISTINCT paper_id) AS papers, min(seq) AS first "
            "FROM sources JOIN papers ON papers.id = paper_id "
            "GROUP BY file, collection ORDER BY first, file"
        )
        return [
            SourceFile(row["file"], row["format"], row["collection"], row["records"], row["papers"])
            for row in rows
        ]

    def papers_of(self, file: str) -> list[str]:
        """Return the ids of the papers that a file brought."""
        query = "SELECT DISTINCT paper_id FROM sources WHERE file = ? ORDER BY paper_id"
        return [row["paper_id"] for row in self._all(query, [file])]

    def collection_names(self) -> dict[str, str]:
        """Return the names that collections have now, by those that they came with."""
        return {row["original"]: row["name"] for row in self._all("SELECT * FROM collection_names")}

    def is_empty(self) -> bool:
        """Tell whether the library holds no paper."""
        return not self._all("SELECT 1 FROM papers LIMIT 1")

    def version(self) -> str:
        """Return a word that is the same for the same content, however it came to be."""
        return self.get_meta(VERSION_KEY) or f"{0:032x}"

    def get_meta(self, key: str) -> str:
        """Return a stored setting, or an empty string."""
        rows = self._all("SELECT value FROM meta WHERE key = ?", [key])
        return str(rows[0]["value"]) if rows else ""

    def check(self) -> list[str]:
        """Return what SQLite finds wrong with the file; an empty list for a sound one."""
        found = [str(row[0]) for row in self._all("PRAGMA integrity_check")]
        broken = [f"broken reference in {row[0]}" for row in self._all("PRAGMA foreign_key_check")]
        return [line for line in found if line != "ok"] + broken

    # Finding what a record may be

    def places(self, file: str, record_no: int) -> list[Place]:
        """Return the sources with this file name and record number."""
        query = "SELECT * FROM sources WHERE file = ? AND record_no = ? ORDER BY paper_id, position"
        return [_place(row) for row in self._all(query, [file, record_no])]

    def entry(self, paper_id: str) -> Entry:
        """Return a paper with everything that is stored of it."""
        paper = self.paper(paper_id)
        rows = self._all("SELECT * FROM passages WHERE paper_id = ? ORDER BY position", [paper_id])
        keys = self._all("SELECT key FROM keys WHERE seq = ? ORDER BY key", [self.seq(paper_id)])
        return Entry(
            paper,
            tuple(place.fingerprint for place in self._places([paper_id]).get(paper_id, ())),
            self.sentences(paper_id),
            tuple(map(schema.passage_of, rows)),
            self.records(paper_id),
            tuple(row["key"] for row in keys),
        )

    def records(self, paper_id: str) -> tuple[Record, ...]:
        """Return what each source of a paper said, in the order of ``paper.sources``."""
        paper = self.paper(paper_id)
        rows = self._all("SELECT * FROM sources WHERE paper_id = ? ORDER BY position", [paper_id])
        return tuple(schema.record_of(row, paper) for row in rows)

    def sharing(self, keys: Sequence[int], most: int = 20) -> list[str]:
        """Return the ids of papers that share these keys, those first that share rare ones.

        Of a key that very many have, such as a title that says nothing, only some are looked at.
        """
        if not keys:
            return []
        one = "SELECT * FROM (SELECT key, seq FROM keys WHERE key = ? ORDER BY seq LIMIT ?)"
        rows = self._all(
            " UNION ALL ".join([one] * len(keys)),
            [value for key in keys for value in (key, _MOST_OF_A_KEY)],
        )
        if not rows:
            return []
        often = Counter(row["key"] for row in rows)
        weights: dict[int, float] = {}
        for row in rows:
            weights[row["seq"]] = weights.get(row["seq"], 0.0) + 1 / often[row["key"]]
        best = sorted(weights, key=lambda seq: (-weights[seq], seq))[:most]
        known = self._all(f"SELECT seq, id FROM papers WHERE seq IN ({marks(best)})", best)
        ids = {row["seq"]: row["id"] for row in known}
        return [ids[seq] for seq in best]

    def titled(self, title: str, most: int = 20) -> list[str]:
        """Return the ids of papers with just this title, oldest first; looks at every paper."""
        query = "SELECT id FROM papers WHERE title = ? COLLATE NOCASE ORDER BY seq LIMIT ?"
        return [row["id"] for row in self._all(query, [title, most])]

    def resolve(self, paper_id: str) -> str:
        """Return the id that a paper has now; raise ``LibraryError`` where there is none.

        The id of a paper that was found to be another one goes on working.
        """
        if self.has_paper(paper_id):
            return paper_id
        rows = self._all("SELECT paper_id FROM aliases WHERE old_id = ?", [paper_id])
        return str(rows[0]["paper_id"]) if rows else self.paper(paper_id).id

    def ids_beginning(self, start: str, most: int = 20) -> list[str]:
        """Return the ids that begin so, oldest first."""
        query = "SELECT id FROM papers WHERE id >= ? AND id < ? ORDER BY seq LIMIT ?"
        return [row["id"] for row in self._all(query, [start, f"{start}\U0010ffff", most])]

    def seq(self, paper_id: str) -> int:
        """Return the place of a paper in the order of import."""
        return int(self._all("SELECT seq FROM papers WHERE id = ?", [paper_id])[0]["seq"])

    def has_paper(self, paper_id: str) -> bool:
        """Tell whether an id is taken."""
        return bool(self._all("SELECT 1 FROM papers WHERE id = ?", [paper_id]))

    # Rows

    def _by_ids(self, query: str, ids: Sequence[str]) -> list[sqlite3.Row]:
        rows: list[sqlite3.Row] = []
        for start in range(0, len(ids), PAGE):
            chunk = ids[start : start + PAGE]
            rows += self._all(f"{query} ({marks(chunk)})", chunk)
        return rows

    def _paged(self, table: str) -> Iterator[sqlite3.Row]:
        """Yield the rows of all papers, some papers at a time so that no lock is held long."""
        seq = -1
        while True:
            query = "SELECT seq FROM papers WHERE seq > ? ORDER BY seq LIMIT ?"
            rows = self._all(query, [seq, PAGE])
            if not rows:
                return
            last = rows[-1]["seq"]
            yield from self._all(
                f"SELECT part.* FROM papers JOIN {table} AS part ON part.paper_id = papers.id "
                "WHERE seq > ? AND seq <= ? ORDER BY seq, position",
                [seq, last],
            )
            seq = last

    def _places(self, ids: Sequence[str] | None) -> dict[str, list[Place]]:
        if ids is None:
            rows = self._all("SELECT * FROM sources ORDER BY paper_id, position")
        else:
            rows = self._by_ids("SELECT * FROM sources WHERE paper_id IN", ids)
            rows.sort(key=lambda row: (row["paper_id"], row["position"]))
        grouped = groupby(map(_place, rows), key=lambda place: place.paper_id)
        return {paper_id: list(places) for paper_id, places in grouped}


def _place(row: sqlite3.Row) -> Place:
    return Place(row["paper_id"], schema.source_of(row), row["fingerprint"])


def marks(values: Iterable[object]) -> str:
    """Return as many question marks as there are values to bind."""
    return ", ".join("?" for _ in values)
