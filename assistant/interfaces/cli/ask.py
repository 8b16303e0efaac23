"""``assistant ask``: one question, or one a line from standard input."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from assistant.errors import AssistantError, QuestionError
from assistant.interfaces.cli import choosing
from assistant.interfaces.cli.shell import (
    NOT_IN_LIBRARY,
    make_ready,
    print_error,
    shell_of,
    stdout,
    working,
)
from assistant.interfaces.safe_text import neutralised
from assistant.types import Answer, Done, Event, Filters

if TYPE_CHECKING:
    from assistant.app import Assistant

Asking: TypeAlias = Callable[[str], Iterator[Event]]


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
    shell = shell_of(context)
    with shell.opened() as assistant:
        _tell_no_model(assistant)
        chosen = choosing.known_collections(assistant, collection or [])
        make_ready(assistant)
        asking = partial(
            assistant.ask,
            filters=Filters(collections=chosen) if chosen else None,
            cancelled=shell.interrupted,
        )
        if question == ["-"]:
            code = _ask_lines(asking, shell.interrupted, as_json)
        else:
            code = _ask_one(asking, " ".join(question), as_json)
    raise typer.Exit(code)


def _tell_no_model(assistant: Assistant) -> None:
    """Say on standard error why there will be quotes only, unless that is what was chosen."""
    status = assistant.status()
    if not status.model and not status.quotes_only_chosen:
        typer.echo(f"Quotes only: {neutralised(status.model_hint)}", err=True)


def _ask_one(asking: Asking, question: str, as_json: bool) -> int:
    from assistant.interfaces.render import answer_json, terminal_events

    events = asking(question)
    if as_json:
        with working("Asking…"):
            answer = _finished(events)
    else:
        answer = terminal_events(events, stdout())
    if answer.stopped:
        raise KeyboardInterrupt  # the one that was swallowed on its way here
    if as_json:
        _print_json(answer_json(answer))
    return NOT_IN_LIBRARY if answer.verdict == "not_in_library" else 0


def _ask_lines(asking: Asking, interrupted: Callable[[], bool], as_json: bool) -> int:
    """Answer line by line; a line that fails is told and the others go on."""
    failed = 0
    for line in _lines():
        if interrupted():
            raise KeyboardInterrupt  # the one that was swallowed at the line before
        question = line.decode("utf-8", errors="replace")
        try:
            _refuse_undecoded(line)
            if not as_json:
                typer.echo(f"> {neutralised(question)}")
            _ask_one(asking, question, as_json)
        except AssistantError as error:
            failed += 1
            _tell_failure(question, error, as_json)
        except Exception as error:
            failed += 1
            logging.getLogger(__name__).exception("A question failed")
            inside = AssistantError(
                f"Something went wrong inside ({type(error).__name__}).",
                "Ask it alone with 'assistant --debug ask' to see the details.",
            )
            _tell_failure(question, inside, as_json)
    return 1 if failed else 0


def _lines() -> Iterator[bytes]:
    """Yield the lines of standard input as they come, without their ends and without a BOM.

    Blank lines at the end are no questions.
    """
    first, blank = True, 0
    for raw in iter(sys.stdin.buffer.readline, b""):
        line = raw.rstrip(b"\r\n")
        line = line.removeprefix(b"\xef\xbb\xbf") if first else line
        first = False
        if not line.strip():
            blank += 1
            continue
        yield from [b""] * blank
        blank = 0
        yield line


def _refuse_undecoded(line: bytes) -> None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QuestionError(
            "The question is not UTF-8 text.", "Save the questions as UTF-8, one a line."
        ) from error


def _tell_failure(question: str, error: AssistantError, as_json: bool) -> None:
    if as_json:
        _print_json({"question": question, "error": error.message, "hint": error.hint})
    else:
        print_error(error)


def _finished(events: Iterable[Event]) -> Answer:
    for event in events:
        if isinstance(event, Done):
            return event.answer
    raise AssistantError("The answer broke off before its end.", "Ask again.")


def _print_json(data: dict[str, Any]) -> None:
    # A reader of a pipe wants each answer as soon as it is there.
    print(json.dumps(data, ensure_ascii=False), flush=True)  # noqa: T201 - standard output is the product
