from __future__ import annotations

import json

import pytest
from fake_assistant import ABSTRACT, FakeAssistant

from assistant.app import Status
from assistant.errors import LibraryError


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAssistant:
    assistant = FakeAssistant()
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: assistant)
    return assistant


def objects(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_an_answer_stands_above_its_source_with_the_quoted_sentence(run_cli, fake):
    ran = run_cli("ask", "how far does a squirrel glide?")
    assert ran.code == 0
    assert "They glide 42 metres. [1]" in ran.out
    assert ran.out.index("They glide 42 metres. [1]") < ran.out.index("Squirrels: gliding")
    assert f"“{ABSTRACT[32:63]}”" in ran.out
    assert ran.err == ""


def test_words_of_an_unquoted_question_are_one_question(run_cli, fake):
    assert run_cli("ask", "how", "far", "squirrel").code == 0
    assert fake.asked == ["how far squirrel"]


def test_a_refusal_leaves_with_3_and_names_the_nearest(run_cli, fake):
    ran = run_cli("ask", "is there life on Mars?")
    assert ran.code == 3
    assert "Nearest papers" in ran.out


def test_json_prints_one_object_with_slices_of_the_abstract(run_cli, fake):
    ran = run_cli("ask", "--json", "squirrel?")
    assert ran.code == 0
    (answer,) = objects(ran.out)
    assert answer["verdict"] == "answered"
    (statement,) = answer["statements"]
    (evidence,) = statement["evidence"]
    paper = answer["papers"][statement["marker"] - 1]
    assert paper["abstract"][evidence["start"] : evidence["end"]] == evidence["text"]
    assert paper["sources"][0] == {"file": "zoo.txt", "record_no": 1}


def test_json_of_a_refusal_leaves_with_3_too(run_cli, fake):
    ran = run_cli("ask", "--json", "mars")
    assert (ran.code, objects(ran.out)[0]["verdict"]) == (3, "not_in_library")


def test_an_empty_question_is_bad_use_told_without_a_traceback(run_cli, fake):
    ran = run_cli("ask", " ")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.splitlines() == ["The question is empty.", "Type a question."]


def test_no_question_is_bad_use(run_cli, fake):
    assert run_cli("ask").code == 2


def test_lines_are_answered_in_order_and_failures_do_not_stop_them(run_cli, fake):
    stdin = b"\xef\xbb\xbfsquirrel 1\r\n\nboom\nmars \xf0\x9f\xa6\x87\nbad \xff\nsquirrel 2"
    ran = run_cli("ask", "--json", "-", stdin=stdin)
    one, empty, boom, mars, undecoded, two = objects(ran.out)
    assert (one["question"], one["verdict"]) == ("squirrel 1", "answered")
    assert empty == {"question": "", "error": "The question is empty.", "hint": "Type a question."}
    assert set(boom) == {"question", "error", "hint"}
    assert "secret detail" not in ran.out + ran.err
    assert (mars["question"], mars["verdict"]) == ("mars 🦇", "not_in_library")
    assert (undecoded["question"], undecoded["error"]) == (
        "bad \ufffd",
        "The question is not UTF-8 text.",
    )
    assert two["verdict"] == "answered"
    assert ran.code == 1


def test_lines_that_all_get_an_answer_or_a_refusal_leave_with_0(run_cli, fake):
    assert run_cli("ask", "--json", "-", stdin=b"squirrel\nmars\n").code == 0


def test_no_lines_are_no_answers_and_no_error(run_cli, fake):
    ran = run_cli("ask", "--json", "-", stdin=b"")
    assert (ran.code, ran.out) == (0, "")


def test_lines_without_json_are_answered_as_text(run_cli, fake):
    ran = run_cli("ask", "-", stdin=b"squirrel\n\nsquirrel\n\n\n")
    assert ran.code == 1
    assert ran.out.count("They glide 42 metres. [1]") == 2
    assert ran.err.count("The question is empty.") == 1  # blank lines at the end are no questions


def test_an_answer_that_breaks_off_is_an_error(run_cli, fake):
    for options in ([], ["--json"]):
        ran = run_cli("ask", *options, "half")
        assert ran.code == 1
        assert "broke off" in ran.err


def test_the_library_is_closed_after_an_answer_and_after_an_error(run_cli, fake):
    run_cli("ask", "squirrel")
    assert fake.closed
    fake.closed = False
    run_cli("ask", "boom")
    assert fake.closed


def test_without_a_library_the_hint_of_the_library_is_shown(run_cli, monkeypatch):
    def build(_settings, create=False):
        raise LibraryError("There is no library yet.", "assistant ingest --seeds")

    monkeypatch.setattr("assistant.app.build", build)
    ran = run_cli("ask", "squirrel")
    assert ran.code == 1
    assert ran.err.splitlines() == ["There is no library yet.", "assistant ingest --seeds"]


def test_a_missing_model_is_told_with_what_mends_it(run_cli, fake):
    fake.state = Status(2, {"c": 2}, "", "Run: assistant models pull", "hash")
    ran = run_cli("ask", "squirrel?")
    assert ran.code == 0
    assert "assistant models pull" in ran.err


def test_a_chosen_quotes_only_is_not_told_every_time(run_cli, fake):
    fake.state = Status(2, {"c": 2}, "", "as set", "hash", quotes_only_chosen=True)
    assert run_cli("ask", "squirrel?").err == ""


def test_what_an_earlier_run_left_is_said_in_one_line(run_cli, fake):
    fake.left = [("indexes", 0), ("keywords", 7), ("passages", 128)]
    ran = run_cli("ask", "--json", "how far squirrel")
    assert ran.code == 0
    assert ran.err == "Finishing what an earlier run left: the search indexes…\n"
    fake.left = [("papers", 0), ("passages", 128)]
    told = run_cli("ask", "--json", "how far squirrel").err
    assert told.splitlines() == [
        "Making all papers anew, as this version of the assistant reads them…"
    ]
