"""Abstracts as OpenAlex gives them: words with the places where they stand."""

from __future__ import annotations

from typing import Any

from assistant.library.readers.common import MAX_ABSTRACT


def text_of(index: Any) -> str:
    """Return the text of an inverted index ``{"word": [0, 5], …}``; an empty one for anything else.

    Words are put in the order of their places, whatever places are missing.
    """
    if not isinstance(index, dict):
        return ""
    if isinstance(index.get("InvertedIndex"), dict):
        index = index["InvertedIndex"]
    placed: list[tuple[int, str]] = []
    for word, places in index.items():
        if isinstance(places, list) and len(placed) <= MAX_ABSTRACT:
            placed += [(place, str(word)) for place in places[:MAX_ABSTRACT] if type(place) is int]
    return " ".join(word for _, word in sorted(placed, key=lambda item: item[0]))
