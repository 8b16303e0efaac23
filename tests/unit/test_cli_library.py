from __future__ import annotations

import json
from pathlib import Path

import pytest
from fake_assistant import FakeAssistant

from assistant.config import load_settings
from assistant.library.connections import FILE
from assistant.resources import resource_dir


@pytest.fixture
def built() -> list[bool]:
    """Return what ``create`` was each time the library was opened."""
    return []


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, built: list[bool]) -> FakeAssistant:
    assistant = FakeAssistant()

    def build(settings, create=False):
        built.append(create)
        if create:
            settings.data_dir.mkdir(parents=True, exist_ok=True)
        return assistant

    monkeypatch.setattr("assistant.app.build", build)
    return assistant


def test_the_ledger_counts_every_record_and_names_the_rejected(run_cli, fake, built):
    ran = run_cli("ingest", "zoo.txt")
    assert ran.code == 0
    header, row, *_ = ran.out.splitlines()
    assert header.split() == [
        "File",
        "Format",
        "Read",
        "Abstract",
        "Added",
        "Updated",
        "Merged",
        "Unchanged",
        "Rejected",
    ]
    assert row.split() == ["zoo.txt", "text", "27", "2", "2", "0", "0", "0", "25"]
    assert "zoo.txt, record 3: Record 3 is empty. Fill it." in ran.out
    assert "… and 5 more; --json or --report FILE lists them all." in ran.out
    assert built == [True]


def test_json_lists_every_rejected_record(run_cli, fake):
    (file,) = json.loads(run_cli("ingest", "--json", "zoo.txt").out)["files"]
    assert (file["rejected"], len(file["rejections"])) == (25, 25)
    assert file["rejections"][24]["record_no"] == 27


def test_a_file_that_failed_leaves_with_1_and_says_what_mends_it(run_cli, fake):
    ran = run_cli("ingest", "zoo.txt", "broken.bin")
    assert ran.code == 1
    assert ran.err.splitlines() == ["broken.bin: No text.", "Export as text."]
    assert "zoo.txt" in ran.out


def test_a_dry_run_creates_no_library_and_says_so(run_cli, fake, built):
    ran = run_cli("ingest", "--dry-run", "zoo.txt")
    assert fake.calls == [("ingest", (Path("zoo.txt"),), True)]
    assert not load_settings().data_dir.exists()
    assert "nothing was stored" in ran.out


def test_a_dry_run_goes_against_the_library_that_there_is(run_cli, fake, built):
    data = load_settings().data_dir
    data.mkdir()
    (data / FILE).touch()
    run_cli("ingest", "--dry-run", "zoo.txt")
    assert built == [False]


def test_nothing_named_is_bad_use(run_cli, fake):
    ran = run_cli("ingest")
    assert ran.code == 2
    assert "--seeds" in ran.err


def test_the_seeds_are_imported_for_the_first_time_only(run_cli, fake):
    first = run_cli("ingest", "--seeds", "--first-time")
    seeds = tuple(sorted(resource_dir("seeds").iterdir()))
    assert len(seeds) == 2
    assert (first.code, fake.calls) == (0, [("ingest", seeds, False)])
    again = run_cli("ingest", "--seeds", "--first-time")
    assert (again.code, again.out, len(fake.calls)) == (0, "", 1)
    run_cli("ingest", "--seeds")
    assert len(fake.calls) == 2


def test_a_first_time_that_failed_does_not_count(run_cli, fake):
    run_cli("ingest", "--first-time", "broken.bin")
    run_cli("ingest", "--first-time", "--dry-run", "zoo.txt")
    run_cli("ingest", "--first-time", "zoo.txt")
    assert len(fake.calls) == 3


def test_list_in_a_pipe_has_one_whole_line_a_paper_and_nothing_that_acts(run_cli, fake):
    ran = run_cli("list")
    assert ran.out.splitlines() == [
        "p1\tSquirrels: gliding by night\t動物園, More",
        "p2\t[31mMoles: a handle [bold]that acts[/bold]\t動物園",
    ]


def test_list_as_json_names_every_source(run_cli, fake):
    papers = json.loads(run_cli("list", "--json").out)
    assert [paper["id"] for paper in papers] == ["p1", "p2"]
    assert papers[0]["title"] == "Squirrels: gliding by night"
    assert papers[0]["collections"] == ["動物園", "More"]
    assert papers[0]["sources"][1] == {
        "file": "more.jsonl",
        "record_no": 7,
        "format": "jsonl",
        "collection": "More",
    }


def test_reindex_rebuilds_and_says_how_many(run_cli, fake):
    ran = run_cli("reindex")
    assert fake.calls == [("reindex",)]
    assert ran.out == "Indexed 2 papers.\n"


def test_a_data_dir_named_before_the_command_is_where_the_library_is(
    run_cli, monkeypatch, tmp_path
):
    seen = []

    def build(settings, create=False):
        seen.append(settings.data_dir)
        return FakeAssistant()

    monkeypatch.setattr("assistant.app.build", build)
    run_cli("--data-dir", tmp_path / "elsewhere", "list")
    run_cli("list")
    assert seen == [tmp_path / "elsewhere", load_settings().data_dir]
