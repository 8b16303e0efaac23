"""A library with indexes for tests: a real store, a hashing embedder, indexes in memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.retrieval.fakes import ExactVectorStore, HashEmbedder, PlainKeywordIndex
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.ports import Embedder, KeywordIndex, VectorStore
from assistant.retrieval.search import Searcher
from assistant.retrieval.sentence_vectors import SentenceVectors

ABSTRACTS = (
    (
        "Binders are hard to design. We introduce PPDiff, a diffusion model for protein binders. "
        "It reaches success rates of 50.00\\% on 706,360 complexes."
    ),
    (
        "Guessing games bore people. We propose AIM, a mechanism that asks for demonstrations. "
        "AIM saves 40% of the effort. Code is at https://github.com/metadriverse/AIM."
    ),
    (
        "Quantization makes models small. We propose MatQuant, which nests int2 in int8. "
        "With an extra bit for outliers an effective precision of 2.05-bit is reached."
    ),
    (
        "Opinions are polarised by networks. We act on network weights while opinions follow the "
        "Friedkin-Johnsen model. The scheme solves problems with 4.8 million variables."
    ),
)


@dataclass
class World:
    """Everything that retrieval needs, over one folder."""

    folder: Path
    embedder: Embedder = field(default_factory=HashEmbedder)
    vectors: VectorStore = field(default_factory=ExactVectorStore)
    keywords: KeywordIndex = field(default_factory=PlainKeywordIndex)

    def __post_init__(self) -> None:
        self.store = Store.open(self.folder, create=True)
        self.sentence_vectors = SentenceVectors(self.folder / "sentences", self.embedder)
        parts = (self.store, self.embedder, self.vectors, self.keywords, self.sentence_vectors)
        self.indexes = Indexes(*parts)
        self.searcher = Searcher(*parts)

    def put(self, abstracts: Sequence[str] = ABSTRACTS, name: str = "seeds.txt") -> None:
        """Import abstracts as a seed document, without touching the indexes."""
        file = self.folder / name
        file.write_text(f"Heading of {name}\n\n" + "\n\n".join(abstracts), encoding="utf-8")
        importer = Importer(self.store, self.embedder.count_tokens, self.embedder.max_tokens)
        (report,) = importer.run([file]).files
        assert not report.error, report
        assert not report.rejected, report

    def put_reference(self, title: str) -> None:
        """Import a paper of which only the title is known."""
        file = self.folder / "reference.jsonl"
        file.write_text(json.dumps({"title": title}), encoding="utf-8")
        importer = Importer(self.store, self.embedder.count_tokens, self.embedder.max_tokens)
        importer.run([file])

    def first(self, query: str) -> str:
        """Return the abstract of the first paper found."""
        return self.searcher.search(query)[0].paper.abstract
