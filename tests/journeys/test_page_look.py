"""What the page loads, and how it looks: small and wide, light and dark, without a model."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from browser import CONTRASTS, NARROW, WIDE, ask_and_wait, width
from page_server import ScriptedAssistant, ScriptedStatus, served

pytestmark = pytest.mark.browser


def test_every_request_goes_to_the_page_s_own_host(browser, address):
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    requests, complaints = [], []
    context.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append((message.type, message.text)))
    page.on("pageerror", lambda error: complaints.append(("error", str(error))))
    page.goto(address)
    page.wait_for_selector(".chip:visible")
    ask_and_wait(page, "What rates?")
    page.locator("a.marker").first.click()
    page.wait_for_load_state("load")
    context.close()
    hosts = {urlsplit(url).netloc for url in requests if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(address).netloc}
    assert [text for kind, text in complaints if kind == "error"] == []


def test_the_page_names_no_other_host_to_load_from(browser, address):
    context = browser.new_context()
    page = context.new_page()
    response = page.goto(address)
    policy = response.headers["content-security-policy"]
    assert "connect-src 'self'" in policy
    assert "http" not in policy
    fonts = page.evaluate("[...document.querySelectorAll('link')].map((link) => link.href)")
    assert all(link.startswith(address) for link in fonts)
    context.close()


def test_the_server_connects_nowhere_by_itself(monkeypatch):
    connected = []
    connect = socket.socket.connect

    def spy(self, address):
        connected.append(address)
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", spy)
    with served(ScriptedAssistant()) as url, urlopen(url) as response:
        assert b"gradio" in response.read()
    assert {address[0] for address in connected if isinstance(address, tuple)} == {"127.0.0.1"}


def test_a_foreign_host_name_gets_no_page(browser, address):
    context = browser.new_context(extra_http_headers={})
    response = context.request.get(address, headers={"Host": "evil.example"})
    assert response.status == 400
    context.close()


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["390", "1440"])
def test_nothing_scrolls_sideways(page, viewport):
    page.set_viewport_size(viewport)
    assert width(page) <= viewport["width"]
    ask_and_wait(page, "hostile " + "verylongword" * 40)
    page.locator("a.marker").first.click()
    ask_and_wait(page, "What rates?")
    page.locator("a.marker").last.click()
    assert width(page) <= viewport["width"]


def test_on_a_small_screen_the_chat_comes_first_and_the_side_bar_unfolds(open_page):
    page = open_page(viewport=NARROW)
    assert not page.locator("#about .panels").is_visible()
    composer = page.locator("#ask").bounding_box()
    assert composer["y"] + composer["height"] <= NARROW["height"]
    page.locator("#about summary").click()
    assert page.locator("#about .panels").is_visible()
    assert width(page) <= NARROW["width"]


def test_the_side_bar_tells_library_model_and_limits(page):
    text = page.locator("#about").inner_text()
    assert "38" in text
    assert "ICML 2025 论文列表" in text
    assert "qwen2.5-coder-0.5b-instruct-q4_k_m" in text
    assert "What it can't do" in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(page, open_page, scheme):
    page = page if scheme == "light" else open_page(color_scheme=scheme)
    assert page.evaluate(CONTRASTS) == []
    ask_and_wait(page, "What rates?")
    ask_and_wait(page, "Please refuse")
    ask_and_wait(page, "An error, please")
    for marker in page.locator("a.marker").all():
        marker.click()
    assert page.evaluate(CONTRASTS) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 384) == (scheme == "dark")


def test_answers_are_read_out_and_the_box_is_labelled(page):
    ask_and_wait(page, "What rates?")
    log = page.get_by_role("log", name="Conversation")
    assert "PPDiff reaches 50.00 %" in log.inner_text()
    assert page.get_by_role("textbox", name="Your question").count() == 1
    assert page.get_by_role("heading", level=1).inner_text() == "Ask your abstracts"


def test_without_a_model_the_page_says_which_command_mends_it(browser):
    status = ScriptedStatus(model="", model_hint="No model here. Run: assistant models pull")
    with served(ScriptedAssistant(status)) as url:
        context = browser.new_context(viewport=WIDE)
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector(".chip:visible")
        assert "No model." in page.locator("#about").inner_text()
        assert page.locator("#about code", has_text="assistant models pull").count() == 1
        ask_and_wait(page, "Only a quote, please")
        assert "50.00%" in page.locator(".statement.quoted").inner_text()
        assert "quotes only, no model" in page.locator(".receipt").inner_text()
        context.close()
