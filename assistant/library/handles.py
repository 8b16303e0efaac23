"""A readable name for a paper without a title, from its own words.

"PPDiff: a diffusion model to jointly design …" where the authors name what they made,
"A graph-theoretic framework for analyzing …" where they do not. Found by how abstracts speak,
in English; other languages get their first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.library import contribution, names, naming, phrases, sections, sentences
from assistant.library.naming import Name

MAX_HANDLE = phrases.MAX_HANDLE

_URL = re.compile(r"https?://[^\s<>{}\[\]]+")
_ESCAPED = re.compile(r"\\([_%#&~])")
_TRAILING = ".,;:!?*_'\"\\$”’"
_PLENTY, _MOST, _LONGEST = 20_000, 80, 1_000
"""Characters of a text, sentences, and characters of a sentence that are looked at."""

_LEAST_WORDS = 2
_NAMED_NEXT = re.compile(r"(?:,|,?\s+(?:named|called|termed|dubbed|namely))[\s\"“'‘`]*$")
_CLOSING = re.compile(r"^[\"”'’`,]*\s*")
_GOES_ON = re.compile(r"[\w(-]")
_LOOSE_MARK = re.compile(r" +(?=[,;:.]\s)")
_DEFINED = re.compile(r"\(([A-Z][A-Za-z-]{1,7})\)")
_CLAUSE = ("that ", "which ", "to ", "for ", "based on ", "with ", "in which ", "where ", "by ")


def handle(plain_text: str, said: Sequence[str] | None = None) -> str:
    """Return a name of at most 90 characters: the method and what it is, or what is done.

    ``said`` are the sentences of the text, where they are known already.
    """
    if said is None:
        said = sentences.pieces(plain_text[:_PLENTY])
    said = [_LOOSE_MARK.sub("", sentence[:_LONGEST]) for sentence in said[:_MOST]]
    clauses = contribution.clauses(said)
    name = naming.own_name(said, clauses, code_links(" ".join(said)))
    phrase = contribution.best_phrase(said, clauses)
    if name and not _without(phrase, name.name):
        phrase = contribution.best_phrase(said, clauses, without=name.name)
    first = sections.without_label(said[0]) if said else ""
    chosen = _titled(name, phrase) if name else phrase or first
    if not name or not chosen.startswith(name.name) or " " in name.name:
        chosen = phrases.capitalised(chosen)
    return _spelled_out(phrases.shorten(chosen), said) or "Untitled abstract"


def shortened(title: str) -> str:
    """Return a title as a handle; an empty one stays empty."""
    return phrases.shorten(title)


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
    left, found, right = phrase.partition(name)
    if not found or not names.uses(name, phrase):
        return phrase
    before = _NAMED_NEXT.search(left)
    if left.strip() and not before:
        return left.rpartition(",")[0]
    left = left[: before.start()] if before else ""
    return f"{left} {_CLOSING.sub('', right)}".strip(" ,")


def _spelled_out(text: str, said: Sequence[str]) -> str:
    """Return the handle with an acronym of the field spelled out, where there is room for it."""
    for sentence in said:
        for match in _DEFINED.finditer(sentence):
            acronym = match[1]
            long_form = phrases.lowered(names.expansion(sentence[: match.start()], acronym))
            start = text.find(f" {acronym}", 1) + 1
            end = start + len(acronym)
            alone = start and not _GOES_ON.match(text, end)
            if not alone or not long_form or long_form.lower() in text.lower():
                continue
            longer = f"{text[:start]}{long_form}{text[end:]}"
            text = longer if len(longer) <= MAX_HANDLE else text
    return text


def code_links(original: str) -> tuple[str, ...]:
    """Return the URLs of a text, each once, without what only ends a sentence."""
    found: dict[str, None] = {}
    for match in _URL.finditer(original):
        url = match.group().rstrip(_TRAILING)
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(_TRAILING)
        found[_ESCAPED.sub(r"\1", url)] = None
    return tuple(found)
