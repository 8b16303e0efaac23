"""A newer export of a file changes what it changes: ids stay, the rest is left alone."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import inspecting
from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.types import FileReport

WORDS = "moss lichen fern wall roof barn stone water light shade growth decay town north".split()  # noqa: SIM905


def paper(number: int, *, numbered: bool, titled: bool) -> dict[str, Any]:
    """Return a paper that is like no other, with or without a DOI and a title."""
    chance = random.Random(number)
    found: dict[str, Any] = {
        "abstract": " ".join(
            f"In {chance.randint(1000, 9999)} we saw {' '.join(chance.choices(WORDS, k=12))}."
            for _ in range(4)
        ),
        "year": 1990 + number,
    }
    if titled:
        found["title"] = f"{' '.join(chance.choices(WORDS, k=6))} of {number} kinds".capitalize()
    if numbered:
        found["doi"] = f"10.1000/{number}"
    return found


def write(folder: Path, records: Sequence[dict[str, Any]]) -> Path:
    path = folder / "library.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def run(store: Store, path: Path) -> FileReport:
    (report,) = Importer(store, lambda text: len(text.split()), 40).run([path]).files
    counted = report.added + report.updated + report.merged + report.unchanged
    assert counted + report.rejected_count == report.read
    return report


def ids(store: Store) -> dict[int, str]:
    """Return the ids of papers by their years, of which each has its own."""
    return {item.year: item.id for item in store.papers() if item.year}


KINDS = st.tuples(st.booleans(), st.booleans())


@settings(max_examples=80, deadline=None)
@given(st.lists(KINDS, min_size=4, max_size=9), st.randoms(use_true_random=False), st.data())
def test_records_that_come_go_move_and_change(
    kinds: list[tuple[bool, bool]], chance: random.Random, data: st.DataObject
) -> None:
    papers = [
        paper(number, numbered=numbered, titled=titled)
        for number, (numbered, titled) in enumerate(kinds)
    ]
    cut = data.draw(st.integers(2, len(papers) - 1))
    first, later = papers[:cut], papers[cut:]
    kept = chance.sample(first, data.draw(st.integers(1, len(first))))
    changed = {item["year"] for item in kept if data.draw(st.booleans())}
    newer = [
        {**item, "abstract": f"{item['abstract']} Now it is known better.", "venue": "Walls"}
        if item["year"] in changed
        else item
        for item in kept
    ]
    newer += later
    chance.shuffle(newer)
    with tempfile.TemporaryDirectory() as folder, Store.in_memory() as store:
        run(store, write(Path(folder), first))
        before = ids(store)
        report = run(store, write(Path(folder), newer))
        assert (report.added, report.merged) == (len(later), 0)
        assert (report.updated, report.unchanged) == (len(changed), len(kept) - len(changed))
        after = ids(store)
        assert {year: after[year] for year in before} == before
        assert len(after) == len(papers)
        assert {item.year for item in store.papers() if item.venue} == changed
        assert run(store, write(Path(folder), newer)).unchanged == len(newer)
        assert inspecting.faults(store) == []


def test_a_change_of_metadata_alone_makes_no_new_passages(tmp_path: Path) -> None:
    old = [paper(number, numbered=True, titled=True) for number in range(3)]
    with Store.in_memory() as store:
        run(store, write(tmp_path, old))
        before = store.passage_ids()
        newer = [{**item, "keywords": ["wall"], "authors": ["Doe, Jane"]} for item in old]
        assert run(store, write(tmp_path, newer)).updated == 3
        assert store.passage_ids() == before


def test_the_same_record_twice_in_a_file_is_one_paper_that_stays_so(tmp_path: Path) -> None:
    one, two = (paper(number, numbered=True, titled=True) for number in range(2))
    with Store.in_memory() as store:
        first = run(store, write(tmp_path, [one, two, one]))
        assert (first.added, first.merged) == (2, 1)
        assert run(store, write(tmp_path, [one, two, one])).unchanged == 3
        moved = run(store, write(tmp_path, [two, one, one]))
        assert (moved.unchanged, moved.read) == (3, 3)
        assert len(store.papers()) == 2


def test_a_record_that_becomes_another_paper_takes_nothing_from_the_first(tmp_path: Path) -> None:
    one, two = (paper(number, numbered=True, titled=True) for number in range(2))
    with Store.in_memory() as store:
        run(store, write(tmp_path, [one]))
        (before,) = store.papers()
        assert run(store, write(tmp_path, [two])).added == 1
        assert store.papers()[0] == before
        assert len(store.papers()) == 2


def test_another_file_of_the_same_name_takes_nothing_from_the_first(tmp_path: Path) -> None:
    told = (
        "This is the protocol for a review. The objective is to assess the benefits and harms of "
        "{} for adults with {}, compared with placebo, no treatment, or usual care, in any setting."
    )
    subjects = [("statins", "heart failure"), ("zinc", "common colds")]
    one, two = (
        {"title": f"{drug.title()} for {ill} in adults", "abstract": told.format(drug, ill)}
        for drug, ill in subjects
    )
    with Store.in_memory() as store:
        run(store, write(tmp_path, [one]))
        assert run(store, write(tmp_path, [two])).added == 1
        assert {paper.title for paper in store.papers()} == {one["title"], two["title"]}
        assert run(store, write(tmp_path, [one])).unchanged == 1


def test_a_renamed_collection_takes_a_newer_export_of_its_file(tmp_path: Path) -> None:
    old = [paper(number, numbered=False, titled=True) for number in range(3)]
    with Store.in_memory() as store:
        run(store, write(tmp_path, old))
        with store.transaction():
            assert store.rename_collection("library", "Walls") == 3
        with store.transaction():
            assert store.rename_collection("Walls", "Barns") == 3
        assert run(store, write(tmp_path, old)).unchanged == 3
        newer = [
            {**old[1], "abstract": f"{old[1]['abstract']} So it is."},
            old[0],
            paper(7, numbered=True, titled=True),
        ]
        report = run(store, write(tmp_path, newer))
        assert (report.updated, report.unchanged, report.added) == (1, 1, 1)
        assert store.counts().collections == {"Barns": 4}
        with store.transaction():
            store.rename_collection("Barns", "library")
        assert run(store, write(tmp_path, newer)).unchanged == 3
        assert store.collection_names() == {"library": "library"}


def test_a_new_file_is_not_filed_under_what_an_earlier_name_became(tmp_path: Path) -> None:
    with Store.in_memory() as store:
        run(store, write(tmp_path, [paper(1, numbered=True, titled=True)]))
        with store.transaction():
            store.rename_collection("library", "Walls")
            store.rename_collection("Walls", "Barns")
        other = tmp_path / "Walls.jsonl"
        other.write_text(json.dumps(paper(2, numbered=True, titled=True)), encoding="utf-8")
        assert run(store, other).added == 1
        assert store.counts().collections == {"Barns": 1, "Walls": 1}
