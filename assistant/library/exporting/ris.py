"""RIS: a tag a line; texts that go on over lines are indented, so that no line looks like a tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from assistant.library import exact, people
from assistant.library.exporting.checked import Format
from assistant.library.readers import ris
from assistant.types import Paper

_TYPES = {
    "article-journal": "JOUR",
    "article-magazine": "MGZN",
    "paper-conference": "CPAPER",
    "book": "BOOK",
    "chapter": "CHAP",
    "thesis": "THES",
    "report": "RPRT",
    "article": "UNPB",
    "manuscript": "UNPB",
    "webpage": "ELEC",
    "software": "COMP",
    "dataset": "DATA",
    "patent": "PAT",
}
_INDENT = "      "
_RANGE = re.compile(r"([^-]+)-([^-]+)")


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write a record a paper; return how many."""
    return Format(_record, ris.read).write(papers, out)


def _record(paper: Paper, missing: Mapping[str, Any], _: str) -> str:
    said = [*_fields(paper), ("X9", exact.packed(missing))]
    lines = "".join(f"{tag}  - {_wrapped(value)}\n" for tag, value in said if value)
    return f"{lines}ER  - \n\n"


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    details = dict(paper.details)
    kind = details.get("type", "")
    tag = _TYPES.get(kind, "GEN")
    pages = _RANGE.fullmatch(details.get("page", ""))
    first, last = pages.groups() if pages else ("", "")
    if first == last:
        first, last = details.get("page", ""), ""
    yield from (
        ("TY", tag),
        ("TI", paper.title),
        *(("AU", people.written(name)) for name in paper.authors),
        ("PY", str(paper.year or "")),
        ("T2", paper.venue),
        ("VL", details.get("volume", "")),
        ("IS", details.get("issue", "")),
        ("SP", first),
        ("EP", last),
        ("PB", details.get("publisher", "")),
        ("SN", details.get("ISSN", "") or details.get("ISBN", "")),
        ("DO", paper.doi),
        ("UR", paper.url),
        ("AB", paper.abstract),
        *(("KW", word) for word in paper.keywords),
        ("LA", paper.language),
        ("ID", details.get("citation-key", "")),
        ("X1", f"PMID: {paper.pmid}" if paper.pmid else ""),
        ("X2", f"arXiv: {paper.arxiv_id}" if paper.arxiv_id else ""),
        ("X3", kind if kind and ris.TYPE_OF.get(tag) != kind else ""),
        ("X4", details.get("ISBN", "") if details.get("ISSN") else ""),
        *(("X5", f"[{o.language};{o.kind}] {o.text}") for o in paper.other_abstracts),
    )


def _wrapped(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"{_INDENT}{line}" for line in rest)])
