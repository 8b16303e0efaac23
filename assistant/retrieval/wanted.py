"""What should stand in the indexes of a library, asked of its store.

The vector index holds passages, which fit the embedder; the keyword index holds whole texts, one
a paper, because how often a word stands in a paper is told by all of it. For a paper without an
abstract its name stands in both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import attrgetter

from assistant.library.store import Store
from assistant.retrieval.ports import paper_of
from assistant.types import Passage

_TITLE = "title"
_WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The ids of passages and of whole texts, and what stands for papers without an abstract."""

    passages: set[str]
    texts: set[str]
    named: tuple[Passage, ...]


def wanted(store: Store) -> Wanted:
    """Return what should be indexed."""
    named = tuple(title_passage(*paper) for paper in store.textless().items())
    bare = {passage.id for passage in named}
    passages = store.passage_ids()
    ordered = groupby(sorted(passages), paper_of)
    texts = {_whole_id(paper_id, ids) for paper_id, ids in ordered}
    return Wanted(passages | bare, texts | bare, named)


def vector_ids(store: Store, paper_ids: Sequence[str]) -> dict[str, str]:
    """Return the ids under which papers stand in the vector index, each with its paper's id."""
    ids = dict(store.passages_of(paper_ids))
    told = set(ids.values())
    bare = store.papers([paper_id for paper_id in paper_ids if paper_id not in told])
    return ids | {title_passage(paper.id, paper.name).id: paper.id for paper in bare}


def new_passages(store: Store, named: Iterable[Passage], new: Collection[str]) -> Iterator[Passage]:
    """Yield those of the passages that are new, streamed from the store."""
    if new:
        passages = chain(named, store.passages())
        yield from (passage for passage in passages if passage.id in new)


def new_texts(store: Store, named: Iterable[Passage], new: Collection[str]) -> Iterator[Passage]:
    """Yield those of the whole texts that are new; a paper that is only named has none."""
    if not new:
        return
    yield from (replace(passage, text="") for passage in named if passage.id in new)
    for paper_id, group in groupby(store.passages(), attrgetter("paper_id")):
        parts = list(group)
        whole_id = _whole_id(paper_id, sorted(part.id for part in parts))
        if whole_id in new:
            text = " ".join(part.text for part in parts)
            yield Passage(whole_id, paper_id, parts[0].start, parts[-1].end, text)


def title_passage(paper_id: str, name: str) -> Passage:
    """Return what stands in the indexes for a paper without an abstract: its name."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return Passage(f"{paper_id}:{_TITLE}:{digest}", paper_id, 0, 0, name)


def _whole_id(paper_id: str, passage_ids: Iterable[str]) -> str:
    """Return the id of a whole text, which changes when a passage of it does."""
    digest = hashlib.sha256("\n".join(passage_ids).encode()).hexdigest()[:8]
    return f"{paper_id}:{_WHOLE}:{digest}"
