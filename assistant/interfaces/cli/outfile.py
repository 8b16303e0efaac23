"""Write a file such that nobody sees half of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from assistant.errors import LibraryError


def written(output: Path, write: Callable[[TextIO], int]) -> int:
    """Let ``write`` fill a file beside ``output``, then put it in place; return what it returns.

    Raise ``LibraryError`` where the file cannot be written.
    """
    beside = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as out:
            count = write(out)
        beside.replace(output)
    except OSError as error:
        raise LibraryError(
            f"{output} cannot be written: {error.strerror or error}.",
            "Name a file in a folder that exists and that you may write to.",
        ) from error
    finally:
        beside.unlink(missing_ok=True)
    return count
