"""What every test gets: a world of its own, and no skip that hides a missing part in CI."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI", "") not in ("", "0", "false")


@pytest.fixture(autouse=True)
def own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the library, the weights and the settings of whoever runs the tests out of them."""
    for name in [name for name in os.environ if name.startswith("ASSISTANT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ASSISTANT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ASSISTANT_MODELS_DIR", str(tmp_path / "weights"))
    monkeypatch.setenv("ASSISTANT_CONFIG", str(tmp_path / "config.toml"))


@pytest.fixture(scope="session")
def seeds_dir() -> Path:
    """Return the folder of the two seed documents."""
    return ROOT / "seeds"


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def run_cli(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Run ``assistant ARGS`` in this process, errors and exit code as a shell would see them."""

    def run(*args: str | Path, stdin: bytes = b"") -> Ran:
        from assistant.interfaces.cli.main import main

        monkeypatch.setattr(sys, "argv", ["assistant", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.setenv("COLUMNS", "200")
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        code = left.value.code
        return Ran(code if isinstance(code, int) else int(bool(code)), printed.out, printed.err)

    return run


# A skip says that a part is missing. On a reader's machine that is news; in CI it is a failure,
# unless the test is marked as one that this kind of machine cannot run.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    allowed = item.get_closest_marker("may_skip") is not None
    return _not_skipped(report, allowed=allowed)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    report = yield
    return _not_skipped(report, allowed=False)


def _not_skipped(report, *, allowed: bool):
    if CI and report.skipped and not allowed and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Skipped, and CI must have every part: {reason}"
    return report
