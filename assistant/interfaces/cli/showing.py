"""One paper in the terminal, or as JSON, with what each of its sources said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from rich.text import Text

from assistant.interfaces.cli import choosing
from assistant.interfaces.cli.shell import stdout
from assistant.interfaces.safe_text import neutralised
from assistant.types import OtherAbstract, Paper, Record

if TYPE_CHECKING:
    from assistant.library.schema import Entry

LONGEST = 100  # characters of what a source says otherwise
_OF_THE_RECORD = frozenset({"source", "line", "details"})


def as_object(entry: Entry) -> dict[str, Any]:
    """Return everything that is known of a paper, and what each source said."""
    paper = entry.paper
    return {
        **choosing.paper_object(paper),
        "handle": paper.handle,
        "abstract": paper.abstract,
        "other_abstracts": [asdict(item) for item in paper.other_abstracts],
        "details": dict(paper.details),
        "passages": len(entry.passages),
        "records": [
            {**asdict(record), "details": dict(record.details)} for record in entry.records
        ],
    }


def print_paper(entry: Entry) -> None:
    """Print a paper for the eye."""
    paper, console = entry.paper, stdout()
    console.print(Text(neutralised(paper.name), style="bold"), soft_wrap=True)
    _print_facts(_facts(paper, len(entry.passages)))
    console.print()
    console.print(Text(_as_it_came(paper.abstract) or "(no abstract)"), soft_wrap=True)
    if paper.truncated:
        console.print("(cut off by its source)")
    for item in paper.other_abstracts:
        what = " ".join(filter(None, (item.language, item.kind))) or "another abstract"
        console.print()
        console.print(Text(f"[{neutralised(what)}] {_as_it_came(item.text)}"), soft_wrap=True)
    console.print()
    for record in entry.records:
        console.print(Text(_whence(record)), soft_wrap=True)
        _print_facts(dict(differences(paper, record)), "  otherwise ")


def differences(paper: Paper, record: Record) -> Iterator[tuple[str, str]]:
    """Yield the fields in which a record says something else than the paper, and what."""
    for field in fields(record):
        said = getattr(record, field.name)
        if field.name in _OF_THE_RECORD or not said or said == getattr(paper, field.name):
            continue
        yield field.name.replace("_", " "), _shortened(_spoken(said))
    known = dict(paper.details)
    for name, said in record.details:
        if said != known.get(name):
            yield name, _shortened(said)


def _facts(paper: Paper, passages: int) -> dict[str, str]:
    from assistant.library import people

    return {
        "Id": paper.id,
        "Authors": "; ".join(map(people.spoken, paper.authors)),
        "Year": str(paper.year or ""),
        "Venue": paper.venue,
        "DOI": paper.doi,
        "PubMed": paper.pmid,
        "arXiv": paper.arxiv_id,
        "Address": paper.url,
        "Code": ", ".join(paper.code_links),
        "Keywords": "; ".join(paper.keywords),
        "Language": paper.language,
        **{name[:1].upper() + name[1:]: value for name, value in paper.details},
        "Passages": str(passages),
    }


def _print_facts(facts: dict[str, str], before: str = "") -> None:
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        if value:
            line = f"{before}{neutralised(name):<{width}}  {neutralised(value)}"
            stdout().print(Text(line), soft_wrap=True)


def _whence(record: Record) -> str:
    source = record.source
    where = f"{source.file}, record {source.record_no:,}"
    where += f", line {record.line:,}" if record.line else ""
    return neutralised(f"From {where} ({source.format}, in {source.collection})")


def _as_it_came(text: str) -> str:
    """Return a text with the line breaks that it came with, and nothing else that acts."""
    return "\n".join(map(neutralised, text.splitlines()))


def _spoken(said: object) -> str:
    if isinstance(said, tuple):
        return "; ".join(item.text if isinstance(item, OtherAbstract) else item for item in said)
    return str(said)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
