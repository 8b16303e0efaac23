"""What a reader may look at before it says whether a document is its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peek:
    """The name of a document and its first lines: stripped, blank ones left out."""

    name: str
    lines: tuple[str, ...]

    @property
    def first(self) -> str:
        """Return the first line, or an empty string."""
        return self.lines[0] if self.lines else ""
