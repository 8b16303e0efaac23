"""The import desk of the page: takes files, starts their import, tells how far it is.

There is one desk a server and one import at a time, so every tab sees the same.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import LibraryBusy, QuestionError
from assistant.interfaces.web.ports import PageLibrary
from assistant.interfaces.web.uploads import Batch, Uploads
from assistant.jobs import ImportJob
from assistant.types import FileReport

_log = logging.getLogger(__name__)

_LEAST_TIME = 1.0  # seconds before a rate is told
_TABLES = ("csv", "tsv")
_COLUMNS_TOLD = "Its columns are:"


@dataclass(frozen=True)
class Pace:
    """How fast the present stage goes; ``left`` is None where that cannot be told."""

    rate: float = 0.0
    left: float | None = None


@dataclass
class _Watched:
    """When a stage was first seen, and how far it was then."""

    stage: tuple[str, str]
    since: float
    done: int


class Desk:
    """What the page knows of imports beyond the job itself."""

    def __init__(self, library: PageLibrary) -> None:
        self._library = library
        self._uploads = Uploads()
        self._lock = threading.Lock()
        self._waiting: Batch | None = None  # tables of the last import that lack a column
        self._names: tuple[str, ...] = ()
        self._watched: _Watched | None = None
        self._cleared = threading.Event()  # what the last import needs no more is gone
        self._cleared.set()

    @property
    def job(self) -> ImportJob | None:
        """Return the import under way, or the last one."""
        return self._library.import_job

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the files of the last import from the page."""
        return self._names

    @property
    def unmapped(self) -> tuple[str, ...]:
        """Return the names of the tables that wait for the name of a column."""
        self._cleared.wait(_LEAST_TIME if self.job and self.job.state != "running" else 0)
        with self._lock:
            return tuple(path.name for path in self._waiting.paths) if self._waiting else ()

    def begin(self) -> str:
        """Make room for files; raise ``LibraryBusy`` while an import is under way."""
        self.must_rest()
        return self._uploads.begin()

    async def receive(self, batch: str, name: str, content: AsyncIterator[bytes]) -> None:
        """Take one file in."""
        await self._uploads.receive(batch, name, content)

    def discard(self, batch: str) -> None:
        """Throw files away that are not to be imported after all."""
        self._uploads.discard(batch)

    def start(self, batch: str) -> ImportJob:
        """Import the files of a batch; raise ``LibraryBusy`` while another import is under way."""
        taken = self._uploads.take(batch)
        if not taken.paths:
            taken.remove()
            raise QuestionError("No file was chosen.", "Choose one or more files.")
        job = self._start(taken, {})
        self.forget_unmapped(but=taken)
        return job

    def start_mapped(self, column: str) -> ImportJob:
        """Import the tables that wait for it with ``column`` as their abstract."""
        if not column.strip():
            raise QuestionError("No column was named.", "Type the name of the abstract's column.")
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is None:
            raise QuestionError("These files are no longer here.", "Choose them again.")
        return self._start(waiting, {"abstract": column.strip()})

    def forget_unmapped(self, *, but: Batch | None = None) -> None:
        """Throw the tables away that wait for a column."""
        with self._lock:
            waiting = self._waiting if self._waiting is not but else None
            if waiting is not None:
                self._waiting = None
        if waiting is not None:
            waiting.remove()

    def cancel(self) -> None:
        """Ask the import under way to end."""
        if self.job is not None:
            self.job.cancel()

    def must_rest(self) -> None:
        """Raise ``LibraryBusy`` while an import is under way."""
        if self.job is not None and self.job.state == "running":
            raise LibraryBusy(
                "An import is under way.", "Wait until it has ended, or cancel it first."
            )

    def pace(self, job: ImportJob) -> Pace:
        """Return how fast the present stage goes, since a tab first looked at it."""
        now, step = time.monotonic(), job.step
        stage = (step.stage, step.file if step.stage == "reading" else "")
        with self._lock:
            seen = self._watched
            if seen is None or seen.stage != stage or step.done < seen.done:
                self._watched = _Watched(stage, now, step.done)
                return Pace()
        took, did = now - seen.since, step.done - seen.done
        if took < _LEAST_TIME or did <= 0:
            return Pace()
        rate = did / took
        return Pace(rate, (step.total - step.done) / rate if step.total else None)

    def _start(self, batch: Batch, columns: Mapping[str, str]) -> ImportJob:
        try:
            job = self._library.import_in_background(batch.paths, columns=columns or None)
        except BaseException:
            batch.remove()
            raise
        self._names = tuple(path.name for path in batch.paths)
        self._watched, self._cleared = None, threading.Event()
        threading.Thread(
            target=self._clear_after, args=(job, batch, self._cleared), daemon=True
        ).start()
        return job

    def _clear_after(self, job: ImportJob, batch: Batch, cleared: threading.Event) -> None:
        """Throw the copies away once they are imported, all but tables that lack a column."""
        job.wait()
        files = job.report.files if job.report else ()
        lacking = {file.file.partition("/")[0] for file in files if lacks_column(file)}
        kept: list[Path] = []
        for path in batch.paths:
            if path.name in lacking:
                kept.append(path)
            else:
                path.unlink(missing_ok=True)
        if kept:
            batch.paths[:] = kept
            with self._lock:
                self._waiting = batch
        else:
            batch.remove()
        cleared.set()


def lacks_column(report: FileReport) -> bool:
    """Tell whether a table's column of abstracts was not found, by its name or by a reader's."""
    if report.error:
        return _COLUMNS_TOLD in report.hint
    taken = report.read - report.rejected_count
    return report.format in _TABLES and taken > 0 and not report.with_abstract


def columns_told(report: FileReport) -> str:
    """Return the names of a table's columns, as far as its error tells them."""
    return report.hint.partition(_COLUMNS_TOLD)[2].strip()
