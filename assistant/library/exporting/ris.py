"""RIS: a tag a line; texts that go on over lines are indented, so that no line looks like a tag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from assistant.library import people
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
}
_INDENT = "      "


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write a record a paper; return how many."""
    count = 0
    for count, paper in enumerate(papers, 1):  # noqa: B007 - the last one is the number
        out.writelines(f"{tag}  - {_wrapped(value)}\n" for tag, value in _fields(paper))
        out.write("ER  - \n\n")
    return count


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    details = dict(paper.details)
    kind = details.get("type", "")
    said = [
        ("TY", _TYPES.get(kind, "GEN")),
        ("TI", paper.title),
        *(("AU", people.written(name)) for name in paper.authors),
        ("PY", str(paper.year or "")),
        ("T2", paper.venue),
        ("DO", paper.doi),
        ("UR", paper.url),
        ("AB", paper.abstract),
        *(("KW", word) for word in paper.keywords),
        ("LA", paper.language),
        ("VL", details.get("volume", "")),
        ("IS", details.get("issue", "")),
        ("SP", details.get("page", "")),
        ("PB", details.get("publisher", "")),
        ("SN", details.get("ISSN", "") or details.get("ISBN", "")),
        ("ID", details.get("citation-key", "")),
        ("X1", f"PMID: {paper.pmid}" if paper.pmid else ""),
        ("X2", f"arXiv: {paper.arxiv_id}" if paper.arxiv_id else ""),
        ("X3", kind if kind and _TYPES.get(kind) is None else ""),
        ("X4", details.get("ISBN", "") if details.get("ISSN") else ""),
        *(("X5", f"[{o.language};{o.kind}] {o.text}") for o in paper.other_abstracts),
    ]
    yield from ((tag, value) for tag, value in said if value)


def _wrapped(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"{_INDENT}{line}" for line in rest)])
