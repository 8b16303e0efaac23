"""Papers made of real sentences, and an embedder that knows these without a network.

As many papers as are wanted are made of the sentences of libraries at hand. Each sentence gets a
number, so that no two are the same text; its vector is that of the real sentence with a little
noise, and a passage's is the mean of its sentences'. So the indexes grow as with real papers,
while a hundred thousand of them are made in minutes instead of the hours that embedding takes.
"""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assistant import app
from assistant.config import load_settings
from assistant.retrieval.ports import Embedder

Matrix = npt.NDArray[np.float32]

_NUMBERED = re.compile(r"\s*\((\d+)\)[.?!]?")
_NOISE = 0.02
_SENTENCES = (4, 8)
_COLLECTIONS = 10
_FAMILIES = 4_000


def sentences_of(data_dirs: Sequence[Path]) -> tuple[list[str], Matrix]:
    """Return the different sentences of libraries with their vectors."""
    texts: dict[str, None] = {}
    rows = []
    for data_dir in data_dirs:
        assistant = app.build(load_settings().model_copy(update={"data_dir": data_dir}))
        try:
            fresh = [s for s in assistant.store.all_sentences() if _plain(s.text) not in texts]
            rows.append(assistant.indexes.sentence_vectors.get(fresh))
            texts |= dict.fromkeys(_plain(sentence.text) for sentence in fresh)
            kept = {_plain(sentence.text): i for i, sentence in enumerate(fresh)}
            rows[-1] = rows[-1][list(kept.values())]
        finally:
            assistant.close()
    return list(texts), np.concatenate(rows).astype(np.float32)


class KnownSentences:
    """Vectors of numbered sentences, looked up; queries go to a real embedder."""

    def __init__(self, texts: Sequence[str], vectors: Matrix, queries: Embedder) -> None:
        """Take the sentences with their vectors; ``made_up`` counts texts that hold none."""
        self._places = {text: place for place, text in enumerate(texts)}
        self._vectors = vectors
        self._queries = queries
        self.made_up = 0
        self.name = "known sentences"
        self.dimension = vectors.shape[1]
        self.max_tokens = queries.max_tokens
        self.knows = queries.knows
        self.embed_query = queries.embed_query
        self.embed_queries = queries.embed_queries

    def count_tokens(self, text: str) -> int:
        """Return about the number of word pieces; counting them truly would take longer."""
        return len(text) // 4

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32."""
        rows = np.array([self._vector(text) for text in texts], dtype=np.float32)
        return rows.reshape(len(texts), self.dimension)

    def _vector(self, text: str) -> Matrix:
        known = []
        start = 0
        for mark in _NUMBERED.finditer(text):
            place = self._places.get(text[start : mark.start()].strip())
            if place is not None:
                known.append(place)
            start = mark.end()
        self.made_up += not known
        chance = np.random.default_rng(zlib.crc32(text.encode("utf-8", "replace")))
        noise = chance.normal(scale=_NOISE if known else 1.0, size=self.dimension)
        vector = noise + (self._vectors[known].sum(axis=0) if known else 0.0)
        unit: Matrix = np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
        return unit


def files(folder: Path, texts: Sequence[str], papers: int, seed: int = 0) -> list[Path]:
    """Write so many papers as JSON Lines, spread over files, each of which is a collection."""
    chance = random.Random(seed)
    made = [folder / f"part{number}.jsonl" for number in range(_COLLECTIONS)]
    records = _records(chance, texts, papers)
    for number, file in enumerate(made):
        size = papers // _COLLECTIONS + (number < papers % _COLLECTIONS)
        with file.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(next(records)) + "\n" for _ in range(size))
    return made


def _records(
    chance: random.Random, texts: Sequence[str], papers: int
) -> Iterator[dict[str, object]]:
    number = 0
    for paper in range(papers):
        # neighbours are of one paper or of one field, as the sentences of an abstract are
        start = chance.randrange(len(texts) - _SENTENCES[1])
        told = []
        for text in texts[start : start + chance.randint(*_SENTENCES)]:
            number += 1
            told.append(f"{text} ({number}).")
        title = f"{chance.choice(texts)} ({papers * _SENTENCES[1] + paper})."
        yield {
            "title": title,
            "abstract": " ".join(told),
            "authors": [f"Family{chance.randrange(_FAMILIES)}, Given" for _ in range(4)],
            "year": chance.randint(1990, 2025),
            "venue": f"Venue {chance.randrange(40)}",
        }


def _plain(text: str) -> str:
    """Return a sentence on one line without its end, as it stands before its number."""
    return " ".join(text.split()).rstrip(".?! ")
