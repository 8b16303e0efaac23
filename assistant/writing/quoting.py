"""Quotes: which sentences of a paper stand for it, word for word."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.retrieval.cues import points_back
from assistant.types import Evidence

CLOSE_SECOND = 0.85  # of the best score: a sentence as good as the best is quoted too
MOST = 2  # sentences


def choose(question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the best sentence, and one more where it is needed to understand or to answer."""
    del question
    if not evidence:
        return ()
    best = max(evidence, key=lambda item: item.score)
    chosen = [best]
    before = [item for item in evidence if item.sentence.index == best.sentence.index - 1]
    if before and points_back(best.sentence.text):
        chosen.append(before[0])
    else:
        rest = sorted((e for e in evidence if e is not best), key=lambda e: -e.score)
        if rest and rest[0].score >= CLOSE_SECOND * best.score:
            chosen.append(rest[0])
    return tuple(sorted(chosen[:MOST], key=lambda item: item.sentence.index))


def text_of(evidence: Sequence[Evidence]) -> str:
    """Return quoted sentences as one text, with a mark where some were left out between them."""
    pieces: list[str] = []
    for i, item in enumerate(evidence):
        if i and item.sentence.index != evidence[i - 1].sentence.index + 1:
            pieces.append("…")
        pieces.append(item.sentence.text)
    return " ".join(pieces)
