"""Commands about what is in the library: list, show, sources, collections, export, reindex."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from assistant.interfaces.cli import choosing, showing
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
    with shell_of(context).opened() as assistant:
        choice = choosing.choice(
            assistant, collection, source, query, year_from, year_to, bare=bare
        )
        found = assistant.choose(choice)
        shown = list(islice(found, limit) if limit else found)
        console = stdout()
        more = sum(1 for _ in found) if console.is_terminal and not as_json else 0
    if as_json:
        typer.echo(json.dumps([choosing.paper_object(p) for p in shown], ensure_ascii=False))
    elif console.is_terminal:
        _print_papers(shown)
        if more:
            console.print(f"… and {more:,} more.")
    else:
        for paper in shown:
            typer.echo("\t".join((paper.id, neutralised(paper.name), _collections(paper))))


def _print_papers(papers: list[Paper]) -> None:
    from rich.table import Table

    if not papers:
        stdout().print("There is no such paper.")
        return
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
        entry = assistant.store.entry(assistant.paper(paper).id)
    if as_json:
        typer.echo(json.dumps(showing.as_object(entry), ensure_ascii=False))
    else:
        showing.print_paper(entry)


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
    merge: Annotated[
        bool, typer.Option("--merge", help="Make one of two, where there is one of that name.")
    ] = False,
) -> None:
    """Give a collection another name, also for what is imported from its file later."""
    if not new.strip():
        raise typer.BadParameter("the new name is empty")
    with shell_of(context).opened() as assistant:
        count = assistant.rename_collection(old, new.strip(), merge=merge)
    told = f"{neutralised(old)} is now {neutralised(new.strip())}"
    stdout().print(f"{told} ({choosing.papers_in_words(count)}).", soft_wrap=True)


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
    bare: BareOption = False,
) -> None:
    """Write papers in a format that other programs read, to a file or to standard output."""
    if output is not None and output.is_dir():
        raise typer.BadParameter(f"--output: {output} is a folder")
    wanted = _wanted(format_, output)
    filters = (collection, source, query, year_from, year_to)
    if papers and (any(filters) or bare):
        raise typer.BadParameter("name papers, or the options that choose them, not both")
    with shell_of(context).opened() as assistant:
        found: Iterable[Paper] = (
            choosing.named(assistant, papers)
            if papers
            else assistant.choose(choosing.choice(assistant, *filters, bare=bare))
        )
        if output is None:
            assistant.export(found, wanted, sys.stdout)
            return
        instead = ", in place of what it held" if output.exists() else ""
        count = written(output, lambda out: assistant.export(found, wanted, out))
    told = f"Wrote {choosing.papers_in_words(count)} to {neutralised(str(output))}{instead}."
    stdout().print(told, soft_wrap=True)


def _wanted(format_: str, output: Path | None) -> str:
    """Return the format that is named, or that the ending of the file tells."""
    from assistant.library.exporting import ENDINGS, FORMATS

    known = ", ".join(FORMATS)
    if format_:
        if format_ not in FORMATS:
            raise typer.BadParameter(f"--format is one of {known}, not {format_!r}")
        return format_
    if output is None:
        return "bibtex"
    told = ENDINGS.get(output.suffix.lower(), "")
    if not told:
        raise typer.BadParameter(f"{output.name} does not tell the format; add --format: {known}")
    return told


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
    stdout().print(f"Indexed {choosing.papers_in_words(papers)}.")
