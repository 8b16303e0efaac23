"""Ask: from a question to cited statements, as a stream of events.

The way: search, decide whether the library answers, quotes on screen, then one model call a paper
from that paper's evidence alone, each statement verified or replaced by its quote. The marker of a
statement comes from the paper it was written from; no model ever types one.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant.errors import ModelError, QuestionError
from assistant.library.cleaning import plain
from assistant.retrieval.lexical import TermStats
from assistant.retrieval.search import Searcher
from assistant.types import (
    Answer,
    Delta,
    Done,
    Event,
    Filters,
    Hit,
    Paper,
    Quotes,
    Receipt,
    Stage,
    Statement,
    StatementDone,
    Turn,
    Verdict,
)
from assistant.writing import asking, prompts, quoting, refusal, tracing, wording
from assistant.writing.numbers import find_numbers
from assistant.writing.ports import CancelCheck, ChatModel
from assistant.writing.verify import Verifier

logger = logging.getLogger(__name__)

MAX_TOKENS = 120  # of one statement: one or two sentences
FOUND = 10  # papers looked at
NEAREST = 3  # papers shown with a refusal
EVIDENCE = 5  # sentences handed to the model
_ABOUT_BEFORE = re.compile(
    r"^(and|but|so|then|why|how so)\b|\b(it|its|they|their|them|this|these|those|he|she"
    r"|the (paper|method|model|authors?|approach))\b"
    # "that" points back, unless it opens a clause: "a model that reads RNA".
    r"|(^|\b(is|was|does|did|do|can|about|of|for|with|from|like|than|by|to|in|on|at|after)\s)that\b"
    r"|\bthat\s*[?.!]*$",
    re.IGNORECASE,
)
MOST_SENTENCES = 2
_SHORT = 60  # characters: a longer question stands for itself


@dataclass(slots=True)
class _Clock:
    """Seconds since the question came, noted by stage."""

    started: float = field(default_factory=time.monotonic)
    timings: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    def note(self, stage: str) -> None:
        self.timings.setdefault(stage, round(time.monotonic() - self.started, 3))

    def count(self, what: str, tokens: int) -> None:
        self.tokens[what] = self.tokens.get(what, 0) + tokens


class Asker:
    """Answers questions from one library with at most one language model."""

    def __init__(
        self,
        searcher: Searcher,
        verifier: Verifier,
        model: ChatModel | None,
        *,
        index_version: str,
        seed: int,
        max_papers: int,
    ) -> None:
        self._searcher = searcher
        self._verifier = verifier
        self._model = model
        self._index_version = index_version
        self._seed = seed
        self._max_papers = max_papers

    def ask(
        self,
        question: str,
        history: Sequence[Turn] = (),
        *,
        cancelled: CancelCheck,
        filters: Filters | None = None,
        literal: bool = False,
    ) -> Iterator[Event]:
        """Yield the events of an answer; the last one is ``Done``, also after a stop.

        A question for papers is answered with a list of them, unless it is to be taken ``literal``.
        Raise ``QuestionError`` for a question without a word.
        """
        clock = _Clock()
        check_question(question)
        yield Stage("searching")
        query = understood(question, history)
        listed = asking.asks_for_papers(question) and not literal
        hits = self._searcher.search(query, k=FOUND, filters=filters, evidence_limit=EVIDENCE)
        stats = self._searcher.term_stats()
        clock.note("search")
        # A paper without an abstract can be named as near, and nothing can be said from it.
        judgement = refusal.judge(query, [hit for hit in hits if hit.evidence], stats)
        if not judgement.answerable:
            nearest = tuple(hit.paper for hit in hits[:NEAREST])
            yield Done(self._answer(question, (), nearest, clock, refused=True, listed=listed))
            return
        chosen = refusal.bearing(judgement, query, stats, self._max_papers)
        papers = tuple(hit.paper for hit in chosen)
        most = 1 if listed else quoting.MOST
        quotes = tuple(
            Statement(quoting.text_of(evidence), "quoted", marker, hit.paper.id, evidence)
            for marker, hit in enumerate(chosen, start=1)
            for evidence in [quoting.choose(hit.evidence, most)]
        )
        clock.note("quotes")
        yield Quotes(quotes, papers)
        statements: list[Statement] = []
        for quote, hit in zip(quotes, chosen, strict=True):
            if cancelled():
                break
            statement = quote
            if listed:
                # A list of papers is read, not retold: each stands with its own sentence.
                yield StatementDone(quote)
                statements.append(quote)
                continue
            for event in self._write(query, quote, hit, stats, cancelled, clock):
                if isinstance(event, StatementDone):
                    statement = event.statement
                yield event
            statements.append(statement)
        stopped = cancelled()
        # What a stop cut off is not lost: the quotes were on screen and stay there.
        statements += quotes[len(statements) :]
        missing = () if listed else refusal.unheld_words(query, chosen)
        note = _note(judgement.unknown_names, query, statements, missing)
        yield Done(
            self._answer(
                question,
                tuple(statements),
                papers,
                clock,
                note=note,
                stopped=stopped,
                listed=listed,
            )
        )

    def _write(
        self,
        question: str,
        quote: Statement,
        hit: Hit,
        stats: TermStats,
        cancelled: CancelCheck,
        clock: _Clock,
    ) -> Iterator[Event]:
        """Yield a statement as it is written, then what is shown in its place for good."""
        if self._model is None:
            clock.note("first_statement")
            yield StatementDone(quote)
            return
        yield Stage("writing", hit.paper.name)
        # The best sentence comes last, next to the question: small models read it best there.
        texts = [e.sentence.text for e in sorted(hit.evidence, key=lambda item: item.score)]
        written = ""
        try:
            messages = prompts.fitted_answer(self._model, question, texts, MAX_TOKENS)
            clock.count("prompt", self._model.count_tokens(messages))
            for piece in self._model.stream(
                messages, max_tokens=MAX_TOKENS, seed=self._seed, cancelled=cancelled
            ):
                clock.note("first_token")
                clock.count("written", 1)
                written += piece
                yield Delta(quote.marker, piece)
        except ModelError as error:
            # A quote is never worse than nothing, and half a statement is worse than its quote.
            logger.warning("no statement about %s: %s", hit.paper.id, error)
            statement = quote
        else:
            statement = (
                quote if cancelled() else self._verified(written, question, quote, hit, stats)
            )
        yield StatementDone(statement)
        clock.note("first_statement")

    def _verified(
        self, written: str, question: str, quote: Statement, hit: Hit, stats: TermStats
    ) -> Statement:
        """Return the written statement if every check holds, else the quote with the checks."""
        texts = [item.sentence.text for item in hit.evidence]
        text = wording.as_written(wording.in_third_person(tidy(written)), texts)
        paper_text = plain(hit.paper.abstract).text
        verdict = self._verifier.verify(text, question, hit.paper, paper_text, hit.evidence, stats)
        if not verdict.passed:
            return replace(quote, checks=verdict.checks)
        return Statement(
            text, "written", quote.marker, quote.paper_id, verdict.evidence, verdict.checks
        )

    def _answer(
        self,
        question: str,
        statements: tuple[Statement, ...],
        papers: tuple[Paper, ...],
        clock: _Clock,
        *,
        refused: bool = False,
        note: str = "",
        stopped: bool = False,
        listed: bool = False,
    ) -> Answer:
        clock.note("total")
        receipt = Receipt(
            model=self._model.name if self._model else "",
            prompt_hash=prompts.prompt_hash("answer"),
            index_version=self._index_version,
            seed=self._seed,
            timings=clock.timings,
            tokens=clock.tokens,
        )
        verdict: Verdict = "partly" if note or stopped else "answered"
        if refused:
            verdict = "not_in_library"
        return Answer(question, verdict, statements, papers, receipt, note, stopped, listed)


def check_question(question: str) -> None:
    """Raise ``QuestionError`` where there is nothing to search for."""
    if not question.strip():
        raise QuestionError("The question is empty.", "Type a question about the papers.")
    if not any(character.isalnum() for character in question):
        raise QuestionError(
            "The question holds no words.", "Ask in words, or name a method, a topic or a number."
        )


def understood(question: str, history: Sequence[Turn]) -> str:
    """Return the question as it is searched: a short follow-up takes the last question along."""
    if history and len(question) <= _SHORT and _ABOUT_BEFORE.search(question):
        return f"{history[-1].question} {question}"
    return question


def tidy(written: str) -> str:
    """Return a reply as a statement: one paragraph of whole sentences.

    Labels go, and so do markers that a model typed.
    """
    text = " ".join(written.split())
    text = re.sub(r"^(answer|statement|response)\s*:\s*", "", text, flags=re.IGNORECASE)
    text = re.sub(r"\s*\[\d+(?:,\s*\d+)*\]", "", text).strip()
    text = text.removeprefix("- ")
    text = " ".join(tracing.sentences(text)[:MOST_SENTENCES]) or text
    if text and text[-1] not in ".!?)]”\"'":
        whole = re.match(r"(?s).*[.!?](?=\s)", text)
        text = whole.group() if whole else text
        if text and text[-1] not in ".!?" and len(text) < MAX_TOKENS * 3:
            text += "."
    return text


def _note(
    unknown: Sequence[str],
    question: str,
    statements: Sequence[Statement],
    missing: Sequence[str],
) -> str:
    """Return what the answer lacks, in a sentence; empty if nothing is known to be lacking."""
    notes = []
    if unknown:
        notes.append(f"Nothing in the library names {' or '.join(unknown)}.")
    shown = " ".join(statement.text for statement in statements)
    if asking.asks_for_number(question) and not find_numbers(shown):
        notes.append("The abstract gives no number for this; these are its nearest sentences.")
    if asking.asks_for_address(question) and "http" not in shown:
        notes.append("The abstract gives no address; these are its nearest sentences.")
    given = asking.asks_for_number(question) and find_numbers(shown)
    if not notes and not given and missing and all(s.status == "quoted" for s in statements):
        words = ", ".join(f"“{word}”" for word in missing)
        notes.append(f"The abstract may not say: nothing in it mentions {words}.")
    return " ".join(notes)
