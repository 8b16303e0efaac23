"""Draw the Library tab: its frame, and the collections and files beside the papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web.breaking import breakable
from assistant.library.browsing import ORDERS
from assistant.library.exporting import FORMATS
from assistant.library.reading import SourceFile
from assistant.library.removing import Removal

_ORDERS = {
    "latest": "Last imported first",
    "import": "First imported first",
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "Title",
}
_FORMATS = {
    "bibtex": "BibTeX",
    "ris": "RIS",
    "csv": "CSV",
    "jsonl": "JSON Lines",
    "csl-json": "CSL-JSON",
}
_KINDS = (
    "BibTeX, RIS, PubMed, EndNote, Web of Science, Scopus, Zotero, arXiv, CSV, JSON or plain text, "
    "also inside .zip and .gz. The format is told from the content."
)


def frame() -> str:
    """Return what stands on the Library tab before anything is asked of the library."""
    return (
        '<div class="message" id="library-message" role="alert"></div>'
        '<div class="library-columns">'
        '<details class="about" id="holdings"><summary>Collections and files</summary>'
        '<div class="panels" id="holdings-inside"></div></details>'
        f'<div class="library-main">{_bring()}'
        '<section id="job" class="box" aria-labelledby="job-title" hidden></section>'
        f"{_browse()}</div></div>{_dialog()}"
    )


def _bring() -> str:
    return (
        '<section id="bring" aria-labelledby="bring-title"><h2 id="bring-title">Add papers</h2>'
        '<div class="drop" id="drop"><p><input type="file" id="files" class="unseen" multiple '
        'aria-describedby="bring-kinds"><label for="files" class="main">Choose files</label>'
        "<span> or drop them here.</span></p>"
        f'<p class="note" id="bring-kinds">{_KINDS}</p>'
        '<div id="copying" hidden><p class="job-line"></p>'
        '<progress aria-label="Copying" max="100" value="0"></progress>'
        '<button type="button" class="plain warn" data-do="cancel-copy">Cancel</button></div>'
        "</div></section>"
    )


def _browse() -> str:
    orders = "".join(f'<option value="{name}">{_ORDERS[name]}</option>' for name in ORDERS)
    formats = "".join(f'<option value="{name}">{_FORMATS[name]}</option>' for name in FORMATS)
    return (
        '<section id="browse" aria-labelledby="browse-title"><h2 id="browse-title">Papers</h2>'
        '<form id="filters" role="search" aria-label="Papers"><div class="fields">'
        '<label class="wide">Words in title or abstract'
        '<input type="search" name="words" autocomplete="off" maxlength="300"></label>'
        '<label>Collection<select name="collection" class="collections-of">'
        '<option value="">All</option></select></label>'
        '<label class="year">From year<input name="year_from" inputmode="numeric" maxlength="4" '
        'autocomplete="off"></label>'
        '<label class="year">To year<input name="year_to" inputmode="numeric" maxlength="4" '
        'autocomplete="off"></label>'
        '<label>Abstract<select name="abstract"><option value="">Any</option>'
        '<option value="yes">With abstract</option><option value="no">Without</option></select>'
        f'</label><label>Sort by<select name="order">{orders}</select></label>'
        "</div></form>"
        '<div class="shelf-head"><p id="range" role="status" tabindex="-1"></p>'
        '<button type="button" class="plain" data-do="clear-filters" hidden>Clear filters</button>'
        '<form id="export" class="export"><label>Export as'
        f'<select name="format">{formats}</select></label>'
        '<button class="plain">Export</button></form></div>'
        '<div id="shelf"></div></section>'
    )


def _dialog() -> str:
    return (
        '<dialog id="asking" aria-labelledby="asking-title"><form method="dialog">'
        '<h2 id="asking-title"></h2><p class="why"></p>'
        '<label class="wide" hidden>New name<input name="name" autocomplete="off" '
        'maxlength="200"></label><div class="refused" role="alert"></div>'
        '<div class="buttons"><button type="button" class="plain" data-do="no" value="no">'
        'Keep</button><button type="submit" class="main" value="yes"></button></div>'
        "</form></dialog>"
    )


def holdings(collections: Mapping[str, int], files: Sequence[SourceFile]) -> str:
    """Return the collections and the files that papers came from."""
    if not files:
        return "<section><h2>Collections</h2><p>None yet.</p></section>"
    named = "".join(_collection(name, count) for name, count in _by_size(collections))
    brought = "".join(map(_file, files))
    return (
        f'<section><h2>Collections</h2><ul class="holdings">{named}</ul></section>'
        f'<section><h2>Files</h2><ul class="holdings">{brought}</ul></section>'
    )


def collection_options(collections: Mapping[str, int]) -> list[dict[str, object]]:
    """Return the names and sizes of collections, for what chooses one."""
    return [
        {"name": name, "shown": neutralised(name) or "No collection", "papers": count}
        for name, count in _by_size(collections)
    ]


def removal_question(file: str, removal: Removal) -> str:
    """Return what removing a file does, as a question's second sentence."""
    goes = papers(removal.removed)
    stays = (
        f" {papers(removal.kept).capitalize()} that other files bring as well "
        f"{'stays' if removal.kept == 1 else 'stay'}."
        if removal.kept
        else ""
    )
    verb = "go" if removal.removed > 1 else "goes"
    return f"{goes.capitalize()} from {neutralised(file)} {verb}.{stays}"


def papers(count: int) -> str:
    """Return a number of papers in words."""
    if not count:
        return "no paper"
    return f"{count:,} {'paper' if count == 1 else 'papers'}"


def _by_size(collections: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    return sorted(collections.items(), key=lambda row: (-row[1], row[0]))


def _collection(name: str, count: int) -> str:
    shown = escape(neutralised(name) or "No collection")
    data = f'data-collection="{escape(name)}" data-shown="{shown}"'
    return (
        f'<li><button type="button" class="name" data-do="show-collection" {data} dir="auto">'
        f"{breakable(shown)}</button><span>{count:,}</span>"
        f'<button type="button" class="small" data-do="rename" {data} '
        f'aria-label="Rename {shown}">Rename</button></li>'
    )


def _file(file: SourceFile) -> str:
    shown, name = escape(neutralised(file.file)), escape(file.file)
    records = f"{file.records:,} {'record' if file.records == 1 else 'records'}"
    return (
        f'<li><span class="name" dir="auto">{breakable(shown)}</span>'
        f'<button type="button" class="small" data-do="remove-file" data-file="{name}" '
        f'data-shown="{shown}" '
        f'aria-label="Remove {shown}">Remove</button>'
        f'<span class="below">{escape(neutralised(file.format))}, {records}, '
        f"{papers(file.papers)}</span></li>"
    )
