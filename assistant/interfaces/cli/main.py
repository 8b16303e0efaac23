"""The command line: ``assistant`` and ``python -m assistant``.

Only what ``--help`` needs is imported here and in the modules beside this one; a command imports
the rest when it runs, so that help is there at once.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from assistant import __version__
from assistant.errors import AssistantError
from assistant.interfaces.cli import (
    ask,
    chat,
    doctor,
    evaluation,
    find,
    ingest,
    library,
    models,
    searches,
)
from assistant.interfaces.cli.log import LogFile, logging_to
from assistant.interfaces.cli.shell import Shell, print_error, shell_of, use_utf8

app = typer.Typer(
    name="assistant",
    help="Ask a library of paper abstracts; every statement carries the sentence it rests on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("ask")(ask.ask)
app.command("find")(find.find)
app.command("searches")(searches.searches)
app.command("chat")(chat.chat)
app.command("ingest")(ingest.ingest)
app.command("watch")(ingest.watch)
app.command("list")(library.list_papers)
app.command("show")(library.show)
app.command("remove")(library.remove)
app.command("sources")(library.sources)
app.add_typer(library.collections_app, name="collections")
app.command("export")(library.export)
app.command("reindex")(library.reindex)
app.command("doctor")(doctor.doctor)
app.add_typer(models.app, name="models")
app.add_typer(evaluation.app, name="eval")
app.command("bench")(evaluation.bench)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assistant {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            help="Where the library is, instead of ASSISTANT_DATA_DIR.", show_default=False
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback has answered already
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Take the options that stand before the command."""
    shell = shell_of(context)
    shell.data_dir = data_dir
    shell.debug = debug


def main() -> None:
    """Run the command line and leave with its exit code."""
    shell = Shell()
    use_utf8()
    with logging_to(lambda: shell.settings().log_file) as log:
        try:
            app(prog_name="assistant", obj=shell)
        except AssistantError as error:
            sys.exit(_told(error, shell))
        except Exception as error:  # noqa: BLE001 - the last place that can speak to the reader
            sys.exit(_unexpected(error, shell, log))


def _told(error: AssistantError, shell: Shell) -> int:
    if shell.debug:
        traceback.print_exception(error)
    elif error.__cause__ is not None:
        logging.getLogger(__name__).error("%s", error, exc_info=error)
    print_error(error)
    return error.exit_code


def _unexpected(error: Exception, shell: Shell, log: LogFile) -> int:
    if shell.debug:
        traceback.print_exception(error)
        return 1
    logging.getLogger(__name__).error("Unexpected", exc_info=error)
    where = f"the details are in {log.written}" if log.written else "--debug shows the details"
    print_error(
        AssistantError(
            f"Something went wrong inside ({type(error).__name__}); {where}.",
            "'assistant doctor' looks whether a part is broken.",
        )
    )
    return 1
