"""One Chromium for all tests of the page, and a page over a scripted assistant a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import QUIET, WIDE, OpenPage, chromium, rest
from page_server import ScriptedAssistant, served
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="module")
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant()


@pytest.fixture(scope="module")
def address(assistant: ScriptedAssistant) -> Iterator[str]:
    with served(assistant) as url:
        yield url


@pytest.fixture(scope="module")
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Open tabs in contexts of their own, ready to be asked; they close with the module."""
    contexts = []

    def open_one(viewport=WIDE, **options) -> Page:
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".chip:visible")
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def tab(open_page: OpenPage) -> Page:
    return open_page(permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def page(tab: Page) -> Page:
    """Return the module's tab with nothing asked: opening a new one takes two seconds."""
    tab.set_viewport_size(WIDE)
    if tab.locator("#stop:visible").count():
        tab.locator("#stop").click()
        rest(tab)
    if tab.locator(".turn").count():
        tab.get_by_role("button", name="Clear").click()
        tab.wait_for_selector(".chip:visible")
    tab.get_by_role("textbox", name="Your question").fill("")
    return tab
