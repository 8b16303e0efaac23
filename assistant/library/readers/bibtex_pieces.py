"""Cuts a BibTeX file into entries, so that a brace that is missing costs its own entry only.

An entry ends where its braces close. A line in a text may look like the beginning of another one;
whether it is one is seen by what follows.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers.common import MAX_ABSTRACT

BEGIN = re.compile(r"^\s*\ufeff?@\s*([A-Za-z][\w+-]*)\s*([{(])")

_LATER = re.compile(r"@\s*[A-Za-z][\w+-]*\s*[{(]")
_KEY = re.compile(r"([^,={}()\"]*)(?:,|$)")
_MARK = re.compile(r'\\?[{}"]|[)%]')
_FIELD = re.compile(r"\s*[A-Za-z][\w -]*=")
_NEXT = re.compile(r"(?<=[})])\s{0,9}@\s{0,9}[A-Za-z][\w+-]{0,30}\s{0,9}[{(]")
_LONG = 5_000  # characters
_MOST_INSIDE = 4  # lines of one text that look like the beginning of an entry
_MOST_CHARACTERS = 20 * MAX_ABSTRACT


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in the braces of one entry; ``broken`` says why it is not whole.

    Where ``literal``, a brace behind a backslash counts as one, as BibTeX itself has it.
    """

    line: int
    kind: str
    opening: str
    text: str
    broken: str = ""
    literal: bool = False

    @property
    def key(self) -> str:
        """Return what is cited, as far as it can be told."""
        found = _KEY.match(self.text.lstrip().partition("\n")[0])
        return found.group(1).strip() if found else ""


def pieces(document: Document) -> Iterator[Piece]:
    """Yield the entries; what stands between them is left out."""
    lines = _Lines(part for line in decode.lines(document) for part in _parts(line))
    while line := lines.take():
        if BEGIN.match(line.text):
            yield _piece(line, lines)


def _parts(line: Line) -> Iterator[Line]:
    """Yield a line, or the entries in one that holds a whole file."""
    if len(line.text) < _LONG:
        yield line
        return
    begin = 0
    for match in _NEXT.finditer(line.text):
        yield Line(line.number, line.text[begin : match.start()])
        begin = match.start()
    yield Line(line.number, line.text[begin:], line.cut)


class _Lines:
    """Lines that can be given back."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._waiting: deque[Line] = deque()

    def take(self) -> Line | None:
        return self._waiting.popleft() if self._waiting else next(self._lines, None)

    def give_back(self, lines: list[Line]) -> None:
        self._waiting.extendleft(reversed(lines))


@dataclass(slots=True)
class _Scan:
    """How deep in braces the reading is; a parenthesis may go round an entry instead."""

    opening: str
    literal: bool
    depth: int = 0
    quoted: bool = False

    def between(self) -> bool:
        """Tell whether the reading stands between two fields."""
        return self.depth == 0 and not self.quoted

    def feed(self, text: str, start: int = 0) -> tuple[str, int]:
        """Return a line without its comment, and where the entry ends in it, or -1."""
        for match in _MARK.finditer(text, start):
            mark = match.group()
            if len(mark) > 1 and not self.literal:
                continue
            sign = mark[-1]
            if sign == "{":
                self.depth += 1
            elif sign == "}":
                self.depth -= 1
                if self.depth < 0:
                    return text, match.end()
            elif self.depth:
                continue
            elif sign == '"':
                self.quoted = not self.quoted
            elif sign == ")" and self.opening == "(" and not self.quoted:
                return text, match.end()
            elif sign == "%" and not self.quoted:
                return text[: match.start()], -1
        return text, -1


@dataclass(slots=True)
class _Attempt:
    """What one way of reading an entry came to."""

    taken: list[Line] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    restarts: list[int] = field(default_factory=list)
    broken: str = ""
    rest: str = ""


def _piece(first: Line, lines: _Lines) -> Piece:
    """Return the entry that begins at a line, and give back the lines that are not of it."""
    attempts: list[_Attempt] = []
    for literal in (False, True):
        tried = _attempt(first, lines, literal=literal)
        attempts.append(tried)
        if not tried.broken:
            break
        lines.give_back(tried.taken)
    tried = attempts[-1] if not attempts[-1].broken else attempts[0]
    if tried.broken:
        size = tried.restarts[0] if tried.restarts else len(tried.taken)
        for _ in range(size):
            lines.take()
        tried.kept = tried.kept[: size + 1]
    elif _LATER.search(tried.rest):
        at = (tried.taken or [first])[-1].number
        lines.give_back([Line(at, tried.rest[_LATER.search(tried.rest).start() :])])  # type: ignore[union-attr]
    begin = BEGIN.match(first.text)
    kind, opening = begin.groups() if begin else ("", "{")
    text = "\n".join(tried.kept).replace("\x00", "")
    literal = not tried.broken and len(attempts) > 1
    return Piece(first.number, kind.lower(), opening, text, tried.broken, literal)


def _attempt(first: Line, lines: _Lines, *, literal: bool) -> _Attempt:
    """Read an entry to its end, or to where it is plain that it has none."""
    begin = BEGIN.match(first.text)
    opening = begin.group(2) if begin else "{"
    start = begin.end() if begin else 0
    scan, done = _Scan(opening, literal), _Attempt()
    named = _KEY.match(first.text, start)
    line: Line | None = first
    size = 0
    while line is not None:
        size += len(line.text)
        if line is not first:
            if BEGIN.match(line.text):
                if scan.between() or len(done.restarts) == _MOST_INSIDE:
                    lines.give_back([line])
                    done.broken = "its braces do not close"
                    return done
                done.restarts.append(len(done.taken))
            done.taken.append(line)
        if line.cut or size > _MOST_CHARACTERS:
            done.broken = "it is too long, or its braces do not close"
            return done
        at_first = line is first
        text, end = scan.feed(line.text, (named.end() if named else start) if at_first else 0)
        if end >= 0:
            done.rest = text[end:]
            done.kept.append(text[start if at_first else 0 : end - 1])
            done.broken = _beyond(done.rest, lines)
            return done
        done.kept.append(text[start:] if at_first else text)
        line = lines.take()
    done.broken = "its braces do not close"
    return done


def _beyond(rest: str, lines: _Lines) -> str:
    """Return what is wrong where fields go on behind the end of their entry."""
    if not rest.lstrip().startswith(","):
        return ""
    after = rest.lstrip()[1:]
    if not after.strip() and (line := lines.take()):
        lines.give_back([line])
        after = line.text
    return "a brace closes it too early" if _FIELD.match(after) else ""
