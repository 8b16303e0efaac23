"""What an embedder is to see before a text: once, where it belongs, and within its limit.

The models are tiny ones drawn by chance; those of the manifest go through the adapter that serves
readers, with such a model in the place of their weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import POSITIONS, WIDTH, tiny_embedder

from assistant import app
from assistant.config import load_settings
from assistant.retrieval.embedder import SentenceTransformerEmbedder
from assistant.weights import catalog
from assistant.weights.manifest import load_manifest

BGE = "Represent this sentence for searching relevant passages: "
# as the pages of the models say
PREFIXES = {
    "all-minilm-l6-v2": ("", ""),
    "bge-small-en-v1.5": (BGE, ""),
    "granite-embedding-small-english-r2": ("", ""),
    "multilingual-e5-small": ("query: ", "passage: "),
    "granite-embedding-107m-multilingual": ("", ""),
}
SHORT, LONG = "protein design", "diffusion of a graph model"


class Recording:
    """Stands for the model: notes every text as the model would read it."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.documents: list[str] = []

    def encode_query(self, texts: list[str], *, prompt: str, **_: Any) -> np.ndarray:
        self.queries += [prompt + text for text in texts]
        return np.ones((len(texts), WIDTH))

    def encode_document(self, texts: list[str], *, prompt: str, **_: Any) -> np.ndarray:
        self.documents += [prompt + text for text in texts]
        return np.ones((len(texts), WIDTH))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_embedder(tmp_path_factory.mktemp("plain") / "model")


@pytest.fixture(scope="module")
def prompted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prompts = {"query": "own: ", "document": "own: "}
    return tiny_embedder(tmp_path_factory.mktemp("prompted") / "model", prompts)


@pytest.fixture
def unpinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any weights pass for those of the manifest, wherever they are said to come from."""
    freed = {"size": 0, "sha256": "", "sources": ()}
    entries = {name: entry.model_copy(update=freed) for name, entry in load_manifest().items()}
    monkeypatch.setattr(catalog, "load_manifest", lambda: entries)


def test_every_embedder_of_the_manifest_is_looked_at():
    assert {name for name, e in load_manifest().items() if e.role == "embedder"} == set(PREFIXES)


@pytest.mark.parametrize("name", PREFIXES)
@pytest.mark.usefixtures("unpinned")
def test_an_embedder_of_the_manifest_sees_its_prefixes_once(name: str, tmp_path: Path):
    tiny_embedder(tmp_path / "weights" / name, {"query": "own: ", "document": "own: "})
    embedder = app.embedder_of(load_settings(embedder=name))
    plain = SentenceTransformerEmbedder(tmp_path / "weights" / name, "plain")
    query, document = PREFIXES[name]
    assert np.allclose(embedder.embed_query(SHORT), plain.embed_query(query + SHORT), atol=1e-5)
    assert np.allclose(
        embedder.embed_queries([SHORT, LONG]),
        plain.embed_queries([query + SHORT, query + LONG]),
        atol=1e-5,
    )
    assert np.allclose(
        embedder.embed_documents([SHORT, LONG]),
        plain.embed_documents([document + SHORT, document + LONG]),
        atol=1e-5,
    )
    assert embedder.max_tokens == POSITIONS - 2 - plain.count_tokens(document)


def test_queries_and_documents_are_told_apart(plain: Path):
    stub = Recording()
    embedder = SentenceTransformerEmbedder(plain, "stub", "ask: ", "say: ")
    embedder._loaded = stub
    embedder.embed_query("one")
    embedder.embed_queries(["two", "ask: three"])
    embedder.embed_documents(["four", "", "say: five"])
    assert sorted(stub.queries) == sorted(["ask: one", "ask: two", "ask: ask: three"])
    assert sorted(stub.documents) == sorted(["say: four", "say: ", "say: say: five"])


@pytest.mark.parametrize("prefixes", [("", ""), ("query: ", "passage: ")])
def test_what_a_folder_would_put_before_is_left_out(
    plain: Path, prompted: Path, prefixes: tuple[str, str]
):
    without = SentenceTransformerEmbedder(plain, "plain", *prefixes)
    owning = SentenceTransformerEmbedder(prompted, "prompted", *prefixes)
    for text in (SHORT, LONG):
        assert np.allclose(owning.embed_query(text), without.embed_query(text), atol=1e-5)
        both = (owning.embed_documents([text]), without.embed_documents([text]))
        assert np.allclose(*both, atol=1e-5)
    # and the model does tell them apart
    assert not np.allclose(
        without.embed_query(SHORT), without.embed_query("own: " + SHORT), atol=1e-3
    )


def test_the_prefix_counts_towards_the_limit(plain: Path):
    embedder = SentenceTransformerEmbedder(plain, "e", document_prefix="passage: ")
    assert embedder.max_tokens == POSITIONS - 2 - 2
    kept = " ".join(["moss"] * embedder.max_tokens)
    vectors = embedder.embed_documents([kept, f"{kept} fish", kept.removesuffix("moss") + "fish"])
    assert np.allclose(vectors[0], vectors[1], atol=1e-5)
    assert not np.allclose(vectors[0], vectors[2], atol=1e-3)


def test_a_limit_below_that_of_the_folder_holds_for_counting_and_for_reading(plain: Path):
    embedder = SentenceTransformerEmbedder(plain, "e", limit=12)
    assert embedder.max_tokens == 10
    kept = " ".join(["moss"] * 10)
    assert np.allclose(embedder.embed_query(kept), embedder.embed_query(f"{kept} fish"), atol=1e-5)
    whole = SentenceTransformerEmbedder(plain, "e", limit=10 * POSITIONS)
    assert whole.max_tokens == POSITIONS - 2
    assert not np.allclose(whole.embed_query(kept), whole.embed_query(f"{kept} fish"), atol=1e-3)
