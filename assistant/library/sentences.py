"""Sentences of an abstract, with spans into the abstract as it came."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from assistant.library import sections
from assistant.library.cleaning import PlainText
from assistant.types import Sentence

_CHUNK = 50_000
"""Characters handed to the splitter at once; no abstract has as many."""

# Where the splitter does not cut but a sentence ends: CJK, and a blank that was lost at a line end
_MISSED = re.compile(
    r"(?<=[。！？])(?=\s?[^\s。！？”’」』）)])"
    r"|(?<=[a-z][a-z]\.)(?=(?:[A-Z][a-z]+|A|I),?\s)(?<!www\.)"
    r"|(?<=\)\.)(?=[A-Z][a-z]+,?\s)"
)
# What ends with a full stop and not with a sentence, when the next word begins small
_ABBREVIATED = re.compile(
    r"(?:\b(?:[a-z]\.)+|\b(?:vs|etc|al|dev|cf|resp|approx|ca|wt|Fig|Figs|Eq|Eqs|Sec|No|Ref|St"
    r"|Dr)\.)\s*$"
)
# A section that begins where the full stop of the one before is missing
_SECTION = re.compile(
    r"(?<=[a-z0-9)%] )(?=(?:BACKGROUND|INTRODUCTION|CONTEXT|OBJECTIVES?|AIMS?|PURPOSE|METHODS?"
    r"|MATERIALS?"
    r"|PATIENTS|DESIGN|SETTING|RESULTS?|FINDINGS|CONCLUSIONS?|INTERPRETATION|DISCUSSION)"
    r"(?:,?[ /&-]{1,3}[A-Z]+){0,5}: )"
)
_LOCK = threading.Lock()


def split(
    plain: PlainText, paper_id: str, part: tuple[int, int] | None = None
) -> tuple[Sentence, ...]:
    """Return the sentences in order, of a ``part`` of the plain text or of all of it.

    Their spans address the original text.
    """
    found: list[Sentence] = []
    offset, last = part or (0, len(plain.text))
    for begin, stop in _spans(plain.text[offset:last]):
        text = plain.text[offset + begin : offset + stop].strip()
        if text:
            start = plain.text.index(text, offset + begin)
            first, last = plain.original_span(start, start + len(text))
            found.append(Sentence(paper_id, len(found), first, last, text))
    return tuple(found)


def pieces(plain_text: str) -> list[str]:
    """Return the sentences of a plain text as text alone."""
    found = (plain_text[start:end].strip() for start, end in _spans(plain_text))
    return [text for text in found if text]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the slices of sentences, in order and without a gap."""
    offset = 0
    while offset < len(text):
        end = len(text)
        if end - offset > _CHUNK:
            blank = text.rfind(" ", offset + _CHUNK // 2, offset + _CHUNK)
            end = blank + 1 if blank > 0 else offset + _CHUNK
        for start, stop in _sentences(text[offset:end]):
            yield offset + start, offset + stop
        offset = end


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    with _LOCK:  # the splitter keeps caches that are not made for threads
        spans = list(_splitter().span_tokenize(text))
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        before = text[joined[-1][0] : start] if joined else ""
        if before and (_hangs_on(text[start], before) or sections.is_only_label(before)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    for start, end in joined:
        cuts = [
            match.start() for match in _MISSED.finditer(text, start, end) if _clear(text, match)
        ]
        if ": " in text[start:end]:
            cuts = sorted({*cuts, *(m.start() for m in _SECTION.finditer(text, start, end))})
        yield from zip([start, *cuts], [*cuts, end], strict=True)


def _hangs_on(char: str, before: str) -> bool:
    """Tell whether a sentence that begins so is no new one: an abbreviation stood before it."""
    return (char.islower() or char.isdigit()) and _ABBREVIATED.search(before) is not None


def _clear(text: str, match: re.Match[str]) -> bool:
    """Tell whether a place to cut is not inside an address."""
    word = text[text.rfind(" ", 0, match.start()) + 1 : match.start()]
    return "/" not in word and "@" not in word


@lru_cache(maxsize=1)
def _splitter() -> Any:
    import nupunkt

    return nupunkt.load_default_model()
