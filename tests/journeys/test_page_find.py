"""The Find tab in the browser: finding, filtering, going on from a paper, taking the list away."""

from __future__ import annotations

import json

import pytest
from browser import CONTRASTS, NARROW, WIDE, ask_and_wait, width
from library_papers import BATS, FULL, HOSTILE, WINE, numbered
from library_server import LibraryAssistant
from page_server import served

pytestmark = pytest.mark.browser
MOTHS = "a network that turns echoes into shapes"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = LibraryAssistant(tmp_path_factory.mktemp("library"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def address(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    library.put(folder, "rivers.jsonl", numbered(30))
    library.put(folder, "hostile<b>.jsonl", json.dumps(HOSTILE))
    library.put(folder, "full.bib", FULL)
    library.put(folder, "bats.txt", f"Night life\n\n{BATS}\n")
    library.put(folder, "wine.txt", f"Cellar\n\n{WINE}\n")
    with served(library) as url:
        yield url


@pytest.fixture
def page(browser, address):
    context = browser.new_context(
        viewport=WIDE, permissions=["clipboard-read", "clipboard-write"], accept_downloads=True
    )
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto(f"{address}/#find")
    page.wait_for_selector("#saved > *")
    page.wait_for_selector('#narrow select option[value="rivers"]', state="attached")
    yield page
    assert page.evaluate("window.broken") is None
    context.close()


def find(page, idea: str) -> None:
    """Type an idea and press Enter; wait for what comes of it."""
    page.get_by_label("What should the papers do?").fill(idea)
    with page.expect_response("**/find/papers"):
        page.keyboard.press("Enter")
    page.wait_for_selector("#matches:not([aria-busy])", state="attached")


def names(page) -> list[str]:
    return page.locator(".match h3").all_inner_texts()


def match_of(page, name: str):
    return page.locator(".match", has_text=name).first


def press(page, match, label: str) -> None:
    with page.expect_response("**/find/papers"):
        match.get_by_role("button", name=label).click()
    page.wait_for_selector("#matches:not([aria-busy])", state="attached")


def test_an_idea_finds_the_paper_and_the_sentence_that_says_so(page):
    find(page, MOTHS)
    first = page.locator(".match").first
    assert "EchoNet" in first.locator(".abstract").text_content()
    assert "turns echoes into shapes" in first.locator(".reason blockquote").first.inner_text()
    assert "echoes" in first.locator(".reason mark").all_inner_texts()
    assert "% likely" in first.locator(".likely").inner_text()
    assert not first.locator(".abstract").is_visible()
    first.locator(".whole summary").click()
    assert "turns echoes into shapes" in first.locator(".abstract mark").first.inner_text()


def test_each_part_of_a_long_idea_is_met_or_not(page):
    find(
        page,
        "A network turns echoes into shapes to detect moths. "
        "Its training needs quantum computers with many thousand qubits.",
    )
    assert page.locator(".parts li").count() == 2
    first = page.locator(".match").first
    assert "echoes into shapes" in first.locator(".met").first.inner_text()
    assert "quantum computers" in first.locator(".unmet").inner_text()


def test_more_adds_the_next_papers_and_goes_to_them(page):
    find(page, "rivers carry sand")
    assert len(names(page)) == 10
    assert page.locator("#found-said").inner_text().startswith("The first 10 of ")
    with page.expect_response("**/find/papers"):
        page.get_by_role("button", name="More", exact=True).click()
    page.wait_for_function("document.activeElement.id === 'match-11-name'")
    assert len(names(page)) == len(set(names(page))) == 20


def test_filters_narrow_what_is_found_and_are_cleared(page):
    find(page, "rivers carry sand")
    with page.expect_response("**/find/papers"):
        page.locator("#find-filters [name=year_from]").fill("2018")
        page.locator("#find-filters [name=year_to]").fill("2019")
    page.wait_for_function("document.querySelectorAll('.match').length === 3")
    assert {name for name in names(page) if "rivers" in name} == {
        "Study 28 of rivers",
        "Study 29 of rivers",
    }
    with page.expect_response("**/find/papers"):
        page.locator("#find-filters button.plain").click()
    page.wait_for_function("document.querySelectorAll('.match').length === 10")


def test_a_year_that_is_none_is_told_and_the_list_stays(page):
    find(page, MOTHS)
    before = names(page)
    page.locator("#find-filters [name=year_from]").fill("soon")
    page.locator("#find-message.error").wait_for()
    assert "is no year" in page.locator("#find-message").inner_text()
    assert names(page) == before


def test_more_and_less_like_a_paper_are_chosen_and_dropped(page):
    find(page, "rivers carry sand")
    first = names(page)[0]
    press(page, page.locator(".match").first, "More like this")
    assert page.locator("#chosen li.like").inner_text().startswith(f"Like: {first}")
    assert first not in names(page)
    second = names(page)[0]
    press(page, page.locator(".match").first, "Less like this")
    assert page.locator("#chosen li").count() == 2
    assert second not in names(page)
    with page.expect_response("**/find/papers"):
        page.get_by_role("button", name=f"Remove like: {first}").click()
    page.wait_for_function("document.querySelectorAll('#chosen li').length === 1")


@pytest.mark.parametrize(
    ("format_", "name", "begins"),
    [
        ("bibtex", "found.bib", "@"),
        ("ris", "found.ris", "TY  - "),
        ("csv", "found.csv", ""),
        ("markdown", "found.md", "# Papers found"),
    ],
)
def test_the_list_is_taken_along(page, format_, name, begins):
    find(page, MOTHS)
    page.get_by_label("Take along as").select_option(format_)
    with page.expect_download() as download:
        page.locator("#found-export").get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == name
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert text.startswith(begins)
    assert "EchoNet" in text


def test_the_list_is_copied_with_its_quotes(page):
    find(page, MOTHS)
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith(f"Papers for: {MOTHS}\n\n1. ")
    assert "“We present EchoNet, a network that turns echoes into shapes.”" in text


def test_an_empty_idea_gets_a_message(page):
    find(page, "  \n")
    assert "There is no idea to look for." in page.locator("#find-message").inner_text()
    assert not names(page)


def test_what_is_not_there_is_said_and_the_nearest_shown(page):
    find(page, "lattice chromodynamics of gluons")
    assert "Nothing here is close" in page.locator("#found-notes").inner_text()
    assert names(page)


def test_hostile_text_stays_text(page):
    find(page, "<img src=x onerror=window.broken=8> no bold in what rays do <b>x</b>")
    match = match_of(page, "onerror=window.broken=1")
    match.locator(".whole summary").click()
    assert "<script>window.broken=3</script>" in match.locator(".abstract").inner_text()
    assert page.locator("#found :is(script, img, i)").count() == 0
    press(page, match, "More like this")
    assert "<img src=x" in page.locator("#chosen").inner_text()


def test_a_search_is_saved_opened_and_forgotten_and_says_what_is_new(page, library, tmp_path):
    find(page, "icebergs drift south")
    page.get_by_label("Save as").fill("Ice <b>")
    page.get_by_role("button", name="Save", exact=True).click()
    saved = page.locator("#saved li")
    saved.wait_for()
    assert "none new" in saved.inner_text()
    new = {"title": "Drift", "abstract": "Icebergs drift south. Icebergs melt.", "year": 2020}
    library.put(tmp_path, "ice.jsonl", json.dumps(new))
    page.reload()
    page.locator("#saved .new").wait_for()
    assert "1 new" in page.locator("#saved").inner_text()
    page.get_by_role("button", name="Ice <b>", exact=True).click()
    page.locator("h3 .new").wait_for()
    assert page.get_by_label("What should the papers do?").input_value() == "icebergs drift south"
    page.locator("#saved", has_text="none new").wait_for()
    page.get_by_role("button", name="Forget Ice <b>").click()
    page.locator("#saved", has_text="None yet").wait_for()


def test_what_was_looked_for_is_there_after_a_reload(page):
    find(page, MOTHS)
    before = names(page)
    page.reload()
    page.wait_for_selector(".match")
    assert page.get_by_label("What should the papers do?").input_value() == MOTHS
    assert names(page) == before


def test_a_question_for_papers_is_understood_as_one_and_can_be_switched_back(page):
    page.get_by_role("tab", name="Ask").click()
    ask_and_wait(page, "Which papers are about echoes of moths?")
    turn = page.locator(".turn").last
    assert "Understood as a search for papers." in turn.inner_text()
    turn.get_by_role("button", name="Answer it instead").click()
    page.wait_for_function("document.querySelectorAll('.turn').length === 2")
    page.wait_for_selector("#live .turn", state="detached")
    assert "Understood" not in page.locator(".turn").last.inner_text()
    page.get_by_role("link", name="Open in Find").click()
    page.wait_for_selector(".match:visible")
    assert page.get_by_label("What should the papers do?").input_value() == "echoes of moths"


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["390", "1440"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_stands_out(browser, address, viewport, scheme):
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{address}/#find")
    page.wait_for_selector("#saved > *", state="attached")
    find(page, "no bold in what rays do, and soil decays slowly on forty fields of made-up things")
    press(page, page.locator(".match").first, "More like this")
    page.locator("#narrow").evaluate("e => e.open = true")
    for whole in page.locator(".whole summary").all():
        whole.click()
    assert width(page) <= viewport["width"]
    assert page.evaluate(CONTRASTS) == []
    context.close()
