"""What the page asks of an assistant; :class:`assistant.app.Assistant` offers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TextIO

from assistant.jobs import ImportJob
from assistant.library.lookup import Choice
from assistant.library.removing import Removal
from assistant.library.store import Store
from assistant.types import Event, Filters, Findings, Idea, Paper, SavedSearch, Turn


class PageStatus(Protocol):
    """What the side bar tells."""

    @property
    def papers(self) -> int:
        """Return the number of papers in the library."""
        ...

    @property
    def collections(self) -> Mapping[str, int]:
        """Return the number of papers a collection."""
        ...

    @property
    def model(self) -> str:
        """Return the language model's name; empty means quotes only."""
        ...

    @property
    def model_hint(self) -> str:
        """Return what mends a missing model."""
        ...

    @property
    def embedder(self) -> str:
        """Return the embedder's name."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """Return what else the reader should know."""
        ...


class PageLibrary(Protocol):
    """What the Library tab does with a library."""

    @property
    def store(self) -> Store:
        """Return the library's truth, to be read."""
        ...

    @property
    def import_job(self) -> ImportJob | None:
        """Return the import under way, or the last one."""
        ...

    def import_in_background(
        self, paths: Sequence[Path], *, columns: Mapping[str, str] | None = None
    ) -> ImportJob:
        """Start an import; raise ``LibraryBusy`` while one is under way."""
        ...

    def choose(self, choice: Choice) -> Iterator[Paper]:
        """Yield the papers that are meant."""
        ...

    def export(self, papers: Iterable[Paper], format: str, out: TextIO) -> int:  # noqa: A002
        """Write papers; return how many."""
        ...

    def remove(self, paper_ids: Collection[str]) -> int:
        """Forget papers; return how many there were."""
        ...

    def remove_source(self, file: str, *, rehearse: bool = False) -> Removal:
        """Forget a file, or count what would go and stay."""
        ...

    def rename_collection(self, old: str, new: str) -> int:
        """Give a collection another name; return how many papers it holds."""
        ...


class PageFinder(Protocol):
    """What the Find tab does with a library."""

    @property
    def store(self) -> Store:
        """Return the library's truth, to be read."""
        ...

    def find(self, idea: Idea) -> Findings:
        """Return a page of the papers that an idea describes, or that papers are like."""
        ...

    def saved_searches(self, *, count: bool = False) -> list[SavedSearch]:
        """Return the kept searches; with ``count``, look for what is new for each."""
        ...

    def save_search(self, name: str, idea: Idea) -> SavedSearch:
        """Keep a search under a name."""
        ...

    def forget_search(self, name: str) -> None:
        """Forget a kept search."""
        ...

    def news(self, name: str) -> Findings:
        """Return what is new for a kept search; it is no news any more then."""
        ...


class PageAssistant(PageLibrary, PageFinder, Protocol):
    """Answers questions, says what it answers them from, and keeps that in order."""

    def ask(
        self,
        question: str,
        history: Sequence[Turn] = (),
        *,
        cancelled: Callable[[], bool],
        filters: Filters | None = None,
        literal: bool = False,
    ) -> Iterator[Event]:
        """Yield the events of one answer; end early once ``cancelled()``.

        With ``literal``, a question for papers is answered as any other.
        """
        ...

    def status(self) -> PageStatus:
        """Return what the side bar tells."""
        ...

    def examples(self, n: int) -> Sequence[str]:
        """Return up to ``n`` questions that the library can answer."""
        ...
