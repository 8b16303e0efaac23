"""A skip hides a missing part, so CI takes it for a failure."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
TESTS = """
import pytest

@pytest.fixture
def part():
    pytest.skip("no part")

def test_skips_itself(): pytest.skip("no part")

@pytest.mark.skip("no part")
def test_skipped_by_a_mark(): pass

def test_skipped_by_a_fixture(part): pass

@pytest.mark.may_skip("one kind of machine")
def test_may_skip(): pytest.skip("no part")

@pytest.mark.xfail
def test_expected(): assert False

def test_runs(): pass
"""
MODULE = "import pytest\npytest.skip('no part', allow_module_level=True)"


def outcomes(folder: Path, ci: str) -> tuple[int, dict[str, int], str]:
    shutil.copy(CONFTEST, folder)
    (folder / "test_it.py").write_text(TESTS)
    (folder / "test_module.py").write_text(MODULE)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  may_skip(reason): see conftest\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--continue-on-collection-errors", folder],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "CI": ci},
    )
    counts = re.findall(
        r"(\d+) (passed|failed|errors?|skipped|xfailed)", done.stdout.splitlines()[-1]
    )
    return done.returncode, {what.rstrip("s"): int(n) for n, what in counts}, done.stdout


def test_a_skip_fails_in_ci_unless_the_test_may_and_tells_its_reason(tmp_path: Path):
    code, counts, told = outcomes(tmp_path, "true")
    assert code == 1
    assert counts == {"failed": 1, "error": 3, "skipped": 1, "xfailed": 1, "passed": 1}
    lines = [line for line in told.splitlines() if line.startswith("Skipped, and CI")]
    assert len(lines) == 4
    assert all("no part" in line for line in lines)


def test_a_skip_is_a_skip_elsewhere(tmp_path: Path):
    code, counts, _ = outcomes(tmp_path, "")
    assert code == 0
    assert counts == {"skipped": 5, "xfailed": 1, "passed": 1}
