"""Words as keywords and evidence see them: terms, stop words and how rare a term is.

One tokeniser serves the index, the query and the choice of sentences. It keeps names together
and apart at once: "Peri-LN" gives ``peri-ln``, ``periln``, ``peri`` and ``ln``, so that it is
found however it is spelt; "3.0x" gives ``3x``, ``3`` and ``x``.
It does not know languages: Chinese, Japanese and Korean text becomes pairs of characters.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from assistant.retrieval.stem import stem

MAX_TERM = 100  # characters; longer runs are no words
_LONGEST_CHUNK = 300

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_ATOM = rf"(?:\d+(?:[.,]\d+)+|[^\W_{_CJK}])+"
# A compound is atoms joined by up to three marks without space: x-y, x/y, C*-y, a.b, f_1.
_TOKEN = re.compile(rf"{_ATOM}(?:[-\u2010-\u2013\u2044./+:*^@#&=~_|]{{1,3}}{_ATOM})*|[{_CJK}]+")
_SPLIT = re.compile(_ATOM)
_CJK_START = re.compile(f"[{_CJK}]")
_CJK_STOP = re.compile(
    "什么|哪些|哪个|哪里|怎么|如何|多少|为什|请问|论文|是否|[的是了吗呢和在有么]"
)
_ACCENT = re.compile("[\u0300-\u036f]")
_SCHEME = re.compile(r"\bhttps?://(?:www\.)?", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER_UNIT = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_NAME_NUMBER = re.compile(r"([^\W\d_]{2,})(\d+(?:\.\d+)?)")
_MOST_GLUED = 3  # atoms; longer compounds are addresses, nobody writes those in one word

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren't as at be because been
    before being below between both but by can cannot could did do does doing down during each
    either else ever few for from further get gets got had has have having he her here hers him
    his how however i if in into is it its itself just let like may me might more most much must
    my no nor not of off on once one only onto or other our ours out over own per quite rather s
    same say says shall she should since so some such t than that the their theirs them
    themselves then there these they this those through thus to too toward towards under until
    up upon us very was we were what whatever when where whether which while who whom whose why
    will with within without would yet you your yours dont doesnt didnt isnt arent wasnt werent
    cant couldnt wont wouldnt im ive id youre thats whats many tell give show please explain
    describe list name mention find know want need help thank thanks hello hi paper papers
    abstract abstracts article articles author authors according anything something someone
    anyone there's use used uses using
    """.split()  # noqa: SIM905  # a paragraph of words reads better than a list of strings
)


def tokenise(text: str) -> list[str]:
    """Return the terms of ``text`` in order, repeats kept, each compound with its parts."""
    terms: list[str] = []
    for chunk in _chunks(text):
        terms.extend(_bounded_terms(_fold(chunk)))
    return terms


@dataclass(frozen=True, slots=True)
class Unit:
    """One word or compound of a query: any of ``wholes`` is all of it, ``parts`` are pieces."""

    wholes: tuple[str, ...]
    parts: tuple[str, ...]

    def share(self, terms: Collection[str]) -> float:
        """Return 0..1: how much of this unit stands among ``terms``; all pieces count half."""
        if any(whole in terms for whole in self.wholes):
            return 1.0
        if not self.parts:
            return 0.0
        return 0.5 * sum(part in terms for part in self.parts) / len(self.parts)


def content_terms(query: str) -> list[str]:
    """Return the distinct terms that carry the meaning of ``query``, in order.

    Stop words and question words are left out, unless written in capitals amid small letters
    ("what does CAN do?"): then they are names.
    """
    units = content_units(query)
    return list(dict.fromkeys(term for unit in units for term in (*unit.wholes, *unit.parts)))


def content_units(query: str) -> list[Unit]:
    """Return the terms of :func:`content_terms` by the word or compound that they come from."""
    shouting = query.upper() == query
    content: dict[Unit, None] = {}
    for chunk in _chunks(query):
        lowered = _fold(chunk)
        if _is_cjk(chunk) or len(lowered) > _LONGEST_CHUNK:
            pieces = _CJK_STOP.split(lowered)
            terms = [term for piece in pieces if piece for term in _bounded_terms(piece)]
            content.update(dict.fromkeys(Unit((term,), ()) for term in terms))
            continue
        is_name = not shouting and len(chunk) > 1 and chunk.isupper()
        terms = [term for term in _bounded_terms(lowered) if is_name or not is_stop_term(term)]
        if terms:
            wholes = 1 + (1 < len(_SPLIT.findall(lowered)) <= _MOST_GLUED)
            content[Unit(tuple(terms[:wholes]), tuple(terms[wholes:]))] = None
    return list(content)


def is_stop_term(term: str) -> bool:
    """Tell whether a term of :func:`tokenise` says nothing about a subject."""
    return term in _STOP_TERMS


def _bounded_terms(chunk: str) -> Iterable[str]:
    """Keep endless runs (encoded files, DNA) from the caches: they give their short parts only."""
    if len(chunk) <= _LONGEST_CHUNK:
        return _terms_of(chunk)
    pieces = _SPLIT.findall(chunk) if not _is_cjk(chunk) else [chunk]
    return [
        term
        for piece in pieces
        for start in range(0, len(piece), MAX_TERM)
        for term in _terms_of(piece[start : start + MAX_TERM])
    ]


@lru_cache(maxsize=100_000)
def _terms_of(chunk: str) -> tuple[str, ...]:
    """Return the terms of one folded chunk: the whole first, then its parts."""
    if _is_cjk(chunk):
        return tuple(chunk[i : i + 2] for i in range(max(1, len(chunk) - 1)))
    atoms = _SPLIT.findall(chunk)
    terms: dict[str, None] = {}
    if len(atoms) > 1:
        stems = [stem(_number(atom)) for atom in atoms]
        terms["-".join(stems)[:MAX_TERM]] = None
        if len(atoms) <= _MOST_GLUED:
            terms[stem("".join(atoms))[:MAX_TERM]] = None
    for atom in atoms:
        terms.update(dict.fromkeys(term[:MAX_TERM] for term in _atom_terms(atom)))
    return tuple(terms)


def _chunks(text: str) -> list[str]:
    """Return words, compounds and runs of Chinese, Japanese or Korean, as they are written."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = _POSSESSIVE.sub("", _SCHEME.sub(" ", text)).replace("'", "").replace("’", "")
    return _TOKEN.findall(text)


def _fold(chunk: str) -> str:
    """Lower the case and drop accents: "Rényi" and "renyi" are one word."""
    if chunk.isascii():
        return chunk.lower()
    bare = _ACCENT.sub("", unicodedata.normalize("NFD", chunk.casefold()))
    return unicodedata.normalize("NFC", bare)


def _is_cjk(chunk: str) -> bool:
    return _CJK_START.match(chunk) is not None


def _atom_terms(atom: str) -> list[str]:
    number = _number(atom)
    if "," in number:  # a list without spaces, not a number
        return [_number(piece) for piece in number.split(",")]
    if match := _NUMBER_UNIT.fullmatch(number):
        value = _number(match[1])
        return [value + match[2], value, match[2]]
    if match := _NAME_NUMBER.fullmatch(number):
        return [number, match[1], match[2]]
    return [stem(number)]


def _number(atom: str) -> str:
    """Write numbers one way: 706,360 as 706360 and 50.00 as 50."""
    if not atom[0].isdigit():
        return atom
    if _THOUSANDS.fullmatch(atom):
        atom = atom.replace(",", "")
    if re.fullmatch(r"\d+\.\d+", atom):
        atom = atom.rstrip("0").rstrip(".")
    return atom


_STOP_TERMS = frozenset(term for word in STOP_WORDS for term in (word, stem(word)))


class TermStats:
    """How many papers of a library hold a term, and so how much the term tells."""

    def __init__(self, n_docs: int, count: Callable[[str], int]) -> None:
        """Take the number of papers and a function that counts the papers with a term."""
        self.n_docs = n_docs
        self._count = lru_cache(maxsize=50_000)(count)

    def df(self, term: str) -> int:
        """Return the number of papers that hold ``term``, as :func:`tokenise` writes it."""
        return self._count(term)

    def idf(self, term: str) -> float:
        """Return BM25's inverse document frequency, above 0, greatest for an unknown term."""
        found = min(self.df(term), self.n_docs)
        return math.log(1.0 + (self.n_docs - found + 0.5) / (found + 0.5))
