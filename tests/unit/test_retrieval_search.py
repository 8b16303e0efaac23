"""Search: names, ideas, filters, hostile queries, signals and threads."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from retrieval_world import ABSTRACTS, World

from assistant.retrieval.search import Weights
from assistant.types import Filters


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.put(ABSTRACTS[:2], "first.txt")
    made.put(ABSTRACTS[2:], "second.txt")
    made.indexes.sync()
    return made


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("PPDiff", 0),
        ("https://github.com/metadriverse/AIM", 1),
        ("2.05-bit", 2),
        ("What do users follow in the Friedkin-Johnsen paper?", 3),
        ("706360 complexes", 0),
        ("nesting small integers in larger ones", 2),
        ("networks that polarise", 3),
    ],
)
def test_the_right_paper_is_first(world: World, query: str, number: int):
    assert world.first(query) == ABSTRACTS[number]


@pytest.mark.parametrize("query", ["", "   ", "?!...", "🙂🙂", "\x00", "---"])
def test_a_query_without_words_finds_nothing(world: World, query: str):
    assert world.searcher.search(query) == []


@pytest.mark.parametrize(
    "query",
    ['"PPDiff" AND title:*', "PPDiff " * 3_000, "<script>PPDiff</script>", "PPDiff \ud800 \x07"],
)
def test_any_other_text_is_a_query(world: World, query: str):
    assert world.first(query) == ABSTRACTS[0]


def test_a_query_of_stop_words_only_is_answered_by_meaning(world: World):
    assert world.searcher.search("what is it about?")


def test_hits_are_ordered_and_carry_their_signals(world: World):
    hits = world.searcher.search("What success rate does the PPDiff model reach?")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    first = hits[0]
    assert first.keyword_rank == 1
    assert first.bm25 > 0
    assert 0 < first.cosine <= 1
    assert all(hit.dense_rank >= 1 for hit in hits)
    assert {hit.dense_rank for hit in hits} == set(range(1, len(hits) + 1))
    silent = [hit for hit in hits if not hit.keyword_rank]
    assert all(hit.bm25 == 0 for hit in silent)


def test_evidence_is_a_slice_of_the_abstract_in_its_order(world: World):
    for hit in world.searcher.search("How many complexes?", evidence_limit=2):
        starts = [item.sentence.start for item in hit.evidence]
        assert 1 <= len(starts) <= 2
        assert starts == sorted(starts)
        for item in hit.evidence:
            assert hit.paper.abstract[item.sentence.start : item.sentence.end].strip()
            assert item.sentence.paper_id == hit.paper.id
    (best,) = world.searcher.search("How many complexes?", k=1)
    assert any("706,360" in item.sentence.text for item in best.evidence)


def test_k_is_kept(world: World):
    assert len(world.searcher.search("model", k=2)) == 2
    assert world.searcher.search("model", k=0) == []
    assert len(world.searcher.search("model", k=100)) == 4


def test_filters_restrict_and_still_fill_k(world: World):
    first = Filters(collections=("Heading of first.txt",))
    found = {hit.paper.abstract for hit in world.searcher.search("MatQuant", filters=first)}
    assert found == set(ABSTRACTS[:2])
    one = world.store.papers()[3]
    only = world.searcher.search("PPDiff", filters=Filters(paper_ids=(one.id,)))
    assert [hit.paper.id for hit in only] == [one.id]
    assert world.searcher.search("PPDiff", filters=Filters(collections=("none",))) == []


def test_weights_turn_signals_off(world: World):
    query = "nested PPDiff"
    by_words = Weights(passage=0, title=0, clauses=0, phrases=0)
    hits = world.searcher.search(query, weights=by_words)
    assert [hit.bm25 for hit in hits] == sorted((hit.bm25 for hit in hits), reverse=True)
    by_passage = Weights(keywords=0, title=0, clauses=0, phrases=0)
    hits = world.searcher.search(query, weights=by_passage)
    assert [hit.dense_rank for hit in hits] == [1, 2, 3, 4]


def test_a_paper_that_only_words_propose_has_its_cosine_too(world: World):
    narrow = Weights(depth=1)
    hits = world.searcher.search("Friedkin-Johnsen diffusion model protein", k=1, weights=narrow)
    assert hits[0].cosine > 0


def test_a_title_is_searched_by_words_and_by_meaning(tmp_path: Path):
    world = World(tmp_path)
    world.put(ABSTRACTS)
    paper = world.store.papers()[2]
    entry = world.store.entry(paper.id)
    with world.store.transaction():
        world.store.save(replace(entry, paper=replace(paper, title="Zebrafish swimming")))
    world.indexes.sync()
    assert world.searcher.search("zebrafish")[0].paper.id == paper.id
    assert world.searcher.search("swim like a zebrafish")[0].paper.title == "Zebrafish swimming"


def test_an_unindexed_library_finds_nothing_rather_than_failing(tmp_path: Path):
    world = World(tmp_path)
    world.put()
    assert world.searcher.search("PPDiff") == []


def test_many_threads_get_the_answers_of_one(world: World):
    queries = ["PPDiff", "AIM demonstrations", "MatQuant int2", "Friedkin-Johnsen"] * 3
    alone = [world.searcher.search(query) for query in queries]
    together: dict[int, object] = {}
    threads = [
        threading.Thread(target=lambda i=i: together.update({i: world.searcher.search(queries[i])}))
        for i in range(len(queries))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[i] for i in range(len(queries))] == alone


def test_a_search_is_the_same_each_time(world: World):
    assert world.searcher.search("a model of networks") == world.searcher.search(
        "a model of networks"
    )


def test_statistics_are_of_the_library(world: World):
    stats = world.searcher.term_stats()
    assert stats.n_docs == 4
    assert stats.df("ppdiff") == 1
    assert stats.idf("nowhere") > stats.idf("model")
