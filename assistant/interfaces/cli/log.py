"""The log file: where tracebacks and the warnings of libraries go instead of the terminal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.errors import AssistantError

LARGEST = 1_000_000  # bytes; then the file is kept once as .old and begun anew


class LogFile(logging.Handler):
    """Append to a file that is neither named nor made before there is something to say."""

    def __init__(self, path: Callable[[], Path]) -> None:
        super().__init__(logging.WARNING)
        self._path = path
        self.written: Path | None = None
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Append one record; a log that cannot be written must not stop the work."""
        try:
            path = self._path()
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > LARGEST:
                path.replace(path.with_suffix(".log.old"))
            with path.open("a", encoding="utf-8", errors="replace") as handle:
                handle.write(self.format(record) + "\n")
        except (OSError, AssistantError):
            self.written = None
        else:
            self.written = path


@contextmanager
def logging_to(path: Callable[[], Path]) -> Iterator[LogFile]:
    """Send everything from warnings upwards to the file for a while, and nothing elsewhere."""
    handler = LogFile(path)
    root = logging.getLogger()
    root.addHandler(handler)
    logging.captureWarnings(capture=True)
    try:
        yield handler
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(handler)
