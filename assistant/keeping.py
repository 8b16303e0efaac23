"""Keep a library and its indexes in step: import, remove, rename, index again.

One import at a time, here or in another process; questions are answered meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TextIO

from assistant.errors import LibraryBusy
from assistant.jobs import ImportJob, Step, Tell
from assistant.library import exporting, lookup, removing
from assistant.library.importing import Importer
from assistant.library.lookup import Choice
from assistant.library.removing import Removal
from assistant.library.store import Store
from assistant.retrieval.indexes import Indexes, SyncReport
from assistant.retrieval.locks import exclusive
from assistant.types import Idea, ImportReport, Paper, SavedSearch
from assistant.writing.ports import CancelCheck

LOOK_AGAIN = 30.0  # seconds until indexes that another process was writing are looked at again


class Keeper:
    """Changes a library; safe to share between threads."""

    def __init__(self, store: Store, indexes: Indexes) -> None:
        self.store = store
        self.indexes = indexes
        self._maintenance = threading.Lock()
        self._checked = False
        self._look_again_at = 0.0
        self._job: ImportJob | None = None
        self._starting = threading.Lock()

    def ready(self, on_progress: Callable[[str, int], None] | None = None) -> None:
        """Mend the derived indexes once a start, if they are not those of the library.

        While an import is under way, here or in another process, do nothing: questions are
        answered from what is there. Raise ``DerivedIndexError`` for another embedder's library.
        """
        self.indexes.require_own_embedder()
        if self._checked or time.monotonic() < self._look_again_at:
            return
        if not self._maintenance.acquire(blocking=not self._importing()):
            return
        try:
            if not self._checked:
                self._mend(on_progress)
                self._checked = True
        except LibraryBusy:
            self._look_again_at = time.monotonic() + LOOK_AGAIN
        finally:
            self._maintenance.release()

    def _mend(self, on_progress: Callable[[str, int], None] | None) -> None:
        if self._importer.stale():
            self._importer.derive_again()
        if self.indexes.check():
            self.indexes.sync(_counted(on_progress))

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        dry_run: bool = False,
        columns: Mapping[str, str] | None = None,
        on_progress: Callable[[str, int], None] | None = None,
        cancelled: CancelCheck | None = None,
    ) -> ImportReport:
        """Import files, then bring the indexes up to date with what changed.

        ``columns`` says which columns of tables hold which field. ``on_progress`` gets a file's
        name or a stage, and how many records or texts are done.
        """
        if dry_run:
            return self._importer.run(
                paths, dry_run=True, columns=columns, on_progress=on_progress, cancelled=cancelled
            )
        reports: list[ImportReport] = []

        def tell(step: Step) -> None:
            if on_progress:
                on_progress(step.file or step.stage, step.done)

        self._ingest(paths, columns, tell, cancelled or _never, reports.append)
        return reports[0]

    def import_in_background(
        self, paths: Sequence[Path], *, columns: Mapping[str, str] | None = None
    ) -> ImportJob:
        """Start an import on a thread; raise ``LibraryBusy`` while another one is running."""
        with self._starting:
            if self._importing():
                raise LibraryBusy(
                    "An import is under way.", "Wait until it has ended, or cancel it first."
                )
            files = tuple(paths)
            self._job = ImportJob(
                lambda tell, cancelled, reported: self._ingest(
                    files, columns, tell, cancelled, reported
                )
            )
            return self._job

    @property
    def import_job(self) -> ImportJob | None:
        """Return the import under way in the background, or the last one."""
        return self._job

    def _importing(self) -> bool:
        return self._job is not None and self._job.state == "running"

    def _ingest(
        self,
        paths: Sequence[Path],
        columns: Mapping[str, str] | None,
        tell: Tell,
        cancelled: CancelCheck,
        reported: Callable[[ImportReport], None],
    ) -> None:
        self.indexes.require_own_embedder()
        with self._alone():
            report = self._importer.run(
                paths,
                columns=columns,
                on_progress=lambda file, records: tell(Step("reading", file, records)),
                cancelled=cancelled,
            )
            reported(report)
            with self._maintenance:
                done = self.indexes.sync(
                    lambda stage, count, total: tell(Step(stage, "", count, total)), cancelled
                )
                # what a stopped import leaves to do is done at the next start, not at a question
                self._checked = self._checked or not done.stopped

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from importing into the same library meanwhile."""
        if self.store.path is None:
            yield
            return
        with exclusive(self.store.path.with_name("import.lock"), "importing into this library"):
            yield

    def remove(self, paper_ids: Collection[str]) -> int:
        """Forget papers; return how many there were."""
        with self.store.transaction():
            removed = self.store.remove(paper_ids)
        self._sync()
        return removed

    def remove_source(self, file: str, *, rehearse: bool = False) -> Removal:
        """Forget a file: papers that other files bring as well stay, without what it said.

        With ``rehearse``, only count.
        """
        deriver = self._importer.deriver
        removal = removing.remove_source(self.store, deriver, file, keep=not rehearse)
        if not rehearse:
            self._sync()
        return removal

    def remove_collection(self, name: str, *, rehearse: bool = False) -> Removal:
        """Forget a collection as ``remove_source`` forgets a file."""
        deriver = self._importer.deriver
        removal = removing.remove_collection(self.store, deriver, name, keep=not rehearse)
        if not rehearse:
            self._sync()
        return removal

    def paper(self, name: str) -> Paper:
        """Return the paper that a reader names by id, DOI or title; raise ``LibraryError``."""
        return lookup.paper_named(self.store, name)

    def choose(self, choice: Choice) -> Iterator[Paper]:
        """Yield the papers that a reader chooses, in order of import."""
        return lookup.chosen(self.store, choice)

    def rename_collection(self, old: str, new: str) -> int:
        """Give a collection another name; return how many papers it holds."""
        with self.store.transaction():
            return self.store.rename_collection(old, new)

    def export(self, papers: Iterable[Paper], format: str, out: TextIO) -> int:  # noqa: A002
        """Write papers in one of ``exporting.FORMATS``; return how many."""
        return exporting.write(papers, format, out)

    def save_search(self, name: str, idea: Idea) -> SavedSearch:
        """Keep a search under a name; what the library holds now is not news to it.

        Raise ``LibraryError`` for a name that another search has.
        """
        search = SavedSearch(name.strip(), idea, date.today().isoformat())  # noqa: DTZ011 - the reader's day
        with self.store.transaction():
            self.store.keep_search(search)
        return search

    def forget_search(self, name: str) -> None:
        """Forget a kept search; raise ``LibraryError`` where there is none of this name."""
        with self.store.transaction():
            self.store.forget_search(name)

    def _sync(self) -> None:
        with self._maintenance:
            self.indexes.sync()

    def reindex(self, on_progress: Callable[[str, int], None] | None = None) -> SyncReport:
        """Make every derived index again from the library, with the embedder in use."""
        with self._maintenance:
            if self._importer.stale():
                self._importer.derive_again()
            return self.indexes.rebuild(_counted(on_progress))

    def papers(self) -> list[Paper]:
        """Return the papers in order of import."""
        return self.store.papers()

    @property
    def _importer(self) -> Importer:
        embedder = self.indexes.embedder
        return Importer(self.store, embedder.count_tokens, embedder.max_tokens)


def _counted(
    on_progress: Callable[[str, int], None] | None,
) -> Callable[[str, int, int], None] | None:
    if on_progress is None:
        return None
    return lambda stage, done, _total: on_progress(stage, done)


def _never() -> bool:
    return False
