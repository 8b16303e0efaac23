"""``assistant eval`` and ``assistant bench``: how good and how fast it is, measured here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.errors import LibraryError
from assistant.interfaces.cli.shell import make_ready, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.retrieval.parts import Baseline

if TYPE_CHECKING:
    from assistant.measuring.measures import About, Report

_RANKINGS = ("nDCG@", "Recall@", "MRR")

app = typer.Typer(help="Measure the quality of answers and of finding.", no_args_is_help=True)


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


@app.command("retrieval")
def retrieval(
    context: typer.Context,
    corpus: Annotated[
        Path,
        typer.Option(
            help="Documents, JSONL (id or _id, title, text), or a folder in BEIR's layout."
        ),
    ],
    queries: Annotated[
        Path | None,
        typer.Option(help="Queries, JSONL (id or _id, text).", show_default="queries.jsonl beside"),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(
            help="Judgments: query-id, corpus-id, score; or TREC's four columns.",
            show_default="qrels/SPLIT.tsv or qrels.tsv beside",
        ),
    ] = None,
    split: Annotated[str, typer.Option(help="Which file of the folder qrels.")] = "test",
    baseline: Annotated[
        Baseline | None,
        typer.Option(help="Measure a part of the search by itself.", show_default=False),
    ] = None,
    embedder: Annotated[
        str | None, typer.Option(help="Another embedder, by its name.", show_default=False)
    ] = None,
    reranker: Annotated[
        str | None,
        typer.Option(
            help="Put the first finds in order with this reranker, or with none.",
            show_default="the one in use",
        ),
    ] = None,
    per_query: Annotated[
        Path | None, typer.Option(help="Write every query here too, JSONL.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the measures as JSON.")] = False,
) -> None:
    """Import a corpus into a library of its own and measure how well its papers are found."""
    from assistant.measuring import benchmark
    from assistant.measuring.retrieval import as_lines, evaluate_retrieval

    judged = benchmark.load(benchmark.located(corpus, queries, qrels, split))
    if per_query is not None:
        _write(per_query, "")  # better to hear now that it cannot be written
    settings = shell_of(context).settings()
    if embedder is not None:
        settings = settings.model_copy(update={"embedder": embedder})
    if reranker is not None:
        settings = settings.model_copy(update={"reranker": reranker})
    with working("Importing…") as on_progress:
        report, outcomes = evaluate_retrieval(
            judged, settings, baseline=baseline, on_progress=on_progress
        )
    if per_query is not None:
        _write(per_query, as_lines(outcomes))
    _print_report(report, as_json)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LibraryError(
            f"{path} cannot be written: {error.strerror or error}.",
            "Name a file in a folder that exists and that you may write to.",
        ) from error


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
    about = ", ".join(
        _told(name, value) for name, value in report.about.items() if value is not None
    )
    console.print(Text(neutralised(about), style="dim"), soft_wrap=True)


def _told(name: str, value: About) -> str:
    plain = name.replace("_", " ")
    return f"{plain} {value:,}" if isinstance(value, (int, float)) else f"{plain} {value}"


def _shown(name: str, value: float) -> str:
    """Return a value as its name asks for: seconds, a count, or a share, in percent as a rule."""
    if name.startswith(_RANKINGS):
        return f"{value:.3f}"
    if name.endswith(", s (median)"):
        return f"{value:.2f} s"
    if name.endswith((" tokens", " an answer")):
        return f"{value:.1f}"
    return f"{100 * value:.1f} %"
