"""The real assistant over a library in a folder: real importer, no weights, no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from assistant.app import Assistant
from assistant.config import Settings
from assistant.jobs import ImportJob
from assistant.library.store import Store
from assistant.retrieval.fakes import ExactVectorStore, HashEmbedder, PlainKeywordIndex
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.ports import Vectors
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.weights.catalog import QUOTES_ONLY, Catalog


class GatedEmbedder(HashEmbedder):
    """Embeds documents only while its gate is open."""

    def __init__(self) -> None:
        super().__init__(dimension=512)
        self.gate = threading.Event()
        self.gate.set()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        assert self.gate.wait(60), "nobody opened the gate"
        return super().embed_documents(texts)


class LibraryAssistant(Assistant):
    """An assistant whose embedder can be held, and whose import can be put in its place."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(data_dir=folder / "data", models_dir=folder / "models", llm=QUOTES_ONLY)
        store = Store.open(settings.data_dir, create=True)
        self.gate = (embedder := GatedEmbedder()).gate
        vectors = SentenceVectors(folder / "sentences", embedder)
        parts = (store, embedder, ExactVectorStore(), PlainKeywordIndex(), vectors)
        super().__init__(settings, store, Indexes(*parts), Catalog(settings), None, "")

    def put(self, folder: Path, name: str, text: str) -> None:
        """Import a file at once."""
        path = folder / name
        path.write_text(text, encoding="utf-8")
        (report,) = self.ingest([path]).files
        assert not report.error, report

    def play(self, work: Callable[..., None]) -> ImportJob:
        """Let ``work`` be the import under way."""
        self._job = ImportJob(work)
        return self._job
