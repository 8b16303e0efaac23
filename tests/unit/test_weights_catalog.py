"""The catalogue: what is here, under which names, and which model is in use."""

from __future__ import annotations

from pathlib import Path

import pytest
from weights_kit import FakeHub, entry, gguf, hub_running, on_hub

from assistant.config import DEFAULT_EMBEDDER, DEFAULT_LLM, Settings, load_settings
from assistant.errors import DownloadError, ModelError
from assistant.weights import catalog as catalog_module
from assistant.weights.catalog import Catalog, Selection
from assistant.weights.manifest import PackageSource

DEFAULT = gguf(seed="default")
TINY = gguf(seed="tiny")
OWN = gguf(seed="own")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "weights"
    folder.mkdir()
    return folder


def settings(**values: object) -> Settings:
    return load_settings(**values)


def catalog(**values: object) -> Catalog:
    """Return a catalogue of two language models and an embedder, none of them here."""
    entries = [
        entry(DEFAULT, on_hub("d.gguf"), name=DEFAULT_LLM),
        entry(TINY, on_hub(), name="tiny"),
        entry(b"weights", name=DEFAULT_EMBEDDER, role="embedder", weights="m.bin"),
    ]
    return Catalog(settings(**values), {e.name: e for e in entries})


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "checkout"
    (root / "models").mkdir(parents=True)
    monkeypatch.setattr(catalog_module, "checkout_root", lambda: root)
    return root / "models"


# ------------------------------------------------------------------ names


def test_a_model_that_is_not_here_names_the_command_that_fetches_it() -> None:
    with pytest.raises(ModelError) as raised:
        catalog().resolve("tiny")
    assert raised.value.message == "The model tiny is not here."
    assert raised.value.hint == "Run: assistant models pull tiny"


def test_half_a_file_counts_as_damaged_and_not_as_here(models: Path) -> None:
    (models / "tiny.gguf").write_bytes(TINY[:-1])
    with pytest.raises(ModelError) as raised:
        catalog().resolve("tiny")
    assert raised.value.message == "The model tiny is damaged."
    assert [line.path for line in catalog().list()] == [None, None, None]


def test_a_model_of_the_manifest_keeps_its_entry(models: Path) -> None:
    (models / "tiny.gguf").write_bytes(TINY)
    model = catalog().resolve("tiny")
    assert model.path == models / "tiny.gguf"
    assert (model.name, model.context, model.prompt_style) == ("tiny", 512, "per_paper")


def test_a_path_works_as_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.gguf").write_bytes(OWN)
    monkeypatch.chdir(tmp_path)
    for name in ("own.gguf", "./own.gguf", str(tmp_path / "own.gguf")):
        model = catalog().resolve(name)
        assert model.path.read_bytes() == OWN
        assert model.context == 4096


def test_a_file_in_the_weights_folder_or_the_checkout_goes_by_its_file_name(
    models: Path, checkout: Path
) -> None:
    (models / "own.gguf").write_bytes(OWN)
    (checkout / "other.gguf").write_bytes(OWN)
    assert catalog().resolve("own.gguf").path == models / "own.gguf"
    assert catalog().resolve("other.gguf").path == checkout / "other.gguf"
    names = [line.entry.name for line in catalog().list() if line.path]
    assert names == ["own.gguf", "other.gguf"]


def test_a_model_of_the_manifest_may_lie_in_the_checkout(checkout: Path) -> None:
    (checkout / "tiny.gguf").write_bytes(TINY)
    assert catalog().resolve("tiny").path == checkout / "tiny.gguf"
    assert catalog().pull("tiny").path == checkout / "tiny.gguf"


def test_a_file_that_is_no_gguf_is_refused(models: Path) -> None:
    (models / "own.gguf").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="not a GGUF file"):
        catalog().resolve("own.gguf")


@pytest.mark.parametrize("name", ["nobody", "no/such.gguf", "", "."])
def test_an_unknown_name_is_told_with_what_works(name: str) -> None:
    with pytest.raises(ModelError) as raised:
        catalog().resolve(name)
    assert "models list" in raised.value.hint


def test_a_folder_inside_a_package_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site" / "tiny_embedder" / "model"
    folder.mkdir(parents=True)
    (folder / "m.bin").write_bytes(b"weights")
    (folder.parent / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    source = PackageSource(package="tiny-embedder", version="1", path="tiny_embedder/model")
    wanted = entry(b"weights", source, name="e", role="embedder", weights="m.bin")
    assert Catalog(settings(), {"e": wanted}).resolve("e").path == folder


def test_the_default_embedder_comes_with_the_installation() -> None:
    model = Catalog(settings()).resolve(DEFAULT_EMBEDDER)
    assert (model.path / "model.safetensors").stat().st_size == model.entry.size


# ------------------------------------------------------------------ the one in use


def test_with_nothing_here_the_default_is_named_as_missing() -> None:
    assert catalog().selection() == Selection(DEFAULT_LLM, "none here")


def test_the_default_is_used_when_it_is_here(models: Path) -> None:
    (models / "tiny.gguf").write_bytes(TINY)
    (models / f"{DEFAULT_LLM}.gguf").write_bytes(DEFAULT)
    assert catalog().selection() == Selection(DEFAULT_LLM, "default")


def test_without_the_default_the_one_that_is_here_is_used_and_that_is_said(
    models: Path,
) -> None:
    (models / "own.gguf").write_bytes(OWN)
    assert catalog().selection() == Selection("own.gguf", "only one here")
    (models / "tiny.gguf").write_bytes(TINY)
    assert catalog().selection() == Selection("tiny", "only one here")


def test_a_model_that_came_along_with_a_package_is_not_used_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site" / "tiny_weights"
    folder.mkdir(parents=True)
    (folder / "w.gguf").write_bytes(TINY)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    source = PackageSource(package="tiny-weights", version="1", path="tiny_weights/w.gguf")
    packaged = Catalog(settings(), {"tiny": entry(TINY, source)})
    assert packaged.resolve("tiny").path == folder / "w.gguf"
    assert packaged.selection() == Selection(DEFAULT_LLM, "none here")
    assert packaged.use("tiny") == Selection("tiny", "chosen")


def test_a_choice_lasts_and_the_setting_wins_over_it(models: Path) -> None:
    (models / "tiny.gguf").write_bytes(TINY)
    (models / f"{DEFAULT_LLM}.gguf").write_bytes(DEFAULT)
    assert catalog().use("tiny") == Selection("tiny", "chosen")
    assert catalog().selected_llm() == "tiny"
    assert catalog(llm=DEFAULT_LLM).selection() == Selection(DEFAULT_LLM, "setting")
    assert catalog(llm=DEFAULT_LLM).use("tiny") == Selection(DEFAULT_LLM, "setting")


def test_a_model_that_is_not_here_cannot_be_chosen(models: Path) -> None:
    with pytest.raises(ModelError, match="not here") as raised:
        catalog().use("tiny")
    assert raised.value.hint == "Run: assistant models pull tiny"
    assert list(models.iterdir()) == []


def test_an_embedder_cannot_be_chosen_to_write(models: Path) -> None:
    (models / DEFAULT_EMBEDDER).mkdir()
    (models / DEFAULT_EMBEDDER / "m.bin").write_bytes(b"weights")
    with pytest.raises(ModelError, match="not a language model") as raised:
        catalog().use(DEFAULT_EMBEDDER)
    assert "ASSISTANT_EMBEDDER" in raised.value.hint


def reranking(**values: object) -> Catalog:
    """Return a catalogue of a language model and a reranker."""
    entries = [
        entry(TINY, on_hub(), name="tiny"),
        entry(b"weights", name="judge", role="reranker", weights="m.bin"),
    ]
    return Catalog(settings(**values), {e.name: e for e in entries})


@pytest.fixture
def judge(models: Path) -> Path:
    (models / "tiny.gguf").write_bytes(TINY)
    (models / "judge").mkdir()
    (models / "judge" / "m.bin").write_bytes(b"weights")
    return models


@pytest.mark.usefixtures("judge")
def test_a_reranker_is_chosen_beside_a_language_model_and_left_again() -> None:
    assert reranking().selected_reranker() == ""
    assert reranking().use("judge") == Selection("judge", "chosen", "reranker")
    assert reranking().use("tiny") == Selection("tiny", "chosen")
    assert reranking().selected_reranker() == "judge"
    assert {line.entry.name: line.in_use for line in reranking().list()} == {
        "tiny": True,
        "judge": True,
    }
    assert reranking().use("none") == Selection("none", "chosen")
    assert reranking().selected_reranker() == "judge"
    assert reranking().use_no_reranker() == Selection("none", "chosen", "reranker")
    assert reranking().selected_reranker() == ""
    assert reranking().selected_llm() == "none"


@pytest.mark.usefixtures("judge")
def test_the_setting_of_a_reranker_wins_over_the_choice() -> None:
    reranking().use("judge")
    assert reranking(reranker="none").selected_reranker() == ""
    assert reranking(reranker="none").use("judge") == Selection("none", "setting", "reranker")
    assert reranking(reranker="other").selected_reranker() == "other"
    assert reranking(reranker="other").use_no_reranker().name == "other"


def test_a_broken_record_of_the_choice_is_mended_by_a_choice(judge: Path) -> None:
    (judge / "selected.toml").write_bytes(b"llm = \xff[")
    with pytest.raises(ModelError, match="cannot be read"):
        reranking().selected_reranker()
    assert reranking().use("judge") == Selection("judge", "chosen", "reranker")
    assert reranking().selected_reranker() == "judge"


def test_quotes_only_can_be_chosen_and_set(models: Path) -> None:
    (models / f"{DEFAULT_LLM}.gguf").write_bytes(DEFAULT)
    assert catalog(llm="none").selection() == Selection("none", "setting")
    assert catalog().use("none") == Selection("none", "chosen")
    assert [line.in_use for line in catalog().list() if line.entry.role == "llm"] == [False, False]


def test_a_path_is_remembered_from_every_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / 'a "quoted" näme.gguf'
    path.write_bytes(OWN)
    monkeypatch.chdir(tmp_path)
    catalog().use(path.name)
    monkeypatch.chdir("/")
    assert catalog().selected_llm() == str(path)
    assert catalog().resolve(catalog().selected_llm()).path == path
    (line,) = [line for line in catalog().list() if line.in_use]
    assert line.path == path


def test_a_choice_whose_file_is_gone_still_says_what_mends_it(models: Path) -> None:
    (models / "tiny.gguf").write_bytes(TINY)
    catalog().use("tiny")
    (models / "tiny.gguf").unlink()
    with pytest.raises(ModelError, match="not here"):
        catalog().resolve(catalog().selected_llm())


def test_a_broken_record_of_the_choice_is_told(models: Path) -> None:
    (models / "selected.toml").write_text("llm = ")
    with pytest.raises(ModelError, match=r"selected\.toml cannot be read"):
        catalog().selected_llm()


# ------------------------------------------------------------------ what is written, and when


def test_looking_creates_nothing(tmp_path: Path) -> None:
    here = catalog()
    here.list()
    here.selection()
    with pytest.raises(ModelError):
        here.resolve("tiny")
    assert not (tmp_path / "weights").exists()


def test_a_file_of_the_hub_is_pulled_by_its_address_and_listed_under_its_file_name(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_running(FakeHub()) as hub:
        hub.put(OWN, file="sub/own.gguf")
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        name = "hf:owner/repo/sub/own.gguf"
        model = catalog().pull(name)
        assert model.path == models / "own.gguf"
        asked = len(hub.seen)
        assert catalog().pull(name).path == model.path
        assert len(hub.seen) == asked
    assert catalog().resolve(name).path == model.path
    assert catalog().use(name) == Selection("own.gguf", "chosen")
    (line,) = [line for line in catalog().list() if line.in_use]
    assert line.entry.name == "own.gguf"


def test_the_address_of_a_file_that_the_manifest_knows_is_that_entry(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_running(FakeHub()) as hub:
        hub.put(gguf(seed="someone else's"))
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        with pytest.raises(DownloadError, match="expected SHA-256"):
            catalog().pull("hf:owner/repo/tiny.gguf")
        with pytest.raises(ModelError, match="name of another model"):
            catalog().pull("hf:someone/else/tiny.gguf")


def test_pulling_what_lies_on_the_disk_by_its_path_only_looks(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(OWN)
    assert catalog().pull(str(path)).path == path
    with pytest.raises(ModelError, match="There is no model"):
        catalog().pull("nobody")
