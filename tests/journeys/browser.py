"""A real Chromium, and what a reader does with it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
)
WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}

OpenPage = Callable[..., Page]


def chromium() -> str:
    """Return the browser's path; fail, do not skip, where there is none."""
    named = os.environ.get("CHROMIUM", "")
    found = named if Path(named).is_file() else next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail(
            "The page's tests need a Chromium. Install one (Debian and Ubuntu: apt install "
            "chromium), or set CHROMIUM to the path of its program."
        )
    return found


def ask(page: Page, question: str) -> None:
    """Type a question and press Enter; wait until it is under way."""
    asked = page.locator(".turn").count()
    page.get_by_role("textbox", name="Your question").fill(question)
    page.keyboard.press("Enter")
    page.wait_for_function("n => document.querySelectorAll('.turn').length > n", arg=asked)


def ask_and_wait(page: Page, question: str) -> None:
    """Ask, and wait for the end of the answer."""
    ask(page, question)
    rest(page)


def rest(page: Page) -> None:
    """Wait until nothing is under way."""
    page.wait_for_selector("#live .turn", state="detached")
    page.wait_for_selector("#send:visible")
