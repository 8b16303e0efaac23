"""How the signals of a paper become its place among the others, and how likely it is meant.

Keywords find rare names, vectors find described ideas, and the best sentence finds the one fact in
a long abstract. What weighs how much depends on the kind of query.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
class Signals:
    """What is known of one paper for one query."""

    cosine: float = 0.0
    bm25: float = 0.0
    dense_rank: int = 0
    keyword_rank: int = 0
    sentence: float = 0.0
    pair: float = 0.0


def fused(found: Signals) -> float:
    """Return the reciprocal rank fusion of both sides, which picks what is worth scoring anew."""
    ranks = (found.dense_rank, found.keyword_rank)
    return sum(1.0 / (_RANK_OFFSET + rank) for rank in ranks if rank)


def mixed(signals: Mapping[str, Signals], weights: Weights) -> dict[str, float]:
    """Return the score of each paper: keywords as a share of the best, plus the cosines."""
    most = max((found.bm25 for found in signals.values()), default=0.0) or 1.0
    return {
        paper_id: weights.keywords * found.bm25 / most
        + weights.passage * found.cosine
        + weights.sentence * found.sentence
        + weights.pair * found.pair
        for paper_id, found in signals.items()
    }


def likelihood(found: Signals) -> float:
    """Return how likely a paper is one that was meant, 0..1, whatever the query."""
    return 1.0 / (1.0 + math.exp(-(8.0 * (0.5 * found.cosine + 0.5 * found.sentence) - 3.5)))


def best_passages(found: Sequence[tuple[str, str, float]]) -> list[tuple[str, float]]:
    """Reduce passages, best first, to papers with the score of their best passage."""
    best: dict[str, float] = {}
    for _, paper_id, score in found:
        best.setdefault(paper_id, score)
    return list(best.items())
