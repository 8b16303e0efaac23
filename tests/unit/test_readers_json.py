"""JSON and JSON Lines of the databases, and lists by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import ReadError
from assistant.library import readers
from assistant.types import Record, Rejected

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."


def read(tmp_path: Path, content: Any, name: str = "list.json") -> list[Record | Rejected]:
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return list(readers.read(path))


S2 = {
    "paperId": "x",
    "externalIds": {"DOI": "10.1234/S2", "ArXiv": "2001.00001", "PubMed": "12345"},
    "title": "On mosses",
    "abstract": ABSTRACT,
    "authors": [{"authorId": "1", "name": "Jane Doe"}],
    "year": 2020,
    "venue": "Walls",
}
OPENALEX = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1234/oa",
    "display_name": "On mosses",
    "publication_year": 2019,
    "language": "en",
    "abstract_inverted_index": {"We": [0, 3], "study": [1], "mosses.": [2], "count.": [4]},
    "authorships": [{"author": {"display_name": "Jane Doe"}}],
    "primary_location": {"source": {"display_name": "Walls"}},
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/999999"},
    "keywords": [{"display_name": "Moss"}],
}
ARXIV = {
    "id": "0704.0001",
    "authors": "J. Doe and R. Roe",
    "title": "On\n  mosses",
    "categories": "hep-ph cs.LG",
    "journal-ref": "Walls 3",
    "abstract": f"  {ABSTRACT}\nIt goes on.\n",
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
    "update_date": "2008-11-26",
    "authors_parsed": [["Doe", "J.", ""], ["Roe", "R.", "Jr"]],
}
OPENREVIEW_2 = {
    "forum": "abc",
    "cdate": 1700000000000,
    "content": {
        "title": {"value": "On mosses"},
        "abstract": {"value": ABSTRACT},
        "authors": {"value": ["Jane Doe"]},
        "keywords": {"value": ["moss"]},
        "venue": {"value": "ICML 2025"},
    },
}
OPENREVIEW_1 = {
    "forum": "def",
    "content": {"title": "On mosses", "abstract": ABSTRACT, "authors": ["Jane Doe"]},
}
CSL = {
    "id": "doe2018",
    "type": "article-journal",
    "title": "On mosses",
    "author": [{"family": "Doe", "given": "Jane"}, {"literal": "The Moss Group"}],
    "issued": {"date-parts": [[2018, 1]]},
    "container-title": "Walls",
    "DOI": "10.1234/csl",
    "abstract": ABSTRACT,
}
CROSSREF = {
    "title": ["On mosses"],
    "abstract": f"<jats:p>{ABSTRACT}</jats:p>",
    "author": [{"given": "Jane", "family": "Doe"}],
    "container-title": ["Walls"],
    "published-print": {"date-parts": [[2017]]},
    "DOI": "10.1234/cr",
}
BEIR = {"_id": "4983", "title": "On mosses", "text": ABSTRACT, "metadata": {}}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (S2, ("Doe, Jane", 2020, "Walls", "10.1234/s2")),
        (OPENALEX, ("Doe, Jane", 2019, "Walls", "10.1234/oa")),
        (ARXIV, ("Doe, J.", 2007, "Walls 3", "")),
        (OPENREVIEW_2, ("Doe, Jane", 2023, "ICML 2025", "")),
        (OPENREVIEW_1, ("Doe, Jane", None, "", "")),
        (CSL, ("Doe, Jane", 2018, "Walls", "10.1234/csl")),
        (CROSSREF, ("Doe, Jane", 2017, "Walls", "10.1234/cr")),
    ],
    ids=["s2", "openalex", "arxiv", "openreview2", "openreview1", "csl", "crossref"],
)
@pytest.mark.parametrize("held", ["line", "array", "envelope", "keyed"])
def test_every_shape_says_the_same_however_it_is_held(
    tmp_path: Path, item: dict[str, Any], expected: tuple[Any, ...], held: str
) -> None:
    content, name = {
        "line": (json.dumps(item) + "\n" + json.dumps(item), "list.jsonl"),
        "array": ([item, item], "list.json"),
        "envelope": (
            {"total": 2, "meta": {"x": [1]}, "data": {"items": [item, item]}},
            "list.json",
        ),
        "keyed": ({"one": item, "two": item}, "list.json"),
    }[held]
    first, second = read(tmp_path, content, name)
    assert isinstance(first, Record)
    assert first.title == second.title == "On mosses"
    assert (first.authors[0], first.year, first.venue, first.doi) == expected
    assert first.source.format == ("jsonl" if held == "line" else "json")


def test_numbers_and_words_of_databases(tmp_path: Path) -> None:
    s2, openalex, arxiv, review, csl = read(tmp_path, [S2, OPENALEX, ARXIV, OPENREVIEW_2, CSL])
    assert (s2.arxiv_id, s2.pmid) == ("2001.00001", "12345")
    assert (openalex.abstract, openalex.pmid) == ("We study mosses. We count.", "999999")
    assert (openalex.keywords, openalex.language) == (("Moss",), "en")
    assert (arxiv.arxiv_id, arxiv.keywords) == ("0704.0001", ("hep-ph", "cs.LG"))
    assert arxiv.authors == ("Doe, J.", "Roe, R. Jr")
    assert arxiv.abstract == f"{ABSTRACT}\nIt goes on."
    assert review.url == "https://openreview.net/forum?id=abc"
    assert csl.authors == ("Doe, Jane", "The Moss Group")


def test_a_corpus_of_texts(tmp_path: Path) -> None:
    (record,) = read(tmp_path, json.dumps(BEIR), "corpus.jsonl")
    assert (record.title, record.abstract) == ("On mosses", ABSTRACT)


def test_one_paper_with_a_list_of_others_inside_is_one(tmp_path: Path) -> None:
    item = {"title": "On mosses", "abstract": ABSTRACT, "references": [{"title": "R", "year": 1}]}
    (record,) = read(tmp_path, json.dumps(item, indent=2))
    assert record.title == "On mosses"


@pytest.mark.parametrize(
    "broken", ['{"title": "B" "abstract": "x"}', '{"title": "B", "abstract": ']
)
def test_a_broken_object_in_an_array_is_rejected_alone(tmp_path: Path, broken: str) -> None:
    good = json.dumps({"title": "A", "abstract": ABSTRACT})
    found = read(tmp_path, f"[\n  {good},\n  {broken},\n  {good}\n]\n")
    assert [type(item) for item in found] == [Record, Rejected, Record]
    assert [item.source.record_no for item in found] == [1, 2, 3]
    assert (found[1].line, found[1].key) == (3, "B")


def test_an_array_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    found = read(tmp_path, f'[{json.dumps(S2)}, {{"title": "cut", "abs')
    assert [type(item) for item in found] == [Record, Rejected]


@pytest.mark.parametrize(
    "content", ['[{"x": 1}, {"x": 2}]', "[]", "{}", '{"a": {"b": 1}}', "[1, 2]", '["a", "b"]']
)
def test_json_without_papers_is_told(tmp_path: Path, content: str) -> None:
    with pytest.raises(ReadError) as told:
        read(tmp_path, content)
    assert told.value.hint


def test_odd_values_do_no_harm(tmp_path: Path) -> None:
    item = {
        "title": ["lone \ud800 surrogate"],
        "abstract": ABSTRACT,
        "authors": [None, 3, {"x": 1}, ["a"]],
        "year": float("nan"),
        "doi": {"a": 1},
        "keywords": {"x": []},
        "issued": {"date-parts": []},
        "venue": [[]],
    }
    for content in (json.dumps([item]), json.dumps(item)):
        (record,) = read(tmp_path, content)
        assert isinstance(record, Record)
        record.title.encode()
        assert record.abstract == ABSTRACT


def test_a_title_is_enough_among_papers(tmp_path: Path) -> None:
    whole = {"title": "A", "abstract": ABSTRACT}
    for elements in ([whole, {"title": "B"}], [{"title": "B"}, whole]):
        found = read(tmp_path, {"2020": elements})
        assert sorted(item.title for item in found if isinstance(item, Record)) == ["A", "B"]


def test_what_goes_with_a_paper_is_told_from_papers(tmp_path: Path) -> None:
    items = [
        {"itemType": "journalArticle", "title": "A", "abstractNote": ABSTRACT},
        {"itemType": "attachment", "title": "Full Text PDF", "url": "https://example.org/a"},
        {"itemType": "note", "note": "<p>Read this.</p>"},
    ]
    paper, attachment, note = read(tmp_path, {"items": items})
    assert isinstance(paper, Record)
    assert isinstance(attachment, Rejected)
    assert isinstance(note, Rejected)
    assert (attachment.key, attachment.reason) == (
        "Full Text PDF",
        "it goes with a paper, as its attachment",
    )
    assert "as its note" in note.reason


def test_what_is_wrapped_round_a_paper_is_no_field_of_it(tmp_path: Path) -> None:
    hits = [{"_id": "1", "_source": {"title": "A", "abstract": ABSTRACT}}]
    (record,) = read(tmp_path, {"hits": {"total": {"value": 1}, "hits": hits}})
    assert isinstance(record, Record)
    assert (record.title, record.venue) == ("A", "")


@pytest.mark.parametrize("end", ["", "\n", "  \n\n", "\n// the end", "/* the\nend */", "\n# end\n"])
def test_the_end_of_a_document_is_no_record(tmp_path: Path, end: str) -> None:
    paper = json.dumps({"title": "A", "year": 2020}, indent=1)
    for text in (paper, f"[{paper}]"):
        (record,) = read(tmp_path, text + end)
        assert isinstance(record, Record)
