"""The Makefile's decisions, without doing what it decides: what is installed, and what is not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a check out"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def make(checkout: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *args], check=False, capture_output=True, text=True, cwd=checkout, env=env
    )


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def stamp(checkout: Path, *names: str) -> None:
    (checkout / ".venv").mkdir(exist_ok=True)
    for name in names:
        (checkout / ".venv" / name).touch()


def test_without_a_target_it_says_what_there_is(checkout):
    done = make(checkout)
    assert done.returncode == 0
    assert all(f"make {name}" in done.stdout for name in ("chat", "test", "check", "clean"))


def test_the_first_chat_installs_pulls_imports_and_serves_in_this_order(checkout):
    plan = make(checkout, "-n", "chat").stdout
    steps = [
        "-m venv",
        "llama-cpp-python",
        "--editable .",
        "models pull",
        "--seeds",
        "assistant chat",
    ]
    places = [plan.index(step) for step in steps]
    assert places == sorted(places)
    assert "[test]" not in plan


def test_a_second_chat_installs_nothing(checkout):
    stamp(checkout, ".made", ".installed")
    plan = make(checkout, "-n", "chat").stdout
    assert "assistant chat" in plan
    assert "pip install" not in plan
    assert "-m venv" not in plan


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_dependency_is_installed_again(checkout, name):
    stamp(checkout, ".made", ".installed")
    later = (checkout / ".venv" / ".installed").stat().st_mtime + 10
    os.utime(checkout / name, (later, later))
    assert "pip install" in make(checkout, "-n", "chat").stdout


def test_options_reach_the_page(checkout):
    stamp(checkout, ".made", ".installed")
    plan = make(checkout, "-n", "chat", "ARGS=--no-browser --port 7861").stdout
    assert "assistant chat --no-browser --port 7861" in plan


def test_a_missing_python_is_told_before_anything_is_made(checkout):
    done = make(checkout, "chat", "PYTHON=python-that-is-not-there")
    assert done.returncode != 0
    assert "There is no 'python-that-is-not-there' here." in done.stderr
    assert not (checkout / ".venv").exists()


def test_a_python_of_the_wrong_version_is_told_before_anything_is_made(checkout, tmp_path):
    old = script(
        tmp_path / "old python", '[ "$1" = --version ] && { echo Python 3.9.2; exit 0; }; exit 1'
    )
    done = make(checkout, "chat", f"PYTHON={old}")
    assert done.returncode != 0
    assert f"'{old}' is Python 3.9.2." in done.stderr
    assert not (checkout / ".venv").exists()


def fake_venv(checkout: Path, body: str) -> Path:
    """Put a Python in .venv that notes what it is asked, and then does ``body``."""
    stamp(checkout, ".made", ".installed")
    (checkout / ".venv" / "bin").mkdir()
    noted = checkout / "noted"
    script(checkout / ".venv" / "bin" / "python", f'echo "$*" >> noted\n{body}')
    return noted


def test_a_model_that_cannot_be_had_does_not_keep_the_page_away(checkout):
    noted = fake_venv(checkout, 'case "$*" in *pull*) exit 1;; esac')
    done = make(checkout, "chat")
    assert done.returncode == 0
    assert "quotes only" in done.stderr
    assert noted.read_text().splitlines() == [
        "-m assistant models pull",
        "-m assistant ingest --seeds --first-time",
        "-m assistant chat",
    ]


def test_ctrl_c_while_the_model_is_fetched_ends_all_of_it(checkout):
    noted = fake_venv(checkout, 'case "$*" in *pull*) exit 130;; esac')
    assert make(checkout, "chat").returncode != 0
    assert len(noted.read_text().splitlines()) == 1


def test_tests_are_run_after_the_checks_with_their_own_requirements(checkout):
    stamp(checkout, ".made", ".installed")
    plan = make(checkout, "-n", "test").stdout
    steps = ["[test]", "ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"]
    places = [plan.index(step) for step in steps]
    assert places == sorted(places)
    assert "llama-cpp-python" not in plan
