"""A library of any released version is opened, brought up to date, and lost by nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from assistant.errors import LibraryError
from assistant.library import inspecting, lookup, migrations, schema
from assistant.library.connections import FILE
from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.types import Idea, SavedSearch

# The tables of the first release, word for word.
TABLES_1 = """
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

ABSTRACT = (
    "We propose MossNet, a network that counts mosses on walls. It is 12 % better than counting by "
    "hand, and it needs no light. We test it on four walls in the north over ten long years."
)
OTHER = (
    "We study lichens on roofs. Nothing is known of them, so this is the first study of its kind."
)


def first_release(path: Path) -> None:
    """Write a library as the first release would have."""
    connection = sqlite3.connect(path)
    connection.executescript(TABLES_1)
    connection.execute("INSERT INTO meta VALUES ('schema_version', '1')")
    connection.execute("INSERT INTO meta VALUES ('derived_by', '1:24')")
    total = 0
    for number, (title, abstract) in enumerate(((" Mosses".strip(), ABSTRACT), ("", OTHER)), 1):
        digest = hashlib.sha256(str(number).encode()).digest()[:16]
        total += int.from_bytes(digest, "big")
        key = hashlib.sha256(abstract.casefold().encode()).digest()
        connection.execute(
            "INSERT INTO papers (id, handle, title, abstract, authors, year, venue, doi, url, "
            "code_links, keywords, text_key, digest) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                f"p{number}",
                "A handle",
                title,
                abstract,
                json.dumps(["Doe, Jane"]),
                2020,
                "Walls",
                f"10.1000/{number}",
                "",
                "[]",
                '["moss"]',
                key,
                digest,
            ),
        )
        connection.execute(
            "INSERT INTO sources VALUES (?, 0, 'a.jsonl', ?, 'jsonl', 'a', ?)",
            (f"p{number}", number, b"old"),
        )
        connection.execute(
            "INSERT INTO sentences VALUES (?, 0, 0, ?, ?)", (f"p{number}", len(abstract), abstract)
        )
    connection.execute(
        "INSERT INTO meta VALUES ('content_version', ?)", (f"{total % (1 << 128):032x}",)
    )
    connection.commit()
    connection.close()


def importer(store: Store) -> Importer:
    return Importer(store, lambda text: len(text.split()), 24)


def test_a_library_of_the_first_release_is_brought_up_to_date(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    with Store.open(tmp_path, create=False) as store:
        one, two = store.papers()
        assert (one.id, one.title, one.abstract, one.year) == ("p1", "Mosses", ABSTRACT, 2020)
        assert (two.abstract, two.doi, two.pmid) == (OTHER, "10.1000/2", "")
        assert importer(store).stale()
        importer(store).derive_again()
        assert inspecting.faults(store) == []
        (record,) = store.records("p1")
        assert (record.title, record.authors) == ("Mosses", ("Doe, Jane",))
        assert lookup.paper_named(store, "Mosses").id == "p1"
        assert store.paper("p2").handle != "A handle"


def test_what_is_imported_next_finds_the_papers_of_the_first_release(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    file = tmp_path / "b.jsonl"
    file.write_text(json.dumps({"title": "Mosses", "text": ABSTRACT, "pmid": "77777"}))
    with Store.open(tmp_path, create=False) as store:
        (report,) = importer(store).run([file]).files
        assert (report.merged, report.added) == (1, 0)
        assert store.paper("p1").pmid == "77777"
        assert inspecting.faults(store) == []


def test_a_copy_of_the_file_is_kept_beside_it(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    Store.open(tmp_path, create=False).close()
    copy = sqlite3.connect(tmp_path / f"{FILE}.v1.backup")
    assert copy.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone() == ("1",)
    assert copy.execute("SELECT count(*) FROM papers").fetchone() == (2,)
    copy.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_release(tmp_path / FILE)

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE papers")
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setitem(migrations._STEPS, 1, fail)
        with pytest.raises(LibraryError):
            Store.open(tmp_path, create=False)
    with Store.open(tmp_path, create=False) as store:
        assert [paper.id for paper in store.papers()] == ["p1", "p2"]


def test_a_library_is_migrated_once(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    Store.open(tmp_path, create=False).close()
    backup = tmp_path / f"{FILE}.v1.backup"
    before = backup.stat().st_mtime_ns
    with Store.open(tmp_path, create=False) as store:
        assert len(store.papers()) == 2
    assert backup.stat().st_mtime_ns == before


def test_a_library_of_any_earlier_version_can_keep_searches(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    search = SavedSearch("walls", Idea("mosses on walls"), "2026-11-30")
    with Store.open(tmp_path, create=False) as store:
        assert store.searches() == []
        with store.transaction():
            store.keep_search(search)
    with Store.open(tmp_path, create=False) as store:
        assert store.searches() == [search]
        assert store.unseen("walls") == []


def test_a_library_of_the_second_release_keeps_its_papers_and_a_copy(tmp_path: Path) -> None:
    first_release(tmp_path / FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "VERSION", 2)
        Store.open(tmp_path, create=False).close()
    with Store.open(tmp_path, create=False) as store:
        assert [paper.id for paper in store.papers()] == ["p1", "p2"]
        assert store.searches() == []
    copy = sqlite3.connect(tmp_path / f"{FILE}.v2.backup")
    assert copy.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone() == ("2",)
    assert copy.execute("SELECT count(*) FROM papers").fetchone() == (2,)
    copy.close()
