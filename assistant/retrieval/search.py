"""Hybrid search: papers for a query, each with the sentences that bear on it.

Nearest passages and BM25 each propose papers; what is proposed is scored anew by keywords, by its
best passage and by its best sentence, whose vectors are kept from import and cost nothing here.
How the scores are mixed is told in :mod:`assistant.retrieval.ranking`. It does not decide whether
the library can answer.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.errors import ModelError
from assistant.library.store import Store
from assistant.retrieval import evidence, queries, ranking, spelling
from assistant.retrieval.lexical import TermStats, tokenise
from assistant.retrieval.ports import Embedder, KeywordIndex, Reranker, Vectors, VectorStore
from assistant.retrieval.queries import Query
from assistant.retrieval.ranking import Signals, Weights
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.retrieval.wanted import vector_ids
from assistant.types import Filters, Hit, Sentence

__all__ = ["PaperText", "Query", "Searcher", "Weights"]

logger = logging.getLogger(__name__)

_MOST_CHARACTERS = 20_000
_TELLING = 24  # words of papers that others are to be like
_SPELT_LIKE = 20  # passages looked at for the word that was meant
_UNLIKED = 0.5  # how far a query is turned away from what it is to be unlike


@dataclass(frozen=True, slots=True)
class PaperText:
    """The sentences of a paper, and a vector for each; a last one for its title if it has one."""

    sentences: tuple[Sentence, ...]
    rows: Vectors

    @property
    def vectors(self) -> Vectors:
        """Return the vectors of the sentences, a row each."""
        return self.rows[: len(self.sentences)]


class Searcher:
    """Finds papers in a library; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        vectors: VectorStore,
        keywords: KeywordIndex,
        sentence_vectors: SentenceVectors,
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._vectors = vectors
        self._keywords = keywords
        self._sentence_vectors = sentence_vectors
        self._reranker = reranker

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        filters: Filters | None = None,
        weights: Weights | None = None,
        evidence_limit: int = evidence.ENOUGH,
    ) -> list[Hit]:
        """Return up to ``k`` papers, best first, each with up to ``evidence_limit`` sentences.

        Any text is a query; one without words finds nothing. ``Hit.score`` orders the hits of one
        query; ``cosine`` and ``bm25`` are the raw signals and compare across queries.
        """
        query = query[:_MOST_CHARACTERS].strip()
        if not any(character.isalnum() for character in query) or k < 1:
            return []
        return self.search_for(
            self.query(query), k=k, filters=filters, weights=weights, evidence_limit=evidence_limit
        )

    def respelt(self, text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return a text with the slips of spelling mended that the library knows to mend.

        Each is told as a pair of what was written and what it is read as.
        """
        stats = self.term_stats()
        pairs = []
        for word, term in spelling.unknown(text, stats, self._embedder.knows):
            if other := self._mended(word, stats) or self._spelt_like(word, term, stats):
                pairs.append((word, other))
                text = spelling.replaced(text, word, other)
        return text, tuple(pairs)

    def _mended(self, word: str, stats: TermStats) -> str:
        """Return the commonest word of the library that is one slip from this one, as written."""
        variants = spelling.variants(word)
        held = [term for term in self._keywords.held(variants) if stats.df(term)]
        best = max(held, key=lambda term: (stats.df(term), term), default="")
        forms = variants.get(best, [])
        return next(filter(self._embedder.knows, forms), "") or self._written(forms)

    def _written(self, forms: Sequence[str]) -> str:
        """Return one of the forms of a word as it stands in the library, none where none does."""
        near = self._keywords.search(" ".join(forms), _SPELT_LIKE)
        names = self._store.papers(list(dict.fromkeys(paper_id for _, paper_id, _ in near)))
        texts = (f"{paper.name} {paper.abstract}" for paper in names)
        words = (word for text in texts for word in spelling.words(text))
        return next((word for word in words if word.lower() in forms), "")

    def _spelt_like(self, word: str, term: str, stats: TermStats) -> str:
        """Return the word that stands where terms as near as two slips are found."""
        near = self._keywords.spelt_like(term, spelling.slips(len(term)), _SPELT_LIKE)
        texts = [passage.text for passage in self._store.passages(id_ for id_, _ in near)]
        texts += [paper.name for paper in self._store.papers([id_ for _, id_ in near])]
        other = spelling.nearest(term, texts, stats)
        return other if spelling.alike(word, other) else ""

    def query(self, text: str, like: Sequence[str] = (), unlike: Sequence[str] = ()) -> Query:
        """Return what a text asks for, turned to papers that it is to be like or unlike."""
        asked = queries.of_text(text, self._embedder) if text else None
        if asked is not None and not like and not unlike:
            return asked
        vector = self._centre(like) - _UNLIKED * self._centre(unlike)
        vector = _unit(vector if asked is None else vector + asked.vector)
        words = f"{text} {self._telling_words(like)}".strip()
        without = frozenset((*like, *unlike))
        if asked is None:
            return queries.of_vector(words, vector, without)
        return replace(asked, text=words, vector=vector, without=without)

    def search_for(
        self,
        query: Query,
        *,
        k: int = 10,
        filters: Filters | None = None,
        weights: Weights | None = None,
        evidence_limit: int = evidence.ENOUGH,
    ) -> list[Hit]:
        """Return the papers for a query as :meth:`search` does."""
        if k < 1:
            return []
        allowed = self._store.paper_ids(filters)
        mix = weights or Weights()
        depth = max(mix.depth, k) + len(query.without)
        signals = self._propose(query, depth, allowed)
        texts = self.texts(signals)
        _read(signals, texts, query)
        stats = self.term_stats()
        scores = ranking.mixed(signals, mix, ranking.ceiling(query.text, stats))
        scores = self._reranked(query.text, ranking.in_order(scores), mix.reranked)
        best = list(scores)[:k]
        hits = []
        for paper in self._store.papers(best):
            found, text = signals[paper.id], texts[paper.id]
            chosen = evidence.select(
                query.text, query.vector, text.sentences, text.vectors, stats, limit=evidence_limit
            )
            hits.append(
                Hit(
                    paper,
                    scores[paper.id],
                    found.cosine,
                    found.bm25,
                    found.dense_rank,
                    found.keyword_rank,
                    chosen,
                    ranking.likelihood(scores[paper.id]),
                )
            )
        return hits

    def _reranked(self, text: str, scores: dict[str, float], depth: int) -> dict[str, float]:
        """Return the scores after the reranker's word on the best; as they are if it has none."""
        if self._reranker is None or not text:
            return scores
        papers = self._store.papers(list(scores)[:depth])
        try:
            told = self._reranker.scores(text, [f"{p.name}\n{p.abstract}" for p in papers])
        except ModelError as error:
            logger.warning("without the reranker: %s", error.message)
            return scores
        judged = zip((paper.id for paper in papers), told, strict=False)  # the time may be up
        return ranking.reranked(scores, dict(judged))

    def term_stats(self) -> TermStats:
        """Return how many papers of the library hold a term."""
        return self._keywords.term_stats()

    def texts(self, paper_ids: Collection[str]) -> dict[str, PaperText]:
        """Return the sentences of papers with their vectors, looked up together."""
        sentences = self._store.sentences_of(list(paper_ids))
        titles = dict(self._store.titles_of(list(paper_ids)))
        flat: list[Sentence] = []
        ends = []
        for paper_id, of_paper in sentences.items():
            flat += of_paper
            if paper_id in titles:
                flat.append(Sentence(paper_id, -1, 0, 0, titles[paper_id]))
            ends.append(len(flat))
        matrix = self._sentence_vectors.get(flat)
        rows = np.split(matrix, ends[:-1]) if ends else []
        return {
            paper_id: PaperText(of_paper, of_rows)
            for (paper_id, of_paper), of_rows in zip(sentences.items(), rows, strict=True)
        }

    def _propose(
        self, query: Query, depth: int, allowed: Collection[str] | None
    ) -> dict[str, Signals]:
        """Return ``depth`` papers that either side proposes, with the signals of both sides."""
        near = self._vectors.nearest(query.vector, 2 * depth, allowed)
        told = self._keywords.search(query.text, depth, allowed)  # one text a paper
        signals: dict[str, Signals] = {}
        for rank, (paper_id, cosine) in enumerate(ranking.best_passages(near)[:depth], start=1):
            found = signals.setdefault(paper_id, Signals())
            found.cosine, found.dense_rank = cosine, rank
        for rank, (paper_id, bm25) in enumerate(ranking.best_passages(told)[:depth], start=1):
            found = signals.setdefault(paper_id, Signals())
            found.bm25, found.keyword_rank = bm25, rank
        kept = sorted(
            signals.keys() - query.without,
            key=lambda paper_id: (-ranking.fused(signals[paper_id]), paper_id),
        )
        signals = {paper_id: signals[paper_id] for paper_id in kept[:depth]}
        self._complete(query, signals)
        return signals

    def _complete(self, query: Query, signals: dict[str, Signals]) -> None:
        """Ask each side about the papers that only the other proposed."""
        no_cosine = [paper_id for paper_id, found in signals.items() if not found.dense_rank]
        no_words = [paper_id for paper_id, found in signals.items() if not found.keyword_rank]
        if no_cosine:
            owners = vector_ids(self._store, no_cosine)
            for id_, cosine in self._vectors.cosines(query.vector, owners).items():
                found = signals[owners[id_]]
                found.cosine = max(found.cosine, cosine)
        if no_words:
            told = self._keywords.search(query.text, len(no_words), no_words)
            for paper_id, bm25 in ranking.best_passages(told):
                signals[paper_id].bm25 = bm25

    def _centre(self, paper_ids: Sequence[str]) -> Vectors:
        """Return the mean direction of papers: of the sentences and the title of each."""
        centre = np.zeros(self._embedder.dimension, dtype=np.float32)
        for text in self.texts(paper_ids).values():
            if len(text.rows):
                centre += _unit(text.rows.mean(axis=0))
        return _unit(centre)

    def _telling_words(self, paper_ids: Sequence[str]) -> str:
        """Return the words of papers that tell them from others in the library."""
        stats = self.term_stats()
        weights: dict[str, float] = {}
        for paper in self._store.papers(list(paper_ids)):
            for word in f"{paper.name} {paper.abstract}".split():
                bare = word.strip(".,;:()[]{}\"'")
                terms = tokenise(bare)
                # a term of this paper alone finds this paper alone
                if terms and stats.df(terms[0]) > 1:
                    weights[bare.lower()] = weights.get(bare.lower(), 0.0) + stats.idf(terms[0])
        return " ".join(sorted(weights, key=lambda word: (-weights[word], word))[:_TELLING])


def _read(signals: Mapping[str, Signals], texts: Mapping[str, PaperText], query: Query) -> None:
    """Note what the sentences and the title of each paper say to each part of a query."""
    parts = np.vstack([query.vector[None], query.clause_vectors, query.phrase_vectors])
    clauses = slice(1, 1 + len(query.clause_vectors))
    phrases = slice(clauses.stop, None)
    told = [paper_id for paper_id in signals if len(texts[paper_id].rows)]
    for paper_id in signals.keys() - set(told):
        found = signals[paper_id]
        found.title = found.clauses = found.phrases = found.cosine
    if not told:
        return
    rows = [texts[paper_id].rows for paper_id in told]
    starts = np.cumsum([0, *map(len, rows)])
    cosines = np.concatenate(rows) @ parts.T
    best = np.maximum.reduceat(cosines, starts[:-1], axis=0)
    for paper_id, start, end, row in zip(told, starts, starts[1:], best, strict=False):
        found, sentences = signals[paper_id], len(texts[paper_id].sentences)
        found.clauses, found.phrases = float(row[clauses].mean()), float(row[phrases].mean())
        if end - start > sentences:
            found.title = float(cosines[end - 1, 0])
        else:
            # what a paper without a title is about, its two best sentences say
            found.title = float(np.sort(cosines[start:end, 0])[-2:].mean())


def _unit(vector: Vectors) -> Vectors:
    unit: Vectors = (vector / max(float(np.linalg.norm(vector)), 1e-9)).astype(np.float32)
    return unit
