"""The library's truth: papers, sentences and passages in one SQLite file.

Readers share one connection under a lock, the writer has its own; what is being written is
seen by others when its transaction ends. Everything else (vectors, keywords) is made from here.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from types import TracebackType
from typing import Any

from assistant.errors import LibraryError
from assistant.library import schema
from assistant.library.connections import FILE, connect, prepare, spoken
from assistant.library.schema import Entry, Place
from assistant.types import Filters, Paper, Passage, Sentence

_PAGE = 500
_MODULUS = 1 << 128
_VERSION_KEY = "content_version"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds; ``collections`` counts papers by collection."""

    papers: int
    passages: int
    sentences: int
    collections: dict[str, int]


class Store:
    """An open library; safe for many reading threads and one writing thread at a time."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._reading = threading.RLock()
        self._writing = threading.Lock()
        self._writer_thread: int | None = None
        with spoken(path):
            self._reader = connect(path)
            try:
                prepare(self._reader)
                # a library in memory lives in one connection
                self._writer = connect(path) if path else self._reader
            except BaseException:
                self._reader.close()
                raise

    @classmethod
    def open(cls, data_dir: Path, *, create: bool) -> Store:
        """Open the library in a folder; raise ``LibraryError`` if it is missing or unusable."""
        path = data_dir / FILE
        if not create and not path.is_file():
            raise LibraryError(
                f"There is no library in {data_dir} yet.",
                "Import some abstracts first: `assistant ingest FILE`.",
            )
        if create:
            with spoken(path):
                data_dir.mkdir(parents=True, exist_ok=True)
        return cls(path)

    @classmethod
    def in_memory(cls) -> Store:
        """Return an empty library that leaves nothing behind."""
        return cls(None)

    def close(self) -> None:
        """Close the library; it is not usable afterwards."""
        with self._writing, self._reading:
            self._writer.close()
            self._reader.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Reading

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

    def paper_ids(self, filters: Filters | None = None) -> set[str] | None:
        """Return the ids that ``filters`` let through; None where they restrict nothing."""
        if filters is None or filters == Filters():
            return None
        clauses: list[str] = []
        values: list[Any] = []
        if filters.collections:
            marks = _marks(filters.collections)
            clauses.append(f"id IN (SELECT paper_id FROM sources WHERE collection IN ({marks}))")
            values += filters.collections
        if filters.year_from is not None:
            clauses.append("year >= ?")
            values.append(filters.year_from)
        if filters.year_to is not None:
            clauses.append("year <= ?")
            values.append(filters.year_to)
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        found = {row["id"] for row in self._all(f"SELECT id FROM papers{where}", values)}
        return found & set(filters.paper_ids) if filters.paper_ids else found

    def sentences(self, paper_id: str) -> tuple[Sentence, ...]:
        """Return the sentences of a paper in order."""
        query = "SELECT * FROM sentences WHERE paper_id = ? ORDER BY position"
        return tuple(map(schema.sentence_of, self._all(query, [paper_id])))

    def all_sentences(self) -> Iterator[Sentence]:
        """Yield all sentences, papers in order of import."""
        yield from map(schema.sentence_of, self._paged("sentences"))

    def passages(self, ids: Iterable[str] | None = None) -> Iterator[Passage]:
        """Yield all passages in order, or those of ``ids`` in that order; skip unknown ids."""
        if ids is None:
            yield from map(schema.passage_of, self._paged("passages"))
            return
        wanted = iter(ids)
        while chunk := list(islice(wanted, _PAGE)):
            rows = self._by_ids("SELECT * FROM passages WHERE id IN", chunk)
            known = {row["id"]: schema.passage_of(row) for row in rows}
            yield from (known[id_] for id_ in chunk if id_ in known)

    def passage_ids(self) -> set[str]:
        """Return the ids of all passages."""
        return {row["id"] for row in self._all("SELECT id FROM passages")}

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
        return Counts(one[0], one[1], one[2], {row["collection"]: row["n"] for row in rows})

    def version(self) -> str:
        """Return a word that is the same for the same content, however it came to be."""
        return self.get_meta(_VERSION_KEY) or f"{0:032x}"

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
        key = self._all("SELECT text_key FROM papers WHERE id = ?", [paper_id])[0]["text_key"]
        rows = self._all("SELECT * FROM passages WHERE paper_id = ? ORDER BY position", [paper_id])
        return Entry(
            paper,
            key,
            tuple(place.fingerprint for place in self._places([paper_id]).get(paper_id, ())),
            self.sentences(paper_id),
            tuple(map(schema.passage_of, rows)),
        )

    def find_text(self, text_key: bytes) -> str:
        """Return the id of the paper with this text, or an empty string."""
        rows = self._all("SELECT id FROM papers WHERE text_key = ?", [text_key])
        return str(rows[0]["id"]) if rows else ""

    def find_doi(self, doi: str) -> str:
        """Return the id of the first paper with this DOI, or an empty string."""
        query = "SELECT id FROM papers WHERE doi = ? AND doi <> '' ORDER BY seq LIMIT 1"
        rows = self._all(query, [doi])
        return str(rows[0]["id"]) if rows else ""

    def has_paper(self, paper_id: str) -> bool:
        """Tell whether an id is taken."""
        return bool(self._all("SELECT 1 FROM papers WHERE id = ?", [paper_id]))

    # Writing

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        """Write all or nothing; with ``keep`` false, nothing in any case (a rehearsal).

        Raise ``LibraryBusy`` where another process is writing.
        """
        if self._writer_thread == threading.get_ident():
            raise RuntimeError("transactions do not nest")
        with self._writing, spoken(self.path):
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer_thread = threading.get_ident()
            done = False
            try:
                yield
                done = keep
            finally:
                self._writer_thread = None
                self._end(commit=done)

    def _end(self, *, commit: bool) -> None:
        try:
            if commit:
                self._writer.execute("COMMIT")
        finally:
            # SQLite itself rolls back after some errors, such as a full disk
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")

    def save(self, entry: Entry) -> None:
        """Store a paper, or put it in place of the one with its id."""
        self._must_be_writing()
        paper = entry.paper
        old = self._all("SELECT digest FROM papers WHERE id = ?", [paper.id])
        new = schema.digest(entry)
        if old and old[0]["digest"] == new:
            return
        columns = f"{schema.PAPER_COLUMNS}, text_key, digest"
        names = columns.split(", ")
        updates = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        self._write(
            f"INSERT INTO papers ({columns}) VALUES ({_marks(names)}) "
            f"ON CONFLICT (id) DO UPDATE SET {updates}",
            [(*schema.paper_row(paper), entry.text_key, new)],
        )
        self._rewrite_parts(entry)
        self._bump(-_number(old[0]["digest"]) if old else 0, _number(new))

    def delete(self, paper_id: str) -> None:
        """Forget a paper with all that belongs to it."""
        self._must_be_writing()
        old = self._all("SELECT digest FROM papers WHERE id = ?", [paper_id])
        if old:
            self._write("DELETE FROM papers WHERE id = ?", [(paper_id,)])
            self._bump(-_number(old[0]["digest"]))

    def set_meta(self, key: str, value: str) -> None:
        """Store a setting."""
        self._must_be_writing()
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, value)])

    def _rewrite_parts(self, entry: Entry) -> None:
        id_ = entry.paper.id
        for table in ("sources", "sentences", "passages"):
            self._write(f"DELETE FROM {table} WHERE paper_id = ?", [(id_,)])
        self._write(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    id_,
                    position,
                    source.file,
                    source.record_no,
                    source.format,
                    source.collection,
                    mark,
                )
                for position, (source, mark) in enumerate(
                    zip(entry.paper.sources, entry.fingerprints, strict=True)
                )
            ],
        )
        self._write(
            "INSERT INTO sentences VALUES (?, ?, ?, ?, ?)",
            [(id_, item.index, item.start, item.end, item.text) for item in entry.sentences],
        )
        self._write(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)",
            [
                (id_, position, item.id, item.start, item.end, item.text)
                for position, item in enumerate(entry.passages)
            ],
        )

    def _bump(self, *changes: int) -> None:
        # a sum of digests does not depend on the order in which papers came
        total = (int(self.version(), 16) + sum(changes)) % _MODULUS
        self.set_meta(_VERSION_KEY, f"{total:032x}")

    # The connections

    def _must_be_writing(self) -> None:
        if self._writer_thread != threading.get_ident():
            raise RuntimeError("writing needs a transaction")

    def _write(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        self._writer.executemany(query, rows)

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        if self._writer_thread == threading.get_ident():
            return self._writer.execute(query, values).fetchall()
        with self._reading, spoken(self.path):
            return self._reader.execute(query, values).fetchall()

    def _by_ids(self, query: str, ids: Sequence[str]) -> list[sqlite3.Row]:
        rows: list[sqlite3.Row] = []
        for start in range(0, len(ids), _PAGE):
            chunk = ids[start : start + _PAGE]
            rows += self._all(f"{query} ({_marks(chunk)})", chunk)
        return rows

    def _paged(self, table: str) -> Iterator[sqlite3.Row]:
        """Yield the rows of all papers, some papers at a time so that no lock is held long."""
        seq = -1
        while True:
            query = "SELECT seq FROM papers WHERE seq > ? ORDER BY seq LIMIT ?"
            rows = self._all(query, [seq, _PAGE])
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


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "big")
