"""The tables of the library, and how rows become nouns."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.types import Paper, Passage, Sentence, Source

VERSION = 1

TABLES = """
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
    text_key BLOB NOT NULL UNIQUE,
    digest BLOB NOT NULL
);
CREATE INDEX papers_doi ON papers (doi) WHERE doi <> '';
CREATE INDEX papers_year ON papers (year) WHERE year IS NOT NULL;
CREATE TABLE sources (
    paper_id TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    file TEXT NOT NULL,
    record_no INTEGER NOT NULL,
    format TEXT NOT NULL,
    collection TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
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
"""

PAPER_COLUMNS = "id, handle, title, abstract, authors, year, venue, doi, url, code_links, keywords"


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper as it is stored: with its derived parts and what tells its records apart.

    ``fingerprints[i]`` belongs to ``paper.sources[i]``; ``text_key`` to the abstract.
    """

    paper: Paper
    text_key: bytes
    fingerprints: tuple[bytes, ...]
    sentences: tuple[Sentence, ...]
    passages: tuple[Passage, ...]


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
    )


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
