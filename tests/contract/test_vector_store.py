"""One suite for every vector store: the exact one in memory and Chroma."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assistant.errors import DerivedIndexError
from assistant.retrieval.fakes import ExactVectorStore
from assistant.retrieval.ports import VectorStore
from assistant.retrieval.vectors import ChromaVectorStore
from assistant.types import Passage

DIMENSION = 16
Make = Callable[[], VectorStore]


@pytest.fixture(params=["exact", "chroma"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> VectorStore:
    if request.param == "exact":
        return ExactVectorStore()
    return ChromaVectorStore(tmp_path / "vectors", "an embedder", DIMENSION)


@pytest.fixture
def chroma(tmp_path: Path) -> Callable[..., ChromaVectorStore]:
    def make(embedder: str = "an embedder", dimension: int = DIMENSION) -> ChromaVectorStore:
        return ChromaVectorStore(tmp_path / "vectors", embedder, dimension)

    return make


def passages(count: int, *, a_paper: int = 1) -> list[Passage]:
    return [Passage(f"p{i // a_paper}:{i}", f"p{i // a_paper}", 0, 1, "x") for i in range(count)]


def unit_rows(count: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_an_empty_store_finds_nothing(store: VectorStore):
    assert store.ids() == set()
    assert store.nearest(unit_rows(1)[0], 5) == []
    store.delete(["unknown"])


def test_nearest_are_the_exact_ones_best_first_with_their_cosine(store: VectorStore):
    rows, query = unit_rows(300), unit_rows(1, seed=9)[0]
    store.add(passages(300), rows)
    found = store.nearest(query, 20)
    exact = np.argsort(-(rows @ query))[:20]
    assert [passage_id for passage_id, _, _ in found] == [f"p{i}:{i}" for i in exact]
    assert [paper_id for _, paper_id, _ in found] == [f"p{i}" for i in exact]
    assert np.allclose([cosine for _, _, cosine in found], (rows @ query)[exact], atol=1e-5)


def test_a_restriction_still_gives_k_where_k_exist(store: VectorStore):
    rows, query = unit_rows(400), unit_rows(1, seed=3)[0]
    store.add(passages(400, a_paper=2), rows)
    far = np.argsort(rows @ query)[:30] // 2
    allowed = {f"p{i}" for i in far}
    found = store.nearest(query, 10, allowed)
    assert len(found) == 10
    assert {paper_id for _, paper_id, _ in found} <= allowed
    among = [i for i in range(400) if f"p{i // 2}" in allowed]
    best = sorted(among, key=lambda i: -float(rows[i] @ query))[:10]
    assert [passage_id for passage_id, _, _ in found] == [f"p{i // 2}:{i}" for i in best]


@pytest.mark.parametrize("allowed", [1, 7, 60, 300, 594])
@pytest.mark.parametrize("sifted", [0, 2_000])
def test_all_of_a_restriction_come_however_many_it_lets_through(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch, allowed: int, sifted: int
):
    monkeypatch.setattr("assistant.retrieval.vectors._MOST_SIFTED", sifted)
    rows, query = unit_rows(600), unit_rows(1, seed=8)[0]
    store.add(passages(600), rows)
    chosen = np.random.default_rng(allowed).choice(600, allowed, replace=False)
    among = sorted(chosen.tolist(), key=lambda i: -float(rows[i] @ query))
    ids = frozenset(f"p{i}" for i in among)
    for k in (10, allowed):
        found = [passage_id for passage_id, _, _ in store.nearest(query, k, ids)]
        assert found == [f"p{i}:{i}" for i in among[:k]]


def test_a_restriction_follows_what_is_added_and_deleted(store: VectorStore):
    rows = unit_rows(6)
    store.add(passages(3), rows[:3])
    assert len(store.nearest(rows[0], 5, {"p0", "p4"})) == 1
    store.add(passages(6)[3:], rows[3:])
    assert {id_ for id_, _, _ in store.nearest(rows[0], 5, {"p0", "p4"})} == {"p0:0", "p4:4"}
    store.add(passages(6)[4:5], rows[:1])
    assert store.nearest(rows[0], 5, {"p4"})[0][2] == pytest.approx(1.0, abs=1e-5)
    store.delete(["p4:4"])
    assert {id_ for id_, _, _ in store.nearest(rows[0], 5, {"p0", "p4"})} == {"p0:0"}


def test_a_restriction_knows_what_another_process_wrote(
    chroma: Callable[..., ChromaVectorStore],
):
    reader, writer, rows = chroma(), chroma(), unit_rows(3)
    writer.add(passages(2), rows[:2])
    assert len(reader.nearest(rows[0], 5, {"p0", "p2"})) == 1
    writer.add(passages(3)[2:], rows[2:])
    assert {id_ for id_, _, _ in reader.nearest(rows[0], 5, {"p0", "p2"})} == {"p0:0", "p2:2"}


def test_a_restriction_to_nothing_finds_nothing(store: VectorStore):
    store.add(passages(3), unit_rows(3))
    assert store.nearest(unit_rows(1)[0], 5, set()) == []
    assert store.nearest(unit_rows(1)[0], 5, {"elsewhere"}) == []


def test_more_is_asked_for_than_there_is(store: VectorStore):
    store.add(passages(3), unit_rows(3))
    assert len(store.nearest(unit_rows(1)[0], 50)) == 3


def test_adding_again_replaces(store: VectorStore):
    rows = unit_rows(2)
    store.add(passages(1), rows[:1])
    store.add(passages(1), rows[1:])
    assert store.ids() == {"p0:0"}
    assert store.nearest(rows[1], 1)[0][2] == pytest.approx(1.0, abs=1e-5)


def test_deleted_passages_are_not_found(store: VectorStore):
    rows = unit_rows(3)
    store.add(passages(3), rows)
    store.delete({"p1:1", "unknown"})
    assert store.ids() == {"p0:0", "p2:2"}
    assert "p1:1" not in {passage_id for passage_id, _, _ in store.nearest(rows[1], 3)}


def test_cleared_and_filled_again(store: VectorStore):
    store.add(passages(3), unit_rows(3))
    store.clear()
    assert store.ids() == set()
    store.add(passages(2), unit_rows(2, seed=5))
    assert len(store.nearest(unit_rows(1)[0], 5)) == 2


def test_batches_over_the_limit_of_the_database_are_split(chroma: Callable[..., ChromaVectorStore]):
    store = chroma()
    count = 6_000
    store.add(passages(count), unit_rows(count))
    assert len(store.ids()) == count
    store.delete(store.ids())
    assert store.ids() == set()


def test_what_lies_far_off_is_found_where_nothing_near_is_allowed(
    chroma: Callable[..., ChromaVectorStore],
):
    store, rows, query = chroma(), unit_rows(300), unit_rows(1, seed=4)[0]
    store.add(passages(300), rows)
    allowed = [int(i) for i in np.argsort(rows @ query)[:40]]
    found = store.nearest(query, 5, {f"p{i}" for i in allowed})
    best = sorted(allowed, key=lambda i: -float(rows[i] @ query))[:5]
    assert [passage_id for passage_id, _, _ in found] == [f"p{i}:{i}" for i in best]


def test_what_was_written_is_there_after_opening_again(chroma: Callable[..., ChromaVectorStore]):
    chroma().add(passages(4), unit_rows(4))
    assert len(chroma().ids()) == 4


@pytest.mark.parametrize("other", [("another", DIMENSION), ("an embedder", 8)])
def test_vectors_of_another_embedder_are_refused_until_cleared(
    chroma: Callable[..., ChromaVectorStore], other: tuple[str, int]
):
    chroma().add(passages(2), unit_rows(2))
    store = chroma(*other)
    with pytest.raises(DerivedIndexError) as refused:
        store.ids()
    assert "assistant reindex" in refused.value.hint
    store.clear()
    store.add(passages(1), np.eye(other[1], dtype=np.float32)[:1])
    assert len(store.ids()) == 1


@pytest.mark.parametrize("kept_open", [True, False])
def test_a_corrupt_database_is_told_and_can_be_cleared_in_the_same_process(
    chroma: Callable[..., ChromaVectorStore], tmp_path: Path, kept_open: bool
):
    first = chroma()
    first.add(passages(2), unit_rows(2))
    database = next((tmp_path / "vectors").rglob("chroma.sqlite3"))
    if not kept_open:
        first.close()
    database.write_bytes(b"this is no database" * 100)
    store = chroma()
    if not kept_open:
        with pytest.raises(DerivedIndexError) as refused:
            store.ids()
        assert "assistant reindex" in refused.value.hint
    store.clear()
    assert store.ids() == set()
    store.add(passages(3), unit_rows(3))
    assert len(store.ids()) == 3
    assert len(chroma().ids()) == 3


def test_a_reader_sees_what_another_process_writes(
    chroma: Callable[..., ChromaVectorStore], tmp_path: Path
):
    store, rows = chroma(), unit_rows(3)
    store.add(passages(1), rows[:1])
    assert len(store.nearest(rows[2], 5)) == 1
    writer = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from tests.contract.test_vector_store import ChromaVectorStore, passages, unit_rows
store = ChromaVectorStore(Path({str(tmp_path / "vectors")!r}), "an embedder", {DIMENSION})
store.CLEAR()
store.add(passages(3), unit_rows(3))
"""
    root = Path(__file__).parents[2]
    for call, expected in (("ids", 3), ("clear", 3)):
        script = writer.replace("CLEAR", call)
        subprocess.run([sys.executable, "-c", script], check=True, cwd=root)
        found = store.nearest(rows[2], 5)
        assert len(found) == expected
        assert found[0][0] == "p2:2"


def test_nothing_is_created_by_looking(chroma: Callable[..., ChromaVectorStore], tmp_path: Path):
    assert chroma().ids() == set()
    chroma().clear()
    assert not (tmp_path / "vectors").exists()


def test_cosines_are_told_of_the_passages_that_are_there(store: VectorStore):
    rows, query = unit_rows(30), unit_rows(1, seed=9)[0]
    assert store.cosines(query, ["p0:0"]) == {}
    store.add(passages(30), rows)
    told = store.cosines(query, ["p7:7", "unknown", "p2:2"])
    assert set(told) == {"p7:7", "p2:2"}
    assert told["p7:7"] == pytest.approx(float(rows[7] @ query), abs=1e-5)
    assert store.cosines(query, []) == {}
