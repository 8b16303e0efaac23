"""The models that the settings or the reader chose, made ready; loaded at their first use."""

from __future__ import annotations

import logging

from assistant.config import Settings
from assistant.errors import AssistantError, ModelError
from assistant.retrieval.ports import Reranker
from assistant.retrieval.reranker import PATIENCE, CrossEncoderReranker
from assistant.weights.catalog import QUOTES_ONLY, Catalog
from assistant.writing.llama import LlamaChatModel
from assistant.writing.ports import ChatModel

CONTEXT = 4096  # tokens: one paper a call never needs more, and memory grows with it

logger = logging.getLogger(__name__)


def reranker_of(catalog: Catalog, *, patience: float = PATIENCE) -> Reranker | None:
    """Return the reranker in use, None for none; raise ``ModelError`` where it is away."""
    name = catalog.selected_reranker()
    if not name:
        return None
    found = catalog.resolve(name)
    if found.entry.role != "reranker":
        raise ModelError(
            f"{found.name} is not a reranker.", "'assistant models list' shows those that are."
        )
    return CrossEncoderReranker(found.path, found.name, limit=found.context, patience=patience)


def reranker_or_none(catalog: Catalog) -> Reranker | None:
    """Return the reranker in use, or none where it is away: search goes on without it."""
    try:
        return reranker_of(catalog)
    except ModelError as error:
        logger.warning("no reranker: %s %s", error.message, error.hint)
        return None


def language_model(settings: Settings, catalog: Catalog) -> tuple[ChatModel | None, str]:
    """Return the model in use, or None with the command that mends it."""
    name = catalog.selected_llm()
    if name == QUOTES_ONLY:
        return None, "Quotes only, as set. To let a model write: assistant models use NAME"
    try:
        found = catalog.resolve(name)
    except AssistantError as error:
        logger.info("no language model: %s", error.message)
        return None, f"{error.message} {error.hint}".strip()
    context = settings.context or min(found.context, CONTEXT)
    return (
        LlamaChatModel(
            found.path,
            found.name,
            context=context,
            threads=settings.threads,
            gpu_layers=settings.gpu_layers,
        ),
        "",
    )
