"""What was found for an idea, as every interface tells it: plain data, words that match, a bar."""

from __future__ import annotations

import re
from typing import Any

from assistant.interfaces.render import evidence_slice
from assistant.retrieval.lexical import content_terms, tokenise
from assistant.types import Findings, Match

NOT_CLOSE = "Nothing here is close; the nearest:"
FULL, EMPTY, CELLS = "▇", "▁", 5

_WORD = re.compile(r"[^\W_]+(?:[-\u2010-\u2013./+'’_][^\W_]+)*")
_PAIRED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{2,}")


def findings_json(findings: Findings) -> dict[str, Any]:
    """Return what was found as plain data; a reason's ``text`` is ``abstract[start:end]``."""
    return {
        "idea": findings.idea,
        "facets": list(findings.facets),
        "close": findings.close,
        "total": findings.total,
        "read_as": [{"word": word, "read_as": other} for word, other in findings.read_as],
        "unread": findings.unread,
        "matches": [match_json(match) for match in findings.matches],
    }


def match_json(match: Match) -> dict[str, Any]:
    """Return one match as plain data."""
    paper = match.paper
    return {
        "rank": match.rank,
        "id": paper.id,
        "title": paper.name,
        "score": round(match.score, 4),
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "doi": paper.doi,
        "sources": [{"file": s.file, "record_no": s.record_no} for s in paper.sources],
        "why": [
            {
                "facet": reason.facet,
                "start": reason.evidence.sentence.start,
                "end": reason.evidence.sentence.end,
                "text": evidence_slice(reason.evidence, paper),
            }
            for reason in match.why
            if reason.evidence
        ],
        "missing": [reason.facet for reason in match.why if not reason.evidence],
    }


def matching_words(text: str, facet: str) -> list[tuple[int, int]]:
    """Return the slices of a sentence whose words stand in a facet, whatever their endings."""
    wanted = set(content_terms(facet))
    found: list[tuple[int, int]] = []
    for start, end in _words(text):
        if wanted.isdisjoint(tokenise(text[start:end])):
            continue
        if found and found[-1][1] >= start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _words(text: str) -> list[tuple[int, int]]:
    """Return where words are, in order; of text without spaces between them, pairs of letters."""
    spans: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        last = word.start()
        for run in _PAIRED.finditer(text, *word.span()):
            spans.append((last, run.start()))
            spans += [(start, start + 2) for start in range(run.start(), run.end() - 1)]
            last = run.end()
        spans.append((last, word.end()))
    return [span for span in spans if span[0] < span[1]]


def bar(score: float) -> str:
    """Return a likelihood as a bar."""
    filled = min(CELLS, max(0, round(score * CELLS)))
    return FULL * filled + EMPTY * (CELLS - filled)


def percent(score: float) -> str:
    """Return a likelihood in words."""
    return f"{round(100 * score)} %"


def read_as_line(findings: Findings) -> str:
    """Return which words were read as others, or an empty text."""
    if not findings.read_as:
        return ""
    pairs = (f"“{other}” for “{word}”" for word, other in findings.read_as)
    return f"Read as: {', '.join(pairs)}."


def unread_line(findings: Findings) -> str:
    """Return how much of a very long idea was not looked at, or an empty text."""
    if not findings.unread:
        return ""
    return f"Too long: its last {findings.unread:,} characters were not looked at."
