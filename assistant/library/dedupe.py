"""Which paper a record is: one that says the same, or the one that stood in its place in a file."""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rapidfuzz import fuzz

from assistant.library import cleaning, keys, titles
from assistant.library.cleaning import PlainText
from assistant.library.sameness import (
    ALIKE_TITLES,
    PLAINLY_OTHER,
    closeness,
    contradict,
    same,
    share_number,
)
from assistant.library.schema import Entry, Place
from assistant.library.store import Store
from assistant.types import Paper, Record, Source

Outcome: TypeAlias = Literal["added", "updated", "merged", "unchanged"]

_ALIKE = 60.0
"""Percent of likeness above which a changed record is a new version of what stood in its place."""

_VERY_ALIKE = 95.0
"""The same where its title or its DOI is plainly another."""

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Keyed:
    """A record with the keys that tell it apart."""

    record: Record
    plain: PlainText
    text_key: bytes
    fingerprint: bytes
    keys: tuple[int, ...]


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

    def joined(self, paper_id: str, other_id: str) -> None:
        """Note that a paper was found to be another one."""
        old, new = hash(other_id), hash(paper_id)
        for index, value in enumerate(self._papers):
            if value == old:
                self._papers[index] = new


def keyed(record: Record) -> Keyed:
    """Return the record with its keys: one of its text alone, one of all that it says."""
    if not record.arxiv_id and (found := _ARXIV_DOI.fullmatch(record.doi)):
        record = replace(record, arxiv_id=found.group(1))
    plain = cleaning.plain(record.abstract)
    said = (
        *(record.abstract, record.title, record.authors, record.year, record.venue, record.doi),
        *(record.url, record.keywords, record.pmid, record.arxiv_id, record.language),
        *([item.text for item in record.other_abstracts], record.details, record.truncated),
    )
    fingerprint = hashlib.sha256(json.dumps(said).encode()).digest()[:16]
    folded = cleaning.folded(plain.text)
    # a reference, which has no text, is told apart by all that it says
    told = folded.encode() if record.abstract else b"reference\0" + fingerprint
    text_key = hashlib.sha256(told).digest()
    return Keyed(record, plain, text_key, fingerprint, keys.of_record(record, folded))


def unchanged_place(store: Store, item: Keyed) -> Place | None:
    """Return the source at which this very record was imported before, or None."""
    source = item.record.source
    for place in store.places(source.file, source.record_no):
        if place.fingerprint == item.fingerprint and place.source == source:
            return place
    return None


def same_papers(store: Store, item: Keyed) -> list[str]:
    """Return the ids of the papers that this record is, oldest first; more than one are one.

    It is compared with what every source of a paper said, not with what became of it, so that
    the order in which records come makes no difference. A record that says little may be like
    papers that are not each other's: it goes to the one that it has most in common with.
    """
    record = item.record
    found: dict[str, Sequence[Record]] = {}
    for paper_id in store.sharing(item.keys):
        said = store.records(paper_id)
        if _is_of(record, said):
            found[paper_id] = said
    if len(found) <= 1:
        return list(found)
    closest = {
        paper_id: max(closeness(record, other) for other in said)
        for paper_id, said in found.items()
    }
    kept: list[str] = []
    for paper_id in sorted(found, key=lambda name: (closest[name], -store.seq(name)), reverse=True):
        if not any(_contradict(found[paper_id], found[other]) for other in kept):
            kept.append(paper_id)
    return sorted(kept, key=store.seq)


def _is_of(record: Record, said: Sequence[Record]) -> bool:
    """Tell whether a record is of the paper of which the others are."""
    alike = [other for other in said if same(record, other)]
    if not alike or any(share_number(record, other) for other in alike):
        return bool(alike)
    return not any(contradict(record, other) for other in said)


def _contradict(some: Sequence[Record], others: Sequence[Record]) -> bool:
    return any(contradict(one, other) for one in some for other in others)


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
    if titles.other_part(paper.title, record.title):
        return False
    if titles.equal(paper.title, record.title):
        return True
    likeness = titles.likeness(paper.title, record.title)
    if not paper.abstract or not record.abstract:
        return (likeness or 0) > ALIKE_TITLES
    # abstracts of one template are alike, and different files have one name: savedrecs.txt
    other = bool(paper.doi and record.doi) and paper.doi != record.doi
    other = other or (likeness is not None and likeness < PLAINLY_OTHER)
    least = _VERY_ALIKE if other else _ALIKE
    texts = cleaning.normalized(paper.abstract), cleaning.normalized(record.abstract)
    return fuzz.ratio(*texts, score_cutoff=least) > 0
