"""Rows of a table of text: cells between delimiters, in quotes or not, also ``="…"`` of Excel.

Python's own csv module closes a quote that was never closed only at the end of the file, and does
not know formula cells. Here a row that is broken costs one row: the reading goes on where the next
one plainly begins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.library.decode import Line

DELIMITERS = "\t,;|"

_MOST = 2_000_000  # characters of one row
_SURE = 4  # cells of a line that is no continuation of a text by chance
_FORMULA = '="'


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row and its raw text; ``broken`` says why there are none."""

    line: int
    cells: tuple[str, ...] = ()
    text: str = ""
    broken: str = ""


class _Reading:
    """One row under way, fed line by line."""

    def __init__(self, delimiter: str, *, firm: bool = False) -> None:
        self.cells: list[str] = []
        self.inside = False
        self._parts: list[str] = []
        self._delimiter = delimiter
        self._firm = firm

    def take(self, text: str) -> bool:
        """Take a line; return False where a new cell opens in what should be inside of one."""
        at = 0
        if self.inside:
            stop = self._closing(text, 0)
            if _reopens(text[:stop] if stop >= 0 else text, self._delimiter):
                return False
            at = self._close(text, 0, stop)
        elif '"' not in text:
            self.cells = text.split(self._delimiter)
            return True
        while at >= 0:
            at = self._cell(text, at)
        return True

    def _cell(self, text: str, at: int) -> int:
        """Take the cell that begins at ``at``; return where the next one does, or -1."""
        bare = at + len(text[at:]) - len(text[at:].lstrip(" ")) if text[at : at + 1] == " " else at
        quoted = 2 if text.startswith(_FORMULA, bare) else int(text.startswith('"', bare))
        if quoted:
            begin = bare + quoted
            return self._close(text, begin, self._closing(text, begin))
        end = text.find(self._delimiter, at)
        self.cells.append(text[at:] if end < 0 else text[at:end])
        return end + 1 if end >= 0 else -1

    def _close(self, text: str, begin: int, stop: int) -> int:
        """End the open cell at ``stop``, or note that it goes on with the next line."""
        self.inside = stop < 0
        self._parts.append(text[begin:] if self.inside else text[begin:stop])
        if self.inside:
            return -1
        cell = "\n".join(self._parts).replace('""', '"')
        formula = cell.startswith(_FORMULA) and cell.endswith('"') and len(cell) > len(_FORMULA)
        self.cells.append(cell[2:-1] if formula else cell)
        self._parts = []
        end = text.find(self._delimiter, stop)
        return end + 1 if end >= 0 else -1

    def _closing(self, text: str, begin: int) -> int:
        """Return where the mark stands that closes a cell: one before a delimiter or the end."""
        for quote in _lone_quotes(text, begin):
            rest = text[quote + 1 : quote + 8].lstrip(" ")
            if not rest:
                return quote
            if rest[0] == self._delimiter and not (self._firm and _goes_on(rest[1:])):
                return quote
        return -1


def cells(text: str, delimiter: str, *, firm: bool = False) -> tuple[str, ...] | None:
    """Return the cells of a row, or None where a quote is still open at its end.

    A quotation mark closes a cell only before a delimiter or the end; others belong to the text.
    A ``firm`` reading takes it for the end of a cell only where no blank and word follow.
    """
    reading = _Reading(delimiter, firm=firm)
    for line in text.split("\n"):
        reading.take(line)
    return None if reading.inside else tuple(reading.cells)


def rows(lines: Iterator[Line], delimiter: str, width: int = 0) -> Iterator[Row]:
    """Yield the rows that are not blank; ``width`` is the number of cells of a sound one."""
    waiting: deque[Line] = deque()
    while first := _next(waiting, lines):
        if not first.text.strip(f' "\t-:{delimiter}'):
            continue
        reading = _Reading(delimiter)
        if not first.cut:
            reading.take(first.text)
        if first.cut:
            yield Row(first.number, text=first.text[:200], broken="it is too long")
        elif not reading.inside:
            yield Row(first.number, tuple(reading.cells), first.text)
        else:
            yield _gathered(reading, first, waiting, lines, width)


def _gathered(
    reading: _Reading, first: Line, waiting: deque[Line], lines: Iterator[Line], width: int
) -> Row:
    """Return the row that goes on over several lines; what is not of it is put to ``waiting``."""
    delimiter = reading._delimiter  # noqa: SLF001 - one of us
    held, size, broken = [first], len(first.text), ""
    while reading.inside and not broken:
        line = _next(waiting, lines)
        if line is None:
            broken = "a quotation mark in it is not closed"
            break
        held.append(line)
        size += len(line.text) + 1
        sure = delimiter == "\t" or width >= _SURE
        if line.cut or size > _MOST:
            broken = "it is too long"
        elif (sure and _row_like(line.text, delimiter, width)) or not reading.take(line.text):
            broken = "a quotation mark in it is not closed"
            waiting.appendleft(held.pop())
    if not broken:
        return Row(first.number, tuple(reading.cells), "\n".join(part.text for part in held))
    plain = first.text.split(delimiter)
    literal = delimiter == "\t" and len(plain) == width  # who does not quote may use the mark
    resume = next(
        (place for place in range(1, len(held)) if _row_like(held[place].text, delimiter, width)),
        1 if literal else len(held),
    )
    waiting.extendleft(reversed(held[resume:]))
    if literal:
        return Row(first.number, tuple(plain), first.text)
    if resume == len(held) and size > _MOST:
        _skip(waiting, lines, delimiter, width)
    return Row(first.number, text=first.text[:200], broken=broken)


def _skip(waiting: deque[Line], lines: Iterator[Line], delimiter: str, width: int) -> None:
    """Read on to where a row plainly begins."""
    while line := _next(waiting, lines):
        if not width or _row_like(line.text, delimiter, width):
            waiting.appendleft(line)
            return


def _row_like(text: str, delimiter: str, width: int) -> bool:
    """Tell whether a line reads as a row of its own, and not as a part of a longer text."""
    if width < 2 or text.count(delimiter) < width - 1:  # noqa: PLR2004 - a row has several cells
        return False
    if delimiter != "\t" and f"{delimiter} " in text:
        return False  # as in a sentence
    if any(part.endswith('"') and part[:1] not in {'"', "="} for part in text.split(delimiter)):
        return False  # the end of a cell that began before
    found = cells(text, delimiter)
    return found is not None and len(found) == width


def _reopens(text: str, delimiter: str) -> bool:
    """Tell whether a cell opens in ``text`` and stays open."""
    marks = list(_lone_quotes(text, 0))
    return len(marks) % 2 == 1 and any(
        (mark == 0 or text[mark - 1] == delimiter) and text[mark + 1 : mark + 2].strip()
        for mark in marks
    )


def _lone_quotes(text: str, begin: int) -> Iterator[int]:
    """Yield the places of quotation marks that are not doubled."""
    at = text.find('"', begin)
    while at >= 0:
        if text.startswith('"', at + 1):
            at = text.find('"', at + 2)
        else:
            yield at
            at = text.find('"', at + 1)


def _goes_on(after: str) -> bool:
    return after[:1] == " " and not after.lstrip(" ").startswith('"')


def _next(waiting: deque[Line], lines: Iterator[Line]) -> Line | None:
    return waiting.popleft() if waiting else next(lines, None)
