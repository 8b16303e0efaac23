"""Hide what reasoning models think: only text outside ``<think> … </think>`` is shown."""

from __future__ import annotations

import re

_OPEN = ("<think>", "<thinking>")
_CLOSE = ("</think>", "</thinking>")
# Patterns, since lowering the case of a whole text may change its length.
_TAG = re.compile("|".join(map(re.escape, _OPEN + _CLOSE)), re.IGNORECASE | re.ASCII)
_LONGEST = max(map(len, _OPEN + _CLOSE))
_CLOSING = re.compile("|".join(map(re.escape, _CLOSE)), re.IGNORECASE | re.ASCII)


def is_tag(text: str) -> bool:
    """Tell whether ``text`` opens or closes a thought."""
    return _TAG.fullmatch(text) is not None


def opens_thought(prompt: str) -> bool:
    """Tell whether a rendered prompt opens the thought itself, so that the reply starts inside."""
    return prompt.rstrip().endswith(_OPEN)


class VisibleText:
    """Filter a stream of pieces; a tag may be split over pieces.

    Some templates open the thought in the prompt, so that the reply starts inside it and only a
    closing tag is seen. Text before an unmatched closing tag cannot be taken back once yielded,
    which is why callers show a reply as provisional until it is finished.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._inside = inside
        self._held = ""

    def feed(self, piece: str) -> str:
        """Take a piece; return the text that is now known to be visible."""
        self._held += piece
        visible = ""
        while True:
            tag = (_CLOSING if self._inside else _TAG).search(self._held)
            if tag is None:
                break
            opens = not tag.group().startswith("</")
            if opens:
                visible += self._held[: tag.start()]
            self._inside = opens
            self._held = self._held[tag.end() :]
        keep = _partial_tag(self._held)
        known = len(self._held) - keep
        ready, self._held = self._held[:known], self._held[known:]
        return visible if self._inside else visible + ready

    def close(self) -> str:
        """End the stream; return what was held back and is visible after all."""
        rest, self._held = self._held, ""
        return "" if self._inside else rest


def _partial_tag(text: str) -> int:
    """Return how many characters at the end of ``text`` may be the beginning of a tag."""
    lowered = text[-_LONGEST:].lower()
    for length in range(min(len(lowered), _LONGEST - 1), 0, -1):
        if any(tag.startswith(lowered[-length:]) for tag in _OPEN + _CLOSE):
            return length
    return 0
