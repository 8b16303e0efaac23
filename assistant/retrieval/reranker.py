"""The reranker: a cross-encoder over a folder of weights, offline.

It reads a query and a text together, which tells more than two vectors do and takes far longer:
so it is given the first finds only, and stops when its time is up.
It does not fetch anything: the folder must be there.
"""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant.errors import ModelError
from assistant.retrieval.offline import offline, speakable

PATIENCE = 3.0  # seconds for the texts of one query
_BATCH = 4  # pairs read at once, between two looks at the clock
_MOST = 30.0  # log-odds beyond it say nothing more
_HINT = "Run `assistant models pull` with the name of the reranker, or set ASSISTANT_RERANKER=none."

logger = logging.getLogger(__name__)


class CrossEncoderReranker:
    """Tells how well texts fit a query with a cross-encoder of a local folder."""

    def __init__(
        self, path: Path, name: str, *, limit: int = 0, patience: float = PATIENCE
    ) -> None:
        """Remember where the weights are; nothing is read before it is needed.

        A query and a text are cut to ``limit`` tokens together; 0 leaves it to the folder.
        """
        self._path = path
        self._name = name
        self._limit = limit
        self._patience = patience
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._broken: ModelError | None = None

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return log-odds that each text fits the query, as far as the time allows.

        Raise ``ModelError`` when the model cannot be loaded or does not answer.
        """
        if not texts:
            return []
        with self._lock:
            model = self._model()
            found: list[float] = []
            until = time.monotonic() + self._patience
            while len(found) < len(texts) and (not found or time.monotonic() < until):
                some = texts[len(found) : len(found) + _BATCH]
                pairs = [(speakable(query), speakable(text)) for text in some]
                found += self._judged(model, pairs)
        return found

    def _judged(self, model: Any, pairs: list[tuple[str, str]]) -> list[float]:
        from torch import nn

        try:
            # the odds as they are: models differ in what they make of them
            raw = model.predict(
                pairs, batch_size=_BATCH, activation_fn=nn.Identity(), show_progress_bar=False
            )
            odds = [float(value) for value in raw]
        except Exception as error:  # each layer of the library has errors of its own
            logger.exception("reranker %s", self._name)
            raise ModelError(f"The reranker {self._name} does not answer.", _HINT) from error
        if not all(math.isfinite(value) for value in odds):
            raise ModelError(f"The reranker {self._name} answers with no numbers.", _HINT)
        return [max(-_MOST, min(_MOST, value)) for value in odds]

    def _model(self) -> Any:
        """Return the model; one that cannot be loaded is not tried again."""
        if self._broken is not None:
            raise self._broken
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except ModelError as error:
                self._broken = error
                raise
        return self._loaded

    def _load(self) -> Any:
        try:
            config = json.loads((self._path / "config.json").read_text(encoding="utf-8"))
            with offline():
                from sentence_transformers import CrossEncoder

                model = CrossEncoder(
                    str(self._path), device="cpu", local_files_only=True, trust_remote_code=False
                )
        except Exception as error:  # each layer of the library has errors of its own
            logger.exception("reranker %s", self._name)
            raise ModelError(
                f"The reranker {self._name} cannot be loaded from {self._path}.", _HINT
            ) from error
        if model.num_labels != 1:
            raise ModelError(f"{self._name} is no reranker: it sorts texts into classes.", _HINT)
        limits = (self._limit, config.get("max_position_embeddings"), model.max_seq_length)
        model.max_seq_length = min(int(limit) for limit in limits if limit)
        return model.float()
