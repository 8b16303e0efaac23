"""Exports are read back before they are written: what would change is said once more, exactly."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from assistant.library import exact
from assistant.library.documents import Document
from assistant.types import Paper, Record, Rejected

Writing = Callable[[Paper, Mapping[str, Any]], str]
Reading = Callable[[Document], Iterator[Record | Rejected]]


def text_of(paper: Paper, writing: Writing, reading: Reading, head: str = "") -> str:
    """Return the text of one paper that our reader takes as the same paper.

    ``head`` is what stands on top of a file of this format.
    """
    plain = writing(paper, {})
    missing = exact.differing(paper, _read(head + plain, reading))
    if not missing:
        return plain
    text = writing(paper, missing)
    if not exact.differing(paper, _read(head + text, reading)):
        return text
    # a text that breaks the format itself: the exact form says it all
    letters = "".join(char for char in paper.name if char.isalnum() or char == " ")
    bare = Paper(paper.id, paper.handle, "", title=letters.strip() or "Paper")
    return writing(replace(bare, sources=paper.sources), exact.differing(paper, None))


def _read(text: str, reading: Reading) -> Record | None:
    """Return the one record that a text is, or None where it is something else."""
    data = text.encode("utf-8", "replace")
    found = list(reading(Document("export", "", lambda: io.BytesIO(data))))
    return found[0] if len(found) == 1 and isinstance(found[0], Record) else None


def collections(paper: Paper) -> list[str]:
    """Return the names of a paper's collections, each once."""
    return list(dict.fromkeys(source.collection for source in paper.sources if source.collection))
