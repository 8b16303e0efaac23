"""What the formats with a tag a line share: values that go on over lines, fields by tag."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assistant.library import languages
from assistant.library.readers.common import MAX_ABSTRACT
from assistant.types import OtherAbstract

MOST_FIELDS = 5_000
"""Fields of one record that are kept; a record with more is no record."""

_NOTICE = re.compile(
    r"(?i)^\W*(copyright|©|\(c\)|the copyright|abstract from author|all rights reserved)"
    r"|may not be (copied|emailed)|without the copyright holder"
)


@dataclass(slots=True)
class Block:
    """The tags of one record with their values, in order; ``line`` is where it begins."""

    line: int
    fields: list[tuple[str, str]] = field(default_factory=list)
    _sizes: int = 0

    def add(self, tag: str, value: str) -> None:
        """Begin a field."""
        if len(self.fields) < MOST_FIELDS:
            self.fields.append((tag, value))
            self._sizes = len(value)

    def go_on(self, text: str, joint: str) -> None:
        """Continue the value of the last field."""
        if self.fields and self._sizes <= 2 * MAX_ABSTRACT:
            tag, value = self.fields[-1]
            self.fields[-1] = (tag, f"{value}{joint}{text}" if value else text)
            self._sizes += len(text) + len(joint)

    def all(self, *tags: str) -> list[str]:
        """Return the values of these tags that are not blank, in the order of the tags."""
        return [
            value.strip()
            for tag in tags
            for name, value in self.fields
            if name == tag and value.strip()
        ]

    def first(self, *tags: str) -> str:
        """Return the first value of the first of these tags that has one."""
        return next(iter(self.all(*tags)), "")

    def __bool__(self) -> bool:
        return bool(self.fields)


def one_abstract(texts: Sequence[str]) -> tuple[str, list[OtherAbstract]]:
    """Return the abstract that several fields make, and those in other languages.

    A publisher's notice in a field of its own is no abstract; the same text twice is one.
    """
    kept = [text for text in texts if not (_NOTICE.search(text) and len(texts) > 1)]
    distinct: list[str] = []
    for text in kept or list(texts[:1]):
        if any(_within(text, other) for other in distinct):
            continue
        distinct = [other for other in distinct if not _within(other, text)]
        distinct.append(text)
    if not distinct:
        return "", []
    language = languages.guess(distinct[0])
    same, others = [distinct[0]], []
    for text in distinct[1:]:
        its = languages.guess(text)
        if language and its and its != language:
            others.append(OtherAbstract(text, its))
        else:
            same.append(text)
    return "\n".join(same), others


def _within(part: str, whole: str) -> bool:
    return "".join(part.split()) in "".join(whole.split())


def split_list(values: Sequence[str], separators: str = r"[;\n]") -> Iterator[str]:
    """Yield the items of values that may each hold several."""
    for value in values:
        yield from (item for part in re.split(separators, value) if (item := part.strip(" *")))
