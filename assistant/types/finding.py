"""What is looked for, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from assistant.types.papers import Paper, Sentence

Sort: TypeAlias = Literal["relevance", "year"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Restrict a search; empty fields restrict nothing.

    Of several collections, authors, venues or keywords one is enough. ``authors`` are family
    names or whole names, ``venues`` and ``keywords`` words that stand in theirs; case and accents
    do not matter.
    """

    collections: tuple[str, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    paper_ids: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    has_code: bool | None = None
    has_abstract: bool | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that bears on a query, with its score; ``text`` is the plain form."""

    sentence: Sentence
    score: float
    cosine: float = 0.0
    lexical: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper found for a query.

    ``score`` orders the hits; ``cosine`` is its best passage's, ``bm25`` its keyword score
    (0 where keywords did not find it); ranks count from 1, 0 means not found that way.
    ``likelihood``, 0..1, is how likely it is what was looked for, and compares across queries.
    """

    paper: Paper
    score: float
    cosine: float = 0.0
    bm25: float = 0.0
    dense_rank: int = 0
    keyword_rank: int = 0
    evidence: tuple[Evidence, ...] = ()
    likelihood: float = 0.0


@dataclass(frozen=True, slots=True)
class Idea:
    """What a reader looks for: an idea in words, papers to go on from, or both.

    ``like`` and ``unlike`` are ids of papers. ``offset`` counts the matches to leave out, those
    of the pages before.
    """

    text: str = ""
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    filters: Filters | None = None
    sort: Sort = "relevance"
    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Reason:
    """What a paper says of one facet of an idea: the sentence that meets it; None: not met."""

    facet: str
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Match:
    """A paper that does what an idea describes.

    ``score`` lies in 0..1 and means the same for every idea: how likely the paper is one that
    was meant. ``why`` has an entry for each facet of the idea.
    """

    rank: int
    paper: Paper
    score: float
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """Papers found for an idea, best first, and what the reader should know of the search.

    ``facets`` are the parts of the idea. ``close`` is false where nothing found is near.
    ``total`` counts what could be paged through. ``read_as`` pairs words of the idea that the
    library does not hold with those that were looked for in their place. ``unread`` counts the
    characters at the end of a very long idea that were not looked at.
    """

    idea: str
    facets: tuple[str, ...]
    matches: tuple[Match, ...]
    total: int
    close: bool
    read_as: tuple[tuple[str, str], ...] = ()
    index_version: str = ""
    unread: int = 0


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """An idea that a reader keeps; ``new`` counts its close matches since it was last looked at.

    ``saved_on`` is a date as in 2026-11-30.
    """

    name: str
    idea: Idea
    saved_on: str
    new: int = 0
