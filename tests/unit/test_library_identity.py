"""Which records are one paper, and what the paper is that several records make."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.library import inspecting, removing
from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.types import FileReport, Paper

MOSS = (
    "We study the growth of mosses on northern stone walls over ten years and find that they grow "
    "faster in the shade. The effect is larger on old walls than on new ones. We discuss what may "
    "be done about it, and publish all of our data with 1,200 pictures."
)
PREPRINT = MOSS.replace("We discuss what may be done about it, and", "We")
FERN = (
    "This paper presents a survey of ferns found in wet regions of the south. We count four kinds "
    "in every valley, and two that were thought to be lost. We discuss what may have saved them, "
    "and how the survey could be repeated elsewhere by others with little money."
)


class Library:
    """A library in memory that takes records as they stand in files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store.in_memory()
        self.importer = Importer(self.store, lambda text: len(text.split()), 40)

    def take(self, *records: dict[str, Any], file: str = "a.jsonl") -> FileReport:
        path = self.folder / file
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        (report,) = self.importer.run([path]).files
        assert not report.error
        counted = report.added + report.updated + report.merged + report.unchanged
        assert counted + report.rejected_count == report.read
        assert inspecting.faults(self.store) == []
        return report

    @property
    def papers(self) -> list[Paper]:
        return self.store.papers()


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path)


Take = Callable[..., FileReport]
BASE = {
    "title": "On the growth of mosses on walls",
    "abstract": MOSS,
    "authors": ["Doe, Jane"],
    "year": 2020,
}

SAME = {
    "doi": (
        {**BASE, "doi": "10.1234/a"},
        {"title": "On mosses growing on walls", "doi": "10.1234/A"},
    ),
    "pmid": ({**BASE, "pmid": "12345"}, {"title": "Growth of mosses on walls", "pmid": "12345"}),
    "arxiv": (
        {**BASE, "arxiv_id": "2001.00001"},
        {"title": "On the growth of mosses", "doi": "10.48550/arXiv.2001.00001"},
    ),
    "text": ({"abstract": MOSS}, {"title": "On mosses", "abstract": f"<p>{MOSS}</p>"}),
    "title and year": (
        BASE,
        {**BASE, "abstract": PREPRINT, "title": "ON THE GROWTH OF MOSSES ON WALLS."},
    ),
    "a reference": (
        BASE,
        {"title": "On the Growth of Mosses on Walls", "authors": ["J. Doe"], "year": 2021},
    ),
    "nearly the same text": (
        BASE,
        {"title": "The growth of mosses on walls", "abstract": MOSS.replace("publish", "release")},
    ),
    "a preprint's DOI": (
        {**BASE, "doi": "10.48550/arxiv.2001.00001"},
        {**BASE, "doi": "10.1234/a"},
    ),
}
OTHER = {
    "erratum": (BASE, {"title": "Erratum: On the growth of mosses on walls", "year": 2020}),
    "part": ({**BASE, "title": "On mosses I"}, {**BASE, "title": "On mosses II"}),
    "numbered part": ({**BASE, "title": "On mosses: part 1"}, {**BASE, "title": "On mosses: part 2"}),
    "alike titles, other abstracts": (BASE, {**BASE, "abstract": FERN}),
    "other years": (BASE, {**BASE, "abstract": FERN, "year": 2003}),
    "other authors": ({**BASE, "abstract": ""}, {**BASE, "abstract": "", "authors": ["Roe, R."]}),
    "editorials": ({"title": "Editorial", "authors": ["Doe, J."], "year": 2020, "venue": "Walls"}, {"title": "Editorial", "authors": ["Doe, J."], "year": 2020, "venue": "Roofs"}),
    "chapters of one book": ({"title": "Mosses of the north", "abstract": MOSS, "doi": "10.1234/book"}, {"title": "A survey of ferns", "abstract": FERN, "doi": "10.1234/book"}),
    "other numbers in the same words": ({"abstract": MOSS}, {"abstract": MOSS.replace("1,200", "1,300")}),
    "other publishers' DOIs": ({**BASE, "doi": "10.1234/a", "abstract": ""}, {**BASE, "doi": "10.9999/b", "abstract": ""}),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("turned", [False, True])
def test_records_of_one_paper_are_one(library: Library, name: str, turned: bool) -> None:
    one, two = SAME[name][::-1] if turned else SAME[name]
    library.take(one, file="one.jsonl")
    assert library.take(two, file="two.jsonl").merged == 1
    (paper,) = library.papers
    assert [source.file for source in paper.sources] == ["one.jsonl", "two.jsonl"]
    assert paper.abstract


@pytest.mark.parametrize("name", OTHER)
@pytest.mark.parametrize("turned", [False, True])
def test_papers_that_are_like_each_other_stay_two(
    library: Library, name: str, turned: bool
) -> None:
    one, two = OTHER[name][::-1] if turned else OTHER[name]
    library.take(one, file="one.jsonl")
    assert library.take(two, file="two.jsonl").added == 1
    assert len(library.papers) == 2


def test_a_record_that_ties_two_papers_joins_them(library: Library) -> None:
    library.take({**BASE, "doi": "10.1234/a"}, file="one.jsonl")
    library.take({"title": "Mosses and what becomes of them", "pmid": "12345"}, file="two.jsonl")
    first, second = library.papers
    tie = {"title": "Mosses and the growth on walls", "doi": "10.1234/a", "pmid": "12345"}
    library.take({**tie, "abstract": MOSS}, file="three.jsonl")
    # the title of the second speaks against it, and its number alone does not decide
    if len(library.papers) == 2:
        pytest.fail("the number that is the same was not enough")
    (paper,) = library.papers
    assert paper.id == first.id
    assert library.store.resolve(second.id) == first.id
    assert len(paper.sources) == 3
    assert inspecting.faults(library.store) == []


def test_the_fullest_of_all_records_is_kept(library: Library) -> None:
    library.take(
        {"title": "ON THE GROWTH OF MOSSES ON WALLS", "authors": ["Doe, J."], "year": 2019,
         "venue": "arXiv", "doi": "10.48550/arxiv.2001.00001", "abstract": f"{MOSS[:150]}…",
         "keywords": ["Moss"]},
        file="one.jsonl",
    )  # fmt: skip
    library.take(
        {**BASE, "authors": ["Doe, Jane", "Roe, Richard"], "venue": "Walls", "doi": "10.1234/a",
         "keywords": ["moss", "wall"], "pmid": "12345"},
        file="two.jsonl",
    )  # fmt: skip
    (paper,) = library.papers
    assert paper.title == BASE["title"]
    assert paper.authors == ("Doe, Jane", "Roe, Richard")
    assert (paper.year, paper.venue, paper.doi) == (2020, "Walls", "10.1234/a")
    assert (paper.arxiv_id, paper.pmid) == ("2001.00001", "12345")
    assert paper.keywords == ("Moss", "wall")
    assert (paper.abstract, paper.truncated) == (MOSS, False)


def test_a_reference_gets_its_abstract_later_and_keeps_its_id(library: Library) -> None:
    report = library.take({"title": BASE["title"], "year": 2020}, file="one.jsonl")
    assert (report.with_abstract, report.references) == (0, 1)
    (before,) = library.papers
    assert (before.abstract, before.handle) == ("", "On the growth of mosses on walls")
    library.take(BASE, file="two.jsonl")
    (after,) = library.papers
    assert (after.id, after.abstract) == (before.id, MOSS)
    assert list(library.store.passages())


def test_each_source_keeps_what_it_said(library: Library) -> None:
    library.take({**BASE, "venue": "arXiv"}, file="one.jsonl")
    library.take({**BASE, "abstract": PREPRINT, "venue": "Walls"}, file="two.jsonl")
    (paper,) = library.papers
    one, two = library.store.records(paper.id)
    assert (one.venue, one.abstract) == ("arXiv", MOSS)
    assert (two.venue, two.abstract) == ("Walls", PREPRINT)
    assert paper.venue == "Walls"


def test_a_file_that_goes_takes_along_what_only_it_said(library: Library) -> None:
    library.take(
        {**BASE, "venue": "Walls", "keywords": ["moss"]}, {"abstract": FERN}, file="one.jsonl"
    )
    library.take({**BASE, "abstract": PREPRINT, "pmid": "12345"}, file="two.jsonl")
    id_ = library.papers[0].id
    removal = removing.remove_source(library.store, library.importer.deriver, "one.jsonl")
    assert (removal.removed, removal.kept) == (1, 1)
    (paper,) = library.papers
    assert (paper.id, paper.abstract, paper.venue, paper.keywords) == (id_, PREPRINT, "", ())
    assert paper.pmid == "12345"
    assert inspecting.faults(library.store) == []


def test_a_newer_export_updates_what_changed_and_keeps_the_ids(library: Library) -> None:
    library.take(BASE, {"title": "A survey of ferns", "abstract": FERN})
    ids = {paper.title: paper.id for paper in library.papers}
    new = {
        "title": "Third",
        "abstract": "A third abstract about lichens on roofs, which is new here.",
    }
    report = library.take(
        new, {"title": "A survey of ferns", "abstract": FERN, "doi": "10.1234/f"}, BASE
    )
    assert (report.added, report.updated, report.unchanged) == (1, 1, 1)
    after = {paper.title: paper for paper in library.papers}
    assert {title: after[title].id for title in ids} == ids
    assert after["A survey of ferns"].doi == "10.1234/f"
    assert library.take(new, {"title": "A survey of ferns", "abstract": FERN, "doi": "10.1234/f"}, BASE).unchanged == 3  # fmt: skip


def test_a_renamed_collection_stays_renamed_when_its_file_comes_again(library: Library) -> None:
    library.take(BASE)
    with library.store.transaction():
        assert library.store.rename_collection("a", "Mosses") == 1
    assert library.take(BASE).unchanged == 1
    assert library.store.counts().collections == {"Mosses": 1}
    with library.store.transaction():
        library.store.rename_collection("Mosses", "Moss and stone")
    library.take(BASE, {"abstract": FERN})
    assert library.store.counts().collections == {"Moss and stone": 2}
    assert inspecting.faults(library.store) == []


def fields_of(papers: list[Paper]) -> set[tuple[Any, ...]]:
    return {(p.title, p.abstract, p.authors, p.year, p.venue, p.doi, p.pmid) for p in papers}


def test_the_order_of_files_does_not_change_which_papers_there_are(tmp_path: Path) -> None:
    files = {
        "one.jsonl": [
            {**BASE, "doi": "10.1234/a"},
            {"title": "A survey of ferns", "abstract": FERN, "year": 2001},
        ],
        "two.jsonl": [{"title": BASE["title"], "year": 2020, "authors": ["Doe, J."]}],
        "three.jsonl": [{**BASE, "pmid": "12345"}, {"title": "A Survey of Ferns", "year": 2001}],
    }
    counts = set()
    for number, order in enumerate(permutations(files)):
        folder = tmp_path / str(number)
        folder.mkdir()
        library = Library(folder)
        for name in order:
            library.take(*files[name], file=name)
        counts.add(
            (len(library.papers), tuple(sorted(len(paper.sources) for paper in library.papers)))
        )
        assert {p.pmid for p in library.papers} == {"12345", ""}
    assert counts == {(2, (2, 3))}


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 10_000))
def test_importing_again_changes_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    pool = [BASE, {"abstract": FERN}, {"title": "Only a title"}, {"title": "No. 2", "abstract": PREPRINT},
            {**BASE, "year": 2021}, {"abstract": "short"}, {}]  # fmt: skip
    records = [BASE, *chance.choices(pool, k=chance.randint(0, 8))]
    library = Library(tmp_path)
    library.take(*records)
    before, version = library.papers, library.store.version()
    again = library.take(*records)
    assert again.unchanged + again.rejected_count == again.read
    assert (library.papers, library.store.version()) == (before, version)


def test_a_paper_of_one_record_is_that_record(library: Library) -> None:
    library.take({**BASE, "doi": "10.1234/a"})
    (paper,) = library.papers
    (record,) = library.store.records(paper.id)
    assert replace(record, line=0).title == paper.title
    assert record.line == 1
