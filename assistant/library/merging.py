"""What a paper is, given the records of it: always the same for the same records in their order.

So a source that changes or goes away takes along what it said, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assistant.library import cleaning, keys, languages, people
from assistant.library.dedupe import Keyed
from assistant.library.schema import SAID, Entry
from assistant.types import OtherAbstract, Paper, Record

_FULLER = 1.3
"""How much longer another abstract must be to take the place of the first."""

_PREPRINT = re.compile(r"arxiv|biorxiv|medrxiv|preprint|10\.48550/|ssrn|corr\b", re.IGNORECASE)

_SESSION = re.compile(
    r"//[^/]*(?:ebscohost|embase|ovid|proquest|scopus|webofscience|webofknowledge|cnki)\."
    r"|^(?:file|javascript):|//(?:localhost|127\.|search\.|login\.)",
    re.IGNORECASE,
)


def fresh(item: Keyed, paper_id: str) -> Entry:
    """Return the entry of a record that is a paper of its own."""
    paper = paper_of(paper_id, [item.record])
    return Entry(paper, (item.fingerprint,), (), (), (item.record,), item.keys)


def with_source(entry: Entry, item: Keyed) -> Entry:
    """Return the entry with one more source."""
    marks = (*entry.fingerprints, item.fingerprint)
    return _made(entry, (*entry.records, item.record), marks, {*entry.keys, *item.keys})


def again(entry: Entry, item: Keyed, position: int) -> Entry:
    """Return the entry after the record of its source at ``position`` was read again.

    What the record no longer says is kept as it was.
    """
    records, marks = list(entry.records), list(entry.fingerprints)
    records[position] = _filled(item.record, records[position])
    marks[position] = item.fingerprint
    return _made(entry, records, marks, _keys(records))


def joined(entry: Entry, other: Entry) -> Entry:
    """Return the entry with the sources of another one that is the same paper."""
    records = (*entry.records, *other.records)
    marks = (*entry.fingerprints, *other.fingerprints)
    return _made(entry, records, marks, {*entry.keys, *other.keys})


def without(entry: Entry, positions: set[int]) -> Entry:
    """Return the entry without some of its sources; at least one must be left."""
    kept = [index for index in range(len(entry.records)) if index not in positions]
    records = [entry.records[index] for index in kept]
    return _made(entry, records, [entry.fingerprints[i] for i in kept], _keys(records))


def made_anew(entry: Entry) -> Entry:
    """Return the entry with paper and keys made again from its records."""
    return _made(entry, entry.records, entry.fingerprints, _keys(entry.records))


def _keys(records: Sequence[Record]) -> set[int]:
    return {
        key
        for record in records
        for key in keys.of_record(record, cleaning.normalized(record.abstract))
    }


def _made(
    entry: Entry, records: Sequence[Record], marks: Sequence[bytes], known: Iterable[int]
) -> Entry:
    """Return the entry that these records make, with handle and links as they were."""
    paper = paper_of(entry.paper.id, records)
    return replace(
        entry,
        paper=replace(paper, handle=entry.paper.handle, code_links=entry.paper.code_links),
        records=tuple(records),
        fingerprints=tuple(marks),
        keys=tuple(sorted(known)),
    )


def _filled(record: Record, before: Record) -> Record:
    kept = {
        name: getattr(before, name)
        for name in SAID
        if not getattr(record, name) and getattr(before, name) and name != "truncated"
    }
    if not record.abstract:
        kept |= {"abstract": before.abstract, "truncated": before.truncated}
    return replace(record, **kept)


def paper_of(paper_id: str, records: Sequence[Record]) -> Paper:
    """Return the paper that records of it make together."""
    chosen = _fullest(records)
    published = sorted(records, key=_is_preprint)  # a stable sort: the first stay first
    return Paper(
        paper_id,
        handle="-",
        abstract=chosen.abstract,
        title=_title(records),
        authors=max((record.authors for record in records), key=_worth),
        year=next((record.year for record in published if record.year), None),
        venue=next((record.venue for record in published if record.venue), ""),
        doi=next((r.doi for r in sorted(records, key=_has_preprint_doi) if r.doi), ""),
        url=next((r.url for r in sorted(published, key=_is_session) if r.url), ""),
        keywords=tuple(_united(word for record in records for word in record.keywords)),
        sources=tuple(record.source for record in records),
        pmid=next((record.pmid for record in records if record.pmid), ""),
        arxiv_id=next((record.arxiv_id for record in records if record.arxiv_id), ""),
        language=next((record.language for record in (chosen, *records) if record.language), ""),
        other_abstracts=_others(records, chosen),
        details=_details(published),
        truncated=chosen.truncated,
    )


def _fullest(records: Sequence[Record]) -> Record:
    """Return the record whose abstract is taken: the first, unless another says much more."""
    best = records[0]
    for record in records[1:]:
        rank, best_rank = _rank(record), _rank(best)
        longer = len(record.abstract) > _FULLER * len(best.abstract)
        fuller = rank == best_rank and longer and _tongue(record) == _tongue(best)
        if rank > best_rank or fuller:
            best = record
    return best


def _rank(record: Record) -> int:
    return 0 if not record.abstract else 1 if record.truncated else 2


def _title(records: Sequence[Record]) -> str:
    titles = [record.title for record in records if record.title]
    return next((title for title in titles if not title.isupper()), next(iter(titles), ""))


def _worth(authors: Sequence[str]) -> tuple[int, int]:
    """Return how much a list of authors says: how many, then how much of their given names."""
    return len(authors), sum(len(people.parts(name)[1]) for name in authors)


def _is_preprint(record: Record) -> bool:
    return bool(_PREPRINT.search(f"{record.venue} {record.doi}")) or not (
        record.venue or record.doi
    )


def _is_session(record: Record) -> bool:
    """Tell whether an address leads into a search that only its maker can open."""
    return bool(_SESSION.search(record.url))


def _has_preprint_doi(record: Record) -> bool:
    return bool(_PREPRINT.search(record.doi))


def _united(words: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word.casefold() not in seen:
            seen.add(word.casefold())
            yield word


def _tongue(record: Record) -> str:
    """Return the language of the abstract; what a record says is often that of the paper."""
    return languages.guess(record.abstract)


def _others(records: Sequence[Record], chosen: Record) -> tuple[OtherAbstract, ...]:
    """Return the second abstracts, and a first one in another language than the chosen."""
    found = [item for record in records for item in record.other_abstracts]
    if any(record.abstract != chosen.abstract for record in records):
        tongue = _tongue(chosen)
        found += [
            OtherAbstract(record.abstract, its)
            for record in records
            if record.abstract and (its := _tongue(record)) and tongue and its != tongue
        ]
    if not found:
        return ()
    told: dict[str, OtherAbstract] = {}
    for item in found:
        told.setdefault(cleaning.normalized(item.text), item)
    told.pop(cleaning.normalized(chosen.abstract), None)
    return tuple(told.values())


def _details(records: Sequence[Record]) -> tuple[tuple[str, str], ...]:
    said: dict[str, str] = {}
    for record in records:
        for name, value in record.details:
            said.setdefault(name, value)
    return tuple(sorted(said.items()))
