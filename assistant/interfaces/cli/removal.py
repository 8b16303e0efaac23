"""``assistant remove``: papers go, after a look at them and a yes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.errors import LibraryError
from assistant.interfaces.cli import choosing
from assistant.interfaces.cli.choosing import CollectionOption, SourceOption, WordsOption
from assistant.interfaces.cli.shell import shell_of, stdout
from assistant.interfaces.safe_text import neutralised
from assistant.types import Paper

if TYPE_CHECKING:
    from assistant.app import Assistant
    from assistant.library.removing import Removal

KEPT = "Nothing was removed."


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

    Of a file or a collection that goes, papers stay that other files bring as well.
    """
    if sum(map(bool, (papers, source, collection or query))) != 1:
        raise typer.BadParameter("name papers, or --source, or --collection and --query")
    with shell_of(context).opened() as assistant:
        if source:
            _forget(source, assistant.remove_source, yes, dry_run)
        elif collection and not query:
            _forget(collection, assistant.remove_collection, yes, dry_run)
        else:
            _remove(assistant, _found(assistant, papers or [], collection, query), yes, dry_run)


def _found(assistant: Assistant, names: list[str], collection: str, query: str) -> list[Paper]:
    if names:
        return choosing.named(assistant, names)
    choice = choosing.choice(assistant, collection=collection, words=query)
    found = list(assistant.choose(choice))
    if not found:
        raise LibraryError(
            f"No paper has all of the words {query!r}.", "See `assistant list` for what there is."
        )
    return found


def _remove(assistant: Assistant, found: list[Paper], yes: bool, dry_run: bool) -> None:
    for paper in found[: choosing.MOST_SHOWN]:
        stdout().print(Text(f"{paper.id}  {neutralised(paper.name)}"), soft_wrap=True)
    if len(found) > choosing.MOST_SHOWN:
        stdout().print(f"… and {len(found) - choosing.MOST_SHOWN:,} more.")
    if dry_run or not _agreed(f"Remove {choosing.papers_in_words(len(found))}?", yes):
        stdout().print(KEPT)
        return
    removed = assistant.remove([paper.id for paper in found])
    stdout().print(f"Removed {choosing.papers_in_words(removed)}.")


def _forget(name: str, forget: Callable[..., Removal], yes: bool, dry_run: bool) -> None:
    """Take out what came with a file or a collection; say first what that means."""
    would = forget(name, rehearse=True)
    stays = ""
    if would.kept:
        stays = f"; {choosing.papers_in_words(would.kept)} {'stays' if would.kept == 1 else 'stay'}"
        stays += ", from other files"
    shown = neutralised(name)
    going = f"{choosing.papers_in_words(would.removed)} would go{stays}"
    stdout().print(f"{shown}: {going}.", soft_wrap=True)
    if dry_run or not _agreed(f"Remove what came from {shown}?", yes):
        stdout().print(KEPT)
        return
    done = forget(name)
    stdout().print(f"Removed {choosing.papers_in_words(done.removed)}.")


def _agreed(question: str, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise LibraryError("Removing needs a yes.", "Add --yes, or run it in a terminal.")
    return typer.confirm(question)
