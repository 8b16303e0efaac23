"""Share the cores: how the numeric libraries wait, and how many threads they use.

GNU OpenMP lets idle threads spin at barriers. On two cores with anything else running (a browser,
say) the spinning threads take the time that the working one needs: an answer of 3 s took 18 s.
"""

from __future__ import annotations

import os


def yield_while_waiting() -> None:
    """Make OpenMP threads sleep at barriers; call before torch or llama.cpp is first imported."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def physical_cores() -> int:
    """Return the cores that compute: more threads than cores slow llama.cpp down."""
    import psutil

    usable = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, min(usable, psutil.cpu_count(logical=False) or usable))
