"""The options by which commands choose papers, and what a list tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from rich.text import Text

from assistant.interfaces.cli.shell import stdout
from assistant.interfaces.safe_text import neutralised
from assistant.types import Paper

if TYPE_CHECKING:
    from assistant.app import Assistant
    from assistant.library.lookup import Choice

MOST_SHOWN = 20

CollectionOption: TypeAlias = Annotated[
    str, typer.Option("--collection", help="Only papers of this collection.", show_default=False)
]
SourceOption: TypeAlias = Annotated[
    str, typer.Option("--source", help="Only papers that this file brought.", show_default=False)
]
WordsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--query", help="Only papers with all these words in title or abstract.", show_default=False
    ),
]
FromOption: TypeAlias = Annotated[
    int | None, typer.Option("--year-from", help="Only from this year on.", show_default=False)
]
ToOption: TypeAlias = Annotated[
    int | None, typer.Option("--year-to", help="Only up to this year.", show_default=False)
]
BareOption: TypeAlias = Annotated[
    bool, typer.Option("--no-abstract", "--references", help="Only papers without an abstract.")
]


def choice(
    assistant: Assistant,
    collection: str = "",
    source: str = "",
    words: str = "",
    year_from: int | None = None,
    year_to: int | None = None,
    *,
    bare: bool = False,
) -> Choice:
    """Return what is asked for; raise ``LibraryError`` for a file or collection not there."""
    from assistant.library import lookup

    if collection:
        lookup.papers_of_collection(assistant.store, collection)
    if source:
        lookup.papers_of_file(assistant.store, source)
    return lookup.Choice(collection, source, year_from, year_to, words, False if bare else None)


def known_collections(assistant: Assistant, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; raise ``LibraryError`` for a collection that is not there."""
    from assistant.library import lookup

    for name in names:
        lookup.papers_of_collection(assistant.store, name)
    return tuple(names)


def named(assistant: Assistant, names: Sequence[str]) -> list[Paper]:
    """Return the papers of these names, each once."""
    return list({paper.id: paper for paper in map(assistant.paper, names)}.values())


def papers_in_words(count: int) -> str:
    """Return ``1 paper`` or ``2 papers``."""
    return f"{count:,} paper" if count == 1 else f"{count:,} papers"


def paper_object(paper: Paper) -> dict[str, Any]:
    """Return what a list tells of a paper."""
    return {
        "id": paper.id,
        "title": paper.name,
        "collections": list(dict.fromkeys(source.collection for source in paper.sources)),
        "authors": paper.authors,
        "year": paper.year,
        "venue": paper.venue,
        "doi": paper.doi,
        "url": paper.url,
        "pmid": paper.pmid,
        "arxiv_id": paper.arxiv_id,
        "keywords": paper.keywords,
        "language": paper.language,
        "has_abstract": bool(paper.abstract),
        "truncated": paper.truncated,
        "code_links": paper.code_links,
        "sources": [asdict(source) for source in paper.sources],
    }


def print_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in a terminal, and lines with tabs elsewhere."""
    console = stdout()
    if not console.is_terminal:
        for row in rows:
            typer.echo("\t".join(map(neutralised, row)))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in header:
        right = name in {"Papers", "Records"}
        table.add_column(name, overflow="fold", justify="right" if right else "left")
    for row in rows:
        table.add_row(*(Text(neutralised(cell)) for cell in row))
    console.print(table)
