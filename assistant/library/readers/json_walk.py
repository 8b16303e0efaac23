"""The papers of a JSON document, wherever in it they are.

A list of papers is told by what its elements look like: an array at any depth of a few, objects
by their keys, a table by its columns, or papers one after the other. Other lists are passed over.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from assistant.errors import ReadError
from assistant.library.readers import json_shapes
from assistant.library.readers.json_text import Stream, Unsound

_DEEPEST = 6
_WHOLE = 4_000_000  # characters of an object that is looked at as a whole
_MOST_HELD = 5_000
_NO_OBJECT = "it is no JSON object"


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a list of papers: its fields by plain names, or what is wrong with it.

    ``text`` is the beginning of one that is not sound JSON.
    """

    line: int
    fields: json_shapes.Opened = field(default_factory=dict)
    problem: str = ""
    text: str = ""


def items(stream: Stream) -> Iterator[Item]:
    """Yield the papers of a document, and what is broken among them.

    Raise ``ReadError`` where it breaks off, and no broken paper tells that.
    """
    told = False
    while stream.next():
        for item in _array(stream, "", 0, likely=True):
            told |= bool(item.text)
            yield item
        stream.skip()  # a bracket too many
    if stream.unclosed and not told:
        raise ReadError(
            f"{stream.name} breaks off in line {stream.line}, before its list is closed.",
            "What stands before is in. Export the file again to get the rest.",
        )


def papers_in(found: Any, line: int) -> Iterator[Item]:
    """Yield the papers of one value: itself, or those inside; or what it is instead."""
    sieve = _Sieve(likely=True, least=0)
    yield from sieve.take(line, found)


@dataclass(slots=True)
class _Sieve:
    """Tells papers from other things among the elements of one list.

    Once there are papers (``least`` of them), what is none is a broken one. A title is enough
    where a list is a ``likely`` one, and among papers.
    """

    likely: bool = False
    least: int = 1
    depth: int = 0
    found: int = 0
    held: list[Item] = field(default_factory=list)

    def take(self, line: int, value: Any) -> Iterator[Item]:
        """Yield what an element is."""
        if not isinstance(value, (dict, list)):
            yield from self.broken(Item(line, {"id": value}, _NO_OBJECT))
            return
        if rows := json_shapes.rows_of(value):
            yield from self._papers(Item(line, json_shapes.opened(row)) for row in rows)
            return
        item = json_shapes.opened(value)
        if self._is_one(item) and not _holds_papers(value, item):
            yield from self._papers([Item(line, item)])
            return
        some = False
        for found in _inside(value, line, self.depth + 1):
            some = True
            yield found
        if not some:
            what = json_shapes.lack_of(item) if isinstance(value, dict) else _NO_OBJECT
            yield from self.broken(Item(line, item, what))

    def broken(self, item: Item) -> Iterator[Item]:
        """Yield an element that is no sound paper, or hold it until it is known what others are."""
        if self.found >= self.least:
            yield item
        elif len(self.held) < _MOST_HELD:
            self.held.append(item)
        elif json_shapes.sounds_like_paper(item.text):
            self.found = self.least  # a list of papers, all of them broken
            yield from self.rest()
            yield item

    def rest(self) -> Iterator[Item]:
        """Yield what was held back, and is a paper for all that: one that is not sound JSON."""
        held, self.held = self.held, []
        yield from (item for item in held if json_shapes.sounds_like_paper(item.text))

    def _is_one(self, item: json_shapes.Opened) -> bool:
        if json_shapes.is_paper(item):
            return True
        return (self.likely or self.found > 0) and json_shapes.may_be_paper(item)

    def _papers(self, papers: Iterable[Item]) -> Iterator[Item]:
        for paper in papers:
            self.found += 1
            if self.found >= self.least:
                held, self.held = self.held, []
                yield from map(_among_papers, held)
            yield paper


def _among_papers(item: Item) -> Item:
    """Return what an element that was held back is, now that there are papers beside it."""
    return Item(item.line, item.fields) if json_shapes.may_be_paper(item.fields) else item


def _holds_papers(value: Any, item: json_shapes.Opened) -> bool:
    """Tell whether an object that could be a paper is something round a list of them."""
    if not isinstance(value, dict) or json_shapes.has_abstract(item):
        return False
    for key, inner in value.items():
        own = json_shapes.has_authors(item) and not json_shapes.is_list_of_papers(key)
        if isinstance(inner, list) and not own and not json_shapes.is_of_references(key):
            sieve = _Sieve(depth=_DEEPEST - 2)
            if any(not found.problem for part in inner for found in sieve.take(0, part)):
                return True
    return False


def _inside(value: Any, line: int, depth: int) -> Iterator[Item]:
    """Yield the papers inside of a value that is decoded already."""
    if depth > _DEEPEST or not isinstance(value, (list, dict)):
        return
    if isinstance(value, list):
        yield from _of_list(value, line, _Sieve(depth=depth))
        return
    keyed = _Sieve(least=2, depth=depth)
    for key, inner in value.items():
        if isinstance(inner, list):
            likely = json_shapes.is_list_of_papers(key)
            yield from _of_list(inner, line, _Sieve(likely=likely, depth=depth))
        elif isinstance(inner, dict):
            yield from keyed.take(line, inner)


def _of_list(values: list[Any], line: int, sieve: _Sieve) -> Iterator[Item]:
    for value in values:
        yield from sieve.take(line, value)


def _array(stream: Stream, close: str, depth: int, *, likely: bool) -> Iterator[Item]:
    """Yield the papers among the values up to a bracket, or those of the outermost level."""
    sieve = _Sieve(likely=likely, depth=depth)
    while (begins := stream.next()) != close:
        if not begins:
            stream.unclosed = True
            break
        if begins in "]}:":
            if not close:
                break
            stream.skip()
        elif begins == "[" and depth < _DEEPEST:
            stream.skip()
            yield from _array(stream, "]", depth + 1, likely=likely)
        elif begins == "{" and not close:
            yield from _object(stream, sieve, depth)
        elif not stream.skip_numbers():
            yield from _value(stream, sieve)
    else:
        stream.skip()
    yield from sieve.rest()


def _value(stream: Stream, sieve: _Sieve) -> Iterator[Item]:
    """Yield what the value is that begins here."""
    line = stream.line
    try:
        value = stream.value()
    except Unsound as error:
        yield from sieve.broken(Item(line, {}, str(error), stream.step_over()))
    else:
        if not (isinstance(value, str) and stream.next() == ":"):  # a name is left of an object
            yield from sieve.take(line, value)


def _object(stream: Stream, sieve: _Sieve, depth: int) -> Iterator[Item]:
    """Yield the paper that begins here, or those inside: an envelope may be the whole file."""
    line, said, problem = stream.line, stream.shown(), ""
    if depth >= _DEEPEST:
        yield from _value(stream, sieve)
        return
    try:
        whole = stream.whole(_WHOLE)
    except Unsound as error:
        whole, problem = None, str(error)
    if not problem and not _is_envelope(whole):
        yield from sieve.take(line, stream.value())
        return
    if problem and json_shapes.sounds_like_one_paper(stream.closed()):
        said = stream.step_over()
        if json_shapes.sounds_like_paper(said):  # or it is what stands round the next paper
            yield from sieve.broken(Item(line, {}, problem, said))
        return
    told = yield from _members(stream, depth + 1)
    if problem and not told:
        yield from sieve.broken(Item(line, {}, problem, said))


def _is_envelope(whole: Any) -> bool:
    """Tell whether there are papers inside of an object, each of which has a line of its own."""
    item = json_shapes.opened(whole)
    if json_shapes.rows_of(whole) or (
        json_shapes.is_paper(item) and not _holds_papers(whole, item)
    ):
        return False
    return any(not found.problem for found in _inside(whole, 0, 1))


def _members(stream: Stream, depth: int) -> Generator[Item, None, bool]:
    """Yield the papers inside of the object that begins here; return whether that is all of it."""
    stream.skip()
    keyed, listed, inner, own = _Sieve(least=2, depth=depth), False, False, False
    while (begins := stream.next()) != "}":
        if not begins:
            stream.unclosed = True
            break
        key = _key(stream) if begins == '"' else ""
        begins = stream.next()
        if begins == "[":
            stream.skip()
            likely = json_shapes.is_list_of_papers(key)
            for item in _array(stream, "]", depth + 1, likely=likely):
                listed = True
                yield item
        elif begins == "{":
            for item in _object(stream, keyed, depth):
                inner = True
                yield item
        elif begins and begins in "]:":
            stream.skip()
        elif begins != "}":
            own |= json_shapes.is_of_papers(key)
            _passed(stream)
    else:
        stream.skip()
    for item in keyed.rest():
        inner = True
        yield item
    return listed or (inner and not own)


def _key(stream: Stream) -> str:
    """Step over a name and its colon; return the name."""
    try:
        key = stream.value()
    except Unsound:
        stream.step_over()
        return ""
    if stream.next() == ":":
        stream.skip()
    return str(key)


def _passed(stream: Stream) -> None:
    try:
        stream.value()
    except Unsound:
        stream.step_over()
