"""Ctrl-C counts wherever it comes, also where a library swallows it or makes an error of it."""

from __future__ import annotations

import ctypes
import runpy
import signal
import sys
import time
from types import ModuleType

import pytest
from fake_assistant import FakeAssistant

from assistant.errors import ModelError
from assistant.interfaces.cli import interrupts


@pytest.fixture(autouse=True)
def as_in_the_foreground():
    """Take Ctrl-C also where these tests run as a background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def press_in_a_callback() -> None:
    """Press Ctrl-C while C calls Python, which prints the exception and goes on."""
    callback = ctypes.CFUNCTYPE(None)(press)
    callback()


def opening(monkeypatch: pytest.MonkeyPatch, act) -> None:
    def build(_settings, create=False):
        act()
        return FakeAssistant()

    monkeypatch.setattr("assistant.app.build", build)


def test_ctrl_c_leaves_with_130(run_cli, monkeypatch):
    opening(monkeypatch, press)
    ran = run_cli("list")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_what_a_callback_swallows_comes_again(run_cli, monkeypatch):
    def act():
        press_in_a_callback()
        time.sleep(30)

    opening(monkeypatch, act)
    started = time.monotonic()
    ran = run_cli("list")
    assert (ran.code, ran.out, ran.err) == (130, "", "")
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("error", [RuntimeError("secret"), ModelError("It cannot be loaded.")])
def test_what_a_library_makes_of_it_is_not_told(run_cli, monkeypatch, error):
    def act():
        try:
            press()
        except KeyboardInterrupt:
            raise error from None

    opening(monkeypatch, act)
    ran = run_cli("list")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_an_answer_is_cut_short(run_cli, monkeypatch):
    fake = FakeAssistant()

    def ask(question, *, cancelled=None, filters=None):
        press_in_a_callback()
        assert cancelled()
        time.sleep(30)
        yield

    monkeypatch.setattr(fake, "ask", ask)
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: fake)
    ran = run_cli("ask", "How far does a squirrel glide?")
    assert (ran.code, "Traceback" in ran.err) == (130, False)
    assert fake.closed


def test_other_things_that_are_lost_are_still_told(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    def fail():
        raise RuntimeError("in a callback")

    with interrupts.noted() as pressed:
        ctypes.CFUNCTYPE(None)(fail)()
        assert not pressed()
    assert [lost.exc_type for lost in told] == [RuntimeError]


def test_what_was_there_before_is_there_again(monkeypatch):
    hook = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), interrupts.noted() as pressed:
        press()
    assert pressed()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert sys.unraisablehook is hook


def test_a_background_job_goes_on(monkeypatch):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupts.noted() as pressed:
        press()
        assert not pressed()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_ctrl_c_while_the_command_line_is_being_imported_leaves_with_130(monkeypatch):
    class Slow(ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "assistant.interfaces.cli.main", Slow("main"))
    with pytest.raises(SystemExit) as left:
        runpy.run_module("assistant", run_name="__main__")
    assert left.value.code == 130
    # what comes while Python takes itself down ends it without a word
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
