"""``assistant eval`` and ``assistant bench``: how good and how fast answers are, measured here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.interfaces.cli.shell import make_ready, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised

if TYPE_CHECKING:
    from assistant.evaluate import Report

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

    with shell_of(context).opened() as assistant:
        make_ready(assistant)
        with working("Asking…") as on_progress:
            assistant.warm()  # loading is not a part of an answer
            report = evaluate.evaluate_answers(assistant, file, out=out, on_progress=on_progress)
    _print_report(report, as_json)


def bench(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the measures as JSON.")] = False,
) -> None:
    """Time the answers: quotes, first word, whole, with tokens and times per stage."""
    from assistant import evaluate

    with shell_of(context).opened() as assistant:
        make_ready(assistant)
        with working("Asking…") as on_progress:
            assistant.warm()
            report = evaluate.bench(assistant, on_progress=on_progress)
    _print_report(report, as_json)


def _print_report(report: Report, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(report.as_dict(), ensure_ascii=False))
        return
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Measure")
    for heading in ("Value", "95 % interval", "Cases"):
        table.add_column(heading, justify="right")
    for name, measure in report.measures.items():
        interval = f"{_shown(name, measure.low)} to {_shown(name, measure.high)}"
        table.add_row(name, _shown(name, measure.value), interval, f"{measure.n:,}")
    console = stdout()
    console.print(table)
    about = ", ".join(f"{name} {value}" for name, value in report.about.items())
    console.print(Text(neutralised(about), style="dim"), soft_wrap=True)


def _shown(name: str, value: float) -> str:
    """Return a value as its name asks for: seconds, a count, or a share in percent."""
    if name.endswith(", s (median)"):
        return f"{value:.2f} s"
    if name.endswith((" tokens", " an answer")):
        return f"{value:.1f}"
    return f"{100 * value:.1f} %"
