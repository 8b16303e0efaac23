"""Judged queries: layouts, judgments of every form, and what is told of bad ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import judged_squirrels as squirrels
import pytest

from assistant.errors import ReadError
from assistant.measuring.benchmark import Benchmark, Files, load, located


@pytest.fixture(params=[False, True], ids=["own layout", "BEIR"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return squirrels.write(tmp_path, beir=request.param)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return located(squirrels.write(tmp_path))


def judged(files: Files, text: str) -> Benchmark:
    files.qrels.write_text(text, encoding="utf-8")
    return load(files)


def test_a_folder_is_enough(folder: Path):
    found = load(located(folder))
    assert list(found.ids.values()) == list(squirrels.DOCUMENTS)
    assert found.queries == {
        query: text for query, text in squirrels.QUERIES.items() if query != "unjudged"
    }
    assert found.qrels == {query: squirrels.QRELS[query] for query in found.queries}


def test_the_corpus_is_enough_where_the_others_lie_beside_it(folder: Path):
    assert located(folder / "corpus.jsonl") == located(folder)


def test_what_is_named_wins_over_what_lies_there(folder: Path, tmp_path: Path):
    named = located(folder, tmp_path / "q.jsonl", tmp_path / "r.tsv")
    assert (named.queries, named.qrels) == (tmp_path / "q.jsonl", tmp_path / "r.tsv")


def test_another_split_is_another_file(tmp_path: Path):
    folder = squirrels.write(tmp_path, beir=True)
    (folder / "qrels" / "dev.tsv").write_text("fish\tshort\t1\n", encoding="utf-8")
    assert load(located(folder, split="dev")).qrels == {"fish": {"short": 1}}


def test_packed_files_are_read(tmp_path: Path):
    folder = squirrels.write(tmp_path)
    for name in ("corpus.jsonl", "queries.jsonl"):
        data = (folder / name).read_bytes()
        (folder / name).unlink()
        (folder / f"{name}.gz").write_bytes(gzip.compress(data))
    assert len(load(located(folder)).queries) == 4


def test_ids_may_be_numbers(tmp_path: Path):
    squirrels.write(tmp_path)
    squirrels.lines(tmp_path / "corpus.jsonl", [{"id": 7, "title": "Moles", "text": "They dig."}])
    squirrels.lines(tmp_path / "queries.jsonl", [{"id": 1, "text": "moles"}])
    found = judged(located(tmp_path), "1\t7\t1\n")
    assert (found.ids, found.qrels) == ({1: "7"}, {"1": {"7": 1}})


@pytest.mark.parametrize(
    "text",
    [
        "query-id\tcorpus-id\tscore\nfish\tlong\t2\nfish\tshort\t0\n",
        "\ufeffquery-id\tcorpus-id\tscore\r\nfish\tlong\t2\r\nfish\tshort\t0\r\n",
        "corpus-id\tscore\tquery-id\nlong\t2\tfish\nshort\t0\tfish\n",
        "fish\tlong\t2\nfish\tshort\t0\n",
        "fish 0 long 2\nfish 0 short 0\n",
        "fish\tQ0\tlong\t2\n\nfish\tQ0\tshort\t0",
        "query_id doc_id relevance\nfish long 2.0\nfish short 0\n",
    ],
    ids=["header", "BOM and CRLF", "other order", "bare", "TREC", "TREC, tabs", "other names"],
)
def test_judgments_of_every_form_are_the_same(files: Files, text: str):
    assert judged(files, text).qrels == {"fish": {"long": 2, "short": 0}}


def test_the_highest_of_several_judgments_counts_and_none_is_below_zero(files: Files):
    found = judged(files, "fish\tlong\t1\nfish\tlong\t3\nfish\tlong\t2\nfish\tshort\t-1\n")
    assert found.qrels == {"fish": {"long": 3, "short": 0}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("query-id\tcorpus-id\tscore\n", "holds no judgments"),
        ("fish\tlong\n", "does not begin like judgments: fish, long"),
        ("a,b,c\nfish,long,1\n", "does not begin like judgments"),
        ("x\ty\tz\nfish\tlong\t1\n", "does not begin like judgments"),
        ("fish\tlong\t1\nfish\tshort\n", "Line 2 of qrels.tsv has 2 columns"),
        ("fish\tlong\t1\nfish\tshort\tyes\n", "Line 2 of qrels.tsv has 'yes' for a score"),
        ("nobody\tlong\t1\n", "No query of queries.jsonl is judged in qrels.tsv"),
        ("fish\tnobody\t1\n", "No document that is judged in qrels.tsv stands in corpus.jsonl"),
    ],
)
def test_judgments_that_are_none_are_told_with_a_hint(files: Files, text: str, told: str):
    with pytest.raises(ReadError) as error:
        judged(files, text)
    assert told in error.value.message
    assert error.value.hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"id": "a", "text": "b"}\n{"id": "c"}\n', "Line 2 of queries.jsonl is not a query"),
        ('{"id": "a", "text": "b"}\n\n{"id"\n', "Line 3 of queries.jsonl is not a query"),
        ('{"text": "b"}\n', "Line 1 of queries.jsonl is not a query"),
        ("[1]\n", "Line 1 of queries.jsonl is not a query"),
        ('{"id": "a", "text": "b"}\n{"id": "a", "text": "c"}\n', "a second query 'a'"),
        ("", "is empty"),
    ],
)
def test_queries_that_are_none_are_told_with_the_line(files: Files, text: str, told: str):
    files.queries.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as error:
        load(files)
    assert told in error.value.message
    assert error.value.hint


def test_a_corpus_without_ids_is_told(files: Files):
    files.corpus.write_text('{"title": "Moles", "text": "They dig."}\n', encoding="utf-8")
    with pytest.raises(ReadError, match=r"No line of corpus\.jsonl is a document with an id"):
        load(files)


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(tmp_path: Path, name: str):
    squirrels.write(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ReadError) as error:
        load(located(tmp_path))
    assert name in error.value.message
    assert error.value.hint
