"""What a reader may look at before it says whether a document is its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LONGEST = 50_000
"""Characters of one line that are looked at."""


@dataclass(frozen=True, slots=True)
class Peek:
    """The name of a document and its first lines: stripped, blank ones left out.

    ``columns`` are those that the reader has named for tables.
    """

    name: str
    lines: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """Return the first line, or an empty string."""
        return self.lines[0] if self.lines else ""
