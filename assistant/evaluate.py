"""The measures behind ``assistant eval`` and ``assistant bench``.

A case file is JSON Lines: ``question``; ``facts``, the strings that a right answer holds; ``seed``
and ``abstract``, the source file and the position of the right abstract in it, counted from 0, both
null for a question that the library cannot answer.

What this cannot measure is whether a statement is true to its paper: that takes a reader. It writes
every answer to a file for that purpose.
"""

from __future__ import annotations

import json
import re
import statistics
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assistant.errors import ReadError
from assistant.library.cleaning import plain
from assistant.measuring.measures import About, Measure, Report, measured
from assistant.types import Answer, Delta, Done, Event, Quotes, StatementDone

BENCH_QUESTIONS = 12


class Answering(Protocol):
    """What is measured."""

    def ask(self, question: str) -> Iterable[Event]:
        """Yield the events of an answer."""
        ...

    def examples(self, n: int) -> list[str]:
        """Return questions that the library can answer."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what is known of its answer."""

    question: str
    facts: tuple[str, ...]
    file: str | None
    record_no: int | None
    kind: str = ""

    @property
    def answerable(self) -> bool:
        """Tell whether the library holds the answer."""
        return self.file is not None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case; seconds count from the question."""

    case: Case
    answer: Answer
    seconds: dict[str, float]

    @property
    def refused(self) -> bool:
        """Tell whether the library was said not to hold the answer."""
        return self.answer.verdict == "not_in_library"

    @property
    def holds_facts(self) -> bool:
        """Tell whether every fact stands in the statements that are shown."""
        return holds(self.case.facts, " ".join(s.text for s in self.answer.statements))

    @property
    def cites_right_paper(self) -> bool:
        """Tell whether a statement carries the marker of the right paper."""
        cited = {statement.paper_id for statement in self.answer.statements}
        return any(
            (source.file, source.record_no) == (self.case.file, self.case.record_no)
            for paper in self.answer.papers
            if paper.id in cited
            for source in paper.sources
        )


def read_cases(path: Path) -> list[Case]:
    """Read a case file; raise ``ReadError`` naming the line that is wrong."""
    cases = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.",
            "Name a UTF-8 JSON Lines file.",
        ) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            abstract = row.get("abstract")
            cases.append(
                Case(
                    row["question"],
                    tuple(row.get("facts") or ()),
                    row.get("seed"),
                    None if abstract is None or not row.get("seed") else int(abstract) + 1,
                    row.get("kind", ""),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ReadError(
                f"Line {number} of {path.name} is not a case: {error!r}.",
                "Each line is an object with question, facts, seed and abstract.",
            ) from error
    if not cases:
        raise ReadError(f"{path} holds no cases.", "Write one JSON object a line.")
    return cases


def evaluate_answers(
    assistant: Answering,
    file: Path,
    *,
    out: Path | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Report:
    """Ask every question of ``file``; write each answer to ``out`` (JSON Lines) for reading."""
    outcomes = []
    for number, case in enumerate(read_cases(file), start=1):
        outcomes.append(_timed(assistant, case))
        if on_progress:
            on_progress("questions", number)
    if out is not None:
        lines = [json.dumps(_row(outcome), ensure_ascii=False) for outcome in outcomes]
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Report(_quality(outcomes) | _times(outcomes), _about(outcomes))


def bench(assistant: Answering, on_progress: Callable[[str, int], None] | None = None) -> Report:
    """Time questions made from the library: quotes, first token, whole answer, tokens a stage."""
    outcomes = []
    for number, question in enumerate(assistant.examples(BENCH_QUESTIONS), start=1):
        outcomes.append(_timed(assistant, Case(question, (), "", 0)))
        if on_progress:
            on_progress("questions", number)
    measures = _times(outcomes)
    for name in ("prompt", "written"):
        counts = [float(o.answer.receipt.tokens.get(name, 0)) for o in outcomes]
        if counts:
            measures[f"{name} tokens"] = measured(counts, statistics.median)
    return Report(measures, _about(outcomes))


def holds(facts: Sequence[str], text: str) -> bool:
    """Tell whether every fact stands in ``text``, whatever its case, spacing and markup.

    A fact that starts or ends in a digit must not be a part of a longer number.
    """
    shown = _bare(plain(text).text)
    return all(_fact_pattern(fact).search(shown) is not None for fact in facts)


def _fact_pattern(fact: str) -> re.Pattern[str]:
    bare = _bare(fact)
    before = r"(?<!\d)(?<!\d[.,])" if bare[:1].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if bare[-1:].isdigit() else ""
    return re.compile(before + re.escape(bare).replace(r"\ ", r"\s*") + after)


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[\u2010-\u2015]", "-", folded).split())


def resolves(answer: Answer) -> bool:
    """Tell whether every marker names a paper whose abstract holds each cited slice."""
    papers = dict(enumerate(answer.papers, start=1))
    for statement in answer.statements:
        paper = papers.get(statement.marker)
        if paper is None or paper.id != statement.paper_id or not statement.evidence:
            return False
        for item in statement.evidence:
            span = item.sentence
            if not 0 <= span.start < span.end <= len(paper.abstract):
                return False
            if plain(paper.abstract[span.start : span.end]).text.split() != span.text.split():
                return False
    return True


def _timed(assistant: Answering, case: Case) -> Outcome:
    started = time.monotonic()
    seconds: dict[str, float] = {}
    names = {Quotes: "quotes", Delta: "first token", StatementDone: "first statement"}
    for event in assistant.ask(case.question):
        now = time.monotonic() - started
        if name := names.get(type(event)):
            seconds.setdefault(name, now)
        if isinstance(event, Done):
            seconds["whole answer"] = now
            return Outcome(case, event.answer, seconds)
    raise AssertionError("an answer ends with Done")


def _quality(outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    answerable = [o for o in outcomes if o.case.answerable]
    foreign = [o for o in outcomes if not o.case.answerable]
    statements = [s for o in outcomes for s in o.answer.statements]
    shares: dict[str, list[bool]] = {
        "facts in the shown answer": [o.holds_facts for o in answerable if o.case.facts],
        "right paper cited": [o.cites_right_paper for o in answerable],
        "answerable refused": [o.refused for o in answerable],
        "unanswerable refused": [o.refused for o in foreign],
        "markers that resolve": [resolves(o.answer) for o in outcomes if o.answer.statements],
        "statements written": [s.status == "written" for s in statements],
    }
    for kind in sorted({o.case.kind for o in outcomes if o.case.kind}):
        of_kind = [o for o in outcomes if o.case.kind == kind]
        if of_kind[0].case.answerable:
            shares[f"facts, {kind}"] = [o.holds_facts for o in of_kind]
        else:
            shares[f"refused, {kind}"] = [o.refused for o in of_kind]
    measures = {
        name: measured([float(value) for value in values], statistics.fmean)
        for name, values in shares.items()
        if values
    }
    counts = [float(len(o.answer.statements)) for o in answerable if not o.refused]
    if counts:
        measures["statements an answer"] = measured(counts, statistics.fmean)
    return measures


def _times(outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    measures = {}
    for name in ("quotes", "first token", "first statement", "whole answer"):
        values = [o.seconds[name] for o in outcomes if name in o.seconds and o.answer.statements]
        if values:
            measures[f"{name}, s (median)"] = measured(values, statistics.median)
    refusals = [o.seconds["whole answer"] for o in outcomes if not o.answer.statements]
    if refusals:
        measures["refusal, s (median)"] = measured(refusals, statistics.median)
    return measures


def _about(outcomes: Sequence[Outcome]) -> dict[str, About]:
    if not outcomes:
        return {}
    receipt = outcomes[0].answer.receipt
    return {
        "model": receipt.model or "quotes only",
        "index": receipt.index_version,
        "prompt": receipt.prompt_hash,
    }


def _row(outcome: Outcome) -> dict[str, Any]:
    """Return one answer for reading by eye."""
    answer = outcome.answer
    return {
        "question": outcome.case.question,
        "kind": outcome.case.kind,
        "answerable": outcome.case.answerable,
        "facts": outcome.case.facts,
        "verdict": answer.verdict,
        "note": answer.note,
        "holds_facts": outcome.holds_facts,
        "right_paper": outcome.cites_right_paper,
        "papers": [paper.name for paper in answer.papers],
        "statements": [
            {
                "text": statement.text,
                "status": statement.status,
                "marker": statement.marker,
                "evidence": [item.sentence.text for item in statement.evidence],
                "failed": [f"{c.name}: {c.detail}" for c in statement.checks if not c.passed],
            }
            for statement in answer.statements
        ],
        "seconds": outcome.seconds,
        "tokens": answer.receipt.tokens,
    }
