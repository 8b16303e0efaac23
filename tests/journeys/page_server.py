"""A page over an assistant that follows a script, served for a real browser."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.errors import ModelError
from assistant.library.store import Store
from assistant.types import (
    Answer,
    Delta,
    Done,
    Event,
    Evidence,
    Paper,
    Quotes,
    Receipt,
    Sentence,
    Source,
    Stage,
    Statement,
    StatementDone,
)

RECEIPT = Receipt("qwen2.5-coder-0.5b-instruct-q4_k_m", "ab12", "v1", 7, {"total": 4.2})
NO_MODEL = Receipt("", "", "v1", 7, {"total": 0.4})


def paper(number: int, handle: str, abstract: str, **more) -> Paper:
    source = Source("icml.txt", number, "seed", "ICML 2025 论文列表")
    return Paper(f"p{number}", handle, abstract, sources=(source,), **more)


BINDERS = paper(
    1,
    "PPDiff: a diffusion model to jointly design the sequence and structure of binders",
    "We introduce PPDiff, a diffusion model with $k$-nearest neighbor ($k$NN) layers. "
    "PPDiff consistently surpasses baseline methods, achieving success rates of 50.00\\%, "
    "23.16\\%, and 16.89\\% for the three tasks. We curate **PPBench** from the Protein Data Bank.",
    code_links=("https://github.com/example/ppdiff",),
)
FAIRNESS = paper(
    2,
    "A budget-balanced payoff adjustment for federated learning",
    "To address this, we design $\\mathcal{M}^{Shap}$, a budget-balanced mechanism, and achieve "
    "*reciprocal fairness*. The dosage of $\\frac{1}{2}$ is optimal. "
    "Code: \\url{https://github.com/example/fair_ness}.",
    authors=("Ada Example", "Bo Sample"),
    year=2025,
    venue="ICML",
)
HOSTILE = paper(
    3,
    "<b>Hostile</b>: a handle with tags",
    'We break <script>window.broken = 1</script> pages. <img src=x onerror="window.broken=2"> '
    "shows <b>no</b> bold and $\\text{<img src=y onerror=window.broken=3>}$ nothing either. "
    'See [here](javascript:window.broken=4) or \u202e[there](https://example.org/a"onclick="x).',
)
LIBRARY = (BINDERS, FAIRNESS, HOSTILE)


def evidence(of: Paper, text: str) -> Evidence:
    start = of.abstract.index(text)
    plain = re.sub(r"[$*]|\\(?=%)", "", text)
    return Evidence(Sentence(of.id, 0, start, start + len(text), plain), 0.9)


def quoted(of: Paper, text: str, marker: int) -> Statement:
    found = evidence(of, text)
    return Statement(found.sentence.text, "quoted", marker, of.id, (found,))


def written(of: Paper, text: str, marker: int, basis: str) -> Statement:
    return Statement(text, "written", marker, of.id, (evidence(of, basis),))


RATES = (
    "PPDiff consistently surpasses baseline methods, achieving success rates of 50.00\\%, "
    "23.16\\%, and 16.89\\% for the three tasks."
)
SHAP = (
    "To address this, we design $\\mathcal{M}^{Shap}$, a budget-balanced mechanism, and achieve "
    "*reciprocal fairness*."
)


@dataclass(frozen=True)
class ScriptedStatus:
    papers: int = 38
    collections: dict[str, int] = field(
        default_factory=lambda: {"ICML 2025 论文列表": 19, "ICML 2025 Papers": 19}
    )
    model: str = "qwen2.5-coder-0.5b-instruct-q4_k_m"
    model_hint: str = ""
    embedder: str = "all-minilm-l6-v2"
    notes: tuple[str, ...] = ()


class ScriptedAssistant:
    """Answers by a word of the question: see ``ask``. Its library is empty, and no import runs."""

    import_job = None

    def __init__(self, status: ScriptedStatus | None = None) -> None:
        self._status = status or ScriptedStatus()
        self.store = Store.in_memory()
        self.histories: list[tuple[str, ...]] = []
        self.ended_early = threading.Event()
        self.go_on = threading.Event()

    def status(self) -> ScriptedStatus:
        return self._status

    def examples(self, n: int) -> list[str]:
        return ["What success rates does PPDiff reach?", "Which mechanism is fair?"][:n]

    def ask(
        self, question, history=(), *, cancelled=lambda: False, filters=None, literal=False
    ) -> Iterator[Event]:
        self.histories.append(tuple(turn.question for turn in history))
        yield Stage("searching")
        if "error" in question:
            raise ModelError("The model cannot be loaded.", "Run `assistant models pull`.")
        if "crash" in question:
            raise RuntimeError("a secret detail")
        if "refuse" in question:
            yield Done(Answer(question, "not_in_library", (), (BINDERS, FAIRNESS), RECEIPT))
        elif "hostile" in question:
            yield from self._quotes_only(question, HOSTILE, HOSTILE.abstract)
        elif "quote" in question:
            yield from self._quotes_only(question, BINDERS, RATES)
        elif "slow" in question:
            yield from self._slow(question, cancelled)
        elif "stuck" in question:
            yield Quotes((quoted(BINDERS, RATES, 1),), (BINDERS,))
            self.go_on.wait(20)
        else:
            yield from self._two_papers(question)

    def _quotes_only(self, question: str, of: Paper, text: str) -> Iterator[Event]:
        quote = quoted(of, text, 1)
        yield Quotes((quote,), (of,))
        yield StatementDone(quote)
        yield Done(Answer(question, "answered", (quote,), (of,), NO_MODEL))

    def _two_papers(self, question: str) -> Iterator[Event]:
        quotes = (quoted(BINDERS, RATES, 1), quoted(FAIRNESS, SHAP, 2))
        papers = (BINDERS, FAIRNESS)
        yield Quotes(quotes, papers)
        yield Stage("writing")
        text = f"PPDiff reaches 50.00 % on the pretraining task, asked as: {question}"
        for piece in text.split(" "):
            yield Delta(1, piece + " ")
        first = written(BINDERS, text, 1, RATES)
        yield StatementDone(first)
        yield StatementDone(quotes[1])
        yield Done(Answer(question, "answered", (first, quotes[1]), papers, RECEIPT))

    def _slow(self, question: str, cancelled) -> Iterator[Event]:
        quote = quoted(BINDERS, RATES, 1)
        yield Quotes((quote,), (BINDERS,))
        yield Stage("writing")
        for number in range(600):
            if cancelled():
                self.ended_early.set()
                yield Done(
                    Answer(question, "answered", (quote,), (BINDERS,), RECEIPT, stopped=True)
                )
                return
            yield Delta(1, f"word{number} ")
            time.sleep(0.05)
        yield Done(Answer(question, "answered", (quote,), (BINDERS,), RECEIPT))


@contextmanager
def served(assistant: object) -> Iterator[str]:
    """Serve the page on a free port and give its address."""
    from assistant.interfaces.web.page import prepare

    page = prepare(assistant, port=0)
    thread = threading.Thread(target=page.run, daemon=True)
    thread.start()
    while not page.server.started:
        assert thread.is_alive(), "the page's server did not start"
        time.sleep(0.02)
    try:
        yield page.url
    finally:
        page.server.should_exit = True
        thread.join(10)
