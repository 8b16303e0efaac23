"""The derived indexes kept in step with the library.

What should be indexed is in the library's store; what is indexed is asked of the indexes
themselves. Bringing them up to date is the difference of the two, in small committed steps, so it
can be killed anywhere and run again. Any index may vanish or break: it is made again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from assistant.errors import DerivedIndexError, ModelError
from assistant.jobs import never
from assistant.library.store import Store
from assistant.retrieval import keywords as keywords_room
from assistant.retrieval import sentence_vectors as sentences_room
from assistant.retrieval import vectors as vectors_room
from assistant.retrieval.ports import Embedder, KeywordIndex, VectorStore, paper_of
from assistant.retrieval.sentence_vectors import Progress, SentenceVectors
from assistant.retrieval.wanted import Wanted, new_passages, new_texts
from assistant.retrieval.wanted import wanted as wanted_of
from assistant.types import Sentence

SCHEME = f"{vectors_room.SCHEME}.{keywords_room.SCHEME}.{sentences_room.SCHEME}"
REINDEX = "Run `assistant reindex`."

EMBEDDER_KEY = "embedded_by"

_EMBED_BATCH = 128
_KEYWORD_BATCH = 5_000

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a synchronisation did: passages embedded and forgotten, indexes made from nothing."""

    embedded: int = 0
    keyworded: int = 0
    removed: int = 0
    sentences: int = 0
    rebuilt: tuple[str, ...] = ()
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with an index, and what mends it."""

    message: str
    hint: str


class Indexes:
    """The vector index, the keyword index and the sentence vectors of one library."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        vectors: VectorStore,
        keywords: KeywordIndex,
        sentence_vectors: SentenceVectors,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.vectors = vectors
        self.keywords = keywords
        self.sentence_vectors = sentence_vectors

    def sync(
        self,
        on_progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> SyncReport:
        """Bring every index up to date with the store; do nothing where nothing has changed.

        A broken index is made again. ``on_progress(stage, done, total)`` hears of the stages
        ``keywords``, ``passages`` and ``sentences``. Once ``cancelled()``, what is done is kept
        and the next call goes on from there. Raise ``DerivedIndexError`` for a library of
        another embedder, ``LibraryBusy`` when another process is at it.
        """
        self.require_own_embedder()
        tell = _stoppable(on_progress or _silent, cancelled or never)
        try:
            return self._synced(tell)
        except _Stopped:
            return SyncReport(stopped=True)

    def _synced(self, tell: Progress) -> SyncReport:
        with self.sentence_vectors.exclusive():
            self._note_embedder()
            version, rebuilt = self.version(), list[str]()
            settled = self.sentence_vectors.settled() == version
            wanted = wanted_of(self.store)
            removed, keyworded = self._sync_keywords(wanted, rebuilt, tell, settled=settled)
            also_removed, embedded = self._sync_vectors(wanted, rebuilt, tell)
            sentences = 0
            if not settled:
                sentences = self.sentence_vectors.ensure(self._sentences(), tell)
                self.sentence_vectors.settle(version)
        return SyncReport(
            embedded, keyworded, max(removed, also_removed), sentences, tuple(rebuilt)
        )

    def rebuild(self, on_progress: Progress | None = None) -> SyncReport:
        """Throw every index away and make it again from the store, with the embedder in use.

        Killed in between, it is carried on by the next :meth:`sync`.
        """
        with self.sentence_vectors.exclusive():
            self.vectors.clear()
            self.keywords.clear()
            self.sentence_vectors.clear()
            with self.store.transaction():
                self.store.set_meta(EMBEDDER_KEY, self.embedder.name)
            return self.sync(on_progress)

    def other_embedder(self) -> str:
        """Return the name of the embedder that the library was embedded with, if another."""
        name = self.store.get_meta(EMBEDDER_KEY)
        return name if name != self.embedder.name else ""

    def require_own_embedder(self) -> None:
        """Raise ``DerivedIndexError`` where the library was embedded with another embedder.

        Raise ``ModelError`` where the embedder in use is not there.
        """
        _ = self.embedder.dimension  # says so where it is not there
        if other := self.other_embedder():
            raise DerivedIndexError(
                f"This library was embedded with {other}, and {self.embedder.name} is in use.",
                "Set ASSISTANT_EMBEDDER back, or embed it again: `assistant reindex`.",
            )

    def _note_embedder(self) -> None:
        if self.store.get_meta(EMBEDDER_KEY) != self.embedder.name:
            with self.store.transaction():
                self.store.set_meta(EMBEDDER_KEY, self.embedder.name)

    def check(self) -> list[Problem]:
        """Return what is wrong with the indexes, quickly and without loading the embedder."""
        try:
            _ = self.embedder.dimension
        except ModelError as error:
            return [Problem(error.message, error.hint)]
        if other := self.other_embedder():
            said = f"The library was embedded with {other}, not with {self.embedder.name}."
            return [Problem(said, REINDEX)]
        wanted = wanted_of(self.store)
        problems = []
        for name, should, ids in (
            ("vector index", wanted.passages, self._vector_ids),
            ("keyword index", wanted.texts, self._keyword_names),
        ):
            try:
                have = ids()
            except DerivedIndexError as error:
                problems.append(Problem(error.message, error.hint or REINDEX))
                continue
            problems.extend(_differences(name, should, have))
        return problems + self._check_sentences()

    def counts(self) -> dict[str, int]:
        """Return how much should be indexed, and how much each index holds."""
        wanted = wanted_of(self.store)
        return {
            "passages": len(wanted.passages),
            "texts": len(wanted.texts),
            "vectors": len(self._vector_ids()),
            "keywords": len(self._keyword_names()),
        }

    def version(self) -> str:
        """Return a short text that changes whenever the indexes would answer differently."""
        parts = (self.embedder.name, str(self.embedder.dimension), SCHEME, self.store.version())
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def _check_sentences(self) -> list[Problem]:
        try:
            if self.sentence_vectors.settled() == self.version():
                return []
            missing = self.sentence_vectors.missing(self._sentences())
        except DerivedIndexError as error:
            return [Problem(error.message, error.hint or REINDEX)]
        return [Problem(f"{missing} sentences lack a vector.", REINDEX)] if missing else []

    def _sentences(self) -> Iterator[Sentence]:
        """Yield what needs a vector of its own: every title and every sentence."""
        yield from (Sentence(id_, -1, 0, 0, title) for id_, title in self.store.titles())
        yield from self.store.all_sentences()

    def _vector_ids(self) -> set[str]:
        """Return what the vector index holds, having tried that it answers."""
        ids = self.vectors.ids()
        if ids:
            probe = np.full(self.embedder.dimension, 1.0, dtype=np.float32)
            self.vectors.nearest(probe, 1)
        return ids

    def _keyword_names(self) -> dict[str, str]:
        """Return what the keyword index holds, having tried that it answers."""
        names = self.keywords.names()
        self.keywords.search("method", 1)
        return names

    def _sync_vectors(self, wanted: Wanted, rebuilt: list[str], tell: Progress) -> tuple[int, int]:
        have = _read_or_clear("vector index", self._vector_ids, self.vectors.clear, rebuilt)
        stale, new = have - wanted.passages, wanted.passages - have
        self.vectors.delete(stale)
        done = 0
        for passages in _batches(new_passages(self.store, wanted.named, new), _EMBED_BATCH):
            vectors = self.embedder.embed_documents([passage.text for passage in passages])
            self.vectors.add(passages, vectors)
            done += len(passages)
            tell("passages", done, len(new))
        return len(stale), done

    def _sync_keywords(
        self, wanted: Wanted, rebuilt: list[str], tell: Progress, *, settled: bool
    ) -> tuple[int, int]:
        have = _read_or_clear("keyword index", self._keyword_names, self.keywords.clear, rebuilt)
        if settled and set(have) == wanted.texts:
            return 0, 0
        # A paper may be renamed while its text stays, so names are compared as well as ids.
        names = dict(self.store.names())
        stale = set(have) - wanted.texts
        self.keywords.delete(stale)
        new = {id_ for id_ in wanted.texts if have.get(id_) != names.get(paper_of(id_))}
        done = 0
        for texts in _batches(new_texts(self.store, wanted.named, new), _KEYWORD_BATCH):
            self.keywords.add(
                (text, names[text.paper_id]) for text in texts if text.paper_id in names
            )
            done += len(texts)
            tell("keywords", done, len(new))
        return len(stale), done


def _read_or_clear(
    name: str, read: Callable[[], T], clear: Callable[[], None], rebuilt: list[str]
) -> T:
    """Read what an index holds; an index that cannot be read is emptied and noted."""
    try:
        return read()
    except DerivedIndexError as error:
        logger.warning("%s is made again: %s", name, error.message)
        clear()
        rebuilt.append(name)
        return read()


def _differences(name: str, wanted: Collection[str], have: Collection[str]) -> list[Problem]:
    missing, stale = len(set(wanted) - set(have)), len(set(have) - set(wanted))
    problems = []
    if missing:
        problems.append(Problem(f"The {name} lacks {missing} of {len(wanted)} passages.", REINDEX))
    if stale:
        problems.append(Problem(f"The {name} holds {stale} passages no longer wanted.", REINDEX))
    return problems


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


class _Stopped(Exception):
    """The work was cancelled between two batches."""


def _stoppable(tell: Progress, stop: Callable[[], bool]) -> Progress:
    """Return ``tell`` that ends the work once ``stop()``: it is called when a batch is stored."""

    def told(stage: str, done: int, total: int) -> None:
        tell(stage, done, total)
        if stop():
            raise _Stopped

    return told


def _silent(stage: str, done: int, total: int) -> None:
    """Take progress and say nothing."""
    del stage, done, total
