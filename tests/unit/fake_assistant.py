"""An assistant without a library or a model, for tests of what the shells do with one."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from assistant.app import Status
from assistant.errors import QuestionError
from assistant.types import (
    Answer,
    Delta,
    Done,
    Event,
    Evidence,
    FileReport,
    ImportReport,
    Paper,
    Quotes,
    Receipt,
    Rejected,
    Sentence,
    Source,
    Stage,
    Statement,
    StatementDone,
)

ABSTRACT = "Gliding squirrels sleep by day. They glide 42 metres by night."
SQUIRRELS = Paper(
    id="p1",
    handle="Squirrels: gliding by night",
    abstract=ABSTRACT,
    sources=(Source("zoo.txt", 1, "text", "動物園"), Source("more.jsonl", 7, "jsonl", "More")),
)
MOLES = Paper(
    id="p2",
    handle="\x1b[31mMoles\x07: a\nhandle [bold]that acts[/bold]",
    abstract="Moles dig.",
    sources=(Source("zoo.txt", 2, "text", "動物園"),),
)
STATEMENT = Statement(
    text="They glide 42 metres.",
    status="written",
    marker=1,
    paper_id="p1",
    evidence=(Evidence(Sentence("p1", 1, 32, 63, ABSTRACT[32:63]), 0.9),),
)
RECEIPT = Receipt("fake-model", "abc", "v1", 7, {"total": 0.1})


class FakeAssistant:
    """Answers by what the question holds: 'squirrel', 'boom', 'half'; refuses the rest."""

    def __init__(self) -> None:
        self.state = Status(2, {"c": 2}, "fake-model", "", "hash")
        self.asked: list[str] = []
        self.calls: list[tuple[object, ...]] = []
        self.closed = False
        self.findings: list[object] = []
        self.left: list[tuple[str, int]] = []

    def ask(
        self, question, history=(), *, cancelled=None, filters=None, literal=False
    ) -> Iterator[Event]:
        self.asked.append(question)
        if not question.strip():
            raise QuestionError("The question is empty.", "Type a question.")
        if "boom" in question:
            raise RuntimeError("secret detail")
        yield Stage("searching")
        if "half" in question:
            return
        if "squirrel" not in question:
            yield Done(Answer(question, "not_in_library", (), (MOLES,), RECEIPT))
            return
        yield Quotes((STATEMENT,), (SQUIRRELS,))
        yield Delta(1, "They glide")
        yield StatementDone(STATEMENT)
        yield Done(Answer(question, "answered", (STATEMENT,), (SQUIRRELS,), RECEIPT))

    def ready(self, on_progress=None) -> None:
        """Find nothing to mend, or what ``left`` says."""
        for what, count in self.left:
            on_progress(what, count)

    def ingest(self, paths, *, dry_run=False, columns=None, on_progress=None) -> ImportReport:
        self.calls.append(("ingest", tuple(paths), dry_run))
        if on_progress:
            on_progress("zoo.txt", 2)
        rejected = tuple(
            Rejected(Source("zoo.txt", n, "text", "Zoo"), f"Record {n} is empty.", "Fill it.")
            for n in range(3, 28)
        )
        reports = [
            FileReport("zoo.txt", "text", read=27, with_abstract=2, added=2, rejected=rejected)
        ]
        if any("broken" in str(path) for path in paths):
            reports.append(FileReport("broken.bin", "", error="No text.", hint="Export as text."))
        return ImportReport(tuple(reports))

    def papers(self) -> list[Paper]:
        return [SQUIRRELS, MOLES]

    def choose(self, choice) -> list[Paper]:
        self.calls.append(("choose", choice))
        return self.papers()

    @property
    def store(self):
        return SimpleNamespace(counts=lambda: SimpleNamespace(papers=2))

    @property
    def indexes(self):
        return SimpleNamespace(other_embedder=lambda: "")

    def examples(self, n: int) -> list[str]:
        return ["How far does a squirrel glide?", "When does a squirrel sleep?"][:n]

    def doctor(self, *, deep=False):
        return self.findings

    def reindex(self, on_progress=None) -> None:
        self.calls.append(("reindex",))

    def status(self) -> Status:
        return self.state

    def warm(self) -> None:
        self.warmed = True

    def close(self) -> None:
        self.closed = True
