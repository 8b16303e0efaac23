"""The tables of the library, and how rows become nouns."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.types import OtherAbstract, Paper, Passage, Record, Sentence, Source

VERSION = 3

# Kept as it was released when the next version comes: migrations are made of it.
TABLES_2 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    handle TEXT NOT NULL CHECK (handle <> ''),
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    year INTEGER,
    venue TEXT NOT NULL,
    doi TEXT NOT NULL,
    url TEXT NOT NULL,
    code_links TEXT NOT NULL,
    keywords TEXT NOT NULL,
    pmid TEXT NOT NULL DEFAULT '',
    arxiv_id TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    other_abstracts TEXT NOT NULL DEFAULT '[]',
    details TEXT NOT NULL DEFAULT '[]',
    truncated INTEGER NOT NULL DEFAULT 0,
    digest BLOB NOT NULL
);
CREATE INDEX papers_year ON papers (year) WHERE year IS NOT NULL;
CREATE INDEX papers_bare ON papers (seq) WHERE abstract = '';
CREATE TABLE sources (
    paper_id TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    file TEXT NOT NULL,
    record_no INTEGER NOT NULL,
    format TEXT NOT NULL,
    collection TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    record TEXT,
    PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;
CREATE INDEX sources_place ON sources (file, record_no);
CREATE INDEX sources_collection ON sources (collection);
CREATE TABLE sentences (
    paper_id TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL CHECK (start < stop),
    text TEXT NOT NULL,
    PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;
CREATE TABLE passages (
    paper_id TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL CHECK (start < stop),
    text TEXT NOT NULL,
    PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;
CREATE TABLE keys (
    key INTEGER NOT NULL,
    seq INTEGER NOT NULL REFERENCES papers (seq) ON DELETE CASCADE,
    PRIMARY KEY (key, seq)
) WITHOUT ROWID;
CREATE INDEX keys_seq ON keys (seq);
CREATE TABLE aliases (
    old_id TEXT PRIMARY KEY,
    paper_id TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX aliases_paper ON aliases (paper_id);
CREATE TABLE collection_names (original TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
"""

TABLES_3 = """
CREATE TABLE searches (
    name TEXT PRIMARY KEY,
    idea TEXT NOT NULL,
    saved_on TEXT NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
"""

TABLES = TABLES_2 + TABLES_3

PAPER_COLUMNS = (
    "id, handle, title, abstract, authors, year, venue, doi, url, code_links, keywords, "
    "pmid, arxiv_id, language, other_abstracts, details, truncated"
)
SAID = (
    *("title", "authors", "year", "venue", "doi", "url", "keywords", "pmid", "arxiv_id"),
    *("language", "other_abstracts", "details", "truncated"),
)
"""What a record and a paper both say, beside the abstract."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper as it is stored: with its derived parts and what tells its records apart.

    ``fingerprints[i]`` and ``records[i]``, what the source said, belong to ``paper.sources[i]``;
    ``keys`` are those of all records, see :mod:`assistant.library.keys`.
    """

    paper: Paper
    fingerprints: tuple[bytes, ...]
    sentences: tuple[Sentence, ...]
    passages: tuple[Passage, ...]
    records: tuple[Record, ...] = ()
    keys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One source of one paper, as the importer compares it."""

    paper_id: str
    source: Source
    fingerprint: bytes


def digest(entry: Entry) -> bytes:
    """Return 16 bytes that change whenever anything stored of a paper changes."""
    parts = (
        paper_row(entry.paper),
        [(*source_row(item), mark.hex()) for item, mark in sourced(entry)],
        [(item.index, item.start, item.end, item.text) for item in entry.sentences],
        [item.id for item in entry.passages],  # the id speaks for span and text
        record_rows(entry),
        entry.keys,
    )
    return hashlib.sha256(json.dumps(parts).encode()).digest()[:16]


def sourced(entry: Entry) -> Iterator[tuple[Source, bytes]]:
    """Yield each source of a paper with its fingerprint."""
    return zip(entry.paper.sources, entry.fingerprints, strict=True)


def source_row(source: Source) -> tuple[str, int, str, str]:
    """Return file, record number, format and collection."""
    return source.file, source.record_no, source.format, source.collection


def paper_row(paper: Paper) -> tuple[object, ...]:
    """Return the values of ``PAPER_COLUMNS``."""
    return (
        paper.id,
        paper.handle,
        paper.title,
        paper.abstract,
        json.dumps(paper.authors, ensure_ascii=False),
        paper.year,
        paper.venue,
        paper.doi,
        paper.url,
        json.dumps(paper.code_links, ensure_ascii=False),
        json.dumps(paper.keywords, ensure_ascii=False),
        paper.pmid,
        paper.arxiv_id,
        paper.language,
        json.dumps([_other_row(item) for item in paper.other_abstracts], ensure_ascii=False),
        json.dumps(paper.details, ensure_ascii=False),
        int(paper.truncated),
    )


def record_row(record: Record, paper: Paper) -> str | None:
    """Return what a record said that is not what the paper says; None where that is nothing."""
    said: dict[str, object] = {
        name: getattr(record, name)
        for name in SAID
        if getattr(record, name) != getattr(paper, name)
    }
    if "other_abstracts" in said:
        said["other_abstracts"] = [_other_row(item) for item in record.other_abstracts]
    if record.abstract != paper.abstract:
        said["abstract"] = record.abstract
    if record.line:
        said["line"] = record.line
    return json.dumps(said, ensure_ascii=False) if said else None


def record_of(row: sqlite3.Row, paper: Paper) -> Record:
    """Return what a source said, from its row and the paper."""
    said = json.loads(row["record"]) if row["record"] else {}
    fields = {name: said.get(name, getattr(paper, name)) for name in SAID}
    for name in ("authors", "keywords"):
        fields[name] = tuple(fields[name])
    if "other_abstracts" in said:
        fields["other_abstracts"] = tuple(OtherAbstract(*item) for item in said["other_abstracts"])
    fields["details"] = tuple((name, value) for name, value in fields["details"])
    return Record(
        source_of(row), said.get("abstract", paper.abstract), line=said.get("line", 0), **fields
    )


def record_rows(entry: Entry) -> list[str | None]:
    """Return what is stored of each source's record."""
    records = entry.records or (None,) * len(entry.paper.sources)
    return [record_row(record, entry.paper) if record else None for record in records]


def with_collection(entry: Entry, old: str, new: str) -> Entry:
    """Return a paper whose sources of one collection are of another."""

    def renamed(source: Source) -> Source:
        return replace(source, collection=new) if source.collection == old else source

    return replace(
        entry,
        paper=replace(entry.paper, sources=tuple(map(renamed, entry.paper.sources))),
        records=tuple(replace(item, source=renamed(item.source)) for item in entry.records),
    )


def _other_row(other: OtherAbstract) -> tuple[str, str, str]:
    return other.text, other.language, other.kind


def paper_of(row: sqlite3.Row, sources: tuple[Source, ...]) -> Paper:
    """Return the paper of a row with ``PAPER_COLUMNS``."""
    return Paper(
        id=row["id"],
        handle=row["handle"],
        abstract=row["abstract"],
        title=row["title"],
        authors=tuple(json.loads(row["authors"])),
        year=row["year"],
        venue=row["venue"],
        doi=row["doi"],
        url=row["url"],
        code_links=tuple(json.loads(row["code_links"])),
        keywords=tuple(json.loads(row["keywords"])),
        sources=sources,
        pmid=row["pmid"],
        arxiv_id=row["arxiv_id"],
        language=row["language"],
        other_abstracts=tuple(OtherAbstract(*item) for item in json.loads(row["other_abstracts"])),
        details=tuple((name, value) for name, value in json.loads(row["details"])),
        truncated=bool(row["truncated"]),
    )


def source_of(row: sqlite3.Row) -> Source:
    """Return the source of a row."""
    return Source(row["file"], row["record_no"], row["format"], row["collection"])


def sentence_of(row: sqlite3.Row) -> Sentence:
    """Return the sentence of a row."""
    return Sentence(row["paper_id"], row["position"], row["start"], row["stop"], row["text"])


def passage_of(row: sqlite3.Row) -> Passage:
    """Return the passage of a row."""
    return Passage(row["id"], row["paper_id"], row["start"], row["stop"], row["text"])
