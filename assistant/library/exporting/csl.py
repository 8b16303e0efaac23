"""CSL-JSON, which Zotero, pandoc and citation processors read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TextIO

from assistant.library import people
from assistant.library.exporting.checked import Format, collections
from assistant.library.readers import json_documents
from assistant.library.readers.cells import CSL_TYPES
from assistant.types import Paper

_DETAILS = ("volume", "issue", "page", "publisher", "ISSN", "ISBN", "citation-key")


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an array of items, one a line; return how many."""
    array = Format(
        _line, json_documents.read, "[\n", ",\n", "\n]\n", key=partial(_key, taken=set())
    )
    return array.write(papers, out)


def _key(paper: Paper, taken: set[str]) -> str:
    own = dict(paper.details).get("citation-key", "")
    key = paper.id if not own or own in taken else own
    taken.add(key)
    return key


def _line(paper: Paper, missing: Mapping[str, Any], key: str) -> str:
    return json.dumps(_item(paper, missing, key), ensure_ascii=False)


def _item(paper: Paper, missing: Mapping[str, Any], key: str) -> dict[str, Any]:
    details = dict(paper.details)
    kind = details.get("type", "")
    # what CSL has no word for has its place here
    custom = {
        "arxiv_id": paper.arxiv_id,
        "other_abstracts": [
            {"text": other.text, "language": other.language, "kind": other.kind}
            for other in paper.other_abstracts
        ],
        "collections": collections(paper),
        "exact": missing,
    }
    item: dict[str, Any] = {
        "id": key,
        "type": kind if kind in CSL_TYPES else "document",
        "title": paper.title,
        "author": [_name(name) for name in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "abstract": paper.abstract,
        "DOI": paper.doi,
        "URL": paper.url,
        "PMID": paper.pmid,
        "keyword": "; ".join(paper.keywords) + (";" if len(paper.keywords) == 1 else ""),
        "language": paper.language,
        **{name: details.get(name, "") for name in _DETAILS},
        "custom": {name: value for name, value in custom.items() if value},
    }
    return {name: value for name, value in item.items() if value}


def _name(name: str) -> dict[str, str]:
    family, given = people.parts(name)
    return {"family": family, "given": given} if given else {"literal": name}
