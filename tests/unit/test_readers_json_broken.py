"""Broken JSON: what is sound comes in, and what is not takes no neighbour along."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import ReadError
from assistant.library import readers
from assistant.library.documents import Document
from assistant.types import Record, Rejected

ABSTRACT = 'We study the {growth} of "mosses" on [northern] stone walls, over ten years.'


def paper(title: str, indent: int | None = 1) -> str:
    fields = {"title": title, "abstract": ABSTRACT, "authors": [{"name": "Jane Doe"}], "year": 2019}
    return json.dumps(fields, indent=indent)


def broken(title: str) -> str:
    """Return an object with a title that is not in quotation marks."""
    return paper(title).replace(f'"{title}"', title)


def of(text: str) -> Iterator[Record | Rejected]:
    return readers.read(Document("list", "a", lambda: io.BytesIO(text.encode())))


def read(text: str) -> list[Record | Rejected]:
    return list(of(text))


def outcome(found: Sequence[Record | Rejected]) -> list[str]:
    """Return the titles of what came in, and the lines of what did not."""
    return [item.title if isinstance(item, Record) else f"line {item.line}" for item in found]


def array(papers: Sequence[str]) -> str:
    return "[" + ",\n".join(papers) + "]"


def envelope(papers: Sequence[str]) -> str:
    return '{"total": 4, "items": [' + ", ".join(papers) + '], "next": {"page": 2}}'


def keyed(papers: Sequence[str]) -> str:
    return "{" + ",\n".join(f'"k{at}": {said}' for at, said in enumerate(papers)) + "}"


@pytest.mark.parametrize("held", [array, envelope, keyed, "\n".join])
def test_broken_ones_side_by_side_are_told_one_by_one(held: object) -> None:
    assert callable(held)
    found = read(held([paper("A"), broken("B"), broken("C"), paper("D")]))
    rejected = [item for item in found if isinstance(item, Rejected)]
    assert [item.title for item in found if isinstance(item, Record)] == ["A", "D"]
    assert len(rejected) == 2
    assert rejected[0].line < rejected[1].line
    assert "title" in rejected[0].key
    assert "it is not sound JSON: Expecting value in line" in rejected[0].reason


@pytest.mark.parametrize(
    "wrong",
    [
        '{"title": "B" "year": 2019}',
        '{"title": "B, "year": 2019}',
        '{"title": B", "year": 2019}',
        '{"title": "B", "year": 2019',
        '{"title": "B", "authors": ["Jane Doe", "year": 2019}',
        '{"title": "B", "authors": [{"name": "Jane Doe}], "year": 2019}',
        '{"title": "B "C" {D", "year": 2019}',
        r'{"title": "\alpha B", "year": 2019}',
        '{"title": "B", "year": 2019,}',
        "{'title': 'B', 'year': 2019}",
    ],
)
@pytest.mark.parametrize("held", [array, envelope])
def test_whatever_is_wrong_with_one_the_others_come_in(held: object, wrong: str) -> None:
    assert callable(held)
    for indent in (None, 1):
        found = read(held([paper("A", indent), wrong, paper("C", indent), paper("D", indent)]))
        assert [type(item) for item in found] == [Record, Rejected, Record, Record]
        assert [item.title for item in found if isinstance(item, Record)] == ["A", "C", "D"]


@settings(deadline=None, max_examples=150)
@given(
    held=st.sampled_from([array, envelope, "\n".join]),
    which=st.integers(1, 3),
    place=st.floats(0, 1, exclude_max=True),
    length=st.integers(0, 1),
    mark=st.sampled_from(["", *'"{}[],:\\x1 ']),
)
def test_a_character_that_is_wrong_takes_no_neighbour_along(
    held: object, which: int, place: float, length: int, mark: str
) -> None:
    assert callable(held)
    papers = [paper(title, None) for title in "ABCD"]
    at = int(place * len(papers[which]))
    papers[which] = papers[which][:at] + mark + papers[which][at + length :]
    others = [title for number, title in enumerate("ABCD") if number != which]
    found: list[str] = []
    with contextlib.suppress(ReadError):  # a bracket too many is told after the papers
        found.extend(item.title for item in of(held(papers)) if isinstance(item, Record))
    assert [title for title in found if title in others] == others


def test_papers_that_a_broken_one_names_are_not_taken_for_papers() -> None:
    named = json.dumps({"title": "Older", "abstract": ABSTRACT})
    text = array([paper("A"), f'{{"title": B, "references": [{named}]}}', paper("C")])
    assert outcome(read(text)) == ["A", "line 11", "C"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[{paper('A')} {paper('B')}]", ["A", "B"]),
        (f"[{paper('A')},,{paper('B')},]", ["A", "B"]),
        (f"[{paper('A')}], {paper('B')}]", ["A", "B"]),
        (f'{{"total": , "items": [{paper("A")}]}}', ["A"]),
        (f'{{"total": 1 "items": [{paper("A")}]}}', ["A"]),
        (f'{{"items": [{paper("A")}], "next": }}', ["A"]),
        (f"[{paper('A')}, {paper('B')[:60]}", ["A", "line 10"]),
    ],
)
def test_marks_that_are_missing_or_too_many(text: str, expected: list[str]) -> None:
    assert outcome(read(text)) == expected


def test_a_list_that_is_not_closed_is_told_after_what_it_held() -> None:
    found = of(f"[{paper('A')},\n")
    assert outcome([next(found)]) == ["A"]
    with pytest.raises(ReadError, match="breaks off in line 11") as told:
        next(found)
    assert "Export the file again" in told.value.hint


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 200_000,
        '[{"a":' * 200_000,
        '[{"title": "A"},' + '{"' * 500_000,
        '{"title":"x\n"a":' * 20_000,
        '["' + '"' * 300_000,
        "[\n" + '{"title":"x}\n' * 10_000,
        "[" + " " * 3_000_000,
        "[{" + ":" * 500_000,
        "[{" + "]}" * 300_000,
        '[{"title": "' + "\\" * 1_000_001 + '"}]',
        '["", /*' + "/*" * 500_000,
    ],
    ids=[
        *("objects", "pairs", "openings", "unclosed", "quotes", "lines", "blanks", "colons"),
        *("closings", "backslashes", "comments"),
    ],
)
def test_what_is_made_to_do_harm_ends_soon_and_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.json"
    path.write_text(text, encoding="utf-8")
    told = ""
    try:
        found = list(readers.read(path))
    except ReadError as error:
        told, found = error.message, []
    assert told or any(isinstance(item, Rejected) for item in found)


def test_a_text_without_end_is_one_rejection(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(f'[{paper("A")}, {{"title": "{"a" * 33_000_000}"}}, {paper("B")}]', "utf-8")
    found = list(readers.read(path))
    assert outcome(found) == ["A", "line 10", "B"]
    assert isinstance(found[1], Rejected)
    assert found[1].reason == "it is longer than 32,000,000 characters"
