"""Take found papers along: in a reference manager's format, or as Markdown with quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from assistant.errors import LibraryError
from assistant.interfaces.findings import NOT_CLOSE
from assistant.interfaces.render import is_web_link
from assistant.interfaces.safe_text import neutralised
from assistant.library import exporting, people
from assistant.types import Findings, Match, Paper

MARKDOWN = "markdown"
FORMATS = ("bibtex", "ris", "csv", MARKDOWN, "jsonl", "csl-json")
ENDINGS = {**exporting.ENDINGS, ".md": MARKDOWN, ".markdown": MARKDOWN}

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# with what GitHub and others add: tables, mathematics, names, references, bare addresses, emoji
_ACTING = re.compile(
    r"[\\`*_{}\[\]#|~$@!^&<>]|:(?=//|[\w+-]+:)|(?<=www)\.", re.ASCII | re.IGNORECASE
)


def format_of(name: str, file: str) -> str:
    """Return the format that is named, or that a file's ending stands for.

    Raise ``LibraryError`` where there is none.
    """
    if name in FORMATS:
        return name
    if name:
        raise LibraryError(f"There is no format {name!r}.", f"Known are {', '.join(FORMATS)}.")
    ending = Path(file).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    said = f"The ending of {file!r} names no format." if file != "-" else "Which format?"
    raise LibraryError(said, f"Add --format with one of {', '.join(FORMATS)}.")


def write(findings: Findings, format: str, out: TextIO) -> int:  # noqa: A002 - its name
    """Write the papers of a page of findings to an open text file; return how many."""
    if format == MARKDOWN:
        out.writelines(f"{line}\n" for line in _lines(findings))
        return len(findings.matches)
    return exporting.write((match.paper for match in findings.matches), format, out)


def _lines(findings: Findings) -> Iterator[str]:
    yield "# Papers found"
    if findings.idea.strip():
        yield ""
        yield f"For: {escaped(findings.idea)}"
    if not findings.close:
        yield ""
        yield NOT_CLOSE if findings.matches else "Nothing was found."
    for match in findings.matches:
        yield ""
        yield from _item(match)


def _item(match: Match) -> Iterator[str]:
    paper = match.paper
    mark = f"{match.rank}. "
    indent = " " * len(mark)
    yield f"{mark}**{escaped(paper.name)}**  "
    names = escaped(", ".join(map(people.spoken, paper.authors)))
    about = [names, escaped(paper.venue), str(paper.year or ""), _link(paper)]
    if line := " · ".join(part for part in about if part):
        yield f"{indent}{line}"
    if match.why:
        yield ""
    for reason in match.why:
        if reason.evidence:
            said = f"“{escaped(reason.evidence.sentence.text)}”"
            yield f"{indent}- *{escaped(reason.facet)}*: {said}"
        else:
            yield f"{indent}- not met: *{escaped(reason.facet)}*"


def _link(paper: Paper) -> str:
    """Return a link to the paper: its DOI, or else its address where that may be offered."""
    if paper.doi and "://" not in paper.doi:
        address = f"https://doi.org/{quote(neutralised(paper.doi), safe='/:;.-_~')}"
        return f"[{escaped(paper.doi)}]({address})"
    address = paper.doi or paper.url
    if not is_web_link(address):
        return ""
    safe = quote(address, safe="/:;.-_~?&=%#,+@")
    return f"[{escaped(address)}]({safe})"


def escaped(text: str) -> str:
    """Return a text on one line in which nothing acts as Markdown or HTML.

    It is to stand behind something else: what acts only at the beginning of a line is let be.
    """
    line = " ".join(neutralised(text).split())
    return _ACTING.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), line)
