"""Plain text: abstracts in paragraphs, with or without titles.

The first line names the collection, then comes one abstract a paragraph. Titles are taken where all
of a file is written so: a line above each abstract, a paragraph before it, or ``Title:`` labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import labelled
from assistant.library.readers.common import MAX_ABSTRACT, Fields, build, judge
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "text"

_MAX_HEADING = 120
_MAX_TITLE = 250
_LOOKED_AT = 24  # paragraphs by which it is seen how a file is written
_MOST = 0.8
_LEAST_TEXT = 150
_NUMBER = re.compile(r"^(?:#{1,6}\s+)?(?:\(?\d{1,4}[.)]\s+|[-*\u2022]\s+)?")
_GOES_ON = re.compile(
    r"(?:[,;:\-\u2013\u2014]|\b(?:a|an|and|of|the|to|in|for|with|by|on|or|is|are|that))$"
)
_EXPLAIN = (
    "Write the collection's name on the first line, leave a line blank, then put one abstract "
    "a paragraph with blank lines between."
)


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph as it came, and the line that it begins at."""

    line: int
    text: str


def recognises(peek: Peek) -> bool:
    """Take everything."""
    del peek
    return True


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record an abstract, numbered from 1 after the heading.

    Raise ``ReadError`` where the file holds no more than a short line.
    """
    blocks = _paragraphs(decode.lines(document))
    opening = list(islice(blocks, _LOOKED_AT))
    if labelled.recognises([block.text for block in opening]):
        yield from labelled.read(document)
        return
    first = opening[0] if opening else _Block(0, "")
    headed = _is_heading(first.text)
    rest = opening[1:] if headed else opening
    if headed and _alternating(opening):
        headed, rest = False, opening  # what looked like a heading is the first title
    elif headed and not rest:
        raise ReadError(f"{document.name} holds one short line and no abstract.", _EXPLAIN)
    collection = first.text.lstrip("# \t").strip() if headed else document.collection
    pairs = _pairs(rest, chain(rest, blocks))
    for number, (title, block) in enumerate(pairs, 1):
        source = Source(document.name, number, FORMAT, collection)
        yield _record(source, title, block)


def _record(source: Source, title: str, block: _Block) -> Record | Rejected:
    if title:
        named = _NUMBER.sub("", title.strip()).strip("*# ")
        return build(source, Fields(abstract=block.text, title=named, line=block.line))
    refused = judge(source, block.text)
    if refused is None:
        return Record(source, block.text, line=block.line)
    key = " ".join(block.text[:60].split())
    return Rejected(source, refused.reason, refused.hint, line=block.line, key=key)


def _pairs(seen: Sequence[_Block], blocks: Iterable[_Block]) -> Iterator[tuple[str, _Block]]:
    """Yield the title, if there is one, and the paragraph of each record."""
    if _alternating(seen):
        waiting: _Block | None = None
        for block in blocks:
            if _is_title(block.text) and waiting is None:
                waiting = block
                continue
            yield (waiting.text if waiting else ""), block
            waiting = None
        if waiting:
            yield "", waiting
        return
    titled = _titles_above(seen)
    for block in blocks:
        above, _, below = block.text.partition("\n")
        if titled and _is_title(above) and len(below) > len(above):
            yield above, _Block(block.line + 1, below.strip())
        else:
            yield "", block


def _alternating(blocks: Sequence[_Block]) -> bool:
    """Tell whether a short paragraph stands before each long one, twice at least."""
    pairs = list(zip(blocks[::2], blocks[1::2], strict=False))
    fit = sum(_is_title(a.text) and len(b.text) >= _LEAST_TEXT for a, b in pairs)
    return fit > 1 and fit >= _MOST * len(pairs)


def _titles_above(blocks: Sequence[_Block]) -> bool:
    """Tell whether the first line of nearly every paragraph is a title and not wrapped prose."""
    parts = [block.text.partition("\n") for block in blocks]
    fit = sum(_is_above(above, below) for above, _, below in parts)
    return fit > 0 and fit >= _MOST * len(parts)


def _is_above(above: str, below: str) -> bool:
    if not _is_title(above) or len(below) < max(_LEAST_TEXT, len(above)):
        return False
    second = below.partition("\n")[0].lstrip()
    much_longer = len(second) > 1.5 * len(above) and len(second) >= _LEAST_TEXT
    # a line that was broken in a sentence goes on in small letters
    fresh = second[:1].isupper() or not second[:1].isascii() or not second[:1].isalpha()
    return fresh and (much_longer or not _GOES_ON.search(above))


def _is_title(text: str) -> bool:
    """Tell whether a text may be a title: one line, not long, not a sentence."""
    line = text.strip()
    return (
        "\n" not in line
        and 0 < len(line) <= _MAX_TITLE
        and not line.endswith((".", "!", "。", "！", ",", ";"))
        and any(char.isalpha() for char in line)
    )


def _is_heading(block: str) -> bool:
    """Tell whether the first paragraph is a name: one short line that does not end a sentence."""
    one_line = "\n" not in block and len(block) < _MAX_HEADING
    return one_line and bool(block) and not block.endswith((".", "!", "?", "。", "！", "？"))


def _paragraphs(lines: Iterable[Line]) -> Iterator[_Block]:
    """Yield paragraphs as they came, wrapped lines included, each a bounded number of characters.

    Of a paragraph beyond the limit only so much is kept that the limit is seen to be passed.
    """
    kept: list[str] = []
    size = begun = 0
    for line in lines:
        text = line.text.replace("\x00", "")
        if text.strip():
            begun = begun if kept else line.number
            if size <= MAX_ABSTRACT:
                kept.append(text[: MAX_ABSTRACT + 1])
                size += len(kept[-1]) + 1
        elif kept:
            yield _Block(begun, "\n".join(kept).strip())
            kept, size = [], 0
    if kept:
        yield _Block(begun, "\n".join(kept).strip())
