"""Slips of spelling: which words are looked at, and what they are read as."""

from __future__ import annotations

import pytest

from assistant.retrieval import spelling
from assistant.retrieval.lexical import TermStats, tokenise

TEXTS = [
    "MatQuant nests int2 weights in int8 weights.",
    "Quantization makes models small.",
    "Opinions follow the Friedkin-Johnsen model of Zürich.",
]
HELD = [set(tokenise(text)) for text in TEXTS]
STATS = TermStats(len(TEXTS), lambda term: sum(term in held for held in HELD))


def words(query: str) -> list[str]:
    return [word for word, _ in spelling.unknown(query, STATS, "fewer".__eq__)]


def test_words_that_the_library_lacks_are_looked_at():
    assert words("How does MatQaunt nest wieghts?") == ["MatQaunt", "wieghts"]


@pytest.mark.parametrize(
    "query", ["MatQuant", "fewer", "moss", "int9", "的模型", "Züricch", "the which"]
)
def test_known_short_and_foreign_words_are_left_alone(query: str):
    assert words(query) == []


def test_a_part_that_is_known_is_enough():
    assert words("Friedkin-Jonsen") == []


def test_there_is_an_end_to_it():
    assert len(words(" ".join(f"unknown{chr(97 + n)}x" for n in range(26)))) == 8


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("matqaunt", "MatQuant"),
        ("matquan", "MatQuant"),
        ("wieghts", "weights"),
        ("mosses", ""),
        ("matkwant", ""),
    ],
)
def test_the_nearest_word_is_meant(word: str, meant: str):
    (term, *_) = tokenise(word)
    assert spelling.nearest(term, TEXTS, STATS) == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("quantizaton", "quantization"),
        ("Quantiaztion", "quantization"),
        ("modles", "models"),
        ("weihts", "weights"),
    ],
)
def test_a_slip_in_an_ending_is_mended_as_well(word: str, meant: str):
    (term, *_) = tokenise(meant)
    assert meant in spelling.variants(word)[term]


def test_of_two_as_near_the_commoner_is_meant():
    assert spelling.nearest("modes", ["The moded model", *TEXTS], STATS) == "model"


def test_every_use_is_replaced_and_nothing_inside_of_words():
    said = spelling.replaced("a.b a.bc (a.b)", "a.b", r"\1")
    assert said == r"\1 a.bc (\1)"


def test_a_word_as_long_as_a_page_is_left_alone():
    assert words("MatQaunt " + "x" * 50_000) == ["MatQaunt"]


@pytest.mark.parametrize(
    ("word", "other", "near"),
    [("genou", "genomics", False), ("MatQaunt", "MatQuant", True), ("modles", "Models", True), ("bats", "", False)],
)  # fmt: skip
def test_words_of_like_stems_must_be_alike_themselves(word: str, other: str, near: bool):
    assert spelling.alike(word, other) == near
