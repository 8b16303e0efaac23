"""What the Library tab asks of the server, and what it answers: small pieces of our own HTML.

Everything that changes something needs a header that a page from elsewhere cannot send without
being asked for permission first, which it never gets.
"""

from __future__ import annotations

import io
import logging
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from fastapi.routing import APIRoute

from assistant.errors import AssistantError, LibraryBusy, LibraryError, QuestionError
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web import import_html, library_html, shelf_html
from assistant.interfaces.web.desk import Desk
from assistant.interfaces.web.ports import PageLibrary
from assistant.library import exporting, reports
from assistant.library.browsing import Browser
from assistant.library.lookup import Choice
from assistant.types import ImportReport

HEADER = "x-assistant-page"
_PIECE = 1 << 16
_ENDINGS = {name: ending for ending, name in exporting.ENDINGS.items()}
_log = logging.getLogger(__name__)
_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def routes(library: PageLibrary) -> APIRouter:
    """Return the routes of one library, all below ``/library``."""
    desk, browser = Desk(library), Browser(library.store)
    router = APIRouter(prefix="/library", route_class=_Told)
    _add_reading(router, library, browser)
    _add_changing(router, library, desk)
    _add_importing(router, desk)
    _add_after_import(router, desk)
    return router


class _Told(APIRoute):
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
                _log.exception("A request of the Library tab failed.")
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


_CHANGES = [Depends(_ours)]


# --------------------------------------------------------------------------- looking


def _choice(
    words: Annotated[str, Query(max_length=1000)] = "",
    collection: str = "",
    year_from: str = "",
    year_to: str = "",
    abstract: str = "",
) -> Choice:
    wanted = {"yes": True, "no": False}.get(abstract)
    return Choice(
        collection=collection,
        year_from=_year(year_from),
        year_to=_year(year_to),
        words=words,
        abstract=wanted,
    )


def _year(said: str) -> int | None:
    text = said.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise QuestionError(f"{text!r} is no year.", "Write it with four digits.")
    return int(text[:6])


Chosen = Annotated[Choice, Depends(_choice)]


def _add_reading(router: APIRouter, library: PageLibrary, browser: Browser) -> None:
    @router.get("/papers")
    def papers(choice: Chosen, order: str = "latest", start: int = 0) -> Response:
        listing = browser.listing(choice, order, start, shelf_html.PAGE)
        filtered = choice != Choice()
        html = shelf_html.shelf(listing, filtered=filtered)
        return JSONResponse(
            {"html": html, "range": shelf_html.range_line(listing), "filtered": filtered}
        )

    @router.get("/paper")
    def paper(id: str) -> Response:  # noqa: A002 - its name in the address
        found = library.store.paper(library.store.resolve(id))
        bibtex = io.StringIO()
        library.export([found], "bibtex", bibtex)
        return HTMLResponse(shelf_html.paper_html(found, bibtex.getvalue().strip()))

    @router.get("/holdings")
    def holdings() -> Response:
        collections = library.store.counts().collections
        html = library_html.holdings(collections, library.store.source_files())
        options = library_html.collection_options(collections)
        return JSONResponse({"html": html, "collections": options})

    @router.get("/export")
    def export(choice: Chosen, format: str = "bibtex") -> Response:  # noqa: A002
        if format not in exporting.FORMATS:
            raise LibraryError(f"There is no format {format!r}.", "Choose one of the list.")
        return _download(library, choice, format)


def _download(library: PageLibrary, choice: Choice, format_: str) -> Response:
    """Return a file that is written before it is sent: what fails is told, not cut off."""
    file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
    try:
        library.export(library.choose(choice), format_, file)
        file.seek(0)
    except BaseException:
        file.close()
        raise

    def pieces() -> Iterator[str]:
        with file:
            while piece := file.read(_PIECE):
                yield piece

    return _attached(StreamingResponse(pieces(), media_type="text/plain"), _ENDINGS[format_])


def _attached(response: Response, ending: str, name: str = "papers") -> Response:
    response.headers["content-disposition"] = f"attachment; filename={quote(name + ending)}"
    return response


# --------------------------------------------------------------------------- changing


def _add_changing(router: APIRouter, library: PageLibrary, desk: Desk) -> None:
    @router.post("/paper/remove", dependencies=_CHANGES)
    def remove(id: Annotated[str, Form()]) -> Response:  # noqa: A002
        desk.must_rest()
        library.store.paper(id)  # one that is gone already is told
        library.remove([id])
        return JSONResponse({"said": "The paper was removed."})

    @router.get("/file/removal")
    def rehearse(file: str) -> Response:
        desk.must_rest()
        removal = library.remove_source(file, rehearse=True)
        return JSONResponse({"why": library_html.removal_question(file, removal)})

    @router.post("/file/remove", dependencies=_CHANGES)
    def remove_file(file: Annotated[str, Form()]) -> Response:
        desk.must_rest()
        removal = library.remove_source(file)
        said = f"{library_html.papers(removal.removed).capitalize()} went"
        stays = f", {library_html.papers(removal.kept)} stayed" if removal.kept else ""
        return JSONResponse({"said": f"{said}{stays}."})

    @router.post("/collection/rename", dependencies=_CHANGES)
    def rename(old: Annotated[str, Form()], new: Annotated[str, Form()] = "") -> Response:
        desk.must_rest()
        name = " ".join(neutralised(new).split())
        if not name:
            raise QuestionError("A collection needs a name.", "Type one.")
        library.rename_collection(old, name)
        return JSONResponse({"said": f"The collection is now called {name}."})


# --------------------------------------------------------------------------- importing


def _add_importing(router: APIRouter, desk: Desk) -> None:
    @router.get("/import")
    def progress() -> Response:
        return JSONResponse(asdict(import_html.job_view(desk)))

    @router.post("/import/begin", dependencies=_CHANGES)
    def begin() -> Response:
        return JSONResponse({"batch": desk.begin()})

    @router.put("/import/file", dependencies=_CHANGES)
    async def receive(request: Request, batch: str, name: str) -> Response:
        await desk.receive(batch, name, request.stream())
        return JSONResponse({})

    @router.post("/import/start", dependencies=_CHANGES)
    def start(batch: Annotated[str, Form()]) -> Response:
        desk.start(batch)
        return JSONResponse({})

    @router.post("/import/discard", dependencies=_CHANGES)
    def discard(batch: Annotated[str, Form()]) -> Response:
        desk.discard(batch)
        return JSONResponse({})

    @router.post("/import/cancel", dependencies=_CHANGES)
    def cancel() -> Response:
        desk.cancel()
        return JSONResponse({})


def _add_after_import(router: APIRouter, desk: Desk) -> None:
    @router.post("/import/map", dependencies=_CHANGES)
    def map_column(column: Annotated[str, Form()] = "") -> Response:
        desk.start_mapped(column)
        return JSONResponse({})

    @router.post("/import/forget", dependencies=_CHANGES)
    def forget() -> Response:
        desk.forget_unmapped()
        return JSONResponse({})

    @router.get("/ledger.csv")
    def ledger_csv() -> Response:
        text = reports.as_csv(_report(desk))
        return _attached(Response(text, media_type="text/csv"), ".csv", "ledger")

    @router.get("/ledger.json")
    def ledger_json() -> Response:
        text = reports.as_json(_report(desk))
        return _attached(Response(text, media_type="application/json"), ".json", "ledger")


def _report(desk: Desk) -> ImportReport:
    if desk.job is None or desk.job.report is None:
        raise LibraryError("There is no ledger yet.", "It comes when the files are read.")
    return desk.job.report
