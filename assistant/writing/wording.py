"""How statements are worded: names, numbers in their clauses, negations, comparisons.

English only: in other languages these find little, and the checks built on them let more through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assistant.retrieval.lexical import content_terms, is_stop_term, tokenise
from assistant.retrieval.stem import stem
from assistant.writing.numbers import Number, find_numbers, supports

# Words a writer needs to make a sentence of a finding; they claim nothing.
FREE_TERMS = frozenset(
    stem(word)
    for word in """
    study work method approach propose proposes present presents introduce introduces describe
    describes called named namely include includes including following respectively specifically
    achieve achieves provide provides allow allows enable enables based due order help helps make
    makes show shows find finds result results demonstrate address addresses question answer aim
    aims able way ways two three both main key new novel available
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list of strings
)
_GENERIC = frozenset(
    stem(word)
    for word in """
    real world application task various several different multiple many number important
    effective effectiveness efficient performance model data result better improve improved good
    """.split()  # noqa: SIM905
)
_EVIDENCE_TALK = re.compile(
    r"\b((sentences?|abstracts?|evidence|text|passages?|information|context|question|paper)\b.{0,30}"
    r"\b(does|do|did|is|are|was) ?n[o']t\b|not (explicitly |specifically |directly )?"
    r"(mentioned|stated|provided|specified|given|clear|enough)|(provided|given|above|these) "
    r"(sentences?|evidence|abstracts?|text|passages?|context)|cannot (answer|be answered|determine)"
    r"|I (cannot|can't|am|do not|don't)\b|as an AI|sorry)",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
# Numbers of one clause are about one thing; a comma inside a number does not end a clause.
_CLAUSE = re.compile(
    r"[;:]|,(?!\d)|\b(?:as well as|while|whereas|compared (?:to|with)|versus|and)\b", re.IGNORECASE
)
_CONTRAST = re.compile(r";|\b(?:while|whereas)\b", re.IGNORECASE)
_NAME = re.compile(
    r"https?://[^\s)\]]+[\w/]"
    r"|\b[A-Z][\w]*(?:[-/+.][A-Za-z0-9]+)*\b"
    r"|\b[a-z]+[A-Z]\w*\b|\b[A-Za-z]+-?\d[\w.-]*\b"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|[“\"(]\s*)$")
_NEGATION = re.compile(
    r"\b(not|no|never|without|cannot|n't|neither|nor|fails? to|failed to|lacks?|unable to"
    r"|rather than|instead of|rarely|hardly)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:.!?]|\b(but|while|whereas|although|however|and)\b", re.IGNORECASE)
_COUNT = 12
_REACH = 4  # content words after a negation that it may negate
_SHORT_REACH = 2
_OF_A_THING = {"no", "without", "lack", "lacks"}  # they negate the noun that follows
_FREE_OF = re.compile(r"\b([a-z]+)-free\b", re.IGNORECASE)

_FIRST_PERSON = (
    (re.compile(r"^(We|Here,? we|In this (paper|work|study),? we)\b"), "The authors"),
    (re.compile(r"\bwe\b"), "the authors"),
    (re.compile(r"\bOur\b"), "Their"),
    (re.compile(r"\bour\b"), "their"),
)
_PAIRS = (
    (r"outperform\w*|surpass\w*|exceed\w*|superior|beats?",
     r"underperform\w*|outperformed by|inferior|worse"),
    (r"increas\w+|rais\w+|grow\w*|rises?|higher|more|larger|greater|amplif\w+",
     r"decreas\w+|reduc\w+|lower\w*|declin\w+|fewer|less|smaller|shrink\w*|m(?:iti|ini)\w+"),
    (r"improv\w+|better|enhanc\w+|benefits?|boost\w*",
     r"worsen\w*|degrad\w+|worse|hurts?|harm\w*|impair\w*"),
    (r"faster|accelerat\w+|speed\w*", r"slower|slow\w*"),
    (r"easier|simpler|simplif\w+", r"harder|more difficult|complicat\w+"),
    (r"positive(?:ly)?", r"negative(?:ly)?"),
    (r"maximi[sz]\w+", r"minimi[sz]\w+"),
    (r"before", r"after"),
    (r"proposed|our|their|novel", r"existing|established|prior|previous|traditional|conventional"),
)  # fmt: skip
_BEATS = re.compile(
    r"\b(outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beats?"
    r"|is (?:better|faster|superior) (?:than|to)|improves? (?:up)?on)\b(?P<by> by\b(?! [\d.]))?",
    re.IGNORECASE,
)


def speaks_of_evidence(statement: str) -> bool:
    """Tell whether the statement is about what it was given, or excuses itself."""
    return _EVIDENCE_TALK.search(statement) is not None


def only_generic(new_terms: Sequence[str]) -> bool:
    """Tell whether what a statement adds to its question could be said of any paper."""
    return all(term in _GENERIC or term in FREE_TERMS or is_stop_term(term) for term in new_terms)


def squeeze(text: str) -> str:
    """Drop case, spaces and marks, so that "Peri-LN", "Peri LN" and "periln" are one."""
    return re.sub(r"[\W_]+", "", text.casefold())


def names_of(statement: str) -> Iterator[str]:
    """Yield what is written like a name: inner capitals, acronyms, letters with digits, addresses.

    A plain word is a name only where its capital cannot come from the start of a sentence.
    """
    for match in _NAME.finditer(statement):
        name = match.group()
        plain = name[0].isupper() and name[1:].islower()
        starts = _SENTENCE_START.search(statement[: match.start()]) is not None
        if plain and (starts or is_stop_term(name.lower())):
            continue
        if len(name) == 1:
            continue
        yield name


def negated(text: str) -> set[str]:
    """Return the terms that stand within reach of a negation, up to the end of its clause."""
    found: set[str] = set()
    for match in _NEGATION.finditer(text):
        rest = text[match.end() :]
        end = _CLAUSE_END.search(rest)
        reach = _SHORT_REACH if match.group().lower() in _OF_A_THING else _REACH
        found.update(content_terms(rest[: end.start()] if end else rest)[:reach])
    return found | {stem(match[1].lower()) for match in _FREE_OF.finditer(text)}


def affirmed(term: str, text: str) -> bool:
    """Tell whether ``term`` also stands outside the reach of every negation."""
    outside = text
    for match in reversed(list(_NEGATION.finditer(text))):
        rest = text[match.end() :]
        end = _CLAUSE_END.search(rest)
        stop = match.end() + (end.start() if end else len(rest))
        outside = outside[: match.start()] + outside[stop:]
    return term in set(tokenise(_FREE_OF.sub(" ", outside)))


@lru_cache(maxsize=1)
def opposites() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return pairs of patterns for words of opposite direction."""
    return tuple(
        (re.compile(rf"\b(?:{up})\b", re.IGNORECASE), re.compile(rf"\b(?:{down})\b", re.IGNORECASE))
        for up, down in _PAIRS
    )


def swapped(statement: str, texts: Sequence[str]) -> str:
    """Return what is wrong when winner and loser of a comparison have changed places.

    Where one text says that they have and another that they have not, nothing is wrong.
    """
    said = _BEATS.search(statement)
    if said is None:
        return ""
    winner, loser = _sides(statement, said)
    wrong = ""
    for text in texts:
        held = _BEATS.search(text)
        if held is None:
            continue
        true_winner, true_loser = _sides(text, held)
        if winner & true_winner:
            return ""
        for name in sorted((winner & true_loser) - loser):
            wrong = f"“{name}” is on the losing side"
    return wrong


def _sides(text: str, match: re.Match[str]) -> tuple[set[str], set[str]]:
    before = {squeeze(name) for name in names_of("x " + text[: match.start()])}
    after = {squeeze(name) for name in names_of("x " + text[match.end() :])}
    return (after, before) if match["by"] else (before, after)


def basis_of(statement: str, texts: Sequence[str]) -> list[int]:
    """Return the positions of the fewest sentences that hold what can be held of a statement."""
    wanted = {term for term in content_terms(statement) if term not in FREE_TERMS}
    numbers = find_numbers(statement)
    sets = [set(tokenise(text)) & wanted for text in texts]
    chosen: list[int] = []
    left = {term for held in sets for term in held}
    while left:
        best = max(range(len(texts)), key=lambda i: (len(sets[i] & left), -i))
        gain = len(sets[best] & left)
        # A sentence that adds a single common word is not what the statement rests on.
        if not gain or (
            chosen
            and gain < max(2, len(wanted) // 6)
            and not _holds_number(texts[best], numbers, [texts[i] for i in chosen])
        ):
            break
        chosen.append(best)
        left -= sets[best]
    return sorted(chosen)


def _holds_number(text: str, numbers: Sequence[Number], chosen: Sequence[str]) -> bool:
    """Tell whether a sentence supports a number that those chosen so far do not."""
    here = find_numbers(text)
    there = [number for other in chosen for number in find_numbers(other)]
    return any(
        any(supports(a, number) for a in here) and not any(supports(a, number) for a in there)
        for number in numbers
    )


def misplaced(statement: str, number: Number, texts: Sequence[str]) -> str:
    """Return the word that ties a number to another thing than the evidence does, or nothing.

    A word of the number's clause that the evidence never puts in a clause with this number, but
    does put in a clause with another, shows that the two have changed places.
    """
    if _lost_respectively(statement, number, texts):
        return "respectively"
    if not number.unit and number.value.denominator == 1 and number.value <= _COUNT:
        return ""  # "two" steps and "three" kinds are counts that anything may have
    mine = _clause_of(statement, number.start)
    own = set(tokenise(number.text))
    words = {t for t in content_terms(mine) if t not in own and t not in FREE_TERMS}
    with_it, with_others = set[str](), set[str]()
    for text in texts:
        mine_too, of_others = _openings(text, number)
        with_it |= mine_too
        with_others |= of_others
        for clause in _clauses(text):
            here = find_numbers(clause)
            if any(supports(other, number) for other in here):
                with_it |= set(tokenise(clause))
            elif others := [n for n in here if n.unit or n.unit == number.unit]:
                with_others |= set(tokenise(clause[others[0].start :]))
    for term in sorted(words & with_others - with_it):
        if not term[0].isdigit():
            return term
    return ""


def _openings(text: str, number: Number) -> tuple[set[str], set[str]]:
    """Return the words before the first number: those that go for ``number``, those that do not.

    Who did what goes for all numbers of a text, but not for those beyond a "whereas".
    """
    sides = [(side, find_numbers(side)) for side in _CONTRAST.split(text)]
    holding = [any(supports(other, number) for other in found) for _, found in sides]
    with_it, with_others = set[str](), set[str]()
    for (side, found), held in zip(sides, holding, strict=True):
        before = tokenise(side[: found[0].start]) if found else ()
        (with_it if held or not any(holding) else with_others).update(before)
    return with_it, with_others


def _lost_respectively(statement: str, number: Number, texts: Sequence[str]) -> bool:
    """Tell whether a number was taken out of a list that goes with another list, in order."""
    if _RESPECTIVELY.search(statement) or not any(c.isdigit() for c in number.text):
        return False
    return any(
        supports(other, number)
        for text in texts
        if _RESPECTIVELY.search(text)
        for other in find_numbers(text)
    )


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause and clause.strip()]


def _clause_of(text: str, position: int) -> str:
    start = 0
    for match in _CLAUSE.finditer(text):
        if match.start() > position:
            return text[start : match.start()]
        start = match.end()
    return text[start:]


def as_written(statement: str, texts: Sequence[str]) -> str:
    """Return the statement with its numbers in the form in which the evidence writes them.

    "7 datasets" becomes "seven datasets" where the paper says seven; nothing else changes.
    """
    known = [number for text in texts for number in find_numbers(text)]
    written = statement
    for number in reversed(find_numbers(statement)):
        same = [other for other in known if other.value == number.value]
        forms = {other.text.strip().casefold() for other in same}
        if not same or number.text.strip().casefold() in forms:
            continue
        bare = [other for other in same if other.unit == number.unit]
        if bare:
            written = written[: number.start] + bare[0].text.strip() + written[number.end :]
    return written


def new_names(statement: str, question: str) -> set[str]:
    """Return the names of a statement that its question does not hold, squeezed.

    The initials of the question's own words ("MA" for "missingness-avoiding") are nothing new.
    """
    asked = squeeze(question)
    initials = "".join(word[0] for word in re.findall(r"[^\W_]+", question.casefold()))
    names = map(squeeze, names_of(statement))
    return {name for name in names if name not in asked and name not in initials}


def new_figures(statement: str, question: str) -> bool:
    """Tell whether a statement holds a number that its question does not."""
    asked = {number.value for number in find_numbers(question)}
    return any(number.value not in asked for number in find_numbers(statement)) or any(
        any(c.isdigit() for c in name) for name in new_names(statement, question)
    )


def in_third_person(statement: str) -> str:
    """Return a statement that was copied from the authors' mouth as one about them."""
    for pattern, theirs in _FIRST_PERSON:
        statement = pattern.sub(theirs, statement)
    return statement[:1].upper() + statement[1:]
