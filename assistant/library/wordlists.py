"""Write long lists of words as text."""

from __future__ import annotations


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(words.split())
