"""From a JSON object to the fields of a record, whoever wrote it.

Semantic Scholar, OpenAlex, arXiv, OpenReview, Crossref, Europe PMC and CSL-JSON call the same
things by different names, at different depths; so do the lists that people make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.library.readers import cells, json_shapes, json_values
from assistant.library.readers.common import Fields, arxiv_of, year_of
from assistant.library.readers.json_shapes import Opened
from assistant.types import OtherAbstract

_VENUE = (
    *("venue", "journal", "containertitle", "journaltitle", "fulljournalname", "journalname"),
    *("publicationtitle", "publicationname", "primarylocation.source.displayname"),
    *("publicationvenue.name", "hostvenue.displayname", "journalinfo.journal.title"),
    *("booktitle", "proceedingstitle", "journalref", "conference", "proceeding", "journals"),
    *("publicationinfo.journaltitle", "secondarytitle", "container", "jt", "pub", "publication"),
    *("conferencename", "sourcetitle", "event", "source", "journalabbreviation"),
)
_YEAR = (
    *("year", "publicationyear", "pubyear", "yearpublished", "publishyear", "issued", "published"),
    *("publicationdate", "datepublished", "publishedat", "publisheddate", "pubdate", "coverdate"),
    *("publishedprint", "publishedonline", "date", "journalinfo.yearofpublication", "py"),
    *("publicationinfo.year", "source.publishyear", "earliestdate", "versions", "created"),
    *("updatedate", "updated", "pdate", "cdate"),
)
_URL = (
    *("url", "link", "primarylocation.landingpageurl", "landingpageurl", "s2url", "absurl"),
    *("urlabs", "paperurl", "entryid", "pdfurl", "urlpdf", "downloadurl", "ee", "urls", "links"),
    *("fulltexturl", "html", "site"),
)
_KEYWORDS = (
    *("keywords", "keyword", "authorkeywords", "authkeywords", "keywordlist", "tags", "subjects"),
    *("indexterms", "concepts", "topics", "fieldsofstudy", "tasks", "fos", "kw"),
    *("meshheadinglist.meshheading", "meshterms"),
)
_VOLUME = ("volume", "biblio.volume", "journal.volume", "journalinfo.volume", "journalvolume")
_PAGES = ("page", "pages", "journal.pages", "pageinfo", "pagerange", "journalpages")
_LANGUAGE_OF = re.compile(r"abstract([a-z]{2})")


def fields_of(item: Opened, line: int = 0) -> Fields:
    """Return the raw fields of an object that has been opened."""
    abstract, others = _abstracts(item)
    own = item.get("exact")
    return Fields(
        abstract=abstract,
        title=json_values.first(item, json_shapes.TITLE),
        authors=_people(item),
        year=_year(item),
        venue=json_values.first(item, _VENUE),
        doi=json_values.number(item, "doi", "doi", "dois", "doiurl"),
        url=_address(item),
        pmid=json_values.number(item, "pmid", "pmid", "pubmedid", "medlineid"),
        arxiv_id=json_values.number(item, "arxiv", "arxivid", "arxiv", "eprint", "arxiveprints")
        or _own_number(item),
        keywords=_words(item),
        language=_language(item),
        other_abstracts=[*others, *_said_others(item.get("otherabstracts"))],
        details=_details(item),
        line=line,
        exact=own if isinstance(own, Mapping) else "",
    )


def _abstracts(item: Opened) -> tuple[str, list[OtherAbstract]]:
    """Return the abstract, and those in other languages or from other sources."""
    found = _first_abstracts(item, json_shapes.ABSTRACT)
    if not found:
        texts = (json_values.in_order(item.get(name)) for name in json_shapes.INVERTED)
        found = [OtherAbstract(text) for text in texts if text]
    named = [
        OtherAbstract(text, match.group(1))
        for name, text in item.items()
        if (match := _LANGUAGE_OF.fullmatch(name)) and isinstance(text, str)
    ]
    found += sorted(named, key=lambda other: other.language != "en")
    found = found or _first_abstracts(item, json_shapes.TEXT)
    if not found:
        return "", []
    return found[0].text, [other for other in found[1:] if other.text != found[0].text]


def _first_abstracts(item: Opened, names: tuple[str, ...]) -> list[OtherAbstract]:
    found = (json_values.abstracts(item[name]) for name in names if name in item)
    return next(filter(None, found), [])


def _people(item: Opened) -> list[str]:
    if names := json_values.parsed(item.get("authorsparsed")):
        return names
    found = (json_values.people(item[name]) for name in json_shapes.AUTHORS if name in item)
    return next(filter(None, found), [])


def _year(item: Opened) -> str:
    values = (json_values.part(item, path) for path in _YEAR)
    return next((text for value in values if value and (text := json_values.date(value))), "")


def _address(item: Opened) -> str:
    values = (json_values.part(item, path) for path in _URL)
    if found := next(filter(None, map(json_values.address, values)), ""):
        return found
    forum = item.get("forum")
    if isinstance(forum, str):
        return f"https://openreview.net/forum?id={forum}"
    return json_values.first(item, ("url",))


def _words(item: Opened) -> list[str]:
    values = (json_values.part(item, path) for path in _KEYWORDS)
    if found := next(filter(None, map(json_values.words, values)), []):
        return found
    value = item.get("categories") or item.get("subject")
    if isinstance(value, str) and not re.search(r"[,;|]", value) and "categories" in item:
        return value.split()  # of arXiv
    return json_values.words(value)


def _language(item: Opened) -> str:
    value = item.get("language") or item.get("lang") or item.get("languages")
    if isinstance(value, dict):
        value = value.get("code") or value
    return json_values.said(value)


def _own_number(item: Opened) -> str:
    """Return the number of a record of arXiv's own, which is called no more than "id"."""
    own = item.get("id") or item.get("entryid")
    if not isinstance(own, str):
        return ""
    from_arxiv = "categories" in item or "primarycategory" in item or "arxiv" in own.lower()
    bare = re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", own)
    return arxiv_of(own) if from_arxiv or (bare and year_of(_year(item))) else ""


def _details(item: Opened) -> dict[str, str]:
    """Return what goes with a paper, in CSL's words; our own exports say it as it is."""
    own = item.get("details")
    if isinstance(own, dict):
        return {name: text for name, value in own.items() if (text := json_values.said(value))}
    first = json_values.first
    kind = first(item, ("type", "entrytype", "itemtype", "publicationtype", "doctype"))
    pages = [first(item, (f"biblio.{end}page",)) for end in ("first", "last")]
    key = first(item, ("citationkey", "citekey", "bibtexkey"))
    return {
        "type": kind if kind in cells.CSL_TYPES else cells.type_of(kind),
        "volume": first(item, _VOLUME),
        "issue": first(item, ("issue", "biblio.issue", "journalinfo.issue", "number")),
        "page": first(item, _PAGES) or "-".join(dict.fromkeys(filter(None, pages))),
        "publisher": first(item, ("publisher",)),
        "ISSN": first(item, ("issn",)),
        "ISBN": first(item, ("isbn",)),
        "citation-key": key or (first(item, ("id",)) if "entrytype" in item else ""),
    }


def _said_others(value: Any) -> Iterator[OtherAbstract]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            language, kind = item.get("language"), item.get("kind")
            yield OtherAbstract(item["text"], json_values.said(language), json_values.said(kind))
