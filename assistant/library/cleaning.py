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
from functools import lru_cache

from assistant.library import latex
from assistant.library.mapped import Mapped
from assistant.library.markup import strip_markup
from assistant.library.wordlists import listed

# Where none of these stands, a text is its own plain form
_DRESS = re.compile(
    "[&<\\\\$*_`{}\x00-\x1f\x7f-\xa0\xad\u0300-\u036f\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\ud800-\udfff\ufb00-\ufb06\ufeff\uff05\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]"
)
_MORE_DRESS = ("](", "  ", "- ")
_ENTITY = re.compile(
    r"&(?:amp;){0,3}(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
)
_TAG = re.compile(
    r"</?(?:(?:jats|mml|m|ce|sb|xhtml|html):[a-z][a-z-]{0,20}"
    r"|i|b|u|em|strong|sub|sup|sc|p|br|hr|span|div|tt|code|italic|bold|roman|title|sec|inf|small"
    r"|big"
    r"|h[1-6]|ul|ol|li|dl|dt|dd|table|tbody|tr|td|th|font|blockquote|section|a(?=\s|>)|underline"
    r"|monospace|abstracttext|abstract|(?:inline|disp)-formula|tex-math|xref|ext-link|named-content"
    r"|styled-content|list-item|math|mi|mo|mn|mrow|msub|msup|mtext|mover|munder|mfrac|msqrt|mstyle"
    r"|msubsup|mspace|mfenced|semantics|annotation)"
    # attributes have values: "a <b and c> d" is no tag
    r"(?:\s+[\w:.-]{1,40}(?:\s?=\s?(?:\"[^\"<>]{0,300}\"|'[^'<>]{0,300}'|[^\s<>\"']{1,300}))){0,12}"
    r"\s?/?>",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    r"</?(?:jats:|html:|xhtml:)?(?:p|br|hr|div|title|sec|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|td|th"
    r"|blockquote|section|abstracttext|abstract|list-item|list)\b",
    re.IGNORECASE,
)
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>|<!--[^<>]{0,500}-->")
_LONGEST_KEPT = 20_000  # characters
_SPACE = re.compile(r"\s+")
_ODD_SPACE = re.compile(r"[^\S ]")
_SPELLED = re.compile(
    "[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff05]|[\uff66-\uff9f]+"
)
# soft hyphen, zero-width and direction marks, byte order mark, controls, surrogates
_UNSEEN = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]"
)
_COLOURED = re.compile(  # what terminals take as orders
    "\x1b(?:\\[[0-9;:?]{0,30}[ -/]?[@-~]|\\][^\x07\x1b]{0,300}(?:\x07|\x1b\\\\)|[()*+][0-9A-Za-z])"
)
_SOFT_BREAK = re.compile("\u00ad[ \t]*\r?\n[ \t]*")
_COMBINED = re.compile("[^\u0300-\u036f\\s][\u0300-\u036f]+")
_BROKEN_WORD = re.compile(r"(?<=[^\W_])-(?P<gap>[ \t]*\r?\n[ \t]*| )(?=[^\W_])")
_LEFT = re.compile(r"[\w'\u2019-]{1,60}$")
_RIGHT = re.compile(r"\w{1,60}(?:-\w)?")
# Words that keep their hyphen, before it and behind it
_BEFORE = frozenset(
    listed("""
    non self well pre post multi semi quasi anti co cross long short high low large small real data
    end state time two three four one first second third half all ex fine zero few model task class
    word sentence text image human machine open closed user risk dose age sex gene cell drug graph
    point rule knowledge content context domain type case far near over out up off on in by to meta
    micro macro mid low big deep full hard soft left right upper lower late early much most least
    best worst better near cost time-of head face hand old new
""")
)
_BEHIND = frozenset(
    listed("""
    based driven aware free specific dependent independent wise like level scale art agnostic
    related efficient effective trained training tuned tuning supervised to of the in by up off and
    order class time term dimensional world source step stage shot layer mediated induced associated
    linear negative positive known
""")
)
_SUSPENDED = frozenset(listed("and or to und oder et y e ou bis vs versus as but than nor"))


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
    if len(original) > _LONGEST_KEPT:
        return _plain(original)
    return _kept(original)


def _plain(original: str) -> PlainText:
    if _is_plain(original):
        size = len(original)
        return PlainText(original, range(size + 1), range(1, size + 1))
    text = Mapped.of(original)
    text = _entities(text)
    text = _tags(text)
    text = _whole_words(text)
    text = latex.unprotected(strip_markup(text))
    text = _characters(text)
    text = _blanks(text)
    return PlainText(text.text, [*text.starts, len(original)], text.ends)


# An import asks for the plain form of a record where it is judged and where it is compared
_kept = lru_cache(maxsize=16)(_plain)


def _is_plain(text: str) -> bool:
    bare = not _DRESS.search(text) and not any(dress in text for dress in _MORE_DRESS)
    return bare and text == text.strip()


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
    return text.sub(_ENTITY, _entity)


def _entity(match: re.Match[str]) -> str:
    """Return what an entity stands for; ``&amp;lt;`` was escaped twice."""
    return html.unescape(re.sub(r"^&(?:amp;)+(?=[#A-Za-z])", "&", match.group()))


def _tags(text: Mapped) -> Mapped:
    if "CDATA[" in text.text or "<!--" in text.text or text.text.rstrip().endswith("]]>"):
        text = text.sub(_CDATA, lambda _: " ")
    if "<" not in text.text:
        return text
    return text.sub(_TAG, lambda match: " " if _BREAKS.match(match.group()) else "")


def _whole_words(text: Mapped) -> Mapped:
    """Join words that were broken at the end of a line; compounds keep their hyphen."""
    if "- " not in text.text and "-\n" not in text.text and "-\r" not in text.text:
        return text
    folded = text.text.lower()
    return text.sub(_BROKEN_WORD, lambda match: _joint(match, folded))


def _joint(match: re.Match[str], folded: str) -> str:
    """Return what stands between the halves of a word: nothing, a hyphen, or all as it is."""
    left_match = _LEFT.search(match.string, max(0, match.start() - 60), match.start())
    right_match = _RIGHT.match(match.string, match.end())
    left = left_match.group() if left_match else ""
    right = right_match.group() if right_match else ""
    low, high = left.lower(), right.lower()
    if high in _SUSPENDED:
        return match.group()
    in_two_lines = "\n" in match["gap"]
    if _stands(f"{low}{high}", folded) and left.isalpha() and right.islower():
        return ""
    if not in_two_lines:
        return match.group()
    compound = (
        "-" in left
        or "-" in right
        or len(left) == 1
        or not left.isalpha()
        or not right.isalpha()
        or not right.islower()
        or left.isupper()
        or low in _BEFORE
        or high in _BEHIND
        or _stands(f"{low}-{high}", folded)
    )
    return "-" if compound else ""


def _stands(word: str, folded: str) -> bool:
    """Tell whether a text has a word somewhere."""
    start = folded.find(word)
    return start >= 0 and not folded[max(0, start - 1) : start].isalpha()


def _characters(text: Mapped) -> Mapped:
    """Drop what is not seen, spell ligatures and wide letters out, put accents onto letters."""
    if text.text.isascii() and text.text.isprintable():
        return text
    if "\x1b" in text.text:
        text = text.sub(_COLOURED, lambda _: "")
    if "\u00ad" in text.text:
        text = text.sub(_SOFT_BREAK, lambda _: "")
    text = text.sub(_UNSEEN, lambda match: " " if match.group() in "\u2028\u2029" else "")
    text = text.sub(_SPELLED, lambda match: unicodedata.normalize("NFKC", match.group()))
    return text.sub(_COMBINED, lambda match: unicodedata.normalize("NFC", match.group()))


def _blanks(text: Mapped) -> Mapped:
    """Make every run of white space one space, and none at the ends."""
    if "  " in text.text or _ODD_SPACE.search(text.text):
        text = text.sub(_SPACE, lambda _: " ")
    left = len(text.text) - len(text.text.lstrip(" "))
    right = len(text.text.rstrip(" "))
    return text.slice(left, max(left, right))
