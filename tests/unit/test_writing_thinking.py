"""Thoughts of reasoning models: hidden, however the tags are split, and nothing else is lost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.writing.thinking import VisibleText, is_tag, opens_thought

TAGS = ["<think>", "</think>", "<thinking>", "</thinking>", "<THINK>", "</Think>"]


def shown(pieces: Sequence[str], *, inside: bool = False) -> str:
    visible = VisibleText(inside=inside)
    return "".join([*map(visible.feed, pieces), visible.close()])


def cut(text: str, places: Sequence[int]) -> list[str]:
    ends = sorted({min(place, len(text)) for place in places} | {0, len(text)})
    return [text[a:b] for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize(
    "text",
    [
        "One <think>is it?</think>two.",
        "One <thinking>is it?\n\n</thinking>two.",
        "One <Think>a</THINK>two.",
        "<think></think>One two.",
        "One <think>a<think>b</think>two.",
        "One <think>a < b <thin k></think>two.",
        "One two.<think>never closed",
    ],
)
def test_a_thought_is_hidden_wherever_its_tags_are_split(text: str):
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            assert shown(cut(text, [first, second])) == "One two."
    assert shown(list(text)) == "One two."


@given(
    st.lists(st.sampled_from(["a", "<", "İ", "\n", " <thin", "b>", "</"]), max_size=12), st.data()
)
def test_text_without_tags_comes_through_whole(parts: list[str], data: st.DataObject):
    text = "".join(parts)
    places = data.draw(st.lists(st.integers(0, 60), max_size=6))
    assert shown(cut(text, places)) == text


@given(
    st.lists(
        st.sampled_from(["a", "İ", "<think>hm</think>", "<thinking>x < y</thinking>", "<"]),
        max_size=8,
    ),
    st.lists(st.integers(0, 120), max_size=8),
)
@example(["İ", "İ", "<think>hm</think>", "a"], [])
def test_how_a_reply_is_cut_does_not_matter(parts: list[str], places: list[int]):
    visible = "".join(part for part in parts if "think" not in part)
    assert shown(cut("".join(parts), places)) == visible


def test_a_reply_that_starts_inside_a_thought_shows_what_follows_it():
    assert shown(["hm, hm", "</thi", "nk>An answer."], inside=True) == "An answer."
    assert shown(["hm <think> hm", "</think>An answer."], inside=True) == "An answer."
    assert shown(["never ", "done"], inside=True) == ""


def test_a_closing_tag_alone_hides_what_was_not_shown_yet():
    assert shown(["hm, hm</think>An answer."]) == "An answer."
    assert shown(["hm", ", hm</think>An answer."]) == "hmAn answer."


def test_text_is_shown_as_soon_as_it_cannot_be_a_tag():
    visible = VisibleText()
    assert visible.feed("One two") == "One two"
    assert visible.feed(" <") == " "
    assert visible.feed("3") == "<3"
    assert visible.feed("<thi") == ""
    assert visible.close() == "<thi"


@pytest.mark.parametrize("tag", TAGS)
def test_tags_are_known(tag: str):
    assert is_tag(tag)
    assert not is_tag(tag[:-1])
    assert not is_tag(f" {tag}")


def test_a_prompt_that_opens_the_thought_is_known():
    assert opens_thought("<|im_start|>assistant\n<think>\n")
    assert not opens_thought("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert not opens_thought("What is <think>?")
