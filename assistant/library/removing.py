"""Take files out of the library: their papers go, those that other files bring as well stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.errors import LibraryError
from assistant.library import cleaning, merging
from assistant.library.derive import Deriver
from assistant.library.store import Store
from assistant.types import Filters, Source


@dataclass(frozen=True, slots=True)
class Removal:
    """How many papers went, and how many stay because other files bring them as well."""

    removed: int
    kept: int


def remove_source(store: Store, derive: Deriver, file: str, *, keep: bool = True) -> Removal:
    """Forget what a file brought; with ``keep`` false, only count.

    Raise ``LibraryError`` where no paper came from it.
    """
    ids = store.papers_of(file)
    if not ids:
        raise LibraryError(
            f"No paper came from a file {file!r}.", "See `assistant sources` for the files."
        )
    return _forget(store, derive, ids, lambda source: source.file == file, keep)


def remove_collection(store: Store, derive: Deriver, name: str, *, keep: bool = True) -> Removal:
    """Forget what the files of a collection brought; with ``keep`` false, only count.

    Raise ``LibraryError`` where there is no such collection.
    """
    ids = store.paper_ids(Filters(collections=(name,)))
    if not ids:
        raise LibraryError(
            f"There is no collection {name!r}.", "See `assistant collections` for their names."
        )
    return _forget(store, derive, sorted(ids), lambda source: source.collection == name, keep)


def _forget(
    store: Store, derive: Deriver, ids: Sequence[str], goes: Callable[[Source], bool], keep: bool
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
