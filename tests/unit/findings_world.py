"""Findings for tests of what the shells do with them, hostile text included."""

from __future__ import annotations

from assistant.types import Evidence, Findings, Match, Paper, Reason, Sentence, Source

ABSTRACT = "Bats hunt by echo. They find 3 <b>moths</b> a minute in total darkness."
BATS = Paper(
    id="p1",
    handle="Bats: hunting",
    abstract=ABSTRACT,
    title="Hunting by echo",
    authors=("Doe, Jane", "Roe, Richard"),
    year=2020,
    venue="Caves",
    doi="10.1000/(bats)",
    sources=(Source("zoo.txt", 1, "text", "Zoo"),),
)
HOSTILE = Paper(
    id="p2",
    handle="Moles",
    title="\x1b[31m# *Moles* <script>alert(1)</script> [x](javascript:alert(1)) | a\nb `c` $d$",
    abstract="",
    sources=(Source("zoo.txt", 2, "text", "Zoo"),),
)
ECHO = Sentence("p1", 0, 0, 18, "Bats hunt by echo.")
MOTHS = Sentence("p1", 1, 19, len(ABSTRACT), "They find 3 moths a minute in total darkness.")
FACETS = ("hunting in the darkness", "with a long nose")
FOUND = Findings(
    "hunting in the darkness with a long nose",
    FACETS,
    (
        Match(1, BATS, 0.82, (Reason(FACETS[0], Evidence(MOTHS, 0.9)), Reason(FACETS[1], None))),
        Match(2, HOSTILE, 0.1, tuple(Reason(facet, None) for facet in FACETS)),
    ),
    total=12,
    close=True,
    read_as=(("huntign", "hunting"),),
)
