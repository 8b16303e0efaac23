"""The page as Gradio components.

Finished exchanges stand in one HTML block, the one under way in another below it, so that a
streaming answer redraws itself alone. All HTML in them is ours; see ``render_html``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from assistant.interfaces.web.events import Events, Parts
from assistant.interfaces.web.ports import PageAssistant
from assistant.interfaces.web.session import Session
from assistant.interfaces.web.sidebar import sidebar

TITLE = "Ask your abstracts"
EXAMPLES = 4
_HEADER = f"""
<a class="skip" href="#question">Skip to the question</a>
<div class="masthead"><h1>{TITLE}</h1>
<p>Answers that quote the papers they come from. Everything stays on this machine.</p></div>
"""
_WELCOME = """
<p>Ask what the papers in your library found, how they did it, or which of them to read.
Each statement carries the number of its source.</p>
<h2>For example</h2>
"""


def build_page(assistant: PageAssistant) -> gr.Blocks:
    """Return the page; each tab has its own conversation."""
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        _html(_HEADER, "header")
        with gr.Row(elem_id="columns"):
            with gr.Column(elem_id="side"):
                _html(lambda: sidebar(assistant), "sidebar")
            with gr.Column(elem_id="chat"):
                transcript = _html(Session().html, "transcript")
                live = _html("", "live")
                with gr.Column(elem_id="welcome") as welcome:
                    _html(_WELCOME, "welcome-text")
                    chips = [gr.Button(visible=False, elem_classes="chip") for _ in range(EXAMPLES)]
                parts = Parts(transcript, live, welcome, *_composer())
        _wire(page, Events(assistant, parts), parts, chips)
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
            tools = [
                gr.Button(name, elem_id=name.lower(), interactive=False)
                for name in ("Retry", "Undo", "Clear")
            ]
            _html("<p>Enter asks, Shift+Enter starts a new line</p>", "keys")
    return (box, send, stop, *tools)


def _wire(page: gr.Blocks, events: Events, parts: Parts, chips: list[Any]) -> None:
    session = gr.State(Session())
    quiet = {"show_progress": "hidden", "api_visibility": "private"}
    # Gradio would drop a question asked in the moment in which the last answer ends; the
    # session itself lets one through at a time.
    streaming = {**quiet, "concurrency_limit": None, "trigger_mode": "multiple"}
    at_once = {**quiet, "queue": False}
    outputs = parts.outputs()
    asked = [parts.box.submit, parts.send.click]
    gr.on(asked, events.ask, [parts.box, session], outputs, **streaming)
    for chip in chips:
        chip.click(events.ask, [chip, session], outputs, **streaming)
    parts.retry.click(events.retry, session, outputs, **streaming)
    parts.undo.click(events.undo, session, outputs, **at_once)
    parts.clear.click(events.clear, session, outputs, **at_once)
    parts.stop.click(events.stop, session, None, **at_once)
    page.load(lambda: events.examples(EXAMPLES), None, chips, **at_once)
    page.unload(events.close)
