"""Evidence of several fields, and the checks of a statement against it."""

from __future__ import annotations

from collections import Counter

from assistant.retrieval.fakes import HashEmbedder
from assistant.retrieval.lexical import TermStats, tokenise
from assistant.types import Check, Evidence, Paper, Sentence
from assistant.writing.verify import Verdict, Verifier

TRIAL = (
    "Insomnia is treated with pills that many patients dread.",
    "DozeWell is a breathing course that needs no medication.",
    "In a randomised trial with 412 adults, DozeWell shortened the time to sleep by 18.5 minutes.",
    "The placebo group gained 4 minutes, whereas the course raised deep sleep by 12%.",
    "Recordings are available at https://example.org/dozewell.",
)
LASER = (
    "Cold atoms drift out of optical traps.",
    "We propose RingTrap, which holds rubidium atoms in a ring of light.",
    "RingTrap outperforms DipTrap and keeps atoms for 90 seconds.",
    "Under strong magnetic fields, RingTrap loses fewer atoms than existing traps.",
    "The lifetime does not depend on the temperature of the chamber.",
    "RingTrap and DipTrap use 3 mW and 7 mW of power, respectively.",
)
PRUNING = (
    "Pruning makes networks small, but it harms rare classes.",
    "FairCut prunes weights without retraining.",
    "On CIFAR-100, FairCut improves accuracy over magnitude pruning by 7%.",
    "OmniCut improves accuracy by 4 points with an additional calibration set.",
    "A label-free score chooses the layers that are cut, because gradients are costly.",
    "Tests cover ResNet-50, ViT-B and MobileNet.",
)  # fmt: skip
FIELDS = (TRIAL, LASER, PRUNING)
_COUNTS = Counter(term for texts in FIELDS for term in set(tokenise(" ".join(texts))))
# A library in which these three are a few among many, so that their words are rare.
STATS = TermStats(200, lambda term: _COUNTS[term])


def evidence_of(texts: tuple[str, ...]) -> tuple[Evidence, ...]:
    start, made = 0, []
    for i, text in enumerate(texts):
        made.append(Evidence(Sentence("p", i, start, start + len(text), text), 1.0 - i / 10))
        start += len(text) + 1
    return tuple(made)


def verdict(statement: str, question: str, texts: tuple[str, ...]) -> Verdict:
    text = " ".join(texts)
    paper = Paper("p", "A handle: of the paper", text)
    verifier = Verifier(HashEmbedder(dimension=512))
    return verifier.verify(statement, question, paper, text, evidence_of(texts), STATS)


def check(name: str, statement: str, question: str, texts: tuple[str, ...]) -> Check:
    (found,) = [c for c in verdict(statement, question, texts).checks if c.name == name]
    return found
