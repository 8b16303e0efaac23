"""Passages: whole sentences, as many as the embedder reads without cutting, evenly filled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.library.cleaning import PlainText
from assistant.types import Passage, Sentence

_MOST_A_JOINT = 6
_WORD = re.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or a part of an over-long one."""

    start: int
    end: int
    text: str
    tokens: int


def make(
    sentences: Sequence[Sentence],
    count_tokens: Callable[[str], int],
    max_tokens: int,
    plain: PlainText | None = None,
) -> tuple[Passage, ...]:
    """Return passages of at most ``max_tokens`` tokens each, in order, nothing left out.

    A sentence that is over-long alone is cut between words; with ``plain``, the text that the
    sentences were split from, its parts carry exact spans, without it that of their sentence.
    """
    if not sentences:
        return ()
    pieces = [
        piece for sentence in sentences for piece in _fit(sentence, count_tokens, max_tokens, plain)
    ]
    groups = _balanced([piece.tokens for piece in pieces], max_tokens)
    return tuple(
        _passage(sentences[0].paper_id, part)
        for start, end in groups
        for part in _checked(pieces[start:end], count_tokens, max_tokens)
    )


def _passage(paper_id: str, pieces: Sequence[_Piece]) -> Passage:
    text = _joined(pieces)
    start, end = pieces[0].start, pieces[-1].end
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Passage(f"{paper_id}:{start}-{end}:{digest}", paper_id, start, end, text)


def _joined(pieces: Sequence[_Piece]) -> str:
    return " ".join(piece.text for piece in pieces)


def _checked(
    pieces: Sequence[_Piece], count_tokens: Callable[[str], int], max_tokens: int
) -> Iterator[Sequence[_Piece]]:
    """Yield the pieces whole, or in halves where joining cost tokens that the sum did not show."""
    # joining costs a token or none; counting is dear and left out where there is room to spare
    surely = sum(piece.tokens + _MOST_A_JOINT for piece in pieces) <= max_tokens
    if len(pieces) == 1 or surely or count_tokens(_joined(pieces)) <= max_tokens:
        yield pieces
        return
    middle = len(pieces) // 2
    yield from _checked(pieces[:middle], count_tokens, max_tokens)
    yield from _checked(pieces[middle:], count_tokens, max_tokens)


def _balanced(sizes: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Return the fewest groups under ``limit``, the largest of them as small as can be."""
    fewest = len(_greedy(sizes, limit))
    low, high = max(*sizes, sum(sizes) // fewest, 1), limit
    while low < high:
        middle = (low + high) // 2
        if len(_greedy(sizes, middle)) <= fewest:
            high = middle
        else:
            low = middle + 1
    return _greedy(sizes, high)


def _greedy(sizes: Sequence[int], limit: int) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    start = filled = 0
    for index, size in enumerate(sizes):
        if index > start and filled + size > limit:
            groups.append((start, index))
            start, filled = index, 0
        filled += size
    groups.append((start, len(sizes)))
    return groups


def _fit(
    sentence: Sentence, count_tokens: Callable[[str], int], limit: int, plain: PlainText | None
) -> Iterator[_Piece]:
    """Yield the sentence whole, or cut so that every part fits."""
    tokens = count_tokens(sentence.text)
    if tokens <= limit:
        yield _Piece(sentence.start, sentence.end, sentence.text, tokens)
        return
    base = plain.text.find(sentence.text, plain.plain_start(sentence.start)) if plain else -1
    for start, end in _cuts(sentence.text, count_tokens, limit):
        text = sentence.text[start:end]
        span = (sentence.start, sentence.end)
        if plain and base >= 0:
            span = plain.original_span(base + start, base + end)
        yield _Piece(*span, text, count_tokens(text))


def _cuts(text: str, count_tokens: Callable[[str], int], limit: int) -> Iterator[tuple[int, int]]:
    """Yield slices of at most ``limit`` tokens, cut between words, or inside one that is too long.

    Lengths are doubled and halved rather than grown word by word: counting is the cost.
    """
    start = 0
    while start < len(text):
        end = _longest(text, start, count_tokens, limit)
        if end < len(text):
            blank = text.rfind(" ", start + 1, end + 1)
            end = blank if blank > start else end
        yield start, len(text[:end].rstrip()) or end
        start = end
        while start < len(text) and text[start] == " ":
            start += 1


def _longest(text: str, start: int, count_tokens: Callable[[str], int], limit: int) -> int:
    """Return the furthest end for which the slice from ``start`` fits; at least one character."""
    low, high = 1, min(len(text) - start, limit * 20)
    if count_tokens(text[start : start + high]) <= limit:
        return start + high
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[start : start + middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return start + low
