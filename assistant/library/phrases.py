"""Small tools for turning a stretch of an abstract into a name: cut, clean, inflect."""

from __future__ import annotations

import re

from assistant.library.wordlists import listed

MAX_HANDLE = 90
"""Characters."""

_ENOUGH = 48
"""Characters after which a comma is a good place to end a name."""

_LOOSE = 17
"""Characters of an end that may hang loose."""

_WEAK = frozenset(
    listed("""
    a an the of for and or to in on at by with from via into as that which while where when
    their its this these those is are be can could our we than over under between through using
    based across without within both more most such not only how whether i.e. e.g. it one has
    have was were been may might will would should after before during against toward towards
    about per each any all some if so yet but then thus also who whose what why there
""")
)
_PRAISE = re.compile(
    r"^(?P<article>an?|the)\s+"
    r"(?:(?:(?:simple|novel|new|straightforward)\s*,?\s+(?:yet|but|and)\s+[a-z-]+"
    r"|novel|innovative|comprehensive|elegant|new|simple|powerful|effective|principled"
    r"|theoretically[\s-]grounded|more\s+in-depth|in-depth|brand-new|first|systematic|practical"
    r"|first-of-its-kind)\b,?\s+)+",
    re.IGNORECASE,
)
_KEPT_AFTER_PRAISE = re.compile(r"(?:type|class|family|kind|way|form|notion|paradigm|set)\b")
_PARENTHESIS = re.compile(r"\s*\((?:e\.g\.|i\.e\.|see |cf\.|[^()]*\b(?:19|20)\d\d)[^()]*\)")
_STOP = re.compile(r"[,;:]\s|\s?[—–]\s?|\s?--\s?")
_STRAY = re.compile(r"\b([A-Za-z]?[a-z]+)([A-Z])([a-z]+)\b|\b([A-Za-z][a-z]{2,})([A-Z])\b")


def shorten(text: str, limit: int = MAX_HANDLE) -> str:
    """Return ``text`` if it fits, else its beginning up to a comma, or to a word and "…"."""
    text = _balanced(text.strip(" ,;:.?—–-"))
    if len(text) <= limit:
        return without_weak_end(text)
    stops = [match.start() for match in _STOP.finditer(text, 0, limit + 2)]
    stops = [stop for stop in stops if _ENOUGH <= stop <= limit and _is_whole(text[:stop])]
    if stops:
        return text[: stops[-1]]
    cut = text[:limit]  # one character of the limit is for the mark
    blank = cut.rfind(" ")
    kept = cut[:blank] if blank > limit // 3 else cut[:-1]
    following = text[len(kept) :].split()[:1]
    whole = without_weak_end(kept) != kept or any(is_weak(word) for word in following)
    ended = without_weak_end(_balanced(kept))
    return f"{ended if whole else _without_loose_end(ended)}…"


def _without_loose_end(text: str) -> str:
    """Return cut text without a last "for arbitrary", whose noun is cut off."""
    words = text.split(" ")
    weak = [number for number, word in enumerate(words) if word.lower() in _WEAK]
    shorter = " ".join(words[: weak[-1]]) if weak else ""
    loose = text[len(shorter) :]
    # a name tells the reader something even without what follows
    if len(loose) > _LOOSE or len(shorter) < _ENOUGH or loose != loose.lower():
        return text
    return without_weak_end(shorter)


def without_weak_end(text: str) -> str:
    """Return ``text`` without articles and prepositions that lead nowhere."""
    words = text.split(" ")
    while len(words) > 1 and words[-1].strip(",;:()").lower() in _WEAK:
        words.pop()
    return " ".join(words).rstrip(" ,;:—–-(")


def unpraised(phrase: str) -> str:
    """Return a noun phrase without "novel", "simple yet effective" and the like."""
    phrase = re.sub(r"^[Nn]ovel\s+(?=[a-z])", "", phrase)
    match = _PRAISE.match(phrase)
    rest = phrase[match.end() :] if match else ""
    if not match or not rest or _KEPT_AFTER_PRAISE.match(rest):
        return phrase
    article = match["article"]
    if article.lower() != "the":
        article = _article(rest, capital=article[0].isupper())
    return f"{article} {rest}"


def without_asides(text: str) -> str:
    """Return ``text`` without examples and citations in parentheses."""
    return _PARENTHESIS.sub("", text)


def capitalised(text: str) -> str:
    """Return ``text`` with a capital first letter, unless its first word has its own capitals."""
    first = text.split(" ", 1)[0]
    return text if any(char.isupper() for char in first[1:]) else text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """Return ``text`` with its first article or ordinary word in lower case."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first.lower() in _WEAK else text


def spelled(expansion: str) -> str:
    """Return an expansion without the capitals that only show where its acronym comes from."""
    return _STRAY.sub(lambda match: f"{match[0][0]}{match[0][1:].lower()}", expansion)


def gerund(verb: str) -> str:
    """Return the -ing form of a verb in its base form."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]|(?:re|in|pre|de|con)fer|occur", verb):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def content_words(text: str) -> list[str]:
    """Return the lower-case words of a text that carry meaning."""
    return [word for word in re.findall(r"[a-z][a-z0-9-]{2,}", text.lower()) if word not in _WEAK]


def is_weak(word: str) -> bool:
    """Tell whether a word is an article, a preposition or the like."""
    return word.lower() in _WEAK


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, or bare where it is many."""
    return noun if noun.endswith("s") else f"{_article(noun, capital=False)} {noun}"


def lowered(words: str) -> str:
    """Return the words of an expansion in lower case where they are ordinary words."""
    return " ".join(
        word.lower() if re.fullmatch(r"[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*", word) else word
        for word in words.split()
    )


def _article(word: str, *, capital: bool) -> str:
    first = word.split(" ", 1)[0].split("-", maxsplit=1)[0]
    if re.match(r"(?:uni(?!n|m)|use|eu|one\b|ut)", first, re.IGNORECASE):
        vowel = False
    elif first.isupper() and len(first) > 1:
        vowel = first[0] in "AEFHILMNORSX"
    else:
        vowel = first[:1].lower() in "aeiou" or first.startswith(("hour", "honest"))
    article = "an" if vowel else "a"
    return article.capitalize() if capital else article


def _is_whole(text: str) -> bool:
    """Tell whether a cut here leaves no parenthesis open and no "e.g." hanging."""
    opened = text.count("(") != text.count(")") or text.count("“") != text.count("”")
    return not opened and not text.endswith(("e.g.", "i.e.", "vs."))


def _balanced(text: str) -> str:
    """Return ``text`` up to a parenthesis that has no partner."""
    depth = opened = 0
    for index, char in enumerate(text):
        if char == "(":
            opened = index if not depth else opened
            depth += 1
        elif char == ")":
            depth -= 1
            if depth < 0:
                return text[:index].rstrip(" ,;:") or text
    kept = text[:opened].rstrip(" ,;:") if depth else text
    return kept or text
