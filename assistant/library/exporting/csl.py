"""CSL-JSON, which Zotero, pandoc and citation processors read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from assistant.library import people
from assistant.types import Paper


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an array of items, one a line; return how many."""
    count = 0
    out.write("[")
    for count, paper in enumerate(papers, 1):
        out.write(",\n" if count > 1 else "\n")
        out.write(json.dumps(_item(paper), ensure_ascii=False))
    out.write("\n]\n")
    return count


def _item(paper: Paper) -> dict[str, object]:
    details = dict(paper.details)
    item: dict[str, object] = {
        "id": details.get("citation-key") or paper.id,
        "type": details.pop("type", "") or "document",
        "title": paper.title,
        "author": [_name(name) for name in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "abstract": paper.abstract,
        "DOI": paper.doi,
        "URL": paper.url,
        "PMID": paper.pmid,
        "arxiv_id": paper.arxiv_id,
        "keyword": "; ".join(paper.keywords) + (";" if paper.keywords else ""),
        "language": paper.language,
        "other_abstracts": [
            {"text": other.text, "language": other.language, "kind": other.kind}
            for other in paper.other_abstracts
        ],
        **details,
    }
    return {name: value for name, value in item.items() if value}


def _name(name: str) -> dict[str, str]:
    family, given = people.parts(name)
    return {"family": family, "given": given} if given else {"literal": name}
