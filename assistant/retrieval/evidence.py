"""The sentences of an abstract that bear on a question, chosen without a language model.

A sentence counts by what it means (cosine), by which of the question's words it holds (rarer in
the library and rarer within this abstract counts more), and by whether it can hold an answer of
the kind that is asked for: a number for "how much", an address for "where is the code".
It does not decide whether the answer is there at all; that is the business of refusal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.retrieval.lexical import TermStats, content_terms, tokenise
from assistant.retrieval.ports import Vectors
from assistant.types import Evidence, Sentence

COSINE_WEIGHT = 0.45
WORDS_WEIGHT = 0.40
CUE_WEIGHT = 0.15
# A sentence that opens with "It" or "This method" is about what the one before it names.
INHERITED = 0.5
ENOUGH = 4  # sentences

_QUANTITY = re.compile(
    r"\b(how (many|much|fast\w*|large|big|long|often|far|high|low|well|small|accurate\w*)"
    r"|(what|which) (\w+ )?(percent\w*|number|fraction|share|rate|accuracy|speed-?ups?|size|score"
    r"|precision|improvement|gain|reduction|value|ratio|factor|amount|cost|bound|complexity)"
    r"|by (how|what)|bit.?widths?|how \w+ (faster|better|more|less|fewer|smaller|larger))",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(code|codes|repository|repo|github|url|link|download|source|implementation|website"
    r"|project page|available|released?)\b",
    re.IGNORECASE,
)
_SETS = re.compile(
    r"\b(datasets?|benchmarks?|tasks?|environments?|corpora|models?|baselines|suites?|domains?"
    r"|applications?|methods?|settings|games?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(two|three|four|five|six|seven|eight|nine|ten|half|twice|double)\b", re.IGNORECASE
)
_FIGURE = re.compile(
    r"\d+(?:[.,]\d+)*\s*(?:%|x\b|×|-?bits?\b|times\b|points?\b|percent)?", re.IGNORECASE
)
_URL = re.compile(r"https?://|www\.|github\.com", re.IGNORECASE)
_NAME = re.compile(r"(?<!^)(?<![.!?]\s)\b(?:[A-Z]\w*[A-Z0-9]\w*|[A-Z][\w-]*-\w+|[A-Z][a-z]+)\b")
_ANAPHOR = re.compile(
    r"(it|its|this|these|those|they|their|such|both|here|the former|the latter|our (method|model"
    r"|framework|approach)|the (method|model|framework|approach|algorithm|system|results?|\w+ group))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Question:
    """What a question asks for, read once for all sentences."""

    terms: tuple[str, ...]
    idf: tuple[float, ...]
    quantity: bool
    place: bool
    names: bool


def select(
    query: str,
    query_vector: Vectors,
    sentences: Sequence[Sentence],
    vectors: Vectors,
    stats: TermStats,
    *,
    limit: int = ENOUGH,
) -> tuple[Evidence, ...]:
    """Return up to ``limit`` sentences of one abstract that bear most on ``query``, in its order.

    ``vectors`` has a unit row a sentence. ``Evidence.score`` lies in 0..1 and compares across
    papers and questions; ``lexical`` is the share of the question's words, weighted by rarity.
    """
    if not sentences or limit < 1:
        return ()
    scored = score(query, query_vector, sentences, vectors, stats)
    best = sorted(range(len(scored)), key=lambda i: (-scored[i].score, i))
    chosen = best[:limit]
    first = best[0]
    if first > 0 and first - 1 not in chosen and opens_with_reference(sentences[first].text):
        chosen = [*chosen[: max(1, limit - 1)], first - 1][:limit]
    return tuple(scored[i] for i in sorted(chosen))


def score(
    query: str,
    query_vector: Vectors,
    sentences: Sequence[Sentence],
    vectors: Vectors,
    stats: TermStats,
) -> list[Evidence]:
    """Return every sentence with its score, in the order given."""
    question = _read(query, stats)
    cosines = np.clip(vectors @ query_vector, 0.0, 1.0)
    held = [_held(question, sentence.text) for sentence in sentences]
    local = _local_weights(question, held)
    found = []
    for i, sentence in enumerate(sentences):
        words = _coverage(local, held[i])
        if i > 0 and opens_with_reference(sentence.text):
            inherited = _coverage(local, held[i] | held[i - 1])
            words += INHERITED * (inherited - words)
        cosine = float(cosines[i])
        value = (
            COSINE_WEIGHT * cosine
            + WORDS_WEIGHT * words
            + CUE_WEIGHT * _cue(question, sentence.text)
        )
        lexical = _coverage(question.idf, held[i])
        found.append(Evidence(sentence, min(1.0, value), cosine, lexical))
    return found


def opens_with_reference(text: str) -> bool:
    """Tell whether a sentence points back to the one before it: "It ...", "This method ..."."""
    return _ANAPHOR.match(text) is not None


def _read(query: str, stats: TermStats) -> _Question:
    terms = tuple(content_terms(query))
    return _Question(
        terms=terms,
        idf=tuple(stats.idf(term) for term in terms),
        quantity=_QUANTITY.search(query) is not None,
        place=_PLACE.search(query) is not None,
        names=_SETS.search(query) is not None,
    )


def _held(question: _Question, text: str) -> frozenset[int]:
    """Return the positions of the question's terms that stand in ``text``."""
    present = set(tokenise(text))
    return frozenset(i for i, term in enumerate(question.terms) if term in present)


def _local_weights(question: _Question, held: Sequence[frozenset[int]]) -> tuple[float, ...]:
    """Weigh each term by its rarity in the library times its rarity within the abstract.

    A method's name stands in every other sentence of its abstract and does not tell them apart.
    """
    n = len(held)
    weights = []
    for i, idf in enumerate(question.idf):
        df = sum(i in positions for positions in held)
        weights.append(idf * math.log(1 + (n - df + 0.5) / (df + 0.5)) if df else 0.0)
    return tuple(weights)


def _coverage(weights: Sequence[float], positions: frozenset[int]) -> float:
    total = sum(weights)
    return sum(weights[i] for i in positions) / total if total > 0 else 0.0


def _cue(question: _Question, text: str) -> float:
    """Return 0..1: how well ``text`` could hold the kind of answer that is asked for."""
    if question.place and _URL.search(text):
        return 1.0
    if question.quantity:
        if _FIGURE.search(text):
            return 1.0
        return 0.6 if _NUMBER.search(text) else 0.0
    if question.names:
        return min(1.0, 0.34 * len(set(_NAME.findall(text))))
    return 0.0
