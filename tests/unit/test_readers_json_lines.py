"""JSON Lines: each line is a record, whatever the others are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.library import readers
from assistant.types import Record, Rejected

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."


def line(title: str, **more: Any) -> str:
    return json.dumps({"title": title, "abstract": ABSTRACT, **more})


def read(tmp_path: Path, text: str, encoding: str = "utf-8") -> list[Record | Rejected]:
    path = tmp_path / "list"
    path.write_bytes(text.encode(encoding))
    return list(readers.read(path))


def outcome(found: list[Record | Rejected]) -> list[str]:
    """Return the titles of what came in, and the lines of what did not."""
    return [item.title if isinstance(item, Record) else f"line {item.line}" for item in found]


CUT = line("C")[:40]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{line('A')}\n{CUT}\n\n{line('B')}\n", ["A", "line 2", "B"]),
        (f"{CUT}\n{line('A')}\n{line('B')}\n", ["line 1", "A", "B"]),
        (f"{CUT}\n{line('A')}\n", ["line 1", "A"]),
        (f"{line('A')}\n{CUT}", ["A", "line 2"]),
        (f"{CUT}\n{CUT}\n{CUT}\n", ["line 1", "line 2", "line 3"]),
        (f"log: begun\n{line('A')}\n", ["line 1", "A"]),
        (f'"title": "C"}}\n{line("A")}\n{line("B")}', ["line 1", "A", "B"]),
        (f"{line('A')}\n" + "[1]\n" * 3, ["A", "line 2", "line 3", "line 4"]),
        ("[1]\n" * 3 + line("A"), ["line 1", "line 2", "line 3", "A"]),
        (f'{line("A")}\n3\n"x"\nnull\n{{}}\n[]', ["A", *(f"line {at}" for at in range(2, 7))]),
        (f"{line('A')}\n[1][2] 3\n{line('B')}", ["A", "line 2", "B"]),
        (f"{line('A')}{line('B')}\n{line('C')}", ["A", "B", "C"]),
        (f"{line('A')}{CUT}\n{line('B')}", ["A", "line 1", "B"]),
        ("{'title': 'A', 'year': 2019}\n{'title': 'B', 'year': 2019}", ["line 1", "line 2"]),
        (f"# a list\n{line('A')}\n// more\n{line('B')}\n", ["A", "B"]),
        (f"\x1e{line('A')}\n\x1e{line('B')}\n", ["A", "B"]),
        (f"{line('A')}\r\n\r\n{line('B')}\r\n", ["A", "B"]),
        (f"{line('A')}\r{line('B')}\r", ["A", "B"]),
    ],
)
def test_each_line_counts_for_itself(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = read(tmp_path, text)
    assert outcome(found) == expected
    assert [item.source.record_no for item in found] == list(range(1, len(expected) + 1))
    assert {item.source.format for item in found} == {"jsonl"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_lines_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    assert outcome(read(tmp_path, f"{line('Ä')}\n{line('B')}", encoding)) == ["Ä", "B"]


@pytest.mark.parametrize(
    "text",
    [
        f"[\n{line('A')}\n{line('B')}\n]",
        f"[{line('A')},\n{line('B')}]",
        f"{line('A')},\n\n{line('B')},\n",
        f'{{"items": [\n{line("A")},\n{line("B")}\n]}}',
        f'{{"items": [{line("A")},\n{line("B")}]}}',
    ],
)
def test_commas_and_brackets_make_one_document_of_lines(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert outcome(found) == ["A", "B"]
    assert {item.source.format for item in found} == {"json"}


def test_a_line_may_be_a_page_of_results(tmp_path: Path) -> None:
    pages = [{"meta": {"count": 3}, "results": [json.loads(line(name))]} for name in "AB"]
    text = "\n".join([*map(json.dumps, pages), json.dumps({"meta": {"count": 0}, "results": []})])
    assert outcome(read(tmp_path, text)) == ["A", "B", "line 3"]


def test_the_reason_says_what_is_wrong(tmp_path: Path) -> None:
    deep, short = "[" * 100_000, json.dumps({"_id": "7", "text": "what is moss?"})
    found = read(tmp_path, "\n".join([line("A"), CUT, deep, short, "{}", "[1]"]))
    reasons = [item.reason for item in found if isinstance(item, Rejected)]
    assert reasons == [
        "it is not sound JSON: Unterminated string",
        "it is nested without end",
        "it has no title, and its text is too short for an abstract",
        "it has neither a title nor an abstract",
        "it is no JSON object",
    ]
    assert [item.key for item in found if isinstance(item, Rejected)][:3] == ["C", "[" * 60, "7"]


def test_a_line_without_end_takes_no_neighbour_along(tmp_path: Path) -> None:
    found = read(tmp_path, f'{line("A")}\n{{"title": "{"a" * 33_000_000}"}}\n{line("B")}\n')
    assert outcome(found) == ["A", "line 2", "B"]
    assert isinstance(found[1], Rejected)
    assert "longer than 32,000,000 characters" in found[1].reason
