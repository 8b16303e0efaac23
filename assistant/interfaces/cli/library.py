"""Commands about what is in the library: list, show, remove, sources, collections, export."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.errors import LibraryError
from assistant.interfaces.cli import choosing
from assistant.interfaces.cli.choosing import (
    BareOption,
    CollectionOption,
    FromOption,
    SourceOption,
    ToOption,
    WordsOption,
)
from assistant.interfaces.cli.outfile import written
from assistant.interfaces.cli.shell import shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.types import Paper

if TYPE_CHECKING:
    from assistant.app import Assistant

collections_app = typer.Typer(help="List the collections, or rename one.")


def list_papers(
    context: typer.Context,
    collection: CollectionOption = "",
    source: SourceOption = "",
    query: WordsOption = "",
    year_from: FromOption = None,
    year_to: ToOption = None,
    bare: BareOption = False,
    limit: Annotated[
        int, typer.Option(min=0, help="Show so many at most; 0 shows all.", show_default=False)
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List the papers: id, name, year and collection."""
    choice = choosing.choice(collection, source, query, year_from, year_to, bare)
    with shell_of(context).opened() as assistant:
        papers = list(assistant.choose(choice))
    shown = papers[:limit] if limit else papers
    if as_json:
        typer.echo(json.dumps([choosing.paper_object(p) for p in shown], ensure_ascii=False))
        return
    console = stdout()
    if not console.is_terminal:
        for paper in shown:
            typer.echo("\t".join((paper.id, neutralised(paper.name), _collections(paper))))
        return
    _print_papers(shown)
    if len(papers) > len(shown):
        console.print(f"… and {len(papers) - len(shown):,} more.")


def _print_papers(papers: list[Paper]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Id", no_wrap=True)
    table.add_column("Paper", overflow="fold", ratio=3)
    table.add_column("Year", no_wrap=True)
    table.add_column("Collection", overflow="fold", ratio=1)
    for paper in papers:
        mark = "" if paper.abstract else " (no abstract)"
        name = Text(f"{neutralised(paper.name)}{mark}")
        table.add_row(paper.id, name, str(paper.year or ""), Text(_collections(paper)))
    stdout().print(table)


def _collections(paper: Paper) -> str:
    names = dict.fromkeys(source.collection for source in paper.sources)
    return neutralised(", ".join(name for name in names if name))


def show(
    context: typer.Context,
    paper: Annotated[str, typer.Argument(help="Its id, the beginning of it, a DOI or a title.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Show everything that is known of a paper, and what each of its sources said."""
    with shell_of(context).opened() as assistant:
        found = assistant.paper(paper)
        records = assistant.store.records(found.id)
    if as_json:
        typer.echo(json.dumps(choosing.full_object(found, records), ensure_ascii=False))
    else:
        choosing.print_paper(found, records)


def remove(
    context: typer.Context,
    papers: Annotated[
        list[str] | None, typer.Argument(help="Ids, DOIs or titles.", show_default=False)
    ] = None,
    source: SourceOption = "",
    collection: CollectionOption = "",
    query: WordsOption = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would go, and keep it.")
    ] = False,
) -> None:
    """Remove papers: those named, those of a file or a collection, or those with certain words.

    Of a file that goes, papers stay that another file brings as well.
    """
    if sum(map(bool, (papers, source, collection or query))) != 1:
        raise typer.BadParameter("name papers, or --source, or --collection and --query")
    with shell_of(context).opened() as assistant:
        if source:
            _remove_source(assistant, source, yes, dry_run)
            return
        choice = choosing.choice(collection, "", query, None, None, bare=False)
        found = (
            [assistant.paper(name) for name in papers] if papers else list(assistant.choose(choice))
        )
        if not found:
            raise LibraryError(
                "No paper is meant by that.", "See `assistant list` for what there is."
            )
        for paper in found[: choosing.MOST_SHOWN]:
            stdout().print(Text(f"{paper.id}  {neutralised(paper.name)}"), soft_wrap=True)
        if len(found) > choosing.MOST_SHOWN:
            stdout().print(f"… and {len(found) - choosing.MOST_SHOWN:,} more.")
        if dry_run or not _agreed(f"Remove {_papers(len(found))}?", yes):
            stdout().print("Nothing was removed.")
            return
        removed = assistant.remove([paper.id for paper in found])
    stdout().print(f"Removed {_papers(removed)}.")


def _remove_source(assistant: Assistant, source: str, yes: bool, dry_run: bool) -> None:
    would = assistant.remove_source(source, rehearse=True)
    stays = ""
    if would.kept:
        stays = (
            f"; {_papers(would.kept)} {'stays' if would.kept == 1 else 'stay'}, from other files"
        )
    stdout().print(f"{neutralised(source)}: {_papers(would.removed)} would go{stays}.")
    if dry_run or not _agreed(f"Remove what came from {neutralised(source)}?", yes):
        stdout().print("Nothing was removed.")
        return
    done = assistant.remove_source(source)
    stdout().print(f"Removed {_papers(done.removed)}.")


def _agreed(question: str, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise LibraryError("Removing needs a yes.", "Add --yes, or run it in a terminal.")
    return typer.confirm(question)


def _papers(count: int) -> str:
    return f"{count:,} paper" if count == 1 else f"{count:,} papers"


def sources(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List the files that papers came from."""
    with shell_of(context).opened() as assistant:
        found = assistant.store.source_files()
    if as_json:
        typer.echo(json.dumps([asdict(item) for item in found], ensure_ascii=False))
        return
    rows = [
        (item.file, item.format, item.collection, f"{item.records:,}", f"{item.papers:,}")
        for item in found
    ]
    choosing.print_rows(("File", "Format", "Collection", "Records", "Papers"), rows)


@collections_app.callback(invoke_without_command=True)
def collections(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """List the collections with the number of their papers."""
    if context.invoked_subcommand:
        return
    with shell_of(context).opened() as assistant:
        found = assistant.store.counts().collections
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    rows = [(name, f"{count:,}") for name, count in found.items()]
    choosing.print_rows(("Collection", "Papers"), rows)


@collections_app.command("rename")
def rename(
    context: typer.Context,
    old: Annotated[str, typer.Argument(help="Its name now.")],
    new: Annotated[str, typer.Argument(help="Its new name.")],
) -> None:
    """Give a collection another name, also for what is imported from its file later."""
    if not new.strip():
        raise typer.BadParameter("the new name is empty")
    with shell_of(context).opened() as assistant:
        count = assistant.rename_collection(old, new.strip())
    told = f"{neutralised(old)} is now {neutralised(new.strip())}"
    stdout().print(f"{told} ({_papers(count)}).", soft_wrap=True)


def export(
    context: typer.Context,
    papers: Annotated[
        list[str] | None,
        typer.Argument(help="Ids, DOIs or titles; all papers without.", show_default=False),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", "-f", help="bibtex, ris, csv, jsonl or csl-json.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write.", show_default=False)
    ] = None,
    collection: CollectionOption = "",
    source: SourceOption = "",
    query: WordsOption = "",
    year_from: FromOption = None,
    year_to: ToOption = None,
) -> None:
    """Write papers in a format that other programs read, to a file or to standard output."""
    from assistant.library.exporting import ENDINGS, FORMATS

    wanted = format_ or (ENDINGS.get(output.suffix.lower(), "") if output else "bibtex")
    if wanted not in FORMATS:
        raise typer.BadParameter(f"--format is one of {', '.join(FORMATS)}")
    choice = choosing.choice(collection, source, query, year_from, year_to, bare=False)
    with shell_of(context).opened() as assistant:
        found: Iterable[Paper] = (
            [assistant.paper(name) for name in papers] if papers else assistant.choose(choice)
        )
        if output is None:
            assistant.export(found, wanted, sys.stdout)
            return
        count = written(output, lambda out: assistant.export(found, wanted, out))
    stdout().print(f"Wrote {_papers(count)} to {neutralised(str(output))}.", soft_wrap=True)


def reindex(context: typer.Context) -> None:
    """Build the vector index and the keyword index again, with the embedder in use.

    Broken off, it is carried on by the next command that needs the indexes.
    """
    with (
        shell_of(context).opened() as assistant,
        working("Indexing…") as on_progress,
    ):
        if other := assistant.indexes.other_embedder():
            name = assistant.indexes.embedder.name
            typer.echo(f"Embedding again with {name}; it was {other}.", err=True)
        assistant.reindex(on_progress)
        papers = assistant.store.counts().papers
    stdout().print(f"Indexed {_papers(papers)}.")
