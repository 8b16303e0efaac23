"""``assistant watch``: what it reads, what it leaves alone, what it tries again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fake_assistant import FakeAssistant

from assistant.errors import DerivedIndexError, LibraryBusy
from assistant.interfaces.cli import watching
from assistant.interfaces.cli.watching import Watcher
from assistant.types import FileReport, ImportReport

OLD = 1_700_000_000


class Importing:
    """Notes what it is asked to import; ``fails`` is raised instead, once each."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: list[Exception] = []

    def ingest(
        self, paths: Sequence[Path], on_progress: Callable[[str, int], None] | None = None
    ) -> ImportReport:
        (path,) = paths
        self.asked.append(path.name)
        if self.fails:
            raise self.fails.pop(0)
        error = "No text." if path.suffix == ".pdf" else ""
        return ImportReport((FileReport(path.name, "jsonl", read=1, added=1, error=error),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "watched"
    folder.mkdir()
    return folder


@pytest.fixture
def importing() -> Importing:
    return Importing()


@pytest.fixture
def watcher(folder: Path, importing: Importing) -> Watcher:
    return Watcher(importing, folder)  # type: ignore[arg-type]


def put(path: Path, text: str = "x", at: int = OLD) -> None:
    path.write_text(text)
    os.utime(path, (at, at))


def test_a_file_is_read_once_and_again_when_it_has_changed_and_settled(watcher, folder, importing):
    put(folder / "a.jsonl")
    assert not watcher.look()
    assert not watcher.look()
    assert importing.asked == ["a.jsonl"]
    put(folder / "a.jsonl", "longer", OLD + 1)
    assert watcher.look()  # it may still be growing
    assert importing.asked == ["a.jsonl"]
    assert not watcher.look()
    assert importing.asked == ["a.jsonl", "a.jsonl"]


def test_a_file_that_has_just_been_written_has_to_wait(watcher, folder, importing):
    (folder / "a.jsonl").write_text("x")
    assert watcher.look()
    assert importing.asked == []


def test_a_file_whose_clock_is_ahead_does_not_wait_for_ever(watcher, folder, importing):
    put(folder / "a.jsonl", at=OLD + 10_000_000_000)
    assert not watcher.look()
    assert importing.asked == ["a.jsonl"]


def test_what_is_hidden_half_fetched_or_a_folder_is_left_alone(watcher, folder, importing):
    (folder / "inside").mkdir()
    for name in (".hidden", "a.bib.part", "b.ris.CRDOWNLOAD"):
        put(folder / name)
    assert not watcher.look()
    assert importing.asked == []


def test_a_file_that_is_gone_is_told_once_and_read_when_it_comes_back(
    watcher, folder, importing, capsys
):
    put(folder / "a.jsonl")
    watcher.look()
    (folder / "a.jsonl").unlink()
    watcher.look()
    watcher.look()
    assert capsys.readouterr().out.count("its papers stay") == 1
    put(folder / "a.jsonl")
    assert watcher.look()  # it may still be growing
    assert not watcher.look()
    assert importing.asked == ["a.jsonl", "a.jsonl"]


def test_another_import_is_waited_for_and_told_once(watcher, folder, importing, capsys):
    put(folder / "a.jsonl")
    importing.fails = [
        LibraryBusy("Another process is importing."),
        LibraryBusy("Another process is importing."),
    ]
    assert watcher.look()
    assert watcher.look()
    assert not watcher.look()
    assert capsys.readouterr().err.count("Waiting for it.") == 1
    assert not watcher.failed


def test_an_error_inside_costs_one_file_and_not_the_others(watcher, folder, importing, capsys):
    put(folder / "a.jsonl")
    put(folder / "b.jsonl")
    importing.fails = [RuntimeError("secret detail")]
    assert not watcher.look()
    assert importing.asked == ["a.jsonl", "b.jsonl"]
    assert watcher.failed
    told = capsys.readouterr()
    assert "a.jsonl: something went wrong inside (RuntimeError)" in told.err
    assert "secret detail" not in told.err
    assert "b.jsonl: 1 read, 1 added" in told.out


def test_what_every_file_would_meet_ends_it(watcher, folder, importing):
    put(folder / "a.jsonl")
    importing.fails = [DerivedIndexError("Another embedder's library.")]
    with pytest.raises(DerivedIndexError):
        watcher.look()


def test_a_folder_that_goes_away_is_told_once_and_waited_for(watcher, folder, importing, capsys):
    put(folder / "a.jsonl")
    folder.rename(folder.with_name("elsewhere"))
    assert watcher.look()
    assert watcher.look()
    assert capsys.readouterr().err.count("cannot be read") == 1
    folder.with_name("elsewhere").rename(folder)
    assert not watcher.look()
    assert importing.asked == ["a.jsonl"]


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, importing: Importing) -> FakeAssistant:
    assistant = FakeAssistant()
    monkeypatch.setattr(assistant, "ingest", importing.ingest)
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: assistant)
    monkeypatch.setattr(watching, "SETTLED", 0.02)
    return assistant


def test_once_reads_all_and_leaves_with_1_if_a_file_failed(run_cli, built, folder):
    (folder / "a.jsonl").write_text(json.dumps({"title": "Moss"}))
    ran = run_cli("watch", folder, "--once")
    assert (ran.code, ran.out) == (0, "a.jsonl: 1 read, 1 added\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4")
    ran = run_cli("watch", folder, "--once")
    assert (ran.code, "broken.pdf: No text." in ran.err) == (1, True)
    assert "a.jsonl: 1 read" in ran.out


def test_once_does_not_wait_for_ever(run_cli, built, folder, importing, monkeypatch):
    monkeypatch.setattr(watching, "PATIENCE", 0.1)
    put(folder / "a.jsonl")
    importing.fails = [LibraryBusy("Another process is importing.")] * 1000
    ran = run_cli("watch", folder, "--once")
    assert (ran.code, "Try it later." in ran.err) == (1, True)


def test_ctrl_c_ends_watching_and_says_that_what_was_read_is_kept(
    run_cli, built, folder, monkeypatch
):
    put(folder / "a.jsonl")

    def ended(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", ended)
    ran = run_cli("watch", folder)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"Watching {folder}. Ctrl-C ends it.",
        "a.jsonl: 1 read, 1 added",
        "No longer watching; what was read is kept.",
    ]
    assert built.closed


def test_a_folder_that_is_not_there_is_told(run_cli, tmp_path):
    ran = run_cli("watch", tmp_path / "nowhere", "--once")
    assert (ran.code, "nowhere does not exist." in ran.err) == (1, True)
    put(tmp_path / "a.bib")
    ran = run_cli("watch", tmp_path / "a.bib", "--once")
    assert (ran.code, "a.bib is not a folder." in ran.err) == (1, True)
