"""Take files out of the library: their papers go, those that other files bring as well stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.library import cleaning, lookup, merging
from assistant.library.derive import Derive
from assistant.library.store import Store
from assistant.types import Source


@dataclass(frozen=True, slots=True)
class Removal:
    """How many papers went, and how many stay because other files bring them as well."""

    removed: int
    kept: int


def remove_source(store: Store, derive: Derive, file: str, *, keep: bool = True) -> Removal:
    """Forget what a file brought; with ``keep`` false, only count.

    Raise ``LibraryError`` where no paper came from it.
    """
    ids = lookup.papers_of_file(store, file)
    return _forget(store, derive, ids, lambda source: source.file == file, keep)


def remove_collection(store: Store, derive: Derive, name: str, *, keep: bool = True) -> Removal:
    """Forget what the files of a collection brought; with ``keep`` false, only count.

    Raise ``LibraryError`` where there is no such collection.
    """
    ids = lookup.papers_of_collection(store, name)
    return _forget(store, derive, ids, lambda source: source.collection == name, keep)


def _forget(
    store: Store, derive: Derive, ids: Sequence[str], goes: Callable[[Source], bool], keep: bool
) -> Removal:
    removed = kept = 0
    with store.transaction(keep=keep):
        for paper_id in ids:
            entry = store.entry(paper_id)
            positions = {i for i, item in enumerate(entry.paper.sources) if goes(item)}
            if len(positions) == len(entry.paper.sources):
                store.delete(paper_id)
                removed += 1
            else:
                rest = merging.without(entry, positions)
                store.save(derive(rest, cleaning.plain(rest.paper.abstract)))
                kept += 1
    return Removal(removed, kept)
