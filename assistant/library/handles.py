"""A readable name for a paper without a title, from its own words.

"PPDiff: a diffusion model to jointly design …" where the authors name what they made,
"A graph-theoretic framework for analyzing …" where they do not. Found by how abstracts speak,
in English; other languages get their first sentence.
"""

from __future__ import annotations

import re

from assistant.library import contribution, naming, phrases, sentences
from assistant.library.naming import Name

MAX_HANDLE = phrases.MAX_HANDLE

_URL = re.compile(r"https?://[^\s<>{}\[\]]+")
_TRAILING = ".,;:!?*_'\"\\$”’"
_PLENTY = 8_000
"""Characters of an abstract that are looked at."""


def handle(plain_text: str) -> str:
    """Return a name of at most 90 characters: the method and what it is, or what is done."""
    said = sentences.pieces(plain_text[:_PLENTY])
    clauses = contribution.clauses(said)
    name = naming.own_name(said, clauses, code_links(plain_text))
    phrase = contribution.best_phrase(said, clauses)
    if name:
        return _titled(name, phrase)
    text = phrases.capitalised(phrase or (said[0] if said else ""))
    return phrases.shorten(text) or "Untitled abstract"


def _titled(name: Name, phrase: str) -> str:
    """Return "NAME: what it stands for, what it is", as far as there is room."""
    what = phrases.without_asides(name.what)
    parts = name.name
    if name.expansion:
        joint = " " if what.startswith(("that ", "which ", "to ", "for ")) else ", "
        full = f"{parts}: {name.expansion}{joint if what else ''}{what}"
        return phrases.shorten(full)
    if what:
        return phrases.shorten(f"{parts}: {phrases.uncapitalised(what)}")
    return phrases.shorten(f"{parts}: {phrases.uncapitalised(phrase)}" if phrase else parts)


def code_links(original: str) -> tuple[str, ...]:
    """Return the URLs of a text, each once, without what only ends a sentence."""
    found: dict[str, None] = {}
    for match in _URL.finditer(original):
        url = match.group().rstrip(_TRAILING)
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(_TRAILING)
        found[re.sub(r"\\([_%#&~])", r"\1", url)] = None
    return tuple(found)
