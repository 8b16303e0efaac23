"""Decide whether the library answers a question, and which found papers bear on it.

No single signal decides: cosines of questions that a library cannot answer reach those that it
can. Several are weighed by a logistic regression that was fitted on questions over two libraries,
answerable ones and foreign ones (``benchmarks/calibrate_refusal.py`` makes the numbers again).
The decision falls before any model is called.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.library.cleaning import plain
from assistant.retrieval.lexical import TermStats, content_terms, tokenise
from assistant.retrieval.stem import stem
from assistant.types import Hit
from assistant.writing import asking, wording
from assistant.writing.chat_text import without_control

SIGNALS = (
    "passage_cosine",
    "sentence_cosine",
    "paper_covers",
    "sentence_covers",
    "unknown_words",
    "missing_names",
    "rare_match",
    "margin",
    "both_ways",
)
_WEIGHTS = (3.61, 4.17, 2.73, -0.06, -1.06, -2.50, 1.45, 1.45, 0.73)
_BIAS = -4.73
# No answerable question of the fitted sets lies below 0.7; the room is for other readers' words.
ENOUGH = 0.4
# A paper is drawn on beside the best one if it is nearly as likely to bear on the question.
COMPANION = 0.85
# Who asks for the papers on a topic wants those that touch on it as well.
ENOUGH_ON_A_TOPIC = 0.35
ON_A_TOPIC = 0.5
LOOKED_AT = 5  # hits whose signals are read
# Verbs that say in the reader's words what an abstract says in its own.
_COMMON_WORDS = (
    asking.ASKING_TERMS
    | wording.FREE_TERMS
    | {
        stem(word)
        for word in [
            "hold",
            "contain",
            "consist",
            "comprise",
            "reach",
            "get",
            "attain",
            "obtain",
            "have",
        ]
    }
)
_BEGINNING = 5  # letters: "defends" is mentioned where "defense" stands
_RARE = 0.04  # share of the papers that may hold a term for it to count as rare


@dataclass(frozen=True, slots=True)
class Judgement:
    """How likely the library answers, and the likelihood of each of the first hits."""

    likelihood: float
    hits: tuple[Hit, ...]
    likelihoods: tuple[float, ...]
    unknown_names: tuple[str, ...]

    @property
    def answerable(self) -> bool:
        """Tell whether the library is likely to hold an answer."""
        return self.likelihood >= ENOUGH


def judge(question: str, hits: Sequence[Hit], stats: TermStats) -> Judgement:
    """Weigh the signals of the first hits of a question."""
    looked_at = tuple(hits[:LOOKED_AT])
    rows = signals(question, hits, stats)
    likelihoods = tuple(_logistic(row) for row in rows)
    return Judgement(
        max(likelihoods, default=0.0), looked_at, likelihoods, unknown_names(question, stats)
    )


def bearing(judgement: Judgement, question: str, stats: TermStats, most: int) -> list[Hit]:
    """Return the hits to answer from, best first: one for one fact, up to ``most`` for a topic.

    A name that stands in the question and in few papers belongs to the papers that hold it.
    """
    order = sorted(range(len(judgement.hits)), key=lambda i: -judgement.likelihoods[i])
    if not order:
        return []
    top = judgement.likelihoods[order[0]]
    named = _holders_of_names(judgement.hits, question, stats)
    if named:
        order = [i for i in order if i in named] or order
    several = asking.asks_for_several(question)
    least, share = (ENOUGH_ON_A_TOPIC, ON_A_TOPIC) if several else (ENOUGH, COMPANION)
    # Who compares named things wants each of them, though no paper holds both names.
    compared = several and len(named) > 1
    kept = [i for i in order if compared or judgement.likelihoods[i] >= max(least, share * top)]
    wanted = most if several or not asks_one_fact(question) else 1
    return [judgement.hits[i] for i in (kept or order[:1])[:wanted]]


def asks_one_fact(question: str) -> bool:
    """Tell whether a question wants one number or address, which one paper gives."""
    return asking.asks_for_number(question) or asking.asks_for_address(question)


def signals(question: str, hits: Sequence[Hit], stats: TermStats) -> list[tuple[float, ...]]:
    """Return the signals of each of the first hits, in the order of ``SIGNALS``."""
    terms = _asked_about(question)
    weights = {term: stats.idf(term) for term in terms}
    total = sum(weights.values()) or 1.0
    unknown = sum(weights[term] for term in terms if not stats.df(term)) / total
    rare = {term for term in terms if 0 < stats.df(term) <= max(1, _RARE * stats.n_docs)}
    names = asking.names_in(question)
    background = _mean([hit.cosine for hit in hits[LOOKED_AT:]] or [0.0])
    rows: list[tuple[float, ...]] = []
    for hit in hits[:LOOKED_AT]:
        text = f"{hit.paper.name} {plain(hit.paper.abstract).text}"
        held = set(tokenise(text))
        squeezed = wording.squeeze(text)
        missing = [name for name in names if wording.squeeze(name) not in squeezed]
        best_cosine = max((item.cosine for item in hit.evidence), default=0.0)
        best_lexical = max((item.lexical for item in hit.evidence), default=0.0)
        rows.append(
            (
                hit.cosine,
                best_cosine,
                sum(weight for term, weight in weights.items() if term in held) / total,
                best_lexical,
                unknown,
                len(missing) / len(names) if names else 0.0,
                sum(weights[term] for term in rare if term in held) / total,
                hit.cosine - background,
                float(0 < hit.dense_rank <= 2 and 0 < hit.keyword_rank <= 2),  # noqa: PLR2004
            )
        )
    return rows


def _asked_about(question: str) -> list[str]:
    """Return the terms that a question is about; words of asking stay only as names ("AIM")."""
    named = {term for name in asking.names_in(question) for term in tokenise(name)}
    # What a vocabulary reads as a control token is nothing that a reader asks about.
    terms = content_terms(without_control(question))
    return [t for t in terms if t in named or t not in asking.ASKING_TERMS]


def unknown_names(question: str, stats: TermStats) -> tuple[str, ...]:
    """Return the names of a question that stand in no paper of the library."""
    return tuple(
        name
        for name in asking.names_in(question)
        if not any(stats.df(term) for term in tokenise(name))
    )


def unheld_words(question: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Return the words of a question about named papers that none of these papers holds.

    Only where the question names a paper: a description may be all in other words.
    """
    text = " ".join(f"{hit.paper.name} {plain(hit.paper.abstract).text}" for hit in hits)
    squeezed = wording.squeeze(text)
    beginnings = {term[:_BEGINNING] for term in tokenise(text)}
    names = asking.names_in(question)
    if not names or not all(wording.squeeze(name) in squeezed for name in names):
        return ()
    return tuple(
        word
        for word in dict.fromkeys(re.findall(r"[^\W_][\w-]*", question))
        if wording.squeeze(word) not in squeezed
        and (terms := [t for t in content_terms(word) if t not in _COMMON_WORDS])
        and ("-" in word or not any(term[:_BEGINNING] in beginnings for term in terms))
    )


def _holders_of_names(hits: Sequence[Hit], question: str, stats: TermStats) -> set[int]:
    """Return which hits hold a name of the question that is rare in the library."""
    names = [
        name
        for name in asking.names_in(question)
        if 0
        < max((stats.df(term) for term in tokenise(name)[:1]), default=0)
        <= max(2, 0.01 * stats.n_docs)
    ]
    holders = set()
    for i, hit in enumerate(hits):
        squeezed = wording.squeeze(f"{hit.paper.title} {plain(hit.paper.abstract).text}")
        if any(wording.squeeze(name) in squeezed for name in names):
            holders.add(i)
    return holders


def _logistic(row: Sequence[float]) -> float:
    z = _BIAS + sum(weight * value for weight, value in zip(_WEIGHTS, row, strict=True))
    return 1.0 / (1.0 + math.exp(-z))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
