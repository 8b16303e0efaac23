"""Sentences of an abstract, with spans into the abstract as it came."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from assistant.library.cleaning import PlainText
from assistant.types import Sentence

_CHUNK = 50_000
"""Characters handed to the splitter at once; no abstract has as many."""

_CJK_END = re.compile(r"(?<=[。！？])(?=[^\s。！？”’」』）)])")
_LOCK = threading.Lock()


def split(plain: PlainText, paper_id: str) -> tuple[Sentence, ...]:
    """Return the sentences in order; their spans address the original text."""
    found: list[Sentence] = []
    for begin, stop in _spans(plain.text):
        text = plain.text[begin:stop].strip()
        if text:
            start = plain.text.index(text, begin)
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
    for start, end in spans:
        cuts = [match.start() + start for match in _CJK_END.finditer(text[start:end])]
        yield from zip([start, *cuts], [*cuts, end], strict=True)


@lru_cache(maxsize=1)
def _splitter() -> Any:
    import nupunkt

    return nupunkt.load_default_model()
