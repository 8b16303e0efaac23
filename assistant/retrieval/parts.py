"""The parts of the search that can be measured by themselves, by name; loads nothing."""

from __future__ import annotations

from enum import StrEnum


class Baseline(StrEnum):
    """Keywords alone, the best passage alone, or both fused by their ranks."""

    BM25 = "bm25"
    DENSE = "dense"
    RRF = "rrf"
