"""``assistant find`` and ``assistant searches``: options, messages, exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fake_assistant import FakeAssistant
from findings_world import BATS, FOUND

from assistant.errors import LibraryError, QuestionError
from assistant.types import Filters, Findings, Idea, Match, SavedSearch


class Finding(FakeAssistant):
    """Finds bats for everything but 'mars'."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_for: list[Idea] = []
        self.kept = {"bats": SavedSearch("bats", Idea("bats at night"), "2026-11-30", new=2)}
        self.fresh = (FOUND.matches[0], Match(31, replace(BATS, id="p9", title="Late bats"), 0.6))

    def find(self, idea: Idea) -> Findings:
        self.looked_for.append(idea)
        if not idea.text.strip() and not idea.like:
            raise QuestionError("There is no idea to look for.", "Describe it.")
        if "boom" in idea.text:
            raise RuntimeError("secret detail")
        return replace(FOUND, idea=idea.text, close="mars" not in idea.text)

    def paper(self, name):
        if name == "nobody":
            raise LibraryError("The library holds no paper 'nobody'.", "Name it.")
        return replace(BATS, id=f"id of {name}")

    def save_search(self, name, idea):
        self.kept[name] = SavedSearch(name, idea, "2026-12-01")
        return self.kept[name]

    def saved_searches(self, *, count=False):
        return list(self.kept.values())

    def forget_search(self, name):
        del self.kept[name]

    def news(self, name):
        self.calls.append(("news", name))
        return Findings("", (), self.fresh, len(self.fresh), close=True)

    @property
    def store(self):
        from types import SimpleNamespace

        return SimpleNamespace(
            search=lambda name: self.kept[name],
            paper_ids=lambda filters: {"p1"} if filters.collections == ("c",) else set(),
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Finding:
    assistant = Finding()
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: assistant)
    return assistant


def objects(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_what_is_found_is_printed_and_what_is_not_close_leaves_with_3(run_cli, fake):
    ran = run_cli("find", "bats", "at", "night")
    assert (ran.code, ran.err) == (0, "")
    assert "Hunting by echo" in ran.out
    assert fake.looked_for[0].text == "bats at night"
    assert run_cli("find", "mars").code == 3
    assert run_cli("find", "--json", "mars").code == 3
    assert fake.closed


def test_every_option_arrives(run_cli, fake):
    options = "--author Doe --author Roe --venue Caves --keyword echo --collection c --no-code"
    more = "--has-abstract --year-from 1999 --year-to 2020 --sort year --limit 5 --page 3"
    ran = run_cli("find", "--like", "A title", "--unlike", "p7", *options.split(), *more.split())
    assert ran.code == 0
    filters = Filters(("c",), 1999, 2020, (), ("Doe", "Roe"), ("Caves",), ("echo",), False, True)
    assert fake.looked_for == [
        Idea("", ("id of A title",), ("id of p7",), filters, "year", limit=5, offset=10)
    ]


def test_json_is_one_object(run_cli, fake):
    (found,) = objects(run_cli("find", "--json", "bats").out)
    assert (found["idea"], found["close"], found["total"]) == ("bats", True, 12)
    assert [match["rank"] for match in found["matches"]] == [1, 2]


def test_an_idea_a_line_is_an_object_a_line(run_cli, fake):
    stdin = b"\xef\xbb\xbfbats\r\n\nboom\nmars\nbad \xff\n\n"
    ran = run_cli("find", "--json", "--limit", "3", "-", stdin=stdin)
    bats, empty, boom, mars, undecoded = objects(ran.out)
    assert (bats["idea"], bats["close"]) == ("bats", True)
    assert empty == {"idea": "", "error": "There is no idea to look for.", "hint": "Describe it."}
    assert set(boom) == {"idea", "error", "hint"}
    assert "secret detail" not in ran.out + ran.err
    assert mars["close"] is False
    assert undecoded["error"] == "The idea is not UTF-8 text."
    assert ran.code == 1
    assert {idea.limit for idea in fake.looked_for} == {3}


def test_a_file_is_the_idea(run_cli, fake, tmp_path: Path):
    draft = tmp_path / "draft.txt"
    draft.write_bytes("Bats at night.\nWe count them – all.\n".encode())
    assert run_cli("find", "--file", draft).code == 0
    assert "We count them – all." in fake.looked_for[0].text


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "does not exist"), (b"", "is empty"), (b"%PDF-1.4\n\x00\x01", "not text")],
)
def test_a_file_that_is_no_text_is_told(run_cli, fake, tmp_path: Path, content, said):
    draft = tmp_path / "draft.txt"
    if content is not None:
        draft.write_bytes(content)
    ran = run_cli("find", "--file", draft)
    assert ran.code == 1
    assert said in ran.err
    assert len(ran.err.splitlines()) == 2
    assert fake.looked_for == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bats", "--file", "x"), "not both"),
        (("-", "--save", "x"), "one idea"),
        (("-", "--export", "x.md"), "one idea"),
        (("bats", "--json", "--export", "-", "--format", "ris"), "standard output"),
        (("bats", "--format", "ris"), "needs --export"),
        (("bats", "--year-from", "2020", "--year-to", "2019"), "is after --year-to"),
        (("bats", "--author", " "), "--author is blank"),
        (("bats", "--sort", "fame"), "relevance"),
        (("bats", "--limit", "0"), "--limit"),
        (("bats", "--page", "0"), "--page"),
    ],
)
def test_options_that_cannot_be_taken_are_bad_use(run_cli, fake, args, said):
    ran = run_cli("find", *args)
    assert (ran.code, ran.out, fake.looked_for) == (2, "", [])
    assert said in ran.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bats", "--like", "nobody"), "holds no paper 'nobody'"),
        (("bats", "--collection", "none"), "no collection 'none'"),
        (("bats", "--export", "x.doc"), "names no format"),
    ],
)
def test_what_is_not_there_is_told_with_a_hint(run_cli, fake, args, said):
    ran = run_cli("find", *args)
    assert (ran.code, ran.out, fake.looked_for) == (1, "", [])
    assert said in ran.err
    assert len(ran.err.splitlines()) == 2


def test_the_list_is_taken_along_in_a_file(run_cli, fake, tmp_path: Path):
    target = tmp_path / "found.md"
    ran = run_cli("find", "bats", "--export", target)
    assert ran.err == f"Wrote 2 papers to {target}.\n"
    assert "1. **Hunting by echo**" in target.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.glob("*found*")] == ["found.md"]


def test_standard_output_gets_the_export_alone(run_cli, fake):
    ran = run_cli("find", "bats", "--export", "-", "--format", "csv")
    assert ran.out.startswith('"id","title"')
    assert "▇" not in ran.out


def test_a_file_that_cannot_be_written_is_told(run_cli, fake, tmp_path: Path):
    ran = run_cli("find", "bats", "--export", tmp_path / "nowhere" / "x.md")
    assert ran.code == 1
    assert "cannot be written" in ran.err


def test_a_search_is_saved_as_it_was_run(run_cli, fake):
    ran = run_cli("find", "moths", "--year-from", "2000", "--save", "moths")
    assert "assistant searches 'moths'" in ran.err
    assert fake.kept["moths"].idea == Idea("moths", filters=Filters(year_from=2000))


def test_searches_are_listed_with_what_is_new(run_cli, fake):
    assert run_cli("searches").out == "bats\t2 new\t2026-11-30\tbats at night\n"
    (found,) = json.loads(run_cli("searches", "--json").out)
    assert (found["name"], found["new"], found["idea"]["text"]) == ("bats", 2, "bats at night")


def test_no_searches_say_how_to_save_one(run_cli, fake):
    fake.kept = {}
    ran = run_cli("searches")
    assert (ran.code, ran.out) == (0, "")
    assert "--save NAME" in ran.err


def test_a_search_is_run_with_what_is_new_marked_and_what_is_further_down(run_cli, fake):
    ran = run_cli("searches", "bats")
    assert ran.code == 0
    assert "2 new since it was last run: bats at night" in ran.out
    assert "new  Hunting by echo" in ran.out
    assert ran.out.index("New as well, further down:") < ran.out.index("new  Late bats")
    assert ran.out.count("Hunting by echo") == 1


def test_a_search_as_json_lists_what_is_new(run_cli, fake):
    (found,) = objects(run_cli("searches", "bats", "--json").out)
    assert [match["id"] for match in found["new"]] == ["p1", "p9"]
    assert len(found["matches"]) == 2


def test_a_search_that_fails_leaves_what_is_new_unseen(run_cli, fake):
    fake.kept["bats"] = SavedSearch("bats", Idea(" "), "2026-11-30")
    assert run_cli("searches", "bats").code == 2
    assert fake.calls == []


def test_a_search_is_forgotten(run_cli, fake):
    assert run_cli("searches", "--forget", "bats").out == "Forgot bats.\n"
    assert fake.kept == {}
    assert run_cli("searches", "bats", "--forget", "bats").code == 2
