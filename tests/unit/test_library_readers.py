"""Files become records and rejections; nothing of a file is lost without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import ReadError
from assistant.library import readers
from assistant.types import Record, Rejected

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."
OTHER = "This paper presents a survey of lichens found on old roofs in wet regions."


def read(tmp_path: Path, content: str | bytes, name: str = "list.txt") -> list[Record | Rejected]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(readers.read(path))


def abstracts(found: list[Record | Rejected]) -> list[str]:
    return [item.abstract for item in found if isinstance(item, Record)]


# The seed format


def test_the_seed_documents_hold_38_abstracts(seeds_dir: Path) -> None:
    found = {path.name: list(readers.read(path)) for path in sorted(seeds_dir.glob("*.txt"))}
    assert [len(items) for items in found.values()] == [19, 19]
    assert all(isinstance(item, Record) for items in found.values() for item in items)
    first, second = found.values()
    assert {item.source.collection for item in first} == {"ICML 2025 论文列表"}
    assert {item.source.collection for item in second} == {"ICML 2025 Papers"}
    assert [item.source.record_no for item in first] == list(range(1, 20))
    assert first[0].source.file == "000_54502489e74a5d03.txt"
    assert first[0].abstract.startswith("Designing protein-binding proteins")
    assert first[18].abstract.endswith("computation time and disagreement reduction.")


def test_an_abstract_is_kept_as_it_came(tmp_path: Path) -> None:
    text = "We show $\\mathcal{M}^{Shap}$ and **bold** <b>HTML</b> &amp; 50.00\\% in it."
    assert abstracts(read(tmp_path, f"My papers\n\n{text}\n")) == [text]


def test_wrapped_lines_are_one_paragraph(tmp_path: Path) -> None:
    wrapped = ABSTRACT.replace("mosses on", "mosses\r\non")
    found = read(tmp_path, f"My papers\r\n\r\n{wrapped}\r\n\r\n{OTHER}")
    assert abstracts(found) == [ABSTRACT.replace("mosses on", "mosses\non"), OTHER]


def test_a_file_without_a_heading_is_a_collection_of_its_own_name(tmp_path: Path) -> None:
    found = read(tmp_path, f"{ABSTRACT}\n\n{OTHER}\n", "mosses 2024.txt")
    assert abstracts(found) == [ABSTRACT, OTHER]
    assert {item.source.collection for item in found} == {"mosses 2024"}
    assert [item.source.record_no for item in found] == [1, 2]


def test_a_markdown_heading_is_a_heading(tmp_path: Path) -> None:
    found = read(tmp_path, f"\n\n# Mosses\n\n{ABSTRACT}\n")
    assert found[0].source.collection == "Mosses"


def test_a_short_paragraph_is_rejected_and_counted(tmp_path: Path) -> None:
    found = read(tmp_path, f"Mosses\n\n{ABSTRACT}\n\nToo short.\n\n12 345\n\n*****\n\n{OTHER}\n")
    assert [type(item) for item in found] == [Record, Rejected, Rejected, Record]
    assert [item.source.record_no for item in found] == [1, 2, 3, 4]
    assert "shorter than" in found[1].reason
    assert "no letters" in found[2].reason
    assert found[1].hint


def test_a_short_chinese_abstract_is_long_enough(tmp_path: Path) -> None:
    text = "我们研究北方石墙上苔藓十年间的生长情况。"
    assert abstracts(read(tmp_path, f"苔藓\n\n{text}\n")) == [text]


def test_one_long_line_is_an_abstract(tmp_path: Path) -> None:
    assert abstracts(read(tmp_path, ABSTRACT)) == [ABSTRACT]


def test_one_short_line_is_told_how_the_format_goes(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="one short line") as told:
        read(tmp_path, "My papers\n")
    assert "one abstract a paragraph" in told.value.hint


def test_fifty_megabytes_of_one_paragraph_are_one_rejection(tmp_path: Path) -> None:
    words = b"word after word " * 64 + b"\n"
    endless = words * (50_000_000 // len(words))
    content = b"Mosses\n\n" + ABSTRACT.encode() + b"\n\n" + endless + b"\n" + OTHER.encode()
    found = read(tmp_path, content)
    assert abstracts(found) == [ABSTRACT, OTHER]
    assert isinstance(found[1], Rejected)
    assert "longer than 20,000" in found[1].reason


def test_fifty_megabytes_in_one_line_are_one_rejection(tmp_path: Path) -> None:
    content = b"Mosses\n\n" + b"word " * 10_000_000 + b"\n\n" + OTHER.encode()
    found = read(tmp_path, content)
    assert [type(item) for item in found] == [Rejected, Record]


def test_control_characters_stay_but_nul_goes(tmp_path: Path) -> None:
    found = read(tmp_path, f"Mosses\n\n{ABSTRACT}\x00\x07\n")
    assert abstracts(found) == [f"{ABSTRACT}\x07"]


def test_prose_in_brackets_is_prose(tmp_path: Path) -> None:
    text = f"[Purpose] {ABSTRACT}"
    assert abstracts(read(tmp_path, text)) == [text]


def test_a_folder_is_refused_here(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is a folder"):
        list(readers.read(tmp_path))


# JSON Lines


def test_json_lines_bring_what_they_know(tmp_path: Path) -> None:
    line = json.dumps(
        {
            "_id": 7,
            "title": "On <i>mosses</i>",
            "text": ABSTRACT,
            "authors": [{"name": "A. Author"}, "B. Writer"],
            "year": "2021-03-04",
            "venue": "Walls",
            "doi": "https://doi.org/10.1000/ABC.1",
            "url": "https://example.org/m_1",
        }
    )
    (record,) = read(tmp_path, line, "mosses.jsonl")
    assert isinstance(record, Record)
    assert (record.title, record.abstract) == ("On mosses", ABSTRACT)
    assert record.authors == ("Author, A.", "Writer, B.")
    assert (record.year, record.venue, record.doi) == (2021, "Walls", "10.1000/abc.1")
    assert record.url == "https://example.org/m_1"
    assert (record.source.format, record.source.collection) == ("jsonl", "mosses")


def test_a_broken_line_is_rejected_alone(tmp_path: Path) -> None:
    good = json.dumps({"title": "A", "abstract": ABSTRACT})
    lines = [good, '{"title": ', "", "[1]", '{"title": "Only a title"}', good.replace("A", "B", 1)]
    found = read(tmp_path, "\n".join(lines), "a.jsonl")
    assert [type(item) for item in found] == [Record, Rejected, Rejected, Record, Record]
    assert [item.source.record_no for item in found] == [1, 2, 3, 4, 5]
    assert "not sound JSON" in found[1].reason
    assert "no JSON object" in found[2].reason
    assert (found[3].title, found[3].abstract) == ("Only a title", "")
    assert (found[1].line, found[2].line) == (2, 4)


@pytest.mark.parametrize(
    "fields",
    [
        {"abstract": ABSTRACT, "authors": 5, "year": [], "title": {"a": 1}, "doi": 3, "url": None},
        {"abstract": ABSTRACT, "authors": [None, 3, {"x": 1}], "title": "lone \ud800 surrogate"},
        {"text": ABSTRACT, "abstract": "", "year": "unknown"},
    ],
)
def test_odd_values_do_no_harm(tmp_path: Path, fields: dict[str, object]) -> None:
    (record,) = read(tmp_path, json.dumps(fields), "a.jsonl")
    assert isinstance(record, Record)
    record.title.encode()


def test_json_nested_without_end_is_rejected(tmp_path: Path) -> None:
    found = read(
        tmp_path, '{"a":' + "[" * 100_000 + "\n" + json.dumps({"text": ABSTRACT}), "a.jsonl"
    )
    assert [type(item) for item in found] == [Rejected, Record]


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode()))
def test_any_bytes_become_records_or_a_refusal(tmp_path: Path, content: bytes) -> None:
    refused = ""
    found: list[Record | Rejected] = []
    try:
        found = read(tmp_path, content)
    except ReadError as told:
        refused = told.hint
    assert found or refused
    assert [item.source.record_no for item in found] == list(range(1, len(found) + 1))
