"""The store keeps what it is given, all or nothing, and speaks plainly when it cannot."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import LibraryBusy, LibraryError
from assistant.library import connections
from assistant.library.connections import FILE
from assistant.library.schema import Entry
from assistant.library.store import Counts, Store
from assistant.types import Filters, Paper, Passage, Record, Sentence, Source


def entry(number: int, *, collection: str = "Mosses", year: int | None = None) -> Entry:
    id_ = f"p{number:012x}"
    abstract = f"Abstract number {number}. It says more."
    paper = Paper(
        id_,
        handle=f"Handle {number}",
        abstract=abstract,
        title=f"Title {number}",
        authors=("A. Author", "Ł. Writer"),
        year=year,
        venue="Walls",
        doi=f"10.1000/{number}",
        url="https://example.org",
        code_links=("https://github.com/a/b",),
        keywords=("moss",),
        sources=(Source(f"{collection}.txt", number, "text", collection),),
    )
    first = abstract.index(".") + 1
    parts = (
        Sentence(id_, 0, 0, first, abstract[:first]),
        Sentence(id_, 1, first + 1, len(abstract), abstract[first + 1 :]),
    )
    passage = Passage(f"{id_}:0-{len(abstract)}:x", id_, 0, len(abstract), abstract)
    said = Record(
        paper.sources[0],
        abstract,
        title=paper.title,
        authors=paper.authors,
        year=year,
        venue=paper.venue,
        doi=paper.doi,
        url=paper.url,
        keywords=paper.keywords,
    )
    return Entry(paper, (b"f",), parts, (passage,), (said,), (number, number + 1))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(tmp_path / "data", create=True) as opened:
        yield opened


def fill(store: Store, *entries: Entry) -> None:
    with store.transaction():
        for item in entries:
            store.save(item)


def test_what_is_saved_comes_back_whole(store: Store, tmp_path: Path) -> None:
    one = entry(1, year=2021)
    fill(store, one)
    assert store.paper(one.paper.id) == one.paper
    assert store.entry(one.paper.id) == one
    assert store.sentences(one.paper.id) == one.sentences
    assert list(store.passages()) == list(one.passages)
    with Store.open(tmp_path / "data", create=False) as again:
        assert again.papers() == [one.paper]
        assert again.version() == store.version()


def test_papers_come_in_order_of_import_or_as_asked(store: Store) -> None:
    entries = [entry(number) for number in (3, 1, 2)]
    fill(store, *entries)
    ids = [item.paper.id for item in entries]
    assert [paper.id for paper in store.papers()] == ids
    assert [paper.id for paper in store.papers([ids[2], "nobody", ids[0]])] == [ids[2], ids[0]]
    assert store.papers([]) == []
    assert [sentence.paper_id for sentence in store.all_sentences()] == [
        id_ for id_ in ids for _ in "ab"
    ]


def test_a_changed_paper_keeps_its_place(store: Store) -> None:
    one, two = entry(1), entry(2)
    fill(store, one, two)
    changed = replace(one, paper=replace(one.paper, title="Other"), sentences=one.sentences[:1])
    fill(store, changed)
    assert [paper.title for paper in store.papers()] == ["Other", "Title 2"]
    assert store.sentences(one.paper.id) == one.sentences[:1]
    assert store.counts() == Counts(2, 2, 3, {"Mosses": 2})


def test_passages_are_found_by_id(store: Store) -> None:
    entries = [entry(number) for number in range(1200)]
    fill(store, *entries)
    ids = [item.passages[0].id for item in entries]
    assert store.passage_ids() == set(ids)
    assert [passage.id for passage in store.passages()] == ids
    wanted = [ids[1100], "nobody", ids[3]]
    assert [passage.id for passage in store.passages(iter(wanted))] == [ids[1100], ids[3]]


def test_filters_restrict_and_empty_ones_do_not(store: Store) -> None:
    fill(store, entry(1, year=2019), entry(2, collection="Lichens", year=2021), entry(3))
    one, two, three = (f"p{number:012x}" for number in (1, 2, 3))
    assert store.paper_ids() is None
    assert store.paper_ids(Filters()) is None
    assert store.paper_ids(Filters(collections=("Mosses",))) == {one, three}
    assert store.paper_ids(Filters(year_from=2020)) == {two}
    assert store.paper_ids(Filters(year_to=2020)) == {one}
    assert store.paper_ids(Filters(paper_ids=(three, "nobody"))) == {three}
    assert store.paper_ids(Filters(collections=("Mosses",), year_from=2020)) == set()


def test_the_version_follows_the_content_not_its_history(store: Store) -> None:
    empty = store.version()
    one, two = entry(1), entry(2)
    fill(store, one)
    first = store.version()
    fill(store, one)
    assert store.version() == first != empty
    fill(store, two)
    both = store.version()
    with store.transaction():
        store.delete(one.paper.id)
    assert store.version() not in {both, first, empty}
    fill(store, one)
    assert store.version() == both  # the same papers in another order
    with store.transaction():
        store.delete(one.paper.id)
        store.delete(two.paper.id)
        store.delete("nobody")
    assert store.version() == empty
    assert store.counts() == Counts(0, 0, 0, {})


def test_every_stored_detail_counts_for_the_version(store: Store) -> None:
    one = entry(1)
    fill(store, one)
    versions = {store.version()}
    for changed in (
        replace(one, paper=replace(one.paper, keywords=())),
        replace(one, sentences=one.sentences[1:]),
        replace(one, passages=()),
        replace(one, fingerprints=(b"g",)),
        replace(one, paper=replace(one.paper, sources=(Source("b.txt", 1, "text", "B"),))),
    ):
        fill(store, changed)
        versions.add(store.version())
    assert len(versions) == 6


def test_a_broken_transaction_leaves_nothing(store: Store) -> None:
    fill(store, entry(1))
    before = store.version()

    def fail() -> None:
        with store.transaction():
            store.save(entry(2))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert store.version() == before
    assert store.counts().papers == 1
    fill(store, entry(2))
    assert store.counts().papers == 2


def test_a_rehearsal_leaves_nothing(store: Store) -> None:
    with store.transaction(keep=False):
        store.save(entry(1))
        assert store.counts().papers == 1
    assert store.counts().papers == 0


def test_writing_needs_a_transaction_and_they_do_not_nest(store: Store) -> None:
    with pytest.raises(RuntimeError, match="needs a transaction"):
        store.save(entry(1))
    with store.transaction(), pytest.raises(RuntimeError, match="do not nest"), store.transaction():
        pass


def test_settings_are_kept(store: Store) -> None:
    assert store.get_meta("embedder") == ""
    with store.transaction():
        store.set_meta("embedder", "one")
        store.set_meta("embedder", "two")
    assert store.get_meta("embedder") == "two"


def test_threads_read_while_another_writes(store: Store) -> None:
    fill(store, *(entry(number) for number in range(50)))
    errors: list[Exception] = []
    seen: list[int] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                seen.append(len(store.papers()))
                list(store.all_sentences())
        except Exception as error:  # noqa: BLE001 - told below
            errors.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for start in range(50, 250, 50):
        fill(store, *(entry(number) for number in range(start, start + 50)))
    done.set()
    for thread in threads:
        thread.join()
    assert not errors
    assert {count % 50 for count in seen} == {0}  # only whole transactions are seen
    assert store.counts().papers == 250


def test_two_threads_write_one_after_the_other(store: Store) -> None:
    def write(start: int) -> None:
        for number in range(start, start + 20):
            fill(store, entry(number))

    threads = [threading.Thread(target=write, args=(start,)) for start in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.counts().papers == 40


def test_a_library_in_memory_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.in_memory() as store:
        fill(store, entry(1))
        assert store.counts().papers == 1
    assert list(tmp_path.iterdir()) == []


# What can go wrong


def test_a_missing_library_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="no library") as told:
        Store.open(tmp_path / "none", create=False)
    assert "assistant ingest" in told.value.hint
    assert not (tmp_path / "none").exists()


def test_an_empty_file_left_by_a_killed_start_is_made_a_library(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with Store.open(tmp_path, create=False) as store:
        assert store.papers() == []


def test_rubbish_is_told_apart_from_a_library(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is not a database, not at all" * 100)
    with pytest.raises(LibraryError, match="damaged") as told:
        Store.open(tmp_path, create=True)
    assert "assistant ingest" in told.value.hint


def test_a_database_of_something_else_is_not_touched(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    with pytest.raises(LibraryError, match="not a library of this assistant"):
        Store.open(tmp_path, create=True)


def test_damage_inside_the_file_is_found(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        fill(store, *(entry(number) for number in range(300)))
        assert store.check() == []
    content = bytearray((tmp_path / FILE).read_bytes())
    content[len(content) // 4 : len(content) // 2] = b"\x55" * (
        len(content) // 2 - len(content) // 4
    )
    (tmp_path / FILE).write_bytes(content)

    def look() -> list[str]:
        with Store.open(tmp_path, create=False) as store:
            return store.check() + [paper.id for paper in store.papers()]

    with pytest.raises(LibraryError, match="damaged"):
        look()


def test_a_library_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / FILE) as newer:
        newer.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(LibraryError, match="newer version") as told:
        Store.open(tmp_path, create=True)
    assert "Upgrade" in told.value.hint


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="cannot be opened") as told:
        Store.open(tmp_path / "file" / "data", create=True)
    assert "ASSISTANT_DATA_DIR" in told.value.hint


def test_a_full_disk_is_said_and_leaves_the_rest_whole(store: Store) -> None:
    fill(store, entry(1))
    before = store.version()
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(LibraryError, match="full") as told:
        fill(store, *(entry(number) for number in range(2, 400)))
    assert "Free some space" in told.value.hint
    assert store.version() == before
    assert store.counts().papers == 1
    store._writer.execute("PRAGMA max_page_count = 1000000")
    fill(store, *(entry(number) for number in range(2, 400)))
    assert store.counts().papers == 399
    assert store.check() == []


HOLD = """
import sqlite3, sys
held = sqlite3.connect({path!r}, isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_writing_process_is_told_and_readers_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "WAIT", 0.2)
    with Store.open(tmp_path, create=True) as store:
        fill(store, entry(1))
        code = HOLD.format(path=str(tmp_path / FILE))
        other = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            assert other.stdout.readline() == b"held\n"
            with pytest.raises(LibraryBusy, match="Another process"):
                fill(store, entry(2))
            assert len(store.papers()) == 1
        finally:
            other.communicate()
        fill(store, entry(2))
        assert len(store.papers()) == 2
