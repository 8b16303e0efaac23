"""``assistant searches``: the searches that are kept, and what is new for them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.interfaces.cli import choosing
from assistant.interfaces.cli.lines import print_json
from assistant.interfaces.cli.shell import NOT_IN_LIBRARY, shell_of, stdout, working
from assistant.interfaces.safe_text import neutralised
from assistant.types import Findings, SavedSearch

if TYPE_CHECKING:
    from assistant.app import Assistant

_MOST_OF_AN_IDEA = 80


def searches(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="Run this one; without, list all.", show_default=False)
    ] = "",
    forget: Annotated[
        str, typer.Option(help="Forget this one.", metavar="NAME", show_default=False)
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the saved searches with what is new for each, or run one of them.

    Running one marks what came in since it was last run; then that is not new any more. It leaves
    as `assistant find` does. Save one with `assistant find "…" --save NAME`.
    """
    if name and forget:
        raise typer.BadParameter("name a search to run or one to --forget, not both")
    with shell_of(context).opened() as assistant:
        if forget:
            assistant.forget_search(forget)
            stdout().print(Text(f"Forgot {neutralised(forget)}."), soft_wrap=True)
        elif name:
            raise typer.Exit(_run(assistant, name, as_json))
        else:
            with working("Looking for what is new…"):
                kept = assistant.saved_searches(count=True)
            _list(kept, as_json)


def _list(kept: list[SavedSearch], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([asdict(search) for search in kept], ensure_ascii=False))
        return
    if not kept:
        typer.echo('There are none yet. Save one: assistant find "…" --save NAME', err=True)
        return
    rows = [
        (search.name, f"{search.new:,} new" if search.new else "", search.saved_on, _idea(search))
        for search in kept
    ]
    choosing.print_rows(("Name", "New", "Saved", "Idea"), rows)


def _idea(search: SavedSearch) -> str:
    """Return in a few words what a search looks for."""
    idea = search.idea
    text = " ".join(idea.text.split())
    short = text if len(text) <= _MOST_OF_AN_IDEA else f"{text[:_MOST_OF_AN_IDEA].rstrip()}…"
    papers = [
        f"{word} {', '.join(ids)}"
        for word, ids in (("like", idea.like), ("unlike", idea.unlike))
        if ids
    ]
    return "; ".join(part for part in (short, *papers, "filtered" if idea.filters else "") if part)


def _run(assistant: Assistant, name: str, as_json: bool) -> int:
    with working("Looking…"):
        search = assistant.store.search(name)
        # what is shown comes first: if it fails, nothing is marked as seen
        found = assistant.find(search.idea)
        news = assistant.news(name)
    if as_json:
        _print_json(search, found, news)
    else:
        _print(search, found, news)
    return 0 if found.close else NOT_IN_LIBRARY


def _print_json(search: SavedSearch, found: Findings, news: Findings) -> None:
    from assistant.interfaces.findings import findings_json, match_json

    print_json(
        {
            "name": search.name,
            **findings_json(found),
            "new": [match_json(match) for match in news.matches],
        }
    )


def _print(search: SavedSearch, found: Findings, news: Findings) -> None:
    from assistant.interfaces.findings_text import print_findings, print_match

    console = stdout()
    fresh = {match.paper.id for match in news.matches}
    told = f"{len(fresh):,} new since it was last run" if fresh else "Nothing new"
    console.print(Text(f"{told}: {neutralised(_idea(search))}", style="bold"), soft_wrap=True)
    shown = replace(found, total=len(found.matches))  # there is no further page here
    print_findings(shown, search.idea, console, new=fresh)
    on_page = {match.paper.id for match in found.matches}
    further = [match for match in news.matches if match.paper.id not in on_page]
    if further:
        console.print()
        console.print(Text("New as well, further down:", style="bold"))
    for match in further:
        print_match(match, console, new=True)
