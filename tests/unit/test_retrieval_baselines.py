"""The parts of the search by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from retrieval_world import ABSTRACTS, World

from assistant.retrieval.baselines import BaselineRanking
from assistant.retrieval.parts import Baseline

QUERY = "What success rate does the diffusion model PPDiff reach?"


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.put()
    made.indexes.sync()
    return made


def test_keywords_alone_find_only_what_holds_a_word(world: World):
    hits = BaselineRanking(Baseline.BM25, world.indexes).search("Friedkin-Johnsen")
    assert [hit.paper.abstract for hit in hits] == [ABSTRACTS[3]]
    assert hits[0].score == hits[0].bm25 > 0
    assert (hits[0].keyword_rank, hits[0].dense_rank, hits[0].cosine) == (1, 0, 0.0)


def test_meaning_alone_orders_every_paper_by_its_best_passage(world: World):
    hits = BaselineRanking(Baseline.DENSE, world.indexes).search(QUERY)
    assert hits[0].paper.abstract == ABSTRACTS[0]
    assert len(hits) == len(ABSTRACTS)
    assert [hit.score for hit in hits] == sorted((hit.cosine for hit in hits), reverse=True)
    assert [hit.dense_rank for hit in hits] == [1, 2, 3, 4]
    assert {hit.keyword_rank for hit in hits} == {0}


def test_fused_ranks_add_up(world: World):
    alone = {
        baseline: BaselineRanking(baseline, world.indexes).search(QUERY) for baseline in Baseline
    }
    words = {hit.paper.id: hit.keyword_rank for hit in alone[Baseline.BM25]}
    dense = {hit.paper.id: hit.dense_rank for hit in alone[Baseline.DENSE]}
    for hit in alone[Baseline.RRF]:
        rank = words.get(hit.paper.id)
        expected = 1 / (60 + dense[hit.paper.id]) + (1 / (60 + rank) if rank else 0)
        assert hit.score == pytest.approx(expected)
    scores = [hit.score for hit in alone[Baseline.RRF]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("baseline", list(Baseline))
def test_a_long_paper_does_not_crowd_out_the_others(tmp_path: Path, baseline: Baseline):
    world = World(tmp_path)
    long = " ".join(
        f"Squirrels glide {i} metres through the night sky of spring." for i in range(90)
    )
    world.put([long, *(f"{text} Squirrels glide too." for text in ABSTRACTS)])
    world.indexes.sync()
    ranking = BaselineRanking(baseline, world.indexes)
    assert len(ranking.search("squirrels that glide", k=2)) == 2
    assert len(ranking.search("squirrels that glide", k=5)) == 5


@pytest.mark.parametrize("baseline", list(Baseline))
def test_any_text_is_a_query(world: World, baseline: Baseline):
    for query in ("", "?!", "\ud800", '"PPDiff" AND title:*'):
        assert len(BaselineRanking(baseline, world.indexes).search(query, k=3)) <= 3
