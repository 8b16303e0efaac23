"""JSON Lines: one object a line, of any of the shapes that ``json_fields`` knows."""

from __future__ import annotations

import json
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import json_fields
from assistant.library.readers.common import build
from assistant.library.readers.peek import LONGEST, Peek
from assistant.types import Record, Rejected, Source

FORMAT = "jsonl"

_HINT = "Each line holds one JSON object."


def recognises(peek: Peek) -> bool:
    """Tell whether the lines are objects, one each; a few may be broken."""
    lines = [line for line in peek.lines if line[:1] not in {"#", "/"}]
    opening = [line for line in lines if line.startswith("{") and '"' in line]
    whole = [line for line in opening if line.endswith("}") or len(line) >= LONGEST]
    if len(lines) == 1:
        return bool(opening) and _is_paper(lines[0])
    return len(opening) > 0.5 * len(lines) and len(whole) > 0.5 * len(opening)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a line; a broken line is rejected alone."""
    number = 0
    for line in decode.lines(document):
        if not line.text.strip():
            continue
        number += 1
        source = Source(document.name, number, FORMAT, document.collection)
        yield _record(source, line)


def _record(source: Source, line: Line) -> Record | Rejected:
    if line.cut:
        reason = f"line {line.number} is too long"
        return Rejected(source, reason, "Leave full texts out.", line=line.number)
    try:
        found = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        reason = f"line {line.number} is not JSON: {error}"
        return Rejected(source, reason, _HINT, line=line.number, key=line.text[:60])
    if not isinstance(found, dict):
        reason = f"line {line.number} is no JSON object"
        return Rejected(source, reason, _HINT, line=line.number, key=line.text[:60])
    return build(source, json_fields.fields_of(found, line.number))


def _is_paper(text: str) -> bool:
    try:
        return json_fields.looks_like_paper(json.loads(text))
    except (ValueError, RecursionError):
        return False
