"""The records of PubMed's XML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.library.readers.common import Fields, unbracketed
from assistant.library.readers.xml_text import all_of, local, text, texts
from assistant.types import OtherAbstract


def fields(record: Any) -> Fields:
    """Return the raw fields of a ``PubmedArticle``."""
    citation = next(all_of(record, "MedlineCitation"), record)
    article = next(all_of(citation, "Article"), citation)
    issue = ("Journal", "JournalIssue")
    return Fields(
        abstract=_sections(next(all_of(article, "Abstract"), None)),
        other_abstracts=list(_others(citation)),
        title=unbracketed(text(article, "ArticleTitle") or text(article, "VernacularTitle")),
        authors=_people(article),
        year=_year(article) or text(citation, "DateCompleted", "Year"),
        venue=text(article, "Journal", "Title")
        or text(citation, "MedlineJournalInfo", "MedlineTA"),
        doi=_number(record, article, "doi"),
        pmid=text(citation, "PMID"),
        keywords=[
            *texts(citation, "KeywordList", "Keyword"),
            *texts(citation, "MeshHeadingList", "MeshHeading", "DescriptorName"),
        ],
        language=text(article, "Language"),
        details={
            "type": "article"
            if "Preprint" in texts(article, "PublicationTypeList", "PublicationType")
            else "article-journal",
            "volume": text(article, *issue, "Volume"),
            "issue": text(article, *issue, "Issue"),
            "page": text(article, "Pagination", "MedlinePgn"),
            "ISSN": text(article, "Journal", "ISSN"),
        },
    )


def book_fields(record: Any) -> Fields:
    """Return the raw fields of a ``PubmedBookArticle``."""
    document = next(all_of(record, "BookDocument"), record)
    book = next(all_of(document, "Book"), document)
    return Fields(
        abstract=_sections(next(all_of(document, "Abstract"), None)),
        title=text(document, "ArticleTitle") or text(book, "BookTitle"),
        authors=_people(document) or _people(book),
        year=text(book, "PubDate", "Year") or text(document, "ContributionDate", "Year"),
        venue=text(book, "BookTitle") if text(document, "ArticleTitle") else "",
        pmid=text(document, "PMID"),
        keywords=texts(document, "KeywordList", "Keyword"),
        language=text(document, "Language"),
        details={"type": "chapter", "publisher": text(book, "Publisher", "PublisherName")},
    )


def _sections(abstract: Any) -> str:
    """Return an abstract with the labels of its sections, a section a line."""
    if abstract is None:
        return ""
    said = []
    for part in all_of(abstract, "AbstractText"):
        label = part.get("Label") or ""
        body = " ".join("".join(part.itertext()).split())
        if body:
            said.append(f"{label.rstrip(':')}: {body}" if label not in {"", "UNLABELLED"} else body)
    return "\n".join(said)


def _others(citation: Any) -> Iterator[OtherAbstract]:
    for other in all_of(citation, "OtherAbstract"):
        yield OtherAbstract(_sections(other), other.get("Language") or "", other.get("Type") or "")


def _people(article: Any) -> list[str]:
    names = []
    for author in all_of(article, "AuthorList", "Author"):
        family = text(author, "LastName")
        given = text(author, "ForeName") or text(author, "Initials")
        suffix = text(author, "Suffix")
        group = text(author, "CollectiveName")
        names.append(f"{family}, {given} {suffix}".strip(", ") if family else f"{{{group}}}")
    return [name for name in names if name != "{}"]


def _year(article: Any) -> str:
    date = ("Journal", "JournalIssue", "PubDate")
    return (
        text(article, *date, "Year")
        or text(article, *date, "MedlineDate")
        or text(article, "ArticleDate", "Year")
    )


def _number(record: Any, article: Any, kind: str) -> str:
    for place in all_of(article, "ELocationID"):
        if place.get("EIdType") == kind:
            return "".join(place.itertext())
    for number in all_of(record, "PubmedData", "ArticleIdList", "ArticleId"):
        if number.get("IdType") == kind and local(number) == "ArticleId":
            return "".join(number.itertext())
    return ""
