"""Whether two records are of one paper, judged from all that both say.

A number or a long text that is the same decides, unless all else speaks against it. Titles alone
never do: part I and part II, a paper and its erratum, two editorials stay two. It does not matter
which of the two comes first, so that files give the same papers in any order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from assistant.library import cleaning, keys, languages, people, titles
from assistant.types import Record

LONG = 200
"""Characters; a text of that length that is the same is no coincidence."""

ALIKE_TITLES = 85.0
PLAINLY_OTHER = 60.0
VERSIONS = 0.6
"""Share of the shorter text's words that two versions of an abstract have in common at least."""

_NEARLY = 95.0
_LEAST_LETTERS = 4
_SHORT_TITLE = 15
_SHORT_CJK = 6
_BLANKLESS = 15  # characters a word, in languages that do not write blanks
_STRONG = ("pmid", "arxiv_id")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DEPOSITED = re.compile(
    r"10\.(?:48550|21203|2139|20944|31234|31219|26434|36227|22541|64898|5281|6084|5061|17605)/"
    r"|10\.1101/(?:\d{6}|20\d\d\.)"
)
"""DOIs of preprints and of what lies beside a paper; its publisher's does not deny them."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """How two abstracts compare; each step includes those before it.

    ``alike`` is None where one of the two is missing, or is in another language.
    """

    equal: bool
    nearly: bool
    alike: bool | None


def same(one: Record, other: Record) -> bool:
    """Tell whether two records are of one paper."""
    if share_number(one, other):
        return _same_by_number(one, other)
    if titles.other_part(one.title, other.title):
        return False
    texts = _compared(one, other)
    apart = _other_numbers(one, other)
    if texts.nearly:
        return _same_by_text(one, other, texts, apart=apart)
    return not apart and _same_by_title(one, other, texts)


def contradict(one: Record, other: Record) -> bool:
    """Tell whether two records cannot be of one paper, even if a third one is like both."""
    if same(one, other):
        return False
    if _other_numbers(one, other) or titles.other_part(one.title, other.title):
        return True
    likeness = titles.likeness(one.title, other.title)
    return likeness is not None and (_both_texts(one, other) or likeness < PLAINLY_OTHER)


def closeness(one: Record, other: Record) -> tuple[bool, bool, bool, float]:
    """Return how much two records have in common, to be compared with that of another pair."""
    return (
        share_number(one, other),
        _compared(one, other).equal,
        titles.equal(one.title, other.title),
        titles.likeness(one.title, other.title) or 0.0,
    )


def _same_by_text(one: Record, other: Record, texts: _Texts, *, apart: bool) -> bool:
    """Judge two whose abstracts are the same but for a few letters at most.

    Protocols and reports are often written from a template, in which only the names change. So
    what is not the same to the letter has to be long, and its titles must not change along.
    """
    if _same_titles(one, other):
        return True
    likeness = titles.likeness(one.title, other.title)
    long = min(len(one.abstract), len(other.abstract)) >= LONG
    if apart or not (long or texts.equal):
        return False
    if likeness is None:
        return True
    if not texts.equal and _change_alike(one, other):
        return False
    return likeness >= (PLAINLY_OTHER if long else ALIKE_TITLES)


def _same_titles(one: Record, other: Record) -> bool:
    return titles.equal(one.title, other.title) or titles.extended(one.title, other.title)


def _change_alike(one: Record, other: Record) -> bool:
    """Tell whether abstracts and titles differ in the same words."""
    texts = [set(titles.words(item.abstract)) for item in (one, other)]
    heads = [set(titles.words(item.title)) for item in (one, other)]
    return bool((texts[0] ^ texts[1]) & (heads[0] ^ heads[1]))


def _same_by_number(one: Record, other: Record) -> bool:
    """Judge two of one number: chapters share that of their book, errata that of the paper."""
    texts = _compared(one, other)
    if texts.alike or texts.equal:
        return True
    likeness = titles.likeness(one.title, other.title)
    if likeness is None:
        return True
    differing = titles.kinds(one.title) ^ titles.kinds(other.title)
    if differing - {"retraction"}:  # a title is marked when its paper is retracted
        return False
    numbers = [set(titles.parts(item.title)) for item in (one, other)]
    if all(numbers) and numbers[0] != numbers[1] and not titles.equal(one.title, other.title):
        return False
    if likeness >= PLAINLY_OTHER:
        return True
    if texts.alike is False:
        return False
    # a shorter title or one in another language; chapters have the DOI of their book in common,
    # but no number of a database
    if _share_strong(one, other):
        return True
    pages = _detail(one, "page"), _detail(other, "page")
    if all(pages):
        return pages[0] == pages[1]
    chapters = _detail(one, "type") == _detail(other, "type") == "chapter"
    return not chapters and share_author(one.authors, other.authors) is not False


def _same_by_title(one: Record, other: Record, texts: _Texts) -> bool:
    """Judge two without a number in common by title, years, abstracts and authors."""
    if not _same_titles(one, other):
        return False
    if one.year and other.year and abs(one.year - other.year) > 1:
        return False
    if texts.alike is not None:
        return texts.alike
    shared = share_author(one.authors, other.authors)
    if titles.generic(one.title) or titles.generic(other.title):
        return shared is True and one.year == other.year and _same_place(one, other)
    if not titles.equal(one.title, other.title) or _both_texts(one, other):
        return shared is True
    if not _says_enough(titles.key(one.title)) and shared is None:
        return bool(one.year) and one.year == other.year
    return shared is not False


def _same_place(one: Record, other: Record) -> bool:
    pages = _detail(one, "page"), _detail(other, "page")
    if all(pages):
        return pages[0] == pages[1]
    return titles.key(one.venue) == titles.key(other.venue) != ""


def _both_texts(one: Record, other: Record) -> bool:
    return bool(one.abstract and other.abstract)


def _says_enough(key: str) -> bool:
    return len(key) >= (_SHORT_TITLE if key.isascii() else _SHORT_CJK)


def share_number(one: Record, other: Record) -> bool:
    """Tell whether two records have a DOI, a PubMed or an arXiv number in common."""
    if one.doi and keys.bare_doi(one.doi) == keys.bare_doi(other.doi):
        return True
    return _share_strong(one, other)


def _share_strong(one: Record, other: Record) -> bool:
    return any(
        getattr(one, name) and getattr(one, name) == getattr(other, name) for name in _STRONG
    )


def _other_numbers(one: Record, other: Record) -> bool:
    """Tell whether both have a publisher's DOI, a PubMed or an arXiv number, and not the same."""
    if any(
        getattr(one, name) and getattr(other, name) and getattr(one, name) != getattr(other, name)
        for name in _STRONG
    ):
        return True
    dois = [keys.bare_doi(item.doi) for item in (one, other) if not _DEPOSITED.match(item.doi)]
    return len(set(filter(None, dois))) > 1


def _compared(one: Record, other: Record) -> _Texts:
    if not _both_texts(one, other):
        return _Texts(equal=False, nearly=False, alike=None)
    a, b = cleaning.normalized(one.abstract), cleaning.normalized(other.abstract)
    if a == b:
        return _Texts(equal=True, nearly=True, alike=True)
    if nearly_same(a, b):
        return _Texts(equal=False, nearly=True, alike=True)
    alike = of_texts(a, b) >= VERSIONS
    # what a record says is often the language of the paper, not of the abstract
    tongues = languages.guess(one.abstract), languages.guess(other.abstract)
    foreign = not alike and all(tongues) and tongues[0] != tongues[1]
    return _Texts(equal=False, nearly=False, alike=None if foreign else alike)


def nearly_same(one: str, other: str) -> bool:
    """Tell whether two normalised texts differ in no more than a few letters, and in no number."""
    if Counter(_NUMBER.findall(one)) != Counter(_NUMBER.findall(other)):
        return False
    return fuzz.ratio(one, other, score_cutoff=_NEARLY) > 0


def of_texts(one: str, other: str) -> float:
    """Return which share of the shorter normalised text's words stand in the other, 0 to 1."""
    a, b = _words(one), _words(other)
    return len(a & b) / max(1, min(len(a), len(b)))


def share_author(some: Sequence[str], others: Sequence[str]) -> bool | None:
    """Tell whether two lists have a family name in common; None where one is empty."""
    if not some or not others:
        return None
    families = [{titles.key(people.parts(name)[0]) for name in names} for names in (some, others)]
    return bool(families[0] & families[1])


def _detail(record: Record, name: str) -> str:
    found = next((value for key, value in record.details if key == name), "")
    return found.partition("-")[0].partition("\u2013")[0].strip()


def _words(folded: str) -> set[str]:
    words = _WORD.findall(folded)
    if len(folded) > _BLANKLESS * len(words):
        return {folded[start : start + 2] for start in range(len(folded) - 1)}
    return {word for word in words if len(word) >= _LEAST_LETTERS} or set(words)
