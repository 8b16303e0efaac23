"""What the Library tab asks of the server, and what it answers: small pieces of our own HTML."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from assistant.errors import LibraryError, QuestionError
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web import import_html, library_html, shelf_html
from assistant.interfaces.web.desk import Desk
from assistant.interfaces.web.ports import PageLibrary
from assistant.interfaces.web.routing import OURS, Told, attached, download, year, yes_or_no
from assistant.library import exporting, reports
from assistant.library.browsing import Browser
from assistant.library.lookup import Choice
from assistant.types import ImportReport

_ENDINGS = {name: ending for ending, name in exporting.ENDINGS.items()}


def routes(library: PageLibrary) -> APIRouter:
    """Return the routes of one library, all below ``/library``."""
    desk, browser = Desk(library), Browser(library.store)
    router = APIRouter(prefix="/library", route_class=Told)
    _add_reading(router, library, browser)
    _add_changing(router, library, desk)
    _add_importing(router, desk)
    _add_after_import(router, desk)
    return router


# --------------------------------------------------------------------------- looking


def _choice(
    words: Annotated[str, Query(max_length=1000)] = "",
    collection: str = "",
    year_from: str = "",
    year_to: str = "",
    abstract: str = "",
) -> Choice:
    return Choice(
        collection=collection,
        year_from=year(year_from),
        year_to=year(year_to),
        words=words,
        abstract=yes_or_no(abstract),
    )


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
        return download(
            lambda file: library.export(library.choose(choice), format, file),
            f"papers{_ENDINGS[format]}",
        )


# --------------------------------------------------------------------------- changing


def _add_changing(router: APIRouter, library: PageLibrary, desk: Desk) -> None:
    @router.post("/paper/remove", dependencies=OURS)
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

    @router.post("/file/remove", dependencies=OURS)
    def remove_file(file: Annotated[str, Form()]) -> Response:
        desk.must_rest()
        removal = library.remove_source(file)
        said = f"{library_html.papers(removal.removed).capitalize()} went"
        stays = f", {library_html.papers(removal.kept)} stayed" if removal.kept else ""
        return JSONResponse({"said": f"{said}{stays}."})

    @router.post("/collection/rename", dependencies=OURS)
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

    @router.post("/import/begin", dependencies=OURS)
    def begin() -> Response:
        return JSONResponse({"batch": desk.begin()})

    @router.put("/import/file", dependencies=OURS)
    async def receive(request: Request, batch: str, name: str) -> Response:
        await desk.receive(batch, name, request.stream())
        return JSONResponse({})

    @router.post("/import/start", dependencies=OURS)
    def start(batch: Annotated[str, Form()]) -> Response:
        desk.start(batch)
        return JSONResponse({})

    @router.post("/import/discard", dependencies=OURS)
    def discard(batch: Annotated[str, Form()]) -> Response:
        desk.discard(batch)
        return JSONResponse({})

    @router.post("/import/cancel", dependencies=OURS)
    def cancel() -> Response:
        desk.cancel()
        return JSONResponse({})


def _add_after_import(router: APIRouter, desk: Desk) -> None:
    @router.post("/import/map", dependencies=OURS)
    def map_column(column: Annotated[str, Form()] = "") -> Response:
        desk.start_mapped(column)
        return JSONResponse({})

    @router.post("/import/forget", dependencies=OURS)
    def forget() -> Response:
        desk.forget_unmapped()
        return JSONResponse({})

    @router.get("/ledger.csv")
    def ledger_csv() -> Response:
        text = reports.as_csv(_report(desk))
        return attached(Response(text, media_type="text/csv"), "ledger.csv")

    @router.get("/ledger.json")
    def ledger_json() -> Response:
        text = reports.as_json(_report(desk))
        return attached(Response(text, media_type="application/json"), "ledger.json")


def _report(desk: Desk) -> ImportReport:
    if desk.job is None or desk.job.report is None:
        raise LibraryError("There is no ledger yet.", "It comes when the files are read.")
    return desk.job.report
