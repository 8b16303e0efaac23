"""What the page asks of an assistant; :class:`assistant.app.Assistant` offers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from assistant.types import Event, Turn


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


class PageAssistant(Protocol):
    """Answers questions and says what it answers them from."""

    def ask(
        self, question: str, history: Sequence[Turn] = (), *, cancelled: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the events of one answer; end early once ``cancelled()``."""
        ...

    def status(self) -> PageStatus:
        """Return what the side bar tells."""
        ...

    def examples(self, n: int) -> Sequence[str]:
        """Return up to ``n`` questions that the library can answer."""
        ...
