"""The paragraphs of plain text: parted by blank lines, rulers, or the numbers of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assistant.library.decode import Line
from assistant.library.readers.common import MAX_ABSTRACT

_RULER = re.compile(r"\s*(?:[-*_=~#\u2500\u2014] ?){3,}\s*")
_ITEM = re.compile(
    r"\s{0,3}(?:\(?\[?(?P<number>\d{1,5})[.)\]]{1,2}|(?P<bullet>[-*+\u2022]))\s+(?=\S)"
)
_LEAST_ITEM = 120  # characters that the items of a list of papers have on average
_LEAST_LINE = 150
_LEAST_LINES = 3


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph as it came, and the line that it begins at."""

    line: int
    text: str


def never(line: str) -> bool:
    """Begin no paragraph at a line that is not parted from the one before."""
    del line
    return False


def always(line: str) -> bool:
    """Begin a paragraph at every line."""
    return bool(line)


def is_item(line: str) -> bool:
    """Tell whether a line begins as the item of a list does."""
    return _ITEM.match(line) is not None


def paragraphs(lines: Iterable[Line], begins: Callable[[str], bool] = never) -> Iterator[Block]:
    """Yield paragraphs as they came, wrapped lines included, each a bounded number of characters.

    ``begins`` tells at which lines one begins, whatever stands before. Of a paragraph beyond the
    limit only so much is kept that the limit is seen to be passed.
    """
    kept: list[str] = []
    size = begun = 0
    for line in lines:
        text = line.text.replace("\x00", "")
        blank = not text.strip() or _RULER.fullmatch(text[:200]) is not None
        if kept and (blank or begins(text)):
            yield Block(begun, "\n".join(kept).strip())
            kept, size = [], 0
        if not blank:
            begun = begun if kept else line.number
            if size <= MAX_ABSTRACT:
                kept.append(text[: MAX_ABSTRACT + 1])
                size += len(kept[-1]) + 1
    if kept:
        yield Block(begun, "\n".join(kept).strip())


def unmarked(block: Block) -> Block:
    """Return the item of a list without its number."""
    mark = _ITEM.match(block.text)
    return Block(block.line, block.text[mark.end() :]) if mark else block


def is_list(blocks: Sequence[Block]) -> bool:
    """Tell whether the paragraphs are the items of one list, each of them a paper."""
    if not all(is_item(block.text) for block in blocks):
        return False
    lines = [line for block in blocks for line in block.text.split("\n")]
    marks = [mark for line in lines if (mark := _ITEM.match(line))]
    numbers = [int(mark["number"]) for mark in marks if mark["number"]]
    bullets = len(marks) - len(numbers)
    size = sum(len(block.text) for block in blocks)
    if len(numbers) > 1 and not bullets:
        counted = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return counted and numbers[0] in {0, 1} and size >= _LEAST_ITEM * len(numbers)
    return bullets > 1 and not numbers and size >= _LEAST_ITEM * bullets


def is_one_a_line(blocks: Sequence[Block]) -> bool:
    """Tell whether a text without blank lines has an abstract on each line, and none wrapped."""
    if len(blocks) != 1:
        return False
    lines = blocks[0].text.split("\n")
    whole = [line for line in lines if _is_abstract(line)]
    return len(whole) >= _LEAST_LINES and len(whole) >= len(lines) - 1


def _is_abstract(line: str) -> bool:
    text = line.strip().rstrip("\"'”)]")
    ended = text.endswith((".", "!", "?", "。", "！", "？"))
    return ended and len(text) >= _LEAST_LINE and not text[:1].islower() and ":" not in text[:30]
