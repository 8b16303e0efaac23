"""Finding papers over the seed documents, as processes, with the real embedder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IDEA = (
    "designing proteins that bind to a given target, with a model that removes noise step by step"
)


def assistant(data: Path, *args: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assistant", "--data-dir", data, *args],
        check=False,
        capture_output=True,
        encoding="utf-8",
        input=stdin,
        cwd=ROOT,
        env={**os.environ, "ASSISTANT_LLM": "none", "COLUMNS": "200"},
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of the seeds."""
    data = tmp_path_factory.mktemp("library") / "data"
    done = assistant(data, "ingest", "--seeds")
    assert done.returncode == 0, done.stderr
    return data


@pytest.fixture(scope="module")
def found(library: Path) -> list[dict]:
    ideas = (IDEA, "", "recipes for a cake with apples and cinnamon", "什么是 Peri-LN？", "🦇")
    done = assistant(library, "find", "--json", "-", stdin="".join(f"{idea}\n" for idea in ideas))
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_an_idea_finds_its_paper_with_slices_of_the_abstract(library, found):
    best = found[0]["matches"][0]
    assert found[0]["close"]
    assert "PPDiff" in best["title"]
    assert best["why"]
    paper = json.loads(assistant(library, "show", "--json", best["id"]).stdout)
    for why in best["why"]:
        assert why["facet"] in found[0]["facets"]
        assert paper["abstract"][why["start"] : why["end"]] == why["text"] != ""
    met = [why["facet"] for why in best["why"]]
    assert sorted(met + best["missing"]) == sorted(found[0]["facets"])
    assert {"file": paper["sources"][0]["file"], "record_no": paper["sources"][0]["record_no"]} in (
        best["sources"]
    )


def test_every_line_gets_an_object_in_its_place(found):
    assert [sorted(item) == ["error", "hint", "idea"] for item in found] == [
        False,
        True,
        False,
        False,
        True,
    ]
    assert not found[2]["close"]
    assert "Peri-LN" in found[3]["matches"][0]["title"]


def test_nothing_close_leaves_with_3_and_says_so(library):
    done = assistant(library, "find", "recipes for a cake with apples and cinnamon")
    assert done.returncode == 3, done.stderr
    assert "Nothing here is close; the nearest:" in done.stdout


def test_more_like_one_leaves_that_one_out(library, found):
    paper = found[0]["matches"][0]["id"]
    done = assistant(library, "find", "--json", "--like", paper, "--limit", "50")
    ids = [match["id"] for match in json.loads(done.stdout)["matches"]]
    assert len(ids) == 37
    assert paper not in ids


def test_a_list_taken_along_is_read_back(library, found, tmp_path):
    target = tmp_path / "found.bib"
    done = assistant(library, "find", IDEA, "--limit", "5", "--export", target)
    assert done.returncode == 0, done.stderr
    again = assistant(tmp_path / "other", "ingest", "--json", target)
    (file,) = json.loads(again.stdout)["files"]
    assert (file["read"], file["added"]) == (5, 5)


def test_a_saved_search_tells_what_came_in_since(library, tmp_path):
    saved = assistant(library, "find", "lichens on the roofs of houses", "--save", "lichens")
    assert saved.returncode in {0, 3}, saved.stderr
    file = tmp_path / "lichens.jsonl"
    abstract = (
        "We count the lichens on the roofs of 40 houses and find that most grow to the north."
    )
    file.write_text(json.dumps({"title": "Lichens on roofs", "abstract": abstract}))
    assert assistant(library, "ingest", file).returncode == 0
    assert assistant(library, "searches").stdout.split("\t")[:2] == ["lichens", "1 new"]
    first = assistant(library, "searches", "lichens", "--json")
    assert [match["title"] for match in json.loads(first.stdout)["new"]] == ["Lichens on roofs"]
    assert json.loads(assistant(library, "searches", "lichens", "--json").stdout)["new"] == []
    assert assistant(library, "reindex").returncode == 0
    (kept,) = json.loads(assistant(library, "searches", "--json").stdout)
    assert (kept["name"], kept["new"]) == ("lichens", 0)
    assert assistant(library, "searches", "--forget", "lichens").returncode == 0
    assert json.loads(assistant(library, "searches", "--json").stdout) == []
