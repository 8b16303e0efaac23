"""Quotes: which sentences stand for a paper, and how they are joined."""

from __future__ import annotations

import pytest

from assistant.types import Evidence, Sentence
from assistant.writing import quoting


def sentence(index: int, score: float, text: str = "") -> Evidence:
    text = text or f"Glacier number {index} melts."
    return Evidence(Sentence("p", index, index * 1000, index * 1000 + len(text), text), score)


def chosen(*evidence: Evidence) -> list[int]:
    return [item.sentence.index for item in quoting.choose(evidence)]


def test_nothing_stands_for_no_evidence():
    assert quoting.choose(()) == ()


def test_at_most_three_sentences_in_the_order_of_the_abstract():
    assert chosen(
        sentence(7, 1.0), sentence(1, 0.99), sentence(4, 0.98), sentence(0, 0.97)
    ) == [1, 4, 7]  # fmt: skip


def test_a_sentence_that_bears_far_less_is_left_out():
    best, weak = sentence(2, 1.0), sentence(3, quoting.LEAST - 0.01)
    assert chosen(best, weak) == [2]
    assert chosen(best, sentence(3, quoting.LEAST + 0.01)) == [2, 3]


def test_the_earlier_of_two_equal_sentences_is_the_best():
    assert chosen(sentence(5, 1.0, "A" * 400), sentence(1, 1.0, "B" * 1_000)) == [1, 5]
    assert chosen(sentence(5, 1.0, "A" * 1_000), sentence(1, 1.0, "B" * 400)) == [1]


@pytest.mark.parametrize("opening", ["It", "This method", "They"])
def test_a_best_sentence_that_points_back_brings_the_one_before(opening: str):
    leaning = sentence(4, 1.0, f"{opening} melts 40% faster in summer.")
    others = [sentence(0, 0.95), sentence(1, 0.94), sentence(2, 0.93), sentence(3, 0.9)]
    assert chosen(leaning, *others) == [0, 3, 4]
    standing = sentence(4, 1.0, "Ice melts 40% faster in summer.")
    assert chosen(standing, *others) == [0, 1, 4]


def test_quotes_beyond_the_first_are_bounded_in_characters():
    long = "x" * quoting.LONGEST
    assert chosen(sentence(0, 1.0, long * 2), sentence(1, 0.99, long)) == [0, 1]
    assert chosen(sentence(0, 1.0), sentence(1, 0.99, long + "x")) == [0]
    assert chosen(sentence(0, 1.0), sentence(1, 0.99, long), sentence(2, 0.98)) == [0, 1]


def test_a_mark_stands_where_sentences_were_left_out():
    first, second, fourth = (
        sentence(i, 1.0, text) for i, text in ((0, "One."), (1, "Two."), (3, "Four."))
    )
    assert quoting.text_of([first, second, fourth]) == "One. Two. … Four."
    assert quoting.text_of([fourth]) == "Four."
    assert quoting.text_of([]) == ""
