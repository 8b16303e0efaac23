"""Any record that any reader may make is exported and read back without a change."""

from __future__ import annotations

import io
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import exporting, readers
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.types import OtherAbstract, Paper, Record, Source

SOURCE = Source("a.bib", 1, "bibtex", "a")
_LEFT_OUT = {"source", "sources", "line", "truncated", "id", "handle", "code_links"}
FRAGMENTS = (
    *("{", "}", "\\", "$", '"', "'", "%", "#", "&", "&lt;", "&amp;amp;", "~", "^", "_", "*", "`"),
    *("<i>", "</i>", "\n", "\n\n", "\t", "\r", "\x00", "\x0b", "\u2028", " ", "  ", ";", ",", "|"),
    *("\nER  - \n", "\nTY  - JOUR\n", "\n@article{a,\n", "\n{@}b{", "@", "=1+1", "+", "-", "--"),
    *("{\\textbraceleft}", "{\\textbackslash}", "\\alpha", '\\"o', "``", "''", " and ", "others"),
    *("[en;x] ", "]", '"id","title"', "\n{}\n", "word", "Ö", "中文", "\u202eעברית", "😀", "\ue000"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)), max_size=12).map(
    "".join
)
RECORDS = st.builds(
    Fields,
    abstract=TEXTS,
    title=TEXTS,
    authors=st.lists(TEXTS, max_size=3),
    year=st.one_of(st.none(), st.integers(1500, 2100)),
    venue=TEXTS,
    doi=st.sampled_from(
        ["", "10.1234/a_b", "10.1002/(sici)1(19)1:1<1::aid-x>3.0.co;2-{", "10.1/%"]
    ),
    url=st.sampled_from(
        ["", "https://example.org/a_b?c=%20{d}&e#~f", "www.example.org", "\\url{x"]
    ),
    pmid=st.sampled_from(["", "12345678"]),
    arxiv_id=st.sampled_from(["", "2001.01234", "hep-th/9901001"]),
    keywords=st.lists(TEXTS, max_size=3),
    language=TEXTS,
    other_abstracts=st.lists(st.builds(OtherAbstract, TEXTS, TEXTS, TEXTS), max_size=2),
    details=st.dictionaries(
        st.sampled_from(
            ["type", "volume", "issue", "page", "publisher", "ISSN", "ISBN", "citation-key", "x"]
        ),
        st.one_of(TEXTS, st.sampled_from(["thesis", "book", "article", "chapter", "1-5", "1-1"])),
        max_size=4,
    ),
)


def papers_of(found: list[Fields]) -> list[Paper]:
    records = [build(SOURCE, item) for item in found]
    return [
        Paper(f"p{number}", "A handle", sources=(SOURCE,), **said(record))
        for number, record in enumerate(records)
        if isinstance(record, Record)
    ]


def said(item: Paper | Record) -> dict[str, Any]:
    return {f.name: getattr(item, f.name) for f in fields(item) if f.name not in _LEFT_OUT}


def written(papers: list[Paper], format_: str) -> Document:
    out = io.StringIO()
    assert exporting.write(papers, format_, out) == len(papers)
    data = out.getvalue().encode()
    return Document("export", "a", lambda: io.BytesIO(data))


@settings(deadline=None, max_examples=40)
@given(raw=st.lists(RECORDS, min_size=1, max_size=3))
@pytest.mark.parametrize("format_", exporting.FORMATS)
def test_any_papers_come_back_as_they_were(format_: str, raw: list[Fields]) -> None:
    papers = papers_of(raw)
    if not papers:
        return
    found = list(readers.read(written(papers, format_)))
    assert [type(item) for item in found] == [Record] * len(papers)
    assert [said(item) for item in found if isinstance(item, Record)] == list(map(said, papers))


@pytest.mark.parametrize("title", ["{", "}", '"{', "\\", "[", "],", "//", "#", "\ufeff,", "{}\n{"])
@pytest.mark.parametrize("format_", ["jsonl", "csl-json"])
def test_marks_of_json_in_titles_are_no_structure(format_: str, title: str) -> None:
    for count in (1, 2):
        papers = papers_of([Fields(title=title)] * count)
        found = list(readers.read(written(papers, format_)))
        assert [said(item) for item in found if isinstance(item, Record)] == list(map(said, papers))
        assert len(found) == count


@settings(deadline=None, max_examples=30)
@given(raw=st.lists(RECORDS, min_size=1, max_size=3))
def test_an_export_of_an_export_is_the_same_file(raw: list[Fields]) -> None:
    papers = papers_of(raw)
    if not papers:
        return
    for format_ in exporting.FORMATS:
        document = written(papers, format_)
        again = [
            Paper(paper.id, paper.handle, sources=paper.sources, **said(record))
            for paper, record in zip(papers, readers.read(document), strict=True)
            if isinstance(record, Record)
        ]
        assert written(again, format_).open().read() == document.open().read()
