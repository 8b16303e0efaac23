"""Find: from a described idea to the papers that do it, each with the sentences that say so.

No language model has a part in it. The order and the likelihood of the papers come from search;
here the idea is taken apart, and each part is looked for in each paper that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.errors import QuestionError
from assistant.library.cleaning import plain
from assistant.retrieval import evidence
from assistant.retrieval.lexical import content_units
from assistant.retrieval.queries import Query
from assistant.retrieval.search import PaperText, Searcher
from assistant.types import Evidence, Findings, Hit, Idea, Match, Reason

WITHIN_REACH = 100
"""Papers that can be paged through."""

CLOSE = 0.2
"""Likelihood below which nothing is called close: 95 of 100 ideas of another field stay below."""

_MET = 0.48
_COSINE, _WORDS = 0.6, 0.4
_MOST_CHARACTERS = 20_000
_NEAR_THE_BEST = 0.5  # of the best likelihood: what is sorted by year is to be about the idea


class Finder:
    """Finds papers in one library."""

    def __init__(self, searcher: Searcher, *, index_version: str) -> None:
        self._searcher = searcher
        self._index_version = index_version

    def find(self, idea: Idea) -> Findings:
        """Return a page of the papers that an idea describes, or that papers are like.

        Raise ``QuestionError`` where there is nothing to look for.
        """
        text = plain(idea.text[:_MOST_CHARACTERS]).text.strip()
        if not idea.like and not content_units(text):
            raise QuestionError(
                "There is no idea to look for.", "Describe it in a few words or a few sentences."
            )
        text, read_as = self._searcher.respelt(text)
        query = self._searcher.query(text, idea.like, idea.unlike)
        hits = self._searcher.search_for(
            query, k=WITHIN_REACH, filters=idea.filters, evidence_limit=0
        )
        close = bool(hits) and hits[0].likelihood >= CLOSE
        if idea.sort == "year":
            hits = _by_year(hits)
        shown = hits[idea.offset : idea.offset + idea.limit]
        texts = self._searcher.texts([hit.paper.id for hit in shown])
        matches = tuple(
            Match(
                idea.offset + number,
                hit.paper,
                hit.likelihood,
                tuple(self._reasons(query, texts[hit.paper.id])),
            )
            for number, hit in enumerate(shown, start=1)
        )
        return Findings(
            idea.text,
            query.clauses,
            matches,
            len(hits),
            close,
            read_as,
            self._index_version,
            max(0, len(idea.text) - _MOST_CHARACTERS),
        )

    def _reasons(self, query: Query, text: PaperText) -> list[Reason]:
        stats = self._searcher.term_stats()
        found = []
        for part, vector in zip(query.clauses, query.clause_vectors, strict=False):
            scored = evidence.score(part, vector, text.sentences, text.vectors, stats)
            best = max(scored, key=closeness, default=None)
            met = best is not None and closeness(best) >= _MET
            found.append(Reason(part, best if met else None))
        return found


def closeness(found: Evidence) -> float:
    """Return how near a sentence is to a facet, 0..1: by what it means and by its words."""
    return _COSINE * found.cosine + _WORDS * found.lexical


def _by_year(hits: Sequence[Hit]) -> list[Hit]:
    """Return those hits that are nearly as likely as the best, the newest first."""
    least = _NEAR_THE_BEST * max((hit.likelihood for hit in hits), default=0.0)
    near = [hit for hit in hits if hit.likelihood >= least]
    return sorted(near, key=lambda hit: -(hit.paper.year or 0))
