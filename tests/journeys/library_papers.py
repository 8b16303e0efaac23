"""Invented papers for the tests of the page's library."""

from __future__ import annotations

import json

BATS = (
    "Bats hunt moths in the dark. We present EchoNet, a network that turns echoes into shapes. "
    "EchoNet detects 92.5% of the moths in clutter with three microphones."
)
WINE = (
    "Labels of old wine are often forged. VinoTrace compares isotopes of the wine with those of "
    "the vineyard's soil. Forged bottles are recognised with a precision of 0.97."
)
HOSTILE = {
    "title": "<img src=x onerror=window.broken=1> **bold** [a](javascript:window.broken=2) \u202etxet",
    "abstract": "See <script>window.broken=3</script> and <b>no bold</b> in what $\\alpha$ rays do.",
    "authors": ["<script>window.broken=4</script>, Bo"],
    "venue": '"><img src=x onerror=window.broken=5>',
    "doi": '10.1000/x"onmouseover=window.broken=6',
    "url": "javascript:window.broken=7",
    "keywords": ["<i>key</i>"],
    "year": 1999,
}  # fmt: skip
FULL = """@article{doe2020,
  title = {On {$\\alpha$} decay in soil},
  author = {Doe, Jane and Roe, Richard},
  journal = {Journal of Made-up Things}, year = {2020}, volume = {7}, pages = {1--9},
  doi = {10.1000/made.up}, keywords = {soil, decay},
  abstract = {Soil decays slowly. We measure \\emph{how} slowly it does, on forty fields.}
}
@misc{ref2018, title = {A reference alone}, author = {Doe, Jane}, year = {2018}}
"""


def numbered(count: int) -> str:
    rows = (
        {
            "title": f"Study {number:02} of rivers",
            "abstract": f"River {number:02} carries sand. We measured its load in year {number}.",
            "year": 1990 + number,
        }
        for number in range(1, count + 1)
    )
    return "\n".join(map(json.dumps, rows))
