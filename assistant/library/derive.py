"""Everything that is made from an abstract: handle, links, sentences, passages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from assistant.library import abstracts, handles, passages, sentences
from assistant.library.cleaning import PlainText
from assistant.library.schema import Entry

Derive: TypeAlias = Callable[[Entry, PlainText], Entry]

_STEP = "3"
"""Counts changes of cleaning, handles, sentences and passages; a new one derives all again."""


@dataclass(frozen=True, slots=True)
class Deriver:
    """Makes the parts anew; ``count_tokens`` and ``max_tokens`` bound the passages."""

    count_tokens: Callable[[str], int]
    max_tokens: int

    @property
    def way(self) -> str:
        """Return a word that changes when the parts come out otherwise."""
        return f"{_STEP}:{self.max_tokens}"

    def __call__(self, entry: Entry, plain: PlainText) -> Entry:
        """Return the entry with its parts; ``plain`` is the plain form of its abstract."""
        paper = entry.paper
        start, end = abstracts.content_span(plain.text)
        parts = sentences.split(plain, paper.id, (start, end))
        return replace(
            entry,
            paper=replace(
                paper,
                # a title is a name already; the text is asked only where there is none
                handle=handles.shortened(paper.title)
                or handles.handle(plain.text[start:end], [part.text for part in parts]),
                code_links=handles.code_links(paper.abstract),
            ),
            sentences=parts,
            passages=passages.make(parts, self.count_tokens, self.max_tokens, plain),
        )


def underived(entry: Entry, plain: PlainText) -> Entry:
    """Return the entry as it is, for a rehearsal that only counts."""
    del plain
    return entry
