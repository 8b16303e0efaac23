"""Stop, and tabs that know nothing of each other."""

from __future__ import annotations

import pytest
from browser import ask, ask_and_wait, rest

pytestmark = pytest.mark.browser


def stop(page):
    page.get_by_role("button", name="Stop").click()
    rest(page)


def test_quotes_are_there_while_a_statement_is_written_and_stop_keeps_them(page, assistant):
    assistant.ended_early.clear()
    ask(page, "A slow one")
    page.wait_for_selector(".statement.draft:has-text('word3')")
    assert "50.00%" in page.locator(".statement.draft blockquote").inner_text()
    assert page.locator(".stage").inner_text().startswith("Writing")
    stop(page)
    assert assistant.ended_early.is_set()
    assert "Stopped." in page.locator(".remark").inner_text()
    assert "50.00%" in page.locator(".statement.quoted").inner_text()
    assert "word3" not in page.locator("#transcript").inner_text()
    ask_and_wait(page, "What rates?")
    assert page.locator(".statement.written").count() == 1


def test_stop_does_not_wait_for_a_busy_engine(page, assistant):
    assistant.go_on.clear()
    ask(page, "A stuck one")
    page.wait_for_selector("#live .statement.quoted")
    stop(page)
    assert "Stopped." in page.locator(".remark").inner_text()
    assistant.go_on.set()
    ask_and_wait(page, "What rates?")
    assert page.locator(".statement.written").count() == 1


def test_an_open_card_stays_open_while_the_answer_grows_and_after(page):
    ask(page, "A slow one")
    page.locator("#live a.marker").click()
    page.wait_for_selector(".statement.draft:has-text('word12')")
    assert page.locator(".card[open] mark").is_visible()
    stop(page)
    page.wait_for_selector("#transcript .card[open] mark")


def test_two_tabs_at_once_get_their_own_answers(open_page):
    one, other = open_page(), open_page()
    ask(one, "A slow one")
    ask_and_wait(other, "What about the other tab?")
    assert "asked as: What about the other tab?" in other.locator(".statement.written").inner_text()
    assert one.locator("#live .statement.draft").count() == 1
    assert "other tab" not in one.locator("#chat").inner_text()
    stop(one)
    ask_and_wait(one, "Only here?")
    assert "asked as: Only here?" in one.locator(".statement.written").inner_text()
    assert other.locator(".turn").count() == 1


def test_a_second_question_waits_in_the_box(page):
    ask(page, "A slow one")
    page.get_by_role("textbox", name="Your question").fill("A second one")
    page.keyboard.press("Enter")
    page.wait_for_selector(".statement.draft:has-text('word9')")
    assert page.get_by_role("textbox", name="Your question").input_value() == "A second one"
    assert page.locator(".turn").count() == 1
    stop(page)


def test_closing_the_tab_ends_the_answer(open_page, assistant):
    assistant.ended_early.clear()
    page = open_page()
    ask(page, "A slow one")
    page.wait_for_selector(".statement.draft:has-text('word2')")
    page.close()
    assert assistant.ended_early.wait(15)
