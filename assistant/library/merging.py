"""What a paper becomes when another record of it comes in."""

from __future__ import annotations

from dataclasses import replace

from assistant.library.dedupe import Keyed
from assistant.library.schema import Entry
from assistant.types import Paper, Record

_METADATA = ("title", "authors", "year", "venue", "doi", "url", "keywords")


def fresh(item: Keyed, paper_id: str) -> Entry:
    """Return the entry of a record that is a paper of its own."""
    record = item.record
    paper = Paper(
        paper_id,
        handle="-",
        abstract=record.abstract,
        sources=(record.source,),
        **{name: getattr(record, name) for name in _METADATA},
    )
    return Entry(paper, item.text_key, (item.fingerprint,), (), ())


def with_source(entry: Entry, item: Keyed) -> Entry:
    """Return the entry with one more source; its text stays, what it lacked is filled in."""
    paper = entry.paper
    known = {name: getattr(paper, name) or getattr(item.record, name) for name in _METADATA}
    return replace(
        entry,
        paper=replace(paper, sources=(*paper.sources, item.record.source), **known),
        fingerprints=(*entry.fingerprints, item.fingerprint),
    )


def again(entry: Entry, item: Keyed, position: int) -> Entry:
    """Return the entry after the record of its source at ``position`` was read again.

    A record that only moved within its file changes its number; one that says something
    else changes the paper, except for what it no longer says.
    """
    sources, marks = list(entry.paper.sources), list(entry.fingerprints)
    moved_only = marks[position] == item.fingerprint
    sources[position], marks[position] = item.record.source, item.fingerprint
    paper = entry.paper if moved_only else _newer(entry.paper, item.record)
    return replace(
        entry,
        paper=replace(paper, sources=tuple(sources)),
        fingerprints=tuple(marks),
        text_key=entry.text_key if moved_only else item.text_key,
    )


def _newer(paper: Paper, record: Record) -> Paper:
    said = {name: getattr(record, name) or getattr(paper, name) for name in _METADATA}
    return replace(paper, abstract=record.abstract, **said)
