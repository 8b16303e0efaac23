"""Plain text with and without titles."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import ReadError
from assistant.library import readers
from assistant.types import Record, Rejected

MOSS = (
    "We study the growth of mosses on northern stone walls over ten years, and find that they grow "
    "faster in the shade. The effect is larger on old walls. Our data are open to all who ask."
)
FERN = (
    "This paper presents a survey of ferns found in wet regions of the south. We count four kinds "
    "in every valley, and two that were thought to be lost. We discuss what may have saved them."
)


def wrapped(text: str, width: int = 60) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, width))


def read(tmp_path: Path, content: str) -> list[Record | Rejected]:
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    return list(readers.read(path))


def pairs(found: list[Record | Rejected]) -> list[tuple[str, str]]:
    return [(item.title, item.abstract) for item in found if isinstance(item, Record)]


BOTH = [("On mosses", MOSS), ("A survey of ferns?", FERN)]


@pytest.mark.parametrize(
    "content",
    [
        f"On mosses\n{MOSS}\n\nA survey of ferns?\n{FERN}\n",
        f"My papers\n\nOn mosses\n{MOSS}\n\nA survey of ferns?\n{FERN}\n",
        f"On mosses\n\n{MOSS}\n\nA survey of ferns?\n\n{FERN}\n",
        f"My papers\n\nOn mosses\n\n{MOSS}\n\nA survey of ferns?\n\n{FERN}\n",
        f"# My papers\n\n## On mosses\n\n{MOSS}\n\n## A survey of ferns?\n\n{FERN}\n",
        f"1. On mosses\n{MOSS}\n\n2. A survey of ferns?\n{FERN}\n",
        f"Title: On mosses\nAbstract: {MOSS}\n\nTitle: A survey of ferns?\nAbstract: {FERN}\n",
        f"On mosses.\n{MOSS}\n\nA survey of ferns?\n{FERN}\n",
        f"[1] On mosses\n{MOSS}\n[2] A survey of ferns?\n{FERN}\n",
        f"# Mine\n\n- **On mosses**: {MOSS}\n- **A survey of ferns?** {FERN}\n",
        f"On mosses\n{MOSS}\n---\nA survey of ferns?\n{FERN}\n",
        (
            f"Paper 1\nTitle: On mosses\nAbstract: {MOSS}\n\nPaper 2\nTitle: A survey of ferns?\n"
            f"Abstract: {FERN}\n"
        ),
        f"### On mosses\n\n#### Abstract\n\n{MOSS}\n\n### A survey of ferns?\n\n#### Abstract\n\n{FERN}\n",
        f"## 1. On mosses\n{MOSS}\n## 2. [A survey of ferns?](https://example.org)\n> {FERN}\n",
        f"**On mosses**\n\n{MOSS}\n\n**A survey of ferns?**\n\n{FERN}\n",
    ],
    ids=[
        *["above", "heading-above", "apart", "heading-apart", "markdown", "numbered", "labelled"],
        *[
            "sentences",
            "brackets",
            "bullets",
            "rulers",
            "counted",
            "field-headings",
            "links",
            "bold",
        ],
    ],
)
def test_titles_are_told_from_abstracts(tmp_path: Path, content: str) -> None:
    assert pairs(read(tmp_path, content)) == BOTH


def test_titles_above_wrapped_abstracts(tmp_path: Path) -> None:
    content = f"On mosses\n{wrapped(MOSS)}\n\nA survey of ferns?\n{wrapped(FERN)}\n"
    assert pairs(read(tmp_path, content)) == [
        ("On mosses", wrapped(MOSS)),
        ("A survey of ferns?", wrapped(FERN)),
    ]


def test_wrapped_prose_has_no_titles(tmp_path: Path) -> None:
    content = f"My papers\n\n{wrapped(MOSS)}\n\n{wrapped(FERN)}\n"
    found = read(tmp_path, content)
    assert pairs(found) == [("", wrapped(MOSS)), ("", wrapped(FERN))]
    assert {item.source.collection for item in found} == {"My papers"}


def test_labels_bring_what_they_name(tmp_path: Path) -> None:
    content = (
        f"Title: On mosses\nAuthors: Jane Doe, Richard Roe\nYear: 2020\nJournal: Walls\n"
        f"DOI: https://doi.org/10.1234/moss\nKeywords: moss; wall\nAbstract: {wrapped(MOSS)}\n"
    )
    (record,) = read(tmp_path, content)
    assert isinstance(record, Record)
    assert record.abstract == wrapped(MOSS)
    assert (record.authors, record.year) == (("Doe, Jane", "Roe, Richard"), 2020)
    assert (record.venue, record.doi) == ("Walls", "10.1234/moss")
    assert record.keywords == ("moss", "wall")


def test_a_rejected_paragraph_is_told_with_its_line_and_first_words(tmp_path: Path) -> None:
    _, rejected = read(tmp_path, f"My papers\n\n{MOSS}\n\nToo short.\n")
    assert isinstance(rejected, Rejected)
    assert (rejected.line, rejected.key) == (5, "Too short.")


@pytest.mark.parametrize(
    "content",
    [
        f"On mosses\nJane Doe, Richard Roe\n{MOSS}\n\nA survey of ferns?\nJane Doe\n{FERN}\n",
        f"## On mosses\n\n*Jane Doe, Richard Roe*\n\n{MOSS}\n\n## A survey of ferns?\n\nJane Doe\n\n{FERN}\n",
        (
            f"## On mosses\n- **Authors:** Jane Doe, Richard Roe\n- **Abstract:** {MOSS}\n\n"
            f"## A survey of ferns?\n- **Authors:** Jane Doe\n- **Abstract:** {FERN}\n"
        ),
    ],
)
def test_authors_below_a_title_are_no_abstract(tmp_path: Path, content: str) -> None:
    found = read(tmp_path, content)
    assert pairs(found) == BOTH
    assert [item.authors for item in found if isinstance(item, Record)] == [
        ("Doe, Jane", "Roe, Richard"),
        ("Doe, Jane",),
    ]


@pytest.mark.parametrize(
    "content",
    [
        f"My papers\n\n1. {MOSS}\n\n2. {FERN}\n\n3. {MOSS} More.\n",
        f"1) {MOSS}\n2) {FERN}\n3) {MOSS} More.\n",
        f"My papers\n{MOSS}\n{FERN}\n{MOSS} More.\n",
        f"{MOSS}\n\n***\n\n{FERN}\n\n======\n\n{MOSS} More.\n",
    ],
)
def test_lists_without_titles_hold_an_abstract_an_item(tmp_path: Path, content: str) -> None:
    assert pairs(read(tmp_path, content)) == [("", MOSS), ("", FERN), ("", f"{MOSS} More.")]


@pytest.mark.parametrize(
    "text",
    [
        f"{MOSS}\n1. One reason.\n2. Another reason.",
        f"**Background:** {MOSS}\n**Methods:** {FERN}",
        f"We do two things.\n{wrapped(MOSS)}",
        f"Background: {MOSS}\nMethods: {FERN}\nResults: {MOSS}",
    ],
)
def test_an_abstract_of_several_lines_stays_one(tmp_path: Path, text: str) -> None:
    assert pairs(read(tmp_path, f"My papers\n\n{text}\n\n{MOSS}\n")) == [("", text), ("", MOSS)]


def test_a_list_in_one_piece_may_be_longer_than_an_abstract(tmp_path: Path) -> None:
    for content in ("\n".join(f"{MOSS} {n}." for n in range(500)), ""):
        numbered = content or "\n".join(f"{n}. {MOSS} {n}." for n in range(1, 501))
        found = read(tmp_path, numbered)
        assert len(pairs(found)) == len(found) == 500


def test_chinese_titles_above_abstracts(tmp_path: Path) -> None:
    moss = "我们研究苔藓在北方石墙上的生长，发现它们在阴影中生长得更快，所有的数据都是开放的。" * 2
    found = read(tmp_path, f"苔藓的研究\n{moss}\n\n蕨类的调查\n{moss}好。\n")
    assert pairs(found) == [("苔藓的研究", moss), ("蕨类的调查", f"{moss}好。")]


def test_pubmeds_list_as_text_is_read_whole(tmp_path: Path) -> None:
    content = (
        f"1. J Moss. 2020 Jan;1(2):3-4. doi: 10.1234/m.1. Epub 2019 Dec 1.\n\nOn mosses: a study\nof walls."
        f"\n\nDoe J(1), Roe RS(2).\n\nAuthor information:\n(1)Moss House.\n(2)Wall House.\n\nComment in"
        f"\n    J Moss. 2020;1:9.\n\nBACKGROUND: {wrapped(MOSS)}\n\nRESULTS: {wrapped(FERN)}\n\n"
        f"DOI: 10.1234/m.1\nPMID: 123456  [Indexed for MEDLINE]\n\nConflict of interest statement: None.\n"
        f"\n\n2. Fern Lett. 2021;7:5.\n\n[On ferns].\n\n[Article in German]\n\nDoe J.\n\nPMID: 123457\n"
    )
    first, second = read(tmp_path, content)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.title, first.authors) == ("On mosses: a study of walls", ("Doe, J", "Roe, RS"))
    assert first.abstract == f"BACKGROUND: {MOSS}\nRESULTS: {FERN}"
    assert (first.year, first.venue, first.doi, first.pmid) == (
        2020,
        "J Moss",
        "10.1234/m.1",
        "123456",
    )
    assert dict(first.details) == {"volume": "1", "issue": "2", "page": "3-4"}
    assert (second.title, second.abstract, second.authors) == ("On ferns", "", ("Doe, J",))
    assert (second.pmid, second.line) == ("123457", 31)


@pytest.mark.parametrize("start", ["<div><p>", "<html>", "{\\rtf1 "])
def test_what_is_no_plain_text_is_refused_with_a_hint(tmp_path: Path, start: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(tmp_path, f"{start}{MOSS}\n\n{FERN}")
    assert caught.value.hint


PIECES = st.sampled_from(
    [MOSS, "On mosses", "## A", "# B", "1. ", "2. ", "- ", "\n", "\n\n", "Title: ", "Abstract: ", "---",
     "**x** ", "1. J Moss. 2020;1:2.", "PMID: 12", "Doe J(1).", "苔藓", "\x00", "\r", "Jane Doe, "]
)  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_becomes_records_or_one_error(tmp_path: Path, content: str) -> None:
    try:
        found = read(tmp_path, content)
    except ReadError:
        return
    numbers = [item.source.record_no for item in found]
    assert numbers == list(range(1, len(found) + 1))


def test_the_seeds_have_no_titles(seeds_dir: Path) -> None:
    for path in sorted(seeds_dir.glob("*.txt")):
        found = list(readers.read(path))
        assert len(found) == 19
        assert {title for title, _ in pairs(found)} == {""}
