"""CSV and JSON Lines: a row or an object a paper, under plain names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from assistant.library import exact, people
from assistant.library.exporting.checked import Format, collections
from assistant.library.readers import jsonl, tables
from assistant.library.readers.cells import FORMULA
from assistant.types import Paper

_DETAILS = ("type", "volume", "issue", "page", "publisher", "ISSN", "ISBN", "citation-key")
_COLUMNS = (
    *("id", "title", "authors", "year", "venue", "abstract", "doi", "url", "pmid", "arxiv_id"),
    *("keywords", "language", *_DETAILS, "other_abstracts", "collections", "exact"),
)


def write_csv(papers: Iterable[Paper], out: TextIO) -> int:
    """Write a header and a row a paper; return how many papers."""
    return Format(_row, tables.read, head=_line(_COLUMNS)).write(papers, out)


def _row(paper: Paper, missing: Mapping[str, Any], _: str) -> str:
    details = dict(paper.details)
    others = [[item.text, item.language, item.kind] for item in paper.other_abstracts]
    return _line(
        [
            paper.id,
            paper.title,
            "; ".join(map(people.written, paper.authors)),
            str(paper.year or ""),
            paper.venue,
            paper.abstract,
            paper.doi,
            paper.url,
            paper.pmid,
            paper.arxiv_id,
            "; ".join(paper.keywords),
            paper.language,
            *(details.get(name, "") for name in _DETAILS),
            json.dumps(others, ensure_ascii=False) if others else "",
            "; ".join(collections(paper)),
            exact.packed(missing),
        ]
    )


def _line(cells: Iterable[str]) -> str:
    """Return a row; what a sheet would take for a formula has an apostrophe before it."""
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    sheet.writerow(f"'{cell}" if cell[:1] in FORMULA and cell else cell for cell in cells)
    return out.getvalue()


def write_jsonl(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an object a paper, empty fields left out; return how many."""
    return Format(_object, jsonl.read).write(papers, out)


def _object(paper: Paper, missing: Mapping[str, Any], _: str) -> str:
    fields = {**as_object(paper), "exact": missing}
    said = {name: value for name, value in fields.items() if value}
    return json.dumps(said, ensure_ascii=False) + "\n"


def as_object(paper: Paper) -> dict[str, object]:
    """Return everything that is known of a paper, by name."""
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": [people.written(name) for name in paper.authors],
        "year": paper.year,
        "venue": paper.venue,
        "abstract": paper.abstract,
        "doi": paper.doi,
        "url": paper.url,
        "pmid": paper.pmid,
        "arxiv_id": paper.arxiv_id,
        "keywords": list(paper.keywords),
        "language": paper.language,
        "truncated": paper.truncated,
        "other_abstracts": [
            {"text": item.text, "language": item.language, "kind": item.kind}
            for item in paper.other_abstracts
        ],
        "details": dict(paper.details),
        "collections": collections(paper),
    }
