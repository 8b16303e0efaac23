"""Which JSON objects are papers, under whatever names they say so.

Names are compared by their letters alone: ``paperAbstract``, ``paper_abstract`` and
``Paper Abstract`` are one. What programs wrap round a paper is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

Opened: TypeAlias = dict[str, Any]
"""The fields of an object by plain names, those that say nothing left out."""

TITLE = (
    *("title", "articletitle", "papertitle", "primarytitle", "displayname", "titles", "ti", "t1"),
    *("itemtitle", "titleen", "titlear", "titledisplay", "maintitle", "documenttitle", "name"),
)
ABSTRACT = (
    *("abstract", "abstracttext", "abstractnote", "paperabstract", "abstracts", "abstractbody"),
    *("structuredabstract", "abstractstructured", "summary", "ab", "resumo", "resumen", "abs"),
)
INVERTED = ("abstractinvertedindex", "indexedabstract")
TEXT = ("text", "descriptions", "description")
AUTHORS = (
    *("authors", "author", "authorships", "creators", "authorlist", "zauthors", "contributors"),
    *("authornames", "fullauthors", "names", "fau", "au", "a1", "authorstring", "creator"),
)
_SURELY = frozenset(
    {"doi", "dois", "pmid", "arxivid", "paperid", "externalids", "identifiers", "articleids"}
    | {"year", "publicationyear", "pubyear", "issued", "publicationdate", "journal", "venue"}
    | {"containertitle", "journaltitle", "booktitle", "publicationtitle", "primarylocation"}
    | {"itemtype", "entrytype", "journalref", "publicationname", "keywords", "pubdate", "abstract"}
)
_KINDS = frozenset(
    {"article", "articlejournal", "paperconference", "chapter", "book", "thesis", "report"}
    | {"document", "webpage", "dataset", "software", "patent", "manuscript", "preprint", "paper"}
    | {"journalarticle", "conferencepaper", "inproceedings", "misc", "phdthesis", "techreport"}
)
# What Zotero keeps beside papers
_NO_PAPERS = ("attachment", "note", "annotation")
_LISTS = frozenset(
    {"papers", "items", "results", "data", "works", "publications", "records", "articles", "docs"}
    | {"references", "entries", "documents", "list", "hits", "hit", "result", "collection", "rows"}
    | {"library", "bibliography", "searchresults", "entry", "paperlist", "notes", "abstracts"}
)
_REFERENCES = re.compile(r"refer|cit(?:ation|ed|es|ing)|related|similar|recommend|bibentr|children")
_LIST_OF_REFERENCES = re.compile(rf"(?i)[\"']\w*(?:{_REFERENCES.pattern})\w*[\"']\s*:\s*[\[{{]")
# What holds some fields of a paper one level down …
_AROUND = ("custom", "metadata", "paper")
# … and what holds all of them
_INSIDE = (
    *("content", "metadata", "paper", "attributes", "source", "work", "data", "info", "bibjson"),
    *("fields", "article", "publication", "record", "medlinecitation", "pubmedarticle"),
    *("document", "item", "doc", "entry", "dc", "coredata"),
)
_PREFIX = re.compile(r"^(?:dc|dcterms|prism|bibo|schema|atom|arxiv|oai_dc):")
_LETTERS = re.compile(r"[^a-z0-9]+")
_MOST_NAMES = 400
_DEEPEST = 3
_LONG_ENOUGH = 40
_SOUNDS = re.compile(r"(?i)[\"'](title|abstract|display_name|text)[\"']\s*:")


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return _LETTERS.sub("", _PREFIX.sub("", name.lower()))


def opened(found: Any, depth: int = 0) -> Opened:
    """Return the fields of an object, those of what it wraps included."""
    item = _plain(found)
    for name in _INSIDE if depth < _DEEPEST and not _says_something(item) else ():
        inner = item.get(name)
        if isinstance(inner, dict) and _says_something(plain := opened(inner, depth + 1)):
            del item[name]  # or it is taken for a venue, as "source" is
            item |= plain
            break
    for name in _AROUND:
        if isinstance(inner := item.get(name), dict):
            item = {**_plain(inner), **item}
    return item


def _plain(found: Any) -> Opened:
    if not isinstance(found, dict):
        return {}
    item: Opened = {}
    for name, value in found.items():
        if value is None or value == "" or len(item) >= _MOST_NAMES:
            continue
        # OpenReview's second form, and XML turned into JSON
        if isinstance(value, dict) and "value" in value and len(value) <= 3:  # noqa: PLR2004
            value = value["value"]  # noqa: PLW2901
        if value or value == 0:
            item.setdefault(plain_name(name[:100]), value)
    return item


def _says_something(item: Opened) -> bool:
    return titled(item) or has_abstract(item)


def titled(item: Opened) -> bool:
    """Tell whether there is a title, called so."""
    return any(_is_text(item.get(name)) for name in TITLE[:-1])


def has_abstract(item: Opened) -> bool:
    """Tell whether there is an abstract, called so."""
    return any(name in item for name in INVERTED) or any(
        _is_text(item.get(name)) for name in ABSTRACT
    )


def has_authors(item: Opened) -> bool:
    """Tell whether there are authors."""
    return any(name in item for name in AUTHORS)


def is_paper(item: Opened) -> bool:
    """Tell whether an object has an abstract, or a title and what goes with it."""
    if item.get("itemtype") in _NO_PAPERS:
        return False
    text = item.get("text")
    said = isinstance(text, str) and (len(text) >= _LONG_ENOUGH or titled(item))
    if said or has_abstract(item):
        return True
    kind = item.get("type")
    signs = has_authors(item) + (not _SURELY.isdisjoint(item))
    signs += isinstance(kind, str) and plain_name(kind[:100]) in _KINDS
    return signs > 0 if titled(item) else _is_text(item.get("name")) and signs > 1


def may_be_paper(item: Opened) -> bool:
    """Tell whether an object is a paper if it stands among papers: it has a title."""
    return titled(item) and item.get("itemtype") not in _NO_PAPERS


def lack_of(item: Opened) -> str:
    """Return why an object is no paper."""
    if item.get("itemtype") in _NO_PAPERS:
        return f"it goes with a paper, as its {item['itemtype']}"
    if _is_text(item.get("text")):
        return "it has no title, and its text is too short for an abstract"
    return "it has neither a title nor an abstract"


def _is_text(value: Any) -> bool:
    """Tell whether a value says something in words: a text, or texts in a list or by language."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, dict):
        return any(isinstance(part, str) and part.strip() for part in value.values())
    if isinstance(value, list):
        return any(isinstance(part, (str, dict)) and _is_text(part) for part in value[:50])
    return False


def sounds_like_paper(text: str) -> bool:
    """Tell whether the beginning of a broken object names a title or an abstract."""
    return bool(_SOUNDS.search(text))


def sounds_like_one_paper(text: str) -> bool:
    """Tell whether a broken object names a title or an abstract, and none of them twice."""
    names = [name.lower() for name in _SOUNDS.findall(text)]
    return bool(names) and len(set(names)) == len(names)


def is_list_of_papers(key: str) -> bool:
    """Tell whether what is called like this is likely a list of papers."""
    return plain_name(key[:100]) in _LISTS


def is_of_papers(key: str) -> bool:
    """Tell whether a field like this is a paper's own."""
    return plain_name(key[:100]) in {"title", "abstract", "text", "displayname"}


def is_of_references(key: str) -> bool:
    """Tell whether what is called like this are the papers that a paper names."""
    return bool(_REFERENCES.search(key.lower()[:100]))


def names_references(text: str) -> bool:
    """Tell whether a broken object names papers that a paper names."""
    return bool(_LIST_OF_REFERENCES.search(text))


def key_of(item: Mapping[str, Any]) -> str:
    """Return what a reader would look an object up by."""
    names = ("title", "citationkey", "id", "paperid", "key", "doi", "pmid", "uid", "url", "name")
    said = (item.get(name) for name in names)
    key = next((value for value in said if isinstance(value, (str, int)) and value), "")
    return " ".join(str(key).split())[:80]


def rows_of(found: Any) -> Sequence[dict[str, Any]]:
    """Return the rows of a table that is written column by column, as pandas does; else none."""
    if not isinstance(found, dict):
        return ()
    columns, data = found.get("columns"), found.get("data")
    if isinstance(columns, list) and isinstance(data, list) and all(map(_is_list, data)):
        names = [str(name)[:100] for name in columns if isinstance(name, str)]
        same = len(names) == len(columns) and "title" in map(plain_name, names)
        return [dict(zip(names, row, strict=False)) for row in data] if same else ()
    return list(_turned(found))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _turned(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``{"title": {"0": …, "1": …}, …}`` or ``{"title": […], …}``."""
    tall = {name: value for name, value in found.items() if isinstance(value, (list, dict))}
    plain = {plain_name(name[:100]): value for name, value in tall.items()}
    first = plain.get("title")
    other = next((plain[name] for name in (*ABSTRACT, "text") if name in plain), None)
    if not (first and other and type(first) is type(other) and len(first) == len(other) > 1):
        return
    places: Any = list(first) if isinstance(first, dict) else range(len(first))
    for place in places:
        yield {
            name: column.get(place) if isinstance(column, dict) else column[place]
            for name, column in tall.items()
            if isinstance(column, type(first)) and len(column) == len(first)
        }
