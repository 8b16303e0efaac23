"""What the routes of the page have in common: how errors are told, and who may ask for what.

Everything that changes something needs a header that a page from elsewhere cannot send without
being asked for permission first, which it never gets.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from typing import Annotated, Any, TextIO
from urllib.parse import quote

from fastapi import Depends, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.routing import APIRoute

from assistant.errors import AssistantError, LibraryBusy, QuestionError
from assistant.interfaces.safe_text import neutralised

HEADER = "x-assistant-page"
_PIECE = 1 << 16
_log = logging.getLogger(__name__)
_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Told(APIRoute):
    """A route whose errors are told as message and hint, and as nothing else."""

    def get_route_handler(self) -> _Handler:
        """Return the route's handler with its errors told."""
        handle = super().get_route_handler()

        async def told(request: Request) -> Response:
            try:
                return await handle(request)
            except AssistantError as error:
                return _error(error, 409 if isinstance(error, LibraryBusy) else 400)
            except RequestValidationError:
                return _error(QuestionError("The page asked for something odd.", "Reload it."), 400)
            except Exception:  # noqa: BLE001 - the tab says that something is wrong and goes on
                _log.exception("A request of the page failed.")
                return _error(
                    AssistantError(
                        "Something went wrong inside the assistant.",
                        "Try again; `assistant doctor` looks for the cause.",
                    ),
                    500,
                )

        return told


def _error(error: AssistantError, status: int) -> Response:
    said = {"message": neutralised(error.message), "hint": neutralised(error.hint)}
    return JSONResponse(said, status)


def _ours(sent: Annotated[str, Header(alias=HEADER)] = "") -> None:
    if not sent:
        raise QuestionError("Only the page itself may ask for this.", "Reload the page.")


OURS = [Depends(_ours)]
"""What a route depends on that only the page itself may call."""


def year(said: str) -> int | None:
    """Return the year that a reader typed; raise ``QuestionError`` where it is none."""
    text = said.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise QuestionError(f"{text!r} is no year.", "Write it with four digits.")
    return int(text[:6])


def yes_or_no(said: str) -> bool | None:
    """Return what a choice of "yes", "no" or neither means."""
    return {"yes": True, "no": False}.get(said)


def attached(response: Response, name: str) -> Response:
    """Return a response that a browser saves as a file."""
    response.headers["content-disposition"] = f"attachment; filename={quote(name)}"
    return response


def download(write: Callable[[TextIO], object], name: str) -> Response:
    """Return a file that is written before it is sent: what fails is told, not cut off."""
    file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
    try:
        write(file)
        file.seek(0)
    except BaseException:
        file.close()
        raise

    def pieces() -> Iterator[str]:
        with file:
            while piece := file.read(_PIECE):
                yield piece

    return attached(StreamingResponse(pieces(), media_type="text/plain"), name)
