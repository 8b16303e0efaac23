"""What should stand in the indexes, as the library changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from retrieval_world import ABSTRACTS, World

from assistant.retrieval import wanted
from assistant.retrieval.ports import paper_of


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.put()
    made.put_reference("A title about submarines")
    made.indexes.sync()
    return made


def test_passages_stand_for_vectors_and_whole_texts_for_keywords(world: World):
    should = wanted.wanted(world.store)
    assert world.vectors.ids() == should.passages
    assert world.keywords.ids() == should.texts
    papers = {paper_of(id_) for id_ in should.texts}
    assert papers == {paper_of(id_) for id_ in should.passages}
    assert len(should.texts) == len(papers) == len(ABSTRACTS) + 1


def test_a_paper_without_an_abstract_stands_under_its_name(world: World):
    (named,) = wanted.wanted(world.store).named
    assert named.text == "A title about submarines"
    assert wanted.vector_ids(world.store, [named.paper_id]) == {named.id: named.paper_id}
    (hit,) = world.searcher.search("submarines", k=1)
    assert hit.paper.id == named.paper_id


def test_vector_ids_are_those_of_all_passages_of_the_papers(world: World):
    should = wanted.wanted(world.store)
    papers = sorted({paper_of(id_) for id_ in should.passages})
    ids = wanted.vector_ids(world.store, papers)
    assert set(ids) == should.passages
    assert all(paper_of(id_) == paper_id for id_, paper_id in ids.items())
    assert wanted.vector_ids(world.store, []) == {}


def test_the_text_of_a_paper_that_changes_gets_another_id(tmp_path: Path):
    world = World(tmp_path)
    world.put(ABSTRACTS[:2])
    before = wanted.wanted(world.store).texts
    world.put((ABSTRACTS[0], ABSTRACTS[1] + " It now says more than it did before."))
    after = wanted.wanted(world.store).texts
    assert len(before & after) == 1
    assert {paper_of(id_) for id_ in before} == {paper_of(id_) for id_ in after}
    world.indexes.sync()
    assert world.keywords.ids() == after


def test_what_is_removed_stands_nowhere(world: World):
    gone = world.searcher.search("PPDiff", k=1)[0].paper.id
    with world.store.transaction():
        assert world.store.remove([gone]) == 1
    world.indexes.sync()
    left = world.vectors.ids() | world.keywords.ids()
    assert gone not in {paper_of(id_) for id_ in left}
