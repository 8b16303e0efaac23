from __future__ import annotations

import logging
import sys
import warnings
from pathlib import Path

import pytest
from fake_assistant import FakeAssistant

from assistant import __version__
from assistant.config import config_file, load_settings
from assistant.errors import LibraryError
from assistant.interfaces.cli.log import LARGEST, logging_to


def fails_with(error: Exception, cause: Exception | None = None):
    def build(_settings, create=False):
        raise error from cause

    return build


def test_version_is_the_package_version(run_cli):
    ran = run_cli("--version")
    assert (ran.code, ran.out) == (0, f"assistant {__version__}\n")


def test_every_command_stands_in_the_help(run_cli):
    ran = run_cli("--help")
    commands = ("ask", "ingest", "list", "chat", "doctor", "reindex", "models", "eval", "bench")
    assert ran.code == 0
    assert all(f" {command} " in ran.out for command in commands)


@pytest.mark.parametrize("args", [["nonsense"], ["ask", "--nonsense"], ["chat", "--port", "0"]])
def test_bad_use_leaves_with_2(run_cli, args):
    ran = run_cli(*args)
    assert ran.code == 2
    assert "Traceback" not in ran.err


def test_a_wrong_setting_is_named_and_leaves_with_2(run_cli, monkeypatch):
    monkeypatch.setenv("ASSISTANT_THREADS", "many")
    ran = run_cli("list")
    assert ran.code == 2
    assert "threads" in ran.err
    assert "ASSISTANT_THREADS" in ran.err


def test_help_is_there_even_where_the_settings_are_wrong(run_cli):
    config_file().write_text("nonsense = 1")
    assert run_cli("ask", "--help").code == 0


def test_an_unexpected_error_is_one_line_and_its_traceback_goes_to_the_log(run_cli, monkeypatch):
    monkeypatch.setattr("assistant.app.build", fails_with(RuntimeError("secret detail")))
    ran = run_cli("list")
    log = load_settings().log_file
    assert ran.code == 1
    assert "Something went wrong inside (RuntimeError)" in ran.err
    assert str(log) in ran.err
    assert "secret detail" not in ran.err
    assert "Traceback" in log.read_text(encoding="utf-8")
    assert "secret detail" in log.read_text(encoding="utf-8")


def test_debug_shows_the_traceback_in_the_terminal(run_cli, monkeypatch):
    monkeypatch.setattr("assistant.app.build", fails_with(RuntimeError("secret detail")))
    ran = run_cli("--debug", "list")
    assert ran.code == 1
    assert "Traceback" in ran.err
    assert "secret detail" in ran.err


def test_an_expected_error_shows_message_and_hint_and_logs_its_cause(run_cli, monkeypatch):
    error = LibraryError("The library is locked.\x1b[2J", "Close the other one.")
    monkeypatch.setattr("assistant.app.build", fails_with(error, OSError("errno 11")))
    ran = run_cli("list")
    assert ran.code == 1
    assert ran.err.splitlines() == ["The library is locked.[2J", "Close the other one."]
    assert "errno 11" in load_settings().log_file.read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_not_named(run_cli, monkeypatch, tmp_path):
    (tmp_path / "data").write_text("a file where the folder was to be")
    monkeypatch.setattr("assistant.app.build", fails_with(RuntimeError("secret detail")))
    ran = run_cli("list")
    assert ran.code == 1
    assert "--debug" in ran.err
    assert "assistant.log" not in ran.err


def test_ctrl_c_leaves_with_130(run_cli, monkeypatch):
    def build(_settings, create=False):
        raise KeyboardInterrupt

    monkeypatch.setattr("assistant.app.build", build)
    ran = run_cli("list")
    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_a_command_that_goes_well_writes_no_log(run_cli, monkeypatch):
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: FakeAssistant())
    assert run_cli("list").code == 0
    assert not load_settings().data_dir.exists()


def test_warnings_of_libraries_go_to_the_log_and_not_to_the_terminal(tmp_path: Path, capsys):
    path = tmp_path / "deep" / "assistant.log"
    with logging_to(lambda: path):
        logging.getLogger("some.library").warning("telemetry failed")
        logging.getLogger("some.library").info("not worth a line")
        warnings.warn("old call", stacklevel=1)
    text = path.read_text(encoding="utf-8")
    assert "telemetry failed" in text
    assert "old call" in text
    assert "not worth a line" not in text
    assert capsys.readouterr().err == ""


def test_the_log_is_begun_anew_when_it_is_large(tmp_path: Path):
    path = tmp_path / "assistant.log"
    path.write_bytes(b"x" * (LARGEST + 1))
    with logging_to(lambda: path):
        logging.getLogger("some.library").warning("fresh")
    assert path.stat().st_size < 200
    assert (tmp_path / "assistant.log.old").stat().st_size == LARGEST + 1


def test_output_takes_every_character_on_a_console_of_another_code_page(monkeypatch, tmp_path):
    from assistant.interfaces.cli.shell import use_utf8

    with (tmp_path / "out").open("w", encoding="cp1252") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        use_utf8()
        stream.write("動物園 \ud800\n")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "動物園 ?\n"
