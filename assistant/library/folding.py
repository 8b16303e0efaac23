"""Names and words without case and accents, and quick search among very many of them."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = re.compile("['’ʼ`´]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
# Letters with a stroke or tied together, which Unicode does not take apart.
_BARE = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_NOWHERE = "\0"  # stands in no folded text: what is looked for has no words
_COMMA = "|"  # between family and given name: no word holds it


def words(text: str) -> list[str]:
    """Return the words of a text without case, accents and marks: "Łukasz O'Brien" two of them."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in text if not unicodedata.combining(char))
        # Korean syllables came apart, too
        text = unicodedata.normalize("NFC", text.casefold().translate(_BARE))
    return _WORD.findall(_APOSTROPHES.sub("", text).casefold())


def folded(text: str, *, named: bool = False) -> str:
    """Return the words of a text, each between spaces; of a name, with its comma."""
    family, comma, given = text.partition(",") if named else (text, "", "")
    parts = [*words(family), *([_COMMA] if comma else []), *words(given)]
    return f" {' '.join(parts)} "


Test = tuple[bytes, Callable[[str], bool]]
"""What must stand in a folded text as bytes, and what then decides."""


def words_test(wanted: str) -> Test:
    """Return the test for texts in which all words of ``wanted`` stand."""
    needles = [_needle(word) for word in words(wanted)]
    longest = max(needles, key=len, default=_NOWHERE)
    return longest.encode(), lambda text: all(needle in text for needle in needles)


def author_test(wanted: str) -> Test:
    """Return the test for folded names that ``wanted``, a family name or a whole name, may mean."""
    family, comma, given = wanted.partition(",")
    if comma:
        readings = [(words(family), words(given))]
    else:
        said = words(wanted)
        # "Gabriel García Márquez": where the family name begins is not said
        readings = [(said[cut:], said[:cut]) for cut in range(len(said))]
    last = next((reading[0][-1] for reading in readings if reading[0]), _NOWHERE)
    return f" {last} ".encode(), lambda text: _may_mean(text, readings)


def _may_mean(name: str, readings: Sequence[tuple[Sequence[str], Sequence[str]]]) -> bool:
    before, comma, after = name.partition(_COMMA)
    family, given = before.split(), after.split()
    if not comma:  # a group, or a name in the order in which it is spoken
        held = [(family[cut:], family[:cut]) for cut in range(len(family))]
    else:
        # particles may be left out: "Berg" means "van der Berg"
        held = [(family[cut:], given) for cut in range(len(family))]
    return any(
        list(wanted_family) == held_family and _agree(wanted_given, held_given)
        for wanted_family, wanted_given in readings
        for held_family, held_given in held
    )


def _agree(wanted: Sequence[str], held: Sequence[str]) -> bool:
    """Tell whether given names may be one person's: an initial stands for a name."""
    if wanted and not held:
        return False
    for one, other in zip(wanted, held, strict=False):
        short, long = sorted((one, other), key=len)
        if one != other and not (len(short) == 1 and long.startswith(short)):
            return False
    return True


def _needle(word: str) -> str:
    # Chinese and Japanese do not part words, so a word may stand inside a longer run
    return word if _CJK.search(word) else f" {word} "


class Segments:
    """Texts of papers, folded and each held once, in one run of bytes that is quick to search."""

    def __init__(self, texts: Iterable[tuple[int, str]], *, named: bool = False) -> None:
        """Take pairs of a paper's place and a text of it; ``named``: the texts are names."""
        numbers: dict[str, int] = {}
        pairs = [(numbers.setdefault(text, len(numbers)), place) for place, text in texts]
        lines = [folded(text, named=named).encode() for text in numbers]
        self._run = b"\n".join(lines)
        lengths = np.array([len(line) + 1 for line in lines], dtype=np.int64)
        self._ends: list[int] = np.cumsum(lengths).tolist()
        listed = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        order = np.argsort(listed[:, 0], kind="stable")
        self._places = listed[order, 1].astype(np.int32)
        self._first = np.searchsorted(listed[order, 0], np.arange(len(lines) + 1))

    def owners(self, needle: bytes, test: Callable[[str], bool]) -> npt.NDArray[np.int32]:
        """Return the places of papers with a text that holds ``needle`` and passes ``test``."""
        found = [
            self._places[self._first[number] : self._first[number + 1]]
            for number, line in self._holding(needle)
            if test(line)
        ]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int32)

    def _holding(self, needle: bytes) -> Iterator[tuple[int, str]]:
        at = self._run.find(needle)
        while at >= 0:
            number = bisect_right(self._ends, at)
            start = self._ends[number - 1] if number else 0
            yield number, self._run[start : self._ends[number] - 1].decode()
            at = self._run.find(needle, self._ends[number] - 1)
