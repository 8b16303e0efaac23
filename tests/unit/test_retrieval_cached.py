"""Kept vectors: found again, never wrong, never in the way."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from assistant.retrieval.cached import CachedEmbedder
from assistant.retrieval.fakes import HashEmbedder

TEXTS = ["gliding squirrels", "moles dig", "shuffled gradients converge"]


class Counting(HashEmbedder):
    """Counts queries as well as documents."""

    def embed_queries(self, texts):
        self.calls += len(texts)
        return super().embed_queries(texts)


def embedded(folder: Path, texts=TEXTS, inner: HashEmbedder | None = None) -> int:
    """Embed texts rightly through the cache; return how many of them were embedded anew."""
    inner = inner or Counting()
    with closing(CachedEmbedder(inner, folder)) as cached:
        vectors = cached.embed_documents(texts)
        calls = inner.calls
    assert np.array_equal(vectors, inner.embed_documents(texts))
    return calls


def file_in(folder: Path) -> Path:
    (file,) = folder.glob("*.sqlite3")
    return file


def rows(folder: Path) -> int:
    with closing(sqlite3.connect(file_in(folder))) as connection:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])


def test_what_was_embedded_once_is_found_again(tmp_path: Path):
    assert embedded(tmp_path) == 3
    assert embedded(tmp_path, [TEXTS[2], "new", TEXTS[0]]) == 1
    assert embedded(tmp_path, ["new"] * 4) == 0


def test_a_text_that_stands_twice_is_embedded_once(tmp_path: Path):
    assert embedded(tmp_path, ["moles", "squirrels", "moles"]) == 2


def test_a_query_is_kept_apart_from_a_document(tmp_path: Path):
    embedded(tmp_path)
    inner = Counting()
    with closing(CachedEmbedder(inner, tmp_path)) as cached:
        first = cached.embed_query(TEXTS[0])
        assert inner.calls == 1
        assert np.array_equal(cached.embed_query(TEXTS[0]), first)
        assert inner.calls == 1


def test_each_embedder_has_a_file_of_its_own(tmp_path: Path):
    embedded(tmp_path)
    assert embedded(tmp_path, inner=HashEmbedder(name="another/../hash")) == 3
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*.sqlite3"))


def test_vectors_of_another_length_are_not_taken(tmp_path: Path):
    embedded(tmp_path)
    assert embedded(tmp_path, inner=HashEmbedder(dimension=32)) == 3


def test_only_embedding_counts_as_seconds(tmp_path: Path):
    with closing(CachedEmbedder(HashEmbedder(), tmp_path)) as cached:
        cached.embed_documents(TEXTS)
        spent = cached.seconds
        assert spent > 0
        cached.embed_documents(TEXTS)
        assert cached.seconds == spent


def test_nothing_is_created_before_it_is_needed(tmp_path: Path):
    with closing(CachedEmbedder(HashEmbedder(), tmp_path / "cache")) as cached:
        assert cached.count_tokens("two words") == 2
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("junk", [b"", b"junk" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_broken_file_is_thrown_away_and_made_again(tmp_path: Path, junk: bytes):
    embedded(tmp_path)
    file_in(tmp_path).write_bytes(junk)
    assert embedded(tmp_path) == 3
    assert embedded(tmp_path) == 0


def test_a_file_with_other_tables_is_thrown_away(tmp_path: Path):
    embedded(tmp_path)
    with closing(sqlite3.connect(file_in(tmp_path))) as connection:
        connection.execute("ALTER TABLE vectors RENAME COLUMN vector TO something")
    assert embedded(tmp_path) == 3
    assert embedded(tmp_path) == 0


def test_a_file_cut_in_half_costs_its_vectors_only(tmp_path: Path):
    many = [f"text number {i}" for i in range(300)]
    embedded(tmp_path, many)
    data = file_in(tmp_path).read_bytes()
    file_in(tmp_path).write_bytes(data[: len(data) // 2])
    embedded(tmp_path, many)
    assert embedded(tmp_path, many) == 0


@pytest.mark.parametrize("value", [b"short", "text", None, 7])
def test_a_vector_that_is_none_is_made_again(tmp_path: Path, value: object):
    embedded(tmp_path)
    with closing(sqlite3.connect(file_in(tmp_path))) as connection, connection:
        connection.execute("UPDATE vectors SET vector = ?", [value])
    assert embedded(tmp_path) == 3
    assert embedded(tmp_path) == 0


def test_a_vector_with_one_wrong_bit_is_made_again(tmp_path: Path):
    embedded(tmp_path)
    with closing(sqlite3.connect(file_in(tmp_path))) as connection, connection:
        key, blob = connection.execute("SELECT key, vector FROM vectors").fetchone()
        spoilt = bytes([blob[0] ^ 1]) + blob[1:]
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", [spoilt, key])
    assert embedded(tmp_path) == 1


def test_a_place_that_cannot_be_written_is_done_without(tmp_path: Path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert embedded(tmp_path / "file") == 3
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


def test_a_folder_where_the_file_should_be_is_done_without(tmp_path: Path):
    embedded(tmp_path)
    file = file_in(tmp_path)
    file.unlink()
    file.mkdir()
    assert embedded(tmp_path) == 3
    assert file.is_dir()


def test_a_file_that_another_process_writes_to_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assistant.retrieval.cached._PATIENCE", 0.05)
    embedded(tmp_path)
    with closing(sqlite3.connect(file_in(tmp_path))) as other:
        other.execute("BEGIN IMMEDIATE")
        assert embedded(tmp_path, [*TEXTS, "new"]) == 1
        assert embedded(tmp_path, [*TEXTS, "new"]) == 1
    assert rows(tmp_path) == 3
    assert embedded(tmp_path, [*TEXTS, "new"]) == 1
    assert rows(tmp_path) == 4


def test_threads_share_one(tmp_path: Path):
    inner, texts = HashEmbedder(), [f"text {i}" for i in range(40)]
    results: dict[int, np.ndarray] = {}
    with closing(CachedEmbedder(inner, tmp_path)) as cached:

        def work(number: int) -> None:
            results[number] = cached.embed_documents(texts[number : number + 20])

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for number in range(8):
        assert np.array_equal(results[number], inner.embed_documents(texts[number : number + 20]))


KILLED = """
import itertools, sys
from pathlib import Path
from assistant.retrieval.cached import CachedEmbedder
from assistant.retrieval.fakes import HashEmbedder
cached = CachedEmbedder(HashEmbedder(), Path(sys.argv[1]))
for i in itertools.count():
    cached.embed_documents([f"text {i} {j}" for j in range(50)])
    print(i, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_what_a_killed_process_kept_is_kept(tmp_path: Path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while (done := int(process.stdout.readline())) < 5:
            pass
        process.send_signal(signal.SIGKILL)
    kept = [f"text {i} {j}" for i in range(done + 1) for j in range(50)]
    assert embedded(tmp_path, kept) == 0
