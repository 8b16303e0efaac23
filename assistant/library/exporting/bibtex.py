"""BibTeX, with BibLaTeX's fields where it has no own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TextIO

from assistant.library import exact, people
from assistant.library.exporting.checked import Format, collections
from assistant.library.readers import bibtex
from assistant.library.readers.bibtex_values import AT, LEFT, NONE, RIGHT, SLASH, decoded, wrapped
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
_PLACES = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "series",
    "phdthesis": "journal",
    "techreport": "journal",
}
_HOUSES = {"phdthesis": "school", "techreport": "institution"}
_LETTER = re.compile(r"\\([{}])")
_BREAKING = re.compile(r"\\+(?=[{}]|\Z)|[{}]")
_AT = re.compile(r"^([ \t]*)@", re.MULTILINE)
_LIKE_ENTRY = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]", re.MULTILINE)
_MEANING = re.compile(r"\\|[%&#_${}]")
_SIGNS = {"{": LEFT, "}": RIGHT}
_UNFIT = re.compile(r"[\s,{}\\%#\"'()=~^]+")
_STOP = frozenset({"a", "an", "the", "on", "of", "in", "for", "to", "and", "with", "is", "are"})


def write(papers: Iterable[Paper], out: TextIO) -> int:
    """Write an entry a paper; return how many."""
    return Format(_entry, bibtex.read, key=partial(_key, taken={})).write(papers, out)


def _entry(paper: Paper, missing: Mapping[str, Any], key: str) -> str:
    details = dict(paper.details)
    kind = details.get("type", "")
    name = _TYPES.get(kind, "misc")
    seen_as = "article" if name == "misc" and paper.arxiv_id else bibtex.TYPE_OF.get(name, "")
    own_key = details.get("citation-key", "")
    said = [
        ("title", _typeset(paper.title)),
        ("author", " and ".join(map(_person, paper.authors))),
        ("year", str(paper.year or "")),
        *_places(name, paper.venue, details.get("publisher", "")),
        ("volume", _held(details.get("volume", ""))),
        ("number", _held(details.get("issue", ""))),
        ("pages", _held(details.get("page", ""))),
        ("issn", _held(details.get("ISSN", ""))),
        ("isbn", _held(details.get("ISBN", ""))),
        ("doi", whole(paper.doi)),
        ("url", whole(paper.url)),
        ("eprint", whole(paper.arxiv_id)),
        ("archiveprefix", "arXiv" if paper.arxiv_id else ""),
        ("pmid", paper.pmid),
        ("abstract", whole(paper.abstract)),
        *(
            ("otherabstract", f"[{item.language};{item.kind}] {whole(item.text)}")
            for item in paper.other_abstracts
        ),
        ("keywords", _listed(paper.keywords)),
        ("language", _held(paper.language)),
        ("groups", ", ".join(_held(name.replace(",", " ")) for name in collections(paper))),
        ("x-csl-type", (_held(kind) or NONE) if kind != seen_as else ""),
        ("x-key", (_held(own_key) or NONE) if own_key != key else ""),
        ("x-exact", exact.packed(missing)),
    ]
    lines = "".join(f"  {field} = {{{value}}},\n" for field, value in _numbered(said) if value)
    return f"@{name}{{{key},\n{lines}}}\n\n"


def _places(name: str, venue: str, publisher: str) -> list[tuple[str, str]]:
    """Return where a work has come out, and who has published it."""
    if name in _HOUSES and venue == publisher:
        return [(_HOUSES[name], _typeset(venue))]
    return [(_PLACES.get(name, "howpublished"), _typeset(venue)), ("publisher", _held(publisher))]


def _numbered(said: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the fields; one that comes again is told apart by a number."""
    seen: dict[str, int] = {}
    for name, value in said:
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield (f"{name}{count + 1}" if count else name), value


def _held(text: str) -> str:
    """Return a short text whose signs mean themselves to LaTeX."""
    marked = _MEANING.sub(
        lambda match: SLASH if match.group() == "\\" else f"\\{match.group()}", text
    )
    return whole(marked.replace("~", "{\\textasciitilde}"))


def _typeset(text: str) -> str:
    """Return a title whose hyphens stay hyphens, however many stand in a row."""
    return re.sub(r"-(?=-)", "-{}", _held(text))


def whole(text: str) -> str:
    """Return a text that an entry can hold: as it is, or with what would break it spelled out."""
    if _is_sound(text) and decoded(text) == text:
        return text
    spelled = _BREAKING.sub(
        lambda match: _SIGNS.get(match.group(), SLASH * len(match.group())), text
    )
    return _AT.sub(rf"\1{AT}", spelled)


def _is_sound(text: str) -> bool:
    """Tell whether programs of all kinds find the end of a text in braces."""
    if text.endswith("\\") or wrapped(text) or _LIKE_ENTRY.search(text):
        return False
    # some do and some do not count a brace behind a backslash
    return _is_balanced(text) and _is_balanced(_LETTER.sub("", text))


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in re.findall(r"[{}]", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _person(name: str) -> str:
    family, given = people.parts(name)
    if given:
        family, given = (f"{{{part}}}" if " and " in part else part for part in (family, given))
        return f"{_held(family)}, {_held(given)}"
    return f"{{{_held(family)}}}" if " " in family else _held(family)


def _listed(words: tuple[str, ...]) -> str:
    return "; ".join(map(_held, words)) + (";" if len(words) == 1 and "," in words[0] else "")


def _key(paper: Paper, taken: dict[str, int]) -> str:
    """Return the key that the paper came with, or one of its author, year and title."""
    wanted = dict(paper.details).get("citation-key", "") or _made_key(paper)
    wanted = _UNFIT.sub("", wanted) or paper.id
    key = wanted
    while key.lower() in taken:  # some programs take no notice of case
        taken[wanted.lower()] += 1
        key = f"{wanted}-{taken[wanted.lower()]}"
    taken[key.lower()] = 1
    return key


def _made_key(paper: Paper) -> str:
    family = people.parts(paper.authors[0])[0] if paper.authors else ""
    words = re.findall(r"[^\W\d_]+", paper.name)
    word = next((word for word in words if word.lower() not in _STOP), "")
    letters = unicodedata.normalize("NFKD", f"{family}{paper.year or ''}{word}")
    return "".join(char for char in letters if char.isascii() and char.isalnum()).lower()
