from __future__ import annotations

import json
from pathlib import Path

import pytest
from fake_assistant import FakeAssistant


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAssistant:
    assistant = FakeAssistant()
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: assistant)
    return assistant


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    rows = [
        {"question": "squirrel?", "facts": ["42 metres"], "seed": "zoo.txt", "abstract": 0},
        {"question": "squirrel two?", "facts": ["43 metres"], "seed": "zoo.txt", "abstract": 0},
        {"question": "mars?", "facts": [], "seed": None, "abstract": None},
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(text: str, name: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.removeprefix(name).split()


def test_eval_prints_shares_in_percent_times_in_seconds_and_the_number_of_cases(run_cli, cases):
    ran = run_cli("eval", "answers", cases)
    assert ran.code == 0, ran.err
    assert row(ran.out, "facts in the shown answer")[:2] == ["50.0", "%"]
    assert row(ran.out, "facts in the shown answer")[-1] == "2"
    assert row(ran.out, "unanswerable refused")[:2] == ["100.0", "%"]
    assert row(ran.out, "whole answer, s (median)")[1] == "s"
    assert row(ran.out, "statements an answer")[0] == "1.0"
    assert "fake-model" in ran.out


def test_eval_as_json_has_the_same_measures(run_cli, cases):
    measures = json.loads(run_cli("eval", "answers", cases, "--json").out)["measures"]
    assert measures["facts in the shown answer"]["value"] == 0.5
    assert measures["answerable refused"]["n"] == 2


def test_eval_writes_every_answer_for_reading(run_cli, cases, tmp_path):
    out = tmp_path / "answers.jsonl"
    run_cli("eval", "answers", cases, "--out", out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["question"] for row in rows] == ["squirrel?", "squirrel two?", "mars?"]


@pytest.mark.parametrize("content", [b"", b"{}\n", b"no json\n", b"\xff\n"])
def test_a_case_file_that_is_none_is_told(run_cli, tmp_path, content):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    ran = run_cli("eval", "answers", path)
    assert ran.code == 1
    assert "bad.jsonl" in ran.err
    assert "Traceback" not in ran.err


def test_bench_times_the_example_questions(run_cli, fake):
    ran = run_cli("bench")
    assert ran.code == 0, ran.err
    assert fake.asked == fake.examples(12)
    assert row(ran.out, "quotes, s (median)")[1] == "s"
