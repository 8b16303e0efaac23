"""Tracing: how a sentence follows the sentences that it was written from."""

from __future__ import annotations

import pytest
from verifying import LASER, PRUNING

from assistant.writing import tracing


def test_a_sentence_follows_itself_without_a_leap():
    for text in (*LASER, *PRUNING):
        trace = tracing.traced(text, [*LASER, *PRUNING])
        assert (trace.share, trace.leaps, trace.left) == (1.0, 0, ())


def test_the_grammar_of_a_reader_is_free():
    assert tracing.traced("It's FairCut that would prune the weight.", PRUNING).share == 1.0


def test_leaving_out_the_middle_is_one_leap():
    text = "RingTrap holds cold rubidium atoms in a bright ring of laser light"
    assert tracing.traced("RingTrap holds atoms in a ring of laser light", [text]).leaps == 2
    assert tracing.traced("RingTrap holds laser light", [text]).leaps == 1


def test_the_order_counts():
    text = "Bats hunt moths"
    assert tracing.followed("Bats hunt moths", [text]) == 1.0
    assert tracing.followed("Moths hunt bats", [text]) == pytest.approx(1 / 3)


def test_words_of_the_question_are_not_foreign():
    trace = tracing.traced("Vampire bats hunt moths tonight", ["Bats hunt moths"])
    assert trace.foreign_to("Which animals?") == ["vampir", "tonight"]
    assert trace.foreign_to("Do vampire bats hunt?") == ["tonight"]


def test_nothing_follows_nothing():
    assert tracing.traced("", LASER) == tracing.Trace(0.0, 0, ())
    assert tracing.traced("of the", LASER).share == 0.0
    assert tracing.traced("Atoms drift", []).share == 0.0


@pytest.mark.parametrize(
    ("statement", "tie"),
    [
        ("RingTrap, which holds rubidium atoms, drifts.", ""),
        ("DipTrap, which holds rubidium atoms, drifts.", ""),  # the names are checked elsewhere
        ("RingTrap, which outperforms DipTrap, drifts.", "which"),
        ("RingTrap is a ring of light.", "is a"),
        ("Atoms that are cold drift.", "that are"),
    ],
)
def test_a_tie_must_be_the_papers(statement: str, tie: str):
    assert tracing.unheld_tie(statement, LASER) == tie


@pytest.mark.parametrize(
    ("statement", "text", "lost"),
    [
        ("A beats B by 7%.", "On CIFAR-100, A beats B by 7%.", "CIFAR-100"),
        ("A beats B by 7% on CIFAR-100.", "On CIFAR-100, A beats B by 7%.", ""),
        ("Doses fall by half.", "In elderly women, doses fall by half.", "elderly women"),
        ("Doses fall by half.", "However, for elderly women, doses fall by half.", "elderly women"),
        ("Doses fall by half.", "In this paper, doses fall by half.", ""),
        ("Doses fall by half.", "In our experiments, doses fall by half.", ""),
        ("Doses fall by half.", "Doses fall by half in elderly women, too.", ""),
    ],
)
def test_a_scope_that_was_left_out_is_told(statement: str, text: str, lost: str):
    assert tracing.lost_scope(statement, [text]) == lost


def test_causes_are_seen():
    assert tracing.gives_cause("Atoms drift because fields vary.")
    assert tracing.gives_cause("It fails due to noise.")
    assert not tracing.gives_cause("Atoms drift while fields vary.")


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ("One. Two! Three.", 3),
        ("It gains 2.5 points, e.g. Bats do, and i.e. Moths.", 1),
        ("Du et al. Found it. Then they left.", 2),
        ("No end", 1),
        ("", 1),
    ],
)
def test_sentences_end_where_readers_end_them(statement: str, count: int):
    assert len(tracing.sentences(statement)) == count


def test_three_words_said_twice_are_told_in_a_short_statement():
    assert tracing.said_twice("It keeps cold atoms still and keeps cold atoms still.")
    assert not tracing.said_twice("It keeps cold atoms and keeps cold ions.")
    filler = " ".join(f"word{i}" for i in range(40))
    assert not tracing.said_twice(f"Keeps cold atoms {filler} keeps cold atoms.")
