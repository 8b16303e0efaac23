"""Judgments: how relevant which document is to which query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import Document

Judgments: TypeAlias = Mapping[str, Mapping[str, int]]

_NAMES = (
    ("queryid", "query", "qid", "topic"),
    ("corpusid", "corpus", "docid", "documentid", "doc", "docno", "document"),
    ("score", "relevance", "rel", "label", "judgment"),
)
_UNNAMED = {3: (0, 1, 2), 4: (0, 2, 3)}  # a table without its header, and TREC's
_EXPECTED = (
    "Expected is a table of query-id, corpus-id and score with this header and tabs between, "
    "or the four columns of TREC."
)
_NUMBER = re.compile(r"[+-]?\d{1,9}(\.0*)?", re.ASCII)


def judgments(document: Document) -> Judgments:
    """Return relevance by query and document; raise ``ReadError`` naming the line that is wrong.

    Of several judgments of one document the highest counts; less than 0 is not relevant.
    """
    found: dict[str, dict[str, int]] = {}
    rows = list(_rows(document))
    if not rows:
        raise ReadError(f"{document.name} holds no judgments.", _EXPECTED)
    _, first = rows[0]
    places = _places(first, document.name)
    headed = not _NUMBER.fullmatch(first[places[-1]])
    for number, cells in rows[headed:]:
        if len(cells) != len(first):
            raise ReadError(
                f"Line {number} of {document.name} has {len(cells)} columns, "
                f"and those before it {len(first)}.",
                _EXPECTED,
            )
        query, judged, score = (cells[place] for place in places)
        if not _NUMBER.fullmatch(score):
            raise ReadError(
                f"Line {number} of {document.name} has {score!r} for a score.",
                "A score is a whole number, 0 for what is not relevant.",
            )
        of_query = found.setdefault(query, {})
        of_query[judged] = max(int(float(score)), of_query.get(judged, 0))
    if not found:
        raise ReadError(f"{document.name} holds no judgments.", _EXPECTED)
    return found


def _rows(document: Document) -> Iterator[tuple[int, list[str]]]:
    for line in decode.lines(document):
        text = line.text.strip("\ufeff\r\n ")
        if text.strip():
            cells = text.split("\t") if "\t" in text else text.split()
            yield line.number, [cell.strip() for cell in cells]


def _places(cells: Sequence[str], name: str) -> tuple[int, ...]:
    """Return which columns hold query, document and score, going by the first line."""
    plain = [re.sub(r"[^a-z]", "", cell.lower()) for cell in cells]
    named = [next((i for i, cell in enumerate(plain) if cell in names), -1) for names in _NAMES]
    if min(named) >= 0:
        return tuple(named)
    if len(cells) in _UNNAMED and _NUMBER.fullmatch(cells[-1]):
        return _UNNAMED[len(cells)]
    raise ReadError(f"{name} does not begin like judgments: {', '.join(cells)[:80]}", _EXPECTED)
