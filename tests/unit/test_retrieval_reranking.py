"""What a reranker changes in a search, and what it cannot spoil."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from retrieval_world import World

from assistant import app
from assistant.config import load_settings
from assistant.errors import ModelError
from assistant.retrieval import ranking
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.ranking import Weights
from assistant.retrieval.search import Searcher

TOPICS = ("moss", "lichen", "fern", "algae", "clover", "nettle")
ABSTRACTS = tuple(
    f"We measure how {topic} grows on walls. The {topic} prefers shade." for topic in TOPICS
)
QUERY = "plants that grow on walls in the shade"


class Opinion:
    """A reranker that likes a text the better the later its word stands in a list."""

    name = "opinion"

    def __init__(self, words: Sequence[str], most: int = 99) -> None:
        self.words = words
        self.most = most
        self.seen: list[tuple[str, list[str]]] = []

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.seen.append((query, list(texts)))
        return [
            100.0 * max((i for i, word in enumerate(self.words) if word in text), default=-9)
            for text in texts[: self.most]
        ]


class Failing:
    name = "failing"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        raise ModelError("It fell over.")


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.put(ABSTRACTS)
    world.indexes.rebuild()
    return world


def searcher(world: World, reranker: object) -> Searcher:
    parts = (world.store, world.embedder, world.vectors, world.keywords, world.sentence_vectors)
    return Searcher(*parts, reranker)  # type: ignore[arg-type]


def topics(hits: Sequence[object]) -> list[str]:
    return [next(t for t in TOPICS if t in hit.paper.abstract) for hit in hits]  # type: ignore[attr-defined]


def test_a_strong_opinion_brings_the_last_to_the_front(world: World):
    plain = topics(world.searcher.search(QUERY))
    last = plain[-1]
    anew = topics(searcher(world, Opinion([last])).search(QUERY))
    assert sorted(anew) == sorted(plain)
    assert anew.index(last) < plain.index(last)


def test_places_keep_their_scores_and_likelihoods(world: World):
    plain = world.searcher.search(QUERY)
    anew = searcher(world, Opinion(topics(plain))).search(QUERY)
    assert topics(anew) != topics(plain)
    assert [hit.score for hit in anew] == [hit.score for hit in plain]
    assert [hit.likelihood for hit in anew] == [hit.likelihood for hit in plain]
    assert [hit.likelihood for hit in anew] == sorted((h.likelihood for h in anew), reverse=True)


def test_it_reads_the_query_and_whole_papers(world: World):
    opinion = Opinion(TOPICS)
    searcher(world, opinion).search(QUERY)
    ((query, texts),) = opinion.seen
    assert query == QUERY
    assert len(texts) == len(TOPICS)
    assert all(any(abstract in text for abstract in ABSTRACTS) for text in texts)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_only_so_many_of_the_best_are_shown_to_it(world: World, most: int):
    plain = topics(world.searcher.search(QUERY))
    opinion = Opinion(plain)
    anew = topics(searcher(world, opinion).search(QUERY, weights=Weights(reranked=most)))
    assert len(opinion.seen[0][1]) == most
    assert anew[most:] == plain[most:]
    assert set(anew[:most]) == set(plain[:most])


def test_what_it_has_no_time_for_stays_in_its_place(world: World):
    plain = topics(world.searcher.search(QUERY))
    anew = topics(searcher(world, Opinion(plain, most=3)).search(QUERY))
    assert anew[3:] == plain[3:]
    assert set(anew[:3]) == set(plain[:3])


def test_a_page_is_cut_from_the_new_order(world: World):
    plain = topics(world.searcher.search(QUERY))
    found = searcher(world, Opinion(plain))
    assert topics(found.search(QUERY, k=2)) == topics(found.search(QUERY))[:2]


def test_one_that_fails_is_logged_and_done_without(world: World, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        anew = searcher(world, Failing()).search(QUERY)
    assert anew == world.searcher.search(QUERY)
    assert "It fell over." in caplog.text


def test_papers_that_are_like_others_are_put_in_order_too(world: World):
    first = world.searcher.search(QUERY)[0].paper.id
    opinion = Opinion(TOPICS)
    found = searcher(world, opinion)
    hits = found.search_for(found.query("", like=[first]))
    assert hits
    assert first not in {hit.paper.id for hit in hits}
    assert len(opinion.seen) == 1


def test_both_opinions_count_alike():
    scores = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5}
    # the same gaps turned round cancel out, and the order stays
    turned = ranking.reranked(scores, {"a": -30.0, "b": -20.0, "c": -10.0})
    assert list(turned.items()) == list(scores.items())
    # an opinion beyond that decides, and the one that was not judged keeps its score
    assert ranking.reranked(scores, {"a": 0.0, "b": 0.0, "c": 9.0})["d"] == 0.5
    turned = ranking.reranked(scores, {"a": -9.0, "b": 9.0, "c": -9.0})
    assert turned == {"b": 3.0, "a": 2.0, "c": 1.0, "d": 0.5}


def test_those_that_were_alike_are_told_apart_and_stay_before_the_rest():
    scores = dict.fromkeys("abcd", 1.0)
    assert list(ranking.reranked(scores, {"a": -1.0, "b": 1.0, "c": 0.0})) == ["b", "c", "a", "d"]


@pytest.mark.parametrize("judged", [{}, {"a": 5.0}, {"a": 2.0, "b": 2.0}])
def test_no_opinion_changes_nothing(judged: dict[str, float]):
    scores = {"a": 3.0, "b": 2.0}
    assert ranking.reranked(scores, judged) == scores


def test_the_assistant_hands_its_reranker_to_search_and_warms_it(tmp_path: Path):
    opinion = Opinion(TOPICS)
    file = tmp_path / "walls.txt"
    file.write_text("Walls\n\n" + "\n\n".join(ABSTRACTS), encoding="utf-8")
    settings = load_settings(llm="none")
    with closing(
        app.build(settings, create=True, embedder=HashEmbedder(), reranker=opinion)
    ) as assistant:
        assistant.ingest([file])
        assistant.warm()
        assistant.searcher.search(QUERY)
    assert [query for query, _ in opinion.seen] == ["warm", QUERY]


def test_warming_goes_on_without_a_reranker_that_fails(tmp_path: Path):
    settings = load_settings(llm="none")
    with closing(
        app.build(settings, create=True, embedder=HashEmbedder(), reranker=Failing())
    ) as assistant:
        assistant.warm()
