"""JSON with a list of papers somewhere inside: an array, an envelope round one, objects by key.

The list is found by what its first object looks like, and streamed by ijson. Where the file is
broken, objects are cut out by their braces instead, so that the sound ones come in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers import json_fields, json_pieces
from assistant.library.readers.common import build
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "json"

_OPENING = re.compile(r'\[\s*(?:\{|\[|"|$)|\{\s*(?:"|$)')
_MOST_EVENTS = 2_000_000
_DEEPEST = 6
_LONGEST_WAY = 2_000  # characters of the names on the way to a value
_HINT = (
    "The list of papers is to be an array of objects with `title`, `abstract` or both. "
    "A program such as `jq` shows where a file is broken."
)


def recognises(peek: Peek) -> bool:
    """Tell whether a document begins as JSON does."""
    return bool(_OPENING.match(peek.first)) and (
        '"' in "".join(peek.lines[:3]) or peek.first in {"[", "{", "[]", "{}"}
    )


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each object of the list became; raise ``ReadError`` where there is no list."""
    import ijson

    number = 0
    try:
        for number, found in enumerate(_objects(document), 1):
            yield _record(_source(document, number), found)
    except (ijson.JSONError, UnicodeError) as error:
        said = " ".join(str(error).split())[:120]
    else:
        if number:
            return
        raise ReadError(f"{document.name} is JSON without a list of papers.", _HINT)
    # The part that ijson could read is in; what follows is taken piece by piece.
    rest = 0
    for piece in json_pieces.objects(document, skip=number):
        rest += 1
        yield _piece(_source(document, number + rest), piece)
    if not rest:
        raise ReadError(f"{document.name} is not sound JSON: {said}.", _HINT)


def _source(document: Document, number: int) -> Source:
    return Source(document.name, number, FORMAT, document.collection)


def _record(source: Source, found: Any) -> Record | Rejected:
    if not isinstance(found, dict):
        hint = "Each element of the list is to be one object."
        return Rejected(source, "it is no JSON object", hint, key=str(found)[:60])
    return build(source, json_fields.fields_of(found))


def _piece(source: Source, piece: json_pieces.Piece) -> Record | Rejected:
    try:
        found = json.loads(piece.text)
    except (ValueError, RecursionError) as error:
        key = re.search(r'"title"\s*:\s*"([^"]{1,80})', piece.text)
        return Rejected(
            source,
            f"the object is not sound JSON: {error}",
            "Look for a comma, a quotation mark or a bracket that is missing in it.",
            line=piece.line,
            key=key.group(1) if key else piece.text[:60],
        )
    if not isinstance(found, dict):
        return Rejected(source, "it is no JSON object", line=piece.line)
    return build(source, json_fields.fields_of(found, piece.line))


def _objects(document: Document) -> Iterator[Any]:
    import ijson

    how, prefix = _place(document)
    with _bytes(document) as handle:
        if how == "keyed":
            yield from (value for _, value in ijson.kvitems(handle, prefix, use_float=True))
        elif how:
            yield from ijson.items(handle, prefix, use_float=True, multiple_values=True)


def _place(document: Document) -> tuple[str, str]:
    """Return how the papers are held, and where: ``items``, ``keyed``, or nothing."""
    return _list_place(document) or _keyed_place(document) or ("", "")


def _list_place(document: Document) -> tuple[str, str] | None:
    """Return where the first array of papers is, or the one paper that the document is."""
    keys: set[str] = set()
    nesting: list[str] = []
    for events, prefix, event, value in _events(document):
        if event == "map_key" and not prefix:
            keys.add(str(value))
            if {"title", "abstract"} <= keys:
                return "items", ""
        elif event == "start_array":
            nesting.append(prefix)
        elif event == "end_array":
            nesting.pop()
        elif event == "start_map" and nesting and prefix == f"{nesting[-1]}.item".lstrip("."):
            found = _built(events, prefix)
            if json_fields.looks_like_paper(found):
                # a paper with a list of others inside is one paper
                return ("items", "") if "title" in keys else ("items", prefix)
            if inner := _inner(found):
                return "items", f"{prefix}.{inner}"
    return ("items", "") if "title" in keys else None


def _keyed_place(document: Document) -> tuple[str, str] | None:
    """Return where papers stand by their keys."""
    for events, prefix, event, _ in _events(document):
        if event == "start_map" and prefix:
            found = _built(events, prefix)
            if json_fields.looks_like_paper(found):
                return "keyed", prefix.rpartition(".")[0]
            values = list(found.values()) if isinstance(found, dict) else []
            if values and json_fields.looks_like_paper(values[0]):
                return "keyed", prefix
    return None


def _inner(found: Any, depth: int = 0) -> str:
    """Return the way from an object to a list of papers inside it, or an empty string."""
    if isinstance(found, dict) and depth < _DEEPEST:
        for key, value in found.items():
            if isinstance(value, list) and value and json_fields.looks_like_paper(value[0]):
                return f"{key}.item"
            if below := _inner(value, depth + 1):
                return f"{key}.{below}"
    return ""


def _events(document: Document) -> Iterator[tuple[Iterator[Any], str, str, Any]]:
    """Yield the events of a document's beginning, with the stream to take more from."""
    import ijson

    with _bytes(document) as handle:
        stream = ijson.parse(handle, use_float=True, multiple_values=True)
        for count, (prefix, event, value) in enumerate(stream):
            if count > _MOST_EVENTS:
                return
            if len(prefix) > _LONGEST_WAY:
                raise ijson.JSONError("it is nested without end")
            yield stream, prefix, event, value


def _built(events: Iterator[tuple[str, str, Any]], prefix: str) -> Any:
    """Return the object whose beginning has just been read."""
    import ijson

    builder = ijson.ObjectBuilder()
    builder.event("start_map", None)
    for where, event, value in events:
        builder.event(event, value)
        if event == "end_map" and where == prefix:
            break
    return builder.value


class _Utf8:
    """The text of a document as UTF-8, whatever its own encoding is."""

    def __init__(self, handle: TextIO) -> None:
        self._handle = handle
        self._left = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes."""
        size = size if size >= 0 else 1 << 16
        if len(self._left) < size:
            self._left += self._handle.read(size).encode("utf-8", "replace")
        taken, self._left = self._left[:size], self._left[size:]
        return taken


@contextmanager
def _bytes(document: Document) -> Iterator[_Utf8]:
    with decode.text(document) as handle:
        yield _Utf8(handle)
