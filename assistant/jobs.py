"""An import that goes on in the background, and what can be asked of it meanwhile."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from assistant.errors import AssistantError
from assistant.types import ImportReport

State: TypeAlias = Literal["running", "done", "stopped", "failed"]

logger = logging.getLogger(__name__)


def never() -> bool:
    """Say that nobody asks for an end: what stands where no work can be cancelled."""
    return False


@dataclass(frozen=True, slots=True)
class Step:
    """How far an import is: ``stage`` is ``reading``, ``keywords``, ``passages`` or ``sentences``.

    ``file`` is the one being read. ``done`` counts records, then texts; ``total`` is 0 where it
    is not known.
    """

    stage: str = "reading"
    file: str = ""
    done: int = 0
    total: int = 0


Tell: TypeAlias = Callable[[Step], None]


class ImportJob:
    """One import on a thread of its own; every property may be read from any thread."""

    def __init__(
        self, work: Callable[[Tell, Callable[[], bool], Callable[[ImportReport], None]], None]
    ) -> None:
        """Start ``work(tell, cancelled, reported)``.

        It tells its steps, hands over the ledger once all files are read, and returns when the
        indexes are up to date.
        """
        self._work = work
        self._step = Step()
        self._report: ImportReport | None = None
        self._error: AssistantError | None = None
        self._state: State = "running"
        self._cancelled = threading.Event()
        self._ended = threading.Event()
        self._begun = time.monotonic()
        self._stopped_at = 0.0
        self.started = time.time()
        threading.Thread(target=self._run, daemon=True, name="import").start()

    @property
    def state(self) -> State:
        """Return whether the import is running, done, stopped by the reader, or failed."""
        return self._state

    @property
    def step(self) -> Step:
        """Return how far it is."""
        return self._step

    @property
    def stage(self) -> str:
        """Return the stage that it is in."""
        return self._step.stage

    @property
    def file(self) -> str:
        """Return the file that is being read, or was last."""
        return self._step.file

    @property
    def done(self) -> int:
        """Return how much of the stage is done."""
        return self._step.done

    @property
    def total(self) -> int:
        """Return how much the stage has to do; 0 where that is not known."""
        return self._step.total

    @property
    def report(self) -> ImportReport | None:
        """Return the ledger, once all files are read."""
        return self._report

    @property
    def error(self) -> AssistantError | None:
        """Return what made the import fail."""
        return self._error

    @property
    def seconds(self) -> float:
        """Return how long it has been running, or how long it took."""
        return (self._stopped_at or time.monotonic()) - self._begun

    def cancel(self) -> None:
        """Ask it to end: what has been read is kept, the indexes are finished another time."""
        self._cancelled.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, at most ``timeout`` seconds; return whether it has."""
        return self._ended.wait(timeout)

    def _tell(self, step: Step) -> None:
        # the name of the file stays in sight while its texts are indexed
        file = step.file or self._step.file
        self._step = Step(step.stage, file, step.done, step.total)

    def _take(self, report: ImportReport) -> None:
        self._report = report

    def _run(self) -> None:
        try:
            self._work(self._tell, self._cancelled.is_set, self._take)
            end: State = "stopped" if self._cancelled.is_set() else "done"
        except AssistantError as error:
            self._error, end = error, "failed"
        except Exception:
            logger.exception("An import in the background failed.")
            self._error = AssistantError(
                "Something went wrong inside while importing; what was read before is kept.",
                "Import the files again. `assistant doctor` looks whether a part is broken.",
            )
            end = "failed"
        self._stopped_at = time.monotonic()
        self._state = end
        self._ended.set()
