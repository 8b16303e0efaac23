"""Which paper a record is: the same text, the same DOI, or the same place in the same file.

Does not compare titles or nearly identical texts of different files yet.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rapidfuzz import fuzz

from assistant.library import cleaning
from assistant.library.cleaning import PlainText
from assistant.library.schema import Entry, Place
from assistant.library.store import Store
from assistant.types import Paper, Record, Source

Outcome: TypeAlias = Literal["added", "updated", "merged", "unchanged"]

_ALIKE = 60.0
"""Percent of likeness above which a changed record is a new version of what stood in its place."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A record with the keys that tell it apart."""

    record: Record
    plain: PlainText
    text_key: bytes
    fingerprint: bytes


class Seen:
    """Which paper each record of a file went to in this run; 8 bytes a record."""

    def __init__(self) -> None:
        self._papers = array("q")

    def add(self, paper_id: str, record_no: int) -> None:
        """Note where a record went; numbers count up from 1 and may leave some out."""
        self._papers.extend([0] * (record_no - len(self._papers) - 1))
        self._papers.append(hash(paper_id))

    def has(self, paper_id: str, record_no: int) -> bool:
        """Tell whether the record with this number went to this paper."""
        inside = record_no <= len(self._papers)
        return inside and self._papers[record_no - 1] == hash(paper_id)


def keyed(record: Record) -> Keyed:
    """Return the record with its keys: one of its text alone, one of all that it says."""
    plain = cleaning.plain(record.abstract)
    text_key = hashlib.sha256(cleaning.folded(plain.text).encode()).digest()
    said = (
        *(record.abstract, record.title, record.authors, record.year),
        *(record.venue, record.doi, record.url, record.keywords),
    )
    fingerprint = hashlib.sha256(json.dumps(said).encode()).digest()[:16]
    return Keyed(record, plain, text_key, fingerprint)


def unchanged_place(store: Store, item: Keyed) -> Place | None:
    """Return the source at which this very record was imported before, or None."""
    source = item.record.source
    for place in store.places(source.file, source.record_no):
        if place.fingerprint == item.fingerprint and place.source == source:
            return place
    return None


def same_paper(store: Store, item: Keyed) -> str:
    """Return the id of the paper with this text or DOI, or an empty string."""
    return store.find_text(item.text_key) or store.find_doi(item.record.doi)


def earlier_version(store: Store, item: Keyed, seen: Seen) -> str:
    """Return the id of the paper that this record is a changed version of, or an empty string.

    Another file may have the same name, so the place alone does not decide: the text or the
    title must be alike.
    """
    source = item.record.source
    for place in store.places(source.file, source.record_no):
        if place.source == source and not seen.has(place.paper_id, source.record_no):
            paper = store.paper(place.paper_id)
            if len(paper.sources) == 1 and _alike(paper, item.record):
                return paper.id
    return ""


def own_source(entry: Entry, source: Source, seen: Seen) -> int | None:
    """Return which source of a paper is of the same file and collection and not met yet."""
    mine = [
        (other.record_no != source.record_no, position)
        for position, other in enumerate(entry.paper.sources)
        if (other.file, other.collection) == (source.file, source.collection)
        and not seen.has(entry.paper.id, other.record_no)
    ]
    return min(mine)[1] if mine else None


def _alike(paper: Paper, record: Record) -> bool:
    if paper.title and cleaning.normalized(paper.title) == cleaning.normalized(record.title):
        return True
    texts = cleaning.normalized(paper.abstract), cleaning.normalized(record.abstract)
    return fuzz.ratio(*texts, score_cutoff=_ALIKE) > 0
