"""The parts of the search by themselves, so that it shows what each is worth.

Nothing here serves readers; :mod:`assistant.measuring` compares it with what does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from assistant.retrieval.indexes import Indexes
from assistant.retrieval.parts import Baseline
from assistant.types import Hit

_RANK_OFFSET = 60  # as published with reciprocal rank fusion

_Found = list[tuple[str, str, float]]


class Ranking(Protocol):
    """Puts papers in order for a query, as :class:`assistant.retrieval.search.Searcher` does."""

    def search(self, query: str, *, k: int = 10, evidence_limit: int = 0) -> list[Hit]:
        """Return up to ``k`` papers, best first."""
        ...


@dataclass(slots=True)
class _Signals:
    """What both sides say of one paper; a rank of 0 means that a side did not find it."""

    cosine: float = 0.0
    dense_rank: int = 0
    bm25: float = 0.0
    keyword_rank: int = 0


class BaselineRanking:
    """Papers by keywords alone, by their best passage alone, or by both ranks fused."""

    def __init__(self, baseline: Baseline, indexes: Indexes) -> None:
        self._baseline = baseline
        self._indexes = indexes

    def search(self, query: str, *, k: int = 10, evidence_limit: int = 0) -> list[Hit]:
        """Return up to ``k`` papers, best first, without sentences of theirs."""
        del evidence_limit
        signals: dict[str, _Signals] = {}
        if self._baseline is not Baseline.BM25:
            for rank, (paper_id, cosine) in enumerate(self._by_meaning(query, k), start=1):
                found = signals.setdefault(paper_id, _Signals())
                found.cosine, found.dense_rank = cosine, rank
        if self._baseline is not Baseline.DENSE:
            for rank, (paper_id, bm25) in enumerate(self._by_words(query, k), start=1):
                found = signals.setdefault(paper_id, _Signals())
                found.bm25, found.keyword_rank = bm25, rank
        scores = {paper_id: self._score(found) for paper_id, found in signals.items()}
        best = sorted(scores, key=lambda paper_id: (-scores[paper_id], paper_id))[:k]
        return [
            Hit(
                paper,
                scores[paper.id],
                (found := signals[paper.id]).cosine,
                found.bm25,
                found.dense_rank,
                found.keyword_rank,
            )
            for paper in self._indexes.store.papers(best)
        ]

    def _score(self, found: _Signals) -> float:
        if self._baseline is Baseline.BM25:
            return found.bm25
        if self._baseline is Baseline.DENSE:
            return found.cosine
        ranks = (found.dense_rank, found.keyword_rank)
        return sum(1.0 / (_RANK_OFFSET + rank) for rank in ranks if rank)

    def _by_meaning(self, query: str, k: int) -> list[tuple[str, float]]:
        vector = self._indexes.embedder.embed_query(query)
        return _best_papers(lambda n: self._indexes.vectors.nearest(vector, n), k)

    def _by_words(self, query: str, k: int) -> list[tuple[str, float]]:
        return _best_papers(lambda n: self._indexes.keywords.search(query, n), k)


def _best_papers(passages: Callable[[int], _Found], k: int) -> list[tuple[str, float]]:
    """Return ``k`` papers with the score of their best passage, fetching passages until it does."""
    wanted = 2 * k
    while True:
        found = passages(wanted)
        best: dict[str, float] = {}
        for _, paper_id, score in found:
            best.setdefault(paper_id, score)
        if len(best) >= k or len(found) < wanted:
            return list(best.items())[:k]
        wanted *= 2
