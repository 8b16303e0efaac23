"""Numbers as abstracts write them, brought to one form so that they can be compared.

1/2 = 0.5 = half, 706,360 = 706360, 50.00 % = 50 percent, 3.0x = 3 times, seven = 7, 1e-3 = 0.001.
What it does not know: what a number counts. Units tell percentages, factors, points and bits apart;
everything else is left to the words around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_WORDS: dict[str, int | Fraction] = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1000, "half": Fraction(1, 2), "third": Fraction(1, 3),
    "twice": 2, "double": 2, "doubles": 2, "triple": 3, "both": 2,
}  # fmt: skip
_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}
_SCALES |= {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_VALUE = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+−]?\d{1,3}\b)?"
_LONGEST = 100  # characters; longer runs of digits are no numbers, and slow to compute with
_NUMBER = re.compile(
    rf"""(?<![A-Za-z_\d.,])(?<![A-Za-z]-)
    (?P<minus>(?<![\w)\]}}%])[-−])?(?P<value>{_VALUE})
    (?:\s*/\s*(?P<below>\d+(?![\d.,]*\d)))?
    (?:\s?(?P<scale>thousand|million|billion)\b|(?P<letter>[kKMB])(?![A-Za-z]))?
    (?P<unit>\s*(?:%|percent(?:age\s+points?)?\b|points?\b|×|x\b|times\b|-?\s?fold\b|-?\s?bits?\b))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(
    rf"\b(?P<word>{'|'.join(_WORDS)})(?:\b|(?=fold\b))"
    r"(?P<unit>[\s-]*(?:percent(?:age\s+points?)?\b|points?\b|times\b|-?\s?fold\b|-?\s?bits?\b))?",
    re.IGNORECASE,
)
# Numbers inside names ("GPT-4", "CIFAR-10", "Llama2-7B") belong to the name and are checked there.


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text; ``unit`` is percent, points, times, bits or empty."""

    value: Fraction
    unit: str
    start: int
    end: int
    text: str


def find_numbers(text: str) -> list[Number]:
    """Return the numbers of ``text`` in order, written in digits or in words."""
    found = [
        _digits(match)
        for match in _NUMBER.finditer(text)
        if match.end() - match.start() <= _LONGEST
    ]
    found += [
        Number(
            Fraction(_WORDS[match["word"].lower()]),
            _unit(match["unit"] or ("times" if match["word"].lower() in _FACTORS else "")),
            match.start(),
            match.end(),
            match.group(),
        )
        for match in _WORD.finditer(text)
        if not any(number.start <= match.start() < number.end for number in found)
    ]
    return sorted(found, key=lambda number: number.start)


def supports(evidence: Number, claim: Number) -> bool:
    """Tell whether ``claim`` says no more than ``evidence``: same value, and no other unit."""
    if evidence.value != claim.value:
        return False
    if claim.unit == evidence.unit:
        return True
    # "improves by 1.2" may drop the unit; "improves by 1.2 %" may not add or change one.
    loose = {"percent", "points"}
    return not claim.unit or ({claim.unit, evidence.unit} == loose and _says_points(evidence))


_FACTORS = {"twice", "double", "doubles", "triple"}


def _says_points(number: Number) -> bool:
    return "percentage" in number.text.lower()


def _digits(match: re.Match[str]) -> Number:
    value = Fraction(match["value"].replace(",", "").replace("−", "-"))
    if match["below"] and int(match["below"]):
        value /= int(match["below"])
    scale = match["scale"] or match["letter"]
    if scale:
        value *= _SCALES[scale.lower()]
    if match["minus"]:
        value = -value
    return Number(value, _unit(match["unit"] or ""), match.start(), match.end(), match.group())


def _unit(text: str) -> str:
    bare = text.strip(" -").lower()
    if bare.startswith(("percentage", "point")):
        return "points"
    if bare == "%" or bare.startswith("percent"):
        return "percent"
    if bare in {"×", "x", "times"} or bare.endswith("fold"):
        return "times"
    return "bits" if bare.startswith("bit") else ""
