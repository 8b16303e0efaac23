"""Take a file out of the library: its papers go, those that other files bring as well stay."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import LibraryError
from assistant.library import cleaning, merging
from assistant.library.derive import Deriver
from assistant.library.store import Store


@dataclass(frozen=True, slots=True)
class Removal:
    """How many papers went, and how many stay because other files bring them as well."""

    removed: int
    kept: int


def remove_source(store: Store, derive: Deriver, file: str, *, keep: bool = True) -> Removal:
    """Forget what a file brought; with ``keep`` false, only count.

    Raise ``LibraryError`` where no paper came from it.
    """
    removed = kept = 0
    with store.transaction(keep=keep):
        ids = store.papers_of(file)
        if not ids:
            raise LibraryError(
                f"No paper came from a file {file!r}.", "See `assistant sources` for the files."
            )
        for paper_id in ids:
            entry = store.entry(paper_id)
            positions = {i for i, item in enumerate(entry.paper.sources) if item.file == file}
            if len(positions) == len(entry.paper.sources):
                store.delete(paper_id)
                removed += 1
            else:
                rest = merging.without(entry, positions)
                store.save(derive(rest, cleaning.plain(rest.paper.abstract)))
                kept += 1
    return Removal(removed, kept)
