"""A query made ready: its clauses and phrases, each with the vector of its own text."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.retrieval import facets, queries
from assistant.retrieval.fakes import HashEmbedder

LONG = ". ".join(f"Bats of kind {n} hunt brown moths with echoes of tone {n}" for n in range(30))


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


def test_vectors_are_those_of_the_texts(embedder: HashEmbedder):
    text = "Bats hunt brown moths at night. Robots count mosses on old walls."
    query = queries.of_text(text, embedder)
    assert query.text == text
    assert np.allclose(query.vector, embedder.embed_query(text))
    assert query.clauses == facets.split(text)
    assert np.allclose(query.clause_vectors, embedder.embed_queries(query.clauses))
    assert np.allclose(query.phrase_vectors, embedder.embed_queries(facets.phrases(text)))


@pytest.mark.parametrize("text", ["what is it", "?", "🙂", "x" * 10_000])
def test_a_text_without_parts_stands_for_itself(embedder: HashEmbedder, text: str):
    query = queries.of_text(text, embedder)
    assert query.clause_vectors.shape == query.phrase_vectors.shape == (1, embedder.dimension)
    assert np.allclose(query.clause_vectors[0], query.vector)


def test_of_a_page_the_clauses_are_kept_that_are_most_about_it_in_their_order(
    embedder: HashEmbedder,
):
    query = queries.of_text(LONG, embedder)
    every = facets.split(LONG)
    assert len(every) > len(query.clauses) == queries.MOST_CLAUSES
    assert list(query.clauses) == [clause for clause in every if clause in query.clauses]
    kept = (query.clause_vectors @ query.vector).min()
    left = [clause for clause in every[:40] if clause not in query.clauses]
    assert kept >= (embedder.embed_queries(left) @ query.vector).max() - 1e-6
    # phrases of a page would be more than are worth their time
    assert query.phrase_vectors.shape == query.clause_vectors.shape


def test_a_query_of_papers_is_all_in_its_vector(embedder: HashEmbedder):
    vector = embedder.embed_query("bats")
    query = queries.of_vector("bats", vector, frozenset({"p1"}))
    assert query.clauses == ()
    assert query.without == {"p1"}
    assert np.array_equal(query.clause_vectors, vector[None])
