"""The nouns of the project: plain, frozen values that every room passes on.

Text is addressed by (paper id, start, end) into ``Paper.abstract`` exactly as it was imported,
counted in Unicode code points, so whatever is shown is a slice of what came in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["written", "quoted"]
Verdict: TypeAlias = Literal["answered", "partly", "not_in_library"]
Sort: TypeAlias = Literal["relevance", "year"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record came from: file name, record number counted from 1, format, collection."""

    file: str
    record_no: int
    format: str
    collection: str


@dataclass(frozen=True, slots=True)
class OtherAbstract:
    """A second abstract of a paper, as it came: in another language, or in plain words.

    ``language`` is what the record says (``spa``, ``zh``), ``kind`` what it calls the text
    (``plain-language-summary``); both may be empty.
    """

    text: str
    language: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the library; ``title`` is empty when the source had none, ``handle`` never is.

    ``abstract`` is empty for a reference, of which the library knows only what it is called.
    ``authors`` are "Family, Given", or a name alone. ``details`` are pairs in CSL's words:
    ``type``, ``volume``, ``issue``, ``page``, ``publisher``, ``ISSN``, ``ISBN``,
    ``citation-key``. ``truncated`` says that the source cut the abstract off.
    """

    id: str
    handle: str
    abstract: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    code_links: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    pmid: str = ""
    arxiv_id: str = ""
    language: str = ""
    other_abstracts: tuple[OtherAbstract, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    truncated: bool = False

    @property
    def name(self) -> str:
        """Return the title, or the handle made from the text where there is none."""
        return self.title or self.handle


@dataclass(frozen=True, slots=True)
class Record:
    """One record as a reader found it, before it is a paper; fields as in :class:`Paper`.

    ``line`` is where it begins in its file, counted from 1, or 0 where lines mean nothing.
    """

    source: Source
    abstract: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    pmid: str = ""
    arxiv_id: str = ""
    language: str = ""
    other_abstracts: tuple[OtherAbstract, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    truncated: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that could not be taken, with the reason and what would mend it.

    ``line`` is where it begins in its file (0: unknown), ``key`` its citation key, number or
    title, whichever a reader would look for.
    """

    source: Source
    reason: str
    hint: str = ""
    line: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open slice ``[start, end)`` of one paper's abstract."""

    paper_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A slice of whole sentences that fits the embedder; ``text`` is its plain form."""

    id: str
    paper_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an abstract; ``text`` is its plain form, the span addresses the original."""

    paper_id: str
    index: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of the records of one file; the counts add up to ``read``.

    ``with_abstract`` counts those taken with an abstract; the others that were taken are
    references. ``rejected_count`` may be more than the ``rejected`` that are told one by one.
    """

    file: str
    format: str
    read: int = 0
    with_abstract: int = 0
    added: int = 0
    updated: int = 0
    merged: int = 0
    unchanged: int = 0
    rejected: tuple[Rejected, ...] = ()
    error: str = ""
    hint: str = ""
    rejected_count: int = 0

    def __post_init__(self) -> None:
        if not self.rejected_count:
            object.__setattr__(self, "rejected_count", len(self.rejected))

    @property
    def references(self) -> int:
        """Return how many records were taken without an abstract."""
        return self.read - self.rejected_count - self.with_abstract


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The ledger of one import: a report a file."""

    files: tuple[FileReport, ...]


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
    library does not hold with those that were looked for in their place.
    """

    idea: str
    facets: tuple[str, ...]
    matches: tuple[Match, ...]
    total: int
    close: bool
    read_as: tuple[tuple[str, str], ...] = ()
    index_version: str = ""


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """An idea that a reader keeps; ``new`` counts its close matches since it was last looked at.

    ``saved_on`` is a date as in 2026-11-30.
    """

    name: str
    idea: Idea
    saved_on: str
    new: int = 0


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one verification check."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One cited statement: ``marker`` resolves to ``paper_id``, ``evidence`` to slices of it."""

    text: str
    status: Status
    marker: int
    paper_id: str
    evidence: tuple[Evidence, ...]
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What made an answer: enough to make it again."""

    model: str
    prompt_hash: str
    index_version: str
    seed: int
    timings: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer; ``papers[i]`` carries marker ``i + 1``.

    With verdict ``not_in_library`` there are no statements and ``papers`` are the nearest.
    ``listed`` says that the question was understood as a search for papers.
    """

    question: str
    verdict: Verdict
    statements: tuple[Statement, ...]
    papers: tuple[Paper, ...]
    receipt: Receipt
    note: str = ""
    stopped: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange of a conversation."""

    question: str
    answer: str
    paper_ids: tuple[str, ...] = ()


# Events of an answer under way, in the order in which they come:
# Stage* Quotes? (Delta* StatementDone)* Done


@dataclass(frozen=True, slots=True)
class Stage:
    """The work has moved on: ``searching``, ``writing``; ``detail`` is for the reader's eyes."""

    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Quotes:
    """The verbatim sentences that the answer will rest on, one quoted statement a paper."""

    statements: tuple[Statement, ...]
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a statement as it is being written, not yet verified."""

    marker: int
    text: str


@dataclass(frozen=True, slots=True)
class StatementDone:
    """A statement in its final form: verified, or replaced by its quote."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Done:
    """The whole answer; always the last event."""

    answer: Answer


Event: TypeAlias = Stage | Quotes | Delta | StatementDone | Done
