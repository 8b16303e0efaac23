"""``assistant ingest``, ``list`` and ``reindex``: what is in the library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.interfaces.cli.shell import Shell, shell_of, stderr, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.resources import resource_dir
from assistant.types import FileReport, ImportReport, Paper

if TYPE_CHECKING:
    from assistant.app import Assistant

MOST_REJECTED_SHOWN = 20
COUNTS = ("read", "added", "updated", "merged", "unchanged")


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders of abstracts.", show_default=False)
    ] = None,
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Import the two collections that come with this.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and count, and store nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ledger as JSON.")] = False,
    first_time: Annotated[
        bool, typer.Option("--first-time", hidden=True, help="Do nothing if done before.")
    ] = False,
) -> None:
    """Import abstracts: UTF-8 text (a heading, then one abstract a paragraph) or JSONL.

    Every record is accounted for: added, updated, merged, unchanged or rejected. Importing a file
    again changes nothing. Leaves with 1 if a file could not be read.
    """
    shell = shell_of(context)
    # A reader who has thrown the seeds out must not get them back from `make chat`.
    mark = shell.settings().data_dir / "seeds-imported"
    if first_time and mark.exists():
        return
    wanted = [*(paths or []), *(sorted(resource_dir("seeds").glob("*.txt")) if seeds else [])]
    if not wanted:
        raise typer.BadParameter("name a file, a folder or --seeds")
    report = _run(shell, wanted, dry_run)
    if as_json:
        typer.echo(json.dumps(asdict(report), ensure_ascii=False))
    else:
        _print_ledger(report, dry_run)
    if any(file.error for file in report.files):
        raise typer.Exit(1)
    if first_time and not dry_run:
        mark.touch()


def _run(shell: Shell, paths: list[Path], dry_run: bool) -> ImportReport:
    with (
        _rehearsal_library(shell) if dry_run else shell.opened(create=True) as assistant,
        working("Reading…") as on_progress,
    ):
        return assistant.ingest(paths, dry_run=dry_run, on_progress=on_progress)


@contextmanager
def _rehearsal_library(shell: Shell) -> Iterator[Assistant]:
    """Open the library that there is, or an empty one that is thrown away: nothing is stored."""
    from assistant.library.connections import FILE

    if (shell.settings().data_dir / FILE).is_file():
        with shell.opened() as assistant:
            yield assistant
        return
    with (
        TemporaryDirectory(prefix="assistant-") as folder,
        shell.opened(create=True, data_dir=Path(folder)) as assistant,
    ):
        yield assistant


def _print_ledger(report: ImportReport, dry_run: bool) -> None:
    from rich.table import Table

    console = stdout()
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("File", overflow="fold")
    table.add_column("Format")
    for name in (*COUNTS, "rejected"):
        table.add_column(name.capitalize(), justify="right")
    for file in report.files:
        counts = [f"{getattr(file, name):,}" for name in COUNTS]
        table.add_row(neutralised(file.file), file.format, *counts, f"{len(file.rejected):,}")
    console.print(table)
    if dry_run:
        console.print("Dry run: nothing was stored.")
    for file in report.files:
        _print_rejected(file)
        if file.error:
            told = Text(f"{neutralised(file.file)}: {neutralised(file.error)}", style="bold red")
            stderr().print(told, soft_wrap=True)
            if file.hint:
                stderr().print(Text(neutralised(file.hint)), soft_wrap=True)


def _print_rejected(file: FileReport) -> None:
    console = stdout()
    for rejected in file.rejected[:MOST_REJECTED_SHOWN]:
        where = f"{neutralised(file.file)}, record {rejected.source.record_no}: "
        why = f"{neutralised(rejected.reason)} {neutralised(rejected.hint)}".strip()
        console.print(Text(where, style="yellow") + Text(why), soft_wrap=True)
    more = len(file.rejected) - MOST_REJECTED_SHOWN
    if more > 0:
        console.print(f"… and {more:,} more; --json lists them all.", soft_wrap=True)


def list_papers(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List the papers: id, name and collection."""
    with shell_of(context).opened() as assistant:
        papers = assistant.papers()
    if as_json:
        typer.echo(json.dumps([_paper_json(paper) for paper in papers], ensure_ascii=False))
        return
    console = stdout()
    if not console.is_terminal:
        for paper in papers:
            typer.echo("\t".join((paper.id, neutralised(paper.name), _collections(paper))))
        return
    _print_papers(papers)


def _print_papers(papers: list[Paper]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Id", no_wrap=True)
    table.add_column("Paper", overflow="fold", ratio=3)
    table.add_column("Collection", overflow="fold", ratio=1)
    for paper in papers:
        table.add_row(paper.id, Text(neutralised(paper.name)), Text(_collections(paper)))
    stdout().print(table)


def _collections(paper: Paper) -> str:
    names = dict.fromkeys(source.collection for source in paper.sources)
    return neutralised(", ".join(name for name in names if name))


def _paper_json(paper: Paper) -> dict[str, object]:
    return {
        "id": paper.id,
        "title": paper.name,
        "collections": list(dict.fromkeys(source.collection for source in paper.sources)),
        "authors": paper.authors,
        "year": paper.year,
        "doi": paper.doi,
        "url": paper.url,
        "code_links": paper.code_links,
        "sources": [asdict(source) for source in paper.sources],
    }


def reindex(context: typer.Context) -> None:
    """Build the vector index and the keyword index again from the library."""
    with (
        shell_of(context).opened() as assistant,
        working("Indexing…") as on_progress,
    ):
        assistant.reindex(on_progress)
        papers = len(assistant.papers())
    stdout().print(f"Indexed {papers:,} papers.")
