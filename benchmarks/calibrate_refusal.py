"""Fit the weights of ``assistant.writing.refusal`` on case files asked of a library.

    python benchmarks/calibrate_refusal.py LIBRARY_DIR CASES.jsonl … [-- LIBRARY_DIR CASES.jsonl …]

Prints the weights, and by leaving out one fold of five at a time the share of foreign questions
that are refused and of answerable ones that are. Needs the ``eval`` extra. A positive example is
the right paper's hit of an answerable question; negative ones are the best hits of a foreign one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from assistant import app, evaluate
from assistant.config import load_settings
from assistant.writing import ask, refusal

# Descriptions of an idea share no word with their paper, and details asked of a known paper share
# nearly all: both count, but must not set the line for plain questions.
KIND_WEIGHTS = {"idea": 0.15, "detail": 0.15}


def rows_of(library: Path, files: list[Path]) -> list[tuple[str, bool, np.ndarray]]:
    """Return (kind, answerable, signals of the hits) for every case."""
    assistant = app.build(load_settings(data_dir=library, llm="none"))
    searcher = assistant.searcher
    rows = []
    for file in files:
        for case in evaluate.read_cases(file):
            hits = searcher.search(case.question, k=ask.FOUND, evidence_limit=ask.EVIDENCE)
            signals = refusal.signals(case.question, hits, searcher.term_stats())
            rows.append((case.kind or file.stem, case.answerable, np.array(signals)))
    assistant.close()
    return rows


def fit(rows: list[tuple[str, bool, np.ndarray]], rounds: int = 4) -> LogisticRegression:
    """Return a logistic regression over the best hit of each question, chosen anew each round."""
    best = [0] * len(rows)
    model = LogisticRegression(C=3.0, class_weight="balanced", max_iter=2000)
    for _ in range(rounds):
        x = np.array([signals[i] for (_, _, signals), i in zip(rows, best, strict=True)])
        model.fit(
            x,
            [answerable for _, answerable, _ in rows],
            sample_weight=[KIND_WEIGHTS.get(kind, 1.0) for kind, _, _ in rows],
        )
        best = [int(model.decision_function(signals).argmax()) for _, _, signals in rows]
    return model


def score(model: LogisticRegression, rows: list[tuple[str, bool, np.ndarray]]) -> np.ndarray:
    """Return the likelihood of each question."""
    return np.array([model.predict_proba(signals)[:, 1].max() for _, _, signals in rows])


def main() -> None:
    """Fit, cross-validate and print."""
    groups: list[list[str]] = [[]]
    for argument in sys.argv[1:]:
        if argument == "--":
            groups.append([])
        else:
            groups[-1].append(argument)
    rows = [
        row for group in groups for row in rows_of(Path(group[0]), [Path(f) for f in group[1:]])
    ]
    rows = [row for row in rows if len(row[2])]
    order = np.random.default_rng(0).permutation(len(rows))
    folds = np.array_split(order, 5)
    held_out = np.zeros(len(rows))
    for fold in folds:
        inside = [rows[i] for i in order if i not in set(fold)]
        held_out[fold] = score(fit(inside), [rows[i] for i in fold])
    for threshold in (0.2, 0.3, 0.4, 0.5, 0.6):
        print(f"threshold {threshold}", end="  ")
        for kind in sorted({row[0] for row in rows}):
            picked = [i for i, row in enumerate(rows) if row[0] == kind]
            refused = np.mean(held_out[picked] < threshold)
            print(f"{kind}: {refused:.3f} refused of {len(picked)}", end="; ")
        print()
    model = fit(rows)
    print("weights", dict(zip(refusal.SIGNALS, model.coef_[0].round(2).tolist(), strict=True)))
    print("bias", round(float(model.intercept_[0]), 2))


if __name__ == "__main__":
    main()
