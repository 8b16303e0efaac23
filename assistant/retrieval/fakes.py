"""Stand-ins for the embedder, the reranker and the two indexes: exact, in memory, no weights.

They pass the same contract suites as the real adapters and make every other test fast.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import OSA

from assistant.retrieval.lexical import TermStats, content_terms, is_stop_term, tokenise
from assistant.retrieval.ports import Vectors
from assistant.types import Passage

_K1 = 1.2
_B = 0.75
_GRAM = 4
_COMMON = frozenset({"the", "fewer", "other", "people", "model", "models", "under"})


class HashEmbedder:
    """A bag of hashed words and character runs: texts that share words are near."""

    def __init__(self, dimension: int = 64, max_tokens: int = 64, name: str = "hash") -> None:
        """Take the shape of the vectors; ``calls`` counts the texts embedded since."""
        self._dimension = dimension
        self._max_tokens = max_tokens
        self._name = name
        self.calls = 0

    @property
    def name(self) -> str:
        """Return the name that stamps an index."""
        return self._name

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """Return the most words of a text that count."""
        return self._max_tokens

    def count_tokens(self, text: str) -> int:
        """Return the number of words."""
        return len(text.split())

    def knows(self, word: str) -> bool:
        """Tell whether a word is among a few common ones."""
        return word.lower() in _COMMON

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32."""
        self.calls += len(texts)
        rows = [self._vector(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._dimension)

    def embed_query(self, text: str) -> Vectors:
        """Return one unit vector, shape ``(dimension,)``, float32."""
        return self._vector(text)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32."""
        rows = [self._vector(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._dimension)

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, dtype=np.float32)
        words = tokenise(" ".join(text.split()[: self._max_tokens]))
        for word in words:
            weight = 0.2 if is_stop_term(word) else 1.0
            vector[self._slot(word)] += weight
            for start in range(len(word) - _GRAM + 1):
                vector[self._slot("#" + word[start : start + _GRAM])] += 0.3 * weight
        if not words:
            vector[self._slot(text)] = 1.0
        return vector / np.float32(np.linalg.norm(vector))

    def _slot(self, key: str) -> int:
        digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self._dimension


class SharedWordsReranker:
    """Judges by the share of a query's words that a text holds."""

    def __init__(self, name: str = "shared-words", most: int = 1_000) -> None:
        """Take how many texts it has time for; ``calls`` counts the texts judged since."""
        self._name = name
        self._most = most
        self.calls = 0

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return log-odds that each text fits the query, in the order given."""
        wanted = set(tokenise(query))
        found = [len(wanted & set(tokenise(text))) for text in texts[: self._most]]
        self.calls += len(found)
        return [math.log((count + 0.5) / (len(wanted) - count + 0.5)) for count in found]


class ExactVectorStore:
    """Every vector compared, in memory."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[str, Vectors]] = {}

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        return set(self._rows)

    def add(self, passages: Sequence[Passage], vectors: Vectors) -> None:
        """Store passages with their vectors; replace those whose id is known."""
        for passage, vector in zip(passages, vectors, strict=True):
            self._rows[passage.id] = (passage.paper_id, vector)

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        for passage_id in ids:
            self._rows.pop(passage_id, None)

    def nearest(
        self, vector: Vectors, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, cosine), best first, among ``paper_ids``."""
        found = [
            (passage_id, paper_id, float(vector @ row))
            for passage_id, (paper_id, row) in self._rows.items()
            if paper_ids is None or paper_id in paper_ids
        ]
        return sorted(found, key=lambda hit: (-hit[2], hit[0]))[:k]

    def cosines(self, vector: Vectors, ids: Collection[str]) -> dict[str, float]:
        """Return the cosine of each of these passages; unknown ids are left out."""
        return {id_: float(vector @ self._rows[id_][1]) for id_ in ids if id_ in self._rows}

    def clear(self) -> None:
        """Forget everything."""
        self._rows.clear()


@dataclass(frozen=True, slots=True)
class _Row:
    paper_id: str
    name: str
    body: Counter[str]


class PlainKeywordIndex:
    """BM25 as in the textbook, over Python dictionaries."""

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        return set(self._rows)

    def names(self) -> dict[str, str]:
        """Return the name of its paper that each passage was stored with."""
        return {passage_id: row.name for passage_id, row in self._rows.items()}

    def add(self, passages: Iterable[tuple[Passage, str]]) -> None:
        """Store (passage, name of its paper) pairs; replace those whose id is known."""
        for passage, name in passages:
            body = Counter(tokenise(name) + tokenise(passage.text))
            self._rows[passage.id] = _Row(passage.paper_id, name, body)

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        for passage_id in ids:
            self._rows.pop(passage_id, None)

    def search(
        self, query: str, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, BM25 score), best first."""
        terms = content_terms(query)
        scores = _bm25({i: row.body for i, row in self._rows.items()}, terms)
        found = [(i, self._rows[i].paper_id, score) for i, score in scores.items()]
        allowed = [hit for hit in found if paper_ids is None or hit[1] in paper_ids]
        return sorted(allowed, key=lambda hit: (-hit[2], hit[0]))[:k]

    def held(self, terms: Collection[str]) -> list[str]:
        """Return those of the terms that stand anywhere."""
        rows = self._rows.values()
        return [term for term in terms if any(term in row.body for row in rows)]

    def spelt_like(self, term: str, slips: int, k: int) -> list[tuple[str, str]]:
        """Return up to ``k`` (passage id, paper id) that hold a term ``slips`` letters off it."""
        near = [
            (passage_id, row.paper_id)
            for passage_id, row in self._rows.items()
            if term and any(OSA.distance(term, held) <= slips for held in row.body)
        ]
        return near[: max(0, k)]

    def term_stats(self) -> TermStats:
        """Return how many papers hold each term."""
        papers: dict[str, set[str]] = {}
        for row in self._rows.values():
            papers.setdefault(row.paper_id, set()).update(row.body)
        counts = Counter(term for terms in papers.values() for term in terms)
        return TermStats(len(papers), lambda term: counts[term])

    def clear(self) -> None:
        """Forget everything."""
        self._rows.clear()


def _bm25(bags: dict[str, Counter[str]], terms: Sequence[str]) -> dict[str, float]:
    """Score every bag of words that holds a term; return id to score."""
    if not bags:
        return {}
    lengths = {i: sum(bag.values()) for i, bag in bags.items()}
    average = max(sum(lengths.values()) / len(bags), 1e-9)
    scores = dict.fromkeys(bags, 0.0)
    for term in terms:
        holders = [i for i, bag in bags.items() if term in bag]
        idf = math.log(1 + (len(bags) - len(holders) + 0.5) / (len(holders) + 0.5))
        for i in holders:
            tf = bags[i][term]
            scores[i] += idf * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * lengths[i] / average))
    return {i: score for i, score in scores.items() if score > 0}
