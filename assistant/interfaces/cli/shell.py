"""What every command shares: the settings asked for, where to print, how to open the library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.text import Text

from assistant.errors import AssistantError
from assistant.interfaces.safe_text import neutralised
from assistant.jobs import never

if TYPE_CHECKING:
    # Both take their time; a command that needs them imports them when it runs.
    from assistant.app import Assistant
    from assistant.config import Settings

NOT_IN_LIBRARY = 3
_FINISHING = "Finishing what an earlier run left: the search indexes…"
_LEFT = {"papers": "Making all papers anew, as this version of the assistant reads them…"}


def stdout() -> Console:
    """Return a console on standard output that takes text as it is."""
    return Console(highlight=False, markup=False, emoji=False)


def stderr() -> Console:
    """Return a console on standard error that takes text as it is."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


@dataclass(slots=True)
class Shell:
    """The options that stand before the command, and what follows from them."""

    data_dir: Path | None = None
    debug: bool = False
    interrupted: Callable[[], bool] = field(default=never, repr=False)
    """Tells whether Ctrl-C was pressed, also where a library has swallowed it."""
    _settings: Settings | None = field(default=None, repr=False)

    def settings(self) -> Settings:
        """Return the settings, read once; raise ``ConfigError`` naming the one that is wrong."""
        from assistant.config import load_settings

        if self._settings is None:
            self._settings = load_settings(data_dir=self.data_dir, debug=self.debug or None)
        return self._settings

    @contextmanager
    def opened(self, *, create: bool = False, data_dir: Path | None = None) -> Iterator[Assistant]:
        """Open the library, or that in ``data_dir``, for the length of a command."""
        from assistant import app

        settings = self.settings()
        if data_dir is not None:
            settings = settings.model_copy(update={"data_dir": data_dir})
        with working("Opening the library…"):
            built = app.build(settings, create=create)
        try:
            yield built
        finally:
            built.close()


def shell_of(context: typer.Context) -> Shell:
    """Return the shell that a command runs in."""
    return context.ensure_object(Shell)


@contextmanager
def working(label: str) -> Iterator[Callable[[str, int], None]]:
    """Show in a terminal that work goes on; yield what takes ``(what, how many)``."""
    console = stderr()
    if not console.is_terminal:
        yield lambda _what, _count: None
        return
    with console.status(Text(label)) as status:
        yield lambda what, count: status.update(Text(f"{neutralised(what)}: {count:,}"))


def make_ready(assistant: Assistant) -> None:
    """Finish what an earlier run left, such as the indexes of a killed import, and say so."""
    with ExitStack() as shown:
        show: Callable[[str, int], None] | None = None

        def tell(what: str, count: int) -> None:
            nonlocal show
            if show is None:
                doing = _LEFT.get(what, _FINISHING)
                stderr().print(doing, soft_wrap=True)
                show = shown.enter_context(working(doing))
            show(what, count)

        assistant.ready(tell)


def print_error(error: AssistantError) -> None:
    """Print what went wrong and what mends it, to standard error."""
    console = stderr()
    console.print(Text(neutralised(error.message), style="bold red"), soft_wrap=True)
    if error.hint:
        console.print(Text(neutralised(error.hint)), soft_wrap=True)


def use_utf8() -> None:
    """Let every stream take every character, whatever the console's code page is."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
