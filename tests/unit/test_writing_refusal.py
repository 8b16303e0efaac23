"""Refusal: what the library answers, from which papers, over a small library in memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asking_world import BRIDGE, ECHO, GLACIER, HIVE, POLLEN, WINE, world_of

from assistant.retrieval.lexical import TermStats
from assistant.types import Hit
from assistant.writing import refusal
from assistant.writing.refusal import Judgement

Judge = Callable[[str], tuple[Judgement, TermStats]]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    world = world_of(tmp_path_factory.mktemp("refusing"))
    stats = world.searcher.term_stats()

    def judged(question: str) -> tuple[Judgement, TermStats]:
        hits = world.searcher.search(question, k=10, evidence_limit=5)
        return refusal.judge(question, hits, stats), stats

    return judged


def bearing(judge: Judge, question: str, most: int = 4) -> list[str]:
    judgement, stats = judge(question)
    return [hit.paper.abstract for hit in refusal.bearing(judgement, question, stats, most)]


@pytest.mark.parametrize(
    ("question", "abstract"),
    [
        ("How many cracks did BridgeSense locate on the bridge?", BRIDGE),
        ("How are forged bottles of wine recognised?", WINE),
        ("by how much does melting rise in summers with little sea ice", GLACIER),
        ("WHAT DOES ECHONET TURN ECHOES INTO?", ECHO),
        ("<|im_start|>user How many species did pollen from hives name?<|im_end|>", POLLEN),
    ],
)
def test_a_question_on_a_paper_is_answered_from_it(judge: Judge, question: str, abstract: str):
    judgement, _ = judge(question)
    assert judgement.answerable
    assert bearing(judge, question)[0] == abstract


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Mongolia?",
        "Who painted the Mona Lisa?",
        "How do transistors amplify current?",
        "Write me a poem",
        "<|im_start|><|im_end|>",
        "OR AND NOT",
    ],
)
def test_a_foreign_question_is_not_answered(judge: Judge, question: str):
    judgement, _ = judge(question)
    assert not judgement.answerable
    assert judgement.likelihood == max(judgement.likelihoods, default=0.0)


def test_an_empty_library_answers_nothing():
    stats = TermStats(0, lambda _term: 0)
    judgement = refusal.judge("What does EchoNet detect?", [], stats)
    assert (judgement.likelihood, judgement.answerable, judgement.hits) == (0.0, False, ())
    assert refusal.bearing(judgement, "What does EchoNet detect?", stats, 4) == []


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("What does EchoNet detect?", ()),
        ("Do EchoNet and SonarNet differ from BatGPT-2?", ("SonarNet", "BatGPT-2")),
        ("EchoNet OR SonarNet AND *", ("SonarNet",)),
        ("HOW MANY MOTHS DOES ECHONET CATCH?", ()),
        ("<|im_start|>[INST] EchoNet <<SYS>>", ()),
        ("Tell me WHAT EchoNet does", ()),
    ],
)
def test_names_that_no_paper_holds(judge: Judge, question: str, unknown: tuple[str, ...]):
    judgement, _ = judge(question)
    assert judgement.unknown_names == unknown


def test_a_control_token_weighs_nothing(judge: Judge):
    question = "How many cracks did BridgeSense locate?"
    plain, _ = judge(question)
    _, stats = judge(question)
    framed = refusal.signals(f"<|im_start|>{question}<|im_end|>", plain.hits, stats)
    assert framed == refusal.signals(question, plain.hits, stats)


def test_one_fact_comes_from_one_paper_and_a_topic_from_several(judge: Judge):
    assert bearing(judge, "How many species were named in pollen from hives?") == [POLLEN]
    several = bearing(judge, "Which papers are about hives and bees?")
    assert set(several) == {HIVE, POLLEN}
    assert len(bearing(judge, "Which papers are about hives and bees?", most=1)) == 1


def hits_of(judge: Judge, question: str, *abstracts: str) -> tuple[Hit, ...]:
    found = {hit.paper.abstract: hit for hit in judge(question)[0].hits}
    return tuple(found[abstract] for abstract in abstracts)


def test_who_holds_the_name_wins_over_who_seems_nearer(judge: Judge):
    question = "Which papers on bees and hives mention HiveGuard?"
    _, stats = judge(question)
    hits = hits_of(judge, question, POLLEN, HIVE)
    judgement = Judgement(0.9, hits, (0.9, 0.6), ())
    chosen = refusal.bearing(judgement, question, stats, 4)
    assert [hit.paper.abstract for hit in chosen] == [HIVE]
    anybody = "Which papers are on bees and hives?"
    chosen = refusal.bearing(judgement, anybody, stats, 4)
    assert [hit.paper.abstract for hit in chosen] == [POLLEN, HIVE]


def test_the_best_paper_is_drawn_on_even_if_all_are_unlikely(judge: Judge):
    question = "Which papers are on bees and hives?"
    _, stats = judge(question)
    judgement = Judgement(0.1, hits_of(judge, question, POLLEN, HIVE), (0.05, 0.1), ())
    chosen = refusal.bearing(judgement, question, stats, 4)
    assert [hit.paper.abstract for hit in chosen] == [HIVE]


def test_every_hit_looked_at_has_a_value_for_every_signal(judge: Judge):
    judgement, stats = judge("Which papers are about hives and bees?")
    rows = refusal.signals("Which papers are about hives and bees?", judgement.hits, stats)
    assert len(rows) == len(judgement.hits) <= refusal.LOOKED_AT
    assert all(len(row) == len(refusal.SIGNALS) for row in rows)


def test_named_things_that_are_compared_are_all_drawn_on(judge: Judge):
    found = bearing(judge, "Compare EchoNet with BridgeSense")
    assert set(found) == {ECHO, BRIDGE}


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Who wrote the EchoNet paper?", ("wrote",)),
        ("Does BridgeSense work on white-washed tunnels?", ("white-washed", "tunnels")),
        ("How does EchoNet detect moths?", ()),
        ("Which device hears insects?", ()),  # names nothing: may be asked in other words
    ],
)
def test_words_that_no_abstract_of_the_named_paper_holds(
    judge: Judge, question: str, missing: tuple[str, ...]
):
    judgement, stats = judge(question)
    hits = refusal.bearing(judgement, question, stats, 1) or list(judgement.hits[:1])
    assert refusal.unheld_words(question, hits) == missing
