from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pydantic
import pytest

from assistant.config import DEFAULT_EMBEDDER, config_file, load_settings
from assistant.errors import ConfigError


def write(text: str) -> Path:
    path = config_file()
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_hold_where_nothing_is_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ASSISTANT_DATA_DIR")
    monkeypatch.delenv("ASSISTANT_MODELS_DIR")
    settings = load_settings()
    assert settings.embedder == DEFAULT_EMBEDDER
    assert settings.llm == ""
    assert settings.data_dir.name == "abstract-assistant"
    assert settings.models_dir.name == "models"


def test_the_environment_wins_over_the_file_and_an_option_over_both(
    monkeypatch: pytest.MonkeyPatch,
):
    write("seed = 1\nthreads = 3\n")
    monkeypatch.setenv("ASSISTANT_SEED", "2")
    assert (load_settings().seed, load_settings().threads) == (2, 3)
    assert load_settings(seed=4).seed == 4
    assert load_settings(seed=None).seed == 2


def test_an_unknown_setting_in_the_file_is_named_with_those_that_exist():
    path = write("lllm = 'x'\n")
    with pytest.raises(ConfigError, match="lllm") as caught:
        load_settings()
    assert str(path) in caught.value.message
    assert "llm" in caught.value.hint


def test_a_value_out_of_range_is_named_with_both_places_to_set_it(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("ASSISTANT_MAX_PAPERS", "0")
    with pytest.raises(ConfigError, match="max_papers") as caught:
        load_settings()
    assert "ASSISTANT_MAX_PAPERS" in caught.value.hint
    assert str(config_file()) in caught.value.hint


@pytest.mark.parametrize("content", [b"seed = ", b"\xff\xfe\x00", b"= 1"])
def test_a_file_that_is_no_toml_is_an_error_that_names_it(content: bytes):
    config_file().write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert str(config_file()) in caught.value.message


def test_a_file_that_is_named_and_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("ASSISTANT_CONFIG", str(tmp_path / "settings.toml"))
    with pytest.raises(ConfigError, match=r"ASSISTANT_CONFIG names .*settings\.toml") as caught:
        load_settings()
    assert "unset ASSISTANT_CONFIG" in caught.value.hint


def test_the_usual_file_may_be_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("ASSISTANT_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    assert load_settings().seed == 7


def test_a_tilde_means_home(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ASSISTANT_DATA_DIR", "~/papers")
    assert load_settings().data_dir == Path.home() / "papers"


def test_settings_cannot_be_changed_once_read():
    with pytest.raises(pydantic.ValidationError):
        load_settings().seed = 3


def test_reading_settings_creates_nothing():
    settings = load_settings()
    assert settings.log_file.parent == settings.data_dir
    assert not settings.data_dir.exists()
    assert not settings.models_dir.exists()


def test_nothing_is_read_when_the_module_is_imported(tmp_path: Path):
    write("this is no toml")
    done = subprocess.run(
        [sys.executable, "-c", "import assistant.config"], check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr
