"""JSON Lines: one object a line, of any of the shapes that ``json_fields`` knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import json_documents, json_shapes, json_walk
from assistant.library.readers.json_text import LONGEST as LONGEST_VALUE
from assistant.library.readers.json_text import decoder
from assistant.library.readers.json_walk import Item
from assistant.library.readers.peek import LONGEST, Peek
from assistant.types import Record, Rejected, Source

FORMAT = "jsonl"

_BLANK = " \t\r\ufeff\x1e,"


def recognises(peek: Peek) -> bool:
    """Tell whether each line is a value of its own, papers among them; many may be broken."""
    lines = [line for line in peek.lines if line[:1] not in {"#", "/"}]
    if len(lines) == 1:
        return _is_paper(lines[0])
    objects = [line for line in lines if line.startswith("{") and '"' in line]
    whole = [line for line in objects if line.endswith("}") or len(line) >= LONGEST]
    if 2 * len(objects) > len(lines) and 2 * len(whole) >= len(objects):
        return lines[0] != "["
    # few objects among the lines, but no lines of one document either
    return any(map(_is_paper, whole)) and 2 * sum(map(_is_value, lines)) > len(lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a line; a broken line is rejected alone."""
    number = 0
    for line in decode.lines(document, LONGEST_VALUE):
        for item in _items(line):
            number += 1
            source = Source(document.name, number, FORMAT, document.collection)
            yield json_documents.taken(source, item)


def _items(line: Line) -> Iterator[Item]:
    """Yield the papers of a line: one, as a rule."""
    text = line.text.strip(_BLANK)
    if line.cut:
        yield Item(line.number, problem="its line is too long", text=text[:300])
        return
    at = 0
    while at < len(text) and not text.startswith(("#", "//"), at):
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield Item(line.number, problem=_why(error), text=text[at : at + 300])
            return
        yield from json_walk.papers_in(found, line.number)
        while text[at : at + 1] in _BLANK and at < len(text):
            at += 1


def _why(error: Exception) -> str:
    return getattr(error, "msg", "") or "it is nested without end"


def _is_paper(text: str) -> bool:
    item = json_shapes.opened(_decoded(text))
    return json_shapes.titled(item) or json_shapes.is_paper(item)


def _is_value(text: str) -> bool:
    return _decoded(text) is not None


def _decoded(text: str) -> Any:
    """Return what a line holds, None where it is no JSON or nothing."""
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError):
        return None
