"""What the values of JSON fields say: texts, names of people, key words, dates, numbers."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from assistant.library.readers import cells
from assistant.library.readers.common import year_of
from assistant.library.readers.inverted import text_of as words_in_order
from assistant.library.readers.json_shapes import Opened, plain_name
from assistant.types import OtherAbstract

_NAMED = (
    *("value", "text", "$t", "_", "name", "displayname", "fullname", "title", "literal", "label"),
    *("fullnameinverted", "rawauthorname", "authorname", "authname", "creator", "keyword", "term"),
    *("subject", "tag", "descriptorname", "raw", "sourcetitle", "journaltitle", "content", "en"),
    *("url", "href", "id", "oid", "numberint", "numberlong", "date"),
)
_FAMILY = ("family", "lastname", "surname", "familyname", "last", "ln")
_GIVEN = ("given", "forename", "firstname", "givenname", "givennames", "first", "fn", "initials")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{2,4})?")
_LABEL = ("label", "heading", "h1", "sectiontitle", "nlmcategory", "section", "title")
_BODY = ("text", "value", "abstracttext", "p", "sec", "content", "abstract", "description", "body")
_NO_LABEL = re.compile(r"(?i)abstracts?|summary|unlabell?ed|unassigned|none|text|en|")
_MILLISECONDS = 100_000_000_000
_DOI = re.compile(r"10\.\d{4,}/")
_DEEPEST = 4
_HOLDERS = ("externalids", "ids", "identifiers", "identifier", "articleids", "articleidlist")
_BEGINS = {"doi": ("doi:", "10."), "pmid": ("pmid:",), "arxiv": ("arxiv:",)}
_SPELLINGS = {
    "doi": ("doi",),
    "pmid": ("pmid", "pubmed", "pubmedid"),
    "arxiv": ("arxiv", "arxivid"),
}


def said(value: Any, depth: int = 0) -> str:
    """Return what a value says in words: a text, a number, the first or the named part of more."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if depth > _DEEPEST:
        return ""
    if isinstance(value, list):
        return next(filter(None, (said(part, depth + 1) for part in value[:20])), "")
    if isinstance(value, dict):
        return _named(value, depth)
    return ""


def _named(value: dict[str, Any], depth: int) -> str:
    plain = plainly(value)
    for name in _NAMED:
        if name in plain and (text := said(plain[name], depth + 1)):
            return text
    texts = [part for part in plain.values() if isinstance(part, str) and part]
    return texts[0] if texts and all(_LANGUAGE.fullmatch(name) for name in plain) else ""


def plainly(value: dict[str, Any]) -> Opened:
    """Return an object with plain names."""
    return {plain_name(name[:100]): part for name, part in value.items()}


def part(item: Opened, path: str) -> Any:
    """Return what stands at the end of a way of plain names, None where there is none."""
    if "." not in path:
        return item.get(path)
    first, *rest = path.split(".")
    value: Any = item.get(first)
    for name in rest:
        if isinstance(value, list):
            value = next((inner for inner in value if isinstance(inner, dict)), None)
        value = plainly(value).get(name) if isinstance(value, dict) else None
    return value


def first(item: Opened, paths: Iterable[str]) -> str:
    """Return what the first of these fields says that says something."""
    for path in paths:
        value = part(item, path)
        if value is not None and (text := said(value)).strip():
            return text
    return ""


# Abstracts


def abstracts(value: Any) -> list[OtherAbstract]:
    """Return the abstracts that a field holds, the first of them being the paper's."""
    if isinstance(value, str):
        return [OtherAbstract(value)] if value.strip() else []
    if isinstance(value, dict):
        return _by_name(value)
    if not isinstance(value, list):
        return []
    if all(isinstance(item, str) for item in value):
        # sentences or lines of one text
        return [OtherAbstract(" ".join(item.strip() for item in value))] if any(value) else []
    return _of_parts([item for item in value if isinstance(item, (dict, str)) and item])


def _by_name(value: dict[str, Any]) -> list[OtherAbstract]:
    """Return the abstracts of an object: by languages, of sections, or a text under a name."""
    texts = {name: text for name, text in value.items() if isinstance(text, str) and text.strip()}
    plain = plainly(value)
    body = next((plain[name] for name in _BODY if plain.get(name)), None)
    if body is not None:
        return _of_parts([value])
    if texts and all(_LANGUAGE.fullmatch(name) for name in texts):
        return [OtherAbstract(text, language) for language, text in texts.items()]
    inner = next((part for part in plain.values() if isinstance(part, (dict, list)) and part), None)
    if inner is not None and len(value) == 1:
        return abstracts(inner) if isinstance(inner, list) else _by_name(inner)
    lines = "\n".join(map(_section, texts, texts.values()))
    return [OtherAbstract(lines)] if lines else []


def _of_parts(parts: list[Any]) -> list[OtherAbstract]:
    """Return the abstract that sections make, or the several that sources or languages give."""
    found: list[OtherAbstract] = []
    lines: list[str] = []
    for item in parts:
        plain = plainly(item) if isinstance(item, dict) else {"text": item}
        body = next((plain[name] for name in _BODY if plain.get(name)), "")
        text = "\n".join(other.text for other in abstracts(body)).strip()
        if not text:
            continue
        language = said(plain.get("lang") or plain.get("language") or "")
        kind = said(plain.get("source") or plain.get("descriptiontype") or plain.get("type") or "")
        label = next((said(plain[name]) for name in _LABEL if name in plain and name != "p"), "")
        if language or kind:
            found.append(OtherAbstract(text, language, kind))
        else:
            lines.append(_section(label, text))
    found.sort(key=lambda other: other.kind.lower() not in {"", "abstract"})
    return [OtherAbstract("\n".join(lines)), *found] if lines else found


def _section(label: str, text: str) -> str:
    bare = _NO_LABEL.fullmatch(label.strip()) or text.startswith(label)
    return text if bare else f"{label.strip().rstrip(':')}: {text}"


def in_order(index: Any) -> str:
    """Return the text of an inverted index, which may be written as a text itself."""
    if isinstance(index, str) and index.startswith("{"):
        try:
            index = json.loads(index)
        except (ValueError, RecursionError):
            return ""
    return words_in_order(index)


# People


def people(value: Any, depth: int = 0) -> list[str]:
    """Return the names in a field of people, as ``common.named`` takes them."""
    if isinstance(value, str):
        return cells.people(value)
    if depth > _DEEPEST:
        return []
    if isinstance(value, dict):
        if name := person(value):
            return [name]
        return next((found for part in value.values() if (found := people(part, depth + 1))), [])
    return list(_listed(value)) if isinstance(value, list) else []


def _listed(value: list[Any]) -> Iterator[str]:
    roles = {_role(item) for item in value}
    for item in value:
        if "author" in roles and _role(item) not in {"author", ""}:
            continue  # editors beside authors
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            yield person(item)


def _role(item: Any) -> str:
    if not isinstance(item, dict):
        return ""
    role = item.get("creatorType") or item.get("role") or item.get("contributor_role")
    return role.lower() if isinstance(role, str) else ""


def person(value: dict[str, Any], depth: int = 0) -> str:
    """Return a person's name, the family first where the two are told apart; "{…}" of a group."""
    plain = plainly(value)
    family = _word(plain, _FAMILY)
    if family:
        particle = _word(plain, ("nondroppingparticle", "droppingparticle"))
        middle = plain.get("middle")
        middle = " ".join(map(said, middle)) if isinstance(middle, list) else said(middle)
        given = " ".join(f"{_word(plain, _GIVEN)} {middle} {said(plain.get('suffix'))}".split())
        return f"{particle} {family}, {given}".strip(" ,")
    if group := _word(plain, ("collectivename", "literal", "corporatename")):
        return group if "," in group else f"{{{group}}}"
    for name in ("author", "authors", "person"):
        if isinstance(inner := plain.get(name), dict) and depth < _DEEPEST:
            return person(inner, depth + 1)
    return _word(plain, (*_NAMED[:14], "wosstandard")) or _word(plain, _GIVEN)


def _word(plain: Opened, names: Iterable[str]) -> str:
    found = (plain.get(name) for name in names)
    return next((text for value in found if isinstance(value, str) and (text := value.strip())), "")


def parsed(names: Any) -> list[str]:
    """Return the names that arXiv gives in parts: family, given, suffix."""
    rows = [row for row in names if isinstance(row, list) and row] if _is_list(names) else []
    return [_in_parts([said(cell) for cell in row]) for row in rows]


def _in_parts(row: list[str]) -> str:
    return f"{row[0]}, {' '.join(filter(None, row[1:3]))}".strip(", ")


# Key words, dates, numbers, addresses


def words(value: Any) -> list[str]:
    """Return the key words in a field."""
    if isinstance(value, str):
        return cells.words(value)
    if isinstance(value, dict):
        inner = next((part for part in value.values() if isinstance(part, (list, dict))), None)
        return words(inner) if inner is not None else list(filter(None, [said(value)]))
    return [word for item in value if (word := said(item))] if _is_list(value) else []


def date(value: Any, depth: int = 0) -> str:
    """Return a date in words that hold its year, from words, parts or milliseconds; or ""."""
    if isinstance(value, dict) and depth <= _DEEPEST:
        plain = plainly(value)
        names = ("dateparts", "year", "raw", "literal", "created", "date", "value")
        return next((found for name in names if (found := date(plain.get(name), depth + 1))), "")
    if isinstance(value, list) and depth <= _DEEPEST:
        return next((found for inner in value[:5] if (found := date(inner, depth + 1))), "")
    if isinstance(value, (int, float)) and value > _MILLISECONDS:
        try:
            return str(dt.datetime.fromtimestamp(value / 1000, tz=dt.UTC).year)
        except (OverflowError, OSError, ValueError):
            return ""
    text = said(value)
    return text if not _DOI.search(text) and year_of(text) else ""


def number(item: Opened, kind: str, *names: str) -> str:
    """Return the number of one kind (doi, pmid, arxiv), wherever the programs put it."""
    if direct := first(item, names):
        return direct
    for holder in _HOLDERS:
        if text := _number_in(item.get(holder), kind, 0):
            return text
    return ""


def _number_in(value: Any, kind: str, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    if isinstance(value, dict):
        plain = plainly(value)
        if direct := next((said(plain[name]) for name in _SPELLINGS[kind] if name in plain), ""):
            return direct
        said_kind = _word(plain, ("type", "idtype", "scheme", "identifiertype", "name"))
        if plain_name(said_kind[:100]) in _SPELLINGS[kind]:
            return first(plain, ("value", "id", "identifier", "text"))
        value = [part for part in value.values() if isinstance(part, (list, dict))]
    if isinstance(value, list):
        for inner in value[:100]:
            if isinstance(inner, str) and inner.lower().startswith(_BEGINS[kind]):
                return inner
            if isinstance(inner, (dict, list)) and (text := _number_in(inner, kind, depth + 1)):
                return text
    return ""


def address(value: Any, depth: int = 0) -> str:
    """Return the first address in a value."""
    if isinstance(value, str):
        return value if "://" in value else ""
    if depth > _DEEPEST or not isinstance(value, (list, dict)):
        return ""
    parts = value.values() if isinstance(value, dict) else value[:20]
    return next(filter(None, (address(inner, depth + 1) for inner in parts)), "")


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
