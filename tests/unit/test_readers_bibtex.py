"""BibTeX and BibLaTeX: what entries say, and what becomes of broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.library import cleaning, readers
from assistant.types import Record, Rejected

ABSTRACT = "We study the growth of {DNA}-rich mosses on 50\\% of all walls {\\textless} 3 m."
ENTRY = (
    "@article{doe2020,\n"
    "  title = {{On} {M}osses: {\\'E}tude of {$\\alpha$} walls},\n"
    "  author = {Doe, Jane and van der Roe, Richard B. and {The Moss Group} and others},\n"
    "  journal = {Journal of {Walls}},\n"
    "  year = 2020,\n"
    f"  abstract = {{{ABSTRACT}}},\n"
    "  doi = {10.1234/MOSS}, url = {https://example.org/a_b},\n"
    "  keywords = {moss, wall},\n"
    "  pages = {1--5}, volume = {3}, number = {2}, issn = {1234-5678},\n"
    "}\n"
)


def read(tmp_path: Path, content: str | bytes) -> list[Record | Rejected]:
    path = tmp_path / "refs.bib"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(readers.read(path))


def test_an_entry_brings_every_field(tmp_path: Path) -> None:
    (record,) = read(tmp_path, ENTRY)
    assert isinstance(record, Record)
    assert record.title == "On Mosses: Étude of α walls"
    assert record.authors == ("Doe, Jane", "van der Roe, Richard B.", "The Moss Group")
    assert (record.venue, record.year) == ("Journal of Walls", 2020)
    assert (record.doi, record.url) == ("10.1234/moss", "https://example.org/a_b")
    assert record.keywords == ("moss", "wall")
    assert dict(record.details) == {
        "ISSN": "1234-5678",
        "citation-key": "doe2020",
        "issue": "2",
        "page": "1-5",
        "type": "article-journal",
        "volume": "3",
    }


def test_the_abstract_stays_as_it_came_and_reads_plain(tmp_path: Path) -> None:
    (record,) = read(tmp_path, ENTRY)
    assert record.abstract == ABSTRACT
    assert cleaning.plain(record.abstract).text == (
        "We study the growth of DNA-rich mosses on 50% of all walls < 3 m."
    )


@pytest.mark.parametrize(
    ("broken", "key"),
    [
        (ENTRY.replace("walls},", "walls,", 1).replace("doe2020", "open"), "open"),
        ("@article{comma\n  title = {No comma}\n  year = 2020\n}\n", "comma"),
        ('@misc{quote, title = "never closed,\n}\n', "quote"),
        ("@misc{empty,\n  year = {2020},\n}\n", "empty"),
    ],
)
def test_a_broken_entry_is_rejected_alone(tmp_path: Path, broken: str, key: str) -> None:
    found = read(tmp_path, ENTRY + broken + ENTRY.replace("doe2020", "last"))
    assert [type(item) for item in found] == [Record, Rejected, Record]
    assert [item.source.record_no for item in found] == [1, 2, 3]
    assert isinstance(found[1], Rejected)
    assert (found[1].key, found[1].line) == (key, 11)
    assert found[1].reason
    assert found[1].hint


def test_macros_months_and_joined_strings_are_resolved(tmp_path: Path) -> None:
    text = (
        '@string{walls = "Journal of Walls"}\n@comment{jabref-meta: grouping;}\n% a comment\n'
        '@preamble{"\\def\\x{}"}\nFree text between entries.\n'
        '@Article{a, Title = "On " # "mosses", Journal = walls # { B}, Month = mar, Year = {2001}}\n'
    )
    (record,) = read(tmp_path, text)
    assert (record.title, record.venue, record.year) == ("On mosses", "Journal of Walls B", 2001)


def test_a_field_that_comes_twice_costs_nothing(tmp_path: Path) -> None:
    text = "@misc{a, title = {A title}, doi = {10.1007}, doi = {10.1007/978-3-030}}\n"
    (record,) = read(tmp_path, text)
    assert (record.title, record.doi) == ("A title", "10.1007/978-3-030")


def test_text_that_looks_like_an_entry_stays_in_the_abstract(tmp_path: Path) -> None:
    inside = "We cite it so:\n@article{fake,\n title = {Fake}\n}\nand go on."
    (record,) = read(tmp_path, f"@misc{{a,\n title = {{A}},\n abstract = {{{inside}}}\n}}\n")
    assert (record.title, record.abstract) == ("A", inside)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "cp1252"])
def test_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    (record,) = read(tmp_path, "@misc{a, title = {Über Moose}}\n".encode(encoding))
    assert record.title == "Über Moose"


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        ("eprint = {2001.01234v3}, archiveprefix = {arXiv}", "2001.01234"),
        ("eprint = {hep-th/9901001}, eprinttype = {arxiv}", "hep-th/9901001"),
        ("journal = {arXiv:2001.01234 [cs]}", "2001.01234"),
        ("eprint = {123}, archiveprefix = {other}", ""),
    ],
)
def test_arxiv_numbers_are_found(tmp_path: Path, fields: str, number: str) -> None:
    (record,) = read(tmp_path, f"@misc{{a, title = {{A}}, {fields}}}\n")
    assert record.arxiv_id == number


def test_a_journal_of_astronomers_is_spelled_out(tmp_path: Path) -> None:
    text = "@article{a, title = {{Stars}}, journal = {\\apj}, author = {{Curtis}, H.~D.}}\n"
    (record,) = read(tmp_path, text)
    assert (record.title, record.venue) == ("Stars", "The Astrophysical Journal")
    assert record.authors == ("Curtis, H. D.",)


def test_a_file_of_comments_holds_no_records(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no records") as told:
        read(tmp_path, "% nothing\n@comment{x}\n")
    assert told.value.hint
