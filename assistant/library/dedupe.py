"""Which paper a record is: by number, by text, by title, or by its place in a file.

A number or a long text that is the same decides, unless all else speaks against it. Titles alone
never do: part I and part II, a paper and its erratum, two editorials stay two.
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rapidfuzz import fuzz

from assistant.library import cleaning, likeness
from assistant.library.cleaning import PlainText
from assistant.library.schema import Entry, Place, title_key
from assistant.library.store import Store
from assistant.types import Paper, Record, Source

Outcome: TypeAlias = Literal["added", "updated", "merged", "unchanged"]

_ALIKE = 60.0
"""Percent of likeness above which a changed record is a new version of what stood in its place."""

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_NUMBERED = ("doi", "pmid", "arxiv_id")


@dataclass(frozen=True, slots=True)
class Keyed:
    """A record with the keys that tell it apart."""

    record: Record
    plain: PlainText
    text_key: bytes
    fingerprint: bytes
    near: tuple[int, ...]


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
        record = _with_arxiv(record, found.group(1))
    plain = cleaning.plain(record.abstract)
    said = (
        *(record.abstract, record.title, record.authors, record.year, record.venue, record.doi),
        *(record.url, record.keywords, record.pmid, record.arxiv_id, record.language),
        *([item.text for item in record.other_abstracts], record.details, record.truncated),
    )
    fingerprint = hashlib.sha256(json.dumps(said).encode()).digest()[:16]
    text_key, near = text_keys(record.abstract, plain, fingerprint)
    return Keyed(record, plain, text_key, fingerprint, near)


def text_keys(abstract: str, plain: PlainText, fingerprint: bytes) -> tuple[bytes, tuple[int, ...]]:
    """Return the key of a text, and the keys by which nearly the same text is found.

    A reference, which has no text, is told apart by all that it says.
    """
    if not abstract:
        return hashlib.sha256(b"reference\0" + fingerprint).digest(), ()
    folded = cleaning.folded(plain.text)
    return hashlib.sha256(folded.encode()).digest(), likeness.near_keys(folded)


def _with_arxiv(record: Record, number: str) -> Record:
    from dataclasses import replace

    return replace(record, arxiv_id=re.sub(r"v\d+$", "", number))


def unchanged_place(store: Store, item: Keyed) -> Place | None:
    """Return the source at which this very record was imported before, or None."""
    source = item.record.source
    for place in store.places(source.file, source.record_no):
        if place.fingerprint == item.fingerprint and place.source == source:
            return place
    return None


def same_papers(store: Store, item: Keyed) -> list[str]:
    """Return the ids of the papers that this record is, oldest first; more than one are one."""
    found: dict[str, bool] = {}
    for how, paper_id in _candidates(store, item):
        if not found.get(paper_id):
            found[paper_id] = _same(item.record, store.paper(paper_id), how)
    ids = [paper_id for paper_id, same in found.items() if same]
    return sorted(ids, key=store.seq) if len(ids) > 1 else ids


def _candidates(store: Store, item: Keyed) -> Iterator[tuple[str, str]]:
    record = item.record
    for column in _NUMBERED:
        yield from ((column, id_) for id_ in store.find(column, getattr(record, column)))
    yield from (("text", id_) for id_ in store.find("text_key", item.text_key))
    yield from (("title", id_) for id_ in store.find("title_key", title_key(record.title)))
    yield from (("near", id_) for id_ in store.find_near(item.near))


def _same(record: Record, paper: Paper, how: str) -> bool:
    """Tell whether a record is of a paper that has the same number, text or title."""
    titles = likeness.of_titles(record.title, paper.title)
    if how in _NUMBERED:
        # chapters may share the number of their book
        return titles is None or titles >= _ALIKE or _texts_alike(record, paper) is True
    if likeness.other_part(record.title, paper.title):
        return False
    apart = _other_dois(record, paper)
    if how == "text":
        if not record.abstract:
            return True
        long = len(record.abstract) >= likeness.LONG
        return titles is None or titles >= (_ALIKE if long and not apart else likeness.ALIKE_TITLES)
    if how == "near":
        fits = titles is None or titles >= (likeness.ALIKE_TITLES if apart else _ALIKE)
        return fits and likeness.nearly_same(record.abstract, paper.abstract)
    return _same_by_title(record, paper, apart=apart)


def _same_by_title(record: Record, paper: Paper, *, apart: bool) -> bool:
    """Judge two of one title by their years, authors and abstracts."""
    if apart:
        return likeness.nearly_same(record.abstract, paper.abstract)
    years = (record.year, paper.year)
    if all(years) and abs((record.year or 0) - (paper.year or 0)) > 1:
        return likeness.nearly_same(record.abstract, paper.abstract)
    alike = _texts_alike(record, paper)
    if alike is not None:
        return alike
    shared = likeness.share_author(record.authors, paper.authors)
    if likeness.generic(record.title):
        return shared is True and record.year == paper.year and record.venue == paper.venue
    return shared is not False


def _texts_alike(record: Record, paper: Paper) -> bool | None:
    """Tell whether the abstracts are versions of one; None where one of the two has none."""
    if not record.abstract or not paper.abstract:
        return None
    return likeness.of_texts(record.abstract, paper.abstract) >= likeness.VERSIONS


def _other_dois(record: Record, paper: Paper) -> bool:
    """Tell whether both have a publisher's DOI, and not the same."""
    dois = {doi for doi in (record.doi, paper.doi) if doi and not _ARXIV_DOI.fullmatch(doi)}
    return len(dois) > 1


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
    if likeness.other_part(paper.title, record.title):
        return False
    if paper.title and title_key(paper.title) == title_key(record.title):
        return True
    if not paper.abstract or not record.abstract:
        return bool(paper.title) and fuzz.ratio(paper.title, record.title) > likeness.ALIKE_TITLES
    texts = cleaning.normalized(paper.abstract), cleaning.normalized(record.abstract)
    return fuzz.ratio(*texts, score_cutoff=_ALIKE) > 0
