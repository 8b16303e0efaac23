"""The numbers by which records that may be of one paper find each other.

Every record has a few: of its DOI, PubMed and arXiv number, of its text, of its title, of a few
runs of words. Two records of one paper share one at least; whether records that share one are of
one paper is judged in :mod:`assistant.library.sameness`.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator

from assistant.library import people, titles
from assistant.types import Record

_SHINGLE = 6
_NEAR = 4
_LETTERS = 12  # of languages without blanks
_LEAST_TEXT = 60
_LEAST_HEAD = 20
_WORD = re.compile(r"\w+")
_VERSION = re.compile(r"(?<=\d)[/.]v\d+$")
_SIGNED = (1 << 63) - 1
_ODD = 0x9E3779B97F4A7C15


def of_record(record: Record, folded: str) -> tuple[int, ...]:
    """Return the keys of a record; ``folded`` is the normalised plain form of its abstract."""
    return tuple(sorted({*_named(record), *of_text(folded)}))


def of_text(folded: str) -> set[int]:
    """Return the keys of a text: of the whole, and of those runs of its words that hash lowest.

    What changes a few words leaves most of these runs as they were.
    """
    return {of("text", folded), *_near(folded)} if folded else set()


def of(kind: str, value: str) -> int:
    """Return the key of a value: ``doi``, ``pmid``, ``arxiv_id``, ``title`` or ``text``."""
    data = f"{kind}\0{value}".encode()
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest()) & _SIGNED


def bare_doi(doi: str) -> str:
    """Return a DOI without the version that preprint servers put behind it."""
    return _VERSION.sub("", doi)


def _named(record: Record) -> Iterator[int]:
    if record.doi:
        yield of("doi", bare_doi(record.doi))
    if record.pmid:
        yield of("pmid", record.pmid)
    if record.arxiv_id:
        yield of("arxiv_id", record.arxiv_id)
    if not (title := titles.key(record.title)):
        return
    if titles.generic(record.title):
        # thousands of editorials would find each other for nothing
        family = people.parts(record.authors[0])[0].casefold() if record.authors else ""
        yield of("generic", f"{title}\0{family}\0{record.year}")
        return
    yield of("title", title)
    head = titles.head_key(record.title)
    if len(head) >= _LEAST_HEAD and not titles.generic(head):
        yield of("title", head)


def _near(folded: str) -> set[int]:
    words: list[str] = _WORD.findall(folded)
    if len(words) >= 2 * _SHINGLE:
        return _lowest([zlib.crc32(word.encode()) for word in words], _SHINGLE)
    if len(folded) >= _LEAST_TEXT:
        return _lowest([ord(char) for char in folded if char.isalnum()], _LETTERS)
    return set()


def _lowest(marks: list[int], size: int) -> set[int]:
    """Return the lowest hashes of all runs of ``size`` marks."""
    import numpy as np

    if len(marks) < size:
        return set()
    values = (np.array(marks, dtype=np.uint64) + np.uint64(1)) * np.uint64(_ODD)
    count = len(marks) - size + 1
    mixed = np.zeros(count, dtype=np.uint64)
    for step in range(size):
        mixed = (mixed ^ values[step : step + count]) * np.uint64(_ODD)
        mixed ^= mixed >> np.uint64(29)
    return {int(value) & _SIGNED for value in np.unique(mixed)[:_NEAR]}
