"""Copies of the files that a reader hands to the page, for as long as their import needs them."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread

from assistant.errors import AssistantError, QuestionError
from assistant.interfaces.safe_text import neutralised

_LEFT_LYING = 3600.0  # seconds after which a batch that nobody imported is thrown away
_LONGEST_NAME = 200  # bytes; file systems take 255
_MOST_FILES = 1000


@dataclass
class Batch:
    """Files that are imported together."""

    folder: Path
    paths: list[Path] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def remove(self) -> None:
        """Throw the copies away."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Uploads:
    """Batches that are still being copied; what is left goes when the process ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._root: tempfile.TemporaryDirectory[str] | None = None
        self._batches: dict[str, Batch] = {}

    def begin(self) -> str:
        """Make room for a batch and return its name, which nobody can guess."""
        name = secrets.token_urlsafe(16)
        try:
            with self._lock:
                if self._root is None:
                    self._root = tempfile.TemporaryDirectory(prefix="assistant-import-")
                folder = Path(self._root.name) / name
                folder.mkdir()
                self._batches[name] = Batch(folder)
        except OSError as error:
            raise _no_copy("The files", error) from error
        self._forget_old()
        return name

    async def receive(self, batch: str, name: str, content: AsyncIterator[bytes]) -> None:
        """Copy one file as it comes in; a copy that breaks off takes the batch with it."""
        entry = self._of(batch)
        if len(entry.paths) >= _MOST_FILES:
            raise QuestionError("These are too many files at once.", "Pack them into a ZIP file.")
        path = entry.folder / str(len(entry.paths)) / file_name(name)
        entry.paths.append(path)
        try:
            path.parent.mkdir()
            with path.open("wb") as copy:
                async for chunk in content:
                    await to_thread.run_sync(copy.write, chunk)
        except OSError as error:
            self.discard(batch)
            raise _no_copy(f"{path.name}", error) from error
        except BaseException:
            self.discard(batch)
            raise

    def take(self, batch: str) -> Batch:
        """Return a batch that is whole; from now on its taker removes it."""
        with self._lock:
            entry = self._batches.pop(batch, None)
        if entry is None:
            raise _unknown()
        return entry

    def discard(self, batch: str) -> None:
        """Forget a batch; one that is not there is no matter."""
        with self._lock:
            entry = self._batches.pop(batch, None)
        if entry is not None:
            entry.remove()

    def _of(self, batch: str) -> Batch:
        with self._lock:
            if batch not in self._batches:
                raise _unknown()
            return self._batches[batch]

    def _forget_old(self) -> None:
        with self._lock:
            limit = time.monotonic() - _LEFT_LYING
            old = [name for name, entry in self._batches.items() if entry.begun < limit]
        for name in old:
            self.discard(name)


def file_name(said: str) -> str:
    """Return what a file was called, as a name that stays inside its folder."""
    last = neutralised(said).replace("\\", "/").rsplit("/", 1)[-1]
    name = last.strip()
    while len(name.encode("utf-8", "replace")) > _LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        keeps_ending = dot and len(ending) < _LONGEST_NAME // 10
        name = f"{stem[:-1]}.{ending}" if keeps_ending else name[:-1]
    return name if name.strip(".") else "file"


def _unknown() -> AssistantError:
    return QuestionError("These files are no longer here.", "Choose them again.")


def _no_copy(what: str, error: OSError) -> AssistantError:
    return AssistantError(
        f"{what} cannot be copied for the import: {error.strerror or error}.",
        "Make room on the disk that holds temporary files, or import with `assistant ingest FILE`.",
    )
