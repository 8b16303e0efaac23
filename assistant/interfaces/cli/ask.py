"""``assistant ask``: one question, or one a line from standard input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import AssistantError
from assistant.interfaces.cli.lines import each_line, print_json
from assistant.interfaces.cli.narrowing import known_collections
from assistant.interfaces.cli.shell import (
    NOT_IN_LIBRARY,
    shell_of,
    stdout,
    working,
)
from assistant.interfaces.safe_text import neutralised
from assistant.types import Answer, Done, Event, Filters

if TYPE_CHECKING:
    from assistant.app import Assistant


def ask(
    context: typer.Context,
    question: Annotated[
        list[str], typer.Argument(help="The question, or - to read one a line from standard input.")
    ],
    collection: Annotated[
        list[str] | None,
        typer.Option("--collection", help="Answer from this collection only.", show_default=False),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print an object, for '-' one a line.")
    ] = False,
) -> None:
    """Answer a question from the library, with the sentences that the answer rests on.

    Leaves with 0 if it is answered, 3 if the library does not answer it, 2 if the question or an
    option cannot be taken, 1 on an error. With '-' it leaves with 0 unless a line failed.
    """
    with shell_of(context).opened() as assistant:
        _tell_no_model(assistant)
        filters = _filters(assistant, collection or [])
        if question == ["-"]:
            code = each_line(
                "question",
                "ask",
                lambda question: _ask_one(assistant, question, filters, as_json),
                as_json,
            )
        else:
            code = _ask_one(assistant, " ".join(question), filters, as_json)
    raise typer.Exit(code)


def _tell_no_model(assistant: Assistant) -> None:
    """Say on standard error why there will be quotes only, unless that is what was chosen."""
    status = assistant.status()
    if not status.model and not status.quotes_only_chosen:
        typer.echo(f"Quotes only: {neutralised(status.model_hint)}", err=True)


def _filters(assistant: Assistant, collections: list[str]) -> Filters | None:
    """Return what restricts the answers; raise ``LibraryError`` for an unknown collection."""
    if not collections:
        return None
    return Filters(collections=known_collections(assistant, collections))


def _ask_one(assistant: Assistant, question: str, filters: Filters | None, as_json: bool) -> int:
    from assistant.interfaces.render import answer_json, terminal_events

    events = assistant.ask(question, filters=filters)
    if as_json:
        with working("Asking…"):
            answer = _finished(events)
        print_json(answer_json(answer))
    else:
        answer = terminal_events(events, stdout())
    return NOT_IN_LIBRARY if answer.verdict == "not_in_library" else 0


def _finished(events: Iterable[Event]) -> Answer:
    for event in events:
        if isinstance(event, Done):
            return event.answer
    raise AssistantError("The answer broke off before its end.", "Ask again.")
