"""The source card of the page: one paper, its cited sentences marked inside its abstract."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from assistant.interfaces.abstract_html import abstract_html, marks, notes_html, others_html
from assistant.interfaces.markup_html import Highlight, shown, text_html
from assistant.interfaces.render import byline, citation, is_web_link, provenance, web_links
from assistant.interfaces.safe_text import neutralised
from assistant.types import Paper, Statement

LONGEST = 12_000  # characters of an abstract that a card shows
_LEAD = 1_500  # of them before the first cited sentence, where the text is cut
EXTERNAL = 'target="_blank" rel="noopener noreferrer"'


def card_id(turn: str, marker: int) -> str:
    """Return the id that a marker links to."""
    return f"{turn}-source-{marker}"


def card(paper: Paper, marker: int, turn: str, statements: Sequence[Statement] = ()) -> str:
    """Return a closed card; ``statements`` are the answer's, those of this marker are marked."""
    about = byline(paper)
    abstract = marked_abstract(paper, highlights(statements, marker))
    byline_html = f'<p class="byline">{escape(about)}</p>' if about else ""
    return (
        f'<details class="card" id="{card_id(turn, marker)}">'
        f'<summary><span class="number">{marker}</span>'
        f'<span class="name">{text_html(neutralised(paper.name))}</span>'
        f'<span class="where">{escape(_place(paper))}</span></summary>'
        f'<div class="inside">{byline_html}'
        f'<div class="abstract" tabindex="-1" dir="auto">{abstract}</div>'
        f"{notes_html(paper)}{others_html(paper)}"
        f'<p class="provenance">{escape(provenance(paper))}</p>'
        f'<div class="actions">{copy_button("Copy citation", citation(paper))}'
        f"{links_html(paper)}</div></div></details>"
    )


def copy_button(label: str, text: str) -> str:
    """Return a button that puts ``text`` on the clipboard and says so."""
    return (
        f'<button type="button" class="copy" data-copy="{escape(shown(text))}">'
        f'<span class="label">{escape(label)}</span></button>'
    )


def highlights(statements: Sequence[Statement], marker: int) -> list[Highlight]:
    """Return the cited slices of one marker, each owned by its statement's place in the answer."""
    return [
        Highlight(evidence.sentence.start, evidence.sentence.end, owner)
        for owner, statement in enumerate(statements)
        if statement.marker == marker
        for evidence in statement.evidence
    ]


def marked_abstract(paper: Paper, marked: Sequence[Highlight]) -> str:
    """Return the inside of an abstract with slices marked; of a long one what is around them."""
    start, end = _window(len(paper.abstract), marked)
    before = "… " if start else ""
    after = f" … <em>({len(paper.abstract) - end:,} more characters)</em>"
    inner = abstract_html(paper.abstract, marked, start, end)
    return f"{before}{inner}{after if end < len(paper.abstract) else ''}"


def _window(length: int, marked: Iterable[Highlight]) -> tuple[int, int]:
    """Return the slice of a long abstract to show: from a little before what is cited."""
    if length <= LONGEST:
        return 0, length
    first = min((highlight.start for highlight in marked), default=0)
    start = max(0, first - _LEAD) if first > LONGEST - _LEAD else 0
    return start, min(length, start + LONGEST)


def _place(paper: Paper) -> str:
    if not paper.sources:
        return ""
    source = paper.sources[0]
    place = f"{source.collection or source.file}, record {source.record_no}"
    return neutralised(" · ".join((place, *marks(paper))))


def links_html(paper: Paper) -> str:
    """Return links to a paper and to its code."""
    code = [link for link in dict.fromkeys(paper.code_links) if is_web_link(link)]
    links = [(link, "Code") for link in code]
    links += [(link, "Paper") for link in web_links(paper) if link not in code]
    return "".join(
        f'<a class="out" href="{escape(link)}" {EXTERNAL}><span class="kind">{kind}</span> '
        f"{escape(re.sub(r'^https?://', '', link))}</a>"
        for link, kind in links
    )
