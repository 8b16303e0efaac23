"""The derived indexes follow the store: idempotent, crash-safe, rebuilt when broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from retrieval_world import ABSTRACTS, World

from assistant.errors import DerivedIndexError
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.vectors import _HNSW as HNSW
from assistant.retrieval.vectors import ChromaVectorStore

Make = Callable[..., World]


@pytest.fixture(params=["memory", "disk"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Return a maker of worlds over one folder; those on disk find what the last one wrote."""

    def in_memory(embedder: HashEmbedder | None = None) -> World:
        return World(tmp_path, embedder or HashEmbedder())

    def on_disk(embedder: HashEmbedder | None = None) -> World:
        embedder = embedder or HashEmbedder()
        return World(
            tmp_path,
            embedder,
            ChromaVectorStore(tmp_path / "vectors", embedder.name, embedder.dimension),
            TantivyIndex(tmp_path / "keywords"),
        )

    return in_memory if request.param == "memory" else on_disk


@pytest.fixture
def on_disk(tmp_path: Path) -> Make:
    def make(embedder: HashEmbedder | None = None) -> World:
        embedder = embedder or HashEmbedder()
        vectors = ChromaVectorStore(tmp_path / "vectors", embedder.name, embedder.dimension)
        return World(tmp_path, embedder, vectors, TantivyIndex(tmp_path / "keywords"))

    return make


def test_an_empty_library_needs_nothing(make: Make):
    world = make()
    assert world.indexes.check() == []
    report = world.indexes.sync()
    assert (report.embedded, report.keyworded, report.sentences) == (0, 0, 0)
    assert world.searcher.search("PPDiff") == []


def test_sync_indexes_everything_and_tells_how_far_it_is(make: Make):
    world = make()
    world.put()
    assert {problem.hint for problem in world.indexes.check()} == {"Run `assistant reindex`."}
    told: list[tuple[str, int, int]] = []
    report = world.indexes.sync(lambda *step: told.append(step))
    count = len(world.store.passage_ids())
    assert report.embedded == report.keyworded == count
    assert report.sentences == world.store.counts().sentences
    assert {stage for stage, _, _ in told} == {"keywords", "passages", "sentences"}
    assert all(0 < done <= total for _, done, total in told)
    assert world.indexes.check() == []
    assert "PPDiff" in world.first("What does PPDiff reach?")


def test_importing_the_same_file_again_embeds_nothing(make: Make):
    embedder = HashEmbedder()
    world = make(embedder)
    world.put()
    world.indexes.sync()
    version, calls = world.indexes.version(), embedder.calls
    world.put()
    report = world.indexes.sync()
    assert (report.embedded, report.keyworded, report.removed, report.sentences) == (0, 0, 0, 0)
    assert embedder.calls == calls
    assert world.indexes.version() == version


def test_only_what_is_new_is_embedded(make: Make):
    embedder = HashEmbedder()
    world = make(embedder)
    world.put(ABSTRACTS[:3])
    world.indexes.sync()
    before = world.indexes.version()
    world.put(ABSTRACTS)
    report = world.indexes.sync()
    assert report.embedded == len(world.store.passage_ids()) - world_passages(world, ABSTRACTS[:3])
    assert world.indexes.version() != before
    assert "4.8 million" in world.first("Friedkin-Johnsen opinions")


def world_passages(world: World, abstracts: tuple[str, ...]) -> int:
    wanted = {paper.id for paper in world.store.papers() if paper.abstract in abstracts}
    return sum(passage.paper_id in wanted for passage in world.store.passages())


def test_removed_papers_are_forgotten(make: Make):
    world = make()
    world.put()
    world.indexes.sync()
    gone = next(paper for paper in world.store.papers() if "PPDiff" in paper.abstract)
    with world.store.transaction():
        world.store.delete(gone.id)
    assert any("no longer wanted" in problem.message for problem in world.indexes.check())
    report = world.indexes.sync()
    assert report.removed > 0
    assert world.indexes.check() == []
    assert all(hit.paper.id != gone.id for hit in world.searcher.search("PPDiff"))


class Killed(BaseException):
    """Stands for the end of a process."""


@pytest.mark.parametrize("stage", ["keywords", "passages", "sentences"])
def test_killed_at_any_stage_the_next_sync_completes(
    make: Make, stage: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assistant.retrieval.indexes._EMBED_BATCH", 1)
    monkeypatch.setattr("assistant.retrieval.indexes._KEYWORD_BATCH", 1)
    monkeypatch.setattr("assistant.retrieval.sentence_vectors._BATCH", 2)
    embedder = HashEmbedder()
    world = make(embedder)
    world.put()

    def kill(at: str, done: int, total: int) -> None:
        if at == stage and done >= min(2, total):
            raise Killed

    with pytest.raises(Killed):
        world.indexes.sync(kill)
    report = world.indexes.sync()
    assert world.indexes.check() == []
    if stage == "sentences":
        assert report.embedded == 0
    total = len(world.store.passage_ids()) + world.store.counts().sentences
    assert embedder.calls == total  # nothing was embedded twice


def test_a_renamed_paper_is_found_by_its_new_name(make: Make):
    world = make()
    world.put()
    world.indexes.sync()
    paper = world.store.papers()[0]
    entry = world.store.entry(paper.id)
    with world.store.transaction():
        world.store.save(replace(entry, paper=replace(paper, title="Zebrafish of the deep")))
    world.indexes.sync()
    assert world.searcher.search("zebrafish")[0].paper.id == paper.id


def test_rebuilding_gives_the_same_answers(make: Make):
    world = make()
    world.put()
    world.indexes.sync()
    queries = ["PPDiff", "nested integers", "opinions in networks", "706,360"]
    before = [[(h.paper.id, round(h.score, 4)) for h in world.searcher.search(q)] for q in queries]
    version = world.indexes.version()
    report = world.indexes.rebuild()
    assert report.embedded == len(world.store.passage_ids())
    after = [[(h.paper.id, round(h.score, 4)) for h in world.searcher.search(q)] for q in queries]
    assert after == before
    assert world.indexes.version() == version


def test_versions_tell_embedders_apart(tmp_path: Path):
    one = World(tmp_path, HashEmbedder(name="one"))
    other = World(tmp_path, HashEmbedder(name="other"))
    assert one.indexes.version() != other.indexes.version()


@pytest.mark.parametrize("part", ["vectors", "keywords", "sentences"])
def test_a_lost_index_is_found_at_start_and_made_again(on_disk: Make, tmp_path: Path, part: str):
    first = on_disk()
    first.put()
    first.indexes.sync()
    first.vectors.close()  # type: ignore[attr-defined]
    shutil.rmtree(tmp_path / part)
    world = on_disk()
    problems = world.indexes.check()
    assert problems
    assert all(problem.hint == "Run `assistant reindex`." for problem in problems)
    world.indexes.sync()
    assert world.indexes.check() == []
    assert "PPDiff" in world.first("PPDiff")


@pytest.mark.parametrize(
    "file",
    [
        "chroma.sqlite3",
        "header.bin",
        "data_level0.bin",
        "length.bin",
        "meta.json",
        "scheme",
        "*.term",
    ],
)
def test_a_corrupt_index_is_told_by_check_and_made_again_by_sync(
    on_disk: Make, tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
):
    # Chroma writes its graph out every thousand vectors; here a few must do.
    monkeypatch.setitem(HNSW, "batch_size", 2)
    monkeypatch.setitem(HNSW, "sync_threshold", 3)
    first = on_disk()
    first.put()
    first.indexes.sync()
    first.vectors.close()  # type: ignore[attr-defined]
    broken = list(tmp_path.rglob(file))
    assert broken
    for path in broken:
        path.write_bytes(b"junk" * 3)
    world = on_disk()
    assert [problem.hint for problem in world.indexes.check()] == ["Run `assistant reindex`."]
    report = world.indexes.sync()
    assert len(report.rebuilt) == 1
    assert world.indexes.check() == []
    assert "PPDiff" in world.first("PPDiff")


def two_embedders(make: Make) -> tuple[World, HashEmbedder]:
    """Return a library embedded by one embedder and opened with another."""
    first = make(HashEmbedder(name="one"))
    first.put()
    first.indexes.sync()
    first.vectors.close()  # type: ignore[attr-defined]
    other = HashEmbedder(name="two", dimension=32)
    return make(other), other


def test_a_library_of_another_embedder_is_told_and_left_alone(on_disk: Make):
    world, other = two_embedders(on_disk)
    assert ["with one, not with two" in p.message for p in world.indexes.check()] == [True]
    with pytest.raises(DerivedIndexError, match="embedded with one, and two is in use") as told:
        world.indexes.sync()
    assert "ASSISTANT_EMBEDDER" in told.value.hint
    assert "assistant reindex" in told.value.hint
    assert other.calls == 0


def test_it_is_embedded_again_on_request(on_disk: Make):
    world, _ = two_embedders(on_disk)
    world.indexes.rebuild()
    assert world.indexes.check() == []
    assert "PPDiff" in world.first("PPDiff")


def test_embedding_again_goes_on_where_it_was_broken_off(on_disk: Make):
    world, other = two_embedders(on_disk)

    def kill(stage: str, done: int, total: int) -> None:
        if stage == "sentences":
            raise Killed

    with pytest.raises(Killed):
        world.indexes.rebuild(kill)
    embedded = other.calls
    report = world.indexes.sync()
    assert report.embedded == 0
    assert 0 < other.calls <= embedded
    assert world.indexes.check() == []


def test_a_cancelled_sync_keeps_what_is_done_and_is_carried_on(make: Make):
    embedder = HashEmbedder()
    world = make(embedder)
    world.put()
    told: list[str] = []
    report = world.indexes.sync(
        lambda stage, *_: told.append(stage), lambda: told[-1:] == ["passages"]
    )
    assert report.stopped
    assert "sentences" not in told
    assert world.first("PPDiff")
    rest = world.indexes.sync()
    assert (rest.stopped, rest.embedded, rest.keyworded) == (False, 0, 0)
    assert rest.sentences > 0
    assert world.indexes.check() == []


def test_a_paper_without_an_abstract_is_found_by_its_title(make: Make):
    world = make()
    world.put()
    world.put_reference("Gastropods of the northern sea")
    world.indexes.sync()
    assert world.indexes.check() == []
    (hit, *_) = world.searcher.search("gastropods in northern seas")
    assert (hit.paper.title, hit.evidence) == ("Gastropods of the northern sea", ())
    assert world.indexes.sync().embedded == 0


def test_nothing_is_created_by_checking(on_disk: Make, tmp_path: Path):
    world = on_disk()
    world.indexes.check()
    world.searcher.search("anything")
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []
