"""What every model that is read from a folder needs: no hub, and text that tokenizers take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def speakable(text: str) -> str:
    """Replace halves of characters, which tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def offline() -> Iterator[None]:
    """Keep the libraries from asking a hub about the model that they load, and from drawing bars.

    They read these when they are imported; afterwards they are as before, so that a reader's own
    downloads find the hub open.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        from transformers.utils import logging as transformers_logging

        # Its progress bar would run through whatever the terminal is showing.
        quiet: Any = transformers_logging.disable_progress_bar
        quiet()
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
