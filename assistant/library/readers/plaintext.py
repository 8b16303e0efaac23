"""Plain text: abstracts in paragraphs, with or without titles.

The first line names the collection, then comes one abstract a paragraph. Titles are taken where all
of a file is written so: a line above each abstract, a paragraph before it, bold words at its
beginning, headings, or ``Title:`` labels. A list may be numbered, or have an abstract a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from assistant.errors import ReadError
from assistant.library import decode, sections
from assistant.library.documents import Document
from assistant.library.readers import cells, headed, labelled, pubmed_text
from assistant.library.readers.common import Fields, build, judge
from assistant.library.readers.paragraphs import (
    Block,
    always,
    is_item,
    is_list,
    is_one_a_line,
    never,
    paragraphs,
    unmarked,
)
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "text"

_MAX_HEADING = 120
_MAX_TITLE = 250
_LOOKED_AT = 24  # paragraphs by which it is seen how a file is written
_MOST = 0.8
_LEAST_TEXT = 150
_NUMBER = re.compile(r"^(?:#{1,6}\s+)?(?:\(?\[?\d{1,4}[.)\]]{1,2}\s+|[-*\u2022]\s+)?")
_BOLD = re.compile(r"(?:\*\*|__)(?P<title>[^*_\n]{3,250}?)(?:\*\*|__)[.:]?(?:\*\*)?\s+(?=\S)")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_GOES_ON = re.compile(
    r"(?:[,;:\-\u2013\u2014]|\b(?:a|an|and|of|the|to|in|for|with|by|on|or|is|are|that))$"
)
_EXPLAIN = (
    "Write the collection's name on the first line, leave a line blank, then put one abstract "
    "a paragraph with blank lines between."
)


def recognises(peek: Peek) -> bool:
    """Take everything."""
    del peek
    return True


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield a record an abstract, numbered from 1 after the heading.

    Raise ``ReadError`` where the file holds no more than a short line.
    """
    opening = list(islice(paragraphs(decode.lines(document)), _LOOKED_AT))
    if labelled.recognises([block.text for block in opening]):
        yield from labelled.read(document)
    elif headed.recognises(opening):
        yield from headed.read(document, opening)
    elif pubmed_text.recognises(opening):
        yield from pubmed_text.read(document)
    else:
        yield from _plain(document, opening)


def _plain(document: Document, opening: list[Block]) -> Iterator[Record | Rejected]:
    body = opening[1:] if opening and _is_heading(opening[0].text) else opening
    begins = is_item if body and is_list(body) else always if is_one_a_line(body) else never
    blocks = paragraphs(decode.lines(document), begins)
    if begins is is_item:
        blocks = map(unmarked, blocks)
    opening = list(islice(blocks, _LOOKED_AT))
    heading = opening[0].text if opening and _is_heading(opening[0].text) else ""
    rest = opening[1:] if heading else opening
    if heading and _alternating(opening):
        heading, rest = "", opening  # what looked like a heading is the first title
    elif heading and not rest:
        raise ReadError(f"{document.name} holds one short line and no abstract.", _EXPLAIN)
    collection = heading.lstrip("# \t").strip() or document.collection
    for number, (title, block) in enumerate(_pairs(rest, chain(rest, blocks)), 1):
        source = Source(document.name, number, FORMAT, collection)
        yield _record(source, title, block)


def _record(source: Source, title: str, block: Block) -> Record | Rejected:
    text = block.text
    if title:
        named = _NUMBER.sub("", title.strip()).strip("*# ").removesuffix(".")
        first, _, below = text.partition("\n")
        people = cells.people(first) if below and headed.are_people(first) else []
        abstract = below if people else text
        return build(
            source, Fields(abstract=abstract, title=named, authors=people, line=block.line)
        )
    refused = judge(source, text)
    if refused is None:
        return Record(source, text, line=block.line)
    key = " ".join(text[:60].split())
    return Rejected(source, refused.reason, refused.hint, line=block.line, key=key)


def _pairs(seen: Sequence[Block], blocks: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """Yield the title, if there is one, and the paragraph of each record."""
    if _alternating(seen):
        waiting: Block | None = None
        for block in blocks:
            if _is_title(block.text) and waiting is None:
                waiting = block
                continue
            yield (waiting.text if waiting else ""), block
            waiting = None
        if waiting:
            yield "", waiting
        return
    titled, bold = _titles_above(seen), _bold_titles(seen)
    for block in blocks:
        above, _, below = block.text.partition("\n")
        if bold and (found := _BOLD.match(block.text)):
            yield found["title"], Block(block.line, block.text[found.end() :])
        elif titled and _may_be_above(above, below):
            yield above, Block(block.line + 1, below.strip())
        else:
            yield "", block


def _bold_titles(blocks: Sequence[Block]) -> bool:
    """Tell whether nearly all paragraphs begin with bold words that are no labels of sections."""
    found = [match["title"] for block in blocks if (match := _BOLD.match(block.text))]
    titles = [title for title in found if not sections.is_only_label(title)]
    return len(titles) > 1 and len(titles) >= _MOST * len(blocks)


def _alternating(blocks: Sequence[Block]) -> bool:
    """Tell whether a short paragraph stands before each long one, twice at least."""
    pairs = list(zip(blocks[::2], blocks[1::2], strict=False))
    fit = sum(_is_title(a.text) and _size(b.text) >= _LEAST_TEXT for a, b in pairs)
    return fit > 1 and fit >= _MOST * len(pairs)


def _titles_above(blocks: Sequence[Block]) -> bool:
    """Tell whether the first line of nearly every paragraph is a title and not wrapped prose."""
    parts = [block.text.partition("\n") for block in blocks]
    plain = sum(_is_above(above, below) for above, _, below in parts)
    fit = plain + sum(_is_sentence_title(above, below) for above, _, below in parts)
    # where only one title ends with a full stop, it may be the first sentence
    return fit >= _MOST * len(parts) and (plain > 0 or fit > 1)


def _is_above(above: str, below: str) -> bool:
    if not _is_title(above) or _size(below) < max(_LEAST_TEXT, len(above)):
        return False
    second = below.partition("\n")[0].lstrip()
    if headed.are_people(second):
        return True
    much_longer = len(second) > 1.5 * len(above) and _size(second) >= _LEAST_TEXT
    # a line that was broken in a sentence goes on in small letters
    fresh = second[:1].isupper() or not second[:1].isascii() or not second[:1].isalpha()
    return fresh and (much_longer or not _GOES_ON.search(above))


def _may_be_above(above: str, below: str) -> bool:
    """Tell whether a line is a title, in a file where nearly all paragraphs begin with one."""
    return (_is_title(above) and _size(below) > len(above)) or _is_sentence_title(above, below)


def _is_sentence_title(above: str, below: str) -> bool:
    """Tell whether a line that ends with a full stop stands above an unwrapped abstract."""
    second = below.partition("\n")[0]
    short = len(above) <= _MAX_HEADING and len(second) > max(3 * len(above), _LEAST_TEXT)
    return short and above.endswith(".") and ". " not in above and _is_title(above.rstrip("."))


def _size(text: str) -> int:
    """Return the length of a text; a Chinese or Japanese sign counts for three letters."""
    return len(text) if text.isascii() else len(text) + 2 * len(_CJK.findall(text))


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
