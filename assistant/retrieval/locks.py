"""One writer at a time, across processes: a lock on a file, let go when its process dies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from assistant.errors import LibraryBusy, LibraryError

if sys.platform == "win32":
    import msvcrt

    def _take(handle: BinaryIO) -> None:
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: BinaryIO) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def exclusive(file: Path, doing: str = "bringing the indexes up to date") -> Iterator[None]:
    """Hold ``file`` alone; raise ``LibraryBusy`` at once when another process holds it.

    ``doing`` says what it is held for; the file holds the number of the process. Raise
    ``LibraryError`` where the file cannot be made.
    """
    with _opened(file) as handle:
        try:
            _take(handle)
        except OSError as error:
            raise LibraryBusy(
                f"Another process{_holder(file)} is {doing}.",
                "Wait until it has ended, then try again.",
            ) from error
        handle.truncate(0)
        handle.write(f"{os.getpid()}".encode())
        handle.flush()
        yield  # closing the file lets go


def _opened(file: Path) -> BinaryIO:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("a+b")
    except OSError as error:
        raise LibraryError(
            f"The library cannot be changed: {file}: {error.strerror or error}.",
            "Check the folder's permissions, or name another one in ASSISTANT_DATA_DIR.",
        ) from error


def _holder(file: Path) -> str:
    try:
        number = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):  # Windows lets nobody read a locked file
        return ""
    return f" ({number})" if number.isdigit() else ""
