"""Vectors that lie as real ones do: made of the sentence vectors that a library keeps.

A passage's vector lies near the mean of those of its sentences. So as many passages as are wanted
are made as weighted means of one to four neighbouring sentences, with a little noise; every
fiftieth sentence is held out as a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

_ROW = np.dtype([("digest", "V16"), ("scale", "<f4"), ("sum", "<u4")])
_HELD_OUT = 50
_NOISE = 0.02


def stored(data_dirs: Sequence[Path]) -> Matrix:
    """Return the sentence vectors of libraries, in the order in which they were made."""
    parts = []
    for data_dir in data_dirs:
        for file in sorted(data_dir.glob("sentences/*/rows")):
            rows = np.fromfile(file, dtype=_ROW)
            raw = np.fromfile(file.with_name("vectors"), dtype=np.int8)
            dimension = len(raw) // len(rows)
            matrix = raw[: len(rows) * dimension].reshape(len(rows), dimension)
            parts.append(matrix * rows["scale"][:, None])
    if not parts:
        raise SystemExit("These libraries hold no sentence vectors; name data directories.")
    return unit(np.concatenate(parts).astype(np.float32))


def passages_and_queries(sentences: Matrix, count: int, seed: int = 0) -> tuple[Matrix, Matrix]:
    """Return ``count`` made-up passage vectors and real sentence vectors to ask with."""
    chance = np.random.default_rng(seed)
    held = np.arange(len(sentences)) % _HELD_OUT == _HELD_OUT - 1
    pool = sentences[~held]
    made = np.empty((count, sentences.shape[1]), dtype=np.float32)
    for start in range(0, count, 10_000):
        size = min(10_000, count - start)
        first = chance.integers(0, len(pool) - 4, size)
        weights = chance.dirichlet(np.ones(4), size).astype(np.float32)
        weights *= np.arange(4) < chance.integers(1, 5, (size, 1))
        mixed = sum(weights[:, i : i + 1] * pool[first + i] for i in range(4))
        noise = chance.normal(scale=_NOISE, size=(size, sentences.shape[1]))
        made[start : start + size] = unit(unit(mixed) + noise.astype(np.float32))
    return made, sentences[held]


def unit(rows: Matrix) -> Matrix:
    """Return rows of length one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.maximum(lengths, np.float32(1e-9))
    return scaled
