"""One thing a line from standard input, a result a line.

A line that fails is told, and the others go on.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import typer

from assistant.errors import AssistantError, QuestionError
from assistant.interfaces.cli.shell import print_error
from assistant.interfaces.safe_text import neutralised


def each_line(noun: str, command: str, one: Callable[[str], object], as_json: bool) -> int:
    """Do ``one`` for each line; return the exit code: 0, or 1 where a line failed.

    ``noun`` is what a line holds, in messages and as the key of what is told of a failure.
    """
    failed = 0
    for line in _lines():
        text = line.decode("utf-8", errors="replace")
        try:
            _refuse_undecoded(line, noun)
            if not as_json:
                typer.echo(f"> {neutralised(text)}")
            one(text)
        except AssistantError as error:
            failed += 1
            _tell_failure(noun, text, error, as_json)
        except Exception as error:
            failed += 1
            logging.getLogger(__name__).exception("A line failed")
            inside = AssistantError(
                f"Something went wrong inside ({type(error).__name__}).",
                f"Try it alone with 'assistant --debug {command}' to see the details.",
            )
            _tell_failure(noun, text, inside, as_json)
    return 1 if failed else 0


def _lines() -> Iterator[bytes]:
    """Yield the lines of standard input as they come, without their ends and without a BOM.

    Blank lines at the end are left out.
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


def _refuse_undecoded(line: bytes, noun: str) -> None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QuestionError(
            f"The {noun} is not UTF-8 text.", f"Save the {noun}s as UTF-8, one a line."
        ) from error


def _tell_failure(noun: str, text: str, error: AssistantError, as_json: bool) -> None:
    if as_json:
        print_json({noun: text, "error": error.message, "hint": error.hint})
    else:
        print_error(error)


def print_json(data: dict[str, Any]) -> None:
    """Print an object on a line of its own, at once: who reads a pipe wants it as it is made."""
    print(json.dumps(data, ensure_ascii=False), flush=True)  # noqa: T201 - standard output is the product
