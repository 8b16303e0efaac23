"""What the formats with a tag a line share: values that go on over lines, fields by tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from assistant.library import languages, notices
from assistant.library.readers.common import MAX_ABSTRACT
from assistant.library.wordlists import listed
from assistant.types import OtherAbstract

MOST_FIELDS = 5_000
"""Fields of one record that are kept; a record with more is no record."""

_NOTICE = re.compile(
    r"(?i)^\W*(?:copyright|©|\(c\)|the copyright|abstract from author|all rights reserved"
    r"|this abstract may be abridged)"
)
_CUT_OFF = re.compile(r"\s*(?:\.{3}|…|\[\.{3}\]|\[…\])$")
_LEAST_CUT_OFF = 40
_ENDS = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*$")
_LABEL = re.compile(r"[^\W\d_][\w /&,-]{1,40}:\s|[-*•·\u2013] |\(?\d{1,2}[.)] ")
_FULL_LINE, _LONGEST_WRAPPED, _LEAST_LINES = 50, 100, 3
_ASIDE = re.compile(r"\s?\[[^\[\]]{0,200}\]")
_CJK_NAME = re.compile(r"[\u3400-\u9fff·]{2,}")
# A family name and initials, as often as they come: surely several people and not one.
_SURNAME = r"(?:(?:(?!and |et )[a-z]{2,4}[ '’])*[^\W\d_a-z][\w'’\-]+(?: [^\W\d_a-z][\w'’\-]+){0,2})"
_WITH_COMMA = rf"{_SURNAME}, (?:[^\W\d_]\.[ -]?)+(?<=\.)"
_BARE_INITIALS = rf"{_SURNAME} [A-Z]{{1,3}}(?![\w.])"
_WHOLE_NAME = r"[^\W\d_a-z][\w'’\-]+(?: [^\W\d_a-z][\w'’.\-]*){1,2}"
_BETWEEN = r"(?:, ?(?:and |& |et )?| and | & | et )"
_DOUBLE_FAMILIES = frozenset(
    listed("""
    欧阳 司马 上官 诸葛 东方 夏侯 皇甫 尉迟 公孙 慕容 令狐 司徒
""")
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

    def has(self, *tags: str) -> bool:
        """Tell whether one of these tags is there, be its value blank."""
        return any(name in tags for name, _ in self.fields)

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

    @property
    def last(self) -> str:
        """Return the tag of the last field, or an empty string."""
        return self.fields[-1][0] if self.fields else ""

    def __bool__(self) -> bool:
        return bool(self.fields)


def one_abstract(texts: Sequence[str]) -> tuple[str, list[OtherAbstract]]:
    """Return the abstract that several fields make, and those in other languages.

    A publisher's notice in a field of its own is no abstract; the same text twice is one.
    """
    kept = [text for text in texts if len(texts) == 1 or not _is_notice(text)]
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


def _is_notice(text: str) -> bool:
    return bool(_NOTICE.search(text)) or notices.start_of_notices(text.strip()) == 0


def _within(part: str, whole: str) -> bool:
    """Tell whether a text is in another, be it cut off at its end."""
    squeezed = "".join(_CUT_OFF.sub("", part).split())
    if len(squeezed) < _LEAST_CUT_OFF:
        squeezed = "".join(part.split())
    return squeezed in "".join(whole.split())


def unwrapped(text: str) -> str:
    """Return a text with the line ends undone that only the width of its file made.

    Line ends at the end of a sentence, before a label or an item of a list are content, and so
    are blank lines; in a text that is filled to one width throughout, only the latter are.
    """
    if "\n" not in text:
        return text
    return "\n\n".join(_filled(part.split("\n")) for part in text.split("\n\n"))


def _filled(lines: list[str]) -> str:
    lines = [line.strip() for line in lines]
    width = max(map(len, lines))
    is_filled = (
        len(lines) >= _LEAST_LINES
        and _FULL_LINE < width <= _LONGEST_WRAPPED
        and all(
            len(line) + 1 + len(after.partition(" ")[0]) > width for line, after in pairwise(lines)
        )
    )
    joined = lines[0]
    for line, after in pairwise(lines):
        flows = is_filled or (
            not _ENDS.search(line) and (len(line) >= _FULL_LINE or after[:1].islower())
        )
        # what breaks a word is undone where all the text is at hand
        is_joined = flows and not _LABEL.match(after) and not line.endswith("-")
        joined += (" " if is_joined else "\n") + after
    return joined


def split_list(values: Iterable[str], separators: str = r"[;；\n]") -> Iterator[str]:
    """Yield the items of values that may each hold several."""
    for value in values:
        yield from (item for part in re.split(separators, value) if (item := part.strip(" *")))


def split_people(values: Iterable[str]) -> Iterator[str]:
    """Yield the names in values that may each hold several; what is said of them is left out."""
    for value in values:
        bare = _ASIDE.sub("", value) or value
        lines = bare.split("\n")
        mark = r"[;；\n]" if all("," in line for line in lines) else r"[;；]"
        for part in re.split(mark, bare):
            names = re.split(r"[,，、]", part.strip())
            eastern = all(map(_CJK_NAME.fullmatch, names)) and names[0] not in _DOUBLE_FAMILIES
            yield from (names if eastern else _in_a_row(part.strip()))


def _in_a_row(text: str) -> list[str]:
    """Return the people of one line: "Smith, J., Jones, K. and Lee, L." or "Smith J, Jones K".

    "Garcia Marquez, Gabriel Jose" is one; "Ann Smith, Ben Jones and Cy Lee" are three.
    """
    for person in (_WITH_COMMA, _BARE_INITIALS):
        if re.fullmatch(rf"{person}(?:{_BETWEEN}{person})+", text):
            return re.split(rf"(?<=[.A-Z]){_BETWEEN}(?={person})", text)
    parts = re.split(_BETWEEN, text)
    whole = all(re.fullmatch(_WHOLE_NAME, part) for part in parts)
    return parts if whole and (len(parts) > 2 or "," not in text) else [text]  # noqa: PLR2004
