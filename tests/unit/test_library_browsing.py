"""Looking through a library: what is chosen, how it is sorted, a page at a time."""

from __future__ import annotations

import json

import pytest

from assistant.errors import QuestionError
from assistant.library import cleaning, lookup
from assistant.library.browsing import Browser
from assistant.library.importing import Importer
from assistant.library.lookup import Choice
from assistant.library.store import Store

PAPERS = (
    {"title": "Zebras at night", "abstract": "Zebras see little. They smell lions.", "year": 2021},
    {"title": "Éclairs and other cakes", "abstract": "Cakes rise by steam alone.", "year": 2019},
    {"title": "“Alpine” meadows", "abstract": "Meadows bloom late.", "year": 2023},
    {"title": "On lions", "year": 2020},
    {"title": "Undated lions", "abstract": "Lions sleep for most of the day."},
)


def library(tmp_path, papers=PAPERS):
    file = tmp_path / "animals.jsonl"
    file.write_text("\n".join(map(json.dumps, papers)), encoding="utf-8")
    store = Store.in_memory()
    Importer(store, lambda text: len(text.split()), 64).run([file])
    return store


@pytest.fixture
def store(tmp_path):
    return library(tmp_path)


def names(store, choice=None, order="import", start=0, size=25):
    listing = Browser(store).listing(choice or Choice(), order, start, size)
    return [paper.name for paper in listing.papers]


@pytest.mark.parametrize(
    ("order", "first", "last"),
    [
        ("import", "Zebras at night", "Undated lions"),
        ("latest", "Undated lions", "Zebras at night"),
        ("newest", "“Alpine” meadows", "Undated lions"),
        ("oldest", "Éclairs and other cakes", "Undated lions"),
        ("title", "“Alpine” meadows", "Zebras at night"),
    ],
)
def test_papers_are_sorted(store, order, first, last):
    shown = names(store, order=order)
    assert (shown[0], shown[-1], len(shown)) == (first, last, 5)


def test_titles_are_sorted_without_accents(store):
    assert names(store, order="title")[1] == "Éclairs and other cakes"


def test_pages_follow_each_other_and_end(store):
    browser = Browser(store)
    pages = [browser.listing(Choice(), "import", start, 2) for start in (0, 2, 4, 99, -3)]
    assert [len(page.papers) for page in pages] == [2, 2, 1, 1, 2]
    assert [page.start for page in pages] == [0, 2, 4, 4, 0]
    assert {page.total for page in pages} == {5}


def test_an_empty_choice_has_an_empty_page(store):
    listing = Browser(store).listing(Choice(words="penguins"), "title", 50, 25)
    assert (listing.papers, listing.start, listing.total) == ((), 0, 0)


def test_filters_hold_together(store):
    assert names(store, Choice(words="LIONS")) == ["Zebras at night", "On lions", "Undated lions"]
    assert names(store, Choice(words="lions", abstract=False)) == ["On lions"]
    assert names(store, Choice(words="lions", year_from=2021)) == ["Zebras at night"]
    assert names(store, Choice(collection="animals", year_to=2019)) == ["Éclairs and other cakes"]
    assert names(store, Choice(collection="plants")) == []


def test_what_changes_is_seen_though_orders_are_remembered(store):
    browser = Browser(store)
    first = browser.listing(Choice(), "import", 0, 25).papers[0]
    with store.transaction():
        store.remove([first.id])
    assert browser.listing(Choice(), "import", 0, 25).total == 4


def test_an_unknown_order_is_told(store):
    with pytest.raises(QuestionError, match="no order"):
        Browser(store).listing(Choice(), "random", 0, 25)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A {D}iffusion model", "diffusion"),
        (r"A \textbf{dif}fusion model", "diffusion"),
        ("A dif\u00adfusion model", "diffusion"),
        ("A di\ufb00usion model", "diffusion"),
        ("A <b>d</b>iffusion model", "diffusion"),
        (r"Schr\"odinger's cat", "schrödinger"),
        ("Schro\u0308dinger's cat", "schrödinger"),
        ("Naïve Bayes", "naïve"),
        ("R&amp;D in firms", "r&d"),
        ("深度学习方法", "学习"),
        ("Plain words only", "words plain"),
    ],
)
def test_words_are_found_however_they_are_dressed(text, words):
    assert lookup.says(text, words.split())


@pytest.mark.parametrize("text", ["A diffuse model", r"A \emph{model}", "Modèle", "a & b", ""])
def test_words_that_are_not_there_are_not_found(text):
    wanted = ["diffusion"]
    assert not lookup.says(text, wanted)
    assert "diffusion" not in cleaning.normalized(text)
