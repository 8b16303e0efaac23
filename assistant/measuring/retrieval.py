"""How well papers are found: judged queries, put to the search that serves readers.

The corpus is imported into a library of its own in a temporary folder, indexed, and searched. It
takes the way of any reader's file, so that what an import merges or turns down counts. Only
embeddings are kept for the next time.
"""

from __future__ import annotations

import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant import app, chosen
from assistant.app import Assistant
from assistant.config import Settings
from assistant.errors import ReadError
from assistant.measuring.benchmark import DOCUMENT_HINT, Benchmark
from assistant.measuring.measures import About, Report, measured
from assistant.retrieval.baselines import BaselineRanking, Ranking
from assistant.retrieval.cached import CachedEmbedder
from assistant.retrieval.indexes import SCHEME
from assistant.retrieval.parts import Baseline
from assistant.weights.catalog import Catalog

DEPTH = 100  # papers a query
_SHOWN = 10  # ids in a row for reading
_MEASURES = {"nDCG@10": "nDCG@10", "Recall@10": "R@10", "Recall@100": "R@100", "MRR": "RR"}

Tell = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a query: its documents, best first, and how good that is.

    ``ranks`` are those of the relevant documents, None where one was not found.
    """

    id: str
    text: str
    found: tuple[str, ...]
    ranks: Mapping[str, int | None]
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Run:
    """What was found for each query, and in how many seconds, embedding left out."""

    found: Mapping[str, tuple[str, ...]]
    seconds: Sequence[float]
    about: Mapping[str, About]


def evaluate_retrieval(
    benchmark: Benchmark,
    settings: Settings,
    *,
    baseline: Baseline | None = None,
    on_progress: Tell | None = None,
) -> tuple[Report, list[Outcome]]:
    """Put every judged query to the search, or to a part of it.

    The embedder and the reranker are those of ``settings``, the reranker with all the time that it
    needs; the library that they name is left alone. Raise ``ReadError`` where nothing of the corpus
    can be imported.
    """
    started = time.monotonic()
    tell = on_progress or (lambda _what, _count: None)
    # no clock: what is measured must not depend on how busy the machine is
    reranker = None if baseline else chosen.reranker_of(Catalog(settings), patience=math.inf)
    embedder = CachedEmbedder(app.embedder_of(settings), settings.cache_dir / "embeddings")
    with (
        tempfile.TemporaryDirectory(prefix="assistant-eval-", ignore_cleanup_errors=True) as folder,
        closing(embedder),
    ):
        own = settings.model_copy(update={"data_dir": Path(folder)})
        built = app.build(own, create=True, embedder=embedder, reranker=reranker)
        with closing(built) as assistant:
            run = _run(assistant, benchmark, baseline, embedder, tell)
    outcomes = _outcomes(benchmark, run.found)
    measures = {
        name: measured([outcome.measures[name] for outcome in outcomes], statistics.fmean)
        for name in _MEASURES
    }
    about = {
        "baseline": baseline.value if baseline else None,
        "reranker": reranker.name if reranker else None,
        **run.about,
        "queries": len(outcomes),
        "query_ms_median": round(1000 * statistics.median(run.seconds), 1),
        "query_ms_p95": round(1000 * float(np.percentile(run.seconds, 95)), 1),
        "seconds": round(time.monotonic() - started, 1),
    }
    return Report(measures, about), outcomes


def as_lines(outcomes: Sequence[Outcome]) -> str:
    """Return a JSON line a query, for reading by eye."""
    rows = (
        {
            "id": outcome.id,
            "text": outcome.text,
            "measures": outcome.measures,
            "relevant": outcome.ranks,
            "first": outcome.found[:_SHOWN],
        }
        for outcome in outcomes
    )
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _run(
    assistant: Assistant,
    benchmark: Benchmark,
    baseline: Baseline | None,
    embedder: CachedEmbedder,
    tell: Tell,
) -> _Run:
    """Import the corpus, index it and search it."""
    rejected = _imported(assistant, benchmark, tell)
    ids = benchmark.ids_of_papers(assistant.store)
    ranking: Ranking = assistant.searcher
    if baseline is not None:
        ranking = BaselineRanking(baseline, assistant.indexes)
    found: dict[str, tuple[str, ...]] = {}
    seconds = []
    for number, (query, text) in enumerate(benchmark.queries.items(), start=1):
        start, embedding = time.perf_counter(), embedder.seconds
        hits = ranking.search(text, k=DEPTH, evidence_limit=0)
        # embedding is left out, or what is kept from another run would look quicker
        seconds.append(time.perf_counter() - start - (embedder.seconds - embedding))
        # the documents of one paper stand one after the other at its rank
        listed = (document for hit in hits for document in ids.get(hit.paper.id, ()))
        found[query] = tuple(dict.fromkeys(listed))
        tell("queries", number)
    known = set(benchmark.ids.values())
    judged = {document for of_query in benchmark.qrels.values() for document in of_query}
    about: dict[str, About] = {
        "embedder": embedder.name,
        "index": assistant.indexes.version(),
        "scheme": SCHEME,
        "documents": len(known),
        "documents_rejected": rejected,
        "judged_documents_not_there": len(judged - known),
        "papers": len(ids),
    }
    return _Run(found, seconds, about)


def _imported(assistant: Assistant, benchmark: Benchmark, tell: Tell) -> int:
    """Import and index the corpus; return how many of its records were turned down."""
    (report,) = assistant.ingest([benchmark.path], on_progress=tell).files
    if report.error:
        raise ReadError(report.error, report.hint)
    name = benchmark.corpus.name
    if report.format != "jsonl":
        raise ReadError(f"{name} is {report.format} and not JSON Lines.", DOCUMENT_HINT)
    if assistant.store.is_empty():
        raise ReadError(f"No document of {name} has a title or a text.", DOCUMENT_HINT)
    return report.rejected_count


def _outcomes(benchmark: Benchmark, found: Mapping[str, tuple[str, ...]]) -> list[Outcome]:
    measures = _measures(benchmark, found)
    outcomes = []
    for query, text in benchmark.queries.items():
        places = {document: rank for rank, document in enumerate(found[query], start=1)}
        relevant = (document for document, score in benchmark.qrels[query].items() if score > 0)
        ranks = {document: places.get(document) for document in relevant}
        outcomes.append(Outcome(query, text, found[query], ranks, measures[query]))
    return outcomes


def _measures(
    benchmark: Benchmark, found: Mapping[str, tuple[str, ...]]
) -> dict[str, dict[str, float]]:
    """Return every measure of every query, 0 where nothing was found."""
    import ir_measures

    names = {ir_measures.parse_measure(said): name for name, said in _MEASURES.items()}
    # whole numbers that fall by one: no two documents tie
    run = {
        query: {document: float(-place) for place, document in enumerate(listed)}
        for query, listed in found.items()
    }
    values = {query: dict.fromkeys(_MEASURES, 0.0) for query in benchmark.queries}
    for metric in ir_measures.iter_calc(list(names), benchmark.qrels, run):
        values[metric.query_id][names[metric.measure]] = float(metric.value)
    return values
