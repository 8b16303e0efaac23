"""JSON Lines: one object a line with ``title`` and ``text`` or ``abstract``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assistant.library.decode import Line
from assistant.library.readers.common import doi_of, judge, line_of, storable, year_of
from assistant.types import Record, Rejected, Source

FORMAT = "jsonl"


def recognises(opening: str) -> bool:
    """Tell whether the first line of a file is that of JSON Lines."""
    return opening.startswith("{") and (opening.endswith("}") or '":' in opening)


def read(path: Path, lines: Iterable[Line]) -> Iterator[Record | Rejected]:
    """Yield a record a line; a broken line is rejected alone."""
    number = 0
    for line in lines:
        if not line.text.strip():
            continue
        number += 1
        source = Source(path.name, number, FORMAT, path.stem)
        yield _record(source, line)


def _record(source: Source, line: Line) -> Record | Rejected:
    if line.cut:
        return Rejected(source, f"line {line.number} is too long", "Leave full texts out.")
    try:
        fields = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return Rejected(
            source, f"line {line.number} is not JSON: {error}", "Each line holds one JSON object."
        )
    if not isinstance(fields, dict):
        return Rejected(
            source, f"line {line.number} is no JSON object", "Each line holds one JSON object."
        )
    abstract = _text(fields, "abstract", "text")
    title = line_of(_first(fields, "title"))
    if not abstract:
        return Rejected(
            source,
            f"it has no abstract{f' ({title[:80]})' if title else ''}",
            "Give the record a field `abstract` or `text`.",
        )
    return judge(source, abstract) or Record(
        source,
        abstract,
        title=title,
        authors=_names(_first(fields, "authors", "author")),
        year=year_of(_first(fields, "year", "date", "published")),
        venue=line_of(_first(fields, "venue", "journal", "booktitle")),
        doi=doi_of(_first(fields, "doi", "DOI")),
        url=line_of(_first(fields, "url", "link")),
        keywords=_names(_first(fields, "keywords")),
    )


def _first(fields: Mapping[str, Any], *names: str) -> Any:
    return next((fields[name] for name in names if fields.get(name)), None)


def _text(fields: Mapping[str, Any], *names: str) -> str:
    value = _first(fields, *names)
    return storable(value).strip() if isinstance(value, str) else ""


def _names(value: Any) -> tuple[str, ...]:
    """Return names from a list of strings or objects, or from one string."""
    if isinstance(value, str):
        value = value.split(";" if ";" in value else ",")
    if not isinstance(value, list):
        return ()
    named = (item.get("name") if isinstance(item, dict) else item for item in value)
    return tuple(name for name in map(line_of, named) if name)
