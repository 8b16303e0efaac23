"""The Find tab without a browser: what its HTML says, and what its routes take and refuse."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from assistant.errors import QuestionError
from assistant.interfaces.web import find_html, find_routes, find_text
from assistant.library.store import Store
from assistant.types import (
    Evidence,
    Filters,
    Findings,
    Idea,
    Match,
    Paper,
    Reason,
    SavedSearch,
    Sentence,
)

ABSTRACT = "Bats <b>hunt</b> moths. EchoNet detects echoes at 92%."
PAPER = Paper("p1", "<i>Echo</i>: bats\u202e", ABSTRACT, year=2020, doi='10.1/a"b')
BARE = Paper("p2", "A reference alone", "")
HUNT = Evidence(Sentence("p1", 0, 0, 23, "Bats <b>hunt</b> moths."), 0.9)
WHY = (Reason("hunting bats", HUNT), Reason("moths", HUNT), Reason("<u>soil</u>", None))
FOUND = Findings("bats", ("hunting bats", "moths", "<u>soil</u>"), (Match(1, PAPER, 0.834, WHY),), 3,
                 close=True, read_as=(("<bts>", "bats"),))  # fmt: skip
HEADERS = {"x-assistant-page": "1"}


class Library:
    """Finds what it is given, and keeps the ideas that it was asked for."""

    def __init__(self):
        self.store = Store.in_memory()
        self.ideas = []
        self.saved = {}

    def find(self, idea):
        self.ideas.append(idea)
        if not idea.text:
            raise QuestionError("There is no idea to look for.", "Describe it.")
        return FOUND

    def saved_searches(self, *, count=False):
        kept = self.saved.items()
        return [SavedSearch(name, idea, "2026-11-30", 2 * count) for name, idea in kept]

    def save_search(self, name, idea):
        self.saved[name] = idea

    def forget_search(self, name):
        del self.saved[name]

    def news(self, name):
        return FOUND


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def client(library):
    app = FastAPI()
    app.include_router(find_routes.routes(library))
    return TestClient(app, headers=HEADERS)


def test_a_sentence_stands_once_with_all_that_it_meets_and_its_words_marked():
    html = find_html.matches_html(FOUND)
    assert html.count("<blockquote") == 1
    assert "hunting bats; moths" in html
    assert '<mark data-for="0">Bats</mark>' in html
    assert "<strong>Not met:</strong> &lt;u&gt;soil&lt;/u&gt;" in html
    assert "83% likely" in html
    assert 'style="width:83%"' in html


def test_nothing_of_a_paper_or_an_idea_acts():
    html = find_html.matches_html(FOUND) + find_html.notes(FOUND)
    for tag in ("<b>", "<i>", "<u>", "<bts>", "\u202e", 'a"b'):
        assert tag not in html


def test_what_is_not_close_is_said_and_what_was_read_otherwise():
    far = Findings("x", ("x",), (Match(1, PAPER, 0.0),), 1, close=False)
    assert "Nothing here is close" in find_html.notes(far)
    assert "under 1% likely" in find_html.matches_html(far)
    assert "Nothing here is close" not in find_html.notes(FOUND)
    assert "Read <q>&lt;bts&gt;</q> as <q>bats</q>." in find_html.notes(FOUND)


def test_a_paper_without_an_abstract_is_not_said_to_lack_parts():
    html = find_html.matches_html(
        Findings("x", ("x", "y"), (Match(1, BARE, 0.5, (Reason("x", None),)),), 1, close=True)
    )
    assert "Not met" not in html
    assert "holds no abstract" in html


@pytest.mark.parametrize(
    ("total", "offset", "said"),
    [(3, 0, "The first 1 of 3 papers"), (1, 0, "1 paper"), (3, 2, "All 3 papers"), (0, 0, "No paper")],
)  # fmt: skip
def test_how_many_are_shown_is_said(total, offset, said):
    matches = FOUND.matches if total else ()
    findings = Findings("x", (), matches, total, close=True)
    assert find_html.said(findings, Idea("x", offset=offset)) == said


def test_what_was_left_unread_of_a_very_long_idea_is_said():
    assert "were not looked at" not in find_html.notes(FOUND)
    assert "its last 1,234 characters" in find_html.notes(replace(FOUND, unread=1_234))


def test_the_fields_become_an_idea(client, library):
    form = {
        "text": "bats", "like": ["p1", "p2"], "unlike": ["p3"], "sort": "year", "offset": "10",
        "year_from": "2001", "authors": "Doe, Jane;  Roe ;", "venues": "Zoo", "keywords": "bat",
        "collection": "Night", "code": "yes", "abstract": "no",
    }  # fmt: skip
    assert client.post("/find/papers", data=form).status_code == 200
    filters = Filters(("Night",), 2001, None, (), ("Doe, Jane", "Roe"), ("Zoo",), ("bat",), True, False)  # fmt: skip
    assert library.ideas == [Idea("bats", ("p1", "p2"), ("p3",), filters, "year", 10, 10)]


def test_without_filters_there_are_none(client, library):
    answer = client.post("/find/papers", data={"text": "bats"}).json()
    assert library.ideas[0].filters is None
    assert not answer["filtered"]
    assert answer["shown"] == 1
    assert answer["more"]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({}, "There is no idea"),
        ({"text": "a", "year_to": "soon"}, "is no year"),
        ({"text": "a", "offset": "-1"}, "odd"),
        ({"text": "a", "limit": "100000"}, "odd"),
    ],
)
def test_bad_input_gets_one_message(client, form, said):
    answer = client.post("/find/papers", data=form)
    assert answer.status_code == 400
    assert said in answer.json()["message"]


@pytest.mark.parametrize("path", ["papers", "export", "text", "saved", "save", "forget", "open"])
def test_only_the_page_itself_may_ask(client, library, path):
    answer = client.post(f"/find/{path}", data={"text": "a"}, headers={"x-assistant-page": ""})
    assert answer.status_code == 400
    assert "Only the page itself" in answer.json()["message"]
    assert library.ideas == []


def test_the_list_is_exported_from_its_beginning(client, library):
    form = {"text": "bats", "format": "markdown", "offset": "20", "limit": "30"}
    answer = client.post("/find/export", data=form)
    assert answer.headers["content-disposition"] == "attachment; filename=found.md"
    assert (library.ideas[0].offset, library.ideas[0].limit) == (0, 30)
    assert client.post("/find/save", data={"name": "nothing"}).status_code == 400
    assert library.saved == {}
    refused = client.post("/find/export", data={"text": "bats", "format": "docx"})
    assert "no format" in refused.json()["message"]


def test_the_copied_text_has_each_quote_once():
    assert find_text.listed(FOUND).count("“Bats <b>hunt</b> moths.”") == 1


def test_a_saved_search_comes_back_as_the_fields_it_was_saved_with(client, library):
    form = {"text": "bats", "year_from": "2001", "code": "no", "like": ["p1"], "authors": "A; B"}
    client.post("/find/save", data={**form, "name": "Night <b>"})
    html = client.post("/find/saved").json()["html"]
    assert "2 new" in html
    assert "Night &lt;b&gt;" in html
    assert "<b>" not in html
    opened = client.post("/find/open", data={"name": "Night <b>"}).json()
    fields = {tuple(pair) for pair in opened["fields"]}
    assert {("text", "bats"), ("year_from", "2001"), ("code", "no"), ("like", "p1")} <= fields
    assert ("authors", "A; B") in fields
    assert opened["new"] == ["p1"]
    client.post("/find/forget", data={"name": "Night <b>"})
    assert library.saved == {}
    assert json.loads(client.post("/find/saved").text)["html"].startswith("<p>None yet")
