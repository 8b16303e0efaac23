"""Tables: CSV and its kin from any database or by hand, as long as a column holds abstracts.

A sheet of plainly bibliographic columns and no abstract is a list of references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import headers, sheets
from assistant.library.readers.common import build
from assistant.library.readers.headers import Header
from assistant.library.readers.peek import Peek
from assistant.library.readers.rows import Cells
from assistant.library.readers.sheets import Row
from assistant.types import Record, Rejected, Source

CSV, TSV = "csv", "tsv"

_LOOKED_AT = 60  # lines in which a header is looked for
_ADDRESS = re.compile(r"(?i)\s*(?:\d+|10\.\d{4,9}/\S+|https?://\S+)\s*")


def recognises(peek: Peek) -> bool:
    """Tell whether a header of a list of papers stands within the first lines, or a plain table."""
    lines = [Line(number, text) for number, text in enumerate(peek.lines, 1)]
    try:
        return headers.of_table(lines, {}) is not None or (
            bool(peek.columns) and headers.of_table(lines, peek.columns) is not None
        )
    except ReadError:
        return True  # a table, about which the reader is to be told something


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each row became; raise ``ReadError`` where no column holds abstracts."""
    lines = decode.lines(document)
    opening = list(islice(lines, _LOOKED_AT))
    try:
        header = headers.of_table(opening, document.columns)
    except ReadError as error:
        raise ReadError(f"{document.name}: {error.message}", error.hint) from error
    if header is None:
        raise ReadError(
            f"{document.name} has no line with the names of its columns.",
            "Put a first line with their names on top, such as: title, abstract.",
        )
    after = (line for line in chain(opening, lines) if line.number > header.line)
    rows = sheets.rows(after, header.delimiter, len(header.names))
    first_rows = [row.cells for row in headers.sample(header, opening)]
    cells = Cells(header.names, header.columns, first_rows)
    kind = TSV if header.delimiter == "\t" else CSV
    records = (row for row in rows if row.cells != header.names)  # sheets put one after another
    for number, row in enumerate(records, 1):
        source = Source(document.name, number, kind, document.collection)
        yield _record(source, row, cells, header)


def _record(source: Source, row: Row, cells: Cells, header: Header) -> Record | Rejected:
    fitted = () if row.broken else _fitted(row, header)
    reason = row.broken
    if not reason and not fitted:
        wide = len(row.cells) > len(header.names)
        reason = (
            f"it has {len(row.cells)} cells, and the table has {len(header.names)} columns"
            if wide
            else "its cells do not stand in their columns"
        )
    if reason:
        return Rejected(
            source,
            f"the row cannot be read: {reason}",
            "Put its texts in quotation marks, each mark inside them doubled.",
            line=row.line,
            key=" ".join((" ".join(row.cells[:2]) or row.text).split())[:80],
        )
    return build(source, cells.fields(fitted, row.line))


def _fitted(row: Row, header: Header) -> tuple[str, ...]:
    """Return as many cells as there are columns; none for a row that has plainly slipped."""
    width, cells = len(header.names), row.cells
    if len(cells) > width and any(cell.strip() for cell in cells[width:]):
        cells = _again(row, header)
    if cells and len(cells) < width:
        padded = cells + ("",) * (width - len(cells))
        return () if _slipped(padded, header) else padded
    return cells[:width]


def _again(row: Row, header: Header) -> tuple[str, ...]:
    """Return the cells of a row that has too many, read in another way; none if that fails."""
    width, delimiter = len(header.names), header.delimiter
    escaped = row.text.replace('\\"', '""')
    for text, firm in ((escaped, False), (row.text, True), (escaped, True)):
        cells = sheets.cells(text, delimiter, firm=firm)
        if cells is not None and len(cells) == width:
            return cells
    # an abstract in the last column, whose commas nobody quoted
    if width - 1 in header.columns.get("abstract", ()):
        return (*row.cells[: width - 1], delimiter.join(row.cells[width - 1 :]))
    return ()


def _slipped(cells: Sequence[str], header: Header) -> bool:
    """Tell whether a short row has words for a year, or an address or number for an abstract."""
    years = [cells[at].strip() for at in header.columns.get("year", ())[:1]]
    abstracts = [cells[at].strip() for at in header.columns.get("abstract", ())[:1]]
    return any(len(year.split()) > 5 and not re.search(r"\d", year) for year in years) or any(  # noqa: PLR2004
        _ADDRESS.fullmatch(text) for text in abstracts
    )
