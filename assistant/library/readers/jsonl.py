"""JSON Lines: one object a line, of any of the shapes that ``json_fields`` knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import json_documents, json_shapes, json_walk
from assistant.library.readers.json_text import LONGEST as LONGEST_VALUE
from assistant.library.readers.json_text import decoder, why
from assistant.library.readers.json_walk import Item
from assistant.library.readers.peek import LONGEST, Peek
from assistant.types import Record, Rejected, Source

FORMAT = "jsonl"

_BLANK = " \t\r\ufeff\x1e,"
_COMMENT = ("#", "//")
_OBJECT = re.compile(r"\{\s*[\"']")
_GAP = re.compile(r"[\s,]+")
_SHOWN = 300


def recognises(peek: Peek) -> bool:
    """Tell whether each line is a value of its own, papers among them; many may be broken."""
    lines = [line for line in peek.lines if not line.startswith(_COMMENT)]
    if len(lines) == 1:
        return _is_paper(lines[0])
    if lines[:1] == ["["]:
        return False
    objects = [line for line in lines if _OBJECT.match(line)]
    # of one document that has an object a line, almost all lines end like this
    going_on = [line for line in objects if line.endswith((",", "[")) and len(line) < LONGEST]
    if 2 * len(objects) > len(lines) and 2 * len(going_on) < len(objects):
        return True
    # few objects, but the other lines stand alone as well
    return any(map(_is_paper, objects)) and 2 * sum(map(_is_value, lines)) >= len(lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a line; a broken line is rejected alone."""
    number = 0
    for line in decode.lines(document, LONGEST_VALUE):
        for item in _items(line):
            number += 1
            source = Source(document.name, number, FORMAT, document.collection)
            yield json_documents.taken(source, item)


def _items(line: Line) -> Iterator[Item]:
    """Yield what a line holds: one paper, as a rule; one thing at least if it is not blank."""
    text = line.text.strip(_BLANK)
    if line.cut:
        yield Item(
            line.number,
            problem=f"its line is longer than {LONGEST_VALUE:,} characters",
            text=text[:_SHOWN],
        )
        return
    others: list[Any] = []
    some, at, problem = False, 0, ""
    while at < len(text) and not text.startswith(_COMMENT, at):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            problem = why(error)
            break
        gap = _GAP.match(text, end)
        at = gap.end() if gap else end
        if _holds_object(value):
            some = True
            yield from json_walk.papers_in(value, line.number)
        elif not others:
            others.append(value)
    if problem:
        yield Item(line.number, problem=problem, text=text[at if some else 0 :][:_SHOWN])
    elif others and not some:
        yield from json_walk.papers_in(others[0], line.number)


def _holds_object(value: Any) -> bool:
    inner = value if isinstance(value, list) else [value]
    return any(isinstance(part, dict) for part in inner)


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
