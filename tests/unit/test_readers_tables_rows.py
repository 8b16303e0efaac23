"""Rows of tables: a broken one costs itself, whatever stands round it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import ReadError
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import sheets, tables
from assistant.types import Record, Rejected

TEXT = "We study mosses on walls, over ten years, and call them so."
Read = Callable[[str], list[Record | Rejected]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_(content: str) -> list[Record | Rejected]:
        path = tmp_path / "list.csv"
        path.write_bytes(content.encode())
        return list(tables.read(Document.of(path)))

    return read_


def rows(text: str, delimiter: str = ",", width: int = 0) -> list[sheets.Row]:
    lines = (Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    return list(sheets.rows(lines, delimiter, width))


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("a,b,c", ("a", "b", "c")),
        ('"a, b",c', ("a, b", "c")),
        ('"say ""yes""",c', ('say "yes"', "c")),
        ('="0012",="4, 5",c', ("0012", "4, 5", "c")),
        ('"=""0012""",c', ("0012", "c")),
        ('a, "b, c", d', ("a", "b, c", " d")),
        ('"a "b" c",d', ('a "b" c', "d")),
        ('"","",""', ("", "", "")),
        ('5" pipe,b', ('5" pipe', "b")),
    ],
)
def test_cells_of_a_row(text: str, cells: tuple[str, ...]) -> None:
    assert sheets.cells(text, ",") == cells


def test_a_quote_that_is_open_at_the_end_gives_no_cells() -> None:
    assert sheets.cells('a,"b', ",") is None


@pytest.mark.parametrize("blank", ["", ",,,", '"","",""', "---,---,---", "   "])
def test_rows_of_nothing_are_none(blank: str) -> None:
    assert [row.line for row in rows(f"a,b,c\n{blank}\nd,e,f", width=3)] == [1, 3]


def test_a_title_that_swallows_its_neighbour_would_have_the_right_width(read: Read) -> None:
    found = read(
        "id,title,year,doi,note,abstract\n"
        f'1,"T 1,2020,10.1234/1,x,never closed\n2,"T 2",2021,10.1234/2,x,"{TEXT}"\n'
    )
    assert [type(item) for item in found] == [Rejected, Record]
    assert (found[1].title, found[1].doi, found[1].line) == ("T 2", "10.1234/2", 3)


def test_reading_goes_on_after_the_lines_of_a_broken_text(read: Read) -> None:
    found = read(
        f'id,title,abstract,year\n1,A,"one\ntwo, three\nfour never closed,2020\n2,"B","{TEXT}",2021\n'
    )
    assert [type(item) for item in found] == [Rejected, Record]
    assert (found[0].line, found[1].line) == (2, 5)


def test_a_quote_never_closed_leaves_the_bare_rows_after_it(read: Read) -> None:
    found = read('title,year,abstract,doi\nA,2020,"open,x\nB,2021,b text,y\nC,2022,c text,z\n')
    assert [item.title for item in found if isinstance(item, Record)] == ["B", "C"]


def test_who_separates_with_tabs_need_not_quote(read: Read) -> None:
    found = read(
        f'PT\tAU\tTI\tAB\tPY\nJ\tDoe, J\t"Moss" on walls\t{TEXT}\t2020\nJ\tRoe, R\tB\t{TEXT}\t2021\n'
    )
    assert [item.title for item in found] == ['"Moss" on walls', "B"]


def test_quotes_that_nobody_doubled_are_text(read: Read) -> None:
    found = read(
        f'title,year,abstract,note\nA,2020,"We call it "moss", a plant.",n\nB,2021,"{TEXT}",n\n'
    )
    assert found[0].abstract == 'We call it "moss", a plant.'
    assert found[1].title == "B"


def test_quotes_after_a_backslash_are_text(read: Read) -> None:
    (record,) = read('title,year,abstract,note\nA,2020,"They say \\"moss\\", or \\"wall\\".",n\n')
    assert record.abstract == 'They say "moss", or "wall".'


def test_words_in_the_column_of_years_show_that_a_row_has_slipped(read: Read) -> None:
    found = read(
        f'title,abstract,authors,year\nA,"{TEXT}",Doe,2020\nthe rest of a broken text,2020\n'
        f'B,"{TEXT}",Roe,2021\n'
    )
    assert [type(item) for item in found] == [Record, Rejected, Record]
    assert "do not stand in their columns" in found[1].reason


def test_long_texts_over_many_lines_are_one_cell(read: Read) -> None:
    full = "\n".join(f"Line {n}, of a paper, and so on." for n in range(3000))
    found = read(f'id,title,abstract,paper_text\n1,A,"{TEXT}","{full}"\n2,B,"{TEXT}","{full}"\n')
    assert [(item.title, item.abstract) for item in found] == [("A", TEXT), ("B", TEXT)]


def test_a_row_without_end_is_given_up_and_the_next_one_is_found() -> None:
    endless = "\n".join(["x" * 1000] * 2100)
    found = rows(f'a,b,c\n1,2,"3\n{endless}\n4,5,6', width=3)
    assert [row.broken for row in found] == ["", "it is too long", ""]
    assert found[2].cells == ("4", "5", "6")


def test_the_header_once_more_is_no_record(read: Read) -> None:
    found = read(f'title,abstract\nA,"{TEXT}"\ntitle,abstract\nB,"{TEXT}"\n')
    assert [(item.source.record_no, item.title) for item in found] == [(1, "A"), (2, "B")]


ROWS = [
    f'{n},"Title, number {n}","Doe, J; Roe, R",2020,10.1234/{n},"T{n} {TEXT}\nMore, of it."'
    for n in range(1, 7)
]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 5), st.sampled_from("LAC"), st.integers(0, 10_000))
def test_a_mark_too_many_or_too_few_takes_no_neighbour_along(
    read: Read, hit: int, kind: str, place: int
) -> None:
    row = ROWS[hit]
    marks = [at for at, char in enumerate(row) if char == '"']
    at = marks[place % len(marks)] if kind == "L" else 3 + place % (len(row) - 3)
    broken = {"L": row[:at] + row[at + 1 :], "A": f'{row[:at]}"{row[at:]}', "C": row[:at]}[kind]
    lines = ["id,title,authors,year,doi,abstract", *ROWS[:hit], broken, *ROWS[hit + 1 :]]
    records = [item for item in read("\n".join(lines)) if isinstance(item, Record)]
    for n in range(1, 7):
        if n != hit + 1:
            (mine,) = [item for item in records if item.doi == f"10.1234/{n}"]
            assert mine.title == f"Title, number {n}"
            assert mine.abstract.startswith(f"T{n} We")
            assert mine.abstract.endswith("More, of it.")


WARTS = ['"', '""', ",", ";", "\t", "|", "\n", "\r", '="', "title", "abstract", "\x00", "é", "["]


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.booleans(), st.lists(st.sampled_from(WARTS) | st.text(max_size=5), max_size=40))
def test_any_text_becomes_records_rejections_or_one_refusal(
    read: Read, headed: bool, parts: list[str]
) -> None:
    text = "".join(parts).encode("utf-8", "replace").decode()
    found: list[Record | Rejected] = []
    refused: list[ReadError] = []
    try:
        found = read(("title,abstract,year\n" if headed else "") + text)
    except ReadError as told:
        refused.append(told)
    assert all(told.message and told.hint for told in refused)
    assert [item.source.record_no for item in found] == list(range(1, len(found) + 1))
