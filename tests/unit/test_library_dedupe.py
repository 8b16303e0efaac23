"""Files with the same papers in them give the same papers, in any order and again."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import inspecting
from assistant.library.importing import Importer
from assistant.library.sameness import contradict, same, share_number
from assistant.library.store import Store
from assistant.types import FileReport, Paper

WORDS = "moss lichen fern wall roof barn stone water light shade growth decay town north".split()  # noqa: SIM905


def run(store: Store, files: Sequence[Path]) -> tuple[FileReport, ...]:
    return Importer(store, lambda text: len(text.split()), 60).run(files).files


def groups(store: Store) -> set[frozenset[tuple[str, int]]]:
    """Return which records are one paper."""
    return {
        frozenset((source.file, source.record_no) for source in paper.sources)
        for paper in store.papers()
    }


def sentence(chance: random.Random) -> str:
    return f"We study the {' '.join(chance.choices(WORDS, k=14))}.".replace(
        " the ", f" the {chance.randint(100, 999)} "
    )


def ten() -> list[dict[str, object]]:
    """Return ten papers; two of them are errata of others and have no abstract."""
    chance = random.Random(8)
    papers: list[dict[str, object]] = [
        {
            "title": f"{' '.join(chance.sample(WORDS, 6))} in {place}".capitalize(),
            "abstract": " ".join(sentence(chance) for _ in range(5)),
            "authors": [f"Doe{number}, Jane Ann", f"Roe{number}, John"],
            "year": 2010 + number,
            "venue": "Walls and Roofs",
            "doi": f"10.1000/walls.{number}",
        }
        for number, place in enumerate(
            ("spring", "summer", "autumn", "winter", "May", "June", "July", "March")
        )
    ]
    for number in (2, 5):
        first = papers[number]
        erratum = {**first, "title": f"Erratum: Correction: {first['title']}", "abstract": ""}
        papers.append({**erratum, "doi": f"10.1000/walls.{number}e"})
    return papers


def as_ris(papers: Sequence[dict[str, object]], *, abstract: str = "AB", doi: bool = True) -> str:
    lines: list[str] = []
    for paper in papers:
        lines += ["TY  - JOUR", f"TI  - {paper['title']}."]
        lines += [f"AU  - {name}" for name in paper["authors"]]  # type: ignore[attr-defined]
        lines += [f"PY  - {paper['year']}//", f"JO  - {paper['venue']}"]
        if paper["abstract"]:
            lines.append(f"{abstract}  - {paper['abstract']} © 2020 The Authors.")
        if doi:
            lines.append(f"DO  - https://doi.org/{str(paper['doi']).upper()}")
        lines += ["ER  - ", ""]
    return "\r\n".join(lines)


def as_bibtex(papers: Sequence[dict[str, object]]) -> str:
    return "\n".join(
        f"@article{{k{number},\n title = {{{{{paper['title']}}}}},\n author = {{"
        f"{' and '.join(paper['authors'])}}},\n year = {paper['year']},\n"  # type: ignore[arg-type]
        f" abstract = {{{paper['abstract']}}},\n}}\n"
        for number, paper in enumerate(papers)
    )


def as_table(papers: Sequence[dict[str, object]]) -> str:
    rows = ["Title,Abstract,Authors,Publication Year,DOI"]
    for paper in papers:
        names = "; ".join(name.replace(" Ann", " A.") for name in paper["authors"])  # type: ignore[attr-defined]
        abstract = paper["abstract"] or "[No abstract available]"
        title = str(paper["title"]).upper()
        rows.append(f'"{title}","{abstract}","{names}",{paper["year"]},{paper["doi"]}')
    return "\n".join(rows)


@pytest.fixture
def exports(tmp_path: Path) -> list[Path]:
    """Write the ten papers as five programs would."""
    papers = ten()
    texts = {
        "one.ris": as_ris(papers),
        "two.ris": as_ris(papers[::-1], abstract="N2", doi=False),
        "three.bib": as_bibtex(papers),
        "four.csv": as_table(papers),
        "five.jsonl": "\n".join(map(json.dumps, papers[3:] + papers[:3])),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in texts]


@pytest.mark.parametrize("seed", range(6))
def test_five_exports_of_ten_papers_are_ten_papers(exports: list[Path], seed: int) -> None:
    random.Random(seed).shuffle(exports)
    with Store.in_memory() as store:
        reports = run(store, exports)
        papers = store.papers()
        assert len(papers) == 10
        assert all(len(paper.sources) == 5 for paper in papers)
        assert [report.added for report in reports] == [10, 0, 0, 0, 0]
        assert sorted(filter(None, (paper.doi for paper in papers))) == sorted(
            str(paper["doi"]) for paper in ten()
        )
        assert all(not paper.title.isupper() for paper in papers)
        assert {paper.authors[0].partition(", ")[2] for paper in papers} == {"Jane Ann"}
        assert store.counts().references == 2
        assert inspecting.faults(store) == []


def test_all_files_again_in_another_order_change_nothing(exports: list[Path]) -> None:
    with Store.in_memory() as store:
        run(store, exports)
        before = store.version()
        reports = run(store, exports[::-1])
        assert [report.unchanged for report in reports] == [10] * 5
        assert store.version() == before


PIECES = [sentence(random.Random(number)) for number in range(4)]
TITLES = [
    "",
    "Shade and mosses on walls",
    "SHADE AND MOSSES ON WALLS.",
    "Shade and mosses on walls: a survey of barns",
    "Erratum: Shade and mosses on walls",
    "Shade and mosses on walls. Part II",
    "Editorial",
    "Lichens of the roof in the towns of the north",
]
ABSTRACTS = ["", *[" ".join(PIECES[start : start + 3]) for start in range(3)], PIECES[3]]
RECORDS = st.fixed_dictionaries(
    {
        "title": st.sampled_from(TITLES),
        "abstract": st.sampled_from(ABSTRACTS),
        "doi": st.sampled_from(["", "10.1000/a", "10.1000/b", "10.48550/arXiv.2401.00001"]),
        "year": st.sampled_from([None, 2020, 2021, 2024]),
        "authors": st.sampled_from([[], ["Doe, Jane"], ["Roe, John", "Doe, Jane"], ["Poe, Ann"]]),
    }
).filter(lambda item: item["title"] or item["abstract"])


def written(folder: Path, files: Sequence[Sequence[dict[str, object]]]) -> Iterator[Path]:
    for number, records in enumerate(files):
        path = folder / f"{number}.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        yield path


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(RECORDS, min_size=1, max_size=3), min_size=2, max_size=4), st.randoms())
def test_the_order_of_files_makes_no_other_papers(
    files: list[list[dict[str, object]]], chance: random.Random
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.in_memory() as one,
        Store.in_memory() as other,
    ):
        paths = list(written(Path(folder), files))
        run(one, paths)
        shuffled = chance.sample(paths, len(paths))
        run(other, shuffled)
        if not ambiguous(one):
            assert groups(one) == groups(other)
            assert {map_of(paper) for paper in one.papers()} == {
                map_of(paper) for paper in other.papers()
            }
        again = run(other, paths)
        assert all(report.unchanged == report.read for report in again)
        assert inspecting.faults(other) == []


def ambiguous(store: Store) -> bool:
    """Tell whether a record is like two that are not of one paper; any of them may get it."""
    records = [said for paper in store.papers() for said in store.records(paper.id)]
    return any(
        same(one, between) and same(between, other) and contradict(one, other)
        for between in records
        for one, other in combinations(records, 2)
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORDS, min_size=3, max_size=6))
def test_papers_that_are_not_one_are_tied_by_a_number_only(
    records: list[dict[str, object]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.in_memory() as store:
        run(store, list(written(Path(folder), [records])))
        for paper in store.papers():
            said = store.records(paper.id)
            if any(contradict(one, other) for one, other in combinations(said, 2)):
                assert any(share_number(one, other) for one, other in combinations(said, 2))


def test_a_reference_goes_to_one_of_two_papers_of_its_title(tmp_path: Path) -> None:
    bare = {"title": TITLES[1]}
    other = "Nothing is known of what happens when houses are left alone, whatever their age."
    first, second = ({**bare, "abstract": text, "year": 2020} for text in (ABSTRACTS[1], other))
    for order in permutations([bare, first, second]):
        with Store.in_memory() as store:
            run(store, list(written(tmp_path, [[record] for record in order])))
            assert sorted(len(paper.sources) for paper in store.papers()) == [1, 2]


def map_of(paper: Paper) -> tuple[object, ...]:
    """Return what of a paper must not depend on the order in which its records came."""
    return bool(paper.abstract), len(paper.authors), paper.arxiv_id, frozenset(paper.sources)


def test_a_record_that_ties_two_papers_joins_them(tmp_path: Path) -> None:
    preprint = {"title": TITLES[1], "abstract": ABSTRACTS[1], "doi": "10.48550/arXiv.2401.00001"}
    published = {"title": "Moss and shade, revisited", "abstract": "", "doi": "10.1000/a"}
    tie = {"title": TITLES[1], "abstract": ABSTRACTS[1], "doi": "10.1000/a", "year": 2024}
    with Store.in_memory() as store:
        paths = list(written(tmp_path, [[preprint], [published], [tie]]))
        run(store, paths[:2])
        first, second = store.papers()
        (report,) = run(store, paths[2:])
        assert (report.merged, report.added) == (1, 0)
        (paper,) = store.papers()
        assert paper.id == first.id
        assert len(paper.sources) == 3
        assert (paper.doi, paper.arxiv_id, paper.year) == ("10.1000/a", "2401.00001", 2024)
        assert store.resolve(second.id) == first.id
        assert inspecting.faults(store) == []
        assert [report.unchanged for report in run(store, paths)] == [1, 1, 1]


def test_a_thousand_editorials_stay_apart_and_do_not_look_at_each_other(tmp_path: Path) -> None:
    editorials = [
        {"title": "Editorial", "authors": [f"Doe{number}, Jane"], "year": 2020}
        for number in range(1000)
    ]
    (path,) = written(tmp_path, [editorials])
    with Store.in_memory() as store:
        (report,) = run(store, [path])
        assert report.added == 1000
        assert store.counts().references == 1000


def test_a_title_that_says_nothing_does_not_hide_a_paper_with_a_number(tmp_path: Path) -> None:
    same = [
        {
            "title": "Untitled document",
            "abstract": f"{PIECES[0]} {number} {PIECES[1]}",
            "doi": f"10.1000/{number}",
        }
        for number in range(150)
    ]
    first, second = written(tmp_path, [same, same[140:]])
    with Store.in_memory() as store:
        assert run(store, [first])[0].added == 150
        assert run(store, [second])[0].merged == 10
        assert inspecting.faults(store) == []
