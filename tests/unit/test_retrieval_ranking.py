"""How signals become an order, and a score a likelihood."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.retrieval import ranking
from assistant.retrieval.lexical import TermStats
from assistant.retrieval.ranking import Signals, Weights

WEIGHTS = Weights()
BY_WORDS = Signals(cosine=0.3, bm25=9.0, title=0.3, clauses=0.3, phrases=0.3)
BY_MEANING = Signals(cosine=0.45, bm25=1.0, title=0.45, clauses=0.45, phrases=0.45)


def first(most: float) -> str:
    scores = ranking.mixed({"words": BY_WORDS, "meaning": BY_MEANING}, WEIGHTS, most)
    return max(scores, key=scores.__getitem__)


def test_keywords_count_as_far_as_the_library_knows_the_words_of_the_query():
    assert first(most=12.0) == "words"
    assert first(most=120.0) == "meaning"


def test_without_any_keywords_meaning_decides():
    near, far = Signals(cosine=0.5), Signals(cosine=0.4)
    scores = ranking.mixed({"near": near, "far": far}, WEIGHTS, 0.0)
    assert scores["near"] > scores["far"] > 0
    assert ranking.mixed({}, WEIGHTS, 3.0) == {}


@pytest.mark.parametrize("name", ["cosine", "bm25", "title", "clauses", "phrases"])
def test_each_signal_raises_a_paper(name: str):
    better = Signals(**{**dict.fromkeys(("cosine", "title", "clauses", "phrases"), 0.3), name: 0.9})
    plain = Signals(cosine=0.3, bm25=0.1, title=0.3, clauses=0.3, phrases=0.3)
    scores = ranking.mixed({"better": better, "plain": plain}, WEIGHTS, 1.0)
    assert scores["better"] > scores["plain"]


def test_the_ceiling_is_what_a_text_of_the_rare_words_alone_would_score():
    stats = TermStats(100, {"bat": 1, "moth": 50}.get)
    both, rare = ranking.ceiling("bats moths", stats), ranking.ceiling("bats", stats)
    assert both > rare > ranking.ceiling("moths", stats) > 0
    assert ranking.ceiling("the of", stats) == 0
    assert ranking.ceiling("bats bats bats", stats) == rare


def test_papers_that_both_sides_find_are_worth_scoring_first():
    both, one = Signals(dense_rank=5, keyword_rank=5), Signals(dense_rank=1)
    assert ranking.fused(both) > ranking.fused(one) > ranking.fused(Signals()) == 0


def test_a_paper_has_the_score_of_its_best_passage():
    passages = [("a:1", "a", 0.9), ("b:1", "b", 0.8), ("a:2", "a", 0.7)]
    assert ranking.best_passages(passages) == [("a", 0.9), ("b", 0.8)]


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_likelihood_lies_between_0_and_1_and_rises_with_the_score(one: float, other: float):
    low, high = sorted((one, other))
    assert 0 <= ranking.likelihood(low) <= ranking.likelihood(high) <= 1


def test_likelihood_tells_scores_apart_where_they_lie():
    steps = [ranking.likelihood(score) for score in (2, 3, 4, 5, 6)]
    assert steps == sorted(set(steps))
    assert steps[0] < 0.1
    assert steps[-1] > 0.9
    assert math.isclose(ranking.likelihood(4.05), 0.5)
