"""Draw one exchange of the page: the question, then what has come in of its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from assistant.errors import AssistantError
from assistant.interfaces.cards import card, card_id, copy_button
from assistant.interfaces.markup_html import shown, text_html
from assistant.interfaces.progress import Progress
from assistant.interfaces.render import REFUSAL, answer_text, receipt_line
from assistant.interfaces.safe_text import neutralised
from assistant.types import Answer, Evidence, Paper, Statement
from assistant.writing import asking

LONGEST_QUESTION = 2_000  # characters of a question that are shown
_ARGUMENT = r" (?:--[a-z-]{1,30}|[A-Z]{2,20}\b|[\w./-]{0,80}[\d_/][\w./-]{0,80}\w)"
COMMAND = re.compile(
    r"\b(assistant (?:ask|chat|doctor|ingest|list|models|reindex)\b"
    rf"(?: (?:pull|use|list|path)\b)?(?:{_ARGUMENT})*)"
)
LEGEND = {
    "written": "Written by the model from the cited sentences, then checked against them.",
    "quoted": "Quoted word for word from the abstract.",
}


def exchange(progress: Progress, turn: str, within: Sequence[str] = ()) -> str:
    """Return one question and its answer as far as it is known; ids begin with ``turn``.

    ``within`` names the collections that were asked; all were, where there are none.
    """
    busy = "false" if progress.finished else "true"
    return (
        f'<article class="turn" id="{turn}">'
        f'<div class="question"><h2 class="unseen">Question</h2>'
        f'<p dir="auto">{_question(progress.question)}</p>{_scope(within)}</div>'
        f'<div class="answer" aria-busy="{busy}"><h3 class="unseen">Answer</h3>'
        f"{_answer(progress, turn)}</div></article>"
    )


def _question(question: str) -> str:
    cut = question[:LONGEST_QUESTION]
    rest = len(question) - len(cut)
    more = f' <span class="more">… ({rest:,} more characters)</span>' if rest else ""
    return f"{escape(shown(cut))}{more}"


def _scope(within: Sequence[str]) -> str:
    if not within:
        return ""
    names = escape(", ".join(neutralised(name) for name in within))
    return f'<p class="within" dir="auto">Asked of {names}</p>'


def _answer(progress: Progress, turn: str) -> str:
    answer = progress.answer
    refused = answer is not None and answer.verdict == "not_in_library"
    statements = progress.statements
    parts = [
        "" if progress.finished else _stage(progress.stage),
        _understood(answer) if answer is not None and answer.listed else "",
        _refusal(answer) if answer is not None and refused else "",
        _statements(progress, statements, turn),
        _remarks(progress),
        error_html(progress.error) if progress.error else "",
        _sources(progress, statements, turn, refused=refused),
        _footer(progress, statements) if progress.finished and not refused else "",
    ]
    return "".join(parts)


def _stage(stage: str) -> str:
    return (
        f'<p class="stage"><span class="dots" aria-hidden="true"></span>{escape(shown(stage))}</p>'
    )


def _understood(answer: Answer) -> str:
    """Return what a question for papers was taken for, and the ways on from there."""
    question = escape(shown(answer.question))
    idea = escape(shown(asking.idea_in(answer.question)))
    return (
        '<p class="understood">Understood as a search for papers. '
        f'<a href="#find" data-open-find="{idea}">Open in Find</a> '
        f'<button type="button" class="instead" data-question="{question}">Answer it instead'
        "</button></p>"
    )


def _refusal(answer: Answer) -> str:
    why = f'<p class="why">{prose(answer.note)}</p>' if answer.note else ""
    nearest = "<p>The papers below come nearest to it.</p>" if answer.papers else ""
    return f'<div class="refusal"><p class="verdict">{REFUSAL}</p>{why}{nearest}</div>'


def error_html(error: AssistantError) -> str:
    """Return what went wrong and what mends it."""
    hint = f'<p class="hint">{prose(error.hint)}</p>' if error.hint else ""
    return f'<div class="error" role="alert"><p>{prose(error.message)}</p>{hint}</div>'


def prose(text: str) -> str:
    """Return our own wording as HTML, with commands set as code."""
    parts = COMMAND.split(neutralised(text).replace("`", ""))
    return "".join(
        f"<code>{escape(part)}</code>" if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def _remarks(progress: Progress) -> str:
    answer = progress.answer
    lines = []
    if answer is not None and answer.verdict != "not_in_library":
        if answer.verdict == "partly" and not answer.stopped:
            lines.append("The library answers only a part of this.")
        if answer.note:
            lines.append(answer.note)
    if progress.stopped:
        lines.append("Stopped. What was done until then is kept.")
    return "".join(f'<p class="remark">{prose(line)}</p>' for line in lines)


# --------------------------------------------------------------------------- statements


def _statements(progress: Progress, statements: Sequence[Statement], turn: str) -> str:
    if not statements:
        return ""
    papers = {paper.id: paper for paper in progress.papers}
    items = []
    for place, statement in enumerate(statements):
        paper = papers.get(statement.paper_id)
        settled = progress.finished or place < len(progress.done)
        draft = "" if settled else progress.drafts.get(statement.marker, "")
        inner = statement_html(statement, paper)
        link = _marker(statement, paper, place, turn)
        if draft.strip():
            items.append(
                f'<li class="statement draft"><p dir="auto">{text_html(draft.strip())}'
                f'<span class="caret" aria-hidden="true"></span></p>'
                f'<blockquote dir="auto">{inner}&nbsp;{link}</blockquote></li>'
            )
        elif statement.status == "quoted":
            quote = f'<blockquote dir="auto">{inner}&nbsp;{link}</blockquote>'
            items.append(f'<li class="statement quoted">{quote}</li>')
        else:
            items.append(
                f'<li class="statement written"><p dir="auto">{inner}&nbsp;{link}</p></li>'
            )
    return f'<ol class="statements">{"".join(items)}</ol>'


def statement_html(statement: Statement, paper: Paper | None) -> str:
    """Return a statement's text; a quote is set from the abstract itself, formulas and all."""
    if statement.status == "written" or paper is None:
        return text_html(statement.text.strip())
    quoted = [evidence for evidence in statement.evidence if _stands_in(evidence, statement.text)]
    if _length(quoted) < 0.9 * len(statement.text.strip()):
        return f"“{text_html(statement.text.strip())}”"
    slices = []
    for place, evidence in enumerate(quoted):
        sentence = evidence.sentence
        apart = place and sentence.start - quoted[place - 1].sentence.end > 2  # noqa: PLR2004
        gap = " … " if apart else " " if place else ""
        slices.append(gap + text_html(paper.abstract, (), sentence.start, sentence.end))
    return f"“{''.join(slices)}”"


def _stands_in(evidence: Evidence, text: str) -> bool:
    return evidence.sentence.text.strip() in text


def _length(quoted: Sequence[Evidence]) -> int:
    return sum(len(evidence.sentence.text.strip()) for evidence in quoted)


def _marker(statement: Statement, paper: Paper | None, place: int, turn: str) -> str:
    number = statement.marker
    name = f": {neutralised(paper.name)}" if paper else ""
    return (
        f'<a class="marker" href="#{card_id(turn, number)}" data-statement="{place}"'
        f' aria-label="[{number}] Source{escape(name)}">[{number}]</a>'
    )


# --------------------------------------------------------------------------- below the statements


def _sources(
    progress: Progress, statements: Sequence[Statement], turn: str, *, refused: bool
) -> str:
    if not progress.papers:
        return ""
    title = "Nearest papers" if refused else "Sources"
    cited = {statement.marker for statement in statements}
    cards = [
        card(paper, marker, turn, statements)
        for marker, paper in enumerate(progress.papers, start=1)
        if refused or marker in cited
    ]
    return f'<section class="sources"><h4>{title}</h4>{"".join(cards)}</section>'


def _footer(progress: Progress, statements: Sequence[Statement]) -> str:
    kinds = sorted({statement.status for statement in statements}, reverse=True)
    legend = "".join(f'<span class="key {kind}">{escape(LEGEND[kind])}</span>' for kind in kinds)
    receipt = receipt_line(progress.answer.receipt) if progress.answer else ""
    copied = answer_text(statements, progress.papers) if statements else ""
    button = copy_button("Copy answer", copied) if copied else ""
    made = f'<span class="receipt">{escape(receipt)}</span>' if receipt else ""
    if not (legend or made or button):
        return ""
    return (
        f'<footer><div class="legend">{legend}</div><div class="made">{made}{button}</div></footer>'
    )
