"""Sentence vectors: made once, kept by text, whole after a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assistant.errors import LibraryBusy
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.types import Sentence


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence("p", i, 0, 1, text) for i, text in enumerate(texts)]


MANY = sentences(*(f"sentence {i} about protein {i * 7} and model {i * 13}" for i in range(600)))


def files(folder: Path) -> tuple[Path, Path]:
    (rows,) = folder.rglob("rows")
    return rows, rows.with_name("vectors")


def test_vectors_come_back_within_a_hundredth_of_cosine(tmp_path: Path):
    embedder = HashEmbedder(dimension=384)
    kept = SentenceVectors(tmp_path, embedder)
    assert kept.ensure(MANY) == 600
    exact = embedder.embed_documents([sentence.text for sentence in MANY])
    got = SentenceVectors(tmp_path, embedder).get(MANY)
    assert got.dtype == np.float32
    assert np.allclose(np.linalg.norm(got, axis=1), 1.0, atol=1e-5)
    queries = exact[::50]
    assert np.abs(got @ queries.T - exact @ queries.T).max() < 0.01


def test_the_same_text_is_embedded_once_whatever_paper_it_is_in(tmp_path: Path):
    embedder = HashEmbedder()
    kept = SentenceVectors(tmp_path, embedder)
    assert kept.ensure(sentences("one", "two", "one")) == 2
    assert kept.ensure([Sentence("other", 5, 9, 12, "two")]) == 0
    assert SentenceVectors(tmp_path, embedder).ensure(sentences("two", "three")) == 1
    assert embedder.calls == 3


def test_asking_for_an_unknown_sentence_embeds_it_but_writes_nothing(tmp_path: Path):
    embedder = HashEmbedder()
    kept = SentenceVectors(tmp_path, embedder)
    kept.ensure(sentences("known"))
    asked = sentences("known", "unknown", "unknown")
    expected = embedder.embed_documents([sentence.text for sentence in asked])
    embedder.calls = 0
    assert np.allclose(kept.get(asked), expected, atol=0.01)
    assert np.allclose(kept.get(asked), expected, atol=0.01)
    assert embedder.calls == 2  # both places of one call, none in the next
    assert SentenceVectors(tmp_path, embedder).missing(asked) == 1


def test_nothing_is_created_by_looking(tmp_path: Path):
    kept = SentenceVectors(tmp_path / "sub", HashEmbedder())
    assert kept.missing(sentences("a")) == 1
    assert kept.get([]).shape == (0, 64)
    kept.get(sentences("a"))
    assert not (tmp_path / "sub").exists()


@pytest.mark.parametrize("torn", ["rows", "vectors"])
def test_a_torn_end_is_cut_off_and_made_again(tmp_path: Path, torn: str):
    embedder = HashEmbedder()
    SentenceVectors(tmp_path, embedder).ensure(MANY[:20])
    rows, vectors = files(tmp_path)
    file = rows if torn == "rows" else vectors
    file.write_bytes(file.read_bytes()[:-5])
    kept = SentenceVectors(tmp_path, embedder)
    assert kept.missing(MANY[:20]) == 1
    assert kept.ensure(MANY[:30]) == 11
    exact = embedder.embed_documents([sentence.text for sentence in MANY[:30]])
    assert np.allclose(SentenceVectors(tmp_path, embedder).get(MANY[:30]), exact, atol=0.01)


def test_vectors_written_without_their_rows_are_ignored(tmp_path: Path):
    embedder = HashEmbedder()
    SentenceVectors(tmp_path, embedder).ensure(MANY[:20])
    _, vectors = files(tmp_path)
    vectors.write_bytes(vectors.read_bytes() + b"\x07" * 200)  # killed before the rows
    kept = SentenceVectors(tmp_path, embedder)
    assert kept.ensure(MANY[:25]) == 5
    exact = embedder.embed_documents([sentence.text for sentence in MANY[:25]])
    assert np.allclose(SentenceVectors(tmp_path, embedder).get(MANY[:25]), exact, atol=0.01)


def test_a_damaged_row_is_made_again(tmp_path: Path):
    embedder = HashEmbedder()
    SentenceVectors(tmp_path, embedder).ensure(MANY[:20])
    _, vectors = files(tmp_path)
    content = bytearray(vectors.read_bytes())
    content[5 * 64 : 5 * 64 + 8] = b"\x00\x11" * 4
    vectors.write_bytes(content)
    kept = SentenceVectors(tmp_path, embedder)
    exact = embedder.embed_documents([sentence.text for sentence in MANY[:20]])
    assert np.allclose(kept.get(MANY[:20]), exact, atol=0.01)
    assert kept.ensure(MANY[:20]) == 1
    assert SentenceVectors(tmp_path, embedder).missing(MANY[:20]) == 0


def test_each_embedder_has_vectors_of_its_own(tmp_path: Path):
    one, other = HashEmbedder(name="a/b"), HashEmbedder(name="a b", dimension=32)
    SentenceVectors(tmp_path, one).ensure(MANY[:3])
    kept = SentenceVectors(tmp_path, other)
    assert kept.missing(MANY[:3]) == 3
    kept.ensure(MANY[:3])
    assert kept.get(MANY[:3]).shape == (3, 32)
    assert SentenceVectors(tmp_path, one).missing(MANY[:3]) == 0


def test_clear_forgets(tmp_path: Path):
    kept = SentenceVectors(tmp_path, HashEmbedder())
    kept.ensure(MANY[:3])
    kept.clear()
    assert kept.missing(MANY[:3]) == 3
    assert kept.ensure(MANY[:3]) == 3


def test_an_open_reader_sees_what_is_appended_by_another(tmp_path: Path):
    reader_embedder = HashEmbedder()
    reader = SentenceVectors(tmp_path, reader_embedder)
    reader.get(MANY[:1])
    SentenceVectors(tmp_path, HashEmbedder()).ensure(MANY[:9])
    reader_embedder.calls = 0
    reader.get(MANY[:9])
    assert reader_embedder.calls == 0


def test_a_second_writing_process_is_told_to_wait(tmp_path: Path):
    script = (
        "import sys; sys.path.insert(0, 'tests/unit')\n"
        "from test_retrieval_sentence_vectors import *\n"
        f"kept = SentenceVectors(Path({str(tmp_path)!r}), HashEmbedder())\n"
        "with kept.exclusive():\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, stdin=-1, stdout=-1, text=True
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == "held\n"
        with pytest.raises(LibraryBusy):
            SentenceVectors(tmp_path, HashEmbedder()).ensure(MANY[:3])
        other.kill()  # a dead process holds nothing
        other.wait()
    assert SentenceVectors(tmp_path, HashEmbedder()).ensure(MANY[:3]) == 3
