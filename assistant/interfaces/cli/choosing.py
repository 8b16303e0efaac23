"""The options by which commands choose papers, and how papers are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Annotated, Any, TypeAlias

import typer
from rich.text import Text

from assistant.interfaces.cli.shell import stdout
from assistant.interfaces.safe_text import neutralised
from assistant.library import people
from assistant.library.lookup import Choice
from assistant.types import Paper, Record

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
    bool, typer.Option("--no-abstract", help="Only papers without an abstract.")
]


def choice(
    collection: str,
    source: str,
    words: str,
    year_from: int | None,
    year_to: int | None,
    bare: bool,
) -> Choice:
    """Return what the options ask for."""
    return Choice(collection, source, year_from, year_to, words, False if bare else None)


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


def full_object(paper: Paper, records: Sequence[Record]) -> dict[str, Any]:
    """Return everything that is known of a paper, and what each source said."""
    return {
        **paper_object(paper),
        "handle": paper.handle,
        "abstract": paper.abstract,
        "other_abstracts": [asdict(item) for item in paper.other_abstracts],
        "details": dict(paper.details),
        "records": [{**asdict(record), "details": dict(record.details)} for record in records],
    }


def print_paper(paper: Paper, records: Sequence[Record]) -> None:
    """Print a paper for the eye."""
    console = stdout()
    console.print(Text(neutralised(paper.name), style="bold"), soft_wrap=True)
    facts = {
        "Id": paper.id,
        "Authors": "; ".join(map(people.spoken, paper.authors)),
        "Year": str(paper.year or ""),
        "Venue": paper.venue,
        "DOI": paper.doi,
        "PubMed": paper.pmid,
        "arXiv": paper.arxiv_id,
        "Address": paper.url,
        "Code": ", ".join(paper.code_links),
        "Keywords": "; ".join(paper.keywords),
        "Language": paper.language,
        **{name.capitalize(): value for name, value in paper.details},
    }
    width = max(len(name) for name in facts)
    for name, value in facts.items():
        if value:
            console.print(Text(f"{name:<{width}}  {neutralised(value)}"), soft_wrap=True)
    console.print()
    console.print(Text(neutralised(paper.abstract) or "(no abstract)"), soft_wrap=True)
    if paper.truncated:
        console.print("(cut off by its source)")
    for item in paper.other_abstracts:
        what = " ".join(filter(None, (item.language, item.kind))) or "another abstract"
        console.print()
        console.print(Text(f"[{neutralised(what)}] {neutralised(item.text)}"), soft_wrap=True)
    console.print()
    for record in records:
        console.print(Text(_source_line(paper, record)), soft_wrap=True)


def _source_line(paper: Paper, record: Record) -> str:
    source = record.source
    own = [
        field.name.replace("_", " ")
        for field in fields(record)
        if field.name not in {"source", "line"}
        and getattr(record, field.name)
        and getattr(record, field.name) != getattr(paper, field.name)
    ]
    where = f"{source.file}, record {source.record_no}"
    where += f", line {record.line}" if record.line else ""
    differs = f"; says otherwise: {', '.join(own)}" if own else ""
    return neutralised(f"From {where} ({source.format}, in {source.collection}){differs}")


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
