"""CSV and JSON Lines: a row or an object a paper, under plain names."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from typing import TextIO

from assistant.library import people
from assistant.types import Paper

_DETAILS = ("type", "volume", "issue", "page", "publisher", "ISSN", "ISBN", "citation-key")
_COLUMNS = (
    *("id", "title", "authors", "year", "venue", "abstract", "doi", "url", "pmid", "arxiv_id"),
    *("keywords", "language", *_DETAILS, "other_abstracts", "collections"),
)
# A sheet takes a cell that begins so for a formula.
_FORMULA = re.compile(r"^(?=['=+\-@\t])")


def write_csv(papers: Iterable[Paper], out: TextIO) -> int:
    """Write a header and a row a paper; return how many papers."""
    sheet = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    sheet.writerow(_COLUMNS)
    count = 0
    for count, paper in enumerate(papers, 1):  # noqa: B007 - the last one is the number
        details = dict(paper.details)
        row: list[str] = [
            paper.id,
            paper.title,
            "; ".join(map(people.written, paper.authors)) + (";" if paper.authors else ""),
            str(paper.year or ""),
            paper.venue,
            paper.abstract,
            paper.doi,
            paper.url,
            paper.pmid,
            paper.arxiv_id,
            "; ".join(paper.keywords) + (";" if paper.keywords else ""),
            paper.language,
            *(details.get(name, "") for name in _DETAILS),
            json.dumps([[o.text, o.language, o.kind] for o in paper.other_abstracts])
            if paper.other_abstracts
            else "",
            "; ".join(dict.fromkeys(source.collection for source in paper.sources)),
        ]
        sheet.writerow(_FORMULA.sub("'", cell) for cell in row)
    return count


def write_jsonl(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an object a paper, empty fields left out; return how many."""
    count = 0
    for count, paper in enumerate(papers, 1):  # noqa: B007 - the last one is the number
        fields = as_object(paper)
        out.write(json.dumps({k: v for k, v in fields.items() if v}, ensure_ascii=False) + "\n")
    return count


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
        "collections": list(dict.fromkeys(source.collection for source in paper.sources)),
    }
