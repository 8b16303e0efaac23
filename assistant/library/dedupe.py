"""Which paper a record is: the same text, the same DOI, or the same place in the same file.

Does not compare titles or nearly identical texts of different files yet.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass, field, replace
from typing import Literal, TypeAlias

from rapidfuzz import fuzz

from assistant.library import cleaning
from assistant.library.schema import Place
from assistant.library.store import Store
from assistant.types import Paper, Record, Source

Outcome: TypeAlias = Literal["added", "updated", "merged", "unchanged"]

_ALIKE = 60.0
"""Percent of likeness above which a changed record is a new version of what stood in its place."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A record with the keys that tell it apart."""

    record: Record
    text_key: bytes
    fingerprint: bytes


@dataclass(slots=True)
class Seen:
    """The sources that one run over one file has met again."""

    places: set[tuple[str, int]] = field(default_factory=set)

    def add(self, paper_id: str, record_no: int) -> None:
        """Note that the record was met."""
        self.places.add((paper_id, record_no))

    def has(self, place: Place) -> bool:
        """Tell whether the record was met."""
        return (place.paper_id, place.source.record_no) in self.places


def keyed(record: Record) -> Keyed:
    """Return the record with its keys: one of its text alone, one of all that it says."""
    text_key = hashlib.sha256(cleaning.normalized(record.abstract).encode()).digest()
    said = json.dumps(astuple(replace(record, source=Source("", 0, "", "")))).encode()
    return Keyed(record, text_key, hashlib.sha256(said).digest()[:16])


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
        if place.source == source and not seen.has(place):
            paper = store.paper(place.paper_id)
            if len(paper.sources) == 1 and _alike(paper, item.record):
                return paper.id
    return ""


def own_place(entry_places: list[Place], source: Source, seen: Seen) -> Place | None:
    """Return a source of the same file and collection that this run has not met yet, or None."""
    mine = [
        place
        for place in entry_places
        if (place.source.file, place.source.collection) == (source.file, source.collection)
        and not seen.has(place)
    ]
    exact = [place for place in mine if place.source.record_no == source.record_no]
    return next(iter(exact or mine), None)


def _alike(paper: Paper, record: Record) -> bool:
    if paper.title and cleaning.normalized(paper.title) == cleaning.normalized(record.title):
        return True
    texts = cleaning.normalized(paper.abstract), cleaning.normalized(record.abstract)
    return fuzz.ratio(*texts, score_cutoff=_ALIKE) > 0
