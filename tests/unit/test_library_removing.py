"""What a file brought can be taken out again, and nothing else goes with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import LibraryError
from assistant.library import inspecting
from assistant.library.importing import Importer
from assistant.library.removing import Removal, remove_collection, remove_source
from assistant.library.store import Store

MOSS = "We study the growth of mosses on northern stone walls over a span of ten years."
LICHEN = "This paper presents a survey of lichens that were found on old roofs in wet regions."
FERN = "Ferns are older than flowers. We propose FernNet, a network that counts ferns in pictures."


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as opened:
        yield opened


def importer(store: Store) -> Importer:
    return Importer(store, lambda text: len(text.split()), 20)


def bring(store: Store, folder: Path, name: str, *records: dict[str, object]) -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (report,) = importer(store).run([path]).files
    assert not report.error
    return path


def test_papers_of_the_file_go_and_those_of_others_stay(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, "a.jsonl", {"title": "Moss", "abstract": MOSS, "year": 2020})
    bring(
        store,
        tmp_path,
        "b.jsonl",
        {"title": "Moss", "abstract": MOSS, "keywords": ["wall"], "doi": "10.1000/a"},
        {"title": "Lichen", "abstract": LICHEN},
    )
    before = store.paper(store.papers()[0].id)
    assert (before.doi, before.keywords) == ("10.1000/a", ("wall",))
    assert remove_source(store, importer(store).deriver, "b.jsonl") == Removal(1, 1)
    (left,) = store.papers()
    assert left.id == before.id
    assert (left.title, left.year, left.doi, left.keywords) == ("Moss", 2020, "", ())
    assert [source.file for source in left.sources] == ["a.jsonl"]
    assert [item.file for item in store.source_files()] == ["a.jsonl"]
    assert inspecting.faults(store) == []


def test_it_is_as_if_the_file_had_never_been_imported(store: Store, tmp_path: Path) -> None:
    bring(
        store,
        tmp_path,
        "a.jsonl",
        {"title": "MOSS", "abstract": MOSS},
        {"title": "Ferns of old times"},
    )
    before = store.version()
    bring(
        store,
        tmp_path,
        "b.jsonl",
        {"title": "Moss", "abstract": f"{MOSS} {LICHEN}"},
        {"title": "Ferns of old times", "abstract": FERN},
    )
    assert store.version() != before
    assert store.counts().references == 0
    remove_source(store, importer(store).deriver, "b.jsonl")
    assert store.version() == before
    assert store.counts().references == 1
    assert inspecting.faults(store) == []


def test_an_abstract_of_the_removed_file_goes_with_its_passages(
    store: Store, tmp_path: Path
) -> None:
    bring(store, tmp_path, "a.jsonl", {"title": "Ferns of old times"})
    bring(store, tmp_path, "b.jsonl", {"title": "Ferns of old times", "abstract": FERN})
    (paper,) = store.papers()
    assert store.sentences(paper.id)
    remove_source(store, importer(store).deriver, "b.jsonl")
    assert store.paper(paper.id).abstract == ""
    assert (store.sentences(paper.id), list(store.passages())) == ((), [])


def test_a_rehearsal_counts_and_keeps_everything(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, "a.jsonl", {"title": "Moss", "abstract": MOSS})
    before = store.version()
    deriver = importer(store).deriver
    assert remove_source(store, deriver, "a.jsonl", keep=False) == Removal(1, 0)
    assert store.version() == before
    assert len(store.papers()) == 1


def test_a_file_that_nothing_came_from_is_told(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, "a.jsonl", {"title": "Moss", "abstract": MOSS})
    with pytest.raises(LibraryError, match=r"b\.jsonl") as told:
        remove_source(store, importer(store).deriver, "b.jsonl")
    assert "assistant sources" in told.value.hint


def test_a_removed_file_can_be_imported_again(store: Store, tmp_path: Path) -> None:
    path = bring(store, tmp_path, "a.jsonl", {"title": "Moss", "abstract": MOSS})
    (before,) = store.papers()
    remove_source(store, importer(store).deriver, "a.jsonl")
    assert store.is_empty()
    (report,) = importer(store).run([path]).files
    assert report.added == 1
    assert store.papers() == [before]


def test_papers_are_removed_by_id_with_all_that_is_theirs(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, "a.jsonl", {"abstract": MOSS}, {"abstract": LICHEN}, {"abstract": FERN})
    one, two, three = (paper.id for paper in store.papers())
    with store.transaction():
        assert store.remove([one, three, "nobody", one]) == 2
    assert [paper.id for paper in store.papers()] == [two]
    assert {part.paper_id for part in store.all_sentences()} == {two}
    assert {part.paper_id for part in store.passages()} == {two}
    assert store.sharing(store.entry(two).keys) == [two]
    assert store.check() == []
    with pytest.raises(LibraryError):
        store.resolve(one)
    assert inspecting.faults(store) == []


def test_a_collection_goes_with_all_its_files_and_papers_of_others_stay(
    store: Store, tmp_path: Path
) -> None:
    bring(store, tmp_path, "a.jsonl", {"title": "Moss", "abstract": MOSS, "year": 2020})
    bring(store, tmp_path, "b.jsonl", {"title": "Moss", "abstract": MOSS, "doi": "10.1000/a"})
    bring(store, tmp_path, "c.jsonl", {"title": "Lichen", "abstract": LICHEN})
    bring(store, tmp_path, "d.jsonl", {"title": "Fern", "abstract": FERN})
    with store.transaction():
        store.rename_collection("b", "Field work")
        store.rename_collection("c", "Field work")
    derive = importer(store).deriver
    assert remove_collection(store, derive, "Field work", keep=False) == Removal(1, 1)
    assert len(store.papers()) == 3
    assert remove_collection(store, derive, "Field work") == Removal(1, 1)
    assert [paper.title for paper in store.papers()] == ["Moss", "Fern"]
    assert [item.file for item in store.source_files()] == ["a.jsonl", "d.jsonl"]
    assert inspecting.faults(store) == []
    with pytest.raises(LibraryError, match="no collection 'Field work'"):
        remove_collection(store, derive, "Field work")
