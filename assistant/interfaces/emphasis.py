"""Find Markdown's emphasis: which runs of ``*`` and ``_`` belong together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_RUN = re.compile(r"\*{1,3}|_{1,3}")
_FARTHEST = 400  # characters between the two marks of one emphasis
_TRIED = 20  # open marks that a closing one is held against


@dataclass(frozen=True, slots=True)
class Mark:
    """A run of one to three marks at ``[start, end)`` that opens or closes emphasis."""

    start: int
    end: int
    opens: bool

    @property
    def strong(self) -> bool:
        """Tell whether the run stands for bold: two marks or three."""
        return self.end - self.start > 1

    @property
    def slanted(self) -> bool:
        """Tell whether the run stands for italics: one mark or three."""
        return (self.end - self.start) % 2 == 1


def emphasis(source: str, low: int, high: int, atoms: Sequence[tuple[int, int]]) -> list[Mark]:
    """Return the marks in ``source[low:high]`` that pair up; the others stay text.

    Pairs are runs of equal length that flank words as CommonMark asks. ``atoms`` are slices, in
    order, in which no mark counts.
    """
    found: list[Mark] = []
    waiting: list[re.Match[str]] = []
    zones = iter(atoms)
    zone = next(zones, None)
    for run in _RUN.finditer(source, low, high):
        while zone and zone[1] <= run.start():
            zone = next(zones, None)
        if zone and zone[0] <= run.start():
            continue
        opens, closes = _flanks(source, run)
        partner = _partner(waiting, run) if closes else None
        if partner is not None:
            first = waiting[partner]
            del waiting[partner:]
            if not _is_name(source, first, run):
                found += [Mark(*first.span(), opens=True), Mark(*run.span(), opens=False)]
        elif opens:
            waiting.append(run)
    return found


def _partner(waiting: Sequence[re.Match[str]], run: re.Match[str]) -> int | None:
    for index in range(len(waiting) - 1, max(-1, len(waiting) - _TRIED), -1):
        if run.start() - waiting[index].end() > _FARTHEST:
            return None
        if waiting[index].group() == run.group():
            return index
    return None


def _is_name(source: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """Tell ``__init__`` and ``2*3*4`` from emphasis."""
    inside = source[first.end() : last.start()]
    if first.group() == "__":
        return " " not in inside
    around = source[max(0, first.start() - 1) : first.start()] + source[last.end() : last.end() + 1]
    return inside.isdigit() and around.isdigit()


def _flanks(source: str, run: re.Match[str]) -> tuple[bool, bool]:
    """Return whether a run can open and can close emphasis."""
    before = source[run.start() - 1] if run.start() else " "
    after = source[run.end()] if run.end() < len(source) else " "
    left = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
    right = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
    if run.group().startswith("_"):
        return left and (not right or _is_mark(before)), right and (not left or _is_mark(after))
    return left, right


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
