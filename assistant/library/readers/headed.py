"""Markdown with a heading a paper: ``## Title``, then what belongs to it until the next one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant.library import decode
from assistant.library.decode import Line
from assistant.library.documents import Document
from assistant.library.readers import cells, labelled
from assistant.library.readers.common import MAX_ABSTRACT, Fields, build, year_of
from assistant.library.readers.paragraphs import Block
from assistant.types import Record, Rejected, Source

FORMAT = "text"

_HEADING = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<name>.*?)\s*#*\s*")
_NUMBER = re.compile(r"(?:\(?\[?\d{1,5}[.)\]]{1,2}\s+)")
_LINK = re.compile(r"\[([^\[\]]{1,500})\]\(<?(https?://[^\s()<>]{1,2000})>?\)")
_SMALL_PRINT = re.compile(r"[*_]{1,3}(?P<inner>[^*_].{0,400}?)[*_]{1,3}")
_NAME = re.compile(
    r"(?:[^\W\d_][\w'\u2019.-]*\.?)(?:[ -](?:[^\W\d_][\w'\u2019.-]*\.?|de|van|von|der|la|di|del"
    r"|den|el|bin|al)){0,4}"
)
_PARTS = re.compile(r"\s*(?:,|;|&|\band\b|\u00b7|·)\s*")
_LEAST_TEXT = 100
_PARTICLES = frozenset(["de", "van", "von", "der", "la", "di", "del", "den", "el", "bin", "al"])


@dataclass(slots=True)
class _Section:
    """What stands under one heading."""

    line: int
    title: str
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, text: str) -> None:
        if self.size <= MAX_ABSTRACT:
            self.lines.append(text)
            self.size += len(text) + 1


def recognises(blocks: Sequence[Block]) -> bool:
    """Tell whether there are headings with long text below, at least one below the first level."""
    return _level([line for block in blocks for line in block.text.split("\n")]) > 0


def _level(lines: Sequence[str]) -> int:
    """Return the level of the headings that are titles, 0 where there are none."""
    texts: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    current = 0
    for line in lines:
        if found := _HEADING.fullmatch(line):
            if labelled.field_of(found["name"]):
                continue
            current = len(found["marks"])
            counts[current] += 1
        elif current:
            texts[current] += len(line)
    able = [level for level in counts if texts[level] >= _LEAST_TEXT * counts[level]]
    if not able:
        return 0
    level = max(able, key=lambda one: (counts[one], -one))
    return level if counts[level] > 1 or level > 1 else 0


def read(document: Document, blocks: Sequence[Block]) -> Iterator[Record | Rejected]:
    """Yield a record a heading; ``blocks`` are the first paragraphs, which tell its level."""
    level = _level([line for block in blocks for line in block.text.split("\n")])
    number = 0
    collection = document.collection
    for section in _sections(decode.lines(document), level):
        if isinstance(section, str):
            collection = section
            continue
        number += 1
        source = Source(document.name, number, FORMAT, collection)
        yield build(source, _fields(section))


def _sections(lines: Iterable[Line], level: int) -> Iterator[_Section | str]:
    """Yield sections, and headings above them, which name what they are filed under."""
    section: _Section | None = None
    for line in lines:
        text = line.text.replace("\x00", "")
        found = _HEADING.fullmatch(text)
        depth = len(found["marks"]) if found else 0
        if found and 0 < depth <= level and not labelled.field_of(found["name"]):
            if section:
                yield section
            name = _plain_name(found["name"])
            section = _Section(line.number, name) if depth == level else None
            if depth < level and name:
                yield name
        elif section:
            section.add(f"{found['name']}:" if found else text)
    if section:
        yield section


def _plain_name(name: str) -> str:
    text = _NUMBER.sub("", name, count=1) if _NUMBER.match(name) else name
    return text.strip().strip("*_").strip()


def _fields(section: _Section) -> Fields:
    title, url = section.title, ""
    if link := _LINK.fullmatch(title):
        title, url = link[1], link[2]
    said: dict[str, str] = {}
    body: list[str] = []
    name = ""
    for raw in section.lines:
        text = re.sub(r"^\s{0,3}(?:>\s?)+", "", raw)
        if found := labelled.labelled(re.sub(r"^\s*[-*+]\s+(?=\W{0,3}\w)", "", text)):
            name = found[0]
            said[name] = f"{said[name]}\n{found[1]}" if name in said else found[1]
        elif name and text.strip() and (name == "abstract" or not said[name]):
            said[name] = f"{said[name]}\n{text}".strip()
        elif not text.strip():
            name = name if name == "abstract" else ""
            body.append("")
        else:
            body.append(text)
    first = next((index for index, text in enumerate(body) if text.strip()), 0)
    if body and "authors" not in said and (people := _people(body[first])):
        said["authors"] = people
        del body[first]
    said.setdefault("url", url)
    return Fields(
        abstract=said.get("abstract") or re.sub(r"\n{3,}", "\n\n", "\n".join(body)).strip(),
        title=title,
        authors=cells.people(said.get("authors", "")),
        year=year_of(said.get("year")),
        venue=said.get("venue", ""),
        doi=said.get("doi", "") or said["url"],
        url=said["url"],
        pmid=said.get("pmid", ""),
        arxiv_id=said.get("arxiv_id", ""),
        keywords=cells.words(said.get("keywords", "")),
        language=said.get("language", ""),
        line=section.line,
    )


def _people(line: str) -> str:
    """Return the names in a line that holds names alone, or an empty string."""
    text = line.strip()
    if small := _SMALL_PRINT.fullmatch(text):
        text = small["inner"]
    return text if are_people(text) else ""


def are_people(text: str) -> bool:
    """Tell whether a line is the names of authors and nothing else."""
    parts = [part for part in _PARTS.split(text.strip().rstrip(".")) if part]
    if not parts or len(text) > 1_000 or text.endswith((":", "?")):  # noqa: PLR2004
        return False
    named = [part for part in parts if _NAME.fullmatch(part) and part[0].isupper()]
    full = [part for part in named if " " in part and all(map(_is_capital, part.split()))]
    return len(named) == len(parts) and len(full) >= 0.6 * len(parts)


def _is_capital(word: str) -> bool:
    return word[0].isupper() or word in _PARTICLES
