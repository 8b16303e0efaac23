"""The plain form of an abstract, with a map back to the text as it came.

Markdown, LaTeX and HTML dress goes, the words stay. Every step works on a :class:`Mapped`
text, whose characters each know the slice of the original that they stand for, so that
what is found in the plain form can be shown in the original.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.library import latex
from assistant.library.mapped import Mapped
from assistant.library.markup import strip_markup

_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_TAG = re.compile(
    r"</?(?:jats:|mml:)?"
    r"(?:i|b|u|em|strong|sub|sup|sc|p|br|span|div|tt|code|italic|bold|title|sec|inf"
    r"|math|mi|mo|mn|mrow|msub|msup|mtext|mover|munder|mfrac|msqrt|mstyle)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"</?(?:jats:)?(?:p|br|div|title|sec)\b", re.IGNORECASE)
_SIMPLE = re.compile(r"[A-Za-z0-9.,:;()'-]+(?: [A-Za-z0-9.,:;()'-]+)*")
_SPACE = re.compile(r"\s+")
_IS_SPACE = re.compile(r"[^\S ]|\s{2,}")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
# soft hyphen, zero-width and direction marks, byte order mark, controls, surrogates
_UNSEEN = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]"
)
_COMBINED = re.compile("[^\u0300-\u036f\\s][\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class PlainText:
    """Plain text whose character ``i`` stands for ``original[offsets[i]:ends[i]]``.

    ``offsets`` has one entry more than the text: the length of the original.
    """

    text: str
    offsets: Sequence[int]
    ends: Sequence[int]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the slice of the original behind ``text[start:end]``, its dress included."""
        size = len(self.text)
        if not 0 <= start < end <= size:
            if start == end and 0 <= start <= size:
                return self.offsets[start], self.offsets[start]
            raise ValueError(f"no slice [{start}, {end}) in a text of {size} characters")
        first, last = self.offsets[start], self.ends[end - 1]
        # marks that were dropped between a word and a blank or a comma belong to the word
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < size else " "
        if before == " " or (not before.isalnum() and self.text[start].isalnum()):
            first = min(first, self.ends[start - 1]) if start else 0
        if after == " " or (not after.isalnum() and self.text[end - 1].isalnum()):
            last = max(last, self.offsets[end])
        return first, last

    def plain_start(self, original_start: int) -> int:
        """Return the index of the first plain character at or behind an original index."""
        return bisect_left(self.offsets, original_start)


def plain(original: str) -> PlainText:
    """Return the plain form of ``original``; any text has one."""
    if _SIMPLE.fullmatch(original):  # names and titles; a fast way to the same end
        size = len(original)
        return PlainText(original, range(size + 1), range(1, size + 1))
    text = Mapped.of(original)
    text = _entities(text)
    text = _tags(text)
    text = latex.unprotected(strip_markup(text))
    text = _characters(text)
    text = _blanks(text)
    return PlainText(text.text, [*text.starts, len(original)], text.ends)


def normalized(original: str) -> str:
    """Return the form that decides whether two texts are the same: case and dress do not count."""
    return folded(plain(original).text)


def folded(plain_text: str) -> str:
    """Return :func:`normalized` of what is plain already."""
    one = unicodedata.normalize("NFKC", plain_text).casefold()
    return _SPACE.sub(" ", one).strip()


def _entities(text: Mapped) -> Mapped:
    if "&" not in text.text:
        return text
    return text.sub(_ENTITY, lambda match: html.unescape(match.group()))


def _tags(text: Mapped) -> Mapped:
    if "<" not in text.text:
        return text
    return text.sub(_TAG, lambda match: " " if _BREAKS.match(match.group()) else "")


def _characters(text: Mapped) -> Mapped:
    """Drop what is not seen, spell ligatures out, put accents onto their letters."""
    if text.text.isascii() and text.text.isprintable():
        return text
    text = text.sub(_UNSEEN, lambda match: " " if match.group() in "\u2028\u2029" else "")
    text = text.sub(_LIGATURE, lambda match: unicodedata.normalize("NFKC", match.group()))
    return text.sub(_COMBINED, lambda match: unicodedata.normalize("NFC", match.group()))


def _blanks(text: Mapped) -> Mapped:
    """Make every run of white space one space, and none at the ends."""
    if _IS_SPACE.search(text.text):
        text = text.sub(_SPACE, lambda _: " ")
    left = len(text.text) - len(text.text.lstrip(" "))
    right = len(text.text.rstrip(" "))
    return text.slice(left, max(left, right))
