"""``assistant ingest``: files become papers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.interfaces.cli import ledger
from assistant.interfaces.cli.shell import Shell, shell_of, working
from assistant.resources import resource_dir
from assistant.types import ImportReport

if TYPE_CHECKING:
    from assistant.app import Assistant


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders of records.", show_default=False)
    ] = None,
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Import the two collections that come with this.")
    ] = False,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="FIELD=COLUMN",
            help="For a table: which column holds a field, such as abstract=Inhalt.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Write the ledger to a .csv or .json file.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and count, and store nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ledger as JSON.")] = False,
    first_time: Annotated[
        bool, typer.Option("--first-time", hidden=True, help="Do nothing if done before.")
    ] = False,
) -> None:
    """Import records: BibTeX, RIS, PubMed, EndNote, Web of Science, tables, JSON, XML, plain text.

    What a file is, is told from its content; .gz and .zip are unpacked. Every record is accounted
    for: added, updated, merged, unchanged or rejected. Importing a file again changes only what
    has changed in it. Leaves with 1 if a file could not be read.
    """
    from assistant.library import reports

    shell = shell_of(context)
    # A reader who has thrown the seeds out must not get them back from `make chat`.
    mark = shell.settings().data_dir / "seeds-imported"
    if first_time and mark.exists():
        return
    wanted = [*(paths or []), *(sorted(resource_dir("seeds").glob("*.txt")) if seeds else [])]
    if not wanted:
        raise typer.BadParameter("name a file, a folder or --seeds")
    mapped = _mapped(columns or [])
    if report is not None:
        _refuse_ending(report)
    found = _run(shell, wanted, mapped, dry_run)
    if report is not None:
        reports.write(found, report)
    if as_json:
        typer.echo(json.dumps(reports.as_object(found), ensure_ascii=False))
    else:
        ledger.print_ledger(found, dry_run=dry_run)
    if any(file.error for file in found.files):
        raise typer.Exit(1)
    if first_time and not dry_run:
        mark.touch()


def _mapped(columns: list[str]) -> dict[str, str]:
    """Return the columns that a reader has named; refuse what is no field of ours."""
    from assistant.library.readers.columns import MAPPED

    mapped = {}
    for item in columns:
        name, mark, column = item.partition("=")
        name = name.strip().lower()
        if not mark or not column.strip() or name not in MAPPED:
            raise typer.BadParameter(
                f"--map {item!r} is not FIELD=COLUMN with one of the fields {', '.join(MAPPED)}"
            )
        mapped[name] = column.strip()
    return mapped


def _refuse_ending(report: Path) -> None:
    if report.suffix.lower() not in {".csv", ".json"}:
        raise typer.BadParameter("--report takes a name that ends in .csv or .json")
    if not report.absolute().parent.is_dir():
        raise typer.BadParameter(f"--report: there is no folder {report.absolute().parent}")
    if report.is_dir():
        raise typer.BadParameter(f"--report: {report} is a folder")


def _run(
    shell: Shell, paths: list[Path], columns: Mapping[str, str], dry_run: bool
) -> ImportReport:
    with (
        _rehearsal_library(shell) if dry_run else shell.opened(create=True) as assistant,
        working("Reading…") as on_progress,
    ):
        return assistant.ingest(paths, dry_run=dry_run, columns=columns, on_progress=on_progress)


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
