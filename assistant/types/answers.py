"""Answers, and the events of an answer under way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from assistant.types.finding import Evidence
from assistant.types.papers import Paper

Status: TypeAlias = Literal["written", "quoted"]
Verdict: TypeAlias = Literal["answered", "partly", "not_in_library"]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one verification check."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One cited statement: ``marker`` resolves to ``paper_id``, ``evidence`` to slices of it."""

    text: str
    status: Status
    marker: int
    paper_id: str
    evidence: tuple[Evidence, ...]
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What made an answer: enough to make it again."""

    model: str
    prompt_hash: str
    index_version: str
    seed: int
    timings: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer; ``papers[i]`` carries marker ``i + 1``.

    With verdict ``not_in_library`` there are no statements and ``papers`` are the nearest.
    ``listed`` says that the question was understood as a search for papers.
    """

    question: str
    verdict: Verdict
    statements: tuple[Statement, ...]
    papers: tuple[Paper, ...]
    receipt: Receipt
    note: str = ""
    stopped: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange of a conversation."""

    question: str
    answer: str
    paper_ids: tuple[str, ...] = ()


# Events of an answer under way, in the order in which they come:
# Stage* Quotes? (Delta* StatementDone)* Done


@dataclass(frozen=True, slots=True)
class Stage:
    """The work has moved on: ``searching``, ``writing``; ``detail`` is for the reader's eyes."""

    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Quotes:
    """The verbatim sentences that the answer will rest on, one quoted statement a paper."""

    statements: tuple[Statement, ...]
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a statement as it is being written, not yet verified."""

    marker: int
    text: str


@dataclass(frozen=True, slots=True)
class StatementDone:
    """A statement in its final form: verified, or replaced by its quote."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Done:
    """The whole answer; always the last event."""

    answer: Answer


Event: TypeAlias = Stage | Quotes | Delta | StatementDone | Done
