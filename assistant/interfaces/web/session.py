"""One tab's conversation, and the answer that it is waiting for.

The engine works in a thread of its own and hands its events over through a queue. So Stop takes
effect on the page within a second whatever the engine is busy with, and a tab that is closed
leaves nothing running.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from assistant.errors import AssistantError
from assistant.interfaces.progress import Progress
from assistant.interfaces.render_html import exchange
from assistant.interfaces.web.ports import PageAssistant
from assistant.types import Event, Filters, Turn

_log = logging.getLogger(__name__)

REMEMBERED = 6  # earlier exchanges that a question is asked with
_FRAME = 0.05  # seconds between two pictures of an answer
_GRACE = 0.8  # seconds that the engine has to end by itself after Stop
_POLL = 0.1


class Run:
    """One answer under way."""

    def __init__(
        self,
        assistant: PageAssistant,
        question: str,
        history: Sequence[Turn],
        within: tuple[str, ...] = (),
        *,
        literal: bool = False,
    ) -> None:
        self.progress = Progress(question)
        self._literal = literal
        self.within = within
        self._cancelled = threading.Event()
        self._news: queue.SimpleQueue[Event | AssistantError | None] = queue.SimpleQueue()
        self._stopped_at = 0.0
        work = threading.Thread(
            target=self._work, args=(assistant, question, tuple(history)), daemon=True
        )
        work.start()

    def stop(self) -> None:
        """Ask the engine to end."""
        if not self._cancelled.is_set():
            self._stopped_at = time.monotonic()
            self._cancelled.set()

    def updates(self) -> Iterator[None]:
        """Yield whenever there is something new to show; end with the answer, or after Stop."""
        while not self.progress.finished:
            if self._take():
                yield
                time.sleep(_FRAME)
            elif self._cancelled.is_set() and time.monotonic() - self._stopped_at > _GRACE:
                self.progress.stopped = True

    def _take(self) -> bool:
        """Take in what has come; return whether anything has."""
        try:
            self._apply(self._news.get(timeout=_POLL))
            while not self._news.empty():
                self._apply(self._news.get_nowait())
        except queue.Empty:
            return False
        return True

    def _apply(self, news: Event | AssistantError | None) -> None:
        if isinstance(news, AssistantError):
            self.progress.error = news
        elif news is not None:
            self.progress.take(news)
        elif self._cancelled.is_set():
            self.progress.stopped = True
        elif not self.progress.finished:
            self.progress.error = AssistantError("The answer broke off.", "Press Retry.")

    def _work(self, assistant: PageAssistant, question: str, history: tuple[Turn, ...]) -> None:
        try:
            filters = Filters(collections=self.within) if self.within else None
            for event in assistant.ask(
                question,
                history,
                cancelled=self._cancelled.is_set,
                filters=filters,
                literal=self._literal,
            ):
                self._news.put(event)
        except AssistantError as error:
            self._news.put(error)
        except Exception:  # noqa: BLE001 - whatever it was, the conversation goes on
            _log.exception("A question from the page failed.")
            self._news.put(
                AssistantError(
                    "Something went wrong inside the assistant.",
                    "Press Retry. If it happens again, `assistant doctor` looks for the cause, "
                    "and the log file holds the details.",
                )
            )
        self._news.put(None)


class Session:
    """The exchanges of one tab. Gradio copies the empty one for each new tab."""

    def __init__(self) -> None:
        self.run: Run | None = None
        self._busy = threading.Lock()
        self._turns: list[tuple[Progress, str]] = []
        self._count = 0

    def __deepcopy__(self, memo: object) -> Session:
        return Session()

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Hold the conversation while it is changed; False where an answer is under way."""
        free = self._busy.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self.run = None
                self._busy.release()

    @property
    def empty(self) -> bool:
        """Tell whether nothing has been asked."""
        return not self._turns and self.run is None

    @property
    def html(self) -> str:
        """Return the finished exchanges, in a region whose additions are read out."""
        inside = "".join(html for _, html in self._turns)
        return f'<div role="log" aria-label="Conversation">{inside}</div>'

    @property
    def live_html(self) -> str:
        """Return the exchange under way."""
        return self._exchange(self.run) if self.run else ""

    def begin(
        self,
        assistant: PageAssistant,
        question: str,
        within: tuple[str, ...] = (),
        *,
        literal: bool = False,
    ) -> Run:
        """Ask a question, of the collections ``within`` or, without any, of all.

        With ``literal``, a question for papers is answered as any other.
        """
        self._count += 1
        past = [progress.turn() for progress, _ in self._turns if progress.answer is not None]
        self.run = Run(assistant, question, past[-REMEMBERED:], within, literal=literal)
        return self.run

    def finish(self, run: Run) -> None:
        """Keep what has become of a question."""
        self._turns.append((run.progress, self._exchange(run)))
        self.run = None

    def stop(self) -> None:
        """Stop the answer under way, if there is one."""
        if self.run is not None:
            self.run.stop()

    def pop(self) -> str:
        """Forget the last exchange and return its question; empty where there is none."""
        return self._turns.pop()[0].question if self._turns else ""

    def clear(self) -> None:
        """Forget everything."""
        self._turns.clear()

    def _exchange(self, run: Run) -> str:
        return exchange(run.progress, f"turn-{self._count}", run.within)
