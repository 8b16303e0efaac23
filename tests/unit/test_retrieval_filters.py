"""Filters in a search: only what they let through, and all of it where no more exists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from found_world import FoundWorld

from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.vectors import ChromaVectorStore
from assistant.types import Filters, Paper

Test = Callable[[Paper], bool]
FILTERS: list[tuple[Filters, Test]] = [
    (Filters(year_from=2010), lambda p: (p.year or 0) >= 2010),
    (Filters(year_to=1992), lambda p: (p.year or 9999) <= 1992),
    (Filters(year_from=2000, year_to=2001), lambda p: p.year in {2000, 2001}),
    (Filters(collections=("second",)), lambda p: p.sources[0].collection == "second"),
    (Filters(authors=("Family3",)), lambda p: "Family3, Given" in p.authors),
    (
        Filters(authors=("Family3", "family4")),
        lambda p: p.authors[:1] in {("Family3, Given",), ("Family4, Given",)},
    ),
    (Filters(venues=("bats",)), lambda p: p.venue == "Journal of Bats"),
    (Filters(keywords=("hunting",)), lambda p: "hunting" in p.keywords),
    (Filters(has_code=True), lambda p: bool(p.code_links)),
    (Filters(has_code=False), lambda p: not p.code_links),
    (Filters(has_abstract=False), lambda p: not p.abstract),
    (Filters(has_abstract=True, venues=("Robots",)), lambda p: p.venue == "Journal of Robots"),
    (Filters(year_from=3000), lambda _: False),
]


@pytest.fixture(scope="module", params=["memory", "disk"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> FoundWorld:
    folder = Path(tmp_path_factory.mktemp("filters"))
    if request.param == "memory":
        return FoundWorld(folder).fill()
    return FoundWorld(
        folder,
        vectors=ChromaVectorStore(folder / "chroma", "hash", 64),
        keywords=TantivyIndex(folder / "tantivy"),
    ).fill()


@pytest.mark.parametrize(("filters", "passes"), FILTERS)
@pytest.mark.parametrize("query", ["glaciers melting under dust", "number3"])
def test_a_search_finds_k_of_those_that_pass(
    world: FoundWorld, filters: Filters, passes: Test, query: str
):
    papers = world.store.papers(sorted(_all(world)))
    passing = {paper.id for paper in papers if passes(paper)}
    for k in (3, 60):
        found = [hit.paper.id for hit in world.searcher.search(query, k=k, filters=filters)]
        assert set(found) <= passing
        assert len(found) == min(k, len(passing))


def _all(world: FoundWorld) -> set[str]:
    held = Filters(has_abstract=True), Filters(has_abstract=False)
    return {paper_id for filters in held for paper_id in world.store.paper_ids(filters) or ()}


def test_the_best_of_those_that_pass_comes_first(world: FoundWorld):
    query = "bats hunting moths with echoes"
    free = world.searcher.search(query, k=60)
    among = Filters(collections=("first",), year_to=1995)
    allowed = world.store.paper_ids(among) or frozenset()
    best = next(hit.paper.id for hit in free if hit.paper.id in allowed)
    assert world.searcher.search(query, filters=among)[0].paper.id == best
