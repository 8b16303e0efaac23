"""The Library tab in the browser: looking through papers, opening, removing, renaming, exporting."""

from __future__ import annotations

import json

import pytest
from browser import CONTRASTS, NARROW, WIDE, ask_and_wait, open_library, width
from library_papers import BATS, FULL, HOSTILE, WINE, numbered
from library_server import LibraryAssistant
from page_server import served

pytestmark = pytest.mark.browser


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
    open_library(page, address)
    yield page
    assert page.evaluate("window.broken") is None
    context.close()


def shown(page) -> list[str]:
    return page.locator(".entry .name").all_inner_texts()


def told(page, text: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('#range').textContent === text", arg=text
    )


def choose(page, **filters: str) -> None:
    for name, value in filters.items():
        field = page.locator(f'#filters [name="{name}"]')
        if field.evaluate("e => e.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)


def opened(page, title: str):
    entry = page.locator("details.entry", has_text=title)
    entry.locator("summary").click()
    entry.locator(".facts").wait_for()
    return entry


def test_the_address_keeps_the_tab(page, address):
    assert page.get_by_role("tab", name="Library").get_attribute("aria-selected") == "true"
    assert page.get_by_role("tabpanel", name="Library").is_visible()
    assert not page.locator("#chat").is_visible()
    page.get_by_role("tab", name="Ask").click()
    assert page.url.endswith("/#ask")
    assert page.get_by_role("tabpanel", name="Ask").is_visible()
    assert not page.locator("#library").is_visible()
    page.go_back()
    page.wait_for_selector("#browse:visible")
    page.reload()
    page.wait_for_selector(".entry:visible")
    assert page.get_by_role("tab", name="Library").get_attribute("aria-selected") == "true"


def test_tabs_are_reached_by_keyboard(page):
    page.get_by_role("tab", name="Library").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "tab-find"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "tab-ask"
    assert page.get_by_role("tabpanel", name="Ask").is_visible()
    assert page.get_by_role("tab", name="Library").get_attribute("tabindex") == "-1"
    page.keyboard.press("End")
    assert page.get_by_role("tabpanel", name="Library").is_visible()
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.name") == "words"


def test_papers_come_in_pages_of_25(page):
    told(page, "1 to 25 of 35 papers")
    assert len(shown(page)) == 25
    assert page.get_by_role("button", name="Previous page").is_disabled()
    page.get_by_role("button", name="Next page").click()
    told(page, "26 to 35 of 35 papers")
    assert len(shown(page)) == 10
    assert page.get_by_role("button", name="Last page").is_disabled()
    assert page.evaluate("document.activeElement.matches('.entry summary')")


def test_papers_are_filtered_and_sorted(page):
    choose(page, words="RIVER 07")
    told(page, "1 paper")
    assert shown(page) == ["Study 07 of rivers"]
    choose(page, words="river", year_from="2015", order="oldest")
    told(page, "1 to 6 of 6 papers")
    assert shown(page)[0] == "Study 25 of rivers"
    choose(page, year_to="2016")
    told(page, "1 to 2 of 2 papers")
    page.get_by_role("button", name="Clear filters").click()
    told(page, "1 to 25 of 35 papers")
    choose(page, collection="full", order="title")
    told(page, "1 to 2 of 2 papers")
    assert shown(page)[0] == "A reference alone"
    choose(page, abstract="no")
    told(page, "1 paper")
    assert page.locator(".entry .badge").all_inner_texts() == ["no abstract"]
    choose(page, words="nothing is like this")
    told(page, "No papers")
    assert "No paper is like that" in page.locator("#shelf").inner_text()


def test_a_year_that_is_none_is_told_and_mended(page):
    choose(page, year_from="MMXX")
    page.wait_for_selector("#library-message.error")
    assert "'MMXX' is no year." in page.get_by_role("alert").first.inner_text()
    choose(page, year_from="2020")
    told(page, "1 to 2 of 2 papers")
    assert page.locator("#library-message").inner_text() == ""


def test_a_paper_opens_with_all_that_is_known(page):
    entry = opened(page, "decay in soil")
    assert entry.locator(".name").inner_text().startswith("On α decay")
    assert entry.locator(".abstract em").inner_text() == "how"
    facts = dict(
        zip(
            entry.locator("dt").all_inner_texts(), entry.locator("dd").all_inner_texts(), strict=True
        )
    )  # fmt: skip
    assert facts["Authors"] == "Jane Doe; Richard Roe"
    assert facts["Venue"] == "Journal of Made-up Things"
    assert (facts["Year"], facts["Volume"], facts["Keywords"]) == ("2020", "7", "soil; decay")
    link = entry.get_by_role("link", name="10.1000/made.up")
    assert link.get_attribute("href") == "https://doi.org/10.1000/made.up"
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert "full.bib, record 1 (bibtex, in full)" in entry.inner_text()
    entry.get_by_role("button", name="Copy as BibTeX").click()
    entry.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("@article{doe2020,")
    assert "author = {Doe, Jane and Roe, Richard}" in copied


def test_a_reference_says_that_it_has_no_abstract(page):
    entry = opened(page, "A reference alone")
    assert "holds no abstract" in entry.inner_text()


def test_what_comes_from_files_stays_text(page):
    entry = opened(page, "onerror=window.broken=1")
    text = entry.inner_text()
    assert "<img src=x onerror=window.broken=1> bold [a](javascript:window.broken=2)" in text
    assert "<script>window.broken=3</script> and <b>no bold</b>" in text
    assert "\u202e" not in page.content()
    assert not page.locator("#library :is(img, script, b, i, iframe)").count()
    assert not page.locator("#library a:not([href^='https://'], [href^='library/'])").count()
    entry.get_by_role("button", name="Remove from the library").click()
    assert "<img src=x" in page.get_by_role("dialog").inner_text()
    assert not page.locator("dialog img").count()


def test_a_paper_is_removed_only_when_that_is_confirmed(page):
    choose(page, words="river 29")
    told(page, "1 paper")
    opened(page, "Study 29").get_by_role("button", name="Remove from the library").click()
    dialog = page.get_by_role("dialog", name="Remove this paper?")
    assert dialog.get_by_role("button", name="Keep").evaluate("e => e === document.activeElement")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert shown(page) == ["Study 29 of rivers"]
    page.get_by_role("button", name="Remove from the library").click()
    dialog.get_by_role("button", name="Remove").click()
    told(page, "No papers")
    page.wait_for_function(
        "[...document.querySelectorAll('[role=status]')]"
        ".some((e) => e.textContent === 'The paper was removed.')"
    )


def test_a_collection_is_renamed_everywhere(page):
    row = page.get_by_role("button", name="Rename rivers")
    row.click()
    dialog = page.get_by_role("dialog", name="Rename the collection")
    name = dialog.get_by_label("New name")
    name.fill("  ")
    name.press("Enter")
    dialog.get_by_role("alert").get_by_text("needs a name").wait_for()
    name.fill("Flowing <i>water</i>")
    name.press("Enter")
    page.get_by_role("button", name="Rename Flowing <i>water</i>").wait_for()
    choose(page, collection="Flowing <i>water</i>")
    page.wait_for_function("document.querySelector('.where').textContent.startsWith('Flowing')")
    assert page.locator("#filters option", has_text="Flowing <i>water</i> (").count() == 1
    page.get_by_role("tab", name="Ask").click()
    page.locator("#sidebar li", has_text="Flowing <i>water</i>").wait_for()


def test_a_file_goes_with_its_papers_and_says_before_how_many(page, library, tmp_path):
    shared = {
        "title": "A bridge of ice",
        "abstract": "Ice bears what it must. It creeps.",
        "year": 2001,
    }
    own = {
        "title": "A bridge of rope",
        "abstract": "Rope sways in the wind. It holds.",
        "year": 2002,
    }
    library.put(tmp_path, "one.jsonl", json.dumps(shared))
    library.put(tmp_path, "two.jsonl", f"{json.dumps(shared)}\n{json.dumps(own)}")
    page.reload()
    page.get_by_role("button", name="Remove two.jsonl").click()
    dialog = page.get_by_role("dialog", name="Remove two.jsonl?")
    assert "1 paper from two.jsonl goes. 1 paper that other files bring as well stays." in (
        dialog.inner_text()
    )
    dialog.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove two.jsonl").wait_for(state="detached")
    choose(page, words="bridge")
    told(page, "1 paper")
    assert shown(page) == ["A bridge of ice"]


@pytest.mark.parametrize(
    ("format_", "name", "begins"),
    [
        ("bibtex", "papers.bib", "@"),
        ("ris", "papers.ris", "TY  - "),
        ("csv", "papers.csv", ""),
        ("jsonl", "papers.jsonl", "{"),
        ("csl-json", "papers.json", "["),
    ],
)
def test_what_is_filtered_is_exported(page, format_, name, begins):
    choose(page, collection="full")
    told(page, "1 to 2 of 2 papers")
    page.get_by_label("Export as").select_option(format_)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == name
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert text.startswith(begins)
    assert "A reference alone" in text
    assert "Study" not in text


def test_a_question_is_asked_of_the_ticked_collections_alone(page):
    page.get_by_role("tab", name="Ask").click()
    ask_and_wait(page, "What share of the moths does EchoNet detect?")
    assert "92.5%" in page.locator(".statement").first.inner_text()
    page.locator("#scope summary").click()
    page.get_by_role("checkbox", name="Cellar").check()
    assert not page.get_by_role("checkbox", name="All collections").is_checked()
    assert page.locator("#scope summary").inner_text().startswith("In Cellar")
    assert "Questions are asked of Cellar alone." in page.locator("#sidebar").inner_text()
    page.keyboard.press("Escape")
    assert not page.get_by_role("checkbox", name="Cellar").is_visible()
    ask_and_wait(page, "What share of the moths does EchoNet detect?")
    last = page.locator(".turn").last
    assert "Asked of Cellar" in last.inner_text()
    assert "92.5%" not in last.inner_text()
    assert "EchoNet" not in last.locator(".answer").inner_text()
    page.locator("#scope summary").click()
    page.get_by_role("checkbox", name="All collections").check()
    page.get_by_role("button", name="Retry").click()
    page.wait_for_function("!document.querySelector('#transcript').innerText.includes('Asked of')")
    page.wait_for_selector("#send:visible")
    assert "92.5%" in page.locator(".turn").last.inner_text()


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["390", "1440"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_stands_out(browser, address, viewport, scheme):
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    open_library(page, address)
    page.locator("#holdings").evaluate("e => e.open = true")
    opened(page, "onerror=window.broken=1")
    opened(page, "decay in soil")
    assert width(page) <= viewport["width"]
    assert page.evaluate(CONTRASTS) == []
    page.get_by_role("button", name="Rename full").click()
    assert page.evaluate(CONTRASTS) == []
    assert width(page) <= viewport["width"]
    context.close()


def test_only_the_page_itself_may_change_the_library(browser, address, library):
    context = browser.new_context()
    papers = library.status().papers
    some = library.papers()[0].id
    answer = context.request.post(f"{address}/library/paper/remove", form={"id": some})
    assert answer.status == 400
    assert "Only the page itself" in answer.json()["message"]
    for path in ("import/begin", "import/cancel", "file/remove", "collection/rename"):
        assert context.request.post(f"{address}/library/{path}").status == 400
    assert context.request.put(f"{address}/library/import/file?batch=a&name=b").status == 400
    foreign = context.request.get(f"{address}/library/papers", headers={"Host": "evil.example"})
    assert foreign.status == 400
    assert library.status().papers == papers
    context.close()
