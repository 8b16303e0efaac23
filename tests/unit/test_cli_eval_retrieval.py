"""``assistant eval retrieval`` as a reader types it."""

from __future__ import annotations

import json
from pathlib import Path

import judged_squirrels as squirrels
import pytest

from assistant.retrieval.fakes import HashEmbedder

NDCG = sum(expected["nDCG@10"] for expected in squirrels.BY_HAND.values()) / 4


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "assistant.app.embedder_of", lambda settings: HashEmbedder(name=settings.embedder)
    )
    return squirrels.write(tmp_path)


def test_a_table_of_measures_with_intervals(run_cli, folder: Path):
    ran = run_cli("eval", "retrieval", "--corpus", folder, "--baseline", "bm25")
    assert ran.code == 0, ran.err
    (line,) = [line for line in ran.out.splitlines() if line.startswith("nDCG@10")]
    name, value, low, to, high, cases = line.split()
    assert (name, value, to, cases) == ("nDCG@10", f"{NDCG:.3f}", "to", "4")
    assert float(low) < NDCG < float(high)
    assert "baseline bm25" in ran.out
    assert "documents 6" in ran.out


def test_json_holds_every_measure_and_what_it_is_of(run_cli, folder: Path):
    corpus, queries, qrels = (
        folder / name for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv")
    )
    ran = run_cli(
        *("eval", "retrieval", "--corpus", corpus, "--queries", queries, "--qrels", qrels),
        *("--json", "--embedder", "another"),
    )
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert set(found["measures"]) == {"nDCG@10", "Recall@10", "Recall@100", "MRR"}
    assert set(found["measures"]["MRR"]) == {"value", "low", "high", "n"}
    assert found["about"]["embedder"] == "another"
    assert found["about"]["baseline"] is None
    assert (found["about"]["queries"], found["about"]["papers"]) == (4, 4)
    assert found["about"]["query_ms_p95"] >= found["about"]["query_ms_median"] >= 0


def test_every_query_is_written_for_reading(run_cli, folder: Path, tmp_path: Path):
    out = tmp_path / "queries-out.jsonl"
    ran = run_cli("eval", "retrieval", "--corpus", folder, "--per-query", out)
    assert ran.code == 0, ran.err
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == list(squirrels.BY_HAND)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--corpus", "nowhere.jsonl"], "nowhere.jsonl does not exist"),
        (["--corpus", "FOLDER", "--qrels", "nowhere.tsv"], "nowhere.tsv does not exist"),
        (["--corpus", "FOLDER", "--queries", "QRELS"], "is not a query"),
        (["--corpus", "FOLDER", "--qrels", "CORPUS"], "does not begin like judgments"),
        (["--corpus", "FOLDER", "--split", "dev", "--per-query", "no/such/file"], "no/such/file"),
    ],
)
def test_what_cannot_be_measured_is_told_in_one_message_with_a_hint(
    run_cli, folder: Path, options: list[str], told: str
):
    names = {"FOLDER": "", "QRELS": "qrels.tsv", "CORPUS": "corpus.jsonl"}
    filled = [folder / names[word] if word in names else word for word in options]
    ran = run_cli("eval", "retrieval", *filled)
    assert ran.code == 1
    assert told in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.strip().splitlines()) == 2


def test_an_embedder_that_there_is_not_is_told(run_cli, tmp_path: Path):
    ran = run_cli("eval", "retrieval", "--corpus", squirrels.write(tmp_path), "--embedder", "none")
    assert ran.code == 1
    assert "There is no model none" in ran.err


def test_a_language_model_is_no_embedder(run_cli, tmp_path: Path):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF" + b"\x00" * 100)
    ran = run_cli("eval", "retrieval", "--corpus", squirrels.write(tmp_path), "--embedder", model)
    assert ran.code == 1
    assert "model.gguf is not an embedder" in ran.err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("magic", "There is no model magic"),
        ("ms-marco-minilm-l6-v2", "assistant models pull ms-marco-minilm-l6-v2"),
        ("all-minilm-l6-v2", "is not a reranker"),
    ],
)
def test_a_reranker_that_there_is_not_is_told(run_cli, tmp_path: Path, name: str, told: str):
    ran = run_cli("eval", "retrieval", "--corpus", squirrels.write(tmp_path), "--reranker", name)
    assert ran.code == 1
    assert told in ran.err


def test_a_baseline_that_there_is_not_is_a_wrong_word(run_cli, folder: Path):
    assert run_cli("eval", "retrieval", "--corpus", folder, "--baseline", "magic").code == 2
