"""Importing on the page: files, progress in every tab, the ledger, and questions meanwhile."""

from __future__ import annotations

import csv
import io
import json
import queue
import tempfile
import threading
from pathlib import Path

import pytest
from browser import CONTRASTS, NARROW, WIDE, ask_and_wait, open_library, width
from library_papers import BATS
from library_server import LibraryAssistant
from page_server import served

from assistant.jobs import Step
from assistant.types import FileReport, ImportReport, Rejected, Source

pytestmark = pytest.mark.browser

BIBTEX = """@article{ice, title = {Ice that creeps}, year = {2019},
  abstract = {Ice creeps under its own weight. We followed nine glaciers for a year.}}
@article{ref, title = {A reference alone}, year = {2018}}
@misc{nothing, note = {neither title nor abstract}}
@article{rope, title = {Rope that sways}, year = {2020},
  abstract = {Rope sways in the wind. We hung forty bridges from it.}}
"""
RIS = """TY  - JOUR
TI  - Ice that creeps
PY  - 2019
AB  - Ice creeps under its own weight. We followed nine glaciers for a year.
ER  -
TY  - JOUR
TI  - Snow that falls
PY  - 2021
AB  - Snow falls when it is cold. We weighed it on sixty roofs.
ER  -
"""
SHEET = "No;First text;Second text\n" + "".join(
    f"{n};Sheet {n} speaks at length of its first matter, which is stone and how it breaks in "
    f"frost number {n} of many.;Sheet {n} speaks at length of another matter, which is clay and "
    f"how it bakes in kiln number {n} of many.\n"
    for n in range(1, 6)
)


@pytest.fixture
def files(tmp_path):
    texts = {
        "refs <i>.bib": BIBTEX,
        "雪.ris": RIS,
        "sheet.csv": SHEET,
        "broken.pdf": "%PDF-1.7\0\1",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: tmp_path / name for name in texts}


@pytest.fixture
def copies(tmp_path_factory, monkeypatch):
    """Return the folder in which the server puts copies."""
    folder = tmp_path_factory.mktemp("copies")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    made = LibraryAssistant(folder)
    made.put(folder, "bats.txt", f"Night life\n\n{BATS}\n")
    yield made
    made.gate.set()
    made.close()


@pytest.fixture
def address(library, copies):
    with served(library) as url:
        yield url


@pytest.fixture
def open_tab(browser, address):
    contexts = []

    def open_one(viewport=WIDE, **options):
        context = browser.new_context(viewport=viewport, **options)
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = context.new_page()
        open_library(page, address)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_tab):
    return open_tab()


def choose(page, *paths: Path) -> None:
    page.locator("#files").set_input_files(list(paths))


def ended(page, heading: str = "Last import") -> None:
    page.locator("#job h2", has_text=heading).wait_for()


def rows(page) -> dict[str, dict[str, str]]:
    """Return the ledger: the numbers that are not 0 of each file, by their names."""
    found = {}
    for row in page.locator(".ledger tbody tr").all():
        cells = row.locator("td:not(.zero)").all()
        named = {cell.get_attribute("data-name"): cell.inner_text() for cell in cells}
        found[row.locator("th").inner_text()] = named
    return found


def lying(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_several_files_come_in_at_once_and_every_record_is_accounted_for(
    page, files, copies, library
):
    choose(page, files["refs <i>.bib"], files["雪.ris"], files["broken.pdf"])
    ended(page)
    ledger = rows(page)
    assert ledger["refs <i>.bib"] == {
        "Format": "bibtex", "Read": "4", "With abstract": "2", "References": "1", "Added": "3",
        "Rejected": "1",
    }  # fmt: skip
    assert ledger["雪.ris"] == {
        "Format": "ris", "Read": "2", "With abstract": "2", "Added": "1", "Merged": "1",
    }  # fmt: skip
    assert ledger["Together"]["Read"] == "6"
    assert "broken.pdf" in page.locator("#job .error").inner_text()
    assert "6 records read: 4 added, 1 merged" in page.locator(".sum-line").inner_text()
    page.locator(".rejections summary").click()
    told = page.locator(".rejections li").inner_text()
    assert "Record 3, line 4" in told
    assert "nothing" in told
    assert len(told.splitlines()) >= 3
    assert {source.file for source in library.store.source_files()} >= {"refs <i>.bib", "雪.ris"}
    page.locator("#range", has_text="1 to 5 of 5 papers").wait_for()
    page.get_by_role("button", name="Remove 雪.ris").wait_for()
    page.wait_for_function("!document.querySelector('#job progress')")
    assert lying(copies) == []


def test_the_ledger_is_downloaded(page, files):
    choose(page, files["refs <i>.bib"])
    ended(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    (file,) = json.loads(download.value.path().read_text(encoding="utf-8"))["files"]
    assert (file["file"], file["read"], file["rejected"]) == ("refs <i>.bib", 4, 1)
    assert file["rejections"][0]["record_no"] == 3
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    sheet = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert [row["record"] for row in sheet] == ["", "3"]


def test_questions_are_answered_while_an_import_goes_on_and_every_tab_sees_it(
    page, open_tab, files, library
):
    library.gate.clear()
    choose(page, files["refs <i>.bib"])
    page.get_by_role("heading", name="Importing").wait_for()
    other = open_tab()
    other.get_by_role("heading", name="Importing").wait_for()
    page.reload()
    page.get_by_role("heading", name="Importing").wait_for()
    assert page.get_by_role("progressbar", name="Import").is_visible()
    assert "importing" in other.get_by_role("tab", name="Library").inner_text()
    # a second import is told so, and so is what changes the library
    choose(other, files["雪.ris"])
    other.locator("#library-message", has_text="An import is under way.").wait_for()
    other.get_by_role("button", name="Remove bats.txt").click()
    other.locator("#library-message", has_text="cancel it first").wait_for()
    # and questions are answered from what is there
    other.get_by_role("tab", name="Ask").click()
    ask_and_wait(other, "What share of the moths does EchoNet detect?")
    assert "92.5%" in other.locator(".statement").first.inner_text()
    assert library.import_job.state == "running"
    library.gate.set()
    ended(page)
    other.wait_for_function("!document.querySelector('#tab-news').textContent")
    other.locator("#sidebar .size", has_text="4 papers").wait_for()
    page.reload()
    ended(page)


def test_progress_moves_and_is_cancelled(page, library):
    steps: queue.Queue = queue.Queue()
    stopped = threading.Event()

    def work(tell, cancelled, reported):
        while not cancelled():
            try:
                tell(steps.get(timeout=0.05))
            except queue.Empty:
                continue
        stopped.set()

    library.play(work)
    steps.put(Step("reading", "big <b>.ris", 500))
    line = page.locator("#job .job-line")
    line.get_by_text("Reading big <b>.ris · 500 records").wait_for()
    bar = page.get_by_role("progressbar", name="Import")
    assert bar.get_attribute("value") is None
    steps.put(Step("passages", "", 100, 400))
    line.get_by_text("Indexing meaning · 100 of 400 passages").wait_for()
    cancel = page.get_by_role("button", name="Cancel import")
    cancel.focus()
    page.wait_for_timeout(1200)
    steps.put(Step("passages", "", 200, 400))
    page.wait_for_function(
        "/a second.*left/.test(document.querySelector('#job .job-line').textContent)"
    )
    assert bar.evaluate("e => e.position") == 0.5
    assert cancel.evaluate("e => e === document.activeElement"), "a redraw has taken the focus"
    cancel.press("Enter")
    ended(page, "Last import: cancelled")
    assert stopped.is_set()
    assert "What was read is kept" in page.locator("#job").inner_text()


def test_a_table_is_asked_for_its_column_and_read_again(page, files, copies):
    choose(page, files["sheet.csv"], files["雪.ris"])
    ended(page)
    form = page.locator("form.mapping")
    assert "Which column holds the abstract?" in form.inner_text()
    assert "No, First text, Second text" in form.inner_text()
    assert "--map" not in page.locator("#job").inner_text()
    assert lying(copies) == ["sheet.csv"]
    page.reload()
    form.get_by_label("Column").fill("Third text")
    form.get_by_label("Column").press("Enter")
    page.locator("#job .error", has_text="There is no column 'Third text'").wait_for()
    form.get_by_label("Column").fill("second text")
    form.get_by_role("button", name="Import again").click()
    page.locator(".sum-line", has_text="5 records read: 5 added").wait_for()
    assert not form.is_visible()
    assert lying(copies) == []
    page.locator('#filters [name="words"]').fill("kiln number 3")
    page.locator("#range", has_text="1 paper").wait_for()


def test_a_table_can_be_left(page, files, copies):
    choose(page, files["sheet.csv"])
    ended(page)
    page.get_by_role("button", name="Leave it").click()
    page.locator("form.mapping").wait_for(state="detached")
    assert lying(copies) == []
    page.get_by_role("button", name="Close").click()
    assert not page.locator("#job").is_visible()
    page.reload()
    page.wait_for_selector(".entry")
    assert not page.locator("#job").is_visible()


def test_files_are_dropped(page):
    dropped = page.evaluate_handle(
        """texts => {
          const data = new DataTransfer();
          for (const [name, text] of texts) data.items.add(new File([text], name));
          return data;
        }""",
        [["one.bib", BIBTEX], ["two.ris", RIS]],
    )
    page.dispatch_event("#browse", "dragover", {"dataTransfer": dropped})
    assert page.locator("#drop.over").count() == 1
    page.dispatch_event("#browse", "drop", {"dataTransfer": dropped})
    ended(page)
    assert {"one.bib", "two.ris"} <= rows(page).keys()
    assert page.locator("#drop.over").count() == 0


def test_a_copy_under_way_is_cancelled(page, copies, library):
    held = threading.Event()
    page.route("**/library/import/file*", lambda _route: held.wait(0))  # it never arrives
    page.locator("#files").set_input_files(
        [{"name": "big.txt", "mimeType": "text/plain", "buffer": b"x" * 1000}]
    )
    page.get_by_role("progressbar", name="Copying").wait_for()
    page.locator("#copying").get_by_role("button", name="Cancel").click()
    page.locator("#copying").wait_for(state="hidden")
    page.unroute_all()
    assert library.import_job is None
    page.wait_for_function("!document.querySelector('#library-message').textContent")
    choose_again = {"name": "refs.bib", "mimeType": "text/plain", "buffer": BIBTEX.encode()}
    page.locator("#files").set_input_files([choose_again])
    ended(page)
    assert lying(copies) == []


@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["390", "1440"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ledger_fits_and_stands_out(open_tab, library, viewport, scheme):
    name = "a_rather_long_name_of_a_file_that_nobody_should_give-2026.bib"
    rejected = tuple(
        Rejected(
            Source(name, n, "bibtex", "c"), "it is broken <b>", "Mend it.", 3 * n, f"key{n}" * 20
        )
        for n in range(1, 60)
    )
    report = ImportReport(
        (
            FileReport(name, "bibtex", read=10_059, with_abstract=9_990, added=9_000, merged=999,
                       updated=1, rejected=rejected),
            FileReport("x.csv", "", error="x.csv is no table.", hint="Save it anew."),
        )
    )  # fmt: skip
    library.play(lambda _tell, _cancelled, reported: reported(report)).wait()
    page = open_tab(viewport, color_scheme=scheme)
    page.locator(".rejections summary").click()
    assert page.locator(".rejections li").count() == 50
    assert width(page) <= viewport["width"]
    assert page.locator(".ledger").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.evaluate(CONTRASTS) == []


def test_an_empty_library_leads_to_the_import(browser, tmp_path, files, copies):
    empty = LibraryAssistant(tmp_path)
    with served(empty) as url:
        context = browser.new_context(viewport=WIDE)
        page = context.new_page()
        page.goto(url)
        page.locator("#welcome-text").get_by_role("link", name="Add papers").click()
        page.wait_for_selector("#browse:visible")
        page.locator("#shelf", has_text="The library is empty.").wait_for()
        choose(page, files["雪.ris"])
        page.locator("#range", has_text="1 to 2 of 2 papers").wait_for()
        page.get_by_role("tab", name="Ask").click()
        page.locator("#welcome-text", has_text="Ask what the papers").wait_for()
        context.close()
    empty.close()
