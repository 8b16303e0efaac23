"""A query made ready: as words, as vectors of the whole and of its parts, and turned to papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.retrieval import facets
from assistant.retrieval.ports import Embedder, Vectors

MOST_CLAUSES = 8
_MOST_PHRASES = 12
_MOST_EMBEDDED = 40


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: as words and as a vector, and papers that are not to be found.

    ``clauses`` are its parts with a vector each, ``phrases`` the vectors of each few words.
    """

    text: str
    vector: Vectors
    clauses: tuple[str, ...]
    clause_vectors: Vectors
    phrase_vectors: Vectors
    without: frozenset[str] = frozenset()


def of_text(text: str, embedder: Embedder) -> Query:
    """Return what a text asks for; of a long one the clauses that are most about it."""
    clauses = facets.split(text)[:_MOST_EMBEDDED]
    phrases = facets.phrases(text)
    if len(phrases) > _MOST_PHRASES:
        phrases = ()
    flat = list(dict.fromkeys((text, *clauses, *phrases)))
    rows = dict(zip(flat, embedder.embed_queries(flat), strict=True))
    vector = rows[text]
    kept = _most_central(clauses, rows, vector)
    clause_vectors = np.stack([rows[clause] for clause in kept]) if kept else vector[None]
    phrase_vectors = np.stack([rows[phrase] for phrase in phrases]) if phrases else clause_vectors
    return Query(text, vector, kept, clause_vectors, phrase_vectors)


def of_vector(text: str, vector: Vectors, without: frozenset[str]) -> Query:
    """Return a query that is all in its vector: like some papers, unlike others."""
    return Query(text, vector, (), vector[None], vector[None], without)


def _most_central(
    clauses: tuple[str, ...], rows: dict[str, Vectors], vector: Vectors
) -> tuple[str, ...]:
    if len(clauses) <= MOST_CLAUSES:
        return clauses
    order = sorted(range(len(clauses)), key=lambda i: -float(rows[clauses[i]] @ vector))
    return tuple(clauses[i] for i in sorted(order[:MOST_CLAUSES]))
