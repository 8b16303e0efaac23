"""JSON Lines: one object a line with ``title`` and ``text`` or ``abstract``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "jsonl"


def recognises(peek: Peek) -> bool:
    """Tell whether the first line of a file is that of JSON Lines."""
    opening = peek.first
    return opening.startswith("{") and (opening.endswith("}") or '":' in opening)


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
        return _rejected(source, line, f"line {line.number} is too long", "Leave full texts out.")
    hint = "Each line holds one JSON object."
    try:
        fields = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return _rejected(source, line, f"line {line.number} is not JSON: {error}", hint)
    if not isinstance(fields, dict):
        return _rejected(source, line, f"line {line.number} is no JSON object", hint)
    return build(
        source,
        Fields(
            abstract=_text(fields, "abstract", "text"),
            title=_text(fields, "title"),
            authors=_names(_first(fields, "authors", "author")),
            year=_first(fields, "year", "date", "published"),
            venue=_text(fields, "venue", "journal", "booktitle"),
            doi=_text(fields, "doi", "DOI"),
            url=_text(fields, "url", "link"),
            keywords=_names(_first(fields, "keywords")),
            line=line.number,
        ),
    )


def _rejected(source: Source, line: Line, reason: str, hint: str) -> Rejected:
    return Rejected(source, reason, hint, line=line.number)


def _first(fields: Mapping[str, Any], *names: str) -> Any:
    return next((fields[name] for name in names if fields.get(name)), None)


def _text(fields: Mapping[str, Any], *names: str) -> str:
    value = _first(fields, *names)
    return value if isinstance(value, str) else ""


def _names(value: Any) -> tuple[str, ...]:
    """Return names from a list of strings or objects, or from one string."""
    if isinstance(value, str):
        value = value.split(";" if ";" in value else ",")
    if not isinstance(value, list):
        return ()
    named = (item.get("name") if isinstance(item, dict) else item for item in value)
    return tuple(name for name in named if isinstance(name, str))
