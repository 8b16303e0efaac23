"""What every source of weights needs: hashes, room on the disk, and a memory of what was checked.

A half-fetched file lies beside its target as ``NAME.SOURCE.partial``; only a file that was
checked gets the final name.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from assistant.errors import DownloadError

Report: TypeAlias = Callable[[int, int, str], None]
"""Called with (bytes done, bytes in all or 0 if unknown, a note for the reader)."""

CHUNK = 1 << 20
_MB = 1_000_000
_GGUF_MAGIC = b"GGUF"
_STAMPS = "verified.json"
_RESERVE = 64 << 20  # room left for the library and for the system


class SourceFailed(DownloadError):
    """One source could not be used; the next one may."""


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()


def is_gguf(path: Path) -> bool:
    """Tell whether a file begins as GGUF files do."""
    with path.open("rb") as handle:
        return handle.read(len(_GGUF_MAGIC)) == _GGUF_MAGIC


def remove(path: Path) -> None:
    """Delete a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file is on the disk, so that a crash cannot empty it after its renaming."""
    with path.open("rb+") as handle:
        os.fsync(handle.fileno())


def megabytes(size: int) -> str:
    """Write a number of bytes as readers know it from downloads."""
    return f"{size / _MB:,.0f} MB" if size >= _MB else f"{size:,} bytes"


def disk_full(folder: Path) -> DownloadError:
    """Return the error of a disk that has no room left."""
    return DownloadError(
        f"The disk with {folder} is full.",
        "Free some space, or set ASSISTANT_MODELS_DIR to a folder with more, and run it again: "
        "it goes on where it stopped.",
    )


def require_space(folder: Path, needed: int) -> None:
    """Raise ``DownloadError`` when ``needed`` more bytes do not fit beside what must stay free."""
    free = shutil.disk_usage(folder).free
    if free < needed + _RESERVE:
        raise DownloadError(
            f"{megabytes(needed + _RESERVE)} are needed in {folder}, {megabytes(free)} are free.",
            "Free some space, or set ASSISTANT_MODELS_DIR to a folder with more.",
        )


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into ``DownloadError``: no other source would fare better."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise disk_full(folder) from error
        raise DownloadError(
            f"{folder} cannot be written: {error.strerror or error}.",
            "Set ASSISTANT_MODELS_DIR to a folder that you may write to.",
        ) from error


class Stamps:
    """Remember which files were hashed, so that half a gigabyte is not read at every start.

    A stamp holds as long as size and time of change of its file stay as they were.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / _STAMPS

    def sha256(self, path: Path) -> str:
        """Return the hash that was found for this very file, or an empty string."""
        stamp = self._read().get(str(path))
        if not isinstance(stamp, dict) or not path.is_file():
            return ""
        seen = path.stat()
        same = (stamp.get("size"), stamp.get("mtime_ns")) == (seen.st_size, seen.st_mtime_ns)
        return str(stamp.get("sha256", "")) if same else ""

    def origin(self, path: Path) -> str:
        """Return the label of the source that the file came from, or an empty string."""
        stamp = self._read().get(str(path))
        return str(stamp.get("origin", "")) if isinstance(stamp, dict) else ""

    def put(self, path: Path, sha256: str, origin: str) -> None:
        """Record the hash of a file."""
        seen = path.stat()
        stamps = {k: v for k, v in self._read().items() if Path(k).exists()}
        stamps[str(path)] = {
            "sha256": sha256,
            "size": seen.st_size,
            "mtime_ns": seen.st_mtime_ns,
            "origin": origin,
        }
        temporary = self._file.with_name(f"{_STAMPS}.{os.getpid()}")
        temporary.write_text(json.dumps(stamps, indent=1), "utf-8")
        temporary.replace(self._file)

    def _read(self) -> dict[str, object]:
        try:
            stamps = json.loads(self._file.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}  # a lost or broken record only means that files are hashed again
        return stamps if isinstance(stamps, dict) else {}
