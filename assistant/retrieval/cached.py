"""Vectors kept from one measurement to the next, by embedder and text.

A cache and nothing more: one that is broken is thrown away, one that cannot be written is done
without, and neither is an error. Every vector carries a checksum, and SQLite keeps what a killed
process had not finished out of the file.
"""

from __future__ import annotations

import hashlib
import logging
import re
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from assistant.retrieval.ports import Embedder, Vectors

_SCHEME = "1"
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
_ASKED_AT_ONCE = 500
_PATIENCE = 5.0  # seconds to wait for another process
_SUM = 4  # bytes
# The file is sound, and the system or another process is in the way.
_IN_THE_WAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)

logger = logging.getLogger(__name__)
T = TypeVar("T")


class CachedEmbedder:
    """An embedder that keeps what it has embedded in a folder; safe to share between threads."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        """Take the folder above all embedders' files; nothing is created before it is needed."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "_", inner.name)
        tag = hashlib.sha256(inner.name.encode()).hexdigest()[:6]
        self._inner = inner
        self._file = folder / f"{slug[-80:]}-{tag}-v{_SCHEME}.sqlite3"
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._seconds = 0.0

    @property
    def name(self) -> str:
        """Return the name that stamps an index."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        """Return the most tokens of one text that are not cut off, special tokens excluded."""
        return self._inner.max_tokens

    @property
    def seconds(self) -> float:
        """Return the time that was spent embedding, and not looking up."""
        return self._seconds

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of ``text``, special tokens excluded."""
        return self._inner.count_tokens(text)

    def knows(self, word: str) -> bool:
        """Tell whether a word is common enough to be one token."""
        return self._inner.knows(word)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32; embed what is new."""
        return self._embedded("document", texts, self._inner.embed_documents)

    def embed_query(self, text: str) -> Vectors:
        """Return one unit vector, shape ``(dimension,)``, float32; embed it if it is new."""
        vector: Vectors = self.embed_queries([text])[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several queries, shape ``(len(texts), dimension)``, float32."""
        return self._embedded("query", texts, self._inner.embed_queries)

    def _embedded(
        self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        keys = [_key(kind, text) for text in texts]
        found = self._stored(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            with self._timed():
                vectors = embed(list(new.values()))
            made = dict(zip(new, vectors, strict=True))
            self._keep(made)
            found |= made
        rows = [found[key] for key in keys]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def close(self) -> None:
        """Close the file; it is opened again where that is needed."""
        with self._lock:
            self._close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        started = time.perf_counter()
        yield
        with self._lock:
            self._seconds += time.perf_counter() - started

    def _stored(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Return the sound vectors that are kept for these keys."""

        def ask(connection: sqlite3.Connection) -> list[tuple[bytes, object]]:
            rows = []
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                some = keys[start : start + _ASKED_AT_ONCE]
                marks = ", ".join("?" for _ in some)
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                rows += connection.execute(query, some).fetchall()
            return rows

        nothing: list[tuple[bytes, object]] = []
        rows = self._try(ask, nothing)
        read = ((key, _unpacked(blob, self.dimension)) for key, blob in rows)
        return {key: vector for key, vector in read if vector is not None}

    def _keep(self, vectors: Mapping[bytes, Vectors]) -> None:
        rows = [(key, _packed(vector)) for key, vector in vectors.items()]

        def write(connection: sqlite3.Connection) -> None:
            with connection:  # all or nothing
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

        self._try(write, None)

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do something with the file, once more with a new one if it is broken, or go without."""
        with self._lock:
            for _ in range(2):
                try:
                    return work(self._connection())
                except (sqlite3.Error, OSError) as error:
                    logger.info("kept vectors %s: %s", self._file, error)
                    self._close()
                    if _in_the_way(error) or not self._thrown_away():
                        break
        return otherwise

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            # the lock keeps threads apart
            self._open = sqlite3.connect(self._file, timeout=_PATIENCE, check_same_thread=False)
            self._open.execute("PRAGMA journal_mode = WAL")
            self._open.execute("PRAGMA synchronous = NORMAL")
            self._open.execute(_TABLE)
        return self._open

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _thrown_away(self) -> bool:
        try:
            for ending in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + ending).unlink(missing_ok=True)
        except OSError as error:
            logger.info("kept vectors %s cannot be thrown away: %s", self._file, error)
            return False
        return True


def _in_the_way(error: sqlite3.Error | OSError) -> bool:
    """Tell whether the file itself is sound, as far as an error says."""
    if isinstance(error, OSError):
        return True
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _IN_THE_WAY


def _key(kind: str, text: str) -> bytes:
    """Return what a text is kept under; a query and a document may have different prefixes."""
    return hashlib.sha256(f"{kind}\n{text}".encode("utf-8", "surrogatepass")).digest()


def _packed(vector: Vectors) -> bytes:
    data = np.asarray(vector, dtype="<f4").tobytes()
    return data + zlib.crc32(data).to_bytes(_SUM, "little")


def _unpacked(blob: object, dimension: int) -> Vectors | None:
    """Return the vector in a blob, or None where it is not sound or of another length."""
    if not isinstance(blob, bytes) or len(blob) != 4 * dimension + _SUM:
        return None
    data = blob[:-_SUM]
    if zlib.crc32(data).to_bytes(_SUM, "little") != blob[-_SUM:]:
        return None
    return np.frombuffer(data, dtype="<f4").astype(np.float32)
