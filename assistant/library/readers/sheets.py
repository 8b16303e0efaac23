"""Rows of a table of text: cells between delimiters, in quotes or not, also ``="…"`` of Excel.

Python's own csv module stops at an open quote only at the end of the file, and does not know
formula cells; here a row that is broken is one row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.library.decode import Line

DELIMITERS = "\t,;|"
_MOST_LINES = 1_000
_MOST_CHARACTERS = 500_000


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row; ``broken`` says why there are none."""

    line: int
    cells: tuple[str, ...] = ()
    broken: str = ""
    text: str = ""


def cells(text: str, delimiter: str) -> tuple[str, ...] | None:
    """Return the cells of a row, or None where a quote is still open at its end.

    A quotation mark closes a cell only before a delimiter or the end; others belong to the text.
    """
    found: list[str] = []
    at = 0
    while True:
        begin = at + 2 if text.startswith('="', at) else at + 1 if text.startswith('"', at) else -1
        if begin < 0:
            end = text.find(delimiter, at)
            found.append(text[at:] if end < 0 else text[at:end])
        else:
            stop = _closing(text, begin, delimiter)
            if stop < 0:
                return None
            found.append(text[begin:stop].replace('""', '"'))
            end = text.find(delimiter, stop)
        if end < 0:
            return tuple(found)
        at = end + 1


def _closing(text: str, begin: int, delimiter: str) -> int:
    at = begin
    while (quote := text.find('"', at)) >= 0:
        after = text[quote + 1 : quote + 2]
        if after == '"':
            at = quote + 2
            continue
        rest = text[quote + 1 : quote + 8].lstrip(" ")
        if not rest or rest[0] == delimiter:
            return quote
        at = quote + 1
    return -1


def rows(lines: Iterator[Line], delimiter: str, width: int = 0) -> Iterator[Row]:
    """Yield the rows that are not blank; ``width`` is the number of cells of a sound one.

    Where a quote is never closed, its line alone is broken and reading goes on at the next.
    """
    waiting: deque[Line] = deque()
    while first := _next(waiting, lines):
        if not first.text.strip(f" {delimiter}"):
            continue
        if first.cut:
            yield Row(first.number, broken="it is too long", text=first.text[:200])
            continue
        whole = cells(first.text, delimiter)
        if whole is not None:
            yield Row(first.number, whole)
            continue
        held, whole = _gather(first, waiting, lines, delimiter)
        if whole is None or (width and len(whole) > width):
            told = "a quotation mark in it is not closed"
            yield Row(first.number, broken=told, text=first.text[:200])
            waiting.extendleft(reversed(held[1:]))
        else:
            yield Row(first.number, whole)


def _gather(
    first: Line, waiting: deque[Line], lines: Iterator[Line], delimiter: str
) -> tuple[list[Line], tuple[str, ...] | None]:
    """Return the lines up to the one that closes the quote, and the cells of them all."""
    held, size = [first], len(first.text)
    while len(held) < _MOST_LINES and size < _MOST_CHARACTERS:
        line = _next(waiting, lines)
        if line is None:
            break
        held.append(line)
        size += len(line.text)
        if '"' in line.text:
            whole = cells("\n".join(part.text for part in held), delimiter)
            if whole is not None:
                return held, whole
    return held, None


def _next(waiting: deque[Line], lines: Iterator[Line]) -> Line | None:
    return waiting.popleft() if waiting else next(lines, None)
