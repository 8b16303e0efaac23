"""Plain text with and without titles."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.library import readers
from assistant.types import Record, Rejected

MOSS = (
    "We study the growth of mosses on northern stone walls over ten years, and find that they grow "
    "faster in the shade. The effect is larger on old walls. Our data are open to all who ask."
)
FERN = (
    "This paper presents a survey of ferns found in wet regions of the south. We count four kinds "
    "in every valley, and two that were thought to be lost. We discuss what may have saved them."
)


def wrapped(text: str, width: int = 60) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, width))


def read(tmp_path: Path, content: str) -> list[Record | Rejected]:
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    return list(readers.read(path))


def pairs(found: list[Record | Rejected]) -> list[tuple[str, str]]:
    return [(item.title, item.abstract) for item in found if isinstance(item, Record)]


BOTH = [("On mosses", MOSS), ("A survey of ferns?", FERN)]


@pytest.mark.parametrize(
    "content",
    [
        f"On mosses\n{MOSS}\n\nA survey of ferns?\n{FERN}\n",
        f"My papers\n\nOn mosses\n{MOSS}\n\nA survey of ferns?\n{FERN}\n",
        f"On mosses\n\n{MOSS}\n\nA survey of ferns?\n\n{FERN}\n",
        f"My papers\n\nOn mosses\n\n{MOSS}\n\nA survey of ferns?\n\n{FERN}\n",
        f"# My papers\n\n## On mosses\n\n{MOSS}\n\n## A survey of ferns?\n\n{FERN}\n",
        f"1. On mosses\n{MOSS}\n\n2. A survey of ferns?\n{FERN}\n",
        f"Title: On mosses\nAbstract: {MOSS}\n\nTitle: A survey of ferns?\nAbstract: {FERN}\n",
    ],
    ids=["above", "heading-above", "apart", "heading-apart", "markdown", "numbered", "labelled"],
)
def test_titles_are_told_from_abstracts(tmp_path: Path, content: str) -> None:
    assert pairs(read(tmp_path, content)) == BOTH


def test_titles_above_wrapped_abstracts(tmp_path: Path) -> None:
    content = f"On mosses\n{wrapped(MOSS)}\n\nA survey of ferns?\n{wrapped(FERN)}\n"
    assert pairs(read(tmp_path, content)) == [
        ("On mosses", wrapped(MOSS)),
        ("A survey of ferns?", wrapped(FERN)),
    ]


def test_wrapped_prose_has_no_titles(tmp_path: Path) -> None:
    content = f"My papers\n\n{wrapped(MOSS)}\n\n{wrapped(FERN)}\n"
    found = read(tmp_path, content)
    assert pairs(found) == [("", wrapped(MOSS)), ("", wrapped(FERN))]
    assert {item.source.collection for item in found} == {"My papers"}


def test_labels_bring_what_they_name(tmp_path: Path) -> None:
    content = (
        f"Title: On mosses\nAuthors: Jane Doe, Richard Roe\nYear: 2020\nJournal: Walls\n"
        f"DOI: https://doi.org/10.1234/moss\nKeywords: moss; wall\nAbstract: {wrapped(MOSS)}\n"
    )
    (record,) = read(tmp_path, content)
    assert isinstance(record, Record)
    assert record.abstract == wrapped(MOSS)
    assert (record.authors, record.year) == (("Doe, Jane", "Roe, Richard"), 2020)
    assert (record.venue, record.doi) == ("Walls", "10.1234/moss")
    assert record.keywords == ("moss", "wall")


def test_a_rejected_paragraph_is_told_with_its_line_and_first_words(tmp_path: Path) -> None:
    _, rejected = read(tmp_path, f"My papers\n\n{MOSS}\n\nToo short.\n")
    assert isinstance(rejected, Rejected)
    assert (rejected.line, rejected.key) == (5, "Too short.")


def test_the_seeds_have_no_titles(seeds_dir: Path) -> None:
    for path in sorted(seeds_dir.glob("*.txt")):
        found = list(readers.read(path))
        assert len(found) == 19
        assert {title for title, _ in pairs(found)} == {""}
