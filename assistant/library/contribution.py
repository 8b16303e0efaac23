"""Find what an abstract says that its paper does: "we propose …", "this study examined …"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.library import phrases, sections
from assistant.library.wordlists import listed

_MAKING = listed("""
    propose introduce present develop design devise describe build construct create release
    formulate derive establish suggest contribute curate collect unveil report offer provide
    define conduct perform give
""")
_LESSER = frozenset(
    listed("""
    conduct perform give report establish derive collect curate construct build create define
""")
)
"""Making that is seldom the main thing."""

_NAMELESS = frozenset(["conduct", "perform", "give", "report", "establish", "derive"])
"""Making whose objects have no names."""


_STUDYING = listed("""
    study investigate analyze analyse explore examine characterize characterise evaluate assess
    consider determine estimate identify survey review discuss measure quantify test understand
    research detail clarify elucidate
""")
_DOING = listed("""
    revisit re-examine reexamine rethink leverage use apply extend combine unify improve bridge
    compare focus act transform generalize generalise adapt model predict learn train address
    tackle solve employ adopt utilize utilise exploit
""")
_SAYING = listed("""
    show prove demonstrate find argue reveal observe hypothesize discover conclude
""")
MAKING, STUDYING, DOING, SAYING = 3.0, 2.6, 2.2, 1.0
LESS = 0.8
_IRREGULAR = {"build": "built", "find": "found", "show": "showed", "give": "gave"}

_ORDER = 0.12
_CENTRAL = 3.0
_MIN_WORDS = 3
_OFTEN = 4
_BEGINNING = 60
_SECTIONS = {"aim": 1.5, "methods": -0.8, "results": -0.8}
"""How much more, or less, a phrase counts in a section with such a label."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb that the authors are the subject of, and what follows it in its sentence."""

    sentence: int
    verb: str
    weight: float
    tail: str

    @property
    def makes(self) -> bool:
        """Tell whether the authors make something here that may have a name."""
        return self.verb in _MAKING and self.verb not in _NAMELESS


def _forms(verb: str) -> Iterator[str]:
    yield verb
    yield f"{verb}es" if verb.endswith(("s", "sh", "x")) else f"{verb}s"
    if verb.endswith("y"):
        yield f"{verb[:-1]}ies"
        yield f"{verb[:-1]}ied"
    yield _IRREGULAR.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")


_VERBS = {
    form: (verb, weight - LESS if verb in _LESSER else weight)
    for verbs, weight in (
        (_MAKING, MAKING), (_STUDYING, STUDYING), (_DOING, DOING), (_SAYING, SAYING)
    )
    for verb in verbs
    for form in _forms(verb)
}  # fmt: skip
_ANY = "|".join(sorted(map(re.escape, _VERBS), key=len, reverse=True))
_ADVERBS = (
    r"(?:,[^,.]{1,60},\s*)?"
    r"(?:(?:first|then|also|here|next|thus|hereby|therefore|further|[a-z]+ly|instead|and)\s+){0,3}"
)
_SUBJECT = (
    r"(?:we|I|this (?:paper|work|study|article|thesis|research|report|survey|review|letter)"
    r"|the (?:present|current|proposed) (?:paper|study|work|article|review)"
    r"|(?:our|the) (?:paper|work|study|article|authors))"
    r"(?:\s+(?:have|has|had))?"
)
_CUE = re.compile(rf"\b{_SUBJECT}[\s,]+{_ADVERBS}(?P<verb>{_ANY})\b(?!-)", re.IGNORECASE)
_BY = re.compile(
    r"(?:\bby|,)\s+(?:first\s+)?(?P<verb>proposing|introducing|presenting|developing|designing)\b"
)
_ALSO = re.compile(rf"(?:,|\band)\s+{_ADVERBS}(?P<verb>{_ANY})\b(?!-)")
_AIM = re.compile(
    r"(?:\b(?:the|our)\s+(?:main\s+|primary\s+)?(?:aim|purpose|objective|goal)s?\b[^.:]{0,60}?"
    r"(?:was|is|were|are)\s+to"
    r"|^(?:[A-Z/ -]*:\s*)?(?:objective|aim|purpose|goal)s?[^.:]{0,30}:?\s+to"
    r"|(?:we|this (?:paper|study|work)|study) (?:aim|sought|seek|attempt|intend|want|set out)"
    r"(?:s|ed)?\s+(?:to|at)"
    r"|this (?:paper|study|work|trial|review|investigation) (?:was|is) (?:designed|undertaken"
    r"|conducted"
    r"|performed|carried out|intended|done) to"
    r"|^to)\s+(?!date\b|this\b|the\b|our\b|be\b)(?P<verb>[a-z]{3,}(?:-[a-z]+)?)\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^(?:[^,]{0,80},\s+)?(?P<np>(?:an?|the)\s(?:(?!\b(?:is|are|was|were|which|that)\b).){10,160}?)"
    r"\s+(?:is|are|was|were|has been|have been)\s+(?:\w+ly\s+)?(?:proposed|presented|introduced"
    r"|developed|investigated|studied|described|derived|examined|made|considered|given|discussed"
    r"|analy[sz]ed|conducted|performed|obtained|carried out)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:an?|the|our|some|several|various)?\s*(?:[a-z-]+\s+){0,3}(?:experiments?|evaluations?"
    r"|results?|evidence|ablations?|codes?|insights?|guidelines|guidance|workflow|baselines"
    r"|analyses"
    r"|simulations?|guarantees|conditions|findings|claims?|efficacy|effectiveness|performance"
    r"|examples?|contributions?|limitations?|improvements?)\b(?!\s+(?:of|base)\b)",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\b(?:this|these|those|such|it|its|them|said|aforementioned)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(r"(?:it|they|there|when|if|he|she|both|this|these|such)\b", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:(?:the|an?)\s+)?(?:problem|task|issue|question|challenge|topic|setting|possibility)"
    r" (?:of|that)\s+"
)
_SECOND_VERB = re.compile(
    r"^(?:(?:and|or)\s+[a-z]+\s+|(?:construct|use|build|apply)\s+(?=an?\s|the\s))"
)
_OTHER_CLAUSE = re.compile(r",?\s+(?:and\s+)?(?:then\s+)?we\s")
_PURPOSE_ONLY = re.compile(r"to\b.*,.*\bwe\b", re.IGNORECASE)  # "To do so, we propose …"
_HERE = re.compile(r",?\s+in this (?:paper|work|study|article)\b")
_APPOSITION = re.compile(r", an? [^,]{5,160}, (?=to\b|in\b|for\b|as\b)")


def clauses(sentences: Sequence[str]) -> list[Clause]:
    """Return all clauses in which the authors say what they do, in order."""
    found: list[Clause] = []
    for index, sentence in enumerate(sentences):
        cue = _CUE.search(sentence)
        position = 0
        while cue:
            found.append(_clause(index, sentence, cue))
            position = cue.end()
            also = _ALSO.search(sentence, position)
            cue = _CUE.search(sentence, position)
            if also and (not cue or also.start() < cue.start()):
                cue = also
        for by in _BY.finditer(sentence):
            verb = f"{by['verb'][:-3]}{'' if by['verb'][:-3] in _VERBS else 'e'}"
            found.append(Clause(index, verb, DOING, sentence[by.end() :].strip()))
        if (aim := _AIM.search(sentence)) and not _PURPOSE_ONLY.match(sentence):
            verb = aim["verb"].lower()
            known = _VERBS.get(verb, (verb, DOING))
            found.append(Clause(index, known[0], MAKING, sentence[aim.end() :].strip()))
    return found


def _clause(index: int, sentence: str, cue: re.Match[str]) -> Clause:
    verb, weight = _VERBS[cue["verb"].lower()]
    return Clause(index, verb, weight, sentence[cue.end() :].strip())


def best_phrase(sentences: Sequence[str], found: Sequence[Clause], *, without: str = "") -> str:
    """Return the phrase that says best what the paper does, or an empty string.

    Phrases in which the word ``without`` stands are passed over.
    """
    words = Counter(phrases.content_words(" ".join(sentences)))
    options = [(clause.weight, clause.sentence, phrase_of(clause)) for clause in found]
    for index, sentence in enumerate(sentences):
        if passive := _PASSIVE.match(sentence):
            options.append((STUDYING, index, _tidy(passive["np"])))
    lifts = [_SECTIONS.get(kind, 0.0) for kind in sections.kinds(sentences)]
    scored = [
        (weight + lifts[index] - _ORDER * index + worth, phrase)
        for weight, index, phrase in options
        if not (without and without in phrase) and (worth := _worth(phrase, words)) is not None
    ]
    return max(scored, default=(0.0, ""))[1]


def phrase_of(clause: Clause) -> str:
    """Return what follows the verb as a phrase that can stand alone."""
    tail = re.sub(r"^out (?:if|whether)\b", "whether", clause.tail)  # "to find out if"
    if "solution: we " in tail[:60]:  # "an elegant solution: we act on …"
        inner = re.match(r".*?solution: we (?P<verb>[a-z-]+)\s+(?P<tail>.*)", tail)
        if inner:
            return _tidy(f"{phrases.gerund(inner['verb'])} {inner['tail']}")
    tail = _tidy(tail)
    if clause.weight == SAYING:
        return re.sub(r"^that\s+", "", tail) if tail.startswith("that ") else ""
    if clause.verb in _DOING or clause.verb not in _VERBS:
        if clause.verb == "focus":
            inner_verb = re.match(r"on\s+([a-z-]+ing\b.*)", tail)
            return inner_verb[1] if inner_verb else re.sub(r"^on\s+", "", tail)
        if clause.verb == "bridge" and (by := re.search(r"\bby revealing\s+(.*)", tail)):
            return by[1]
        return f"{phrases.gerund(clause.verb)} {tail}"
    if infinitive := re.match(r"to\s+(?P<verb>[a-z-]+)\s+(?P<rest>.+)", tail):
        return f"{phrases.gerund(infinitive['verb'])} {infinitive['rest']}"
    return re.sub(r"^(?:that|conducting)\s+", "", tail)


def _tidy(tail: str) -> str:
    text = phrases.without_asides(tail).strip(" :,.")
    text = re.sub(_SECOND_VERB, "", _OTHER_CLAUSE.split(text, maxsplit=1)[0])
    text = _HERE.sub("", text)
    text = _APPOSITION.sub(" ", text, count=1)
    return phrases.unpraised(_LEADING.sub("", text))


def _worth(phrase: str, words: Counter[str]) -> float | None:
    """Return how much of what the abstract keeps speaking of stands in the phrase.

    None for a phrase that says nothing by itself.
    """
    shown = phrases.shorten(phrase)
    kept = phrases.content_words(shown)
    if len(kept) < _MIN_WORDS or _EMPTY.match(phrase) or _POINTS_BACK.match(phrase):
        return None
    often = sum(min(words[word], _OFTEN) - 1 for word in set(kept))
    central = often / (_OFTEN * max(len(set(kept)), _OFTEN))
    return _CENTRAL * central - len(_VAGUE.findall(shown[:_BEGINNING]))
