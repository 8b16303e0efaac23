"""What is exported is read back without a change, and other programs can read it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from assistant.errors import LibraryError
from assistant.library import exact, exporting, readers
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


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\uff1d", "\uff20"])
def test_a_sheet_gets_no_formulas(tmp_path: Path, begin: str) -> None:
    paper = Paper("p", "h", f"{begin}1+1", title=f"{begin}SUM(A1)".strip(), sources=(SOURCE,))
    out = io.StringIO()
    exporting.write([paper], "csv", out)
    _, row = csv.reader(io.StringIO(out.getvalue()))
    assert not any(cell.startswith(begin) for cell in row)
    (record,) = round_trip(tmp_path, [paper], "csv")
    assert (record.title, record.abstract) == (paper.title, paper.abstract)


def test_an_ordinary_entry_is_what_people_write() -> None:
    out = io.StringIO()
    paper = replace(FULL, abstract="We study mosses.", title="On mosses", other_abstracts=())
    exporting.write([paper], "bibtex", out)
    assert out.getvalue() == (
        "@article{doe2020,\n"
        "  title = {On mosses},\n"
        "  author = {Doe, Jane and van der Roe, R. B. and {The Moss Group} and 张三},\n"
        "  year = {2020},\n"
        "  journal = {Journal of Walls \\& Roofs},\n"
        "  number = {2},\n"
        "  pages = {1-5},\n"
        "  doi = {10.1234/moss_1},\n"
        "  url = {https://example.org/a_b?c=d%20e},\n"
        "  eprint = {2001.01234},\n"
        "  archiveprefix = {arXiv},\n"
        "  pmid = {12345678},\n"
        "  abstract = {We study mosses.},\n"
        "  keywords = {moss; wall, stone},\n"
        "  language = {en},\n"
        "  groups = {a},\n"
        "}\n\n"
    )


def test_an_ordinary_record_of_ris_is_what_people_write() -> None:
    out = io.StringIO()
    paper = Paper("p", "h", "Mosses grow.\n\nOn walls.", title="On mosses", authors=("Doe, Jane",),
                  year=2020, details=(("page", "1-5"), ("type", "article-journal")))  # fmt: skip
    exporting.write([paper], "ris", out)
    assert out.getvalue() == (
        "TY  - JOUR\nTI  - On mosses\nAU  - Doe, Jane\nPY  - 2020\nSP  - 1\nEP  - 5\n"
        "AB  - Mosses grow.\n      \n      On walls.\nER  - \n\n"
    )


@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_what_a_format_has_no_place_for_is_said_beside_it(tmp_path: Path, format_: str) -> None:
    odd = replace(
        FULL,
        title="Twice &lt;escaped&gt; {Word} \\alpha",
        authors=("Doe; Jane", "Roe and Poe, J.", "others"),
        keywords=("a; b", "*c"),
        language="de; en",
        details=(("citation-key", "a key, {of} sorts"), ("note", "x"), ("type", "song")),
        other_abstracts=(OtherAbstract("Text.", "de;]", "a]b"),),
    )
    (record,) = round_trip(tmp_path, [odd], format_)
    assert said(record) == said(odd)


def test_what_is_said_beside_is_taken_only_if_it_is_sound() -> None:
    unpacked = exact.unpacked
    assert unpacked("%7B broken") == {}
    assert unpacked("[1]") == {}
    assert unpacked({"title": 3, "year": True, "authors": "x", "details": [["a"]]}) == {}
    assert unpacked({"title": "a\x1b[2J\u202eb\n c", "year": None}) == {
        "title": "a[2Jb c",
        "year": None,
    }
    assert unpacked({"abstract": "a\ud800\x00b", "unknown": "x"}) == {"abstract": "a?b"}


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
