"""What kind of answer a question asks for, and whether a sentence could hold one.

Patterns over English words; a question of another language asks for nothing in particular.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUANTITY = re.compile(
    r"\b(how (many|much|fast\w*|large|big|long|often|far|high|low|well|small|accurate\w*"
    r"|\w+ (faster|better|more|less|fewer|smaller|larger|higher|lower))"
    r"|by (how|what)|bit.?widths?"
    r"|(what|which) (\w+ ){0,2}(percent\w*|number|fraction|share|rate|accuracy|speed-?ups?|size"
    r"|score|precision|improvement|gain|reduction|value|ratio|factor|amount|cost|bound|dos\w+"
    r"|complexity|bits?))",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\bwhere\b.*\b(code|implementation|data|demo|model|paper|weights|find|available|download)"
    r"|\b(code|repository|repo|github|gitlab|url|link|website|homepage|project page)\b",
    re.IGNORECASE,
)
_TRIAL = re.compile(
    r"\b(evaluat\w+|test(ed|s|ing)?|validat\w+|experiment\w*|benchmark\w*|datasets?|baselines?"
    r"|compar\w+|appl(ied|ication)\w*|demonstrat\w+|measured?|tasks?|environments?|outperform\w*"
    r"|beats?)\b",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"\b(stands? for|short for|abbreviat\w+|acronym|full name|(is|are|does) \S+ mean|called)\b"
    r"|^\W*(what (is|are|does \S+ do)|explain|describe|define|tell me about)\b"
    r"|\bhow (does|do|did) [\w.^-]+ work\b"
    r"|\b(which|what|any|find|list|show)\b(?: [\w-]+){0,3}?"
    r" (papers|abstracts|studies|works|articles)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(r"\b(which|what|who|whose|name)\b", re.IGNORECASE)

_FIGURE = re.compile(r"\d")
_NUMBER_WORD = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|half|twice|double|hundreds?|thousands?)\b",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://|www\.|git(hub|lab)\.com|huggingface\.co", re.IGNORECASE)
_REPORT = re.compile(
    r"\b(experiment\w*|evaluat\w+|validat\w+|benchmark\w*|dataset\w*|outperform\w*|results?"
    r"|demonstrat\w+|empirical\w*|achiev\w+|surpass\w*|suite|baselines?|compared)\b",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"\(\W*[A-Z][\w-]*[A-Z0-9][\w-]*\W*\)|\b(call(ed)?|termed?|named|dubbed)\b"
    r"|\b(we|paper|study|work|article)\b.{0,40}\b(propos|introduc|present|develop|design|stud|analy"
    r"|investigat|describ|report)\w*"
)
# A name: a capital beyond the first letter, a digit in a word, or a capital amid a sentence.
_NAME = re.compile(
    r"\b(?:\w*[a-z\d][A-Z]\w*|[A-Z]{2}[\w-]*|[A-Za-z]+-?\d\w*|(?<=[a-z,(] )[A-Z]\w+)"
)
_BACK = re.compile(
    r"(it|its|this|these|those|they|their|such|both|here|the former|the latter|(our|the) (method"
    r"|model|framework|approach|algorithm|system|mechanism|technique|results?|\w+ group))\b",
    re.IGNORECASE,
)
_MANY_NAMES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """The kinds of answer that a question asks for; several may hold."""

    text: str
    quantity: bool
    place: bool
    trial: bool
    meaning: bool
    naming: bool


def read(question: str) -> Asked:
    """Return what kinds of answer ``question`` asks for."""
    return Asked(
        text=question.casefold(),
        quantity=_QUANTITY.search(question) is not None,
        place=_PLACE.search(question) is not None,
        trial=_TRIAL.search(question) is not None,
        meaning=_MEANING.search(question) is not None,
        naming=_NAMING.search(question) is not None,
    )


def answers(asked: Asked, sentence: str) -> float:
    """Return how well ``sentence`` could hold an answer of the kind that is asked for.

    1 is well, 0 not in particular, -1 hardly: where the code is answers nothing else.
    """
    if asked.place:
        return 1.0 if _URL.search(sentence) else 0.0
    if _URL.search(sentence):
        return -1.0
    marks = []
    if asked.quantity:
        marks.append(_quantity(sentence))
    if asked.trial:
        marks.append(1.0 if _REPORT.search(sentence) else 0.0)
    if asked.meaning:
        marks.append(1.0 if _INTRODUCTION.search(sentence) else 0.0)
    if asked.naming and not asked.quantity and not asked.meaning:
        marks.append(_new_names(asked, sentence))
    if not marks:
        return 0.0
    # One kind met is nearly as good as all: "Which datasets?" is read as two kinds.
    return 0.5 * max(marks) + 0.5 * sum(marks) / len(marks)


def points_back(sentence: str) -> bool:
    """Tell whether a sentence leans on the one before it: "It ...", "This method ..."."""
    return _BACK.match(sentence) is not None


def _quantity(sentence: str) -> float:
    if _FIGURE.search(sentence):
        return 1.0
    return 0.6 if _NUMBER_WORD.search(sentence) else 0.0


def _new_names(asked: Asked, sentence: str) -> float:
    """Return the share of names that the question does not hold itself."""
    names = {name.casefold() for name in _NAME.findall(_URL_TEXT.sub("", sentence))}
    return min(1.0, sum(name not in asked.text for name in names) / _MANY_NAMES)


_URL_TEXT = re.compile(r"https?://\S+")
