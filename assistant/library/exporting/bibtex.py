"""BibTeX, with BibLaTeX's fields where it has no own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TextIO

from assistant.library import people
from assistant.library.readers.bibtex_values import LEFT, RIGHT, SLASH
from assistant.types import Paper

_TYPES = {
    "article-journal": "article",
    "article-magazine": "article",
    "paper-conference": "inproceedings",
    "book": "book",
    "chapter": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "manuscript": "unpublished",
    "webpage": "online",
    "software": "software",
    "dataset": "dataset",
    "patent": "patent",
}
_BACK = {
    **{name: kind for kind, name in _TYPES.items() if kind != "article-magazine"},
    "misc": "",
}
_BRACE = re.compile(r"(?<!\\)[{}]")
_STOP = frozenset({"a", "an", "the", "on", "of", "in", "for", "to", "and", "with", "is", "are"})


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an entry a paper; return how many."""
    count, taken = 0, set[str]()
    for count, paper in enumerate(papers, 1):  # noqa: B007 - the last one is the number
        out.write(_entry(paper, _key(paper, taken)))
    return count


def _entry(paper: Paper, key: str) -> str:
    details = dict(paper.details)
    kind = details.get("type", "")
    name = _TYPES.get(kind, "misc")
    place = {"inproceedings": "booktitle", "incollection": "booktitle"}.get(name, "journal")
    said = [
        ("title", _held(paper.title)),
        ("author", " and ".join(map(_person, paper.authors))),
        ("year", str(paper.year or "")),
        (place, _held(paper.venue)),
        ("doi", paper.doi),
        ("url", paper.url),
        ("eprint", paper.arxiv_id),
        ("archiveprefix", "arXiv" if paper.arxiv_id else ""),
        ("pmid", paper.pmid),
        ("abstract", _whole(paper.abstract)),
        ("keywords", _listed(paper.keywords)),
        ("language", _held(paper.language)),
        *(
            ("otherabstract", f"[{item.language};{item.kind}] {_whole(item.text)}")
            for item in paper.other_abstracts
        ),
        ("volume", _held(details.get("volume", ""))),
        ("number", _held(details.get("issue", ""))),
        ("pages", _held(details.get("page", ""))),
        ("publisher", _held(details.get("publisher", ""))),
        ("issn", _held(details.get("ISSN", ""))),
        ("isbn", _held(details.get("ISBN", ""))),
        ("x-csl-type", kind if _BACK.get(name) != kind else ""),
        ("x-key", "made" if key != details.get("citation-key", "") else ""),
    ]
    lines = "".join(f"  {field} = {{{value}}},\n" for field, value in _numbered(said) if value)
    return f"@{name}{{{key},\n{lines}}}\n\n"


def _numbered(said: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the fields; one that comes again is told apart by a number."""
    seen: dict[str, int] = {}
    for name, value in said:
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield (f"{name}{count + 1}" if count else name), value


def _held(text: str) -> str:
    """Return a short text whose signs mean themselves to LaTeX."""
    marked = re.sub(r"([%&#_$])", r"\\\1", text.replace("\\", "{\\textbackslash}"))
    return _whole(marked.replace("~", "{\\textasciitilde}"))


def _whole(text: str) -> str:
    """Return a text in which every brace has its partner, or stands for itself."""
    if text.endswith("\\"):
        text = f"{text[:-1]}{SLASH}"
    depth = 0
    for match in _BRACE.finditer(text):
        depth += 1 if match.group() == "{" else -1
        if depth < 0:
            break
    if depth == 0 and not _looks_wrapped(text):
        return text
    return _BRACE.sub(lambda match: LEFT if match.group() == "{" else RIGHT, text)


def _looks_wrapped(text: str) -> bool:
    return text.startswith("{") and text.endswith("}")


def _person(name: str) -> str:
    family, given = people.parts(name)
    if given or " " not in family:
        return f"{_held(family)}, {_held(given)}" if given else _held(family)
    return f"{{{_held(family)}}}"


def _listed(words: tuple[str, ...]) -> str:
    return "; ".join(map(_held, words)) + (";" if words else "")


def _key(paper: Paper, taken: set[str]) -> str:
    """Return the key that the paper came with, or one of its author, year and title."""
    details = dict(paper.details)
    wanted = details.get("citation-key", "") or _made_key(paper)
    key = re.sub(r"[\s,{}\\%#\"'()=~]+", "", wanted) or paper.id
    number = 1
    while key in taken:
        number += 1
        key = f"{wanted}-{number}"
    taken.add(key)
    return key


def _made_key(paper: Paper) -> str:
    family = people.parts(paper.authors[0])[0] if paper.authors else ""
    words = re.findall(r"[^\W\d_]+", paper.name)
    word = next((word for word in words if word.lower() not in _STOP), "")
    letters = unicodedata.normalize("NFKD", f"{family}{paper.year or ''}{word}")
    return "".join(char for char in letters if char.isascii() and char.isalnum()).lower()
