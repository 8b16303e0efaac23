"""How often the paper that an idea describes is found, by the search and by its parts.

    python benchmarks/ideas.py DATA_DIR benchmarks/cases/seed_ideas.jsonl

DATA_DIR is a library with the papers of the cases in it: the more others, the harder. A case names
its paper by ``seed``, the file, and ``abstract``, the place in it counted from 0. Prints a line for
each way: found first, among five, among ten.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from assistant import app
from assistant.config import load_settings
from assistant.retrieval.baselines import BaselineRanking, Ranking
from assistant.retrieval.parts import Baseline
from assistant.types import Hit

_DEPTH = 10


def place(hits: Sequence[Hit], file: str, record: int) -> int:
    """Return the rank of the paper that is this record, or one beyond the last."""
    for rank, hit in enumerate(hits, start=1):
        if any((source.file, source.record_no) == (file, record) for source in hit.paper.sources):
            return rank
    return _DEPTH + 1


def main() -> None:
    """Ask every idea of the files in every way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    asked = parser.parse_args()
    assistant = app.build(load_settings().model_copy(update={"data_dir": asked.data_dir}))
    assistant.ready()
    ways: dict[str, Ranking] = {
        part.value: BaselineRanking(part, assistant.indexes) for part in Baseline
    }
    ways["search"] = assistant.searcher
    for file in asked.cases:
        cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for name, way in ways.items():
            ranks = [
                place(
                    way.search(case["question"], k=_DEPTH, evidence_limit=0),
                    case["seed"],
                    case["abstract"] + 1,
                )
                for case in cases
            ]
            shares = (sum(rank <= best for rank in ranks) / len(ranks) for best in (1, 5, _DEPTH))
            first, five, ten = (f"{share:.0%}" for share in shares)
            print(f"{file.stem} {name}: first {first}, in five {five}, in ten {ten}")
    assistant.close()


if __name__ == "__main__":
    main()
