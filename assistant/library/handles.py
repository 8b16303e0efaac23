"""A readable name for a paper without a title, from its own words."""

from __future__ import annotations

import re

MAX_HANDLE = 90

_URL = re.compile(r"https?://[^\s<>{}\[\]]+")


def handle(plain_text: str) -> str:
    """Return a name of at most 90 characters: the method and what it is, or what is done."""
    text = " ".join(plain_text.split())
    match = re.search(
        r"\b(?:propose|introduce|present|develop|design)s?\s+(?:an?\s+|the\s+)?(.+?)(?:\.\s|$)",
        text,
    )
    return shorten(match[1] if match else text) or "Untitled abstract"


def shorten(text: str) -> str:
    """Return ``text`` cut at a word so that it fits a handle."""
    if len(text) <= MAX_HANDLE:
        return text
    cut = text[: MAX_HANDLE - 1]
    return cut[: cut.rfind(" ") if " " in cut[40:] else len(cut)].rstrip(" ,;:-") + "…"


def code_links(original: str) -> tuple[str, ...]:
    """Return the URLs of a text, each once, without what only ends a sentence."""
    found: dict[str, None] = {}
    for match in _URL.finditer(original):
        url = match.group().rstrip(".,;:!?*_'\"\\$")
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(".,;:!?*_'\"")
        found[url.replace("\\_", "_").replace("\\%", "%").replace("\\#", "#")] = None
    return tuple(found)
