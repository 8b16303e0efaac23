"""One tab's conversation: order, Stop, errors, memory."""

from __future__ import annotations

import copy
import json
import threading

import pytest

from assistant.errors import ModelError
from assistant.interfaces.web.events import collections_in
from assistant.interfaces.web.session import Session
from assistant.types import Answer, Delta, Done, Filters, Paper, Quotes, Receipt, Stage, Statement

PAPER = Paper("p1", "Handle", "One sentence.")
QUOTE = Statement("One sentence.", "quoted", 1, "p1", ())
RECEIPT = Receipt("", "", "", 7)


class Scripted:
    """Yields what it is given; keeps what it was asked with."""

    def __init__(self, *events, then=None):
        self.events = events
        self.then = then
        self.histories = []
        self.cancelled = None

    def ask(self, question, history=(), *, cancelled, filters=None, literal=False):
        self.histories.append(history)
        self.filters = filters
        self.cancelled = cancelled
        yield from self.events
        if isinstance(self.then, Exception):
            raise self.then
        if self.then:
            yield from self.then(cancelled)


def finished(question="Q"):
    return Done(Answer(question, "answered", (QUOTE,), (PAPER,), RECEIPT))


def ask(session, assistant, question="Q", within=()):
    run = session.begin(assistant, question, within)
    for _ in run.updates():
        pass
    session.finish(run)
    return run


def test_an_answer_ends_in_the_transcript():
    session = Session()
    ask(session, Scripted(Stage("searching"), finished()), "What <is> it?")
    assert "What &lt;is&gt; it?" in session.html
    assert session.live_html == ""
    assert session.run is None


def test_later_questions_come_with_the_earlier_exchanges():
    session = Session()
    ask(session, Scripted(finished()), "first")
    assistant = Scripted(finished())
    ask(session, assistant, "second")
    (history,) = assistant.histories
    assert [(turn.question, turn.answer, turn.paper_ids) for turn in history] == [
        ("first", "One sentence. [1]", ("p1",))
    ]


def test_stop_reaches_the_engine_and_keeps_what_is_done():
    session = Session()

    def until_cancelled(cancelled):
        while not cancelled():
            threading.Event().wait(0.01)
        answer = Answer("Q", "partly", (QUOTE,), (PAPER,), RECEIPT, stopped=True)
        yield Done(answer)

    run = session.begin(Scripted(Quotes((QUOTE,), (PAPER,)), then=until_cancelled), "Q")
    updates = run.updates()
    next(updates)
    session.stop()
    for _ in updates:
        pass
    session.finish(run)
    assert run.progress.stopped
    assert "One sentence." in session.html
    assert "Stopped." in session.html


def test_stop_does_not_wait_for_an_engine_that_is_busy():
    session = Session()
    go_on = threading.Event()

    def busy(cancelled):
        go_on.wait(30)
        yield finished()

    run = session.begin(Scripted(Quotes((QUOTE,), (PAPER,)), then=busy), "Q")
    updates = run.updates()
    next(updates)
    session.stop()
    for _ in updates:
        pass
    session.finish(run)
    assert run.progress.answer is None
    assert run.progress.stopped
    assert "One sentence." in session.html
    go_on.set()


def test_a_draft_that_was_cut_off_leaves_its_quote():
    session = Session()

    def cut_off(cancelled):
        while not cancelled():
            threading.Event().wait(0.01)
        yield from ()

    events = (Quotes((QUOTE,), (PAPER,)), Delta(1, "half a thou"))
    run = session.begin(Scripted(*events, then=cut_off), "Q")
    updates = run.updates()
    next(updates)
    session.stop()
    for _ in updates:
        pass
    session.finish(run)
    assert "One sentence." in session.html
    assert "half a thou" not in session.html


def test_an_error_is_shown_and_the_conversation_goes_on():
    session = Session()
    ask(session, Scripted(Stage("searching"), then=ModelError("No model.", "Pull one.")))
    assert "No model." in session.html
    assistant = Scripted(finished())
    ask(session, assistant)
    assert assistant.histories == [()]  # what failed is no context
    assert "One sentence." in session.html


@pytest.mark.parametrize("then", [RuntimeError("secret"), None])
def test_what_nobody_foresaw_is_told_without_its_details(then):
    session = Session()
    ask(session, Scripted(Stage("searching"), then=then))
    assert "Press Retry." in session.html
    assert "secret" not in session.html


def test_pop_gives_the_question_back_and_clear_forgets():
    session = Session()
    ask(session, Scripted(finished()), "first")
    ask(session, Scripted(finished()), "second")
    assert session.pop() == "second"
    assert "second" not in session.html
    session.clear()
    assert session.empty
    assert session.pop() == ""


def test_ids_are_never_used_twice():
    session = Session()
    ask(session, Scripted(finished()))
    session.pop()
    ask(session, Scripted(finished()))
    assert 'id="turn-2"' in session.html
    assert 'id="turn-1"' not in session.html


def test_a_copied_session_is_a_new_one():
    session = Session()
    ask(session, Scripted(finished()))
    assert copy.deepcopy(session).empty


def test_only_one_answer_is_under_way_at_a_time():
    session = Session()
    with session.turn() as first, session.turn() as second:
        assert first
        assert not second
    with session.turn() as third:
        assert third


def test_a_question_is_asked_of_the_chosen_collections_and_says_so():
    session, assistant = Session(), Scripted(finished())
    ask(session, assistant, within=("Old <ones>", "New\u202e ones"))
    assert assistant.filters == Filters(collections=("Old <ones>", "New\u202e ones"))
    assert "Asked of Old &lt;ones&gt;, New ones" in session.html
    ask(session, assistant)
    assert assistant.filters is None
    assert session.html.count("Asked of") == 1


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ('["a", "b"]', ("a", "b")),
        ("[]", ()),
        ("", ()),
        (None, ()),
        ("no JSON", ()),
        ('{"a": 1}', ()),
        ('["a", 7, null]', ("a",)),
        (json.dumps(["x"] * 501), ()),
    ],
)
def test_what_a_tab_says_of_its_collections_is_read_with_care(sent, named):
    assert collections_in(sent) == named
