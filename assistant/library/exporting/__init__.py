"""Write papers in the formats of reference managers, to be read back without a change.

Abstracts are written as they came. Where a format cannot carry a text as it is, the text is
encoded in a way that our own readers undo. A paper without a title gets none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from assistant.errors import LibraryError
from assistant.library.exporting import bibtex, csl, ris, rows
from assistant.types import Paper

_WRITERS: dict[str, Callable[[Iterable[Paper], TextIO], int]] = {
    "bibtex": bibtex.write,
    "ris": ris.write,
    "csv": rows.write_csv,
    "jsonl": rows.write_jsonl,
    "csl-json": csl.write,
}
FORMATS = tuple(_WRITERS)
ENDINGS = {".bib": "bibtex", ".ris": "ris", ".csv": "csv", ".jsonl": "jsonl", ".json": "csl-json"}


def write(papers: Iterable[Paper], format: str, out: TextIO) -> int:  # noqa: A002 - its name
    """Write papers to an open text file, one at a time; return how many.

    Raise ``LibraryError`` for a format that is not one of ``FORMATS``.
    """
    if format not in _WRITERS:
        raise LibraryError(f"There is no format {format!r}.", f"Known are {', '.join(FORMATS)}.")
    return _WRITERS[format](papers, out)
