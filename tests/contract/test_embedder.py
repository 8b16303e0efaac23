"""One suite for every embedder: the hashed bag of words, a cache over it, the packaged MiniLM."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from assistant.errors import ModelError
from assistant.retrieval.cached import CachedEmbedder
from assistant.retrieval.embedder import SentenceTransformerEmbedder, packaged_model
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.ports import Embedder

REAL = SentenceTransformerEmbedder(packaged_model(), "all-minilm-l6-v2")


@pytest.fixture(params=["hash", "cached", pytest.param("minilm", marks=pytest.mark.real)])
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Embedder]:
    if request.param == "cached":
        with closing(CachedEmbedder(HashEmbedder(), tmp_path)) as cached:
            yield cached
    else:
        yield HashEmbedder() if request.param == "hash" else REAL


def test_vectors_are_unit_rows_of_float32(embedder: Embedder):
    vectors = embedder.embed_documents(["one sentence", "another, much longer, sentence about it"])
    assert vectors.shape == (2, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_a_query_is_one_unit_vector(embedder: Embedder):
    vector = embedder.embed_query("what is it?")
    assert vector.shape == (embedder.dimension,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_several_queries_are_as_each_alone(embedder: Embedder):
    texts = ["what is a binder?", "mosses", "a longer one about quantization of models"]
    rows = embedder.embed_queries(texts)
    assert (rows.dtype, rows.shape) == (np.float32, (3, embedder.dimension))
    for text, row in zip(texts, rows, strict=True):
        assert float(row @ embedder.embed_query(text)) > 0.9999
    assert embedder.embed_queries([]).shape == (0, embedder.dimension)


def test_no_texts_give_no_rows(embedder: Embedder):
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)


def test_alike_texts_are_nearer_than_others(embedder: Embedder):
    near, far = embedder.embed_documents(
        ["diffusion models design protein binders", "shuffling gradient methods converge"]
    )
    query = embedder.embed_query("designing proteins with diffusion")
    assert query @ near > query @ far + 0.2


def test_order_and_company_do_not_change_a_vector(embedder: Embedder):
    texts = [
        "short",
        "a text that is a good deal longer than the others of its batch",
        "middle one",
    ]
    together = embedder.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(embedder.embed_documents([text])[0], vector, atol=1e-4)


@pytest.mark.parametrize(
    "text", ["", " ", "\x00\x07", "🙂", "蛋白质", "\ud800", "x" * 30_000, "<b>&amp;"]
)
def test_any_text_has_a_vector(embedder: Embedder, text: str):
    assert np.isfinite(embedder.embed_query(text)).all()
    assert np.isfinite(embedder.embed_documents([text])).all()
    assert embedder.count_tokens(text) >= 0


def test_what_is_over_the_limit_is_cut_and_what_is_under_counts(embedder: Embedder):
    words = [f"word{i}" for i in range(embedder.max_tokens)]
    kept = len(words)
    while embedder.count_tokens(" ".join(words[:kept])) > embedder.max_tokens:
        kept -= 1
    under = " ".join(words[:kept])
    beyond = under + " zebra" * 50
    changed = " ".join([*words[: kept - 1], "zebra"])
    assert np.allclose(embedder.embed_query(beyond + " fish"), embedder.embed_query(beyond))
    assert not np.allclose(embedder.embed_query(under), embedder.embed_query(changed), atol=1e-4)


def test_counting_adds_up(embedder: Embedder):
    assert embedder.count_tokens("") == 0
    one, two = embedder.count_tokens("protein design"), embedder.count_tokens("diffusion models")
    assert embedder.count_tokens("protein design diffusion models") == one + two


@pytest.mark.real
def test_threads_share_one_model():
    texts = [f"a question about number {i}" for i in range(8)]
    alone = [REAL.embed_query(text) for text in texts]
    together: dict[str, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda t=text: together.update({t: REAL.embed_query(t)}))
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(together[t], v, atol=1e-5) for t, v in zip(texts, alone, strict=True))


@pytest.mark.real
def test_the_model_says_its_shape_without_being_loaded():
    script = (
        "import sys\n"
        "from assistant.retrieval.embedder import SentenceTransformerEmbedder, packaged_model\n"
        "e = SentenceTransformerEmbedder(packaged_model(), 'm')\n"
        "print(e.dimension, e.max_tokens, e.count_tokens('word ' * 400))\n"
        "assert not {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)\n"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, check=True)
    assert run.stdout.split() == [b"384", b"254", b"400"]


def test_a_missing_folder_is_told_with_the_command(tmp_path: Path):
    embedder = SentenceTransformerEmbedder(tmp_path / "nowhere", "some-embedder")
    for ask in (
        lambda: embedder.dimension,
        lambda: embedder.count_tokens("x"),
        lambda: embedder.embed_query("x"),
    ):
        with pytest.raises(ModelError) as told:
            ask()
        assert "assistant models pull" in told.value.hint


@pytest.mark.real
def test_broken_weights_are_told(tmp_path: Path):
    folder = tmp_path / "model"
    shutil.copytree(packaged_model(), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / "model.safetensors").write_bytes(b"junk")
    embedder = SentenceTransformerEmbedder(folder, "some-embedder")
    with pytest.raises(ModelError, match="some-embedder"):
        embedder.embed_query("x")


@pytest.mark.real
def test_prefixes_reach_the_model_and_shorten_what_a_document_may_hold():
    prefixed = SentenceTransformerEmbedder(
        packaged_model(), "prefixed", query_prefix="query: ", document_prefix="passage: "
    )
    assert np.allclose(prefixed.embed_query("a b"), REAL.embed_query("query: a b"), atol=1e-5)
    documents = prefixed.embed_documents(["a b"])
    assert np.allclose(documents, REAL.embed_documents(["passage: a b"]), atol=1e-5)
    assert prefixed.max_tokens == REAL.max_tokens - REAL.count_tokens("passage: ")


def test_a_package_that_is_not_there_is_told():
    with pytest.raises(ModelError, match="not installed"):
        packaged_model("no_such_package_of_weights")


def test_the_limit_is_the_smaller_of_the_two_that_a_folder_names(tmp_path: Path):
    (tmp_path / "config.json").write_text(
        json.dumps({"hidden_size": 8, "max_position_embeddings": 64}), encoding="utf-8"
    )
    assert SentenceTransformerEmbedder(tmp_path, "m").max_tokens == 62
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 32}', encoding="utf-8")
    assert SentenceTransformerEmbedder(tmp_path, "m").max_tokens == 30


def test_common_words_are_known_and_slips_are_not(embedder: Embedder):
    assert embedder.knows("fewer")
    assert embedder.knows("The")
    assert not embedder.knows("quantizaton")
    assert not embedder.knows("MatQaunt")
