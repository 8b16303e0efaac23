"""Measures with the interval that chance leaves them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

RESAMPLES = 1000

About: TypeAlias = str | float | None


@dataclass(frozen=True, slots=True)
class Measure:
    """A share or a median with its bootstrap interval of 95 %, over ``n`` cases."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Report:
    """Named measures, and what they are measures of; shares are 0..1, times seconds."""

    measures: dict[str, Measure] = field(default_factory=dict)
    about: Mapping[str, About] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "measures": {name: asdict(measure) for name, measure in self.measures.items()},
            "about": dict(self.about),
        }


def measured(values: Sequence[float], of: Callable[[Sequence[float]], float]) -> Measure:
    """Return a statistic with the percentiles of its bootstrap distribution (seeded)."""
    draw = random.Random(0)  # noqa: S311 - resampling, not secrecy
    samples = sorted(of(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Measure(
        of(values), samples[int(0.025 * RESAMPLES)], samples[int(0.975 * RESAMPLES)], len(values)
    )
