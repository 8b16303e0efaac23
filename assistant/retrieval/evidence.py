"""The sentences of an abstract that bear on a question, chosen without a language model.

A sentence counts by what it means (cosine), by which of the question's words it holds (rarer in
the library and rarer within this abstract counts more), and by whether it can hold an answer of
the kind that is asked for: a number for "how much", an address for "where is the code".
It does not decide whether the answer is there at all; that is the business of refusal.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np

from assistant.retrieval import cues
from assistant.retrieval.lexical import TermStats, Unit, content_units, tokenise
from assistant.retrieval.ports import Vectors
from assistant.types import Evidence, Sentence

COSINE_WEIGHT = 0.35
WORDS_WEIGHT = 0.40
CUE_WEIGHT = 0.25
# A sentence that opens with "It" or "This method" is about what the one before it names.
INHERITED = 0.5
# Abstracts open with what everybody knows; it echoes the question more often than it answers it.
OPENING = 0.1
ADDRESS = 0.3
_LONG = 4  # sentences, from which on an abstract has an opening
ENOUGH = 4  # sentences


def select(
    query: str,
    query_vector: Vectors,
    sentences: Sequence[Sentence],
    vectors: Vectors,
    stats: TermStats,
    *,
    limit: int = ENOUGH,
) -> tuple[Evidence, ...]:
    """Return up to ``limit`` sentences of one abstract that bear most on ``query``, in its order.

    ``vectors`` has a unit row a sentence. ``Evidence.score`` lies in 0..1 and compares across
    papers and questions; ``lexical`` is the share of the question's words, weighted by rarity.
    """
    if not sentences or limit < 1:
        return ()
    scored = score(query, query_vector, sentences, vectors, stats)
    best = sorted(range(len(scored)), key=lambda i: (-scored[i].score, i))
    chosen = best[:limit]
    before = best[0] - 1
    if before >= 0 and before not in chosen and cues.points_back(sentences[best[0]].text):
        chosen = [*chosen[: limit - 1], before] if limit > 1 else chosen
    return tuple(scored[i] for i in sorted(chosen))


def score(
    query: str,
    query_vector: Vectors,
    sentences: Sequence[Sentence],
    vectors: Vectors,
    stats: TermStats,
) -> list[Evidence]:
    """Return every sentence with its score, in the order given."""
    units, rarity, asked = _read(query, stats)
    terms = [_terms(sentence.text) for sentence in sentences]
    local = _local_weights(units, rarity, terms)
    cosines = np.clip(vectors @ query_vector, 0.0, 1.0)
    found = []
    for i, sentence in enumerate(sentences):
        words = _coverage(units, local, terms[i])
        if i > 0 and cues.points_back(sentence.text):
            inherited = _coverage(units, local, terms[i] | terms[i - 1])
            words += INHERITED * (inherited - words)
        cosine = float(cosines[i])
        cue = cues.answers(asked, sentence.text)
        value = COSINE_WEIGHT * cosine + WORDS_WEIGHT * words + CUE_WEIGHT * cue
        if cue < 0:
            # An address holds the name of the method, and says nothing else about it.
            value *= ADDRESS
        if i == 0 and len(sentences) >= _LONG:
            value -= OPENING
        lexical = _coverage(units, rarity, terms[i])
        found.append(Evidence(sentence, min(1.0, max(0.0, value)), cosine, lexical))
    return found


@lru_cache(64)
def _read(query: str, stats: TermStats) -> tuple[list[Unit], list[float], cues.Asked]:
    """Return the words of a query, how rare each is, and what is asked for: once for all papers."""
    units = content_units(query)
    return units, [_idf(unit, stats) for unit in units], cues.read(query)


@lru_cache(20_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(tokenise(text))


def _idf(unit: Unit, stats: TermStats) -> float:
    """Return the rarity of a unit in the library, that of its commonest spelling."""
    return min(stats.idf(whole) for whole in unit.wholes)


def _local_weights(
    units: Sequence[Unit], rarity: Sequence[float], terms: Sequence[Collection[str]]
) -> list[float]:
    """Weigh each unit by its rarity in the library times its rarity within the abstract.

    A method's name stands in every other sentence of its abstract and does not tell them apart.
    """
    n = len(terms)
    weights = []
    for unit, idf in zip(units, rarity, strict=True):
        df = sum(unit.share(held) for held in terms)
        weights.append(idf * math.log(1 + (n - df + 0.5) / (df + 0.5)) if df else 0.0)
    return weights


def _coverage(units: Sequence[Unit], weights: Sequence[float], terms: Collection[str]) -> float:
    total = sum(weights)
    if total <= 0:
        return 0.0
    pairs = zip(units, weights, strict=True)
    return sum(weight * unit.share(terms) for unit, weight in pairs) / total
