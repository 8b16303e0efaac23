"""How the signals of a paper become its place among the others, and how likely it is meant.

Keywords find rare names, vectors find described ideas, the best sentence for each part of a query
finds what a long abstract says in passing. How much keywords count depends on the query: where no
paper holds much of its words, it is told in other words than the papers', and they say little.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.retrieval.lexical import TermStats, content_terms

_RANK_OFFSET = 60  # as published with reciprocal rank fusion
_K1 = 1.2  # tantivy's BM25: the most that a term can score is its rarity times 1 + k1
_MOST_TERMS = 64
_TRUSTED = 0.5
# Fitted on the best paper of each of 1,726 judged queries over four collections; by
# `benchmarks/README.md` a best paper of this likelihood is judged relevant about as often.
_STEEPNESS = 1.25
_EVEN = 4.05


@dataclass(frozen=True, slots=True)
class Weights:
    """How the signals are mixed; ``depth`` is how many papers each side proposes.

    ``reranked`` is how many of the best a reranker is shown, where one is in use.

    ``keywords`` weighs BM25 as a share of the best of the query, the others weigh cosines: of the
    best passage, of the title, and of the best sentence or title for each clause and for each
    few words of the query. They were chosen on scientific claims, on questions and descriptions
    of four collections alike (``benchmarks/README.md`` has the table, with what lost).
    """

    keywords: float = 1.7
    passage: float = 2.15
    title: float = 1.0
    clauses: float = 1.9
    phrases: float = 1.8
    depth: int = 50
    reranked: int = 50


@dataclass(slots=True)
class Signals:
    """What is known of one paper for one query."""

    cosine: float = 0.0
    bm25: float = 0.0
    dense_rank: int = 0
    keyword_rank: int = 0
    title: float = 0.0
    clauses: float = 0.0
    phrases: float = 0.0


def fused(found: Signals) -> float:
    """Return the reciprocal rank fusion of both sides, which picks what is worth scoring anew."""
    ranks = (found.dense_rank, found.keyword_rank)
    return sum(1.0 / (_RANK_OFFSET + rank) for rank in ranks if rank)


def ceiling(query: str, stats: TermStats) -> float:
    """Return the BM25 of a text that consisted of the query's words."""
    rarity = sorted(map(stats.idf, content_terms(query)), reverse=True)
    return (1 + _K1) * sum(rarity[:_MOST_TERMS])


def mixed(signals: Mapping[str, Signals], weights: Weights, most: float) -> dict[str, float]:
    """Return the score of each paper; ``most`` is the BM25 that the query could reach."""
    best = max((found.bm25 for found in signals.values()), default=0.0)
    trust = min(1.0, best / (_TRUSTED * most)) if most else 0.0
    share = weights.keywords * trust / best if best else 0.0
    return {
        paper_id: share * found.bm25
        + weights.passage * found.cosine
        + weights.title * found.title
        + weights.clauses * found.clauses
        + weights.phrases * found.phrases
        for paper_id, found in signals.items()
    }


def in_order(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the scores, the best first."""
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def reranked(scores: Mapping[str, float], judged: Mapping[str, float]) -> dict[str, float]:
    """Return the scores, the best first, after a reranker has judged the first papers of them.

    These change places among themselves, by both opinions alike, and a place keeps its score: so
    scores go on meaning the same, and fall down the list.
    """
    places = [scores[paper_id] for paper_id in judged]
    own = _standardised(dict(zip(judged, places, strict=True)))
    other = _standardised(judged)
    order = sorted(judged, key=lambda paper_id: -own[paper_id] - other[paper_id])
    moved = dict(zip(order, sorted(places, reverse=True), strict=True))
    return moved | {key: score for key, score in scores.items() if key not in moved}


def _standardised(values: Mapping[str, float]) -> dict[str, float]:
    """Return how many deviations each value lies above the mean; 0 where all are the same."""
    mean = statistics.fmean(values.values()) if values else 0.0
    spread = statistics.pstdev(values.values(), mean) if values else 0.0
    return {key: (value - mean) / spread if spread else 0.0 for key, value in values.items()}


def likelihood(score: float) -> float:
    """Return how likely the best paper of a query is meant when it has this score, 0..1.

    Unlike the place in a list, it says the same for every query.
    """
    return 1.0 / (1.0 + math.exp(min(50.0, -_STEEPNESS * (score - _EVEN))))


def best_passages(found: Sequence[tuple[str, str, float]]) -> list[tuple[str, float]]:
    """Reduce passages, best first, to papers with the score of their best passage."""
    best: dict[str, float] = {}
    for _, paper_id, score in found:
        best.setdefault(paper_id, score)
    return list(best.items())
