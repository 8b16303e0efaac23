"""Verification: a statement is shown as written, or its quote stands in its place.

Cheap checks on the statement against the evidence it was written from, each with a reason that the
reader can see. They ask whether the statement is *supported*; they cannot tell whether the paper is
right, and a paraphrase that swaps the roles of two things named in the same sentence can pass.
An entailment model is not used here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.retrieval.cues import points_back
from assistant.retrieval.lexical import TermStats, content_terms, tokenise
from assistant.retrieval.ports import Embedder
from assistant.types import Check, Evidence, Paper
from assistant.writing import asking, tracing, wording
from assistant.writing.numbers import find_numbers, supports

# Calibrated on statements of the 0.5B and the 135M model that were judged by reading; see
# tests/real/test_verification.py for the figures.
COVERED = 0.8
CLOSE = 0.45
SHORT = 5  # terms: "By 1.2 points." has no meaning of its own
NEW_WORDS = 1
COMMON = 0.05  # share of the papers that may hold a name before it tells nothing
TOGETHER = 0.2
TOGETHER_AS_CAUSE = 0.5
FOLLOWED = 0.5
CLOSELY_FOLLOWED = 0.76
FOLLOWED_STRICTLY = 0.8
LEAPS = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checks of one statement, and the evidence that it rests on."""

    checks: tuple[Check, ...]
    evidence: tuple[Evidence, ...]

    @property
    def passed(self) -> bool:
        """Tell whether every check was passed."""
        return all(check.passed for check in self.checks)


class Verifier:
    """Checks statements against evidence."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def verify(
        self,
        statement: str,
        question: str,
        paper: Paper,
        paper_text: str,
        evidence: Sequence[Evidence],
        stats: TermStats,
    ) -> Verdict:
        """Return every check of ``statement``; ``paper_text`` is the plain form of the abstract."""
        texts = [item.sentence.text for item in evidence]
        basis = wording.basis_of(statement, texts)
        joined = " ".join(texts[i] for i in basis) or " ".join(texts)
        checks = (
            check_form(statement),
            check_answers(statement, question, texts),
            check_subject(statement, question, paper, texts, basis, stats),
            check_together(statement, question, texts, stats),
            check_traced(statement, question, texts),
            check_numbers(statement, texts),
            check_names(statement, f"{paper.title} {paper_text}"),
            check_polarity(statement, joined, texts),
            check_direction(statement, texts),
            check_covered(statement, question, f"{paper.name} {' '.join(texts)}", stats),
            self._check_close(statement, texts, basis),
        )
        return Verdict(checks, tuple(evidence[i] for i in basis) or tuple(evidence))

    def _check_close(self, statement: str, texts: Sequence[str], basis: Sequence[int]) -> Check:
        """Compare meanings: with each sentence, and with all that the statement rests on."""
        if len(content_terms(statement)) < SHORT:
            return Check("close", passed=True, detail="too short to compare")
        candidates = [*texts, " ".join(texts[i] for i in basis)]
        vectors = self._embedder.embed_documents([statement, *candidates])
        best = float((vectors[1:] @ vectors[0]).max())
        return Check("close", best >= CLOSE, f"cosine {best:.2f}")


def check_form(statement: str) -> Check:
    """Fail what is no statement: empty, unfinished, a question, or about the evidence itself."""
    bare = statement.strip()
    if not bare or not re.search(r"\w", bare):
        return Check("form", passed=False, detail="empty")
    if bare[-1] not in ".!)]”\"'":
        return Check("form", passed=False, detail="unfinished")
    if re.search(r"\?\s*$", bare):
        return Check("form", passed=False, detail="a question")
    if twice := tracing.said_twice(bare):
        return Check("form", passed=False, detail=f"says “{twice}” twice")
    if wording.speaks_of_evidence(bare):
        return Check("form", passed=False, detail="about the evidence, not the paper")
    return Check("form", passed=True)


def check_answers(statement: str, question: str, texts: Sequence[str]) -> Check:
    """Fail a statement that says the question again, or is not the kind of thing asked for."""
    asked, squeezed = set(tokenise(question)), wording.squeeze(question)
    new = [
        term
        for term in content_terms(statement)
        if term not in asked and wording.squeeze(term) not in squeezed
    ]
    if len(new) < NEW_WORDS:
        return Check("answers", passed=False, detail="repeats the question")
    if asking.asks_for_number(question) and not wording.new_figures(statement, question):
        return Check("answers", passed=False, detail="no number, though one was asked for")
    if asking.asks_for_address(question) and "http" not in statement:
        return Check("answers", passed=False, detail="no address, though one was asked for")
    if (
        asking.names_asked_for(question)
        and not wording.new_names(statement, question)
        and any(wording.new_names(text, question) for text in texts)
    ):
        return Check("answers", passed=False, detail="no names, though they were asked for")
    if wording.only_generic(new):
        return Check("answers", passed=False, detail="adds nothing specific")
    return Check("answers", passed=True)


def check_subject(
    statement: str,
    question: str,
    paper: Paper,
    texts: Sequence[str],
    basis: Sequence[int],
    stats: TermStats,
) -> Check:
    """Fail a statement that rests on another sentence than the one about the thing asked for.

    A name of the question that one or two sentences hold must stand in the statement or in a
    sentence it rests on: what QAT gains is not answered by what OmniQuant gains.
    """
    said, own = wording.squeeze(statement), wording.squeeze(paper.name)
    common = max(2.0, COMMON * stats.n_docs)
    for written in asking.names_in(question):
        name = wording.squeeze(written)
        if name in own or max((stats.df(term) for term in tokenise(written)), default=0) > common:
            continue
        holders = [i for i, text in enumerate(texts) if name in wording.squeeze(text)]
        if (
            0 < len(holders) <= len(texts) // 2
            and name not in said
            and not set(holders) & set(basis)
        ):
            return Check("subject", passed=False, detail=f"rests on nothing about “{name}”")
    for part in tracing.sentences(statement):
        if other := tracing.said_of_another(part, texts):
            return Check("subject", passed=False, detail=f"said of “{other}”")
    return Check("subject", passed=True)


def check_together(statement: str, question: str, texts: Sequence[str], stats: TermStats) -> Check:
    """Fail a statement that ties what it adds to what was asked though no sentence does.

    Only words of the question that the evidence holds at all count: a paraphrase asks in others.
    """
    asked, said = set(content_terms(question)), content_terms(statement)
    held = [set(tokenise(text)) for text in texts]
    anywhere = set().union(*held) if held else set()
    added = {t for t in said if t not in asked and t in anywhere and t not in wording.FREE_TERMS}
    kept = {t for t in said if t in asked and t in anywhere and t not in wording.FREE_TERMS}
    weight = sum(stats.idf(term) for term in kept)
    if not added or not weight:
        return Check("together", passed=True)
    most = max(len(added & terms) for terms in held)
    if tracing.followed(statement, texts) >= CLOSELY_FOLLOWED:
        return Check("together", passed=True)
    needed = TOGETHER_AS_CAUSE if tracing.gives_cause(statement) else TOGETHER
    best = 0.0
    for i, terms in enumerate(held):
        if len(added & terms) < most:
            continue
        reach = terms | (held[i - 1] if i and points_back(texts[i]) else set())
        best = max(best, sum(stats.idf(term) for term in kept & reach) / weight)
    return Check("together", best >= needed, f"{best:.0%} of what was asked")


def check_traced(statement: str, question: str, texts: Sequence[str]) -> Check:
    """Fail a statement that does not follow one evidence sentence, word after word.

    Small models tie true pieces together wrongly; pieces that stand in one sentence, in one order
    and with at most one leap, are tied by the paper. What does not come from that sentence must be
    the question's own words. Why and how, where most is made up, must follow more closely, and so
    must a statement of several sentences. A "which is" must be the paper's, and so must the scope
    ("On CIFAR-10, …").
    """
    if tie := tracing.unheld_tie(statement, texts):
        return Check("traced", passed=False, detail=f"ties with “{tie}”")
    parts = tracing.sentences(statement)
    strict = asking.asks_for_reason(question) or tracing.gives_cause(statement) or len(parts) > 1
    needed = FOLLOWED_STRICTLY if strict else FOLLOWED
    for part in parts:
        trace = tracing.traced(part, texts)
        if trace.share < needed:
            return Check("traced", passed=False, detail=f"{trace.share:.0%} follows a sentence")
        if trace.leaps > LEAPS:
            return Check("traced", passed=False, detail=f"{trace.leaps} leaps in its sentence")
        if scope := tracing.lost_scope(part, texts):
            return Check("traced", passed=False, detail=f"leaves out “{scope}”")
        if foreign := trace.foreign_to(question):
            return Check("traced", passed=False, detail=f"“{foreign[0]}” is not from its sentence")
    return Check("traced", passed=True)


def check_numbers(statement: str, texts: Sequence[str]) -> Check:
    """Fail a number, percentage or unit that stands in no sentence of the evidence.

    So does a number that stands there, but for another thing.
    """
    known = [number for text in texts for number in find_numbers(text)]
    for number in find_numbers(statement):
        if not any(supports(other, number) for other in known):
            return Check("numbers", passed=False, detail=f"{number.text.strip()} is not there")
        if word := wording.misplaced(statement, number, texts):
            detail = f"{number.text.strip()} is not of “{word}”"
            return Check("numbers", passed=False, detail=detail)
    return Check("numbers", passed=True)


def check_names(statement: str, paper_text: str) -> Check:
    """Fail a name, acronym or address that the paper does not hold."""
    squeezed = wording.squeeze(paper_text)
    for name in wording.names_of(statement):
        if wording.squeeze(name) not in squeezed:
            return Check("names", passed=False, detail=f"{name} is not there")
    return Check("names", passed=True)


def check_polarity(statement: str, basis: str, texts: Sequence[str]) -> Check:
    """Fail a negation that the evidence does not hold, or one that was dropped.

    What is negated is looked up in all the evidence: a statement that asserts what any sentence
    denies, and none asserts, has lost a "not".
    """
    said, held = wording.negated(statement), wording.negated(" ".join(texts))
    if said and not held:
        return Check("polarity", passed=False, detail="a negation that is not there")
    basis_terms = set(tokenise(basis))
    for term in said - held if not said & held else ():
        if term in basis_terms and term not in wording.FREE_TERMS:
            return Check("polarity", passed=False, detail=f"negates “{term}”")
    stated = {term for term in tokenise(statement) if wording.affirmed(term, statement)}
    for term in (held - said) & stated - wording.FREE_TERMS:
        if not any(wording.affirmed(term, text) for text in texts):
            return Check("polarity", passed=False, detail=f"drops the negation of “{term}”")
    return Check("polarity", passed=True)


def check_direction(statement: str, texts: Sequence[str]) -> Check:
    """Fail "higher" for "lower", "outperforms" for "is outperformed by", and their kind.

    Each sentence is held against the evidence sentences that it follows most.
    """
    for part in tracing.sentences(statement):
        basis = tracing.most_followed(part, texts)
        for up, down in wording.opposites():
            said_up, said_down = up.search(part), down.search(part)
            held_up, held_down = up.search(basis), down.search(basis)
            if said_up and not said_down and held_down and not held_up:
                return Check("direction", passed=False, detail=f"“{said_up.group()}”")
            if said_down and not said_up and held_up and not held_down:
                return Check("direction", passed=False, detail=f"“{said_down.group()}”")
        if swapped := wording.swapped(part, texts):
            return Check("direction", passed=False, detail=swapped)
    return Check("direction", passed=True)


def check_covered(statement: str, question: str, basis: str, stats: TermStats) -> Check:
    """Fail a statement too much of what it adds to its question stands nowhere in the evidence.

    Words are weighed by rarity. Those of the question are the reader's own and may be other words
    than the paper's.
    """
    known = set(tokenise(basis)) | set(tokenise(question))
    added = set(content_terms(statement)) - set(tokenise(question)) - wording.FREE_TERMS
    total = sum(stats.idf(term) for term in added)
    if not total:
        return Check("covered", passed=True)
    share = sum(stats.idf(term) for term in added if term in known) / total
    return Check("covered", share >= COVERED, f"{share:.0%} of what it adds")
