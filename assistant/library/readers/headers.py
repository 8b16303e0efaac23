"""Where the names of a table's columns stand, and which column holds the abstracts.

A header is told by its names; the column of the abstracts by its name or, where none says so, by
what stands in it, if that is plain.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.errors import ReadError
from assistant.library.decode import Line
from assistant.library.readers import columns, sheets
from assistant.library.readers.sheets import Row

_LONG_NAME = 80  # characters of the name of a column
_SHORT_NAME = 25
_MOST_WORDS = 8
_MANY_NAMES = 3
_LEAST_ROWS = 3
_ROWS = 12  # by which a table is judged
_PROSE = 120  # characters that an abstract has on the average
_FULL_TEXT = 8_000
_WORDS = 12
_LEAST_EAST = 50
_OWN_NUMBERS = frozenset({"", "id", "nr", "no", "n", "number", "index", "record id", "rank", "key"})
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NOT_ABSTRACTS = re.compile(
    r"(?i)affil|address|referenc|cit(?:ed|ation)|fund|acknowl|copyright|licen|bibtex|note|comment"
    r"|full.?text|paper.?text|body|url|link|author|embedding"
)
_OF_A_SENTENCE = re.compile(r" [a-z]")
_ADVICE = "Say which one it is: `--map abstract=COLUMN`. Its columns are: {}."


@dataclass(frozen=True, slots=True)
class Header:
    """The row with the names of the columns, and how its table is written."""

    line: int
    names: tuple[str, ...]
    delimiter: str
    columns: Mapping[str, Sequence[int]]

    @property
    def has_abstracts(self) -> bool:
        """Tell whether a column is known to hold abstracts."""
        return bool({"abstract", "abstract_index"} & self.columns.keys())


def of_table(lines: Sequence[Line], asked: Mapping[str, str]) -> Header | None:
    """Return the header of a table that begins like this, or None where it is no table.

    ``asked`` names the columns of our fields. Raise ``ReadError`` for a table in which they are
    not, and for one in which no column is plainly the abstract.
    """
    found = _asked(lines, asked) if asked else _by_names(lines)
    plain = found or _by_names(lines) or _by_shape(lines)
    if plain is None:
        if _headless(lines):
            raise ReadError(
                "It is a table without the names of its columns.",
                "Put a first line with their names on top, such as: title, abstract.",
            )
        return None
    if asked:
        columns.found(plain.names, asked)  # says which name is not there
    header = _shifted(plain, lines)
    if header.has_abstracts:
        return header
    if (place := _prose_column(header, lines)) is not None:
        return replace(header, columns={**header.columns, "abstract": [place]})
    if columns.plainly_papers(header.names) or "title" in asked:
        return header
    raise ReadError(
        "It is a table, and none of its columns is plainly the abstract.",
        _ADVICE.format(columns.listed(header.names)),
    )


def sample(header: Header, lines: Sequence[Line]) -> list[Row]:
    """Return the first sound rows under a header."""
    after = iter([line for line in lines if line.number > header.line])
    rows = sheets.rows(after, header.delimiter, len(header.names))
    return [row for row in rows if not row.broken][:_ROWS]


def _rows(lines: Sequence[Line], delimiter: str) -> list[Row]:
    return [row for row in sheets.rows(iter(lines), delimiter) if not row.broken]


def _by_names(lines: Sequence[Line]) -> Header | None:
    """Return the row that names most columns of a list of papers."""
    best, most = None, 0
    for delimiter in sheets.DELIMITERS:
        for row in _rows(lines, delimiter):
            if not _are_names(row.cells) or not columns.plainly_papers(row.cells):
                continue
            header = Header(row.line, row.cells, delimiter, columns.found(row.cells))
            known = columns.known(row.cells)
            if known > most and (known >= _MANY_NAMES or _supported(header, lines)):
                best, most = header, known
    return best or _single(lines)


def _single(lines: Sequence[Line]) -> Header | None:
    """Return the header of a table that has one column, of texts in quotes."""
    said = [line for line in lines if line.text.strip()]
    if len(said) < 2 or not columns.is_abstract(said[0].text):  # noqa: PLR2004 - a name and a text
        return None
    quoted = said[1].text.lstrip().startswith('"')
    return Header(said[0].number, (said[0].text,), ",", {"abstract": [0]}) if quoted else None


def _asked(lines: Sequence[Line], asked: Mapping[str, str]) -> Header | None:
    """Return the first row in which all the columns stand that the reader has named."""
    wanted = {columns.normal(name) for name in asked.values()}
    for delimiter in sheets.DELIMITERS:
        for row in _rows(lines, delimiter):
            if wanted <= {columns.normal(name) for name in row.cells}:
                found = columns.found(row.cells, asked)
                return Header(row.line, row.cells, delimiter, found)
    return None


def _are_names(names: Sequence[str]) -> bool:
    said = [" ".join(name.split()) for name in names if name.strip()]
    return len(said) > 1 and not any(map(_is_prose, said))


def _is_prose(name: str) -> bool:
    ends = len(name) > _SHORT_NAME and name.endswith((".", "!", "?", ";"))
    return len(name) > _LONG_NAME or ends or len(name.split()) > _MOST_WORDS


def _supported(header: Header, lines: Sequence[Line]) -> bool:
    """Tell whether the rows under a header of few known names are rows of a table."""
    rows, width = sample(header, lines), len(header.names)
    # in a sentence, a blank and a word follow every comma
    mark = re.compile(rf"{re.escape(header.delimiter)}(?! \w)")
    good = [
        row
        for row in rows
        if 1 < len(_trimmed(row.cells, width)) <= width + _is_numbered(row.cells, width)
        and mark.search(row.text)
    ]
    return 2 * len(good) >= len(rows)


def _is_numbered(cells: tuple[str, ...], width: int) -> bool:
    """Tell whether a row begins with a number that the header has no column for."""
    return len(_trimmed(cells, width)) == width + 1 and cells[0].strip().isdecimal()


def _trimmed(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    while len(cells) > width and not cells[-1].strip():
        cells = cells[:-1]
    return cells


def _by_shape(lines: Sequence[Line]) -> Header | None:
    """Return the first row of lines that are plainly rows of one table, whatever its names."""
    for delimiter in sheets.DELIMITERS:
        rows = _rows(lines, delimiter)[:_ROWS]
        names = rows[0].cells if rows else ()
        least = 2 if delimiter == "\t" else _MANY_NAMES
        if len(rows) < _LEAST_ROWS or len(names) < least or not _alike(rows, delimiter):
            continue
        said = [name.strip() for name in names if name.strip()]
        if all(map(_is_short, said)) and len(set(said)) == len(said) > 1:
            found = columns.found(names)
            if not columns.plainly_papers(names):
                found.pop("abstract", None)  # "summary" may be anything
            return Header(rows[0].line, names, delimiter, found)
    return None


def _alike(rows: Sequence[Row], delimiter: str) -> bool:
    """Tell whether rows are of one width; the last empty cells may be left out after a tab."""
    width = len(rows[0].cells)
    if delimiter == "\t":
        return all(1 < len(row.cells) <= width for row in rows)
    return all(len(row.cells) == width for row in rows)


def _is_short(name: str) -> bool:
    numeric = not any(char.isalpha() for char in name)
    return len(name) <= 60 and not numeric and not re.search(r"[.!?]\s", name)  # noqa: PLR2004


def _headless(lines: Sequence[Line]) -> bool:
    """Tell whether lines are rows of titles and abstracts with no names on top.

    They stand between tabs, or in quotes between other marks.
    """
    return any(_nameless(_rows(lines, mark)[:_ROWS], mark) for mark in sheets.DELIMITERS)


def _nameless(rows: Sequence[Row], delimiter: str) -> bool:
    if len(rows) < _LEAST_ROWS or len({len(row.cells) for row in rows}) != 1:
        return False
    quoted = re.compile(rf'(?:^|{re.escape(delimiter)}) ?"')
    if delimiter != "\t" and not all(quoted.search(row.text) for row in rows):
        return False
    if any(_OF_A_SENTENCE.match(cell) for row in rows for cell in row.cells[1:]):
        return False
    by_column = list(zip(*(row.cells for row in rows), strict=True))
    prose = [index for index, cells in enumerate(by_column) if _length(cells) >= _PROSE]
    words = [
        index
        for index, cells in enumerate(by_column)
        if index not in prose
        and sum(cell.strip().count(" ") > 1 for cell in cells) > len(cells) / 2
    ]
    return bool(prose and words)


def _shifted(header: Header, lines: Sequence[Line]) -> Header:
    """Return the header with a nameless column before it where the rows are numbered, as by R."""
    rows, width = sample(header, lines), len(header.names)
    if len(rows) < 2 or not all(_is_numbered(row.cells, width) for row in rows):  # noqa: PLR2004
        return header
    numbers = [int(row.cells[0][:9]) for row in rows]
    counted = numbers == list(range(numbers[0], numbers[0] + len(rows)))
    if not counted or columns.normal(header.names[0]) in _OWN_NUMBERS:
        return header
    moved = {field: [at + 1 for at in places] for field, places in header.columns.items()}
    return replace(header, names=("", *header.names), columns=moved)


def _prose_column(header: Header, lines: Sequence[Line]) -> int | None:
    """Return the one column that plainly holds abstracts by its texts, or None."""
    rows = [row.cells for row in sample(header, lines)]
    taken = {at for places in header.columns.values() for at in places}
    lengths = {
        at: _length([row[at] for row in rows if at < len(row)])
        for at, name in enumerate(header.names)
        if at not in taken and not _NOT_ABSTRACTS.search(name)
    }
    order = sorted(lengths, key=lambda at: -lengths[at])
    if not order or not _PROSE <= lengths[order[0]] <= _FULL_TEXT:
        return None
    return order[0] if len(order) == 1 or lengths[order[0]] > 2 * lengths[order[1]] else None


def _length(cells: Sequence[str]) -> float:
    """Return the mean length of the texts in a column, 0 where most cells hold none."""
    texts = [_weight(cell) for cell in cells if _is_text(cell)]
    return sum(texts) / len(texts) if texts and 2 * len(texts) >= len(cells) else 0.0


def _weight(cell: str) -> int:
    return len(cell) + 2 * len(_EAST.findall(cell))


def _is_text(cell: str) -> bool:
    """Tell whether a cell holds sentences, and no list of names, addresses or terms."""
    if len(_EAST.findall(cell)) >= _LEAST_EAST:
        return True
    words = [word for word in cell.split() if word[0].isalpha()]
    small = sum(not word[0].isupper() for word in words)
    return len(words) >= _WORDS and small > len(words) / 2 and cell.count(";") < len(words) / 8
