"""``assistant eval`` and ``assistant bench``: how good and how fast answers are, measured here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from assistant.interfaces.cli.shell import shell_of, stdout, working

app = typer.Typer(help="Measure the quality of answers.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep ``eval`` a group while it has one command."""


@app.command("answers")
def answers(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="Questions with what their answers must hold, JSONL.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the measures as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write every answer here too, JSONL.", show_default=False)
    ] = None,
) -> None:
    """Ask every question of a file and measure facts, citations, refusals and time."""
    from assistant import evaluate

    with (
        shell_of(context).opened() as assistant,
        working("Asking…") as on_progress,
    ):
        report = evaluate.evaluate_answers(assistant, file, out=out, on_progress=on_progress)
    _print_report(report, as_json)


def bench(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the measures as JSON.")] = False,
) -> None:
    """Time the answers: quotes, first word, whole, with tokens and times per stage."""
    from assistant import evaluate

    with (
        shell_of(context).opened() as assistant,
        working("Asking…") as on_progress,
    ):
        report = evaluate.bench(assistant, on_progress=on_progress)
    _print_report(report, as_json)


def _print_report(report: object, as_json: bool) -> None:
    raise NotImplementedError(json, stdout, report, as_json)
