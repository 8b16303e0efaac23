"""An answer under way: what the events have brought so far, for shells to draw from."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.errors import AssistantError
from assistant.types import (
    Answer,
    Delta,
    Done,
    Event,
    Paper,
    Quotes,
    Stage,
    Statement,
    StatementDone,
    Turn,
)

_STAGES = {"searching": "Searching", "writing": "Writing from", "loading": "Loading"}


@dataclass(slots=True)
class Progress:
    """One question and what has become of it; ``answer`` is set once it is whole."""

    question: str
    stage: str = "Searching…"
    papers: tuple[Paper, ...] = ()
    quotes: tuple[Statement, ...] = ()
    drafts: dict[int, str] = field(default_factory=dict)
    done: list[Statement] = field(default_factory=list)
    answer: Answer | None = None
    error: AssistantError | None = None
    stopped: bool = False

    def take(self, event: Event) -> None:
        """Bring the picture up to date with one event."""
        if isinstance(event, Stage):
            self.stage = _stage(event)
        elif isinstance(event, Quotes):
            self.quotes, self.papers = event.statements, event.papers
        elif isinstance(event, Delta):
            self.drafts[event.marker] = self.drafts.get(event.marker, "") + event.text
        elif isinstance(event, StatementDone):
            self.drafts.pop(event.statement.marker, None)
            self.done.append(event.statement)
        elif isinstance(event, Done):
            self.answer, self.papers = event.answer, event.answer.papers
            self.stopped = event.answer.stopped

    @property
    def finished(self) -> bool:
        """Tell whether nothing more will come."""
        return self.answer is not None or self.error is not None or self.stopped

    @property
    def statements(self) -> list[Statement]:
        """Return what there is to read: final statements, then quotes still without one."""
        if self.answer is not None:
            return list(self.answer.statements)
        settled = {statement.marker for statement in self.done}
        waiting = [quote for quote in self.quotes if quote.marker not in settled]
        return [*self.done, *waiting]

    def turn(self) -> Turn:
        """Return the exchange as the next question's context."""
        text = " ".join(f"{s.text} [{s.marker}]" for s in self.statements)
        return Turn(self.question, text, tuple(paper.id for paper in self.papers))


def _stage(stage: Stage) -> str:
    doing = _STAGES.get(stage.name, "Working")
    if stage.detail:
        return f"{doing} {stage.detail.rstrip('…')}…"
    return f"{doing.removesuffix(' from')}…"
