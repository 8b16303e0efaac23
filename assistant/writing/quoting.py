"""Quotes: which sentences of a paper stand for it, word for word."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.retrieval.cues import points_back
from assistant.types import Evidence
from assistant.writing import asking
from assistant.writing.verify import Verdict

# The best sentence holds the fact asked for in six of ten questions, the best two in seven, the
# best three in nine; more than that is no longer an answer but the abstract.
FOR_A_FACT = 2
FOR_A_REASON = 3
LEAST = 0.6  # of the best score
_EMPTY = ("form", "answers")  # checks that fail where nothing was said
LONGEST = 700  # characters of quotes beyond the first sentence


def choose(question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the best sentences in the order of the abstract: two, or three for a why or how.

    A best sentence that leans on the one before it ("It …") brings that one along.
    """
    if not evidence:
        return ()
    ranked = sorted(evidence, key=lambda item: (-item.score, item.sentence.index))
    best = ranked[0]
    wanted = FOR_A_REASON if asking.asks_for_reason(question) else FOR_A_FACT
    if points_back(best.sentence.text):
        ranked[1:] = sorted(
            ranked[1:], key=lambda item: item.sentence.index != best.sentence.index - 1
        )
    chosen, length = [best], 0
    for item in ranked[1:wanted]:
        length += len(item.sentence.text)
        if length > LONGEST or item.score < LEAST * best.score:
            break
        chosen.append(item)
    return tuple(sorted(chosen, key=lambda item: item.sentence.index))


def with_hint(question: str, evidence: Sequence[Evidence], failed: Verdict) -> tuple[Evidence, ...]:
    """Return the quotes that stand in for a statement that failed, with the sentence it drew on.

    A statement that only said the question again drew on nothing.
    """
    chosen = choose(question, evidence)
    if any(check.name in _EMPTY and not check.passed for check in failed.checks):
        return chosen
    hint = max(failed.evidence, key=lambda item: item.score, default=None)
    if hint is None or any(item.sentence == hint.sentence for item in chosen):
        return chosen
    kept = sorted(chosen, key=lambda item: -item.score)[: FOR_A_REASON - 1]
    return tuple(sorted([*kept, hint], key=lambda item: item.sentence.index))


def text_of(evidence: Sequence[Evidence]) -> str:
    """Return quoted sentences as one text, with a mark where some were left out between them."""
    pieces: list[str] = []
    for i, item in enumerate(evidence):
        if i and item.sentence.index != evidence[i - 1].sentence.index + 1:
            pieces.append("…")
        pieces.append(item.sentence.text)
    return " ".join(pieces)
