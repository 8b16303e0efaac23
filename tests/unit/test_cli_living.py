"""Commands over a real library of files, in this process: what they print and what they leave."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from assistant import app
from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.retrieval.fakes import ExactVectorStore, HashEmbedder, PlainKeywordIndex

real_embedder_of = app.embedder_of  # before a fake stands in its place
MOSS = "We study the growth of mosses on northern stone walls over ten long years, in the shade."
FERN = "This paper presents a survey of ferns found in wet regions of the south, and of their kin."
RIS = f"""TY  - JOUR
TI  - On mosses
AU  - Doe, Jane
PY  - 2020
DO  - 10.1234/moss
AB  - {MOSS}
ER  -

TY  - JOUR
AU  - Roe, R.
ID  - empty
ER  -

TY  - JOUR
TI  - Only a title
PY  - 1999
ER  -
"""
JSONL = json.dumps({"title": "A survey of ferns", "text": FERN, "year": 2021}) + "\n"


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put fakes in place of the embedder and the indexes: commands are what is tested."""
    monkeypatch.setattr("assistant.app.embedder_of", lambda _settings: HashEmbedder())
    monkeypatch.setattr("assistant.app.ChromaVectorStore", lambda *_: ExactVectorStore())
    monkeypatch.setattr("assistant.app.TantivyIndex", lambda *_: PlainKeywordIndex())
    monkeypatch.setenv("ASSISTANT_LLM", "none")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    ris, jsonl = tmp_path / "mosses.ris", tmp_path / "ferns.jsonl"
    ris.write_text(RIS)
    jsonl.write_text(JSONL)
    return ris, jsonl


@pytest.fixture
def library(run_cli, files):
    assert run_cli("ingest", *files).code == 0
    return {item["title"]: item for item in json.loads(run_cli("list", "--json").out)}


def test_the_report_accounts_for_every_record(run_cli, files, tmp_path):
    ran = run_cli("ingest", *files, "--report", tmp_path / "ledger.json")
    assert ran.code == 0
    first, second = json.loads((tmp_path / "ledger.json").read_text())["files"]
    counts = ("read", "with_abstract", "added", "updated", "merged", "unchanged", "rejected")
    assert [first[name] for name in counts] == [3, 1, 2, 0, 0, 0, 1]
    assert [second[name] for name in counts] == [1, 1, 1, 0, 0, 0, 0]
    (rejected,) = first["rejections"]
    assert (rejected["record_no"], rejected["line"], rejected["key"]) == (2, 9, "empty")
    assert rejected["reason"]
    assert rejected["hint"]
    assert "record 2, line 9 (empty): it has neither a title nor an abstract." in ran.out
    assert "1 record without an abstract is kept as references" in ran.out.replace(
        "reference:", "references"
    )


def test_the_report_as_a_sheet_holds_a_row_a_file_and_a_rejection(run_cli, files, tmp_path):
    run_cli("ingest", *files, "--report", tmp_path / "ledger.csv")
    rows = list(csv.DictReader((tmp_path / "ledger.csv").open()))
    assert [(row["file"], row["read"], row["record"]) for row in rows] == [
        ("mosses.ris", "3", ""),
        ("mosses.ris", "", "2"),
        ("ferns.jsonl", "1", ""),
    ]


@pytest.mark.parametrize("name", ["ledger.txt", "nowhere/ledger.csv"])
def test_a_report_that_cannot_be_written_is_told_before_anything_is_read(
    run_cli, files, tmp_path, name
):
    ran = run_cli("ingest", *files, "--report", tmp_path / name)
    assert ran.code == 2
    assert not (tmp_path / "data" / "library.sqlite3").exists()


def test_a_column_can_be_named(run_cli, tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("nr,kopf,inhalt\n1,A,x\n2,B,y\n3,C,z\n")
    told = run_cli("ingest", sheet)
    assert (told.code, "--map abstract=COLUMN" in told.err) == (1, True)
    assert told.err.count("sheet.csv") == 1
    ran = run_cli("ingest", "--json", sheet, "--map", "abstract=inhalt", "--map", "title=kopf")
    assert json.loads(ran.out)["files"][0]["added"] == 3


@pytest.mark.parametrize("mapped", ["abstract", "colour=x", "abstract="])
def test_a_map_that_is_none_is_refused_with_the_fields(run_cli, files, mapped):
    ran = run_cli("ingest", *files, "--map", mapped)
    assert ran.code == 2
    assert "abstract" in ran.err


def test_list_chooses(run_cli, library):
    def names(*options: str) -> list[str]:
        return [item["title"] for item in json.loads(run_cli("list", "--json", *options).out)]

    assert names() == ["On mosses", "Only a title", "A survey of ferns"]
    assert names("--collection", "ferns") == ["A survey of ferns"]
    assert names("--source", "mosses.ris") == ["On mosses", "Only a title"]
    assert names("--query", "WALLS mosses") == ["On mosses"]
    assert names("--year-from", "2021") == ["A survey of ferns"]
    assert names("--year-to", "2000") == ["Only a title"]
    assert names("--no-abstract") == ["Only a title"]
    assert names("--limit", "1") == ["On mosses"]
    assert names("--query", "100%_") == []


def test_show_takes_an_id_its_beginning_a_doi_or_a_title(run_cli, library):
    id_ = library["On mosses"]["id"]
    for name in (id_, id_[:8], "https://doi.org/10.1234/MOSS", "on mosses"):
        shown = json.loads(run_cli("show", name, "--json").out)
        assert (shown["id"], shown["abstract"], shown["authors"]) == (id_, MOSS, ["Doe, Jane"])
        assert shown["records"][0]["source"]["file"] == "mosses.ris"
        assert shown["passages"] == 1
    text = run_cli("show", id_).out
    assert "Jane Doe" in text
    assert re.search(r"^Passages +1$", text, re.MULTILINE)
    bare = run_cli("show", library["Only a title"]["id"]).out
    assert re.search(r"^Passages +0$", bare, re.MULTILINE)
    assert MOSS in text
    assert "From mosses.ris, record 1, line 1" in text


def test_show_says_what_a_source_says_otherwise(run_cli, library, tmp_path):
    other = tmp_path / "other.jsonl"
    said = {"title": "On mosses", "text": MOSS, "doi": "10.1234/moss", "year": 2019}
    other.write_text(json.dumps({**said, "venue": "Walls\x1b[2J"}) + "\n")
    assert run_cli("ingest", other).code == 0
    ran = run_cli("show", "10.1234/moss").out
    assert "From other.jsonl, record 1, line 1 (jsonl, in other)" in ran
    assert re.search(r"^  otherwise year +2019$", ran, re.MULTILINE)
    assert "\x1b" not in ran


def test_a_paper_that_is_not_there_is_told(run_cli, library):
    ran = run_cli("show", "nothing of the kind")
    assert (ran.code, "no paper 'nothing of the kind'" in ran.err) == (1, True)
    assert "assistant list" in ran.err


def test_remove_asks_and_removes(run_cli, library):
    id_ = library["A survey of ferns"]["id"]
    assert "yes" in run_cli("remove", id_).err  # there is nobody to ask
    assert "Nothing was removed" in run_cli("remove", id_, "--dry-run").out
    assert "Removed 1 paper." in run_cli("remove", id_, "--yes").out
    assert "A survey of ferns" not in run_cli("list").out


def test_a_file_that_is_removed_leaves_what_others_bring(run_cli, library, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"title": "On mosses", "text": MOSS, "doi": "10.1234/moss"}) + "\n")
    run_cli("ingest", other)
    ran = run_cli("remove", "--source", "mosses.ris", "--yes")
    assert "1 paper would go; 1 paper stays, from other files" in ran.out
    shown = json.loads(run_cli("show", "10.1234/moss", "--json").out)
    assert [source["file"] for source in shown["sources"]] == ["other.jsonl"]
    assert run_cli("remove", "--source", "mosses.ris", "--yes").code == 1


def test_remove_needs_one_way_of_saying_what(run_cli, library):
    assert run_cli("remove").code == 2
    assert run_cli("remove", "x", "--source", "y").code == 2


def test_sources_and_collections(run_cli, library):
    assert run_cli("sources").out.splitlines() == [
        "mosses.ris\tris\tmosses\t2\t2",
        "ferns.jsonl\tjsonl\tferns\t1\t1",
    ]
    assert json.loads(run_cli("collections", "--json").out) == {"ferns": 1, "mosses": 2}
    assert run_cli("collections", "rename", "ferns", "Ferns of the south").code == 0
    assert "Ferns of the south\t1" in run_cli("collections").out
    assert run_cli("collections", "rename", "ferns", "x").code == 1


def test_two_collections_become_one_only_when_asked(run_cli, library):
    told = run_cli("collections", "rename", "ferns", "mosses")
    assert (told.code, "a collection 'mosses' already" in told.err) == (1, True)
    assert "--merge" in told.err
    assert json.loads(run_cli("collections", "--json").out) == {"ferns": 1, "mosses": 2}
    assert run_cli("collections", "rename", "ferns", "ferns").code == 0
    assert run_cli("collections", "rename", "ferns", "mosses", "--merge").code == 0
    assert json.loads(run_cli("collections", "--json").out) == {"mosses": 3}
    told = run_cli("collections", "rename", "ferns", "mosses", "--merge")
    assert (told.code, "no collection 'ferns'" in told.err) == (1, True)


@pytest.mark.parametrize(
    ("ending", "format_"),
    [("bib", "bibtex"), ("ris", "ris"), ("csv", "csv"), ("jsonl", "jsonl"), ("json", "csl-json")],
)
def test_what_is_exported_is_known_when_it_comes_back(run_cli, library, tmp_path, ending, format_):
    target = tmp_path / f"all.{ending}"
    assert "Wrote 3 papers" in run_cli("export", "-o", target).out
    ran = run_cli("ingest", "--json", target)
    (file,) = json.loads(ran.out)["files"]
    assert (file["merged"], file["rejected"]) == (3, 0)
    assert len(json.loads(run_cli("list", "--json").out)) == 3
    assert run_cli("export", "--format", format_).out.strip()


def test_an_export_that_cannot_be_written_is_told(run_cli, library, tmp_path):
    ran = run_cli("export", "-o", tmp_path / "nowhere" / "all.bib")
    assert (ran.code, "cannot be written" in ran.err) == (1, True)
    ran = run_cli("export", "-o", tmp_path / "mosses.ris" / "all.bib")
    assert (ran.code, "cannot be written" in ran.err) == (1, True)
    assert "inside" not in ran.err
    assert run_cli("export", "-o", tmp_path).code == 2
    assert run_cli("export", "--format", "docx").code == 2
    assert run_cli("export", "On mosses", "--query", "moss").code == 2


def test_what_is_written_over_is_told(run_cli, library, tmp_path):
    target = tmp_path / "all.bib"
    assert run_cli("export", "-o", target).out == f"Wrote 3 papers to {target}.\n"
    assert "in place of what it held" in run_cli("export", "-o", target).out


def test_the_format_is_told_by_the_ending_or_asked_for(run_cli, library, tmp_path):
    ran = run_cli("export", "-o", tmp_path / "all.xyz")
    assert (ran.code, "all.xyz does not tell the format" in ran.err) == (2, True)
    assert run_cli("export", "-o", tmp_path / "all.xyz", "-f", "ris").code == 0
    assert (tmp_path / "all.xyz").read_text().startswith("TY  - ")
    ran = run_cli("export", "-o", tmp_path / "folder.bib", "-f", "docx")
    assert (ran.code, "'docx'" in ran.err) == (2, True)


def test_an_export_names_the_collections_where_its_format_has_a_place(run_cli, library):
    rename = run_cli("collections", "rename", "ferns", "Ferns; of the south")
    assert rename.code == 0
    (item,) = json.loads(run_cli("export", "A survey of ferns", "-f", "csl-json").out)
    assert item["custom"]["collections"] == ["Ferns; of the south"]
    line = json.loads(run_cli("export", "A survey of ferns", "-f", "jsonl").out)
    assert line["collections"] == ["Ferns; of the south"]
    (row,) = csv.DictReader(run_cli("export", "A survey of ferns", "-f", "csv").out.splitlines())
    assert row["collections"] == "Ferns; of the south"
    assert "groups = {Ferns; of the south}" in run_cli("export", "A survey of ferns").out


@pytest.mark.parametrize("command", ["show", "remove", "export"])
def test_no_name_is_no_paper(run_cli, tmp_path, command):
    plain = tmp_path / "untitled.txt"
    plain.write_text(f"Walls\n\n{MOSS}\n")
    assert run_cli("ingest", plain).code == 0
    ran = run_cli(command, " ", *(["--yes"] if command == "remove" else []))
    assert (ran.code, ran.out, "No paper is named." in ran.err) == (1, "", True)
    assert len(run_cli("list").out.splitlines()) == 1


def test_of_papers_named_twice_one_is_exported_or_removed(run_cli, library):
    id_ = library["On mosses"]["id"]
    assert len(run_cli("export", id_, "on mosses", "-f", "jsonl").out.splitlines()) == 1
    assert "Removed 1 paper." in run_cli("remove", id_, "on mosses", "--yes").out


@pytest.mark.parametrize("command", ["list", "export"])
@pytest.mark.parametrize(
    ("option", "lists"), [("--collection", "collections"), ("--source", "sources")]
)
def test_a_choice_of_what_is_not_there_is_told_with_where_to_look(
    run_cli, library, command, option, lists
):
    ran = run_cli(command, option, "roofs")
    assert (ran.code, "'roofs'" in ran.err, ran.out) == (1, True, "")
    assert f"assistant {lists}" in ran.err


def test_words_that_no_paper_has_remove_nothing_and_are_told(run_cli, library):
    ran = run_cli("remove", "--query", "whales", "--yes")
    assert (ran.code, "'whales'" in ran.err) == (1, True)
    assert len(run_cli("list").out.splitlines()) == 3


def test_a_collection_to_ask_must_be_there(run_cli, library):
    ran = run_cli("ask", "--collection", "roofs", "What grows on walls?")
    assert (ran.code, "no collection 'roofs'" in ran.err) == (1, True)


def test_doctor_looks_deep(run_cli, library):
    found = {item["part"]: item for item in json.loads(run_cli("doctor", "--deep", "--json").out)}
    assert found["papers"]["ok"]
    assert "counts" in found


def misname(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name an embedder that there is not, for a library that there is."""
    monkeypatch.setattr("assistant.app.embedder_of", real_embedder_of)
    monkeypatch.setenv("ASSISTANT_EMBEDDER", "mini-lm")


@pytest.mark.parametrize(
    "args",
    [
        ("list", "--collection", "ferns"),
        ("show", "On mosses"),
        ("sources",),
        ("collections",),
        ("collections", "rename", "ferns", "Ferns"),
        ("export", "--format", "jsonl"),
        ("remove", "On mosses", "--dry-run"),
        ("remove", "--source", "mosses.ris", "--dry-run"),
    ],
)
def test_what_needs_no_embedder_goes_on_without_one(run_cli, library, monkeypatch, args):
    misname(monkeypatch)
    ran = run_cli(*args)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


@pytest.mark.parametrize(
    "args",
    [
        ("ask", "What grows on walls?"),
        ("remove", "On mosses", "--yes"),
        ("ingest", "mosses.ris"),
        ("reindex",),
    ],
)
def test_what_needs_an_embedder_names_the_one_that_is_not_there(
    run_cli, library, monkeypatch, tmp_path, args
):
    misname(monkeypatch)
    monkeypatch.chdir(tmp_path)
    ran = run_cli(*args)
    assert (ran.code, "mini-lm" in ran.err) == (1, True)
    assert "inside" not in ran.err
    assert len(run_cli("list").out.splitlines()) == 3


def test_doctor_names_an_embedder_that_is_not_there(run_cli, library, monkeypatch):
    misname(monkeypatch)
    ran = run_cli("doctor", "--deep", "--json")
    found = {item["part"]: item for item in json.loads(ran.out)}
    assert ran.code == 1
    assert found["library"]["ok"]
    assert found["papers"]["ok"]
    assert not found["embedder"]["ok"]
    assert "mini-lm" in found["embedder"]["message"]
    assert found["embedder"]["hint"]


def test_doctor_names_the_reranker_in_use(run_cli, library, monkeypatch, tmp_path):
    def doctor():
        ran = run_cli("doctor", "--json")
        return {item["part"]: item for item in json.loads(ran.out)}.get("reranker"), ran.code

    assert doctor()[0] is None
    monkeypatch.setenv("ASSISTANT_RERANKER", "gte-reranker-modernbert-base")
    found, code = doctor()
    assert (found["ok"], code) == (False, 1)
    assert found["hint"] == "Run: assistant models pull gte-reranker-modernbert-base"
    assert run_cli("find", "mosses on walls").code == 0  # it goes without one
    folder = tmp_path / "weights" / "gte-reranker-modernbert-base"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").touch()
    found, _ = doctor()
    assert found["ok"]
    assert found["message"] == f"gte-reranker-modernbert-base in {folder}"
    monkeypatch.setenv("ASSISTANT_RERANKER", "all-minilm-l6-v2")
    found, _ = doctor()
    assert (found["ok"], found["message"]) == (False, "all-minilm-l6-v2 is none")


def test_the_ledger_and_the_store_agree_with_the_importer(tmp_path, files):
    with Store.open(tmp_path / "other", create=True) as store:
        reports = Importer(store, lambda text: len(text.split()), 64).run(list(files)).files
        assert sum(report.added for report in reports) == store.counts().papers == 3
        assert store.counts().references == 1
