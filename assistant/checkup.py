"""What ``doctor`` looks at."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.config import Settings
from assistant.errors import DerivedIndexError, ModelError
from assistant.library import inspecting
from assistant.library.store import Store
from assistant.retrieval.indexes import Indexes
from assistant.weights.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Finding:
    """What ``doctor`` found out about one part."""

    part: str
    ok: bool
    message: str
    hint: str = ""


def findings(
    store: Store, indexes: Indexes, catalog: Catalog, settings: Settings, *, deep: bool
) -> list[Finding]:
    """Return what was found out about the library, its indexes and the embedder."""
    found = [_library(store), *_indexes(indexes)]
    if deep:
        found += [_papers(store), _counts(indexes)]
    return [*found, _embedder(catalog, settings), *_reranker(catalog)]


def _library(store: Store) -> Finding:
    counts = store.counts()
    damage = store.check()
    bare = f", {counts.references} of them without an abstract" if counts.references else ""
    return Finding(
        "library",
        ok=not damage and counts.papers > 0,
        message="; ".join(damage) or f"{counts.papers} papers{bare}, {counts.passages} passages",
        hint="" if counts.papers and not damage else "Run: assistant ingest FILE",
    )


def _indexes(indexes: Indexes) -> list[Finding]:
    return [
        Finding("indexes", ok=False, message=problem.message, hint=problem.hint)
        for problem in indexes.check()
    ] or [Finding("indexes", ok=True, message=f"version {indexes.version()}")]


def _papers(store: Store) -> Finding:
    faults = inspecting.faults(store)
    return Finding(
        "papers",
        ok=not faults,
        message="; ".join(faults) or "every passage is a slice of its abstract",
        hint="Import the files of these papers again." if faults else "",
    )


def _counts(indexes: Indexes) -> Finding:
    try:
        numbers = indexes.counts()
    except (DerivedIndexError, ModelError) as error:
        return Finding("counts", ok=False, message=error.message, hint=error.hint)
    same = (numbers["vectors"], numbers["keywords"]) == (numbers["passages"], numbers["texts"])
    return Finding(
        "counts",
        ok=same,
        message="vectors {vectors} of {passages}, keywords {keywords} of {texts}".format(**numbers),
        hint="" if same else "Run `assistant reindex`.",
    )


def _reranker(catalog: Catalog) -> list[Finding]:
    """Return what was found out about the reranker, nothing where none is wanted."""
    try:
        name = catalog.selected_reranker()
        found = catalog.resolve(name) if name else None
    except ModelError as error:
        return [Finding("reranker", ok=False, message=error.message, hint=error.hint)]
    if found is None:
        return []
    right = found.entry.role == "reranker"
    return [
        Finding(
            "reranker",
            ok=right,
            message=f"{found.name} in {found.path}" if right else f"{found.name} is none",
            hint="" if right else "'assistant models list' shows those that are.",
        )
    ]


def _embedder(catalog: Catalog, settings: Settings) -> Finding:
    try:
        found = catalog.resolve(settings.embedder)
    except ModelError as error:
        return Finding("embedder", ok=False, message=error.message, hint=error.hint)
    return Finding("embedder", ok=True, message=f"{found.name} in {found.path}")
