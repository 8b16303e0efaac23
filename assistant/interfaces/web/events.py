"""What happens when somebody uses the page."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from assistant.interfaces.web.ports import PageAssistant
from assistant.interfaces.web.session import Session

_log = logging.getLogger(__name__)

Update = dict[Any, Any]
_MOST_COLLECTIONS = 500  # more than SQLite likes to be asked for at once


@dataclass(frozen=True)
class Parts:
    """The components that events change."""

    transcript: Any
    live: Any
    welcome: Any
    box: Any
    send: Any
    stop: Any
    retry: Any
    undo: Any
    clear: Any

    def outputs(self) -> list[Any]:
        """Return them all."""
        return [getattr(self, part.name) for part in fields(self)]


class Events:
    """Handlers of one page, for all its tabs; each gets the session of the tab that calls."""

    def __init__(self, assistant: PageAssistant, parts: Parts) -> None:
        self._assistant = assistant
        self._parts = parts
        self._waiting: dict[str, Session] = {}  # by tab: closing one must end its answer

    def ask(
        self, question: str, scope: str, session: Session, request: gr.Request
    ) -> Iterator[Update]:
        """Answer a question; a second one while the first is under way is ignored."""
        with session.turn() as free:
            if free and question.strip():
                within, first = collections_in(scope), {self._parts.box: ""}
                yield from self._answer(question, within, session, request, first)
            else:
                yield self._nothing()

    def instead(
        self, question: str, scope: str, session: Session, request: gr.Request
    ) -> Iterator[Update]:
        """Answer a question that was understood as a search for papers as any other."""
        with session.turn() as free:
            if free and question.strip():
                within = collections_in(scope)
                yield from self._answer(question, within, session, request, {}, literal=True)
            else:
                yield self._nothing()

    def retry(self, scope: str, session: Session, request: gr.Request) -> Iterator[Update]:
        """Ask the last question again, in place of its answer."""
        with session.turn() as free:
            if free and not session.empty:
                within = collections_in(scope)
                yield from self._answer(session.pop(), within, session, request, {})
            else:
                yield self._nothing()

    def undo(self, session: Session) -> Update:
        """Take the last question back into the box."""
        with session.turn() as free:
            if not free or session.empty:
                return self._nothing()
            return {self._parts.box: session.pop(), **self._resting(session)}

    def clear(self, session: Session) -> Update:
        """Start anew."""
        with session.turn() as free:
            if not free:
                return self._nothing()
            session.clear()
            return self._resting(session)

    def stop(self, session: Session) -> None:
        """End the answer under way; what there is of it stays."""
        session.stop()

    def close(self, request: gr.Request) -> None:
        """End what a closed tab was waiting for."""
        session = self._waiting.pop(str(request.session_hash), None)
        if session is not None:
            session.stop()

    def examples(self, n: int) -> list[Any]:
        """Return ``n`` chips; a library that cannot give examples hides them."""
        try:
            questions = list(self._assistant.examples(n))[:n]
        except Exception:  # noqa: BLE001 - a page without examples is better than none
            _log.exception("The library gave no example questions.")
            questions = []
        shown = [gr.update(value=question, visible=True) for question in questions]
        return shown + [gr.update(visible=False)] * (n - len(shown))

    def _answer(
        self,
        question: str,
        within: tuple[str, ...],
        session: Session,
        request: gr.Request,
        first: Update,
        *,
        literal: bool = False,
    ) -> Iterator[Update]:
        parts = self._parts
        tab = str(request.session_hash)
        self._waiting[tab] = session
        run = session.begin(self._assistant, question, within, literal=literal)
        try:
            yield {
                **first,
                parts.transcript: session.html,
                parts.live: session.live_html,
                parts.welcome: gr.update(visible=False),
                **self._buttons(session),
            }
            for _ in run.updates():
                if not run.progress.finished:
                    yield {parts.live: session.live_html}
            session.finish(run)
            yield self._resting(session)
        finally:  # also where the tab is gone and Gradio closes the generator
            run.stop()
            self._waiting.pop(tab, None)

    def _nothing(self) -> Update:
        return {self._parts.live: gr.skip()}

    def _resting(self, session: Session) -> Update:
        return {
            self._parts.transcript: session.html,
            self._parts.live: "",
            self._parts.welcome: gr.update(visible=session.empty),
            **self._buttons(session),
        }

    def _buttons(self, session: Session) -> Update:
        running = session.run is not None
        usable = gr.update(interactive=not running and not session.empty)
        return {
            self._parts.send: gr.update(visible=not running),
            self._parts.stop: gr.update(visible=running),
            self._parts.retry: usable,
            self._parts.undo: usable,
            self._parts.clear: usable,
        }


def collections_in(scope: str) -> tuple[str, ...]:
    """Return the collections that a tab's script names, none where it names them oddly."""
    try:
        names = json.loads(scope or "[]")
    except ValueError:
        return ()
    if not isinstance(names, list) or len(names) > _MOST_COLLECTIONS:
        return ()
    return tuple(name for name in names if isinstance(name, str))
