"""The options that narrow a search, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from assistant.errors import LibraryError
from assistant.types import Filters

if TYPE_CHECKING:
    from assistant.app import Assistant

AuthorsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--author", help="Only by one of these: a family name or a whole name."),
]
VenuesOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--venue", help="Only where a venue has these words.")
]
KeywordsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--keyword", help="Only papers with one of these keywords.")
]
CollectionsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--collection", help="Only papers of these collections.")
]
CodeOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--has-code/--no-code", help="Only with, or without, a link to code.", show_default=False
    ),
]
AbstractOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--has-abstract/--no-abstract", help="Only with, or without, one.", show_default=False
    ),
]


def known_collections(assistant: Assistant, names: Sequence[str]) -> tuple[str, ...]:
    """Return names of collections; raise ``LibraryError`` for one that there is not."""
    known = assistant.status().collections
    for name in names:
        if name not in known:
            raise LibraryError(
                f"There is no collection {name!r}.", "See `assistant collections` for their names."
            )
    return tuple(names)


def narrowed(assistant: Assistant, filters: Filters) -> Filters | None:
    """Return filters that can be used, or None where they restrict nothing.

    Raise ``LibraryError`` for an unknown collection, ``BadParameter`` for years in disorder and
    for a filter that is blank.
    """
    if filters == Filters():
        return None
    known_collections(assistant, filters.collections)
    first, last = filters.year_from, filters.year_to
    if first is not None and last is not None and first > last:
        raise typer.BadParameter(f"--year-from {first} is after --year-to {last}")
    for option, values in (
        ("--author", filters.authors),
        ("--venue", filters.venues),
        ("--keyword", filters.keywords),
    ):
        if not all(map(str.strip, values)):
            raise typer.BadParameter(f"{option} is blank")
    return filters
