"""Ask in the browser: answers, sources, refusals, errors, by mouse and by keyboard."""

from __future__ import annotations

import pytest
from browser import ask, ask_and_wait, rest

pytestmark = pytest.mark.browser

RATES = (
    "PPDiff consistently surpasses baseline methods, achieving success rates of 50.00%, 23.16%, "
    "and 16.89% for the three tasks."
)


def test_a_marker_opens_its_source_with_the_cited_sentence_marked(page):
    ask_and_wait(page, "What rates?")
    assert page.locator(".statement.written").count() == 1
    assert page.locator(".statement.quoted").count() == 1
    marker = page.locator("a.marker", has_text="[1]")
    assert marker.get_attribute("href").startswith("#")
    assert not page.locator(".card[open]").count()
    marker.click()
    card = page.locator(".card[open]")
    assert card.locator("mark").inner_text() == RATES
    assert card.locator(".abstract").inner_text().startswith("We introduce PPDiff")
    page.wait_for_function(
        """() => {const box = document.querySelector(".card[open] mark").getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight}"""
    )
    assert "record 1 of icml.txt" in card.inner_text()
    code = card.get_by_role("link", name="github.com/example/ppdiff")
    assert code.get_attribute("rel") == "noopener noreferrer"
    assert code.get_attribute("target") == "_blank"


def test_formulas_are_drawn_and_links_of_latex_work(page):
    ask_and_wait(page, "What rates?")
    page.locator("a.marker", has_text="[2]").click()
    abstract = page.locator(".card[open] .abstract")
    assert abstract.locator("math msup").count() == 1
    assert abstract.locator("math mfrac").count() == 1
    assert abstract.locator("mfrac").evaluate("e => e.namespaceURI.endsWith('MathML')")
    assert abstract.locator("em").inner_text() == "reciprocal fairness"
    assert abstract.locator("a").get_attribute("href") == "https://github.com/example/fair_ness"


def test_a_refusal_says_so_and_offers_the_nearest_papers(page):
    ask_and_wait(page, "Please refuse")
    assert "The library does not answer this." in page.locator(".refusal").inner_text()
    assert page.locator(".card").count() == 2
    assert not page.locator(".statement").count()
    page.locator(".card summary").first.click()
    assert page.locator(".card[open] .abstract").is_visible()


def test_errors_show_what_to_do_and_the_conversation_goes_on(page):
    ask_and_wait(page, "An error, please")
    assert "assistant models pull" in page.locator(".error").inner_text()
    ask_and_wait(page, "Now crash")
    assert "secret" not in page.locator("body").inner_text()
    assert "Traceback" not in page.locator("body").inner_text()
    ask_and_wait(page, "What rates?")
    assert page.locator(".turn").count() == 3
    assert page.locator(".statement.written").is_visible()


def test_html_of_abstracts_and_questions_stays_text(page):
    ask_and_wait(page, "hostile <svg onload='window.broken=9'> **question**")
    page.locator("a.marker").click()
    shown = page.locator(".card[open] .abstract").inner_text()
    assert "<script>window.broken = 1</script>" in shown
    assert "<b>no</b>" in shown
    assert "[here](javascript:window.broken=4)" in shown
    assert "**question**" in page.locator(".question").inner_text()
    assert page.evaluate("window.broken") is None
    assert not page.locator("#transcript :is(img, script, b, svg, iframe)").count()
    assert page.locator("#transcript a:not([href^='#'], [href^='https://'])").count() == 0


def test_citation_and_answer_are_copied(page):
    ask_and_wait(page, "What rates?")
    page.locator("a.marker").first.click()
    page.locator(".card[open]").get_by_role("button", name="Copy citation").press("Enter")
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("PPDiff: a diffusion model")
    assert "record 1 of icml.txt" in copied
    page.get_by_role("button", name="Copy answer").click()
    page.wait_for_function(
        "async () => (await navigator.clipboard.readText()).startsWith('PPDiff reaches')"
    )
    assert "[2]" in page.evaluate("navigator.clipboard.readText()")


def test_everything_by_keyboard_alone(open_page):
    page = open_page(viewport={"width": 800, "height": 900})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.type("What")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("rates?")
    assert page.locator(".turn").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn")
    rest(page)
    assert page.locator(".question p").inner_text() == "What\nrates?"
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('a.marker')"):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    assert page.locator(".card[open]").count() == 1
    assert page.evaluate("document.activeElement.matches('.card[open] > summary')")
    page.keyboard.press("Escape")
    assert page.locator(".card[open]").count() == 0
    assert page.evaluate("document.activeElement.matches('a.marker')")


def test_retry_undo_clear_and_reload(page, assistant):
    ask_and_wait(page, "First one")
    ask_and_wait(page, "Second one")
    assert assistant.histories[-1] == ("First one",)
    page.get_by_role("button", name="Retry").click()
    page.wait_for_function("!document.querySelector('#transcript').innerText.includes('Second')")
    rest(page)
    assert page.locator(".question p").all_inner_texts() == ["First one", "Second one"]
    assert assistant.histories[-1] == ("First one",)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("document.querySelectorAll('.turn').length === 1")
    assert page.get_by_role("textbox", name="Your question").input_value() == "Second one"
    page.get_by_role("button", name="Clear").click()
    page.wait_for_selector(".chip:visible")
    assert page.locator(".turn").count() == 0
    ask_and_wait(page, "Third one")
    assert assistant.histories[-1] == ()
    page.reload()
    page.wait_for_selector(".chip:visible")
    assert page.locator(".turn").count() == 0


def test_an_example_asks_itself(page):
    page.get_by_role("button", name="What success rates does PPDiff reach?").click()
    page.wait_for_selector(".statement.written")
    assert page.locator(".question p").inner_text() == "What success rates does PPDiff reach?"


def test_an_empty_question_asks_nothing(page, assistant):
    asked = len(assistant.histories)
    page.get_by_role("textbox", name="Your question").fill("  \n ")
    page.get_by_role("button", name="Ask", exact=True).click()
    ask(page, "What rates?")
    rest(page)
    assert len(assistant.histories) == asked + 1
    assert page.locator(".turn").count() == 1
