"""Recall of Chroma's graph against exact search, by its parameters: what vectors.py's stand on.

    python benchmarks/vector_recall.py DATA_DIR... --count 10000 --neighbors 16 32 --search 50 100

DATA_DIR are libraries with sentence vectors of the embedder in use. Prints a row a setting: share
of the exact ten nearest that are found, milliseconds a query, seconds to build.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings
from vectors_like_real import Matrix, passages_and_queries, stored

K = 10
_BATCH = 5_000
_QUERIES = 200


def opened(folder: Path) -> Any:
    """Return a client of a folder."""
    return chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))


def built(folder: Path, hnsw: dict[str, Any], rows: Matrix) -> tuple[Any, float]:
    """Return a collection that holds the rows, and the seconds that it took."""
    client = opened(folder)
    begun = time.perf_counter()
    made = client.create_collection(
        "rows", embedding_function=None, configuration={"hnsw": {"space": "cosine", **hnsw}}
    )
    for start in range(0, len(rows), _BATCH):
        some = rows[start : start + _BATCH]
        made.add(ids=[str(start + i) for i in range(len(some))], embeddings=some)
    made.query(query_embeddings=rows[:1], n_results=1)
    return made, time.perf_counter() - begun


def measured(made: Any, queries: Matrix, exact: list[set[int]]) -> tuple[float, float]:
    """Return recall of the first K, and the median of milliseconds a query."""
    recall, took = [], []
    for query, right in zip(queries, exact, strict=True):
        begun = time.perf_counter()
        answer = made.query(query_embeddings=query[None], n_results=K, include=["distances"])
        took.append((time.perf_counter() - begun) * 1000)
        recall.append(len(right & {int(i) for i in answer["ids"][0]}) / K)
    return float(np.mean(recall)), float(np.median(took))


def searched(
    made: Any, folder: Path, search: int, queries: Matrix, exact: list[set[int]]
) -> tuple[float, float]:
    """Measure with another ef_search: a graph that is open keeps its own, so a copy is opened."""
    made.modify(configuration={"hnsw": {"ef_search": search}})
    copy = folder / str(search)
    shutil.copytree(folder / "built", copy)
    client = opened(copy)
    found = measured(client.get_collection("rows"), queries, exact)
    client.close()
    shutil.rmtree(copy, ignore_errors=True)
    return found


def main() -> None:
    """Measure every setting and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dirs", nargs="+", type=Path)
    parser.add_argument("--count", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--neighbors", nargs="+", type=int, default=[16, 32, 48])
    parser.add_argument("--construction", nargs="+", type=int, default=[200])
    parser.add_argument("--search", nargs="+", type=int, default=[50, 100, 200, 400])
    parser.add_argument("--sync", type=int, default=1_000, help="rows between writes of the graph")
    asked = parser.parse_args()
    sentences = stored(asked.data_dirs)
    print(f"{len(sentences)} sentence vectors")
    print("| rows | max_neighbors | ef_construction | ef_search | recall@10 | ms | build s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for count in asked.count:
        rows, queries = passages_and_queries(sentences, count)
        queries = queries[:: max(1, len(queries) // _QUERIES)][:_QUERIES]
        exact = [set(np.argsort(-(rows @ query))[:K].tolist()) for query in queries]
        for neighbors in asked.neighbors:
            for construction in asked.construction:
                hnsw = {"max_neighbors": neighbors, "ef_construction": construction}
                hnsw["sync_threshold"] = asked.sync
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                    made, seconds = built(Path(folder, "built"), hnsw, rows)
                    for search in asked.search:
                        recall, took = searched(made, Path(folder), search, queries, exact)
                        print(
                            f"| {count} | {neighbors} | {construction} | {search} "
                            f"| {recall:.4f} | {took:.1f} | {seconds:.0f} |",
                            flush=True,
                        )


if __name__ == "__main__":
    main()
