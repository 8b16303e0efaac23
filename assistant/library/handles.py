"""A readable name for a paper without a title, from its own words.

"PPDiff: a diffusion model to jointly design …" where the authors name what they made,
"A graph-theoretic framework for analyzing …" where they do not. Found by how abstracts speak,
in English; other languages get their first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.library import contribution, names, naming, phrases, sentences
from assistant.library.naming import Name

MAX_HANDLE = phrases.MAX_HANDLE

_URL = re.compile(r"https?://[^\s<>{}\[\]]+")
_TRAILING = ".,;:!?*_'\"\\$”’"
_PLENTY = 8_000
"""Characters of an abstract that are looked at."""

_LABEL = re.compile(r"^[A-Z][A-Z /&-]{3,40}:\s+")
_LEAST_WORDS = 2
_NAMED_NEXT = re.compile(r"(?:,|named|called|termed|dubbed|namely)\s*[\"“'‘`]*$")
_DEFINED = re.compile(r"\(([A-Z][A-Za-z-]{1,7})\)")
_CLAUSE = ("that ", "which ", "to ", "for ", "based on ", "with ", "in which ", "where ", "by ")


def handle(plain_text: str) -> str:
    """Return a name of at most 90 characters: the method and what it is, or what is done."""
    text = re.sub(r" +(?=[,;:.]\s)", "", plain_text[:_PLENTY])
    said = sentences.pieces(text)
    clauses = contribution.clauses(said)
    name = naming.own_name(said, clauses, code_links(text))
    phrase = contribution.best_phrase(said, clauses)
    if name and not _without(phrase, name.name):
        phrase = contribution.best_phrase(said, clauses, without=name.name)
    chosen = _titled(name, phrase) if name else phrase or _LABEL.sub("", said[0] if said else "")
    if not name or not chosen.startswith(name.name) or " " in name.name:
        chosen = phrases.capitalised(chosen)
    return _spelled_out(phrases.shorten(chosen), said) or "Untitled abstract"


def _titled(name: Name, phrase: str) -> str:
    """Return "NAME: what it stands for, what it is"."""
    what = phrases.without_asides(name.what)
    if len(phrases.content_words(what)) < _LEAST_WORDS:
        what = ""
    if name.expansion:
        joint = "" if not what else " " if what.startswith(_CLAUSE) else ", "
        return f"{name.name}: {name.expansion}{joint}{what}"
    others = _without(phrase, name.name)
    if not what or (what.startswith(_CLAUSE) and not others.startswith(_CLAUSE)):
        what = others or what
    if what.startswith(_CLAUSE) and not what.startswith(("to ", "for ")):
        return f"{name.name}, {what}"
    return f"{name.name}: {phrases.uncapitalised(what)}" if what else name.name


def _without(phrase: str, name: str) -> str:
    """Return a phrase without the name that stands before it anyway, if it can do without."""
    called = r"(?:,?\s+(?:named|called|termed|dubbed|namely))?"
    pattern = rf"{called}[\s,]*[\"“'‘`]*{re.escape(name)}[\"”'’`]*(?P<next>,?\s*|$)"
    left, _, right = phrase.partition(name)
    if not right and not left.strip():
        return ""
    if left.strip() and not re.search(
        r"(?:,|named|called|termed|dubbed|namely)\s*[\"“'‘`]*$", left
    ):
        return "" if re.search(rf"\b{re.escape(name)}\b", phrase) else phrase
    return re.sub(pattern, " ", phrase, count=1).strip(" ,")


def _spelled_out(text: str, said: Sequence[str]) -> str:
    """Return the handle with an acronym of the field spelled out, where there is room for it."""
    for sentence in said:
        for match in _DEFINED.finditer(sentence):
            acronym = match[1]
            long_form = phrases.lowered(names.expansion(sentence[: match.start()], acronym))
            short = re.search(rf"(?<=[\w,] ){re.escape(acronym)}(?![\w(-])", text)
            if not short or not long_form or long_form.lower() in text.lower():
                continue
            longer = f"{text[: short.start()]}{long_form}{text[short.end() :]}"
            text = longer if len(longer) <= MAX_HANDLE else text
    return text


def code_links(original: str) -> tuple[str, ...]:
    """Return the URLs of a text, each once, without what only ends a sentence."""
    found: dict[str, None] = {}
    for match in _URL.finditer(original):
        url = match.group().rstrip(_TRAILING)
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(_TRAILING)
        found[re.sub(r"\\([_%#&~])", r"\1", url)] = None
    return tuple(found)
