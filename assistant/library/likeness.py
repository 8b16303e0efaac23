"""How alike two titles, two abstracts or two lists of authors are."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence

from rapidfuzz import fuzz

from assistant.library import cleaning, people
from assistant.library.wordlists import listed

LONG = 200
"""Characters; a text of that length that is the same is no coincidence."""

ALIKE_TITLES = 85.0
VERSIONS = 0.6
"""Share of the shorter text's words that two versions of an abstract have in common at least."""

_NEARLY = 95.0
_KEYS = 4
_SHINGLE = 4
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LEAST_LETTERS = 4
_LONG_TITLE = 20
_KINDS = re.compile(
    r"\b(?:erratum|errata|corrigendum|corrigenda|correction|retraction|retracted|withdrawn|reply"
    r"|response|comments?|commentary|addendum|expression of concern|author response|rebuttal)\b"
)
_PART = re.compile(r"\b(?:[ivx]{1,5}|\d+)\b")
_GENERIC = frozenset(
    listed("""
    abstract abstracts acknowledgements acknowledgments announcement announcements appendix
    biography bibliography bookreview bookreviews books calendar commentary comment comments
    conclusion conclusions conferencereport contents contributors correction corrections
    correspondence discussion editorial editorials editorialboard editorsnote erratum errata events
    foreword frontmatter fromtheeditor glossary inbrief index inmemoriam interview introduction
    invitedcommentary issueinformation letter letters lettertotheeditor letterstotheeditor
    masthead news newsandviews noticeboard obituary obituaries opinion overview perspective
    postersession preface prologue references reply response review reviews specialissue summary
    tableofcontents thisissue untitled viewpoint welcome
    """)
)


def near_keys(folded: str) -> tuple[int, ...]:
    """Return a few numbers that texts have in common if nearly all their words are the same.

    The smallest hashes of runs of words: what changes a few words leaves most of them.
    """
    words = _WORD.findall(folded)
    if len(words) < 2 * _SHINGLE:
        return ()
    joined = (
        " ".join(words[start : start + _SHINGLE]).encode()
        for start in range(len(words) - _SHINGLE + 1)
    )
    return tuple(sorted({zlib.crc32(shingle) for shingle in joined})[:_KEYS])


def nearly_same(one: str, other: str) -> bool:
    """Tell whether two abstracts differ in no more than a few letters, and in no number."""
    if not one or not other:
        return False
    a, b = cleaning.normalized(one), cleaning.normalized(other)
    if sorted(_NUMBER.findall(a)) != sorted(_NUMBER.findall(b)):
        return False
    return fuzz.ratio(a, b, score_cutoff=_NEARLY) > 0


def of_texts(one: str, other: str) -> float:
    """Return which share of the shorter text's words stand in the other as well, 0 to 1."""
    a, b = _words(one), _words(other)
    return len(a & b) / max(1, min(len(a), len(b)))


def of_titles(one: str, other: str) -> float | None:
    """Return how alike two titles are, 0 to 100; None where one is missing."""
    if not one or not other:
        return None
    a, b = _simple(one), _simple(other)
    ratio = fuzz.token_sort_ratio(a, b)
    if min(len(a), len(b)) < _LONG_TITLE:
        return ratio
    return max(ratio, fuzz.token_set_ratio(a, b))  # with and without a subtitle


def other_part(one: str, other: str) -> bool:
    """Tell whether titles are of different parts, or one of a correction to the other."""
    if not one or not other:
        return False
    a, b = _simple(one), _simple(other)
    if set(_KINDS.findall(a)) != set(_KINDS.findall(b)):
        return True
    return sorted(_PART.findall(a)) != sorted(_PART.findall(b))


def generic(title: str) -> bool:
    """Tell whether a title is one that many papers have."""
    return "".join(char for char in _simple(title) if char.isalnum()) in _GENERIC


def share_author(some: Sequence[str], others: Sequence[str]) -> bool | None:
    """Tell whether two lists have a family name in common; None where one is empty."""
    if not some or not others:
        return None
    families = [{_simple(people.parts(name)[0]) for name in names} for names in (some, others)]
    return bool(families[0] & families[1])


def _words(text: str) -> set[str]:
    folded = cleaning.normalized(text)
    long = {word for word in _WORD.findall(folded) if len(word) >= _LEAST_LETTERS}
    # languages without blanks have no words to count
    return long or {folded[start : start + 2] for start in range(len(folded) - 1)}


def _simple(text: str) -> str:
    plain = cleaning.normalized(text)
    letters = unicodedata.normalize("NFKD", plain)
    bare = "".join(char for char in letters if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w]+", " ", bare).split())
