"""The vector index: Chroma in a folder, with our own embeddings.

Chroma keeps its client for a path for as long as the process lives, also when the path is broken,
and a process does not see in its graph what another has written. So each rebuilt index gets a
numbered folder of its own, and a stamp beside it tells readers when to open again.
It does not embed and does not hold text: ids, paper ids and vectors only.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from assistant.errors import DerivedIndexError
from assistant.retrieval.graph_files import broken_graph
from assistant.retrieval.ports import Vectors, paper_of
from assistant.types import Passage

SCHEME = "1"  # goes up when the layout changes, so that an older index is built again

_COLLECTION = "passages"
_REINDEX = "Run `assistant reindex`."
# Recall of the exact ten nearest by benchmarks/vector_recall.py: 0.9985 at 10,000 and at 100,000.
# Twice the neighbours and construction bring 0.9995, but at 100,000 took 268 s to build, not 135.
_HNSW = {"space": "cosine", "ef_construction": 100, "ef_search": 200, "max_neighbors": 16}
# What a filter lets through is listed, unless so many nearest ones hold enough of it. Chroma's own
# filter by metadata takes three times as long.
_MOST_SIFTED = 2_000
_FEW = 400  # passages that are compared one by one: the graph is slow to find so few among many

T = TypeVar("T")


class ChromaVectorStore:
    """Nearest passages by cosine, persistent; the folder is made at the first write."""

    def __init__(self, path: Path, embedder_name: str, dimension: int) -> None:
        """Take the folder and the stamp that its vectors must carry."""
        self._path = path
        self._stamp = {"embedder": embedder_name, "dimension": dimension, "scheme": SCHEME}
        self._lock = threading.RLock()
        self._client: Any = None
        self._collection: Any = None
        self._seen = ""
        self._passages: dict[str, list[str]] | None = None  # ids by paper, once asked for
        self._last: tuple[frozenset[str] | None, list[str]] = (None, [])

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        with self._lock:
            collection = self._open()
            if collection is None:
                return set()
            return set(self._ask(lambda c: c.get(include=[])["ids"]))

    def add(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Store passages with their vectors; replace those whose id is known."""
        if not passages:
            return
        with self._lock:
            self._open(create=True)
            step = int(self._client.get_max_batch_size())
            for start in range(0, len(passages), step):
                some = passages[start : start + step]
                ids = [passage.id for passage in some]
                rows = {
                    "ids": ids,
                    "embeddings": vectors[start : start + step],
                    "metadatas": [{"paper_id": passage.paper_id} for passage in some],
                }
                self._write("upsert", rows)
                self._take(ids)
                self._last = (None, [])

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        with self._lock:
            if not ids or self._open() is None:
                return
            step = int(self._client.get_max_batch_size())
            listed = list(ids)
            for start in range(0, len(listed), step):
                self._write("delete", {"ids": listed[start : start + step]})
            self._passages = None
            self._last = (None, [])

    def nearest(
        self, vector: Vectors, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, cosine), best first, among ``paper_ids``."""
        if k < 1 or (paper_ids is not None and not paper_ids):
            return []
        with self._lock:
            if self._open() is None:
                return []
            if paper_ids is None:
                return self._query(vector, k)
            return self._among(vector, k, paper_ids)

    def cosines(self, vector: Vectors, ids: Collection[str]) -> dict[str, float]:
        """Return the cosine of each of these passages; unknown ids are left out."""
        with self._lock:
            if not ids or self._open() is None:
                return {}
            kept = self._ask(lambda c: c.get(ids=list(ids), include=["embeddings"]))
        cosines = np.asarray(kept["embeddings"], dtype=np.float32) @ vector
        return dict(zip(kept["ids"], map(float, cosines), strict=True))

    def clear(self) -> None:
        """Forget everything, a corrupt folder included."""
        with self._lock:
            old = self._folder()
            self.close()
            if old is None:
                return
            # Another process may have the old folder open: the new one takes the next number,
            # and what is left of the old one is removed as far as the system lets us.
            new = self._path / f"{int(old.name) + 1:04d}"
            new.mkdir(parents=True)
            self._touch()
            for folder in self._folders():
                if folder != new:
                    shutil.rmtree(folder, ignore_errors=True)

    def _among(
        self, vector: Vectors, k: int, paper_ids: Collection[str]
    ) -> list[tuple[str, str, float]]:
        """Return the nearest of these papers, sorted out of the nearest of all, or listed."""
        by_paper = self._by_paper()
        # as many as would do if what is allowed lay anywhere; it may lie far off
        enough = k + int(1.5 * k * len(by_paper) / len(paper_ids))
        if enough <= _MOST_SIFTED:
            of_papers = frozenset(paper_ids)
            found = [hit for hit in self._query(vector, enough) if hit[1] in of_papers]
            if len(found) >= k:
                return found[:k]
        allowed = self._listed(paper_ids)
        if len(allowed) <= _FEW:
            cosines = self.cosines(vector, allowed).items()
            exact = [(id_, paper_of(id_), cosine) for id_, cosine in cosines]
            return sorted(exact, key=lambda hit: (-hit[2], hit[0]))[:k]
        return self._query(vector, min(k, len(allowed)), allowed)

    def _listed(self, paper_ids: Collection[str]) -> list[str]:
        """Return the passages of papers, at once where they are those of the search before."""
        if paper_ids is not self._last[0]:
            by_paper = self._by_paper()
            listed = [id_ for paper_id in paper_ids for id_ in by_paper.get(paper_id, ())]
            # only what cannot change is known again
            self._last = (paper_ids if isinstance(paper_ids, frozenset) else None, listed)
            return listed
        return self._last[1]

    def _by_paper(self) -> dict[str, list[str]]:
        if self._passages is None:
            self._passages = {}
            self._take(self._ask(lambda c: c.get(include=[])["ids"]))
        return self._passages

    def _take(self, ids: Iterable[str]) -> None:
        """Note passages by their paper, as far as that has been asked for."""
        if self._passages is not None:
            for id_ in ids:
                known = self._passages.setdefault(paper_of(id_), [])
                if id_ not in known:
                    known.append(id_)

    def _query(
        self, vector: Vectors, k: int, ids: list[str] | None = None
    ) -> list[tuple[str, str, float]]:
        answer = self._ask(
            lambda c: c.query(
                query_embeddings=vector.reshape(1, -1),
                n_results=k,
                ids=ids,
                include=["distances"],
            )
        )
        rows = zip(answer["ids"][0], answer["distances"][0], strict=True)
        hits = [(id_, paper_of(id_), 1.0 - float(distance)) for id_, distance in rows]
        return sorted(hits, key=lambda hit: (-hit[2], hit[0]))

    def _ask(self, question: Callable[[Any], T]) -> T:
        """Put a question to the collection; open it once more if another process replaced it."""
        from chromadb.errors import NotFoundError

        with _told("read"):
            try:
                return question(self._collection)
            except NotFoundError:
                self.close()
                self._open(create=True)
                return question(self._collection)

    def _write(self, change: str, rows: dict[str, Any]) -> None:
        with _told("written"):
            getattr(self._collection, change)(**rows)
        self._touch()
        self._seen = self._changed()

    def _open(self, *, create: bool = False) -> Any:
        """Return the collection, opened anew if another process has written; None where none is."""
        if self._collection is not None and self._seen == self._changed():
            return self._collection
        self.close()
        folder = self._folder()
        if folder is None:
            if not create:
                return None
            folder = self._path / "0001"
            folder.mkdir(parents=True, exist_ok=True)
        if not create and not (folder / "chroma.sqlite3").is_file():
            return None
        self._seen = self._changed()
        if broken := broken_graph(folder):
            raise DerivedIndexError(f"The vector index is damaged: {broken}.", _REINDEX)
        with _told("opened"):
            self._client = _client(folder)
            collection = self._client.get_or_create_collection(
                _COLLECTION,
                embedding_function=None,
                metadata=self._stamp,
                configuration={"hnsw": _HNSW},
            )
        if dict(collection.metadata or {}) != self._stamp:
            made_by = (collection.metadata or {}).get("embedder", "another program")
            self.close()
            raise DerivedIndexError(
                f"The vector index was made by {made_by}, not by {self._stamp['embedder']}.",
                _REINDEX,
            )
        self._collection = collection
        return collection

    def close(self) -> None:
        """Let go of the files; the next call opens them again."""
        if self._client is not None:
            self._client.close()
        self._client = None
        self._collection = None
        self._passages = None
        self._last = (None, [])

    def _folders(self) -> list[Path]:
        if not self._path.is_dir():
            return []
        return sorted(f for f in self._path.iterdir() if f.is_dir() and f.name.isdigit())

    def _folder(self) -> Path | None:
        folders = self._folders()
        return folders[-1] if folders else None

    def _changed(self) -> str:
        """Return the stamp of the newest write, of whichever process."""
        file = self._path / "changed"
        return file.read_text(encoding="ascii", errors="replace") if file.is_file() else ""

    def _touch(self) -> None:
        (self._path / "changed").write_text(str(time.time_ns()), encoding="ascii")


def _client(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(
        path=str(folder), settings=Settings(anonymized_telemetry=False)
    )


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn what the library raises into what a reader can use."""
    import chromadb.errors

    try:
        yield
    # An attribute is missing when a path that would not open is opened a second time.
    except (
        chromadb.errors.ChromaError,
        OSError,
        ValueError,
        RuntimeError,
        AttributeError,
    ) as error:
        raise DerivedIndexError(f"The vector index cannot be {what}: {error}", _REINDEX) from error
    except BaseException as error:
        # Damage that the library does not expect ends in a panic, which is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise DerivedIndexError("The vector index is damaged.", _REINDEX) from error
