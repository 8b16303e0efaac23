"""Hide what reasoning models think: only text outside ``<think> … </think>`` is shown."""

from __future__ import annotations

_OPEN = ("<think>", "<thinking>")
_CLOSE = ("</think>", "</thinking>")


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
            tags = _CLOSE if self._inside else _OPEN + _CLOSE
            found = _first(self._held, tags)
            if found is None:
                break
            at, tag = found
            if not self._inside and tag in _OPEN:
                visible += self._held[:at]
            self._inside = tag in _OPEN
            self._held = self._held[at + len(tag) :]
        keep = _partial_tag(self._held)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return visible if self._inside else visible + ready

    def close(self) -> str:
        """End the stream; return what was held back and is visible after all."""
        rest, self._held = self._held, ""
        return "" if self._inside else rest


def _first(text: str, tags: tuple[str, ...]) -> tuple[int, str] | None:
    found = [(at, tag) for tag in tags if (at := text.lower().find(tag)) >= 0]
    return min(found) if found else None


def _partial_tag(text: str) -> int:
    """Return how many characters at the end of ``text`` may be the beginning of a tag."""
    lowered = text.lower()
    for length in range(min(len(lowered), max(map(len, _OPEN + _CLOSE)) - 1), 0, -1):
        if any(tag.startswith(lowered[-length:]) for tag in _OPEN + _CLOSE):
            return length
    return 0
