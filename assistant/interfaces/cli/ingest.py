"""``assistant ingest`` and ``watch``: files become papers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import LibraryBusy, LibraryError
from assistant.interfaces.cli import ledger
from assistant.interfaces.cli.shell import Shell, print_error, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.resources import resource_dir
from assistant.types import ImportReport

if TYPE_CHECKING:
    from assistant.app import Assistant

SETTLED = 2.0  # seconds that a file must not have changed for before it is read


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
    in the library.
    """
    if not folder.is_dir():
        raise LibraryError(f"There is no folder {folder}.", "Make it, or name another one.")
    with shell_of(context).opened(create=True) as assistant:
        seen: dict[Path, tuple[int, int]] = {}
        if not once:
            stdout().print(f"Watching {neutralised(str(folder))}. Ctrl-C ends it.", soft_wrap=True)
        while True:
            _look(assistant, folder, seen, settled=0.0 if once else SETTLED)
            if once:
                return
            time.sleep(interval)


def _look(
    assistant: Assistant, folder: Path, seen: dict[Path, tuple[int, int]], *, settled: float
) -> None:
    """Import the files that are new or changed since the last look, and settled."""
    now = {path: stamp for path in sorted(folder.iterdir()) if (stamp := _stamp(path))}
    for path in [path for path in seen if path not in now]:
        del seen[path]
        name = neutralised(path.name)
        stdout().print(f"{name} is gone from the folder; its papers stay.", soft_wrap=True)
    for path, stamp in now.items():
        fresh = time.time() - stamp[0] / 1e9 < settled
        if seen.get(path) == stamp or fresh:
            continue
        try:
            report = assistant.ingest([path])
        except LibraryBusy as error:
            print_error(error)  # at the next look it is tried again
            return
        except LibraryError as error:
            print_error(error)
            seen[path] = stamp
            continue
        seen[path] = stamp
        for file in report.files:
            stdout().print(ledger.short(file), soft_wrap=True)
            if file.error:
                ledger.print_failure(file)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return when a file was changed and how long it is; None for what is not to be read."""
    try:
        if path.name.startswith(".") or not path.is_file():
            return None
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
