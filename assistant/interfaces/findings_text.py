"""What was found for an idea, for a terminal or as plain lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assistant.interfaces.findings import (
    NOT_CLOSE,
    bar,
    matching_words,
    percent,
    read_as_line,
    unread_line,
)
from assistant.interfaces.render import byline
from assistant.interfaces.safe_text import neutralised
from assistant.types import Findings, Idea, Match, Reason

_INDENT = 4
_MOST_OF_A_FACET = 60


def print_findings(
    findings: Findings, idea: Idea, console: Console, *, new: Collection[str] = ()
) -> None:
    """Print a page of papers with what each says of the idea; mark those that are ``new``."""
    for line in filter(None, (read_as_line(findings), unread_line(findings))):
        _show(console, Text(neutralised(line), style="yellow"))
    if not findings.matches:
        _show(console, Text(_nothing(findings, idea), style="yellow"))
        return
    if not findings.close:
        _show(console, Text(NOT_CLOSE, style="yellow"))
    for match in findings.matches:
        print_match(match, console, new=match.paper.id in new)
    if line := _pages(findings, idea):
        console.print()
        _show(console, Text(line, style="dim"))


def print_match(match: Match, console: Console, *, new: bool = False) -> None:
    """Print a paper with what it says of each facet."""
    head = Text.assemble(
        (f"{match.rank:>2}  ", "dim"),
        (f"{bar(match.score)} {percent(match.score):>5}  ", "cyan"),
        ("new  ", "bold green") if new else "",
    )
    name = Text(neutralised(match.paper.name), style="bold")
    console.print()
    if console.is_terminal:
        line = Table.grid()
        line.add_column(no_wrap=True)
        line.add_column(overflow="fold")
        line.add_row(head, name)
        console.print(line)
    else:
        _show(console, Text.assemble(head, name))
    about = [byline(match.paper), match.paper.doi, match.paper.id]
    known = " · ".join(neutralised(part) for part in about if part)
    _show(console, Text(known, style="dim"), _INDENT)
    if not match.paper.abstract:
        _show(console, Text("No abstract: found by its title.", style="yellow"), _INDENT)
        return
    for text in _reasons(match):
        _show(console, text, _INDENT)


def _reasons(match: Match) -> Iterator[Text]:
    """Yield a line for each facet that is met, and one for the others.

    The facet of an idea of one part goes without saying.
    """
    for reason in match.why:
        if reason.evidence and len(match.why) == 1:
            yield _quoted(reason)
        elif reason.evidence:
            yield Text.assemble((f"✓ {_short(reason.facet)}: ", "green"), _quoted(reason))
    missing = [_short(reason.facet) for reason in match.why if not reason.evidence]
    if missing:
        yield Text(f"✗ not met: {'; '.join(missing)}", style="dim")


def _short(facet: str) -> str:
    """Return a facet, or the beginning of a long one: the reader wrote it."""
    text = neutralised(facet)
    if len(text) <= _MOST_OF_A_FACET:
        return text
    whole_words = text[: _MOST_OF_A_FACET + 1].rpartition(" ")[0]
    return f"{whole_words or text[:_MOST_OF_A_FACET]}…"


def _quoted(reason: Reason) -> Text:
    assert reason.evidence is not None
    sentence = neutralised(reason.evidence.sentence.text)
    text = Text(f"“{sentence}”")
    for start, end in matching_words(sentence, reason.facet):
        text.stylize("bold", start + 1, end + 1)
    return text


def _nothing(findings: Findings, idea: Idea) -> str:
    if findings.total:
        pages = -(-findings.total // idea.limit)
        return f"That is past the last page: {findings.total:,} papers on {pages:,} pages."
    if idea.filters is not None:
        return "No paper passes these filters."
    return "Nothing was found."


def _pages(findings: Findings, idea: Idea) -> str:
    shown = idea.offset + len(findings.matches)
    if shown >= findings.total or not findings.close:
        return ""
    first = findings.matches[0].rank
    page = idea.offset // idea.limit + 1
    return f"{first} to {shown} of {findings.total:,}; --page {page + 1} goes on."


def _show(console: Console, text: Text, indent: int = 0) -> None:
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent)))
    else:
        console.print(Text(" " * indent) + text, soft_wrap=True)
