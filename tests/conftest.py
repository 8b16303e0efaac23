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


def _set_world(patch: pytest.MonkeyPatch, folder: Path, settings: Path) -> None:
    for name in [name for name in os.environ if name.startswith("ASSISTANT_")]:
        patch.delenv(name)
    patch.setenv("ASSISTANT_DATA_DIR", str(folder / "data"))
    patch.setenv("ASSISTANT_MODELS_DIR", str(folder / "weights"))
    patch.setenv("ASSISTANT_CACHE_DIR", str(folder / "cache"))
    (settings / "config.toml").touch()
    patch.setenv("ASSISTANT_CONFIG", str(settings / "config.toml"))


@pytest.fixture(scope="session", autouse=True)
def nobodys_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the library, the weights and the settings of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("world")
        _set_world(patch, folder, folder)
        yield


@pytest.fixture(autouse=True)
def own_world(
    nobodys_world: None,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Give each test an empty world of its own."""
    _set_world(monkeypatch, tmp_path, tmp_path_factory.mktemp("settings"))


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
