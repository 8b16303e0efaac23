"""A tiny benchmark whose measures are worked out by hand, for tests."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path

SHORT = "Zebrafish sleep. Zebrafish wake at dawn in cold water."
LONG = (
    "Many animals rest while the sun is high and the water is warm. We watched one zebrafish "
    "over the whole of a long summer and wrote down when it moved, and when it did not."
)
MARMOTS = "Marmots whistle at eagles. Their whistle carries over a wide valley."
OTTERS = "Otters crack shells with stones. Each keeps a stone of its own for years."
DOCUMENTS = {
    "short": ("Fish at dawn", SHORT),
    "long": ("Rest in summer", LONG),
    "empty": ("", ""),
    "marmots": ("", MARMOTS),
    "otters": ("Otters and stones", OTTERS),
    "again": ("Otters and stones", OTTERS),
}
QUERIES = {
    "fish": "zebrafish",  # two documents, the longer one is the relevant one
    "whistle": "Which marmots whistle?",  # one found, one that import turns down
    "nothing": "xylophone",
    "twice": "otters",  # a paper that two documents are
    "unjudged": "stones",
}
QRELS = {
    "fish": {"long": 1, "short": 0},
    "whistle": {"marmots": 2, "empty": 1},
    "nothing": {"marmots": 1},
    "twice": {"otters": 1, "again": 1},
    "unknown": {"marmots": 1},
}
BY_HAND = {  # of keywords alone; a document's gain is its score over log2(rank + 1)
    "fish": {"nDCG@10": 1 / log2(3), "Recall@10": 1.0, "Recall@100": 1.0, "MRR": 0.5},
    "whistle": {
        "nDCG@10": 2 / (2 + 1 / log2(3)),
        "Recall@10": 0.5,
        "Recall@100": 0.5,
        "MRR": 1.0,
    },
    "nothing": {"nDCG@10": 0.0, "Recall@10": 0.0, "Recall@100": 0.0, "MRR": 0.0},
    "twice": {"nDCG@10": 1.0, "Recall@10": 1.0, "Recall@100": 1.0, "MRR": 1.0},
}


def write(folder: Path, *, beir: bool = False) -> Path:
    """Write the three files in our own layout or in BEIR's; return the folder."""
    name = "_id" if beir else "id"
    more = {"metadata": {"url": "https://example.org"}} if beir else {}
    lines(
        folder / "corpus.jsonl",
        [
            {name: id_, "title": title, "text": text, **more}
            for id_, (title, text) in DOCUMENTS.items()
        ],
    )
    lines(folder / "queries.jsonl", [{name: id_, "text": text} for id_, text in QUERIES.items()])
    qrels = folder / ("qrels/test.tsv" if beir else "qrels.tsv")
    qrels.parent.mkdir(exist_ok=True)
    rows = [
        f"{query}\t{document}\t{score}"
        for query, judged in QRELS.items()
        for document, score in judged.items()
    ]
    qrels.write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n", encoding="utf-8")
    return folder


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    """Write a JSON line a row."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
