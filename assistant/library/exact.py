"""Fields word by word, beside what a format of other programs can say of them.

An export is read back before it is written. What would come back changed (a title that looks like
markup, a key word with a semicolon in it) is put there once more as JSON, and is taken from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from assistant.types import OtherAbstract, Paper, Record

_LINES = ("title", "venue", "doi", "url", "pmid", "arxiv_id", "language")
_LISTS = ("authors", "keywords")
_FIELDS = ("abstract", *_LINES, *_LISTS, "year", "other_abstracts", "details")
_LAST_YEAR = 9999
_UNSEEN = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"
)


def differing(paper: Paper, record: Record | None) -> dict[str, Any]:
    """Return the fields of a paper that a record does not have as they are; all for None."""
    return {
        name: _json(getattr(paper, name))
        for name in _FIELDS
        if record is None or getattr(paper, name) != getattr(record, name)
    }


def packed(fields: Mapping[str, Any]) -> str:
    """Return fields as one line without braces, quotes and letters beyond ASCII; "" for none."""
    return quote(json.dumps(fields), safe=" ,:;[]()/") if fields else ""


def unpacked(said: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that were packed; what is not sound in it is left out."""
    if isinstance(said, str):
        try:
            said = json.loads(unquote(said)) if said else {}
        except (ValueError, RecursionError):
            return {}
    if not isinstance(said, Mapping):
        return {}
    found = {name: _MAKERS[name](value) for name, value in said.items() if name in _MAKERS}
    return {name: value for name, value in found.items() if value is not _UNSOUND}


def _json(value: Any) -> Any:
    if isinstance(value, tuple) and value and isinstance(value[0], OtherAbstract):
        return [[item.text, item.language, item.kind] for item in value]
    return value


_UNSOUND = object()


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        return _UNSOUND
    return value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _line(value: Any) -> Any:
    """Return a short text without what cleaned ones never hold."""
    text = _text(value)
    return text if text is _UNSOUND else " ".join(_UNSEEN.sub("", text).split())


def _list(value: Any) -> Any:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return _UNSOUND
    return tuple(filter(None, map(_line, value)))


def _number(value: Any) -> Any:
    sound = value is None or (type(value) is int and 0 < value <= _LAST_YEAR)
    return value if sound else _UNSOUND


def _rows(value: Any, width: int) -> Any:
    sound = isinstance(value, list) and all(
        isinstance(row, list) and len(row) == width and all(isinstance(item, str) for item in row)
        for row in value
    )
    return tuple(value) if sound else _UNSOUND


def _others(value: Any) -> Any:
    rows = _rows(value, 3)
    if rows is _UNSOUND:
        return rows
    return tuple(OtherAbstract(_text(row[0]), _line(row[1]), _line(row[2])) for row in rows)


def _pairs(value: Any) -> Any:
    rows = _rows(value, 2)
    return rows if rows is _UNSOUND else tuple(sorted((_line(a), _line(b)) for a, b in rows))


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "abstract": _text,
    **dict.fromkeys(_LINES, _line),
    **dict.fromkeys(_LISTS, _list),
    "year": _number,
    "other_abstracts": _others,
    "details": _pairs,
}
