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

CONTRASTS = """() => {
  const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n; };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest("button:disabled"))
      continue;
    if (["SCRIPT", "STYLE"].includes(e.tagName)) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${e.className}: ${e.textContent.slice(0, 40)}`);
  }
  return poor;
}"""


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


def width(page: Page) -> int:
    """Return how wide the page is, whatever is seen of it."""
    return page.evaluate("document.documentElement.scrollWidth")


def open_library(page: Page, address: str) -> None:
    """Open the Library tab; wait until its papers are there."""
    page.goto(f"{address}/#library")
    page.wait_for_selector("#range:not(:empty)")
    page.wait_for_selector("#holdings-inside section", state="attached")
