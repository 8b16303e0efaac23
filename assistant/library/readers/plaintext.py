"""Plain text: the first line names the collection, then one abstract a paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers.common import MAX_ABSTRACT, judge
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "text"
_MAX_HEADING = 120
_EXPLAIN = (
    "Write the collection's name on the first line, leave a line blank, then put one abstract "
    "a paragraph with blank lines between."
)


def recognises(peek: Peek) -> bool:
    """Take everything."""
    del peek
    return True


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record a paragraph, numbered from 1 after the heading.

    Raise ``ReadError`` where the file holds no more than a short line.
    """
    blocks = _paragraphs(decode.lines(document))
    first = next(blocks, "")
    heading = first.lstrip("# \t").strip() if _is_heading(first) else ""
    collection = heading or document.collection
    second = next(blocks, None)
    if second is None and heading:
        raise ReadError(f"{document.name} holds one short line and no abstract.", _EXPLAIN)
    texts = _rest(None if heading else first, second, blocks)
    for number, text in enumerate(texts, 1):
        source = Source(document.name, number, FORMAT, collection)
        yield judge(source, text) or Record(source, text)


def _rest(first: str | None, second: str | None, blocks: Iterator[str]) -> Iterator[str]:
    if first is not None:
        yield first
    if second is not None:
        yield second
    yield from blocks


def _is_heading(block: str) -> bool:
    """Tell whether the first paragraph is a name: one short line that does not end a sentence."""
    one_line = "\n" not in block and len(block) < _MAX_HEADING
    return one_line and bool(block) and not block.endswith((".", "!", "?", "。", "！", "？"))


def _paragraphs(lines: Iterable[Line]) -> Iterator[str]:
    """Yield paragraphs as they came, wrapped lines included, each a bounded number of characters.

    Of a paragraph beyond the limit only so much is kept that the limit is seen to be passed.
    """
    kept: list[str] = []
    size = 0
    for line in lines:
        text = line.text.replace("\x00", "")
        if text.strip():
            if size <= MAX_ABSTRACT:
                kept.append(text[: MAX_ABSTRACT + 1])
                size += len(kept[-1]) + 1
        elif kept:
            yield "\n".join(kept).strip()
            kept, size = [], 0
    if kept:
        yield "\n".join(kept).strip()
