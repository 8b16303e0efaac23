"""``assistant eval answers`` in the shell, over the seeds with the real embedder and no model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
SEED = "000_54502489e74a5d03.txt"
CASES = (
    {"question": "How many complexes does PPBench hold?", "facts": ["706,360"], "abstract": 0},
    {"question": "By how many points does MMLU improve?", "facts": ["1.2"], "abstract": 10},
    {"question": "Where is the code of AIM?", "facts": ["metadriverse/AIM"], "abstract": 13},
    {"question": "What is the capital of Mongolia?", "facts": [], "abstract": None},
)


def assistant(data: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assistant", "--data-dir", data, *args],
        check=False,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "ASSISTANT_LLM": "none", "COLUMNS": "200"},
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("evaluated") / "data"
    done = assistant(data, "ingest", "--seeds")
    assert done.returncode == 0, done.stderr
    return data


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    rows = [{**case, "seed": SEED if case["facts"] else None} for case in CASES]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def test_the_answers_to_a_case_file_are_measured(library: Path, cases: Path, tmp_path: Path):
    out = tmp_path / "answers.jsonl"
    done = assistant(library, "eval", "answers", cases, "--json", "--out", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    measures = report["measures"]
    assert measures["facts in the shown answer"]["value"] == 1.0
    assert measures["right paper cited"]["value"] == 1.0
    assert measures["markers that resolve"]["value"] == 1.0
    assert measures["answerable refused"] == {"value": 0.0, "low": 0.0, "high": 0.0, "n": 3}
    assert measures["unanswerable refused"]["value"] == 1.0
    assert measures["statements written"]["value"] == 0.0
    assert report["about"]["model"] == "quotes only"
    assert len(out.read_text(encoding="utf-8").splitlines()) == len(CASES)


def test_the_measures_are_a_table_for_readers(library: Path, cases: Path):
    done = assistant(library, "eval", "answers", cases)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["Measure", "Value", "95", "%", "interval", "Cases"]
    (facts,) = [line for line in lines if line.startswith("facts in the shown answer")]
    assert facts.split()[-8:] == ["100.0", "%", "100.0", "%", "to", "100.0", "%", "3"]
    assert "quotes only" in lines[-1]
