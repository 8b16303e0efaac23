"""From a JSON object to the fields of a record, whoever wrote it.

Semantic Scholar, OpenAlex, arXiv, OpenReview, Crossref, Europe PMC and CSL-JSON call the same
things by different names, at different depths; so do the lists that people make.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from assistant.library.readers import cells
from assistant.library.readers.common import Fields, arxiv_of
from assistant.library.readers.inverted import text_of
from assistant.types import OtherAbstract

Object: TypeAlias = Mapping[str, Any]

_ABSTRACT = ("abstract", "Abstract", "abstractText", "paperAbstract", "paper_abstract", "summary")
_TITLE = ("title", "Title", "display_name", "paperTitle", "paper_title", "articleTitle", "name")
_AUTHORS = ("authors", "author", "Authors", "authorships", "creators", "authorString", "authorList")
_VENUE = (
    *("venue", "journal", "container-title", "primary_location.source.display_name"),
    *("publicationVenue.name", "host_venue.display_name", "journalInfo.journal.title"),
    *("journalTitle", "booktitle", "journal-ref", "conference", "publication", "Journal", "source"),
)
_YEAR = (
    *("year", "publication_year", "publicationYear", "pubYear", "issued", "published"),
    *("publication_date", "publicationDate", "published-print", "published-online", "date"),
    *("versions", "journalInfo.yearOfPublication", "Year", "created", "update_date", "updated"),
    *("pdate", "cdate"),
)
_DOI = ("doi", "DOI", "externalIds.DOI", "ids.doi", "external_ids.doi", "Doi")
_PMID = ("pmid", "PMID", "externalIds.PubMed", "ids.pmid", "pubmed_id", "medline_id")
_ARXIV = ("arxiv_id", "arxivId", "externalIds.ArXiv", "arxiv", "external_ids.arxiv", "eprint")
_URL = (
    *("url", "URL", "link", "primary_location.landing_page_url", "landing_page_url", "s2Url"),
    *("pdf_url", "abs_url", "paper_url", "entry_id", "links"),
)
_KEYWORDS = ("keywords", "keyword", "Keywords", "keywordList.keyword", "tags", "concepts", "topics")
_KEY = ("_id", "id", "paperId", "key", "citation-key", "corpusId", "uid", "forum")
_NAMED = ("name", "display_name", "fullName", "full_name", "literal", "raw_author_name", "keyword")
_MILLISECONDS = 1_000_000_000_000 / 10
_SURELY = frozenset({*_AUTHORS, *_DOI, *_YEAR, *_PMID, *_VENUE, "paperId", "externalIds"})


def looks_like_paper(found: object) -> bool:
    """Tell whether a value is an object that has an abstract, or a title and what goes with it."""
    if not isinstance(found, Mapping):
        return False
    item = opened(found)
    if any(isinstance(item.get(name), str) and item[name] for name in (*_ABSTRACT, "text")):
        return True
    if isinstance(item.get("abstract_inverted_index"), Mapping):
        return True
    known = item.get("type") in cells.CSL_TYPES | {"document"}
    return bool(_text(item, *_TITLE)) and (known or any(name in item for name in _SURELY))


def opened(found: Object) -> Object:
    """Return an object with the fields that OpenReview and others keep one level down."""
    custom = found.get("custom")  # of CSL-JSON
    if isinstance(custom, Mapping):
        found = {**custom, **found}
    for name in ("content", "paper", "attributes", "_source", "work"):
        inner = found.get(name)
        if isinstance(inner, Mapping) and any(title in inner for title in _TITLE):
            values = {key: value_of(value) for key, value in inner.items()}
            return {**found, **values}
    return found


def value_of(value: Any) -> Any:
    """Return what OpenReview's second form wraps as ``{"value": …}``."""
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def key_of(found: object) -> str:
    """Return what a reader would look an object up by."""
    if not isinstance(found, Mapping):
        return ""
    item = opened(found)
    return " ".join((_text(item, *_TITLE) or str(_first(item, *_KEY) or "")).split())[:80]


def fields_of(found: Object, line: int = 0) -> Fields:
    """Return the raw fields of an object."""
    item = opened(found)
    kind = _text(item, "type", "TYPE", "publicationType")
    extra = item.get("details")
    return Fields(
        abstract=_text(item, *_ABSTRACT)
        or text_of(item.get("abstract_inverted_index"))
        or _text(item, "text", "description"),
        title=_text(item, *_TITLE),
        authors=_people(item),
        year=_date(_first(item, *_YEAR)),
        venue=_text(item, *_VENUE),
        doi=_text(item, *_DOI),
        url=_text(item, *_URL) or _forum(item),
        pmid=str(_first(item, *_PMID) or ""),
        arxiv_id=str(_first(item, *_ARXIV) or "") or _own_number(item),
        keywords=_words(item),
        language=_text(item, "language", "lang"),
        other_abstracts=_others(item.get("other_abstracts")),
        details={str(k): str(v) for k, v in extra.items()}
        if isinstance(extra, Mapping)
        else {
            "type": kind if kind in cells.CSL_TYPES else _kind(kind),
            "volume": _text(item, "volume", "biblio.volume", "journalInfo.volume"),
            "issue": _text(item, "issue", "biblio.issue", "journalInfo.issue"),
            "page": _text(item, "page", "pages", "pageInfo"),
            "publisher": _text(item, "publisher"),
            "ISSN": _text(item, "ISSN", "issn"),
            "ISBN": _text(item, "ISBN", "isbn"),
            "citation-key": _text(item, "citation-key", "citekey"),
        },
        line=line,
        exact=own if isinstance(own := item.get("exact"), Mapping) else "",
    )


def _get(item: Object, path: str) -> Any:
    value: Any = item.get(path)
    if value is None and "." in path:
        value = item
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    return value_of(value)


def _first(item: Object, *paths: str) -> Any:
    return next((value for path in paths if (value := _get(item, path))), None)


def _text(item: Object, *paths: str) -> str:
    """Return the first of these fields that says something in words."""
    for path in paths:
        value = _get(item, path)
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = next((part for part in value if part), "")
        if isinstance(value, Mapping):
            value = _named(value) or value.get("title") or value.get("URL") or ""
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            return str(value)
    return ""


def _people(item: Object) -> list[str]:
    parsed = item.get("authors_parsed")
    if isinstance(parsed, list) and parsed:
        return [_parsed(name) for name in parsed if isinstance(name, list)]
    value = _first(item, *_AUTHORS)
    if isinstance(value, Mapping):
        value = value.get("author") or list(value.values())
    if isinstance(value, str):
        return cells.people(value)
    return [name for person in value if (name := _named(person))] if _is_list(value) else []


def _parsed(name: list[Any]) -> str:
    family, given, *suffix = [*map(str, name), ""]
    return f"{family}, {' '.join(part for part in (given, *suffix) if part)}".strip(", ")


def _named(person: Any) -> str:
    """Return a person's or a thing's name, the family first where the two are told apart."""
    if isinstance(person, str):
        return person
    if not isinstance(person, Mapping):
        return ""
    family = person.get("family") or person.get("lastName") or person.get("last_name")
    if isinstance(family, str) and family:
        particle = person.get("non-dropping-particle") or ""
        given = person.get("given") or person.get("firstName") or person.get("first_name") or ""
        given = given or person.get("first") or ""
        suffix = person.get("suffix") or ""
        return f"{particle} {family}, {given} {suffix}".strip(" ,")
    if isinstance(person.get("last"), str):
        middle = person.get("middle")
        more = " ".join(middle) if isinstance(middle, list) else ""
        return f"{person['last']}, {person.get('first', '')} {more}".strip(" ,")
    for name in _NAMED:
        if isinstance(person.get(name), str):
            literal = name == "literal" or "," in person[name]
            return (
                str(person[name]) if not literal or "," in person[name] else f"{{{person[name]}}}"
            )
    return _named(person.get("author")) if "author" in person else ""


def _words(item: Object) -> list[str]:
    value = _first(item, *_KEYWORDS)
    if value is None:
        value = _first(item, "categories", "subject")
        if isinstance(value, str) and "," not in value and ";" not in value:
            return value.split()
    if isinstance(value, str):
        return cells.words(value)
    return [name for word in value if (name := _named(word))] if _is_list(value) else []


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _date(value: Any) -> str:
    """Return a date in words that hold its year, from words, parts or milliseconds."""
    if isinstance(value, Mapping):
        parts = value.get("date-parts")
        value = parts or value.get("raw") or value.get("literal") or value.get("created") or ""
    while _is_list(value):
        if not value:
            return ""
        value = value[0]
        if isinstance(value, Mapping):  # arXiv's versions
            return str(value.get("created") or "")
    if isinstance(value, (int, float)) and value > _MILLISECONDS:
        try:
            return str(dt.datetime.fromtimestamp(value / 1000, tz=dt.UTC).year)
        except (OverflowError, OSError, ValueError):
            return ""
    return "" if value is None else str(value)


def _forum(item: Object) -> str:
    forum = item.get("forum")
    is_one = isinstance(forum, str) and isinstance(item.get("content"), Mapping)
    return f"https://openreview.net/forum?id={forum}" if is_one else ""


def _own_number(item: Object) -> str:
    """Return the number of a record of arXiv's own, which is called no more than "id"."""
    own = item.get("id")
    from_arxiv = "categories" in item or "primary_category" in item
    return arxiv_of(own) if isinstance(own, str) and (from_arxiv or "arxiv" in own) else ""


def _kind(said: str) -> str:
    return cells.type_of(said)


def _others(value: Any) -> Iterator[OtherAbstract]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Mapping) and isinstance(item.get("text"), str):
            yield OtherAbstract(
                item["text"], str(item.get("language") or ""), str(item.get("kind") or "")
            )
