"""Which words of a text are those of a query, as search sees words: whatever their form."""

from __future__ import annotations

import re

from assistant.retrieval.lexical import content_terms, tokenise

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = rf"(?:\d+(?:[.,]\d+)+|[^\W_{_CJK}])+"
_COMPOUND = re.compile(rf"{_WORD}(?:[-\u2010-\u2013/+]{_WORD})*")
_ATOM = re.compile(_WORD)
_PAIR = re.compile(rf"(?=[{_CJK}]{{2}})")


def matching(
    text: str, query: str, start: int = 0, end: int | None = None
) -> list[tuple[int, int]]:
    """Return the slices of ``text[start:end]`` whose words are words of ``query``, in order.

    A compound is taken whole where it stands in the query as a whole, else word by word.
    """
    wanted = set(content_terms(query))
    if not wanted:
        return []
    stop = len(text) if end is None else end
    found = []
    for compound in _COMPOUND.finditer(text, start, stop):
        if _first_term(compound.group()) in wanted:
            found.append(compound.span())
            continue
        atoms = _ATOM.finditer(text, *compound.span())
        found += [atom.span() for atom in atoms if wanted.intersection(tokenise(atom.group()))]
    for pair in _PAIR.finditer(text, start, max(start, stop - 1)):
        if text[pair.start() : pair.start() + 2] in wanted:
            found.append((pair.start(), pair.start() + 2))
    return _joined(sorted(found))


def _first_term(compound: str) -> str:
    return next(iter(tokenise(compound)), "")


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans with those that overlap or touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
