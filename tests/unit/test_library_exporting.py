"""What is exported is read back without a change, and other programs can read it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import LibraryError
from assistant.library import exporting, readers
from assistant.library.readers.common import Fields, build
from assistant.types import OtherAbstract, Paper, Record, Source

ENDINGS = {"bibtex": "bib", "ris": "ris", "csv": "csv", "jsonl": "jsonl", "csl-json": "json"}
SOURCE = Source("a.ris", 1, "ris", "a")
FULL = Paper(
    "p1",
    "On mosses",
    "We study {mosses} & 50 % of walls.\n\n  RESULTS: p < 0.05, $\\alpha = 1$ and \\emph{more}.",
    title="On mosses: 50 % & more_of_it",
    authors=("Doe, Jane", "van der Roe, R. B.", "The Moss Group", "张三"),
    year=2020,
    venue="Journal of Walls & Roofs",
    doi="10.1234/moss_1",
    url="https://example.org/a_b?c=d%20e",
    keywords=("moss", "wall, stone"),
    pmid="12345678",
    arxiv_id="2001.01234",
    language="en",
    other_abstracts=(OtherAbstract("Ein Text.\nZwei Zeilen.", "ger", "publisher"),),
    details=(
        ("citation-key", "doe2020"),
        ("issue", "2"),
        ("page", "1-5"),
        ("type", "article-journal"),
    ),
    sources=(SOURCE,),
)


def round_trip(folder: Path, papers: list[Paper], format_: str) -> list[Record]:
    path = folder / f"export.{ENDINGS[format_]}"
    with path.open("w", encoding="utf-8", newline="\n") as out:
        assert exporting.write(papers, format_, out) == len(papers)
    found = list(readers.read(path))
    assert all(isinstance(item, Record) for item in found), found
    return found  # type: ignore[return-value]


def said(item: Paper | Record) -> dict[str, object]:
    left_out = {"source", "sources", "line", "id", "handle", "code_links", "truncated"}
    return {f.name: getattr(item, f.name) for f in fields(item) if f.name not in left_out}


@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_a_paper_comes_back_as_it_was(tmp_path: Path, format_: str) -> None:
    (record,) = round_trip(tmp_path, [FULL], format_)
    assert said(record) == said(FULL)


@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_a_paper_without_a_title_gets_none(tmp_path: Path, format_: str) -> None:
    bare = Paper("p2", "A handle made from the text", "We study ferns.", sources=(SOURCE,))
    (record,) = round_trip(tmp_path, [bare], format_)
    assert said(record) == said(bare)


HOSTILE = [
    "An open { brace and a } closed one",
    "}{",
    "ends with a backslash \\",
    "{all of it in braces}",
    "a line\nER  - \nTY  - JOUR\nthat is a tag",
    "a line\n@article{fake,\n title = {x}\n}\nthat is an entry",
    '=HYPERLINK("http://example.org")',
    "+1, -1 and @home",
    "'=quoted already",
    'quotes " inside "" and at the end"',
    "tab\there, semicolon; pipe | comma, and\nnew lines\n\nin it",
    "\u202eright to left\u202c and \u200bzero width",
    "中文摘要，没有空格。",
    "<script>alert(1)</script> & &amp; &lt;",
    "\\begin{x} $a_{b}^{c}$ \\textbf{bold} 50\\% \\{ \\}",
    "[not; a label] text",
]


@pytest.mark.parametrize("format_", exporting.FORMATS)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_abstracts_come_back_as_they_were(tmp_path: Path, format_: str, text: str) -> None:
    paper = Paper("p", "h", text, title="A title", sources=(SOURCE,),
                  other_abstracts=(OtherAbstract(text, "de", ""),))  # fmt: skip
    other = replace(paper, title="Another", abstract="Next.", other_abstracts=())
    first, second = round_trip(tmp_path, [paper, other], format_)
    assert first.abstract == text
    assert first.other_abstracts == paper.other_abstracts
    assert (second.title, second.abstract) == ("Another", "Next.")


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs",), exclude_characters="\x00\r"),
    max_size=120,
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(abstract=TEXT, title=TEXT, name=TEXT, word=TEXT)
@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_any_record_comes_back_as_it_was(
    tmp_path: Path, format_: str, abstract: str, title: str, name: str, word: str
) -> None:
    record = build(
        SOURCE, Fields(abstract=abstract, title=title or "T", authors=[name], keywords=[word])
    )
    if not isinstance(record, Record):
        return
    paper = Paper("p", "h", record.abstract, title=record.title, sources=(SOURCE,))
    (again,) = round_trip(tmp_path, [replace(paper, title="T")], format_)
    assert again.abstract == record.abstract


@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_many_papers_keep_their_order_and_their_own_keys(tmp_path: Path, format_: str) -> None:
    papers = [
        Paper(f"p{n}", "h", f"Abstract {n}.", title="The same title", authors=("Doe, J.",), year=2020,
              sources=(SOURCE,))
        for n in range(30)
    ]  # fmt: skip
    found = round_trip(tmp_path, papers, format_)
    assert [item.abstract for item in found] == [paper.abstract for paper in papers]


def test_bibtex_keys_are_unique_and_readable() -> None:
    out = io.StringIO()
    paper = Paper("p", "h", "", title="On the Mosses", authors=("Müller, Jane",), year=2020)
    exporting.write([paper, paper], "bibtex", out)
    keys = [
        line.split("{")[1].rstrip(",\n") for line in out.getvalue().splitlines() if line[:1] == "@"
    ]
    assert keys == ["muller2020mosses", "muller2020mosses-2"]


def test_a_sheet_gets_no_formulas() -> None:
    out = io.StringIO()
    paper = Paper("p", "h", "=1+1", title="@SUM(A1)", sources=(SOURCE,))
    exporting.write([paper], "csv", out)
    _, row = csv.reader(io.StringIO(out.getvalue()))
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


def test_csl_json_is_what_citation_processors_read() -> None:
    out = io.StringIO()
    exporting.write([FULL], "csl-json", out)
    (item,) = json.loads(out.getvalue())
    assert item["author"][0] == {"family": "Doe", "given": "Jane"}
    assert item["author"][2] == {"literal": "The Moss Group"}
    assert item["issued"] == {"date-parts": [[2020]]}
    assert (item["type"], item["container-title"]) == ("article-journal", FULL.venue)


def test_an_unknown_format_is_told_with_those_that_are_known() -> None:
    with pytest.raises(LibraryError, match="no format 'docx'") as told:
        exporting.write([], "docx", io.StringIO())
    assert "csl-json" in told.value.hint
