"""Turn events and answers into what a terminal shows and what ``--json`` prints.

The page has a renderer of its own, :mod:`assistant.interfaces.render_html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from assistant.errors import AssistantError
from assistant.interfaces.progress import Progress
from assistant.interfaces.safe_text import neutralised
from assistant.library import people
from assistant.types import Answer, Event, Evidence, Paper, Receipt, Statement

REFUSAL = "The library does not answer this."


# --------------------------------------------------------------------------- JSON


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as plain data; an evidence ``text`` is ``abstract[start:end]``."""
    papers = {paper.id: paper for paper in answer.papers}
    return {
        "question": answer.question,
        "verdict": answer.verdict,
        "statements": [_statement_json(s, papers.get(s.paper_id)) for s in answer.statements],
        "papers": [_paper_json(n, paper) for n, paper in enumerate(answer.papers, start=1)],
        "receipt": {
            "model": answer.receipt.model,
            "prompt_hash": answer.receipt.prompt_hash,
            "index_version": answer.receipt.index_version,
            "seed": answer.receipt.seed,
            "timings": dict(answer.receipt.timings),
        },
    }


def _statement_json(statement: Statement, paper: Paper | None) -> dict[str, Any]:
    return {
        "text": statement.text,
        "status": statement.status,
        "marker": statement.marker,
        "paper_id": statement.paper_id,
        "evidence": [
            {
                "start": evidence.sentence.start,
                "end": evidence.sentence.end,
                "text": evidence_slice(evidence, paper),
            }
            for evidence in statement.evidence
        ],
    }


def _paper_json(marker: int, paper: Paper) -> dict[str, Any]:
    return {
        "marker": marker,
        "id": paper.id,
        "title": paper.name,
        "abstract": paper.abstract,
        "sources": [{"file": s.file, "record_no": s.record_no} for s in paper.sources],
    }


def evidence_slice(evidence: Evidence, paper: Paper | None) -> str:
    """Return the cited slice of the abstract as it was imported."""
    sentence = evidence.sentence
    return paper.abstract[sentence.start : sentence.end] if paper else sentence.text


# --------------------------------------------------------------------------- terminal


def terminal_events(events: Iterable[Event], console: Console) -> Answer:
    """Show an answer as it comes and return it; raise ``AssistantError`` if it never finishes.

    A terminal sees quotes and drafts while they are made, then the final answer in their place;
    a pipe or a file gets the final answer alone, unwrapped and without hyperlinks.
    """
    progress = Progress(question="")
    live = Live(
        get_renderable=lambda: _sketch(progress),
        console=console,
        transient=True,
        auto_refresh=False,
    )
    if console.is_terminal:
        live.start()
    try:
        for event in events:
            progress.take(event)
            live.refresh()
    finally:
        live.stop()
    if progress.answer is None:
        raise AssistantError("The answer broke off before its end.", "Ask again.")
    _print_answer(progress.answer, console)
    return progress.answer


def _sketch(progress: Progress) -> RenderableType:
    """Return the answer as far as it is known."""
    settled = len(progress.done)
    rows: list[RenderableType] = [_statement_text(statement) for statement in progress.done]
    for waiting in progress.statements[settled:]:
        draft = progress.drafts.get(waiting.marker, "")
        if draft:
            rows.append(_with_marker(draft, waiting.marker, "dim"))
        else:
            rows.append(_statement_text(waiting, style="dim"))
    return Group(*rows, Text(neutralised(progress.stage), style="dim italic"))


def _print_answer(answer: Answer, console: Console) -> None:
    def show(text: Text, indent: int = 0) -> None:
        if console.is_terminal:
            console.print(Padding(text, (0, 0, 0, indent)))
        else:
            console.print(Text(" " * indent) + text, soft_wrap=True)

    if answer.verdict == "not_in_library":
        show(Text(REFUSAL, style="bold"))
    for statement in answer.statements:
        show(_statement_text(statement))
    for line in _remarks(answer):
        show(Text(line, style="yellow"))
    if answer.papers:
        console.print()
        refused = answer.verdict == "not_in_library"
        show(Text("Nearest papers" if refused else "Sources", style="bold"))
    for marker, paper in enumerate(answer.papers, start=1):
        _show_source(marker, paper, answer, console.is_terminal, show)
    footer = receipt_line(answer.receipt)
    if footer:
        console.print()
        show(Text(footer, style="dim"))


def _show_source(marker: int, paper: Paper, answer: Answer, links: bool, show: Any) -> None:
    show(Text(f"[{marker}] ", style="cyan") + Text(neutralised(paper.name), style="bold"))
    about = byline(paper)
    if about:
        show(Text(about), 4)
    if paper.sources:
        show(Text(provenance(paper), style="dim"), 4)
    if not paper.abstract:
        show(Text("No abstract: found by its title.", style="yellow"), 4)
    if paper.truncated:
        show(Text("Its source cut the abstract off.", style="yellow"), 4)
    for sentence in cited_sentences(answer.statements, marker):
        show(Text(f"“{sentence}”"), 4)
    for link in web_links(paper):
        show(Text(link, style=Style(link=link if links else None)), 4)


def _remarks(answer: Answer) -> list[str]:
    lines = [neutralised(answer.note)] if answer.note else []
    if answer.verdict == "partly" and not answer.stopped:
        lines.insert(0, "The library answers a part of this.")
    if answer.stopped:
        lines.append("Stopped before the end.")
    return lines


def _statement_text(statement: Statement, style: str = "") -> Text:
    text = neutralised(statement.text)
    if statement.status == "quoted":
        return _with_marker(f"“{text}”", statement.marker, f"italic {style}".strip())
    return _with_marker(text, statement.marker, style)


def _with_marker(text: str, marker: int, style: str) -> Text:
    shown = Text(neutralised(text), style=style)
    return Text.assemble(shown, (f" [{marker}]", "cyan"))


# --------------------------------------------------------------------------- shared wording


def cited_sentences(statements: Iterable[Statement], marker: int) -> list[str]:
    """Return the plain sentences that the statements of one marker rest on, each once."""
    texts = [
        neutralised(evidence.sentence.text)
        for statement in statements
        if statement.marker == marker
        for evidence in statement.evidence
    ]
    return list(dict.fromkeys(texts))


def byline(paper: Paper) -> str:
    """Return authors, venue and year in one line, as far as they are known."""
    most = 3
    names = _names(paper, most)
    year = str(paper.year) if paper.year else ""
    return neutralised(" · ".join(part for part in (names, paper.venue, year) if part))


def _names(paper: Paper, most: int) -> str:
    names = ", ".join(map(people.spoken, paper.authors[:most]))
    return names + (" et al." if len(paper.authors) > most else "")


def provenance(paper: Paper) -> str:
    """Return where each record of the paper came from: collection, record number, file."""
    places = [
        f"{s.collection or 'No collection'} · record {s.record_no} of {s.file}"
        for s in paper.sources
    ]
    return neutralised("; ".join(places))


def web_links(paper: Paper) -> list[str]:
    """Return the http and https links of a paper: code first, then its own pages."""
    doi = paper.doi if "://" in paper.doi else f"https://doi.org/{paper.doi}"
    known = (
        *paper.code_links,
        paper.url,
        doi if paper.doi else "",
        f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else "",
        f"https://pubmed.ncbi.nlm.nih.gov/{paper.pmid}/" if paper.pmid else "",
    )
    links: dict[str, str] = {}
    for link in filter(is_web_link, known):
        links.setdefault(_same_page(link), link)
    return list(links.values())


def _same_page(link: str) -> str:
    """Return what two addresses of one page have in common."""
    bare = re.sub(r"^https?://(?:www\.|dx\.)?", "", link).rstrip("/").lower()
    return re.sub(r"^arxiv\.org/(?:abs|pdf)/(.+?)(?:v\d+)?(?:\.pdf)?$", r"arxiv.org/\1", bare)


def is_web_link(link: str) -> bool:
    """Tell whether a link may be offered: http or https, no spaces, nothing unseen in it."""
    return (
        re.fullmatch(r"https?://[^\s<>\"'`\\]+", link, re.IGNORECASE) is not None
        and neutralised(link) == link
    )


def receipt_line(receipt: Receipt) -> str:
    """Return the model and the whole time in one line."""
    parts = [neutralised(receipt.model) or "quotes only, no model"]
    if receipt.timings.get("total"):
        parts.append(f"{receipt.timings['total']:.1f} s")
    return " · ".join(parts)


def citation(paper: Paper) -> str:
    """Return a citation in plain text, from what is known of the paper."""
    most = 20
    authors = _names(paper, most)
    parts = [
        authors.rstrip("."),
        paper.name.rstrip("."),
        ", ".join(part for part in (paper.venue, str(paper.year or "")) if part),
        *web_links(paper)[:2],
        f"Abstract in {provenance(paper)}" if paper.sources else "",
    ]
    return neutralised(". ".join(part for part in parts if part)) + "."


def answer_text(statements: Sequence[Statement], papers: Sequence[Paper]) -> str:
    """Return statements and their sources as plain text, to be pasted elsewhere."""
    lines = [
        neutralised(f"“{s.text}”" if s.status == "quoted" else s.text) + f" [{s.marker}]"
        for s in statements
    ]
    cited = {statement.marker for statement in statements}
    sources = [
        f"[{marker}] {citation(paper)}"
        for marker, paper in enumerate(papers, start=1)
        if marker in cited
    ]
    return "\n".join([*lines, "", *sources])
