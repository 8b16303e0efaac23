"""Objects cut out of broken JSON by their braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')
_BRACE = re.compile(r"[{}]")
_MOST = 300_000
_PAPER = re.compile(r'"(?:title|abstract|Title|Abstract|display_name|text)"\s*:')


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one object; ``line`` is where it begins."""

    line: int
    text: str


def objects(document: Document, skip: int = 0) -> Iterator[Piece]:
    """Yield the outermost objects that hold a title or an abstract, but for the first ``skip``.

    An object that is not closed ends where a line begins another one.
    """
    seen = 0
    for piece in _pieces(document):
        if _PAPER.search(piece.text):
            seen += 1
            if seen > skip:
                yield piece


def _pieces(document: Document) -> Iterator[Piece]:
    open_one = _Open()
    for line in decode.lines(document):
        # no text of JSON goes on over a line, so what is quoted is quoted within it
        bare = _QUOTED.sub(lambda match: "_" * len(match.group()), line.text)
        indent = len(bare) - len(bare.lstrip())
        if open_one.depth and bare.lstrip().startswith("{") and indent <= open_one.indent:
            yield open_one.piece()
        yield from _closed_in(line, bare, indent, open_one)
        if open_one.size > _MOST:
            yield open_one.piece()
    if open_one.held:
        yield open_one.piece()


def _closed_in(line: Line, bare: str, indent: int, open_one: _Open) -> Iterator[Piece]:
    """Yield the objects that end in a line, and gather what it holds of the one still open."""
    start = 0
    for match in _BRACE.finditer(bare):
        if match.group() == "{":
            if open_one.depth == 0:
                start = match.start()
                open_one.begin(line.number, indent)
            open_one.depth += 1
        elif open_one.depth:
            open_one.depth -= 1
            if open_one.depth == 0:
                open_one.held.append(line.text[start : match.end()])
                yield open_one.piece()
    if open_one.depth:
        open_one.held.append(line.text[start:])
        open_one.size += len(line.text)


@dataclass(slots=True)
class _Open:
    """The object that is being gathered."""

    line: int = 0
    indent: int = 0
    depth: int = 0
    size: int = 0
    held: list[str] = field(default_factory=list)

    def begin(self, line: int, indent: int) -> None:
        """Begin an object."""
        self.line, self.indent, self.size, self.held = line, indent, 0, []

    def piece(self) -> Piece:
        """Return what has been gathered, and gather nothing more of it."""
        whole = Piece(self.line, "\n".join(self.held)[:_MOST])
        self.depth, self.held = 0, []
        return whole
