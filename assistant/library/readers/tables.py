"""Tables: CSV and its kin from any database or by hand, as long as a column holds abstracts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import columns, sheets
from assistant.library.readers.cells import Cells
from assistant.library.readers.common import build
from assistant.library.readers.peek import Peek
from assistant.library.readers.sheets import Row
from assistant.types import Record, Rejected, Source

CSV, TSV = "csv", "tsv"

_LOOKED_AT = 60  # lines in which a header is looked for
_LONG_NAME = 80  # characters of the name of a column
_SHORT_NAME = 25
_MOST_WORDS = 8
_LEAST_COLUMNS = 3
_LEAST_ROWS = 3
_PROSE = 120  # characters that an abstract has on the average


@dataclass(frozen=True, slots=True)
class _Header:
    """The row with the names of the columns, and how its table is written."""

    line: int
    names: tuple[str, ...]
    delimiter: str
    columns: Mapping[str, Sequence[int]]

    @property
    def format(self) -> str:
        return TSV if self.delimiter == "\t" else CSV


def recognises(peek: Peek) -> bool:
    """Tell whether a header of a list of papers stands within the first lines, or a plain table."""
    if peek.columns and _asked(list(enumerate(peek.lines)), peek.columns):
        return True
    return _header(list(enumerate(peek.lines)), {}) is not None or bool(_plain_table(peek.lines))


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each row became; raise ``ReadError`` where no column holds abstracts."""
    lines = decode.lines(document)
    opening = list(islice(lines, _LOOKED_AT))
    header = _chosen(document, opening)
    after = (line for line in chain(opening, lines) if line.number > header.line)
    width = len(header.names)
    cells = Cells(header.names, header.columns)
    for number, row in enumerate(sheets.rows(after, header.delimiter, width), 1):
        source = Source(document.name, number, header.format, document.collection)
        yield _record(source, row, cells, header)


def _record(source: Source, row: Row, cells: Cells, header: _Header) -> Record | Rejected:
    fitted = _fitted(row.cells, header)
    if row.broken or fitted is None:
        reason = row.broken or (
            f"it has {len(row.cells)} cells, and the table has {len(header.names)} columns"
        )
        return Rejected(
            source,
            f"the row cannot be read: {reason}",
            "Put its texts in quotation marks, each mark inside them doubled.",
            line=row.line,
            key=" ".join((" ".join(row.cells[:2]) or row.text).split())[:80],
        )
    return build(source, cells.fields(fitted, row.line))


def _fitted(cells: tuple[str, ...], header: _Header) -> tuple[str, ...] | None:
    """Return as many cells as there are columns, or None for a row that has plainly slipped."""
    width = len(header.names)
    if len(cells) <= width:
        return cells + ("",) * (width - len(cells))
    if not any(cell.strip() for cell in cells[width:]):
        return cells[:width]
    # an abstract in the last column, whose commas nobody quoted
    if width - 1 in header.columns.get("abstract", ()):
        return (*cells[: width - 1], header.delimiter.join(cells[width - 1 :]))
    return None


def _chosen(document: Document, opening: list[Line]) -> _Header:
    numbered = [(line.number, line.text) for line in opening if line.text.strip()]
    if document.columns:
        found = _asked(numbered, document.columns)
        if found is None:
            first = _widest(numbered)
            columns.found(first, document.columns)  # says which name is not there
    else:
        found = _header(numbered, {})
    return found or _by_content(document, opening)


def _header(numbered: Sequence[tuple[int, str]], asked: Mapping[str, str]) -> _Header | None:
    """Return the first row that names the columns of a list of papers."""
    for number, text in numbered:
        for delimiter in sheets.DELIMITERS:
            names = sheets.cells(text, delimiter)
            if names and _names_columns(names):
                found = columns.found(names, asked)
                if columns.plainly_papers(found) and (len(names) > 1):
                    return _Header(number, names, delimiter, found)
    return None


def _asked(numbered: Sequence[tuple[int, str]], asked: Mapping[str, str]) -> _Header | None:
    """Return the first row in which all the columns stand that the reader has named."""
    wanted = {columns.normal(name) for name in asked.values()}
    for number, text in numbered:
        for delimiter in sheets.DELIMITERS:
            names = sheets.cells(text, delimiter)
            if names and wanted <= {columns.normal(name) for name in names}:
                return _Header(number, names, delimiter, columns.found(names, asked))
    return None


def _names_columns(names: Sequence[str]) -> bool:
    said = [name for name in names if name.strip()]
    return len(said) > 1 and not any(map(_is_prose, said))


def _is_prose(name: str) -> bool:
    ends = len(name) > _SHORT_NAME and name.rstrip().endswith((".", "!", "?", ";"))
    return len(name) > _LONG_NAME or "\n" in name or ends or len(name.split()) > _MOST_WORDS


def _widest(numbered: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    rows = [sheets.cells(text, mark) or () for _, text in numbered for mark in sheets.DELIMITERS]
    return max(rows, key=len, default=())


def _plain_table(lines: Sequence[str]) -> str:
    """Return the delimiter of lines that are plainly rows of one table, or an empty string."""
    for delimiter in sheets.DELIMITERS:
        rows = [sheets.cells(line, delimiter) for line in lines[:10]]
        whole = [row for row in rows if row is not None]
        least = 2 if delimiter == "\t" else _LEAST_COLUMNS
        widths = {len(row) for row in whole}
        if len(whole) >= _LEAST_ROWS and len(widths) == 1 and widths.pop() >= least:
            names = whole[0]
            short = all(len(name) <= 60 and not re.search(r"[.!?]\s", name) for name in names)  # noqa: PLR2004
            if short and len({name.strip() for name in names}) == len(names):
                return delimiter
    return ""


def _length_of_texts(cells: Sequence[str]) -> float:
    """Return the mean length of the texts in a column, 0 where most cells hold none."""
    long = [len(cell) for cell in cells if cell.count(" ") > 10]  # noqa: PLR2004
    return sum(long) / len(long) if 2 * len(long) >= max(1, len(cells)) else 0.0


def _by_content(document: Document, opening: list[Line]) -> _Header:
    """Return the header of a table whose abstracts are plain from what stands in the columns."""
    first = next(line for line in opening if line.text.strip())
    delimiter = _plain_table([line.text for line in opening if line.text.strip()]) or ","
    names = sheets.cells(first.text, delimiter) or ()
    rest = iter([line for line in opening if line.number > first.number])
    rows = [row.cells for row in sheets.rows(rest, delimiter) if len(row.cells) == len(names)]
    lengths = [_length_of_texts([row[index] for row in rows]) for index in range(len(names))]
    order = sorted(range(len(names)), key=lambda index: -lengths[index])
    if (
        order
        and lengths[order[0]] >= _PROSE
        and (len(order) == 1 or lengths[order[0]] > 2 * lengths[order[1]])
    ):
        found = columns.found(names) | {"abstract": [order[0]]}
        return _Header(first.number, names, delimiter, found)
    raise ReadError(
        f"{document.name} is a table, and none of its columns is plainly the abstract.",
        f"Say which one it is: `--map abstract=COLUMN`. Its columns are: {columns.listed(names)}.",
    )
