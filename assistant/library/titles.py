"""Titles compared: their letters alone, their parts, and whether many papers have the same."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz

from assistant.library import cleaning
from assistant.library.wordlists import listed

_LONG = 20  # characters; a title that short is not compared by its beginning
_LONGEST = 300
_KNOWN = 8192
_PART = re.compile(r"\b(?:[ivx]{1,5}|\d+)\b")
_BREAK = re.compile(r"[:?!.;]\s|\s[-\u2013\u2014]\s|[\u2014\uff1a\uff1f\u3002]|\s\(|\s\[")
_ROMAN = {"i": 1, "v": 5, "x": 10}
_KINDS = {
    word: kind
    for kind, words in {
        "correction": "erratum errata corrigendum corrigenda correction corrections addendum",
        "retraction": "retraction retracted withdrawn withdrawal",
        "reply": "reply replies response rebuttal",
        "comment": "comment comments commentary",
    }.items()
    for word in words.split()
}
_ALWAYS = frozenset(listed("erratum errata corrigendum corrigenda retraction retracted"))
_EDGE = 2  # words at the beginning and at the end, where a title says what it is
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
    tableofcontents thisissue untitled viewpoint welcome casereport guesteditorial authorsreply
    authorreply backmatter corrigendum retraction einleitung vorwort inhalt notes tocs
    """)
)


@lru_cache(_KNOWN)
def simple(title: str) -> str:
    """Return a title as bare words: no case, no accents, no marks."""
    return " ".join(_bare(title[:_LONGEST]).split())


def words(text: str) -> list[str]:
    """Return the words of a text of any length, folded as those of a title are."""
    return _bare(text).split()


def key(title: str) -> str:
    """Return the letters and digits of a title, by which like titles are found."""
    return simple(title).replace(" ", "")


def head_key(title: str) -> str:
    """Return the key of what stands before a subtitle; empty where there is none."""
    plain = cleaning.plain(title[:_LONGEST]).text
    found = _BREAK.search(plain)
    return key(plain[: found.start()]) if found else ""


def equal(one: str, other: str) -> bool:
    """Tell whether titles have the same letters."""
    return bool(one) and key(one) == key(other) != ""


def extended(one: str, other: str) -> bool:
    """Tell whether one title is the other with a subtitle."""
    if not one or not other:
        return False
    return key(one) == head_key(other) != "" or key(other) == head_key(one) != ""


@lru_cache(_KNOWN)
def likeness(one: str, other: str) -> float | None:
    """Return how alike two titles are, 0 to 100; None where one is missing."""
    if not one or not other:
        return None
    a, b = simple(one), simple(other)
    ratio = max(fuzz.token_sort_ratio(a, b), fuzz.ratio(a.replace(" ", ""), b.replace(" ", "")))
    if min(len(a), len(b)) < _LONG:
        return ratio
    return max(ratio, fuzz.token_set_ratio(a, b))  # with and without a subtitle


def kinds(title: str) -> frozenset[str]:
    """Return what its title makes a paper to another one, such as a correction or a reply."""
    words = simple(title).split()
    edge = {*range(_EDGE), *range(len(words) - _EDGE, len(words))}
    return frozenset(
        _KINDS[word]
        for index, word in enumerate(words)
        if word in _KINDS
        and (word in _ALWAYS or index in edge or words[index + 1 : index + 2] in (["to"], ["on"]))
    )


def parts(title: str) -> list[int]:
    """Return the numbers of a title, Roman ones as well, in order of size."""
    return sorted(map(_number, _PART.findall(simple(title))))


def other_part(one: str, other: str) -> bool:
    """Tell whether titles are of different parts, or one of a correction to the other."""
    if not one or not other or equal(one, other):
        return False
    return kinds(one) != kinds(other) or parts(one) != parts(other)


def generic(title: str) -> bool:
    """Tell whether a title is one that many papers have."""
    return key(title) in _GENERIC


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFKD", cleaning.normalized(text))
    bare = "".join(char for char in letters if not unicodedata.combining(char))
    return re.sub(r"[^\w]+|_", " ", bare)


def _number(word: str) -> int:
    if word[0] not in _ROMAN:
        return int(word)
    values = [_ROMAN[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )
