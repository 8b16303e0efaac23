"""Text in which every character knows the slice of the original that it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Mapped:
    """``text[i]`` stands for ``original[starts[i]:ends[i]]``; both never decrease."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, original: str) -> Mapped:
        """Return ``original`` with each character standing for itself."""
        return cls(original, range(len(original)), range(1, len(original) + 1))

    def slice(self, start: int, end: int) -> Mapped:
        """Return ``text[start:end]`` with its map."""
        if start == 0 and end == len(self.text):
            return self
        return Mapped(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def literal(self, text: str, start: int, end: int) -> Mapped:
        """Return ``text`` standing, each character, for what stood at ``[start, end)`` here."""
        first, last = self.starts[start], self.ends[end - 1]
        return Mapped(text, [first] * len(text), [last] * len(text))

    def sub(self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> Mapped:
        """Return the text with every match replaced by a literal."""
        return self.rewrite(
            pattern, lambda text, match: (text.literal(replace(match), *match.span()),)
        )

    def rewrite(self, pattern: re.Pattern[str], replace: Replacement) -> Mapped:
        """Return the text with every match replaced by pieces; None leaves a match as it is.

        The pieces must be in the order of the text, or its map would run backwards.
        """
        pieces: list[Mapped] = []
        position = 0
        for match in pattern.finditer(self.text):
            made = replace(self, match)
            if made is None:
                continue
            pieces.append(self.slice(position, match.start()))
            pieces.extend(made)
            position = match.end()
        if not pieces:
            return self
        pieces.append(self.slice(position, len(self.text)))
        return join(pieces)


Replacement: TypeAlias = Callable[[Mapped, re.Match[str]], "Iterable[Mapped] | None"]


def join(pieces: Iterable[Mapped]) -> Mapped:
    """Return the pieces one after the other."""
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece in pieces:
        texts.append(piece.text)
        starts.extend(piece.starts)
        ends.extend(piece.ends)
    return Mapped("".join(texts), starts, ends)
