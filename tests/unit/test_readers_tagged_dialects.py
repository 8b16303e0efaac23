"""Formats with a tag a line: lines that look like tags, records without their marks, dialects."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.library import readers
from assistant.types import Record

START = "We study the growth of mosses on northern stone walls with the help of"
LOOKS = ("IL-6 and of lichens", "T2-weighted images", "AB-type stones", "CI-like ranges")


def read(tmp_path: Path, content: str) -> list[Record]:
    path = tmp_path / "list.txt"
    path.write_bytes(content.encode())
    found = list(readers.read(path))
    assert all(isinstance(item, Record) for item in found), found
    return [item for item in found if isinstance(item, Record)]


@pytest.mark.parametrize("line", LOOKS)
@pytest.mark.parametrize(
    ("format_", "content"),
    [
        ("ris", "TY  - JOUR\nTI  - On mosses\nAB  - {}\nPY  - 2020\nER  - \n"),
        ("medline", "PMID- 12345678\nOWN - NLM\nTI  - On mosses\nAB  - {}\nDP  - 2020\n"),
        ("wos", "FN ISI\nVR 1.0\nPT J\nTI On mosses\nAB {}\nPY 2020\nER\n\nEF\n"),
        ("endnote", "%0 Journal Article\n%T On mosses\n%X {}\n%D 2020\n"),
        (
            "ovid",
            "<1>\nTitle\n  On mosses\nAbstract\n  {}\nYear of Publication\n  2020\n",
        ),
    ],
)
def test_a_wrapped_line_that_looks_like_a_tag_is_text(
    tmp_path: Path, format_: str, content: str, line: str
) -> None:
    joint = "\n  " if format_ == "ovid" else "\n"
    (record,) = read(tmp_path, content.format(f"{START}{joint}{line} in the end."))
    assert record.source.format == format_
    assert record.abstract.split() == f"{START} {line} in the end.".split()
    assert (record.title, record.year) == ("On mosses", 2020)


def ris(title: str) -> str:
    return f"TY  - JOUR\nTI  - {title}\nAU  - Doe, Jane\nAB  - {START} nets.\nER  - \n\n"


@pytest.mark.parametrize(
    "second",
    [
        ris("Two").replace("TY  - JOUR\n", ""),
        ris("Two").replace("ER  - \n", ""),
        ris("Two").replace("TY  - JOUR\nTI  - Two\n", "TI  - Two\nTY  - JOUR\n"),
    ],
)
def test_a_record_without_a_mark_leaves_its_neighbours_be(tmp_path: Path, second: str) -> None:
    found = read(tmp_path, ris("One") + second + ris("Three"))
    assert [item.title for item in found] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    "written",
    [
        "  " + ris("One").strip().replace("\n", "\n  "),
        "\n".join(line[:2].lower() + line[2:] for line in ris("One").split("\n")),
        ris("One").replace("  - ", "-"),
        ris("One").replace("AB  -", "N2  -"),
    ],
)
def test_other_ways_to_write_the_tags_of_ris(tmp_path: Path, written: str) -> None:
    (record,) = read(tmp_path, written)
    assert (record.title, record.abstract) == ("One", f"{START} nets.")
    assert record.authors == ("Doe, Jane",)


def test_endnote_without_its_first_tag_counts_each_record(tmp_path: Path) -> None:
    one = f"%T One\n%A Doe, Jane\n%X {START} nets.\n"
    found = read(tmp_path, one + "\n" + one.replace("One", "Two"))
    assert [item.title for item in found] == ["One", "Two"]


def test_the_list_of_the_cochrane_library(tmp_path: Path) -> None:
    text = "".join(
        f"Record #{n} of 2\nID: CN-{n}\nAU: Doe J\nAU: Roe R\nTI: On mosses {n}\nSO: Walls\n"
        f"YR: 2019\nXR: PUBMED 123456{n}\nAB: {START} nets.\n\n"
        for n in (1, 2)
    )
    first, second = read(tmp_path, text)
    assert (first.title, first.year, first.venue) == ("On mosses 1", 2019, "Walls")
    assert (first.pmid, first.authors) == ("1234561", ("Doe, J", "Roe, R"))
    assert (second.title, second.abstract) == ("On mosses 2", f"{START} nets.")
