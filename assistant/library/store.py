"""The library's truth: papers, sentences and passages in one SQLite file.

Readers share one connection under a lock, the writer has its own; what is being written is
seen by others when its transaction ends. Everything else (vectors, keywords) is made from here.
"""

# ruff: noqa: S608 - names of tables and columns are constants; values are always bound

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from assistant.errors import LibraryError
from assistant.library import schema
from assistant.library.connections import FILE, connect, prepare, spoken
from assistant.library.reading import VERSION_KEY, Counts, Reading, marks
from assistant.library.schema import Entry
from assistant.library.searches import Searches

__all__ = ["Counts", "Store"]

_MODULUS = 1 << 128
_COLUMNS = (*schema.PAPER_COLUMNS.split(", "), "digest")
_INSERT = f"INSERT INTO papers ({', '.join(_COLUMNS)}) VALUES ({marks(_COLUMNS)})"
_UPDATE = f"UPDATE papers SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE id = ?"


class Store(Reading, Searches):
    """An open library; safe for many reading threads and one writing thread at a time."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._reading = threading.RLock()
        self._writing = threading.Lock()
        self._writer_thread: int | None = None
        self._change = 0  # of the version, by what this transaction has written so far
        with spoken(path):
            self._reader = connect(path)
            try:
                prepare(self._reader, path)
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

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
            self._change = 0
            done = False
            try:
                yield
                self._note_change()
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
        values = schema.paper_row(entry.paper)
        new = schema.digest(entry)
        old = self._all("SELECT seq, digest FROM papers WHERE id = ?", [entry.paper.id])
        if not old:
            seq = self._writer.execute(_INSERT, [*values, new]).lastrowid
            assert seq is not None
            self._change += _number(new)
        elif old[0]["digest"] != new:
            seq = old[0]["seq"]
            self._write(_UPDATE, [(*values, new, entry.paper.id)])
            self._forget_parts(entry.paper.id, seq)
            self._change += _number(new) - _number(old[0]["digest"])
        else:
            return
        self._write_parts(entry, seq)

    def delete(self, paper_id: str) -> None:
        """Forget a paper with all that belongs to it."""
        self._must_be_writing()
        old = self._all("SELECT digest FROM papers WHERE id = ?", [paper_id])
        if old:
            self._write("DELETE FROM papers WHERE id = ?", [(paper_id,)])
            self._change -= _number(old[0]["digest"])

    def remove(self, paper_ids: Collection[str]) -> int:
        """Forget papers; return how many of the ids there were."""
        known = [id_ for id_ in dict.fromkeys(paper_ids) if self.has_paper(id_)]
        for paper_id in known:
            self.delete(paper_id)
        return len(known)

    def join(self, paper_id: str, other_id: str) -> None:
        """Let ``other_id`` stand for ``paper_id`` from now on; its own paper is forgotten."""
        self._must_be_writing()
        self._write("UPDATE aliases SET paper_id = ? WHERE paper_id = ?", [(paper_id, other_id)])
        self.delete(other_id)
        self._write("INSERT OR REPLACE INTO aliases VALUES (?, ?)", [(other_id, paper_id)])

    def rename_collection(self, old: str, new: str) -> int:
        """Give a collection another name, also for what is imported later; return its papers.

        Raise ``LibraryError`` where there is no such collection.
        """
        self._must_be_writing()
        rows = self._all("SELECT DISTINCT paper_id FROM sources WHERE collection = ?", [old])
        if not rows:
            raise LibraryError(
                f"There is no collection {old!r}.", "See `assistant collections` for their names."
            )
        for row in rows:
            self.save(schema.with_collection(self.entry(row["paper_id"]), old, new))
        self._write("UPDATE collection_names SET name = ? WHERE name = ?", [(new, old)])
        self._rename_in_searches(old, new)
        return len(rows)

    def note_collection(self, name: str) -> None:
        """Remember a collection by the name that it comes with, as long as it is not renamed."""
        self._must_be_writing()
        self._write("INSERT OR IGNORE INTO collection_names VALUES (?, ?)", [(name, name)])

    def set_meta(self, key: str, value: str) -> None:
        """Store a setting."""
        self._must_be_writing()
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, value)])

    def _forget_parts(self, id_: str, seq: int) -> None:
        for table in ("sources", "sentences", "passages"):
            self._write(f"DELETE FROM {table} WHERE paper_id = ?", [(id_,)])
        self._write("DELETE FROM keys WHERE seq = ?", [(seq,)])

    def _write_parts(self, entry: Entry, seq: int) -> None:
        id_ = entry.paper.id
        self._write(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (id_, position, *schema.source_row(source), mark, said)
                for position, (source, mark, said) in enumerate(
                    zip(
                        entry.paper.sources,
                        entry.fingerprints,
                        schema.record_rows(entry),
                        strict=True,
                    )
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
        self._write("INSERT INTO keys VALUES (?, ?)", [(key, seq) for key in entry.keys])

    def version(self) -> str:
        """Return a word that is the same for the same content, however it came to be."""
        if self._writer_thread == threading.get_ident():
            self._note_change()
        return super().version()

    def _note_change(self) -> None:
        """Bring the stored version up to what was written in this transaction."""
        if change := self._change:
            self._change = 0
            # a sum of digests does not depend on the order in which papers came
            total = (int(super().version(), 16) + change) % _MODULUS
            self.set_meta(VERSION_KEY, f"{total:032x}")

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


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "big")
