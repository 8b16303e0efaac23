"""A vector for every sentence, made once and kept by the sentence's text.

Two append-only files in a folder named after the embedder: ``vectors`` holds rows of int8, ``rows``
holds for each of them the digest of its text, the scale that undoes the rounding, and a checksum.
``rows`` is written last, so a row that it names is whole; what a killed process left beyond is
cut off at the next append. Rounding to int8 moves a cosine by less than 0.01.
It never forgets a sentence: the same text imported again costs nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assistant.errors import DerivedIndexError
from assistant.retrieval.locks import exclusive
from assistant.retrieval.ports import Embedder, Vectors
from assistant.types import Sentence

SCHEME = "1"

_DIGEST = 16  # bytes
_ROW = np.dtype([("digest", "V16"), ("scale", "<f4"), ("sum", "<u4")])
_BATCH = 256
_CHUNK = 20_000  # sentences looked up at once
_REINDEX = "Run `assistant reindex`."

Progress = Callable[[str, int, int], None]


class SentenceVectors:
    """Sentence vectors of one embedder, memory-mapped."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        """Take the folder above all embedders' folders; nothing is created before it is needed."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "_", embedder.name)
        tag = hashlib.sha256(embedder.name.encode()).hexdigest()[:6]
        self._folder = folder / f"{slug}-{tag}-v{SCHEME}"
        self._root = folder
        self._embedder = embedder
        self._lock = threading.RLock()  # over the fields below, held briefly
        self._writing = threading.RLock()  # over the files, held for as long as the embedding takes
        self._held = False
        self._rows: npt.NDArray[Any] = np.zeros(0, dtype=_ROW)
        self._order: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._keys: npt.NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._matrix: npt.NDArray[np.int8] | None = None
        self._unstored: dict[bytes, Vectors] = {}
        self._seen = (0, 0)
        self._stamp = self._folder / "settled"

    def get(self, sentences: Sequence[Sentence]) -> Vectors:
        """Return unit vectors, shape ``(len(sentences), dimension)``, float32.

        Sentences not seen before are embedded; only :meth:`ensure` writes them down.
        """
        out = np.zeros((len(sentences), self._embedder.dimension), dtype=np.float32)
        digests = [_digest(sentence.text) for sentence in sentences]
        with self._lock:
            self._refresh_if_missing(digests)
            places = self._find(digests)
            missing = self._read_into(out, digests, places)
            new = [i for i in missing if digests[i] not in self._unstored]
            if new:
                vectors = self._embedder.embed_documents([sentences[i].text for i in new])
                self._unstored.update(zip((digests[i] for i in new), vectors, strict=True))
            for i in missing:
                out[i] = self._unstored[digests[i]]
        return out

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other processes from writing; may be held several times by the one who holds it."""
        with self._writing:
            if self._held:
                yield
                return
            with exclusive(self._root / "writing.lock"):
                self._held = True
                try:
                    yield
                finally:
                    self._held = False

    def ensure(self, sentences: Iterable[Sentence], on_progress: Progress | None = None) -> int:
        """Embed and store those of ``sentences`` that are new; return how many those were."""
        made = 0
        stream = iter(sentences)
        with self.exclusive():
            while chunk := list(islice(stream, _CHUNK)):
                with self._lock:
                    self._load()
                    new = self._new_texts(chunk)
                for start in range(0, len(new), _BATCH):
                    texts = new[start : start + _BATCH]
                    vectors = self._embedder.embed_documents(texts)
                    with self._lock:
                        self._append(texts, vectors)
                    made += len(texts)
                    if on_progress:
                        on_progress("sentences", start + len(texts), len(new))
        return made

    def missing(self, sentences: Iterable[Sentence]) -> int:
        """Return how many distinct texts of ``sentences`` have no stored vector."""
        digests = {_digest(sentence.text) for sentence in sentences}
        with self._lock:
            self._load()
            return int((self._find(list(digests)) < 0).sum())

    def settled(self) -> str:
        """Return what :meth:`settle` was last told, or an empty text if rows were lost since."""
        with self._lock:
            self._load()
            try:
                word, count = self._stamp.read_text(encoding="utf-8").split()
            except (OSError, ValueError):  # never told, or killed amid the telling
                return ""
            return word if int(count) <= len(self._rows) else ""

    def settle(self, word: str) -> None:
        """Note that everything that ``word`` stands for has its vectors."""
        with self.exclusive(), self._lock:
            if self._folder.is_dir():
                self._stamp.write_text(f"{word} {len(self._rows)}", encoding="utf-8")

    def clear(self) -> None:
        """Forget the vectors of this embedder."""
        with self.exclusive(), self._lock:
            self._matrix = None
            self._unstored.clear()
            if self._folder.exists():
                shutil.rmtree(self._folder)
            self._load()

    def _new_texts(self, sentences: Sequence[Sentence]) -> list[str]:
        texts = {_digest(sentence.text): sentence.text for sentence in sentences}
        digests = list(texts)
        places = self._find(digests)
        probe = np.zeros((len(digests), self._embedder.dimension), dtype=np.float32)
        return [texts[digests[i]] for i in self._read_into(probe, digests, places)]

    def _find(self, digests: Sequence[bytes]) -> npt.NDArray[np.int64]:
        """Return the row of each digest, -1 where there is none."""
        if not len(self._keys):
            return np.full(len(digests), -1, dtype=np.int64)
        wanted = np.frombuffer(b"".join(d[:8] for d in digests), dtype="<u8")
        # The last of equal keys is the newest: it mends a row that was found damaged.
        at = np.searchsorted(self._keys, wanted, side="right") - 1
        found = (at >= 0) & (self._keys[np.maximum(at, 0)] == wanted)
        return np.where(found, self._order[np.maximum(at, 0)], -1)

    def _read_into(
        self, out: Vectors, digests: Sequence[bytes], places: npt.NDArray[np.int64]
    ) -> list[int]:
        """Fill ``out`` from the files; return the positions that are not there or damaged."""
        if self._matrix is None or not len(places):
            return list(range(len(places)))
        known = np.maximum(places, 0)
        rows, raw = self._rows[known], self._matrix[known]
        here = np.frombuffer(rows["digest"].tobytes(), dtype=np.uint8).reshape(-1, _DIGEST)
        wanted = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, _DIGEST)
        sums = np.fromiter(map(zlib.crc32, raw), dtype=np.uint32, count=len(raw))
        whole = (places >= 0) & (here == wanted).all(axis=1) & (sums == rows["sum"])
        missing: list[int] = np.flatnonzero(~whole).tolist()
        out[:] = raw * rows["scale"][:, None]
        out[missing] = 0.0
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return missing

    def _refresh_if_missing(self, digests: Sequence[bytes]) -> None:
        """Look at the files again when they cannot answer: another process may have appended."""
        if len(digests) and (self._find(digests) < 0).any():
            self._load()

    def _load(self) -> None:
        """Take up the files as they are now, if they are not those taken up before."""
        rows_file, vectors_file = self._folder / "rows", self._folder / "vectors"
        dimension = self._embedder.dimension
        try:
            count, seen = 0, (0, 0)
            if rows_file.is_file() and vectors_file.is_file():
                rows, vectors = rows_file.stat(), vectors_file.stat()
                count = min(rows.st_size // _ROW.itemsize, vectors.st_size // dimension)
                seen = (rows.st_ino, count)
            if seen == self._seen and (count == 0 or self._matrix is not None):
                return
            self._rows, self._matrix, self._seen = np.zeros(0, dtype=_ROW), None, seen
            if count:
                shape = (count, dimension)
                self._rows = np.fromfile(rows_file, dtype=_ROW, count=count)
                self._matrix = np.asarray(np.memmap(vectors_file, np.int8, "r", shape=shape))
        except (OSError, ValueError) as error:
            raise DerivedIndexError(
                f"The sentence vectors cannot be read: {error}", _REINDEX
            ) from error
        keys = np.frombuffer(self._rows["digest"].tobytes(), dtype="<u8")[::2]
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def _append(self, texts: Sequence[str], vectors: Vectors) -> None:
        whole = len(self._rows)
        scales = np.maximum(np.abs(vectors).max(axis=1), np.float32(1e-9)) / np.float32(127)
        rounded = np.rint(vectors / scales[:, None]).astype(np.int8)
        rows = np.zeros(len(texts), dtype=_ROW)
        rows["digest"] = np.array([_digest(text) for text in texts], dtype="V16")
        rows["scale"] = scales
        rows["sum"] = [zlib.crc32(row.tobytes()) for row in rounded]
        self._folder.mkdir(parents=True, exist_ok=True)
        # On some systems a mapped file cannot be cut: let go of it first.
        self._matrix = None
        _write_at(self._folder / "vectors", whole * self._embedder.dimension, rounded.tobytes())
        _write_at(self._folder / "rows", whole * _ROW.itemsize, rows.tobytes())
        self._load()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_DIGEST]


def _write_at(file: Path, offset: int, data: bytes) -> None:
    """Write ``data`` at ``offset``, cut off what lies beyond, and wait until it is on the disk."""
    with file.open("r+b" if file.exists() else "w+b") as handle:
        handle.truncate(offset)
        handle.seek(offset)
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
