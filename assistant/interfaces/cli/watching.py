"""``assistant watch``: what appears or changes in a folder is imported."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from assistant.errors import AssistantError, LibraryBusy, LibraryError
from assistant.interfaces.cli import ledger
from assistant.interfaces.cli.shell import print_error, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.types import ImportReport

if TYPE_CHECKING:
    from assistant.app import Assistant

SETTLED = 2.0  # seconds that a file must not have changed for before it is read
PATIENCE = 60.0  # seconds that --once waits for files that are still being written
HALF = frozenset({".part", ".partial", ".crdownload", ".download", ".tmp"})

Stamp: TypeAlias = tuple[int, int]

logger = logging.getLogger(__name__)


def watch(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder to import from.")],
    interval: Annotated[
        float, typer.Option(min=0.2, help="Seconds between two looks at the folder.")
    ] = 5.0,
    once: Annotated[bool, typer.Option("--once", help="Import what is new, then leave.")] = False,
) -> None:
    """Import what appears or changes in a folder, until Ctrl-C.

    A file is read once it has not changed for two seconds. What is deleted from the folder stays
    in the library. With --once it leaves with 1 if a file could not be read.
    """
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise LibraryError(f"{folder} {what}.", "Name the folder that your exports are saved in.")
    with shell_of(context).opened(create=True) as assistant:
        watcher = Watcher(assistant, folder)
        if once:
            _once(watcher)
            raise typer.Exit(1 if watcher.failed else 0)
        stdout().print(f"Watching {neutralised(str(folder))}. Ctrl-C ends it.", soft_wrap=True)
        try:
            while True:
                watcher.look()
                time.sleep(interval)
        except KeyboardInterrupt:
            stdout().print("No longer watching; what was read is kept.", soft_wrap=True)


def _once(watcher: Watcher) -> None:
    """Look until every file has been read, or patience ends."""
    end = time.monotonic() + PATIENCE
    while watcher.look():
        if time.monotonic() > end:
            raise LibraryError(
                "Some files are still being written, or another process imports.", "Try it later."
            )
        time.sleep(SETTLED / 4)


class Watcher:
    """Remembers which files of a folder have been imported, and as what they were."""

    def __init__(self, assistant: Assistant, folder: Path) -> None:
        self.failed = False
        self._assistant = assistant
        self._folder = folder
        self._imported: dict[Path, Stamp] = {}
        self._before: dict[Path, Stamp] | None = None  # what the last look found
        self._told = ""

    def look(self) -> bool:
        """Import what is new or changed and settled; return whether something has to wait.

        Raise what every file would meet, such as a library of another embedder.
        """
        try:
            inside = sorted(self._folder.iterdir())
        except OSError as error:
            self._tell_once(f"{self._folder} cannot be read: {error.strerror or error}.")
            return True
        now = {path: stamp for path in inside if (stamp := _stamp(path))}
        before, self._before = self._before, now
        self._tell_gone(now)
        waiting = False
        for path, stamp in now.items():
            if self._imported.get(path) == stamp:
                continue
            still = before is None or before.get(path) == stamp
            if not still or _fresh(stamp) or not self._bring(path):
                waiting = True
                continue
            self._imported[path] = stamp
        return waiting

    def _bring(self, path: Path) -> bool:
        """Import a file; return false where it has to be tried again."""
        try:
            with working("Reading…") as on_progress:
                report = self._assistant.ingest([path], on_progress=on_progress)
        except LibraryBusy as error:
            self._tell_once(f"{error.message} Waiting for it.")
            return False
        except LibraryError as error:
            self._fail(error)
        except AssistantError:
            raise
        except Exception as error:
            logger.exception("%s could not be imported", path)
            told = f"{path.name}: something went wrong inside ({type(error).__name__})."
            self._fail(AssistantError(told, "The others go on. Import it alone to see more."))
        else:
            self._told = ""
            self._print(report)
        return True

    def _print(self, report: ImportReport) -> None:
        for file in report.files:
            stdout().print(ledger.short(file), soft_wrap=True)
            if file.error:
                self.failed = True
                ledger.print_failure(file)

    def _fail(self, error: AssistantError) -> None:
        self.failed = True
        print_error(error)

    def _tell_gone(self, now: dict[Path, Stamp]) -> None:
        for path in [path for path in self._imported if path not in now]:
            del self._imported[path]
            name = neutralised(path.name)
            stdout().print(f"{name} is gone from the folder; its papers stay.", soft_wrap=True)

    def _tell_once(self, message: str) -> None:
        """Say why there is a wait, once for every wait."""
        if message != self._told:
            print_error(AssistantError(message))
        self._told = message


def _stamp(path: Path) -> Stamp | None:
    """Return when a file was changed and how long it is; None for what is not to be read."""
    try:
        if path.name.startswith(".") or path.suffix.lower() in HALF or not path.is_file():
            return None
        status = path.stat()
    except OSError:  # gone between two looks at it
        return None
    return status.st_mtime_ns, status.st_size


def _fresh(stamp: Stamp) -> bool:
    """Tell whether a file has just been changed; one from the future, by its clock, has not."""
    return 0 <= time.time() - stamp[0] / 1e9 < SETTLED
