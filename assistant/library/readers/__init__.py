"""Readers: bytes of one family of formats become records and rejections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.readers import jsonl, plaintext
from assistant.types import Record, Rejected

_PEEK = 20

# Formats that are plainly not abstracts in paragraphs; read as such they would come in as rubbish.
_NOT_YET = (
    (re.compile(r"@[A-Za-z]+\s*\{"), "BibTeX"),
    (re.compile(r"TY {1,2}- "), "RIS"),
    (re.compile(r"PMID ?- "), "PubMed's format"),
    (re.compile(r"%0 "), "EndNote's format"),
    (re.compile(r"(?:FN (?:Clarivate|Thomson|ISI)|VN 1\.0|PT [JBSP]$)"), "Web of Science's format"),
    (re.compile(r"<(?:\?xml|!DOCTYPE|html\b)", re.IGNORECASE), "XML or HTML"),
    (re.compile(r"\[\s*(?:\{|$)"), "JSON in one array"),
    (re.compile(r'(?:"[^"]*"[,;\t]){3,}'), "a table"),
    (
        re.compile(
            r"(?i)(?=.*abstract)(?=.*(?:title|author|doi))"
            r"[\w ()./#-]+(?:[,;\t]\"?[\w ()./#-]*\"?){8,}$"
        ),
        "a table",
    ),
    (
        re.compile(r"(?i)(?=.*(?:title|abstract))[^,;\t]{1,40}([,;\t][^,;\t]{0,40}){3,}$"),
        "a table",
    ),
)


def read(path: Path) -> Iterator[Record | Rejected]:
    """Yield what each record of a file became; raise ``ReadError`` for what is no list of records.

    The format is recognised by content; the file is streamed and never held as a whole.
    """
    if path.is_dir():
        raise decode.unreadable(path, IsADirectoryError())
    stream = decode.lines(path)
    first: list[Line] = []
    for line in stream:
        first.append(line)
        if len(first) >= _PEEK and any(seen.text.strip() for seen in first):
            break
        if len(first) > _PEEK:
            first.pop(0)  # a file may begin with any number of blank lines
    peeked = [line.text.strip() for line in first if line.text.strip()]
    opening = next(iter(peeked), "")
    everything = chain(first, stream)
    if jsonl.recognises(opening):
        yield from jsonl.read(path, everything)
        return
    # Comments, search histories and the like may stand before the first record.
    for pattern, name in _NOT_YET:
        if any(map(pattern.match, peeked)):
            raise ReadError(
                f"{path.name} looks like {name}, which cannot be imported.",
                "Import plain text with one abstract a paragraph, or JSON Lines.",
            )
    yield from plaintext.read(path, everything)
