"""Draw the Find tab: its frame, and the papers found, each with what it says of the idea."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.interfaces.abstract_html import notes_html, others_html
from assistant.interfaces.cards import copy_button, links_html, marked_abstract
from assistant.interfaces.findings import NOT_CLOSE, matching_words, unread_line
from assistant.interfaces.markup_html import Highlight, text_html
from assistant.interfaces.render import byline, citation
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web.library_html import papers
from assistant.interfaces.web.shelf_html import title_html
from assistant.types import Evidence, Findings, Idea, Match, Paper, Reason, SavedSearch

PAGE = 10
FORMATS = {"bibtex": "BibTeX", "ris": "RIS", "csv": "CSV", "markdown": "Markdown"}
LONGEST_QUOTE = 1_200  # characters of one sentence: some abstracts hold no full stop
LONGEST_PART = 240
_HINT = (
    "A few words, a sentence, or a page: a draft abstract will do. "
    "Enter finds, Shift+Enter starts a new line."
)


def frame() -> str:
    """Return what stands on the Find tab before anything is looked for."""
    return (
        '<div class="message" id="find-message" role="alert"></div>'
        f'<div class="find-columns">{_box()}{_aside()}{_found()}</div>'
    )


def _box() -> str:
    return (
        '<form id="find-form" role="search" aria-label="Find papers">'
        '<label for="idea"><h2>What should the papers do?</h2></label>'
        '<div class="idea"><textarea id="idea" name="text" rows="2" aria-describedby="idea-hint" '
        'placeholder="Describe it in your own words…" autocomplete="off"></textarea>'
        '<button class="main">Find</button></div>'
        f'<p class="note" id="idea-hint">{_HINT}</p>'
        '<ul id="chosen" aria-label="Like and unlike"></ul></form>'
    )


def _aside() -> str:
    return (
        '<details class="about" id="narrow"><summary>Filters and saved searches</summary>'
        '<div class="panels"><section aria-labelledby="narrow-title">'
        '<h2 id="narrow-title">Filters</h2>'
        '<form id="find-filters"><div class="fields">'
        '<label class="year">From year<input name="year_from" inputmode="numeric" maxlength="4" '
        'autocomplete="off"></label>'
        '<label class="year">To year<input name="year_to" inputmode="numeric" maxlength="4" '
        'autocomplete="off"></label>'
        f"{_words('Author', 'authors')}{_words('Venue', 'venues')}{_words('Keyword', 'keywords')}"
        '<label>Collection<select name="collection" class="collections-of">'
        '<option value="">All</option></select></label>'
        f"{_either('Code', 'code')}{_either('Abstract', 'abstract')}</div>"
        '<p class="note">Several in one field: put ; between them.</p>'
        '<button type="button" class="plain" data-do="clear-find-filters" hidden>Clear filters'
        "</button></form></section>"
        '<section aria-labelledby="saved-title"><h2 id="saved-title">Saved searches</h2>'
        '<div id="saved"></div><form id="found-save" class="inline">'
        '<input name="name" aria-label="Save as" placeholder="Name of this search" maxlength="100" '
        'autocomplete="off" required><button class="plain">Save</button></form></section>'
        "</div></details>"
    )


def _words(label: str, name: str) -> str:
    return f'<label>{label}<input name="{name}" maxlength="300" autocomplete="off"></label>'


def _either(label: str, name: str) -> str:
    return (
        f'<label class="half">{label}<select name="{name}"><option value="">Any</option>'
        f'<option value="yes">With</option><option value="no">Without</option></select></label>'
    )


def _found() -> str:
    formats = "".join(f'<option value="{name}">{FORMATS[name]}</option>' for name in FORMATS)
    return (
        '<section id="found" aria-labelledby="found-said">'
        '<div class="found-head" hidden><h2 id="found-said" tabindex="-1" role="status"></h2>'
        '<label class="inline">Sort by<select id="found-sort" name="sort">'
        '<option value="relevance">Relevance</option><option value="year">Year</option></select>'
        '</label><form id="found-export" class="inline"><label class="inline">Take along as'
        f'<select name="format">{formats}</select></label>'
        '<button class="plain">Export</button><button type="button" class="plain" '
        'data-do="copy-found">Copy</button></form></div>'
        '<div id="found-notes"></div><ol class="matches" id="matches"></ol>'
        '<div class="pager"><button type="button" class="plain" data-do="more" hidden>More</button>'
        "</div></section>"
    )


def saved_html(searches: Sequence[SavedSearch]) -> str:
    """Return the saved searches, each with how many papers are new for it."""
    if not searches:
        return "<p>None yet. Look for something, then save it to see what is new.</p>"
    return f'<ul class="holdings">{"".join(map(_saved, searches))}</ul>'


def _saved(search: SavedSearch) -> str:
    shown, name = escape(neutralised(search.name)), escape(search.name)
    new = f'<span class="new">{search.new:,} new</span>' if search.new else "<span>none new</span>"
    return (
        f'<li><button type="button" class="name" data-do="open-saved" data-name="{name}" '
        f'dir="auto">{shown}</button>{new}'
        f'<button type="button" class="small" data-do="forget-saved" data-name="{name}" '
        f'aria-label="Forget {shown}">Forget</button></li>'
    )


# --------------------------------------------------------------------------- what was found


def said(findings: Findings, idea: Idea) -> str:
    """Return how many of the papers found are shown."""
    if not findings.total:
        return "No paper"
    last = idea.offset + len(findings.matches)
    if last >= findings.total:
        return papers(findings.total) if findings.total == 1 else f"All {papers(findings.total)}"
    return f"The first {last:,} of {papers(findings.total)}"


def notes(findings: Findings) -> str:
    """Return what the reader should know of a search before its papers."""
    lines = []
    if not findings.matches:
        lines.append('<p class="nothing">No paper is like that. Take a filter away.</p>')
    elif not findings.close:
        lines.append(f'<p class="far">{NOT_CLOSE}</p>')
    if findings.read_as:
        pairs = ", ".join(
            f"<q>{escape(neutralised(typed))}</q> as <q>{escape(neutralised(read))}</q>"
            for typed, read in findings.read_as
        )
        lines.append(f'<p class="read-as">Read {pairs}.</p>')
    if line := unread_line(findings):
        lines.append(f'<p class="far">{line}</p>')
    if len(findings.facets) > 1 and findings.matches:
        items = "".join(f'<li dir="auto">{_part(facet)}</li>' for facet in findings.facets)
        lines.append(f'<div class="parts"><p>Looked for, part by part:</p><ol>{items}</ol></div>')
    return "".join(lines)


def matches_html(findings: Findings) -> str:
    """Return the papers of one page as items of a list."""
    several = len(findings.facets) > 1
    return "".join(_match(match, several=several) for match in findings.matches)


def _match(match: Match, *, several: bool) -> str:
    paper, name = match.paper, f"match-{match.rank}"
    about = byline(paper)
    byline_html = f'<p class="byline" dir="auto">{escape(about)}</p>' if about else ""
    return (
        f'<li class="match" id="{name}" data-paper="{escape(paper.id)}" value="{match.rank}">'
        f'<div class="match-head"><span class="rank" aria-hidden="true">{match.rank}</span>'
        f'<h3 id="{name}-name" dir="auto" tabindex="-1">{title_html(paper.name)}</h3>'
        f"{_likelihood(match.score)}</div>{byline_html}"
        f"{_reasons(match, several=several)}{_whole(match)}"
        f'<div class="actions">{_go_on(paper, name)}'
        f"{copy_button('Copy citation', citation(paper))}{links_html(paper)}</div></li>"
    )


def _likelihood(score: float) -> str:
    percent = round(100 * min(1.0, max(0.0, score)))
    text = f"{percent}% likely" if percent else "under 1% likely"
    return (
        f'<p class="likely"><span class="bar" aria-hidden="true">'
        f'<span style="width:{percent}%"></span></span> {text}</p>'
    )


def _go_on(paper: Paper, name: str) -> str:
    shown = escape(neutralised(paper.name)[:200])
    data = f'data-paper="{escape(paper.id)}" data-name="{shown}" aria-describedby="{name}-name"'
    labels = (
        ("like", "More like this"),
        ("unlike", "Less like this"),
    )
    return "".join(
        f'<button type="button" class="plain" data-do="{do}" {data}>{label}</button>'
        for do, label in labels
    )


# --------------------------------------------------------------------------- why


def _reasons(match: Match, *, several: bool) -> str:
    """Return each sentence that meets a part of the idea, then the parts that none meets."""
    if not match.paper.abstract:
        return ""  # the note in its place says so
    told = [
        _reason(match.paper, evidence, facets, several=several)
        for evidence, facets in _by_sentence(match.why)
    ]
    unmet = [reason.facet for reason in match.why if reason.evidence is None]
    if unmet and several:
        listed = "; ".join(_part(facet) for facet in unmet)
        told.append(f'<p class="unmet" dir="auto"><strong>Not met:</strong> {listed}</p>')
    elif unmet:
        told.append('<p class="unmet">Not met: no sentence of it says this.</p>')
    return f'<div class="reasons">{"".join(told)}</div>' if told else ""


def _by_sentence(why: Sequence[Reason]) -> list[tuple[Evidence, list[str]]]:
    """Return the sentences in the order of the facets that they meet, each once."""
    found: dict[tuple[int, int], tuple[Evidence, list[str]]] = {}
    for reason in why:
        if reason.evidence is not None:
            place = (reason.evidence.sentence.start, reason.evidence.sentence.end)
            found.setdefault(place, (reason.evidence, []))[1].append(reason.facet)
    return list(found.values())


def _reason(paper: Paper, evidence: Evidence, facets: Sequence[str], *, several: bool) -> str:
    start, end = evidence.sentence.start, evidence.sentence.end
    stop = min(end, start + LONGEST_QUOTE)
    words = matching_words(paper.abstract[start:stop], " ".join(facets))
    marked = [Highlight(start + one, start + other) for one, other in words]
    inner = text_html(paper.abstract, marked, start, stop) + (" …" if stop < end else "")
    met = "; ".join(_part(facet) for facet in facets)
    label = f'<p class="met" dir="auto">{met}</p>' if several else ""
    return f'<div class="reason">{label}<blockquote dir="auto">“{inner}”</blockquote></div>'


def _part(facet: str) -> str:
    text = neutralised(facet)
    return escape(text[:LONGEST_PART]) + (" …" if len(text) > LONGEST_PART else "")


def _whole(match: Match) -> str:
    paper = match.paper
    if not paper.abstract:
        return f"{notes_html(paper)}{others_html(paper)}"
    marked = [
        Highlight(evidence.sentence.start, evidence.sentence.end, place)
        for place, (evidence, _) in enumerate(_by_sentence(match.why))
    ]
    return (
        '<details class="whole"><summary>Abstract</summary>'
        f'<div class="abstract" dir="auto">{marked_abstract(paper, marked)}</div>'
        f"{notes_html(paper)}{others_html(paper)}</details>"
    )
