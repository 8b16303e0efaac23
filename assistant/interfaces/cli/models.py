"""``assistant models``: what models there are, fetching one, and choosing the one in use."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.interfaces.cli.shell import shell_of, stderr, stdout
from assistant.interfaces.safe_text import neutralised

if TYPE_CHECKING:
    from assistant.weights.catalog import Catalog, Listing
    from assistant.weights.files import Report

_NARROWEST = 100  # columns, where output does not go to a terminal
_PLAIN_SECONDS = 5.0  # between two lines of progress, where output does not go to a terminal
_MIB = 1 << 20

app = typer.Typer(no_args_is_help=True, help="List, fetch and choose models.")
_Name = Annotated[
    str, typer.Argument(help="A name of the list, a GGUF path, or hf:owner/repo/file.gguf.")
]


@app.command("list")
def list_models(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show which models there are, which are here, and which is in use (*)."""
    catalog = _catalog(context)
    listed = catalog.list()
    if as_json:
        typer.echo(json.dumps([_as_data(line) for line in listed], ensure_ascii=False, indent=2))
        return
    _print_table(listed)
    _print_state(catalog, listed)
    if name := catalog.selected_reranker():
        here = any(line.in_use and line.entry.name == name for line in listed)
        told = f"Reranker: {name}." if here else f"Run: assistant models pull {name}"
        stdout().print(Text(neutralised(told)), soft_wrap=True)


@app.command("pull")
def pull_model(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(help="As for use; the language model in use when left out."),
    ] = "",
) -> None:
    """Fetch a model, unless it is here: it is checked before it is used."""
    from assistant.weights.catalog import QUOTES_ONLY

    catalog = _catalog(context)
    wanted = name or catalog.selected_llm()
    if wanted == QUOTES_ONLY:
        told = "Quotes only is chosen, so there is nothing to fetch. To let a model write: "
        stdout().print(Text(f"{told}assistant models use NAME"), soft_wrap=True)
        return
    with _progress(wanted) as report:
        model = catalog.pull(wanted, report)
    stdout().print(Text(neutralised(f"{model.name} is here: {model.path}")), soft_wrap=True)


@app.command("use")
def use_model(
    context: typer.Context,
    name: _Name,
    reranker: Annotated[
        bool, typer.Option("--reranker", help="With none: search without a reranker.")
    ] = False,
) -> None:
    """Choose the language model that writes, or a reranker; 'none' for quotes only."""
    from assistant.weights.catalog import QUOTES_ONLY

    catalog = _catalog(context)
    no_reranker = reranker and name == QUOTES_ONLY
    selection = catalog.use_no_reranker() if no_reranker else catalog.use(name)
    role = selection.role
    if selection.reason == "setting":
        variable = f"ASSISTANT_{role.upper()}"
        told = f"Chosen, but the setting {role} = {selection.name} ({variable}) wins over it."
    elif role == "reranker":
        told = (
            "Search goes without a reranker from now on."
            if selection.name == QUOTES_ONLY
            else f"{selection.name} puts the best finds in order from now on."
        )
    elif selection.name == QUOTES_ONLY:
        told = "Answers are quotes only from now on."
    else:
        told = f"{selection.name} is in use from now on."
    stdout().print(Text(neutralised(told)), soft_wrap=True)


@app.command("path")
def model_path(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="As for use; the model in use when left out.")] = "",
) -> None:
    """Print where a model lies, for scripts."""
    catalog = _catalog(context)
    typer.echo(catalog.resolve(name or catalog.selected_llm()).path)


def _catalog(context: typer.Context) -> Catalog:
    from assistant.weights.catalog import Catalog

    return Catalog(shell_of(context).settings())


def _as_data(line: Listing) -> dict[str, object]:
    entry = line.entry
    return {
        "name": entry.name,
        "role": entry.role,
        "here": line.path is not None,
        "in_use": line.in_use,
        "path": str(line.path) if line.path else None,
        "size": entry.size,
        "megabytes": entry.megabytes,
        "sha256": entry.sha256,
        "licence": entry.licence,
        "context": entry.context,
        "ram": entry.ram,
        "prompt_style": entry.prompt_style,
        "summary": entry.summary,
    }


def _print_table(listed: tuple[Listing, ...]) -> None:
    from rich.table import Table

    from assistant.weights.files import megabytes

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("name", overflow="fold")
    table.add_column("role")
    table.add_column("here")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("licence", overflow="fold")
    table.add_column("context", justify="right")
    table.add_column("RAM", justify="right", no_wrap=True)
    for line in listed:
        entry = line.entry
        table.add_row(
            "*" if line.in_use else "",
            Text(neutralised(entry.name), style="bold" if line.in_use else ""),
            entry.role,
            "yes" if line.path else "no",
            megabytes(entry.size) if entry.size else _about(entry.megabytes),
            Text(neutralised(entry.licence)),
            f"{entry.context:,}",
            f"{entry.ram:,} MiB" if entry.ram else "?",
        )
    console = stdout()
    if not console.is_terminal:
        console.width = max(console.width, _NARROWEST)
    console.print(table)


def _about(number: int) -> str:
    return f"~{number:,} MB" if number else "?"


def _print_state(catalog: Catalog, listed: tuple[Listing, ...]) -> None:
    """Say which language model is in use and why, or what would bring one."""
    selection = catalog.selection()
    here = any(line.in_use and line.entry.role == "llm" for line in listed)
    if selection.name == "none":
        told = "No language model is in use, as chosen: answers are quotes only."
    elif not here:
        told = (
            f"{selection.name} is not here: answers are quotes only. "
            f"Run: assistant models pull {selection.name}"
        )
    else:
        told = f"In use: {selection.name} ({selection.reason})."
    stdout().print(Text(neutralised(told)), soft_wrap=True)


@contextmanager
def _progress(label: str) -> Iterator[Report]:
    """Show on standard error how far a fetch has come."""
    console = stderr()
    if not console.is_terminal:
        yield _plain_progress()
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    shown = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=console,
        transient=True,
    )
    with shown:
        task = shown.add_task(neutralised(label), total=None)

        def report(done: int, total: int, note: str) -> None:
            shown.update(task, completed=done, total=total or None, description=neutralised(note))

        yield report


def _plain_progress() -> Report:
    """Return a reporter that prints a line for every new note, and now and then in between."""
    console = stderr()
    last_note, last_time = "", 0.0

    def report(done: int, total: int, note: str) -> None:
        nonlocal last_note, last_time
        now = time.monotonic()
        if note == last_note and now - last_time < _PLAIN_SECONDS:
            return
        last_note, last_time = note, now
        share = f" ({done // _MIB:,} of {total // _MIB:,} MiB)" if total and done else ""
        console.print(Text(neutralised(note + share)), soft_wrap=True)

    return report
