"""Words of a query that the library does not hold, and those that were meant.

A slip is one letter wrong, missing, too many or swapped with its neighbour, two in a long word.
What the library holds is never changed, so a name that is known stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from string import ascii_lowercase

from rapidfuzz.distance import OSA

from assistant.retrieval.lexical import TermStats, content_units, tokenise

_LEAST = 5  # letters; shorter words are near to many others
_LONG = 9  # letters, from which on two slips are allowed
_LONGEST = 40  # letters; what is longer is no word, and has thousands of neighbours
_MOST = 8  # unknown words of a query that are looked at
_WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")


def slips(length: int) -> int:
    """Return how many letters may be wrong in a word of this length."""
    return 0 if length < _LEAST else 1 if length < _LONG else 2


def words(text: str) -> list[str]:
    """Return the words of a text as they are written."""
    return _WORD.findall(text)


def unknown(
    query: str, stats: TermStats, common: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield the words that the library does not hold in any part, each with its term.

    A ``common`` word is no slip, also where the library does not use it.
    """
    found = 0
    for word in dict.fromkeys(words(query)):
        units = content_units(word)
        if found == _MOST:
            return
        if len(word) > _LONGEST or len(units) != 1 or not word.isascii():
            continue
        term = units[0].wholes[0]
        held = any(map(stats.df, (*units[0].wholes, *units[0].parts)))
        if slips(len(term)) and not held and not common(word):
            found += 1
            yield word, term


def variants(word: str) -> dict[str, list[str]]:
    """Return what a word may be with one slip mended, by the term that these are looked up as.

    Terms are stems, and a slip in an ending keeps a stem from being one: "quantizaton". So the
    word is mended, not the stem.
    """
    low = word.lower()
    halves = [(low[:at], low[at:]) for at in range(len(low) + 1)]
    mended = [a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1]
    mended += [a + b[1:] for a, b in halves if b]
    mended += [a + letter + b for a, b in halves for letter in ascii_lowercase]
    mended += [a + letter + b[1:] for a, b in halves if b for letter in ascii_lowercase]
    found: dict[str, list[str]] = {}
    for other in dict.fromkeys(mended):
        terms = tokenise(other)
        if len(terms) == 1 and len(other) >= _LEAST - 1:
            found.setdefault(terms[0], []).append(other)
    return found


def nearest(term: str, texts: Iterable[str], stats: TermStats) -> str:
    """Return the word of the texts that is nearest in spelling; the commoner of two as near."""
    best, found = (slips(len(term)) + 1, 0), ""
    for text in texts:
        for word in words(text):
            terms = tokenise(word)
            if not terms or abs(len(terms[0]) - len(term)) > slips(len(term)):
                continue
            distance = OSA.distance(terms[0], term, score_cutoff=slips(len(term)))
            rank = (distance, -stats.df(terms[0]))
            if distance <= slips(len(term)) and rank < best:
                best, found = rank, word
    return found


def alike(word: str, other: str) -> bool:
    """Tell whether two words are near as they are written: their stems alone may deceive."""
    most = slips(len(word)) + 1
    return OSA.distance(word.lower(), other.lower(), score_cutoff=most) <= most


def replaced(query: str, word: str, other: str) -> str:
    """Return the query with every use of a word written as another."""
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: other, query)
