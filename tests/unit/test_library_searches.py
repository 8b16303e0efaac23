"""Searches that are kept in a library, and what is new for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from retrieval_world import ABSTRACTS, World

from assistant.app import Assistant
from assistant.config import load_settings
from assistant.errors import LibraryError
from assistant.library.store import Store
from assistant.types import Filters, Idea, SavedSearch
from assistant.weights.catalog import Catalog

MOSS = (
    "Mosses grow slowly on old walls. We count mosses on walls with a network that needs no light."
)
IDEA = Idea(
    "mosses on walls",
    like=("a", "b"),
    unlike=("c",),
    filters=Filters(
        collections=("Ä",),
        year_from=1999,
        authors=("Doe", "Roe"),
        has_code=True,
        has_abstract=False,
    ),
    sort="year",
    limit=20,
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.put()
    made.indexes.sync()
    return made


@pytest.fixture
def assistant(world: World) -> Assistant:
    settings = load_settings()
    return Assistant(settings, world.store, world.indexes, Catalog(settings), None, "")


def test_a_search_is_kept_word_for_word(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store, store.transaction():
        store.keep_search(SavedSearch("mosses", IDEA, "2026-11-30"))
    with Store.open(tmp_path, create=False) as store:
        assert store.searches() == [SavedSearch("mosses", IDEA, "2026-11-30")]
        assert store.search("mosses").idea == IDEA


def test_no_search_takes_the_name_of_another(assistant: Assistant) -> None:
    assistant.save_search("mosses", Idea("mosses"))
    assistant.save_search(" mosses ", Idea("mosses"))  # the same once more is no mistake
    with pytest.raises(LibraryError, match="Another search is saved as 'mosses'"):
        assistant.save_search("mosses", Idea("lichens"))
    assert [search.idea.text for search in assistant.saved_searches()] == ["mosses"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_name_is_a_few_words(assistant: Assistant, name: str) -> None:
    with pytest.raises(LibraryError):
        assistant.save_search(name, Idea("mosses"))


def test_a_search_that_is_forgotten_is_gone_and_an_unknown_one_is_told(
    assistant: Assistant,
) -> None:
    assistant.save_search("mosses", Idea("mosses"))
    assistant.forget_search("mosses")
    assert assistant.saved_searches() == []
    for unknown in (assistant.forget_search, assistant.news):
        with pytest.raises(LibraryError, match="no saved search 'mosses'"):
            unknown("mosses")


def test_what_came_since_is_news_once(assistant: Assistant, world: World) -> None:
    assistant.save_search("mosses", Idea("mosses on walls"))
    assert assistant.news("mosses").matches == ()
    world.put([MOSS], "new.txt")
    world.indexes.sync()
    (counted,) = assistant.saved_searches(count=True)
    assert counted.new == 1  # counting is not looking
    found = assistant.news("mosses")
    assert [match.paper.abstract for match in found.matches] == [MOSS]
    assert assistant.news("mosses").matches == ()
    assert assistant.saved_searches(count=True)[0].new == 0


def test_what_came_but_is_far_from_the_search_is_no_news(
    assistant: Assistant, world: World
) -> None:
    assistant.save_search("binders", Idea("quantum gravity of black holes"))
    world.put([MOSS], "new.txt")
    world.indexes.sync()
    assert assistant.news("binders").total == 0


def test_what_is_not_indexed_yet_stays_news(assistant: Assistant, world: World) -> None:
    assistant.save_search("mosses", Idea("mosses on walls"))
    assistant.ready()
    world.put([MOSS], "new.txt")
    assert assistant.news("mosses").total == 0
    world.indexes.sync()
    assert assistant.news("mosses").total == 1


def test_only_what_passes_the_filters_of_a_search_is_news(
    assistant: Assistant, world: World
) -> None:
    elsewhere = Filters(collections=("Heading of seeds.txt",))
    assistant.save_search("mosses", Idea("mosses on walls", filters=elsewhere))
    world.put([MOSS], "new.txt")
    world.indexes.sync()
    assert assistant.news("mosses").total == 0


def test_searches_outlive_reindexing(assistant: Assistant) -> None:
    assistant.save_search("mosses", Idea("mosses"))
    assistant.reindex()
    assert [search.name for search in assistant.saved_searches()] == ["mosses"]


def test_an_idea_like_a_paper_that_is_not_there_is_told(assistant: Assistant) -> None:
    with pytest.raises(LibraryError, match="no paper nobody"):
        assistant.find(Idea(like=("nobody",)))
    assert ABSTRACTS[0] == assistant.find(Idea("PPDiff binders")).matches[0].paper.abstract


def test_a_search_like_a_paper_that_was_removed_does_not_hide_the_others(
    assistant: Assistant, world: World
) -> None:
    first = assistant.papers()[0].id
    assistant.save_search("gone", Idea(like=(first,)))
    assistant.save_search("mosses", Idea("mosses on walls"))
    assistant.remove([first])
    world.put([MOSS], "new.txt")
    world.indexes.sync()
    counted = {search.name: search.new for search in assistant.saved_searches(count=True)}
    assert counted == {"gone": 0, "mosses": 1}
    with pytest.raises(LibraryError, match=first):
        assistant.news("gone")


def test_a_search_follows_its_collection_to_another_name(
    assistant: Assistant, world: World
) -> None:
    of_one = Filters(collections=("Heading of seeds.txt", "Ä"))
    assistant.save_search("of one", Idea("PPDiff binders", filters=of_one))
    assistant.save_search("of all", Idea("PPDiff binders"))
    assistant.rename_collection("Heading of seeds.txt", "Seeds")
    found = {search.name: search.idea.filters for search in assistant.saved_searches()}
    assert found == {"of one": Filters(collections=("Seeds", "Ä")), "of all": None}
