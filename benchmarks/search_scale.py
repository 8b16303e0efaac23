"""How long a search takes as the library grows, under each kind of filter, and what it weighs.

    python benchmarks/search_scale.py DATA_DIR... --queries ideas.txt --picture curve.svg

DATA_DIR are libraries with sentence vectors of the embedder in use; papers are made of their
sentences (papers_like_real.py). Queries are lines of a text file, or ``text`` or ``question`` of
JSON Lines. Prints a JSON object a size: times in milliseconds at the median and the 95th
percentile, ``first_time`` with nothing read before; memory is what the process holds at the end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from curve import drawn
from papers_like_real import KnownSentences, files, sentences_of

from assistant import app
from assistant.config import load_settings
from assistant.retrieval.ports import Embedder
from assistant.threads import yield_while_waiting
from assistant.types import Filters, Idea

K = 10
FILTERS = {
    "none": None,
    "since 2020": Filters(year_from=2020),
    "one year": Filters(year_from=2001, year_to=2001),
    "one venue": Filters(venues=("Venue 7",)),
    "one author": Filters(authors=("Family7",)),
    "one collection": Filters(collections=("part3",)),
    "has abstract": Filters(has_abstract=True),
}


def queries_in(file: Path) -> list[str]:
    """Return the queries of a file."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            found.append(str(record.get("text") or record.get("question")))
        elif line.strip():
            found.append(line.strip())
    return found


def times(work: Callable[[Any], object], inputs: Sequence[Any]) -> list[float]:
    """Return the median and the 95th percentile of the milliseconds that each input takes."""
    took = []
    for given in inputs:
        begun = time.perf_counter()
        work(given)
        took.append(1000 * (time.perf_counter() - begun))
    return [round(float(value), 1) for value in np.percentile(took, [50, 95])]


def size_of(folder: Path) -> int:
    """Return the megabytes of the files in a folder."""
    return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)


def measured(
    folder: Path, papers: int, texts: Sequence[str], embedder: Embedder, queries: Sequence[str]
) -> dict[str, Any]:
    """Import so many papers into a folder, search them, and return the figures."""
    data = folder / "data"
    settings = load_settings().model_copy(update={"data_dir": data})
    told: dict[str, Any] = {"papers": papers}
    if not data.exists():
        folder.mkdir(parents=True, exist_ok=True)
        assistant = app.build(settings, create=True, embedder=embedder)
        begun = time.perf_counter()
        assistant.ingest(files(folder, texts, papers))
        told["import_s"] = round(time.perf_counter() - begun)
        assistant.close()
    told |= {f"{name}_mb": size_of(data / name) for name in ("chroma", "tantivy", "sentences")}
    told["all_mb"] = size_of(data)
    begun = time.perf_counter()
    assistant = app.build(settings, embedder=embedder)
    assistant.ready()
    told["open_s"] = round(time.perf_counter() - begun, 1)
    searcher = assistant.searcher
    ready = [searcher.query(text) for text in queries]
    told["first_time"] = times(partial(searcher.search_for, k=K, evidence_limit=0), ready)
    told["embedding"] = times(searcher.query, queries)
    for name, filters in FILTERS.items():
        there = assistant.store.paper_ids(filters)
        wanted = min(K, papers if there is None else len(there))
        search = partial(searcher.search_for, k=K, filters=filters, evidence_limit=0)
        told[name] = times(search, ready)
        if any(len(search(query)) < wanted for query in ready[:20]):
            told.setdefault("too_few", []).append(name)
    told["find"] = times(lambda text: assistant.find(Idea(text)), queries)
    told["memory_mb"] = round(psutil.Process().memory_info().rss / 1e6)
    assistant.close()
    return told


def main() -> None:
    """Measure every size, and draw the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dirs", type=Path, nargs="+")
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--most", type=int, default=200, help="queries to ask")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the libraries, used again")
    asked = parser.parse_args()
    yield_while_waiting()
    texts, vectors = sentences_of(asked.data_dirs)
    real = app.embedder_of(load_settings())
    queries = queries_in(asked.queries)[: asked.most]
    print(f"{len(texts):,} different sentences, {len(queries)} queries", file=sys.stderr)
    rows = []
    for papers in asked.sizes:
        embedder = KnownSentences(texts, vectors, real)
        with tempfile.TemporaryDirectory() as temporary:
            folder = (asked.keep or Path(temporary)) / str(papers)
            rows.append(measured(folder, papers, texts, embedder, queries))
        rows[-1]["made_up"] = embedder.made_up
        print(json.dumps(rows[-1]), flush=True)
    if asked.picture:
        slowest = [max(row[name][1] for name in FILTERS) for row in rows]
        lines = {
            "median": [row["none"][0] for row in rows],
            "95th percentile": [row["none"][1] for row in rows],
            "slowest filter, 95th": slowest,
        }
        title = "Search for ten papers, without embedding the query"
        asked.picture.write_text(drawn(title, asked.sizes, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
