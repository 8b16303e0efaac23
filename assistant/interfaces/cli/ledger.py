"""The ledger of an import in the terminal."""

from __future__ import annotations

from rich.text import Text

from assistant.interfaces.cli.shell import stderr, stdout
from assistant.interfaces.safe_text import neutralised
from assistant.types import FileReport, ImportReport, Rejected

MOST_REJECTED_SHOWN = 20
COLUMNS = {
    "read": "Read",
    "with_abstract": "Abstract",
    "added": "Added",
    "updated": "Updated",
    "merged": "Merged",
    "unchanged": "Unchanged",
    "rejected_count": "Rejected",
}


def print_ledger(report: ImportReport, *, dry_run: bool) -> None:
    """Print what became of every record, a file a row, then what was rejected and why."""
    from rich.table import Table

    console = stdout()
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("File", overflow="fold")
    table.add_column("Format")
    for name in COLUMNS.values():
        table.add_column(name, justify="right")
    for file in report.files:
        table.add_row(neutralised(file.file), file.format, *_counts([file]))
    if len(report.files) > 1:
        table.add_row("Together", "", *_counts(list(report.files)), style="bold")
    console.print(table)
    bare = sum(file.references for file in report.files)
    if bare:
        told = "record without an abstract is" if bare == 1 else "records without an abstract are"
        console.print(f"{bare:,} {told} kept as references: found by title, never quoted.")
    if dry_run:
        console.print("Dry run: nothing was stored.")
    for file in report.files:
        _print_rejected(file)
        if file.error:
            print_failure(file)


def print_failure(file: FileReport) -> None:
    """Print why a file could not be read, to standard error."""
    error = neutralised(file.error)
    named = error if file.file in file.error else f"{neutralised(file.file)}: {error}"
    stderr().print(Text(named, style="bold red"), soft_wrap=True)
    if file.hint:
        stderr().print(Text(neutralised(file.hint)), soft_wrap=True)


def short(file: FileReport) -> str:
    """Return the ledger of a file in one line."""
    said = [
        f"{getattr(file, name):,} {word.lower()}"
        for name, word in COLUMNS.items()
        if name not in {"read", "with_abstract"} and getattr(file, name)
    ]
    return f"{neutralised(file.file)}: {file.read:,} read" + (
        f", {', '.join(said)}" if said else ""
    )


def _counts(files: list[FileReport]) -> list[str]:
    return [f"{sum(getattr(file, name) for file in files):,}" for name in COLUMNS]


def _print_rejected(file: FileReport) -> None:
    console = stdout()
    for item in file.rejected[:MOST_REJECTED_SHOWN]:
        where = Text(f"{neutralised(file.file)}, {_place(item)}: ", style="yellow")
        console.print(where + Text(neutralised(_sentence(item.reason, item.hint))), soft_wrap=True)
    more = file.rejected_count - MOST_REJECTED_SHOWN
    if more > 0:
        console.print(
            f"… and {more:,} more; --json or --report FILE lists them all.", soft_wrap=True
        )


def _place(item: Rejected) -> str:
    line = f", line {item.line:,}" if item.line else ""
    key = f" ({neutralised(item.key)})" if item.key else ""
    return f"record {item.source.record_no:,}{line}{key}"


def _sentence(reason: str, hint: str) -> str:
    ended = reason if reason.endswith((".", "!", "?")) else f"{reason}."
    return f"{ended} {hint}".strip()
