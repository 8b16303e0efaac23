from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from fake_assistant import FakeAssistant

from assistant.interfaces.cli import chat


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """Return how the page was served each time; Gradio is not loaded for it."""
    calls: list[dict] = []
    page = ModuleType("assistant.interfaces.web.page")
    page.serve = lambda assistant, **options: calls.append({"assistant": assistant, **options})
    monkeypatch.setitem(sys.modules, page.__name__, page)
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: FakeAssistant())
    return calls


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Yield a port that something listens on, and let the free ones be looked for from there."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        monkeypatch.setattr(chat, "FIRST_PORT", port)
        yield port


def test_the_page_is_served_on_loopback_and_opened_unless_told_otherwise(run_cli, served):
    assert run_cli("chat").code == 0
    (call,) = served
    assert (call["host"], call["open_browser"]) == ("127.0.0.1", True)
    assert chat.FIRST_PORT <= call["port"] < chat.FIRST_PORT + chat.PORTS_TRIED
    assert call["assistant"].closed


def test_host_and_browser_are_as_told(run_cli, served):
    run_cli("chat", "--no-browser", "--host", "0.0.0.0")
    assert (served[0]["host"], served[0]["open_browser"]) == ("0.0.0.0", False)


def test_a_port_in_use_is_passed_over(run_cli, served, taken):
    run_cli("chat")
    assert taken < served[0]["port"] < taken + chat.PORTS_TRIED


def test_a_port_asked_for_that_is_in_use_is_told_and_nothing_is_loaded(run_cli, served, taken):
    ran = run_cli("chat", "--port", str(taken))
    assert (ran.code, served) == (1, [])
    assert str(taken) in ran.err
    assert "--port" in ran.err


def test_a_port_asked_for_that_is_free_is_taken(run_cli, served, taken):
    run_cli("chat")
    free = served[0]["port"]
    run_cli("chat", "--port", str(free))
    assert served[1]["port"] == free


def test_a_host_that_is_not_of_this_machine_is_told(run_cli, served):
    ran = run_cli("chat", "--host", "192.0.2.1")
    assert (ran.code, served) == (1, [])
    assert "192.0.2.1" in ran.err
