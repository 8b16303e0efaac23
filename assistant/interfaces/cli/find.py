"""``assistant find``: papers for an idea, for one idea a line, or for papers to go on from."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from assistant.interfaces.cli.choosing import FromOption, ToOption
from assistant.interfaces.cli.lines import each_line, print_json
from assistant.interfaces.cli.narrowing import (
    AbstractOption,
    AuthorsOption,
    CodeOption,
    CollectionsOption,
    KeywordsOption,
    VenuesOption,
    narrowed,
)
from assistant.interfaces.cli.outfile import written
from assistant.interfaces.cli.shell import NOT_IN_LIBRARY, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.types import Filters, Findings, Idea

if TYPE_CHECKING:
    from assistant.app import Assistant

MOST = 200
LINES = ["-"]


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to become of the papers: printed, written to a file, the search kept."""

    as_json: bool
    export: str
    format: str
    save: str


def find(
    context: typer.Context,
    idea: Annotated[
        list[str] | None,
        typer.Argument(
            help="The idea, or - to read one a line from standard input.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="A text file with a long description, or a draft.", show_default=False),
    ] = None,
    like: Annotated[
        list[str] | None,
        typer.Option(help="A paper to go on from: its id, DOI or title.", show_default=False),
    ] = None,
    unlike: Annotated[
        list[str] | None, typer.Option(help="A paper to keep away from.", show_default=False)
    ] = None,
    year_from: FromOption = None,
    year_to: ToOption = None,
    author: AuthorsOption = None,
    venue: VenuesOption = None,
    keyword: KeywordsOption = None,
    collection: CollectionsOption = None,
    has_code: CodeOption = None,
    has_abstract: AbstractOption = None,
    sort: Annotated[
        Literal["relevance", "year"], typer.Option(help="The order of what is close.")
    ] = "relevance",
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="Papers on a page.")] = 10,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    export: Annotated[
        str,
        typer.Option(help="Write the papers to a file; - is standard output.", metavar="FILE"),
    ] = "",
    format_: Annotated[
        str,
        typer.Option("--format", help="bibtex, ris, csv, markdown, jsonl or csl-json."),
    ] = "",
    save: Annotated[
        str,
        typer.Option(help="Keep the search under this name.", metavar="NAME", show_default=False),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print an object, for '-' one a line.")
    ] = False,
) -> None:
    """Find the papers that do what you have in mind, each with the sentences that say so.

    Leaves with 0 if something is close, 3 if nothing is, 2 if the idea or an option cannot be
    taken, 1 on an error. With '-' it leaves with 0 unless a line failed.
    """
    wish = _Wish(as_json, export, format_, save)
    _refuse_contradictions(idea or [], file, wish)
    text = _text_of(file) if file else " ".join(idea or [])
    filters = Filters(
        collections=tuple(collection or ()),
        year_from=year_from,
        year_to=year_to,
        authors=tuple(author or ()),
        venues=tuple(venue or ()),
        keywords=tuple(keyword or ()),
        has_code=has_code,
        has_abstract=has_abstract,
    )
    with shell_of(context).opened() as assistant:
        wanted = Idea(
            text,
            tuple(assistant.paper(name).id for name in like or ()),
            tuple(assistant.paper(name).id for name in unlike or ()),
            narrowed(assistant, filters),
            sort,
            limit,
            (page - 1) * limit,
        )
        if idea == LINES:
            code = each_line(
                "idea",
                "find",
                lambda line: _find_one(assistant, replace(wanted, text=line), wish),
                as_json,
            )
        else:
            code = _find_one(assistant, wanted, wish)
    raise typer.Exit(code)


def _refuse_contradictions(idea: list[str], file: Path | None, wish: _Wish) -> None:
    if idea and file:
        raise typer.BadParameter("give the idea in words or as a --file, not both")
    if idea == LINES and (wish.export or wish.save):
        raise typer.BadParameter("--export and --save take one idea, not a line each")
    if wish.export == "-" and wish.as_json:
        raise typer.BadParameter("--json and --export - would both write to standard output")
    if wish.format and not wish.export:
        raise typer.BadParameter("--format needs --export FILE; - is standard output")
    if wish.export:
        from assistant.interfaces.findings_export import format_of

        format_of(wish.format, wish.export)


def _text_of(file: Path) -> str:
    """Return the text of a file; raise ``ReadError`` where it is none."""
    from assistant.library import decode
    from assistant.library.documents import Document

    with decode.text(Document(file.name, "", lambda: file.open("rb"))) as text:
        return text.read()


def _find_one(assistant: Assistant, idea: Idea, wish: _Wish) -> int:
    with working("Looking…"):
        findings = assistant.find(idea)
    if wish.save:
        kept = assistant.save_search(wish.save, idea)
        _tell(f"Saved; `assistant searches {kept.name!r}` says what is new.")
    if wish.export:
        _export(findings, wish)
    if wish.as_json:
        from assistant.interfaces.findings import findings_json

        print_json(findings_json(findings))
    elif wish.export != "-":
        from assistant.interfaces.findings_text import print_findings

        print_findings(findings, idea, stdout())
    return 0 if findings.close else NOT_IN_LIBRARY


def _export(findings: Findings, wish: _Wish) -> None:
    from assistant.interfaces import findings_export

    format_ = findings_export.format_of(wish.format, wish.export)
    if wish.export == "-":
        findings_export.write(findings, format_, sys.stdout)
        return
    count = written(Path(wish.export), lambda out: findings_export.write(findings, format_, out))
    _tell(f"Wrote {count:,} paper{'' if count == 1 else 's'} to {wish.export}.")


def _tell(line: str) -> None:
    """Say on standard error what was done beside finding."""
    typer.echo(neutralised(line), err=True)
