"""The records of EndNote's XML."""

from __future__ import annotations

import re
from typing import Any

from assistant.library.readers.common import Fields
from assistant.library.readers.tagged import one_abstract
from assistant.library.readers.xml_text import all_of, text, texts

_TYPES = {
    "journal article": "article-journal",
    "electronic article": "article-journal",
    "conference paper": "paper-conference",
    "conference proceedings": "paper-conference",
    "book": "book",
    "book section": "chapter",
    "thesis": "thesis",
    "report": "report",
}


def fields(record: Any) -> Fields:
    """Return the raw fields of a ``record``."""
    kind = next((found.get("name") or "" for found in all_of(record, "ref-type")), "").lower()
    abstract, others = one_abstract(texts(record, "abstract"))
    urls = texts(record, "urls", "related-urls", "url") + texts(record, "urls", "web-urls", "url")
    number = text(record, "electronic-resource-num")
    accession = text(record, "accession-num")
    from_medline = re.search(r"(?i)medline|pubmed|nlm", text(record, "remote-database-name"))
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=text(record, "titles", "title"),
        authors=texts(record, "contributors", "authors", "author")
        or texts(record, "contributors", "secondary-authors", "author"),
        year=text(record, "dates", "year") or text(record, "dates", "pub-dates", "date"),
        venue=text(record, "titles", "secondary-title") or text(record, "periodical", "full-title"),
        doi=number or next((url for url in urls if "doi.org" in url), ""),
        url=next(iter(urls), ""),
        pmid=accession if from_medline else "",
        arxiv_id=next((url for url in urls if "arxiv" in url.lower()), ""),
        keywords=texts(record, "keywords", "keyword"),
        language=text(record, "language"),
        details={
            "type": _TYPES.get(kind, ""),
            "volume": text(record, "volume"),
            "issue": text(record, "number"),
            "page": text(record, "pages"),
            "publisher": text(record, "publisher"),
            "ISBN" if kind.startswith("book") else "ISSN": text(record, "isbn"),
        },
    )
