"""From the fields of a BibTeX entry to those of a record, whichever program has written it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from assistant.library import languages
from assistant.library.readers import bibtex_values as values
from assistant.library.readers.common import Fields, doi_of, year_of
from assistant.library.readers.tagged import one_abstract
from assistant.types import OtherAbstract

Said: TypeAlias = dict[str, list[str]]

TYPE_OF = {
    "article": "article-journal",
    "suppperiodical": "article-journal",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "proceedings": "book",
    "mvproceedings": "book",
    "book": "book",
    "mvbook": "book",
    "booklet": "book",
    "collection": "book",
    "mvcollection": "book",
    "reference": "book",
    "manual": "book",
    "inbook": "chapter",
    "bookinbook": "chapter",
    "suppbook": "chapter",
    "incollection": "chapter",
    "suppcollection": "chapter",
    "inreference": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "bachelorsthesis": "thesis",
    "thesis": "thesis",
    "dissertation": "thesis",
    "techreport": "report",
    "report": "report",
    "preprint": "article",
    "unpublished": "manuscript",
    "online": "webpage",
    "electronic": "webpage",
    "webpage": "webpage",
    "www": "webpage",
    "software": "software",
    "dataset": "dataset",
    "data": "dataset",
    "patent": "patent",
}
_IN_A_BOOK = frozenset({"paper-conference", "chapter"})
_LINKS = ("url", "ee", "link", "adsurl", "bdsk-url-1", "web_url", "howpublished")
_JOURNALS = ("fjournal", "journaltitle", "journal", "booktitle", "maintitle")
_HOUSES = ("publisher", "school", "institution", "organization")
_KEYWORDS = ("keywords", "keyword", "author_keywords", "author-keywords", "keywords-plus", "mesh")
_TAGS = ("tags", "mendeley-tags")
# What an entry has of the one that it refers to.
_INHERITED = frozenset(
    {"booktitle", "year", "date", "publisher", "series", "volume", "issn", "isbn", "editor"}
    | {"journal", "journaltitle", "number", "language", "langid", "school", "institution"}
    | {"organization", "maintitle", "eventdate"}
)
_SECOND = re.compile(r"abstract[-_]?([a-z]{2,3})|(?:other|alt|second)abstract\d*")
_ONLY_DOI = re.compile(r"(?i)\W*(?:doi\W*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+\W*")
_DOI_IN_NOTE = re.compile(r"(?i)^\W*doi\s*[:=]\s*(10\.\d{4,9}/\S+)")
_PMID = re.compile(r"(?i)\bPMID\W{0,3}(\d{4,9})|pubmed(?:\.ncbi\.nlm\.nih\.gov)?/(\d{4,9})")
_OLD_NUMBER = re.compile(r"\d{7}(?:v\d+)?")
_ARCHIVE = re.compile(r"[a-z-]+(?:\.[A-Za-z-]+)?")


def parents_of(said: Said) -> Iterator[str]:
    """Yield the keys of the entries that this one refers to."""
    for name in ("crossref", "xdata"):
        for value in said.get(name, ()):
            yield from (key.strip().lower() for key in value.split(",") if key.strip())


def inherited(said: Said, parent: Said, kind: str) -> Said:
    """Return what an entry says, and of its parent what it does not say itself."""
    if "crossref" not in said:
        return {**parent, **said}  # xdata: the fields of several
    given = {name: found for name, found in parent.items() if name in _INHERITED}
    if TYPE_OF.get(kind) in _IN_A_BOOK and "title" in parent:
        given.setdefault("booktitle", parent["title"])
    if "year" in said or "date" in said:
        given.pop("year", None)
        given.pop("date", None)
    return {**given, **said}


def fields_of(kind: str, key: str, said: Said, line: int) -> Fields:
    """Return the raw fields of an entry."""

    def first(*names: str) -> str:
        return next((value for name in names for value in said.get(name, ())), "")

    def brief(*names: str) -> str:
        return values.short(first(*names))

    its_type = _type(kind, said)
    title = _title(said, its_type)
    abstract, others = _abstracts(said)
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=title,
        authors=_people(said),
        year=_year(said),
        venue=_venue(said, its_type),
        doi=_doi(said),
        url=values.bare(_link(said)),
        pmid=_pmid(said),
        arxiv_id=_arxiv(said),
        keywords=values.words_of(_keywords(said)),
        language=brief("langid", "language", "hyphenation").strip("; "),
        details={
            "type": its_type,
            "volume": brief("volume"),
            "issue": brief("number", "issue"),
            "page": re.sub(
                r"-{2,3}", "-", brief("pages", "eid", "article-number", "articleno", "artnum")
            ),
            "publisher": brief(*_HOUSES),
            "ISSN": brief("issn", "eissn"),
            "ISBN": brief("isbn"),
            "citation-key": brief("x-key").removeprefix(values.NONE) if "x-key" in said else key,
        },
        line=line,
        exact=first("x-exact"),
    )


def _keywords(said: Said) -> list[str]:
    found = [value for name in _KEYWORDS for value in said.get(name, ())]
    return found or [value for name in _TAGS for value in said.get(name, ())]


def _type(kind: str, said: Said) -> str:
    if "x-csl-type" in said:
        return said["x-csl-type"][0].removeprefix(values.NONE)
    if "magazine" in said.get("entrysubtype", ()):
        return "article-magazine"
    if kind == "misc" and _arxiv(said):
        return "article"
    return TYPE_OF.get(kind, "")


def _title(said: Said, its_type: str) -> str:
    title, subtitle = (
        values.typeset(next(iter(said.get(name, ())), "")) for name in ("title", "subtitle")
    )
    if title and subtitle:
        joint = " " if title.endswith((":", "?", "!", ".")) else ": "
        return f"{title}{joint}{subtitle}"
    if title or its_type != "book":
        return title
    return values.typeset(next(iter(said.get("booktitle", []) + said.get("maintitle", [])), ""))


def _people(said: Said) -> Iterator[str]:
    """Yield authors, or editors, or who stands for a work; and the group that has done it."""
    for name in ("author", "authors", "editor"):
        if name in said:
            yield from values.people_of(" and ".join(said[name]))
            break
    else:
        for name in ("organization", "institution"):
            if name in said and "school" not in said:
                yield f"{{{values.short(said[name][0])}}}"
                break
    for group in said.get("collaboration", ()):
        text = values.short(group)
        known = re.search(r"(?i)collab|consort|group|team|network", text)
        yield f"{{{text}}}" if known else f"{{{text} Collaboration}}"


def _year(said: Said) -> str:
    texts = [
        value for name in ("year", "date", "eventdate", "issued") for value in said.get(name, ())
    ]
    texts = [values.short(text) for text in texts]
    return next((text for text in texts if year_of(text)), "")


def _venue(said: Said, its_type: str) -> str:
    names: tuple[str, ...] = _JOURNALS
    if its_type == "thesis":
        names += ("school", "institution", "organization")
    elif its_type == "report":
        names += ("institution", "school", "organization", "series")
    elif its_type == "book":
        names = ("fjournal", "journaltitle", "journal", "series")
        names += ("booktitle", "maintitle") if "title" in said else ()
    else:
        names += ("series", "eventtitle", "howpublished", "organization")
    found = (values.typeset(value) for name in names for value in said.get(name, ()))
    return next((text for text in found if text and not re.search(r"://|\\url|\\href", text)), "")


def _link(said: Said) -> str:
    found = [value for name in _LINKS for value in said.get(name, ())]
    return next((value for value in found if "://" in value), next(iter(said.get("url", ())), ""))


def _doi(said: Said) -> str:
    """Return the fullest DOI that is the entry's own: a field given twice may hold a stub."""
    own = [doi_of(values.bare(value)) for value in said.get("doi", ())]
    if any(own):
        return max(own, key=len)
    links = [values.bare(value) for name in _LINKS for value in said.get(name, ())]
    notes = [values.bare(value) for name in ("note", "annote") for value in said.get(name, ())]
    # a note may well speak of another paper
    links += [text for text in notes if _ONLY_DOI.fullmatch(text) or _DOI_IN_NOTE.match(text)]
    return next((text for text in links if doi_of(text)), "")


def _pmid(said: Said) -> str:
    for name in ("pmid", "pubmed", "pubmedid", "pubmed_id"):
        for value in said.get(name, ()):
            return value
    if any("pubmed" in value.lower() for value in said.get("eprinttype", ())):
        return next(iter(said.get("eprint", ())), "")
    texts = (value for name in ("note", "annote", *_LINKS) for value in said.get(name, ()))
    found = next(filter(None, map(_PMID.search, texts)), None)
    return (found.group(1) or found.group(2)) if found else ""


def _arxiv(said: Mapping[str, list[str]]) -> str:
    prefixes = [v for name in ("archiveprefix", "eprinttype") for v in said.get(name, ())]
    prefix = "".join(prefixes).lower()
    eprint = values.bare(next(iter(said.get("eprint", ())), ""))
    archive = next(iter(said.get("primaryclass", ())), prefix)
    if _OLD_NUMBER.fullmatch(eprint) and _ARCHIVE.fullmatch(archive) and archive != "pubmed":
        return f"{archive.partition('.')[0]}/{eprint}"
    elsewhere = "://" in eprint and "arxiv" not in eprint.lower()
    if eprint and not elsewhere and (not prefix or "arxiv" in prefix):
        return eprint
    for name in ("arxivid", "arxiv", "journal", "volume", "eid", "note", "number", *_LINKS, "doi"):
        for value in said.get(name, ()):
            ours = "arxiv" in value.lower() or name.startswith("arxiv")
            if ours or (name == "volume" and value.startswith("abs/")):
                return values.bare(value).replace("abs/", "")
    return ""


def _abstracts(said: Said) -> tuple[str, list[OtherAbstract]]:
    """Return the abstract, and those that fields of their own hold beside it."""
    names = ("abstract", "abstractnote", "abstracttext", "summary")
    found = next((said[name] for name in names if name in said), [])
    abstract, others = one_abstract([values.unbraced(text) for text in found])
    for name, texts in said.items():
        if (second := _SECOND.fullmatch(name)) is None:
            continue
        for item in values.other_abstracts(texts):
            text = values.unbraced(item.text)
            language = item.language or second.group(1) or ""
            if item.text == texts[0] and not language:
                language = languages.guess(text)
            others.append(replace(item, text=text, language=language))
    if not abstract and others:
        return others[0].text, others[1:]
    return abstract, others
