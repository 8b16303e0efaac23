"""JSON with a list of papers somewhere inside: see ``json_walk`` for which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers import json_fields, json_shapes, json_walk
from assistant.library.readers.common import build
from assistant.library.readers.json_text import Stream
from assistant.library.readers.json_walk import Item
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "json"

_OPENING = re.compile(
    r"\[\s*(?:\{|\[|\"|/[/*]|$)|\{\s*(?:\"|/[/*]|$)|\[?\s*\{\s*'\w+'\s*:|\[\s*\]|\{\s*\}"
)
_COMMENT = re.compile(r"//|#|/\*|\*")
_HINT = (
    "The list of papers is to be an array of objects with `title`, `abstract` or both. "
    "A program such as `jq` shows where a file is broken."
)
_MEND = "Look for a comma, a quotation mark or a bracket that is missing or one too many in it."
_TITLE = re.compile(r"[\"'](?:title|display_name|Title)[\"']\s*:\s*[\"']([^\"']{1,80})")


def recognises(peek: Peek) -> bool:
    """Tell whether a document begins as JSON does, comments left out."""
    lines = [line for line in peek.lines if not _COMMENT.match(line)][:3] or [""]
    told = any(mark in line for line in lines for mark in "\"'") or lines[0] in {
        "[",
        "{",
        "[]",
        "{}",
    }
    return bool(_OPENING.match(lines[0])) and told


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each paper of the list became; raise ``ReadError`` where there is no list."""
    number = 0
    with decode.text(document) as handle:
        for number, item in enumerate(json_walk.items(Stream(handle, document.name)), 1):
            yield taken(Source(document.name, number, FORMAT, document.collection), item)
    if not number:
        raise ReadError(f"{document.name} is JSON without a list of papers.", _HINT)


def taken(source: Source, item: Item) -> Record | Rejected:
    """Return what an element of a list became."""
    if item.text:
        title = _TITLE.search(item.text)
        key = title.group(1) if title else " ".join(item.text.split())[:60]
        return Rejected(source, item.problem, _MEND, line=item.line, key=key)
    if item.problem:
        hint = "Each element of the list is to be an object with a title, an abstract or both."
        key = json_shapes.key_of(item.fields)
        return Rejected(source, item.problem, hint, line=item.line, key=key)
    record = build(source, json_fields.fields_of(item.fields, item.line))
    if isinstance(record, Rejected) and not record.key:
        return replace(record, key=json_shapes.key_of(item.fields))
    return record
