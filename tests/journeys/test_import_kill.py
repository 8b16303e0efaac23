"""An import with all its indexes, killed at random moments; the long run is ``tests/kill_import.py``."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.kill_import import killed_imports


@pytest.mark.slow
def test_deaths_at_random_moments_leave_a_sound_library(tmp_path: Path) -> None:
    chance = random.Random(3)
    words = [
        "moss",
        "lichen",
        "fern",
        "alga",
        "wall",
        "roof",
        "stone",
        "water",
        "light",
        "growth",
        "decay",
        "method",
    ]
    file = tmp_path / "generated.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "title": f"On {' '.join(chance.choices(words, k=4))} {number}",
                    "abstract": " ".join(
                        f"We see {' '.join(chance.choices(words, k=9))} in case {number}."
                        for _ in range(chance.randint(2, 6))
                    ),
                }
            )
            + "\n"
            for number in range(600)
        )
    )
    assert killed_imports(file, tmp_path, times=4) == []
