"""What the Find tab asks of the server: papers for an idea, and the same papers to take along.

Ideas come by POST: a page of text fits into no address.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, TextIO

from fastapi import APIRouter, Depends, Form
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from assistant.errors import LibraryError, QuestionError
from assistant.interfaces import findings_export
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web import find_html, find_text
from assistant.interfaces.web.ports import PageFinder
from assistant.interfaces.web.routing import OURS, Told, download, year, yes_or_no
from assistant.types import Filters, Idea

_MOST = 200  # papers that one list can hold
_LONGEST = 200_000
_ENDINGS = {"bibtex": ".bib", "ris": ".ris", "csv": ".csv", "markdown": ".md"}
_Word = Annotated[str, Form(max_length=1_000)]


def routes(library: PageFinder) -> APIRouter:
    """Return the routes of one library, all below ``/find``."""
    router = APIRouter(prefix="/find", route_class=Told, dependencies=OURS)
    _add_finding(router, library)
    _add_saving(router, library)
    return router


def _filters(
    year_from: _Word = "",
    year_to: _Word = "",
    authors: _Word = "",
    venues: _Word = "",
    keywords: _Word = "",
    collection: _Word = "",
    code: _Word = "",
    abstract: _Word = "",
) -> Filters | None:
    chosen = Filters(
        collections=(collection,) if collection else (),
        year_from=year(year_from),
        year_to=year(year_to),
        authors=several(authors),
        venues=several(venues),
        keywords=several(keywords),
        has_code=yes_or_no(code),
        has_abstract=yes_or_no(abstract),
    )
    return chosen if chosen != Filters() else None


def several(said: str) -> tuple[str, ...]:
    """Return the names that a reader put into one field, with semicolons between them."""
    return tuple(filter(None, (" ".join(name.split()) for name in said.split(";"))))


def _idea(
    filters: Annotated[Filters | None, Depends(_filters)],
    text: Annotated[str, Form(max_length=_LONGEST)] = "",
    like: Annotated[tuple[str, ...], Form()] = (),
    unlike: Annotated[tuple[str, ...], Form()] = (),
    sort: str = Form(""),
    offset: Annotated[int, Form(ge=0, le=_MOST)] = 0,
    limit: Annotated[int, Form(ge=1, le=_MOST)] = find_html.PAGE,
) -> Idea:
    return Idea(
        text,
        like,
        unlike,
        filters,
        "year" if sort == "year" else "relevance",
        limit,
        offset,
    )


Asked = Annotated[Idea, Depends(_idea)]


def _add_finding(router: APIRouter, library: PageFinder) -> None:
    @router.post("/papers")
    def papers(idea: Asked) -> Response:
        findings = library.find(idea)
        shown = idea.offset + len(findings.matches)
        return JSONResponse(
            {
                "html": find_html.matches_html(findings),
                "notes": find_html.notes(findings),
                "said": find_html.said(findings, idea),
                "shown": shown,
                "more": shown < findings.total,
                "filtered": idea.filters is not None,
                "names": _names(library, idea),
            }
        )

    @router.post("/export")
    def export(idea: Asked, format: Annotated[str, Form()] = "bibtex") -> Response:  # noqa: A002
        if format not in find_html.FORMATS:
            raise LibraryError(f"There is no format {format!r}.", "Choose one of the list.")
        found = library.find(replace(idea, offset=0))

        def write(file: TextIO) -> None:
            findings_export.write(found, format, file)

        return download(write, f"found{_ENDINGS[format]}")

    @router.post("/text")
    def text(idea: Asked) -> Response:
        findings = library.find(replace(idea, offset=0))
        return PlainTextResponse(find_text.listed(findings))


def _add_saving(router: APIRouter, library: PageFinder) -> None:
    @router.post("/saved")
    def saved() -> Response:
        return JSONResponse({"html": find_html.saved_html(library.saved_searches(count=True))})

    @router.post("/save")
    def save(idea: Asked, name: _Word = "") -> Response:
        if not (idea.text.strip() or idea.like):
            raise QuestionError("There is no idea to save.", "Look for something first.")
        library.save_search(neutralised(name), replace(idea, offset=0, limit=find_html.PAGE))
        return JSONResponse({})

    @router.post("/forget")
    def forget(name: _Word = "") -> Response:
        library.forget_search(name)
        return JSONResponse({})

    @router.post("/open")
    def open_saved(name: _Word = "") -> Response:
        kept = [search for search in library.saved_searches() if search.name == name]
        new = library.news(name)  # raises where there is no such search
        return JSONResponse(
            {"fields": _fields(kept[0].idea), "new": [match.paper.id for match in new.matches]}
        )


def _fields(idea: Idea) -> list[tuple[str, str]]:
    """Return an idea as the fields of the tab, as they are sent for it."""
    filters = idea.filters or Filters()
    either = {True: "yes", False: "no", None: ""}
    return [
        ("text", idea.text),
        ("sort", idea.sort),
        *(("like", paper_id) for paper_id in idea.like),
        *(("unlike", paper_id) for paper_id in idea.unlike),
        ("year_from", str(filters.year_from or "")),
        ("year_to", str(filters.year_to or "")),
        ("authors", "; ".join(filters.authors)),
        ("venues", "; ".join(filters.venues)),
        ("keywords", "; ".join(filters.keywords)),
        ("collection", next(iter(filters.collections), "")),
        ("code", either[filters.has_code]),
        ("abstract", either[filters.has_abstract]),
    ]


def _names(library: PageFinder, idea: Idea) -> dict[str, str]:
    """Return what the papers are called that others are to be like, or unlike."""
    known = library.store.papers(list(dict.fromkeys((*idea.like, *idea.unlike))))
    return {paper.id: neutralised(paper.name) for paper in known}
