"""Papers, the records and files that they come from, and the pieces of their text."""

from __future__ import annotations

from dataclasses import dataclass


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
