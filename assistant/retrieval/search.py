"""Hybrid search: papers for a query, each with the sentences that bear on it.

Nearest passages and BM25 each propose papers; what is proposed is scored anew by keywords, by its
best passage and by its best sentence, whose vectors are kept from import and cost nothing here.
Keywords find rare names, vectors find described ideas, and the best sentence finds the one fact in
a long abstract. It does not decide whether the library can answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.library.store import Store
from assistant.retrieval import evidence
from assistant.retrieval.lexical import TermStats
from assistant.retrieval.ports import Embedder, KeywordIndex, Vectors, VectorStore
from assistant.retrieval.sentence_vectors import SentenceVectors, title_of
from assistant.types import Filters, Hit, Sentence

_MOST_CHARACTERS = 20_000
_RANK_OFFSET = 60  # as published with reciprocal rank fusion


@dataclass(frozen=True, slots=True)
class Weights:
    """How the signals are mixed; ``depth`` is how many papers each side proposes.

    ``keywords`` weighs BM25 as a share of the best of the query, the others cosines: of the best
    passage, of the best sentence or title, and the mean of the best two sentences. The values
    are those that held on questions, names, ideas told in other words and scientific claims alike:
    keywords alone lose the ideas, cosines alone the names.
    """

    keywords: float = 1.0
    passage: float = 1.0
    sentence: float = 1.5
    pair: float = 1.0
    depth: int = 50


@dataclass(slots=True)
class _Signals:
    """What is known of one paper for one query."""

    cosine: float = 0.0
    bm25: float = 0.0
    dense_rank: int = 0
    keyword_rank: int = 0
    sentence: float = 0.0
    pair: float = 0.0


@dataclass(frozen=True, slots=True)
class _Text:
    """The sentences of a paper with their vectors, a row each, and the vector of its title."""

    sentences: tuple[Sentence, ...]
    vectors: Vectors
    title: Vectors | None


class Searcher:
    """Finds papers in a library; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        vectors: VectorStore,
        keywords: KeywordIndex,
        sentence_vectors: SentenceVectors,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._vectors = vectors
        self._keywords = keywords
        self._sentence_vectors = sentence_vectors

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        filters: Filters | None = None,
        weights: Weights | None = None,
        evidence_limit: int = evidence.ENOUGH,
    ) -> list[Hit]:
        """Return up to ``k`` papers, best first, each with up to ``evidence_limit`` sentences.

        Any text is a query; one without words finds nothing. ``Hit.score`` orders the hits of one
        query; ``cosine`` and ``bm25`` are the raw signals and compare across queries.
        """
        query = query[:_MOST_CHARACTERS].strip()
        if not any(character.isalnum() for character in query) or k < 1:
            return []
        allowed = self._store.paper_ids(filters)
        query_vector = self._embedder.embed_query(query)
        mix = weights or Weights()
        signals = self._propose(query, query_vector, max(mix.depth, k), allowed)
        texts = self._texts(signals)
        for paper_id, found in signals.items():
            found.sentence, found.pair = _best_two(texts[paper_id], query_vector, found.cosine)
        scores = _mix(signals, mix)
        best = sorted(scores, key=lambda paper_id: (-scores[paper_id], paper_id))[:k]
        stats = self.term_stats()
        hits = []
        for paper in self._store.papers(best):
            found, text = signals[paper.id], texts[paper.id]
            chosen = evidence.select(
                query, query_vector, text.sentences, text.vectors, stats, limit=evidence_limit
            )
            hits.append(
                Hit(
                    paper,
                    scores[paper.id],
                    found.cosine,
                    found.bm25,
                    found.dense_rank,
                    found.keyword_rank,
                    chosen,
                )
            )
        return hits

    def term_stats(self) -> TermStats:
        """Return how many papers of the library hold a term."""
        return self._keywords.term_stats()

    def _propose(
        self, query: str, query_vector: Vectors, depth: int, allowed: Collection[str] | None
    ) -> dict[str, _Signals]:
        """Return ``depth`` papers that either side proposes, with the signals of both sides."""
        dense = _best_passages(self._vectors.nearest(query_vector, 2 * depth, allowed))[:depth]
        words = _best_passages(self._keywords.search(query, 2 * depth, allowed))[:depth]
        signals: dict[str, _Signals] = {}
        for rank, (paper_id, cosine) in enumerate(dense, start=1):
            found = signals.setdefault(paper_id, _Signals())
            found.cosine, found.dense_rank = cosine, rank
        for rank, (paper_id, bm25) in enumerate(words, start=1):
            found = signals.setdefault(paper_id, _Signals())
            found.bm25, found.keyword_rank = bm25, rank
        kept = sorted(signals, key=lambda paper_id: (-_fused(signals[paper_id]), paper_id))[:depth]
        signals = {paper_id: signals[paper_id] for paper_id in kept}
        self._complete(query, query_vector, signals)
        return signals

    def _complete(self, query: str, query_vector: Vectors, signals: dict[str, _Signals]) -> None:
        """Ask each side about the papers that only the other proposed."""
        no_cosine = [paper_id for paper_id, found in signals.items() if not found.dense_rank]
        no_words = [paper_id for paper_id, found in signals.items() if not found.keyword_rank]
        if no_cosine:
            near = self._vectors.nearest(query_vector, 4 * len(no_cosine), no_cosine)
            for paper_id, cosine in _best_passages(near):
                signals[paper_id].cosine = cosine
        if no_words:
            told = self._keywords.search(query, 4 * len(no_words), no_words)
            for paper_id, bm25 in _best_passages(told):
                signals[paper_id].bm25 = bm25

    def _texts(self, paper_ids: Collection[str]) -> dict[str, _Text]:
        """Return the sentences of papers with their vectors, looked up together."""
        sentences = self._store.sentences_of(list(paper_ids))
        titles = [title_of(paper) for paper in self._store.papers(list(paper_ids)) if paper.title]
        flat = [sentence for of_paper in sentences.values() for sentence in of_paper]
        matrix = self._sentence_vectors.get([*flat, *titles])
        title_rows = {title.paper_id: matrix[len(flat) + i] for i, title in enumerate(titles)}
        texts, start = {}, 0
        for paper_id, of_paper in sentences.items():
            end = start + len(of_paper)
            texts[paper_id] = _Text(of_paper, matrix[start:end], title_rows.get(paper_id))
            start = end
        return texts


def _best_passages(found: Sequence[tuple[str, str, float]]) -> list[tuple[str, float]]:
    """Reduce passages, best first, to papers with the score of their best passage."""
    best: dict[str, float] = {}
    for _, paper_id, score in found:
        best.setdefault(paper_id, score)
    return list(best.items())


def _fused(found: _Signals) -> float:
    """Return the reciprocal rank fusion of both sides, which picks what is worth scoring anew."""
    ranks = (found.dense_rank, found.keyword_rank)
    return sum(1.0 / (_RANK_OFFSET + rank) for rank in ranks if rank)


def _best_two(text: _Text, query_vector: Vectors, otherwise: float) -> tuple[float, float]:
    """Return the cosine of the best sentence or title, and the mean of the best two sentences."""
    if not len(text.vectors):
        return otherwise, otherwise
    cosines = np.sort(text.vectors @ query_vector)[::-1]
    best = float(cosines[0])
    if text.title is not None:
        best = max(best, float(text.title @ query_vector))
    return best, float(cosines[:2].mean())


def _mix(signals: Mapping[str, _Signals], weights: Weights) -> dict[str, float]:
    """Return the score of each paper: keywords as a share of the best, plus the cosines."""
    most = max((found.bm25 for found in signals.values()), default=0.0) or 1.0
    return {
        paper_id: weights.keywords * found.bm25 / most
        + weights.passage * found.cosine
        + weights.sentence * found.sentence
        + weights.pair * found.pair
        for paper_id, found in signals.items()
    }
