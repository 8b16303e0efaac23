"""The ports of retrieval: each has a real adapter and a fake, and one contract suite over both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from assistant.retrieval.lexical import TermStats
from assistant.types import Passage

Vectors = npt.NDArray[np.float32]


def paper_of(id_: str) -> str:
    """Return the id of the paper that a passage or a whole text is of; theirs begin with it."""
    return id_.partition(":")[0]


class Embedder(Protocol):
    """Turns text into unit vectors."""

    @property
    def name(self) -> str:
        """Return the name that stamps an index."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Return the most tokens of one text that are not cut off, special tokens excluded."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of ``text``, special tokens excluded."""
        ...

    def knows(self, word: str) -> bool:
        """Tell whether a word is common enough to be one token, and so is surely no slip."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return one unit vector, shape ``(dimension,)``, float32."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several queries, shape ``(len(texts), dimension)``, float32."""
        ...


class Reranker(Protocol):
    """Reads a query and a text together."""

    @property
    def name(self) -> str:
        """Return the name of the model."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return log-odds that each text fits the query, in the order given, each finite.

        Where the time is up they end early, but not before the first; raise ``ModelError`` when
        there is no answer.
        """
        ...


class VectorStore(Protocol):
    """Nearest passages by cosine."""

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        ...

    def add(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Store passages with their vectors; replace those whose id is known."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        ...

    def nearest(
        self, vector: Vectors, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, cosine), best first, among ``paper_ids``."""
        ...

    def cosines(self, vector: Vectors, ids: Collection[str]) -> dict[str, float]:
        """Return the cosine of each of these passages; unknown ids are left out."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...


class KeywordIndex(Protocol):
    """BM25 over texts, each with the name of its paper before it."""

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        ...

    def names(self) -> dict[str, str]:
        """Return the name of its paper that each passage was stored with, by passage id."""
        ...

    def term_stats(self) -> TermStats:
        """Return how many papers hold each term; cheap, and true to the newest commit."""
        ...

    def add(self, passages: Iterable[tuple[Passage, str]]) -> None:
        """Store (passage, name of its paper) pairs; replace those whose id is known."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        ...

    def search(
        self, query: str, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, BM25 score), best first; any text will do."""
        ...

    def held(self, terms: Collection[str]) -> list[str]:
        """Return those of the terms that stand anywhere, or did until a short while ago.

        It is quick: thousands of terms may be asked for.
        """
        ...

    def spelt_like(self, term: str, slips: int, k: int) -> list[tuple[str, str]]:
        """Return up to ``k`` (passage id, paper id) that hold a term ``slips`` letters off it."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...
