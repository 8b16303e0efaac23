"""Exports are read back before they are written: what would change is said once more, exactly."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import Any, TextIO

from assistant.library import exact
from assistant.library.documents import Document
from assistant.types import Paper, Record, Rejected

_TOGETHER = 50


@dataclass(frozen=True, slots=True)
class Format:
    """How a file is put together of its papers, and read again.

    ``writing`` returns the text of a paper under a key, with the fields that are to be said
    exactly. ``key`` gives each paper its key, and is asked once for each.
    """

    writing: Callable[[Paper, Mapping[str, Any], str], str]
    reading: Callable[[Document], Iterator[Record | Rejected]]
    head: str = ""
    joint: str = ""
    tail: str = ""
    key: Callable[[Paper], str] = attrgetter("id")

    def write(self, papers: Iterable[Paper], out: TextIO) -> int:
        """Write papers such that our reader takes each as the same paper; return how many."""
        out.write(self.head)
        count, waiting = 0, iter(papers)
        while some := [(paper, self.key(paper)) for paper in islice(waiting, _TOGETHER)]:
            out.write(self.joint if count else "")
            out.write(self.joint.join(self._texts(some)))
            count += len(some)
        out.write(self.tail)
        return count

    def _texts(self, papers: Sequence[tuple[Paper, str]]) -> list[str]:
        texts = [self.writing(paper, {}, key) for paper, key in papers]
        found = self._read(texts)
        if len(found) == len(papers) and not any(
            exact.differing(paper, record) for (paper, _), record in zip(papers, found, strict=True)
        ):
            return texts
        return [self._text(paper, key) for paper, key in papers]

    def _text(self, paper: Paper, key: str) -> str:
        plain = self.writing(paper, {}, key)
        missing = exact.differing(paper, self._one(plain))
        if not missing:
            return plain
        text = self.writing(paper, missing, key)
        if not exact.differing(paper, self._one(text)):
            return text
        # a text that breaks the format itself: the exact form says it all
        letters = "".join(char for char in paper.name if char.isalnum() or char == " ")
        bare = Paper(paper.id, paper.handle, "", title=letters.strip() or "Paper")
        return self.writing(replace(bare, sources=paper.sources), exact.differing(paper, None), key)

    def _one(self, text: str) -> Record | None:
        found = self._read([text])
        return found[0] if len(found) == 1 else None

    def _read(self, texts: Sequence[str]) -> list[Record | None]:
        """Return the records that texts are read as, None for one that is rejected."""
        whole = f"{self.head}{self.joint.join(texts)}{self.tail}"
        data = whole.encode("utf-8", "replace")
        found = self.reading(Document("export", "", lambda: io.BytesIO(data)))
        return [item if isinstance(item, Record) else None for item in found]


def collections(paper: Paper) -> list[str]:
    """Return the names of a paper's collections, each once."""
    return list(dict.fromkeys(source.collection for source in paper.sources if source.collection))
