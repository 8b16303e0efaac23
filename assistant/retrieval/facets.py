"""The parts of a described idea, so that each can be looked for, and shown as met or not.

An idea of a few words is one part. A longer one is cut at the ends of its sentences, then at its
clauses, the plainest joints first, and never into pieces that say too little to be looked for.
English joints only; ideas in other languages are cut at their marks.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from assistant.library.cleaning import plain
from assistant.library.sentences import pieces
from assistant.retrieval.lexical import content_units

ENOUGH = 6
"""Words of content that one part holds; what has more is cut where it can be."""

_PHRASE = 3
_LEAST = (2, 2, 3, 3, 3)  # words of content a joint, below which a piece says too little
_CLAUSE = (
    "which|while|whereas|although|though|because|so that|in order to|without|instead of"
    "|rather than|using|via|such that|even (?:when|if|though)|despite"
)
_WEAKER = (
    "but|that|where|when|by|with|through|based on"
    "|and (?:a|an|the|its|their|it|they|we|so|then|how|why|when|whether|to|by|with|in|on|for|from"
    "|without|also|not|no)"
)
_JOINTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"[;:]\s+|\s[-\u2013\u2014]{1,2}\s+|[；：。]",
        r",\s+|[，、]",
        rf"\s+(?=(?:{_CLAUSE})\s)",
        rf"\s+(?=(?:{_WEAKER})\s)",
        r"\s+(?=(?:for|from|in|on|to|under|across)\s)",
    )
)
_OPENING = re.compile(r"(?i)^(?:and|but|or|which|that|while|where|so that|then|also)\s+")
_EDGES = " \t\n,;:.!?-\u2013\u2014，、；：。"


def split(idea: str) -> tuple[str, ...]:
    """Return the parts of an idea in order, each as it stands in the idea's plain text."""
    found = []
    for sentence in pieces(plain(idea).text):
        found += _cut(sentence)
    return tuple(_merged(found))


def _cut(text: str) -> list[str]:
    """Cut a text in two at its plainest joint, as long as it says too much for one part."""
    if len(content_units(text)) <= ENOUGH:
        return [text]
    for joint, least in zip(_JOINTS, _LEAST, strict=True):
        places = sorted({_place(match) for match in joint.finditer(text)})
        said = [len(content_units(text[a:b])) for a, b in pairwise([0, *places, len(text)])]
        before, total = accumulate(said[:-1]), sum(said)
        whole = [
            place
            for place, count in zip(places, before, strict=True)
            if min(count, total - count) >= least
        ]
        if whole:
            middle = min(whole, key=lambda place: abs(2 * place - len(text)))
            return [*_cut(text[:middle]), *_cut(text[middle:])]
    return [text]


def _place(joint: re.Match[str]) -> int:
    """Return where to cut: behind a mark, before a word."""
    return joint.start() if joint.group().isspace() else joint.end()


def _merged(found: list[str]) -> list[str]:
    """Return the pieces without what joins them; what says nothing is left out."""
    bare = [_OPENING.sub("", piece.strip(_EDGES)).strip(_EDGES) for piece in found]
    told = [piece for piece in bare if content_units(piece)]
    return list(dict.fromkeys(told))


def phrases(text: str) -> tuple[str, ...]:
    """Return a text in pieces of about three words of content, whatever its clauses are."""
    words = plain(text).text.split()
    told = [place for place, word in enumerate(words) if content_units(word)]
    count = max(1, round(len(told) / _PHRASE))
    found, start = [], 0
    for number in range(count):
        # the first take one more where it does not come out even
        last = told[-(-(number + 1) * len(told) // count) - 1] if told else len(words) - 1
        found.append(" ".join(words[start : last + 1]))
        start = last + 1
    return tuple(dict.fromkeys(piece for piece in found if piece))
