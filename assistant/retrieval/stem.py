"""Cut English words to their stems, so that "generating" finds "generates".

The rules are those that Martin Porter published in 1980, as ordered (suffix, replacement) tables.
A stem is a key for matching and nothing that a reader sees; names that look like English words
are cut as well, which is harmless because texts and queries are cut alike.
"""

from __future__ import annotations

import re
from functools import lru_cache

# One letter a character: a vowel is "v", a consonant "c"; y after a consonant is a vowel.
_VOWELS = frozenset("aeiou")
_VC = re.compile("v+c+")

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "ion", "al", "er", "ic", "ou",
)  # fmt: skip
_SHORTEST = 3


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of one lower-case word of letters a-z; anything else comes back as it is."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP_2)
    word = _replace(word, _STEP_3)
    word = _drop(word)
    return _final(word)


def _shape(word: str) -> str:
    shape = ""
    for letter in word:
        is_vowel = letter in _VOWELS or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Count the vowel-consonant pairs, Porter's length of a stem."""
    return len(_VC.findall(_shape(word)))


def _ends_short(word: str) -> bool:
    """Tell whether a word ends like "hop": consonant, vowel, consonant other than w, x, y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word[: -len(suffix)]
        if word.endswith(suffix) and "v" in _shape(rest):
            return _mend(rest)
    return word


def _mend(rest: str) -> str:
    """Put back what -ed and -ing took: "scal" to "scale", "hopp" to "hop"."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    doubled = len(rest) > 1 and rest[-1] == rest[-2] and _shape(rest)[-1] == "c"
    if doubled and rest[-1] not in "lsz":
        return rest[:-1]
    if _measure(rest) == 1 and _ends_short(rest):
        return rest + "e"
    return rest


def _replace(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in table:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _drop(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if _measure(rest) > 1 and (suffix != "ion" or rest.endswith(("s", "t"))):
                return rest
            return word
    return word


def _final(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        length = _measure(rest)
        if length > 1 or (length == 1 and not _ends_short(rest)):
            word = rest
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
