"""The side bar: what the answers come from, who writes them, and what they cannot be."""

from __future__ import annotations

from html import escape

from assistant.errors import AssistantError
from assistant.interfaces.cards import copy_button
from assistant.interfaces.render_html import COMMAND, LEGEND, error_html, prose
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web.ports import PageAssistant, PageStatus

_LIMITS = (
    "See full papers; it knows their abstracts.",
    "Answer from the web, or from what the model once learnt.",
    "Count, rank or compare across the whole library.",
    "Remember a conversation: reloading starts anew.",
)
_MOST_COLLECTIONS = 8


def sidebar(assistant: PageAssistant) -> str:
    """Return the side bar; where the status cannot be had, it says why."""
    try:
        inside = _inside(assistant.status())
    except AssistantError as error:
        inside = error_html(error)
    return (
        '<details class="about" id="about"><summary>Library and model</summary>'
        f'<div class="panels">{inside}</div></details>'
    )


def welcome_html(assistant: PageAssistant) -> str:
    """Return what an empty conversation begins with."""
    try:
        empty = not assistant.status().papers
    except AssistantError:
        empty = False  # the side bar says what is wrong
    if empty:
        return (
            '<p>Your library is empty. <a href="#library">Add papers</a> first: an export of your '
            "reference manager, or any list of abstracts.</p>"
        )
    return (
        "<p>Ask what the papers in your library found, how they did it, or which of them to read. "
        "Each statement carries the number of its source.</p><h2>For example</h2>"
    )


def _inside(status: PageStatus) -> str:
    notes = "".join(f"<p>{prose(note)}</p>" for note in status.notes)
    return "".join(
        (
            _panel("Library", _library(status)),
            _panel("Model", _model(status)),
            _panel("Please note", notes) if notes else "",
            _panel("How to read an answer", _legend()),
            _panel("What it can't do", _list(_LIMITS)),
        )
    )


def _panel(title: str, inside: str) -> str:
    return f"<section><h2>{title}</h2>{inside}</section>"


def _library(status: PageStatus) -> str:
    if not status.papers:
        return (
            '<p>The library is empty.</p><p><a href="#library">Add papers</a>, or import a file of '
            "abstracts with <code>assistant ingest FILE</code>.</p>"
        )
    rows = sorted(status.collections.items(), key=lambda row: -row[1])
    items = [
        f'<li data-collection="{escape(name)}"><span dir="auto">'
        f"{escape(neutralised(name) or 'No collection')}</span>"
        f" <span>{count:,}</span></li>"
        for name, count in rows[:_MOST_COLLECTIONS]
    ]
    rest = len(rows) - _MOST_COLLECTIONS
    if rest > 0:
        items.append(f"<li>and {rest:,} more collections</li>")
    word = "paper" if status.papers == 1 else "papers"
    return (
        f'<p class="size"><strong>{status.papers:,}</strong> {word}</p>'
        f'<ul class="collections">{"".join(items)}</ul>'
        '<p class="asked-of" hidden></p>'
    )


def _model(status: PageStatus) -> str:
    if status.model:
        return (
            f'<p class="model"><code>{escape(neutralised(status.model))}</code></p>'
            "<p>Runs on this machine. What it writes is shown only if it passes the checks against"
            " the paper that it cites.</p>"
        )
    hint = neutralised(status.model_hint) or "To have them written: assistant models pull"
    command = COMMAND.search(hint)
    copy = copy_button("Copy command", command[0]) if command else ""
    return (
        '<p class="model none"><strong>No model.</strong> Answers are quotes, word for word.</p>'
        f"<p>{prose(hint)}</p>{copy}"
    )


def _legend() -> str:
    return "".join(f'<p class="key {kind}">{escape(text)}</p>' for kind, text in LEGEND.items()) + (
        '<p>A number such as <span class="marker like">[1]</span> opens its source, with the cited'
        " sentence marked in the abstract. <kbd>Esc</kbd> closes it.</p>"
    )


def _list(lines: tuple[str, ...]) -> str:
    return f'<ul class="limits">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>'
