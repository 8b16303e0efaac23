"""One writer at a time, across processes: a lock on a file, let go when its process dies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from assistant.errors import LibraryBusy

if sys.platform == "win32":
    import msvcrt

    def _take(handle: BinaryIO) -> None:
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: BinaryIO) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def exclusive(file: Path) -> Iterator[None]:
    """Hold ``file`` alone; raise ``LibraryBusy`` at once when another holds it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as handle:
        try:
            _take(handle)
        except OSError as error:
            raise LibraryBusy(
                "Another process is bringing the indexes up to date.",
                "Wait until it has ended, then try again.",
            ) from error
        yield  # closing the file lets go
