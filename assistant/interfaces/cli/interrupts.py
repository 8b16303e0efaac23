"""Ctrl-C, remembered: where a library swallows it or makes another error of it, it still counts.

Python raises ``KeyboardInterrupt`` wherever it happens to be. In a callback from C, such as those
of llama.cpp, or in a finalizer, the exception is printed and lost; it is sent once more then.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

if sys.platform == "win32":
    from _thread import interrupt_main as _send
else:

    def _send() -> None:
        """Press Ctrl-C once more, such that it ends a wait of the main thread."""
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


INTERRUPTED = 130
AGAIN = 0.05  # seconds until a Ctrl-C that was lost is sent once more


@contextmanager
def noted() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether Ctrl-C was pressed since.

    A process that was started with Ctrl-C ignored, such as a shell's background job, goes on
    ignoring it.
    """
    pressed = threading.Event()
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed.is_set
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        pressed.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        with _sent_again():
            yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _sent_again() -> Iterator[None]:
    """Send a ``KeyboardInterrupt`` that could not be raised once more, a moment later."""
    before = sys.unraisablehook
    waiting: list[threading.Timer] = []

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not KeyboardInterrupt:
            before(lost)
            return
        timer = threading.Timer(AGAIN, _send)
        timer.daemon = True
        waiting.append(timer)
        timer.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
        for timer in waiting:
            timer.cancel()
