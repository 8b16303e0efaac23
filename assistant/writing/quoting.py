"""Quotes: which sentences of a paper stand for it, word for word."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.retrieval.cues import points_back
from assistant.types import Evidence

# The best sentence holds the fact asked for in six of ten questions, the best two in seven, the
# best three in nine; more than that is no longer an answer but the abstract.
MOST = 3  # sentences
LEAST = 0.6  # of the best score
LONGEST = 900  # characters of quotes beyond the first sentence


def choose(evidence: Sequence[Evidence], most: int = MOST) -> tuple[Evidence, ...]:
    """Return the best sentences, up to ``most``, in the order of the abstract.

    A best sentence that leans on the one before it ("It …") brings that one along.
    """
    if not evidence:
        return ()
    ranked = sorted(evidence, key=lambda item: (-item.score, item.sentence.index))
    best = ranked[0]
    if points_back(best.sentence.text):
        ranked[1:] = sorted(
            ranked[1:], key=lambda item: item.sentence.index != best.sentence.index - 1
        )
    chosen, length = [best], 0
    for item in ranked[1:most]:
        length += len(item.sentence.text)
        if length > LONGEST or item.score < LEAST * best.score:
            break
        chosen.append(item)
    return tuple(sorted(chosen, key=lambda item: item.sentence.index))


def text_of(evidence: Sequence[Evidence]) -> str:
    """Return quoted sentences as one text, with a mark where some were left out between them."""
    pieces: list[str] = []
    for i, item in enumerate(evidence):
        if i and item.sentence.index != evidence[i - 1].sentence.index + 1:
            pieces.append("…")
        pieces.append(item.sentence.text)
    return " ".join(pieces)
