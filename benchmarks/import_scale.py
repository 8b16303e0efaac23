"""Import generated records: records a second, peak memory, size on disk.

    python benchmarks/import_scale.py 100000 --embed     # with a fake embedder and all indexes
    python benchmarks/import_scale.py 1000000            # up to, and without, embedding

The records are JSON Lines of titles and abstracts of three to five made-up sentences; one in fifty
comes twice. Figures go to standard output as one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.retrieval.vectors import ChromaVectorStore

SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu tra ple stri gno qua".split()  # noqa: SIM905


def words(chance: random.Random, count: int) -> str:
    """Return made-up words."""
    return " ".join(
        "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(count)
    )


def record(number: int) -> dict[str, object]:
    """Return the record with this number, always the same; one in fifty is an earlier one."""
    number = number - 25 if number % 50 == 49 else number  # noqa: PLR2004
    chance = random.Random(number)
    sentences = [
        f"We {words(chance, 1)} the {words(chance, chance.randint(8, 14))} of {number}."
        for _ in range(chance.randint(3, 5))
    ]
    return {
        "title": words(chance, 7).capitalize(),
        "abstract": " ".join(sentences),
        "authors": [f"{words(chance, 1).capitalize()}, {words(chance, 1).capitalize()}"],
        "year": 1990 + number % 35,
    }


def size_of(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    """Generate, import, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=int)
    parser.add_argument(
        "--embed", action="store_true", help="make the indexes with a fake embedder"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, data = Path(folder) / "generated.jsonl", Path(folder) / "data"
        with file.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(record(number)) + "\n" for number in range(asked.records))
        embedder = HashEmbedder(dimension=384, max_tokens=254)
        told = {"records": asked.records, "file_mb": round(file.stat().st_size / 1e6)}
        with Store.open(data, create=True) as store:
            begun = time.perf_counter()
            importer = Importer(store, embedder.count_tokens, embedder.max_tokens)
            (report,) = importer.run([file]).files
            seconds = time.perf_counter() - begun
            told |= {
                "added": report.added,
                "merged": report.merged,
                "seconds": round(seconds, 1),
                "records_a_second": round(asked.records / seconds),
                "database_mb": round(size_of(data) / 1e6),
            }
            if asked.embed:
                begun = time.perf_counter()
                indexes = Indexes(
                    store,
                    embedder,
                    ChromaVectorStore(data / "chroma", embedder.name, embedder.dimension),
                    TantivyIndex(data / "tantivy"),
                    SentenceVectors(data / "sentences", embedder),
                )
                indexes.sync()
                told["index_seconds"] = round(time.perf_counter() - begun, 1)
                for name in ("chroma", "tantivy", "sentences"):
                    told[f"{name}_mb"] = round(size_of(data / name) / 1e6)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            told["peak_memory_mb"] = round(peak / 1024)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
