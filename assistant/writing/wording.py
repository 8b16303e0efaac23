"""How statements are worded: names, negations, comparisons, and what a question asks for.

English only: in other languages these find little, and the checks built on them let more through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assistant.retrieval.lexical import TermStats, content_terms, is_stop_term, tokenise
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
_NUMBER_ASKED = re.compile(
    r"\bhow (many|much|fast|large|big|long|often|far|high)\b(?! (does|do|is) \w+ (matter|care))"
    r"|\bby how\b|\bwhat (percent\w*|number|fraction|share|accuracy|speed-?up|size|score|precision"
    r"|rate|value|ratio|factor)\b|\bby what\b",
    re.IGNORECASE,
)
_ADDRESS_ASKED = re.compile(
    r"\b(where|link|url|address|github|repo(sitory)?)\b.*\b(code|implementation|repo(sitory)?|source)\b"
    r"|\b(code|implementation)\b.*\b(where|link|url|address|find|found|download|available)\b"
    r"|\bgithub\b|\burl\b",
    re.IGNORECASE,
)
_SEVERAL_ASKED = re.compile(
    r"\b(papers|abstracts|studies|works|articles|approaches|methods|techniques|ways|researchers"
    r"|people|anyone|authors|compare|comparison|differences?|differ|versus|vs\.?|overview|survey"
    r"|summari[sz]e|what is known|state of the art|library|collection)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"https?://[^\s)\]]+[\w/]"
    r"|\b[A-Z][\w]*(?:[-/+.][A-Za-z0-9]+)*\b"
    r"|\b[a-z]+[A-Z]\w*\b|\b[A-Za-z]+-?\d[\w.-]*\b"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|[“\"(]\s*)$")
_NEGATION = re.compile(
    r"\b(not|no|never|without|cannot|n't|neither|nor|fails? to|failed to|lacks?|unable to|rather than"
    r"|instead of|rarely|hardly)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:.!?]|\b(but|while|whereas|although|however|and)\b", re.IGNORECASE)
_REACH = 4  # content words after a negation that it may negate

_PAIRS = (
    (r"outperform\w*|surpass\w*|exceed\w*|superior|beats?", r"underperform\w*|outperformed by|inferior|worse"),
    (r"increas\w+|rais\w+|grow\w*|rises?|higher|more|larger|greater|amplif\w+",
     r"decreas\w+|reduc\w+|lower\w*|declin\w+|fewer|less|smaller|shrink\w*|mitigat\w+|minimi[sz]\w+"),
    (r"improv\w+|better|enhanc\w+|benefits?|boost\w*", r"worsen\w*|degrad\w+|worse|hurts?|harm\w*|impair\w*"),
    (r"faster|accelerat\w+|speed\w*", r"slower|slow\w*"),
    (r"easier|simpler|simplif\w+", r"harder|more difficult|complicat\w+"),
    (r"positive(?:ly)?", r"negative(?:ly)?"),
    (r"maximi[sz]\w+", r"minimi[sz]\w+"),
    (r"before", r"after"),
)  # fmt: skip
_BEATS = re.compile(
    r"\b(outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beats?"
    r"|is (?:better|faster|superior) (?:than|to)|improves? (?:up)?on)\b(?P<by> by\b(?! [\d.]))?",
    re.IGNORECASE,
)


def asks_for_number(question: str) -> bool:
    """Tell whether a right answer must hold a number."""
    return _NUMBER_ASKED.search(question) is not None


def asks_for_address(question: str) -> bool:
    """Tell whether a right answer must hold an address."""
    return _ADDRESS_ASKED.search(question) is not None


def asks_for_several(question: str) -> bool:
    """Tell whether a question is about what several papers do: "which papers", "what methods"."""
    return _SEVERAL_ASKED.search(question) is not None


def speaks_of_evidence(statement: str) -> bool:
    """Tell whether the statement is about what it was given, or excuses itself."""
    return _EVIDENCE_TALK.search(statement) is not None


def only_generic(new_terms: Sequence[str], stats: TermStats) -> bool:
    """Tell whether what a statement adds to its question could be said of any paper."""
    del stats
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
        found.update(content_terms(rest[: end.start()] if end else rest)[:_REACH])
    return found


def affirmed(term: str, text: str) -> bool:
    """Tell whether ``term`` also stands outside the reach of every negation."""
    outside = text
    for match in reversed(list(_NEGATION.finditer(text))):
        rest = text[match.end() :]
        end = _CLAUSE_END.search(rest)
        stop = match.end() + (end.start() if end else len(rest))
        outside = outside[: match.start()] + outside[stop:]
    return term in set(tokenise(outside))


@lru_cache(maxsize=1)
def opposites() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return pairs of patterns for words of opposite direction."""
    return tuple(
        (re.compile(rf"\b(?:{up})\b", re.IGNORECASE), re.compile(rf"\b(?:{down})\b", re.IGNORECASE))
        for up, down in _PAIRS
    )


def swapped(statement: str, basis: str) -> str:
    """Return what is wrong when winner and loser of a comparison have changed places."""
    said, held = _BEATS.search(statement), _BEATS.search(basis)
    if said is None or held is None:
        return ""
    winner, loser = _sides(statement, said)
    true_winner, true_loser = _sides(basis, held)
    for name in winner & true_loser:
        if name not in true_winner and name not in loser:
            return f"“{name}” is on the losing side"
    return ""


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
        if not gain or (chosen and gain < max(2, len(wanted) // 6) and not _holds_number(texts[best], numbers, [texts[i] for i in chosen])):
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


def same_company(statement: str, number: Number, texts: Sequence[str]) -> bool:
    """Tell whether some sentence with this number also holds words that stand near it here."""
    near = _near(statement, number)
    if not near:
        return True
    for text in texts:
        held = set(tokenise(text))
        if any(supports(other, number) for other in find_numbers(text)) and near & held:
            return True
    return False


def _near(text: str, number: Number) -> set[str]:
    """Return the content terms of the clause round a number, its own digits left out."""
    before = re.split(r"[;:.]\s", text[: number.start])[-1]
    after = re.split(r"[;:.]\s", text[number.end :])[0]
    own = set(tokenise(number.text))
    return {term for term in content_terms(f"{before} {after}") if term not in own and term not in FREE_TERMS}
