"""Evidence: which sentences of an abstract are chosen for a question, and why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.retrieval import cues, evidence
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.lexical import TermStats
from assistant.types import Sentence

EMBEDDER = HashEmbedder(dimension=256)
COMMON = {"model", "method", "propos", "we", "data"}
STATS = TermStats(1_000, lambda term: 300 if term in COMMON else 3)
ABSTRACT = (
    "Learning to glide is hard for young squirrels.",
    "We propose GlideNet, a method that teaches gliding.",
    "It learns from recordings of adult squirrels.",
    "Experiments on ForestSim, Canopy-100 and BarkWorld show that GlideNet works.",
    "GlideNet glides 42 metres, 17% further than the baseline.",
    "Squirrels can then sleep by day.",
    "Code is available at https://github.com/squirrels/GlideNet.",
)


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence("p", i, 10 * i, 10 * i + 9, text) for i, text in enumerate(texts)]


def select(query: str, texts: tuple[str, ...] = ABSTRACT, limit: int = 4) -> list[str]:
    found = sentences(*texts)
    vectors = EMBEDDER.embed_documents(list(texts))
    chosen = evidence.select(query, EMBEDDER.embed_query(query), found, vectors, STATS, limit=limit)
    return [item.sentence.text for item in chosen]


def best(query: str, texts: tuple[str, ...] = ABSTRACT) -> str:
    vectors = EMBEDDER.embed_documents(list(texts))
    scored = evidence.score(query, EMBEDDER.embed_query(query), sentences(*texts), vectors, STATS)
    return max(scored, key=lambda item: item.score).sentence.text


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("How many metres does GlideNet glide?", "GlideNet glides 42"),
        ("By what percentage is GlideNet better than the baseline?", "GlideNet glides 42"),
        ("Where can I find the code of GlideNet?", "Code is available"),
        ("What is the URL of the GlideNet repository?", "Code is available"),
        ("On which environments was GlideNet tested?", "Experiments on ForestSim"),
        ("Which benchmarks does GlideNet use?", "Experiments on ForestSim"),
        ("What is hard for young squirrels?", "Learning to glide is hard"),
        ("When can squirrels sleep?", "Squirrels can then sleep"),
    ],
)
def test_the_best_sentence_can_hold_the_kind_of_answer(question: str, start: str):
    assert best(question).startswith(start)


def test_sentences_come_in_the_order_of_the_abstract_and_not_more_than_asked():
    for limit in range(1, 9):
        chosen = select("How does GlideNet glide?", limit=limit)
        assert len(chosen) == min(limit, len(ABSTRACT))
        assert chosen == [text for text in ABSTRACT if text in chosen]
    assert select("How does GlideNet glide?", limit=0) == []
    assert select("anything", texts=()) == []


def test_a_sentence_that_points_back_brings_the_one_before():
    chosen = select("What do recordings of adult squirrels teach?", limit=2)
    assert chosen == list(ABSTRACT[1:3])
    assert select("What do recordings of adult squirrels teach?", limit=1) == [ABSTRACT[2]]


def test_a_sentence_that_points_back_inherits_the_words_of_the_one_before():
    texts = (
        "GlideNet is a network for squirrels.",
        "It uses annealing.",
        "Annealing is old.",
    )
    assert best("What does GlideNet use annealing for?", texts) != texts[2]


def test_where_the_code_is_answers_no_other_question():
    scored = evidence.score(
        "Which animals does GlideNet teach?",
        EMBEDDER.embed_query("Which animals does GlideNet teach?"),
        sentences(*ABSTRACT),
        EMBEDDER.embed_documents(list(ABSTRACT)),
        STATS,
    )
    assert scored[-1].score < max(item.score for item in scored[:-1])


def test_lexical_is_the_share_of_the_question_that_stands_in_the_sentence():
    query = "GlideNet metres volcanoes"
    scored = evidence.score(
        query,
        EMBEDDER.embed_query(query),
        sentences(*ABSTRACT),
        EMBEDDER.embed_documents(list(ABSTRACT)),
        STATS,
    )
    assert scored[4].lexical == pytest.approx(2 / 3, abs=0.01)
    assert scored[5].lexical == 0.0


def test_a_part_of_a_compound_counts_for_less_than_the_whole():
    texts = ("Peri-LN is balanced.", "Post-LN is not.", "Nothing is.")
    query = "Peri-LN"
    scored = evidence.score(
        query,
        EMBEDDER.embed_query(query),
        sentences(*texts),
        EMBEDDER.embed_documents(texts),
        STATS,
    )
    assert scored[0].lexical == 1.0
    assert 0.0 < scored[1].lexical <= 0.25
    assert scored[2].lexical == 0.0


@settings(max_examples=60)
@given(query=st.text(max_size=80), texts=st.lists(st.text(max_size=60), max_size=6))
def test_any_text_is_scored_between_nought_and_one(query: str, texts: list[str]):
    vectors = EMBEDDER.embed_documents(texts)
    scored = evidence.score(query, EMBEDDER.embed_query(query), sentences(*texts), vectors, STATS)
    assert len(scored) == len(texts)
    for item in scored:
        assert 0.0 <= item.score <= 1.0
        assert 0.0 <= item.cosine <= 1.0
        assert 0.0 <= item.lexical <= 1.0 + 1e-9


def test_opposite_vectors_count_as_unrelated():
    vectors = np.array([[1.0, 0.0], [-1.0, 0.0]], dtype=np.float32)
    scored = evidence.score(
        "zebra", np.array([1.0, 0.0], dtype=np.float32), sentences("a", "b"), vectors, STATS
    )
    assert scored[1].cosine == 0.0


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How many papers does it cite?", {"quantity"}),
        ("How much faster is DSLA-Serve than Zamba?", {"quantity"}),
        ("What speedup over full precision does it deliver?", {"quantity", "naming"}),
        ("For which bit widths is the gap reduced?", {"quantity", "naming"}),
        ("Where can I find the code?", {"place"}),
        ("Where do squirrels sleep?", set()),
        ("On which datasets was it validated?", {"trial", "naming"}),
        ("What does PLM stand for?", {"meaning", "naming"}),
        ("How does it work?", {"meaning"}),
        ("Why is the sky blue?", set()),
        ("什么是扩散模型", set()),
    ],
)
def test_kinds_of_answer_that_a_question_asks_for(question: str, kinds: set[str]):
    asked = cues.read(question)
    named = {"quantity", "place", "trial", "meaning", "naming"}
    assert {name for name in named if getattr(asked, name)} == kinds


@pytest.mark.parametrize("text", ["It works.", "This shows much.", "The fragile group is kept."])
def test_what_points_back(text: str):
    assert cues.points_back(text)


@pytest.mark.parametrize("text", ["Items are listed.", "Thistle grows.", "We do.", "", "The sun"])
def test_what_does_not_point_back(text: str):
    assert not cues.points_back(text)
