"""JSON text, value by value: what is sound is decoded, what is not is stepped over.

The standard decoder is asked for one value at a time, so that a file of any size needs the memory
of one value, each value has its line, and a value that is broken takes no neighbour along.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, TextIO

from assistant.errors import ReadError
from assistant.library.readers import json_shapes

LONGEST = 32_000_000
"""Characters of one value; a paper with thousands of authors has a few millions."""

_BLOCK = 1 << 18
_NEAR = 16  # characters; an error so near to the end of what has been read may come of it
_LONGEST_COMMENT = 5_000
_BLANKS = re.compile(
    r"(?:[\s,\ufeff\x1e]+|(?://|#)[^\n\r]{0,4990}[\n\r]|/\*(?:[^*]|\*(?!/)){0,4990}\*/)+"
)
# A quotation mark that no structure follows does not end a text, in what is broken
_PARTS = re.compile(r'"(?:[^"\\\n]|\\.|"(?!\s*[,:}\]]))*"?|[{}\[\]]')
_CLOSED_BY = {"{": "}", "[": "]"}
_OPENING = re.compile(r"\{\s*[\"']")
_NUMBERS = re.compile(r"(?:-?\d[\d.eE+-]{0,30}\s{0,50},\s{0,50}){8,}")
_CLOSING_WITHIN = 20_000
_PATIENCE = 50_000_000
_EACH = 2_000
_MOST_DIGITS = 400
_SAID = 300


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


decoder = json.JSONDecoder(strict=False, parse_int=_number)
"""Takes what others write: line ends inside of strings, NaN, numbers without end."""


class Unsound(ValueError):
    """What is here is no JSON that can be taken; its text says why."""


def why(error: Exception) -> str:
    """Return what is wrong with a text that the decoder did not take."""
    if not isinstance(error, json.JSONDecodeError):
        return "it is nested without end"
    return f"it is not sound JSON: {error.msg.removesuffix(' starting at')}"


class Stream:
    """A text that is read value by value; ``name`` is what an error calls it."""

    def __init__(self, handle: TextIO, name: str) -> None:
        self.name = name
        self.unclosed = False
        """Whether the text has ended before a bracket that was opened is closed."""
        self._handle = handle
        self._text = ""
        self._at = 0
        self._counted = 0
        self._line = 1
        self._ended = False
        self._patience = _PATIENCE

    @property
    def line(self) -> int:
        """Return the line of the place that has been reached, counted from 1."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def next(self) -> str:
        """Step over blanks, commas and comments; return the character that follows, or ""."""
        while True:
            blank = _BLANKS.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            begins = self._text[self._at : self._at + 1]
            # where little is left, blanks or a comment may go on in what has not been read yet
            enough = _LONGEST_COMMENT if begins in {"/", "#"} else _NEAR
            if self._ended or len(self._text) - self._at > enough:
                return begins
            self._more()

    def skip_numbers(self) -> bool:
        """Step over the numbers of a list that holds many; return whether there were any."""
        numbers = _NUMBERS.match(self._text, self._at)
        self._at = numbers.end() if numbers else self._at
        return numbers is not None

    def skip(self) -> None:
        """Step over one character."""
        self._at += 1

    def shown(self) -> str:
        """Return the beginning of what comes next."""
        return self._text[self._at : self._at + _SAID]

    def value(self) -> Any:
        """Return the value that begins here, and step over it; raise ``Unsound`` for none."""
        found, self._at = self._decoded(LONGEST)
        return found

    def whole(self, longest: int) -> Any:
        """Return the value that begins here, and stay before it; raise ``Unsound`` for none."""
        return self._decoded(longest)[0]

    def step_over(self) -> str:
        """Step over a value that is not sound; return its beginning.

        It ends where its braces close or, if that is too far, where the next paper begins. Raise
        ``ReadError`` where the whole file is like this.
        """
        closed, begun, said = self.closed(), self._at, self.shown()
        self._at += 1
        if closed:
            end = begun + len(closed)
            if json_shapes.names_references(closed) or not self._at_paper(end):
                self._at = end
            return closed[: min(self._at - begun, _SAID)]
        while not self._at_paper():
            if not self._more():
                self._at = len(self._text)
                break
        return said

    def closed(self) -> str:
        """Return the object that begins here up to where its braces close, "" if far from here."""
        if len(self._text) - self._at < _CLOSING_WITHIN:
            self._more()
        return self._text[self._at : self._closing()]

    def _decoded(self, longest: int) -> tuple[Any, int]:
        while True:
            try:
                found, end = decoder.raw_decode(self._text, self._at)
            except RecursionError as error:
                raise Unsound(why(error)) from None
            except json.JSONDecodeError as error:
                if self._ended or not self._may_be_cut(error):
                    line = self.line + self._text.count("\n", self._at, error.pos)
                    raise Unsound(f"{why(error)} in line {line}") from error
            else:
                whole = end < len(self._text) or self._ended
                if whole and end - self._at <= longest:
                    return found, end
            if len(self._text) - self._at > longest:
                raise Unsound(f"it is longer than {longest:,} characters")
            self._more()

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.pos + _NEAR >= len(self._text) or error.msg.startswith("Unterminated")

    def _closing(self) -> int:
        """Return where the braces of what begins here close, 0 where they do not."""
        if self._text[self._at : self._at + 1] != "{":
            return 0
        opened: list[str] = []
        for part in _PARTS.finditer(self._text, self._at, self._at + _CLOSING_WITHIN):
            mark = part.group()
            if mark in _CLOSED_BY:
                opened.append(_CLOSED_BY[mark])
            elif mark in {"}", "]"} and opened.pop() != mark:
                break
            if not opened:
                self._spend(part.end() - self._at)
                follows = self._text[part.end() : part.end() + _SAID].lstrip()[:1]
                return part.end() if follows in {"", ",", "]", "}", "{"} else 0
        self._spend(_CLOSING_WITHIN)
        return 0

    def _at_paper(self, end: int = sys.maxsize) -> bool:
        """Step to the next paper that begins before ``end``; stay before one that may be cut."""
        while opening := _OPENING.search(self._text, self._at, end):
            self._at = opening.start()
            try:
                found, after = decoder.raw_decode(self._text, self._at)
            except RecursionError:
                self._spend(_CLOSING_WITHIN)
            except json.JSONDecodeError as error:
                short = len(self._text) - self._at <= LONGEST
                if short and not self._ended and self._may_be_cut(error):
                    return False
                self._spend(error.pos - self._at + _EACH)
            else:
                if json_shapes.is_paper(json_shapes.opened(found)):
                    return True
                self._at = after - 1
            self._at += 1
        self._at = max(self._at, len(self._text) - _NEAR)
        return False

    def _spend(self, characters: int) -> None:
        """Look at characters once more, which may be done so often only."""
        self._patience -= characters
        if self._patience < 0:
            raise ReadError(
                f"{self.name} is not sound JSON from line {self.line} on.",
                "What stands before that line is in. Export the file again to get the rest.",
            )

    def _more(self) -> bool:
        """Read on, letting go of what has been stepped over; return whether there was more."""
        line, kept = self.line, self._text[self._at :]
        # twice as much each time, so that a long value is not decoded too often
        block = "" if self._ended else self._handle.read(max(_BLOCK, len(kept)))
        end = "" if block or self._ended else "\r"  # for a comment in the last line
        self._text, self._at, self._counted, self._line = kept + block + end, 0, 0, line
        self._ended = not block
        self._patience += 4 * len(block)
        return bool(block)
