"""The page as Gradio components.

Finished exchanges stand in one HTML block, the one under way in another below it, so that a
streaming answer redraws itself alone. All HTML in them is ours; see ``render_html``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from assistant.interfaces.web import find_html, library_html
from assistant.interfaces.web.events import Events, Parts
from assistant.interfaces.web.ports import PageAssistant
from assistant.interfaces.web.session import Session
from assistant.interfaces.web.sidebar import sidebar, welcome_html

TITLE = "Ask your abstracts"
EXAMPLES = 4
_HEADER = f"""
<a class="skip" href="#question">Skip to the content</a>
<div class="masthead"><h1>{TITLE}</h1>
<p>Answers that quote the papers they come from. Everything stays on this machine.</p>
<nav class="tabs" aria-label="Views"><div role="tablist" aria-label="Views">
<a role="tab" id="tab-ask" href="#ask" aria-controls="columns" aria-selected="true">Ask</a>
<a role="tab" id="tab-find" href="#find" aria-controls="find" aria-selected="false" \
tabindex="-1">Find</a>
<a role="tab" id="tab-library" href="#library" aria-controls="library" aria-selected="false" \
tabindex="-1">Library<span id="tab-news"></span></a></div></nav></div>
"""
_SCOPE = """
<details id="scope"><summary>In <span id="scope-said">all collections</span></summary>
<fieldset id="scope-choice"><legend>Ask of</legend></fieldset></details>
"""
# What is ticked is known to the page's script alone, which puts it in place of the hidden box.
_WITH_SCOPE = "(asked, _, session) => [asked, window.assistantPage.scope(), session]"
_INSTEAD = "(_, __, session) => [assistantPage.instead, assistantPage.scope(), session]"
_WITH_SCOPE_AGAIN = "(_, session) => [window.assistantPage.scope(), session]"


def build_page(assistant: PageAssistant) -> gr.Blocks:
    """Return the page; each tab has its own conversation."""
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        _html(_HEADER, "header")
        with gr.Row(elem_id="columns"):
            with gr.Column(elem_id="side"):
                about = _html(lambda: sidebar(assistant), "sidebar")
            with gr.Column(elem_id="chat"):
                transcript = _html(Session().html, "transcript")
                live = _html("", "live")
                with gr.Column(elem_id="welcome") as welcome:
                    hello = _html(lambda: welcome_html(assistant), "welcome-text")
                    chips = [gr.Button(visible=False, elem_classes="chip") for _ in range(EXAMPLES)]
                parts = Parts(transcript, live, welcome, *_composer())
        _html(find_html.frame(), "find")
        _html(library_html.frame(), "library")
        events = Events(assistant, parts)
        _wire(page, events, parts, chips)
        # the script presses it when the library has changed
        refresh = gr.Button("Refresh", elem_id="refresh", visible="hidden")
        refresh.click(
            lambda: [sidebar(assistant), welcome_html(assistant), *events.examples(EXAMPLES)],
            None,
            [about, hello, *chips],
            show_progress="hidden",
            api_visibility="private",
            queue=False,
        )
    return page


def _html(value: str | Callable[[], str], name: str) -> Any:
    """Return a block of our own HTML, without Gradio's styles or its click event."""
    return gr.HTML(value, elem_id=name, js_on_load=None, apply_default_css=False)


def _composer() -> tuple[Any, ...]:
    with gr.Column(elem_id="composer"):
        with gr.Row(elem_id="ask"):
            box = gr.Textbox(
                label="Your question",
                show_label=False,
                placeholder="Ask about your papers…",
                elem_id="question",
                lines=1,
                max_lines=8,
                container=False,
            )
            send = gr.Button("Ask", elem_id="send")
            stop = gr.Button("Stop", elem_id="stop", visible=False)
        with gr.Row(elem_id="tools"):
            _html(_SCOPE, "scope-place")
            tools = [
                gr.Button(name, elem_id=name.lower(), interactive=False)
                for name in ("Retry", "Undo", "Clear")
            ]
            _html("<p>Enter asks, Shift+Enter starts a new line</p>", "keys")
    return (box, send, stop, *tools)


def _wire(page: gr.Blocks, events: Events, parts: Parts, chips: list[Any]) -> None:
    session, scope = gr.State(Session()), gr.Textbox(visible=False)
    quiet = {"show_progress": "hidden", "api_visibility": "private"}
    # Gradio would drop a question asked in the moment in which the last answer ends; the
    # session itself lets one through at a time.
    streaming = {**quiet, "concurrency_limit": None, "trigger_mode": "multiple"}
    at_once = {**quiet, "queue": False}
    outputs = parts.outputs()
    asked = [parts.box.submit, parts.send.click]
    gr.on(asked, events.ask, [parts.box, scope, session], outputs, js=_WITH_SCOPE, **streaming)
    for chip in chips:
        chip.click(events.ask, [chip, scope, session], outputs, js=_WITH_SCOPE, **streaming)
    # the script presses it with the question that it was asked to have answered
    instead = gr.Button("Answer it instead", elem_id="instead", visible="hidden")
    instead.click(events.instead, [parts.box, scope, session], outputs, js=_INSTEAD, **streaming)
    again = [scope, session]
    parts.retry.click(events.retry, again, outputs, js=_WITH_SCOPE_AGAIN, **streaming)
    parts.undo.click(events.undo, session, outputs, **at_once)
    parts.clear.click(events.clear, session, outputs, **at_once)
    parts.stop.click(events.stop, session, None, **at_once)
    page.load(lambda: events.examples(EXAMPLES), None, chips, **at_once)
    page.unload(events.close)
