"""Draw the papers of the library: a page of them, and one of them with all that is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise

from assistant.interfaces.abstract_html import abstract_html, marks, notes_html, others_html
from assistant.interfaces.cards import EXTERNAL, copy_button
from assistant.interfaces.mathml import formula
from assistant.interfaces.render import byline, citation, is_web_link
from assistant.interfaces.safe_text import neutralised
from assistant.library import people
from assistant.library.browsing import Listing
from assistant.types import Paper

PAGE = 25
LONGEST = 50_000  # characters of an abstract that are shown
LONGEST_TITLE = 600
_FORMULA = re.compile(r"(?<![\\$\w])\$(?=\S)([^$]{1,200}?)(?<=[^\s\\])\$(?![\d$])")
_LATEXISH = re.compile(r"[\\^_{}]|^\w$")
_NAMES = {"ISSN": "ISSN", "ISBN": "ISBN", "citation-key": "Citation key", "page": "Pages"}


def shelf(listing: Listing, *, filtered: bool) -> str:
    """Return a page of papers with what turns it."""
    if not listing.total:
        if filtered:
            return '<p class="nothing">No paper is like that. Take a filter away.</p>'
        return '<p class="nothing">The library is empty. Add a file above.</p>'
    items = "".join(entry(paper) for paper in listing.papers)
    return f'<ol class="entries" start="{listing.start + 1}">{items}</ol>{_pager(listing)}'


def range_line(listing: Listing) -> str:
    """Return which of the papers are shown."""
    if not listing.total:
        return "No papers"
    if listing.total == 1:
        return "1 paper"
    first, last = listing.start + 1, listing.start + len(listing.papers)
    return f"{first:,} to {last:,} of {listing.total:,} papers"


def entry(paper: Paper) -> str:
    """Return one paper of the list, closed; what is inside is asked for when it is opened."""
    about = byline(paper)
    said = f'<span class="about-paper" dir="auto">{escape(about)}</span>' if about else ""
    where = ", ".join(collections_of(paper))
    return (
        f'<li><details class="entry" data-paper="{escape(paper.id)}"><summary>'
        f'<span class="name" dir="auto">{title_html(paper.name)}</span>'
        f'{said}<span class="where" dir="auto">{escape(where)}</span>{_marks(paper)}'
        '</summary><div class="inside"></div></details></li>'
    )


def collections_of(paper: Paper) -> list[str]:
    """Return the names of the collections that a paper is in."""
    names = dict.fromkeys(source.collection for source in paper.sources)
    return [neutralised(name) for name in names if name]


def title_html(title: str) -> str:
    """Return a title: its formulas drawn, all else shown as text."""
    text = neutralised(title)
    cut, rest = text[:LONGEST_TITLE], text[LONGEST_TITLE:]
    found = [match for match in _FORMULA.finditer(cut) if _LATEXISH.search(match[1])]
    edges = [0, *(edge for match in found for edge in match.span()), len(cut)]
    parts = [escape(cut[start:end]) for start, end in pairwise(edges)]
    for place, match in enumerate(found):
        parts[2 * place + 1] = formula(match[1].strip(), match[0])
    return "".join(parts) + (" …" if rest else "")


def _marks(paper: Paper) -> str:
    inner = "".join(f'<span class="badge">{mark}</span>' for mark in marks(paper))
    return f'<span class="badges">{inner}</span>' if inner else ""


def _pager(listing: Listing) -> str:
    if listing.total <= PAGE:
        return ""
    here, pages = listing.start // PAGE + 1, (listing.total - 1) // PAGE + 1
    turns = (
        ("First", 0, here > 1),
        ("Previous", listing.start - PAGE, here > 1),
        ("Next", listing.start + PAGE, here < pages),
        ("Last", (pages - 1) * PAGE, here < pages),
    )
    buttons = [
        f'<button type="button" class="plain" data-do="turn" data-start="{start}" '
        f'aria-label="{name} page"{"" if usable else " disabled"}>{name}</button>'
        for name, start, usable in turns
    ]
    buttons.insert(2, f"<span>Page {here:,} of {pages:,}</span>")
    return f'<nav class="pager" aria-label="Pages">{"".join(buttons)}</nav>'


# --------------------------------------------------------------------------- one paper


def paper_html(paper: Paper, bibtex: str) -> str:
    """Return everything that is known of a paper."""
    return (
        f"{_abstract(paper)}"
        f'<dl class="facts">{"".join(_facts(paper))}</dl>{_sources(paper)}'
        f'<div class="actions">{copy_button("Copy citation", citation(paper))}'
        f"{copy_button('Copy as BibTeX', bibtex)}"
        '<button type="button" class="plain warn" data-do="remove-paper" '
        f'data-paper="{escape(paper.id)}" data-name="{escape(neutralised(paper.name)[:200])}">'
        "Remove from the library</button></div>"
    )


def _abstract(paper: Paper) -> str:
    rest = len(paper.abstract) - LONGEST
    more = f" … <em>({rest:,} more characters)</em>" if rest > 0 else ""
    inner = abstract_html(paper.abstract, end=min(len(paper.abstract), LONGEST)) + more
    shown = f'<div class="abstract" dir="auto">{inner}</div>' if paper.abstract else ""
    return f"{shown}{notes_html(paper)}{others_html(paper)}"


def _facts(paper: Paper) -> Iterable[str]:
    doi = paper.doi if "://" in paper.doi else f"https://doi.org/{paper.doi}"
    arxiv, pmid = f"https://arxiv.org/abs/{paper.arxiv_id}", paper.pmid
    yield _fact("Authors", escape(neutralised("; ".join(map(people.spoken, paper.authors)))))
    yield _fact("Venue", escape(neutralised(paper.venue)))
    yield _fact("Year", str(paper.year or ""))
    yield _fact("DOI", _link(paper.doi, doi))
    yield _fact("PubMed", _link(pmid, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"))
    yield _fact("arXiv", _link(paper.arxiv_id, arxiv))
    yield _fact("Address", _link(paper.url, paper.url))
    yield _fact("Code", " ".join(_link(link, link) for link in dict.fromkeys(paper.code_links)))
    yield _fact("Keywords", escape(neutralised("; ".join(paper.keywords))))
    yield _fact("Language", escape(neutralised(paper.language)))
    for name, value in paper.details:
        label = _NAMES.get(name, name.replace("-", " ").capitalize())
        yield _fact(escape(neutralised(label)), escape(neutralised(value)))
    yield _fact("Id", f"<code>{escape(paper.id)}</code>")


def _fact(name: str, html: str) -> str:
    return f'<div><dt>{name}</dt><dd dir="auto">{html}</dd></div>' if html else ""


def _link(text: str, link: str) -> str:
    said = escape(re.sub(r"^https?://", "", neutralised(text)))
    if not text or not is_web_link(link):
        return said
    return f'<a class="out" href="{escape(link)}" {EXTERNAL}>{said}</a>'


def _sources(paper: Paper) -> str:
    items = "".join(
        f'<li dir="auto">{escape(neutralised(source.file))}, record {source.record_no:,} '
        f"({escape(neutralised(source.format))}, in "
        f"{escape(neutralised(source.collection) or 'no collection')})</li>"
        for source in paper.sources
    )
    word = "Source" if len(paper.sources) == 1 else "Sources"
    return f'<h4>{word}</h4><ul class="origins">{items}</ul>' if items else ""
