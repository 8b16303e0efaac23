"""Which column of a table holds what, by the names that databases and people give them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.errors import ReadError

# In the order of preference: where two columns may hold a field, the first that says something.
NAMES: dict[str, tuple[str, ...]] = {
    "abstract": (
        *("abstract", "abstract note", "abstract text", "paper abstract", "article abstract"),
        *("abstract en", "abstract (english)", "abstract english", "abstracts", "ab"),
        *("abstracttext", "abstractnote", "summary", "résumé", "zusammenfassung", "resumen"),
        *("resumo", "riassunto", "samenvatting", "sammanfattning", "аннотация", "özet"),
    ),
    "abstract_index": ("abstract inverted index",),
    "other_abstract": ("original abstract", "abstract (original language)"),
    "title": (
        *("title", "article title", "document title", "paper title", "title primary"),
        *("primary title", "display name", "item title", "title (english)", "titre", "titel"),
        *("título", "titulo", "titolo", "название", "ti", "original title", "chapter title"),
    ),
    "authors": (
        *("author full names", "authors full name", "full author names", "author full name"),
        *("authors", "author", "author/s", "author s", "author(s)", "authors primary"),
        *("author names", "creators", "creator", "authorships author display name"),
        *("authorships raw author name", "author list", "auteurs", "auteur", "autoren"),
        *("autores", "autor", "autori", "авторы", "af", "au", "first author", "book author"),
    ),
    "year": (
        *("year", "publication year", "pub year", "published year", "year published", "py"),
        *("publicationyear", "year of publication", "publication date", "date published"),
        *("date of publication", "published", "pubdate", "pub date", "cover date", "date"),
        *("online date", "issued", "année", "jahr", "año", "ano", "anno", "год", "update date"),
        *("created", "create date", "early access date", "pd"),
    ),
    "venue": (
        *("source title", "journal", "journal/book", "publication title", "journal title"),
        *("journal name", "publication name", "venue", "periodical full", "container title"),
        *("primary location source display name", "host venue display name", "periodical"),
        *("journal/conference", "source publication", "secondary title", "title secondary"),
        *("conference name", "conference", "book title", "proceedings title", "revue"),
        *(
            "publication",
            "zeitschrift",
            "revista",
            "so",
            "jn",
            "jt",
            "series title",
            "journal ref",
            "source",
        ),
    ),
    "doi": (
        *("doi", "digital object identifier", "ids doi", "article doi", "di", "doi link"),
        *("doi url", "crossref doi", "item doi"),
    ),
    "url": (
        *("url", "link", "article url", "articleurl", "external url", "paper url"),
        *("primary location landing page url", "landing page url", "links", "permalink", "plink"),
        *("source url", "source urls", "full text link", "full text url", "pdf link", "pdf url"),
        *("document link", "open access link"),
    ),
    "pmid": ("pmid", "pubmed id", "medline pmid", "ids pmid", "pubmedid", "pubmed", "pm"),
    "arxiv_id": ("arxiv id", "arxiv", "arxivid", "eprint", "arxiv number"),
    "keywords": (
        *("author keywords", "keywords", "keyword", "key words", "keywords display name"),
        *("manual tags", "tags", "keywords plus", "index keywords", "subjects", "mesh terms"),
        *("mesh headings", "automatic tags", "ieee terms", "index terms", "categories", "de"),
        *("mots clés", "schlagwörter", "palabras clave", "subject", "subject terms"),
        *("concepts display name", "fields of study"),
    ),
    "language": (
        *("language", "language of original document", "article language", "languages"),
        *("langue", "sprache", "idioma", "lingua", "la", "output language"),
    ),
    "type": (
        *("document type", "item type", "publication type", "reference type", "doctype"),
        *("type", "entry type", "document types", "dt", "pt", "record type"),
    ),
    "volume": ("volume", "vl", "biblio volume"),
    "issue": ("issue", "issue number", "number", "is", "biblio issue", "no"),
    "first_page": ("start page", "first page", "page start", "beginning page", "bp"),
    "last_page": ("end page", "last page", "page end", "ending page", "ep"),
    "page": ("pages", "page", "page range", "pagination"),
    "publisher": ("publisher", "book publisher", "pu"),
    "ISSN": ("issn", "issns", "sn", "issn/isbn", "issn isbn"),
    "ISBN": ("isbn", "isbns", "bn"),
    "citation-key": ("citation key", "citekey", "bibtex key"),
    "other_abstracts": ("other abstracts",),
}
_CHINESE = {
    "摘要": "abstract",
    "要旨": "abstract",
    "抄録": "abstract",
    "题名": "title",
    "題名": "title",
    "标题": "title",
    "標題": "title",
    "作者": "authors",
    "著者": "authors",
    "刊名": "venue",
    "期刊": "venue",
    "文献来源": "venue",
    "发表时间": "year",
    "年份": "year",
    "关键词": "keywords",
    "關鍵詞": "keywords",
    "语种": "language",
}
_PLACES = {name: (field, rank) for field, names in NAMES.items() for rank, name in enumerate(names)}
_TWO_LETTERS = 2
_SURELY = frozenset({"authors", "year", "doi", "venue", "pmid", "keywords", "url"})
MAPPED = (
    *("abstract", "title", "authors", "year", "venue", "doi", "url", "pmid", "arxiv_id"),
    *("keywords", "language"),
)
"""The fields that a reader may name a column for."""


def found(header: Sequence[str], asked: Mapping[str, str] | None = None) -> dict[str, list[int]]:
    """Return the columns of each field, the likeliest first; ``asked`` wins over every guess."""
    names = [normal(name) for name in header]
    coded = _coded(names)
    ranked: dict[str, list[tuple[int, int]]] = {}
    for index, name in enumerate(names):
        field, rank = (
            _PLACES.get(name) or _PLACES.get(normal(_apart(header[index]))) or _chinese(name)
        )
        if field and (len(name) > _TWO_LETTERS or coded or not name.isascii()):
            ranked.setdefault(field, []).append((rank, index))
    columns = {field: [index for _, index in sorted(places)] for field, places in ranked.items()}
    for field, name in (asked or {}).items():
        columns[field] = [_named(header, name)]
    return columns


def plainly_papers(columns: Mapping[str, Sequence[int]]) -> bool:
    """Tell whether these columns are those of a list of papers."""
    if {"abstract", "abstract_index"} & columns.keys():
        return True
    return "title" in columns and bool(_SURELY & columns.keys())


def normal(name: str) -> str:
    """Return a column's name without case, dashes, dots and underscores."""
    bare = name.strip("\ufeff \"'").casefold()
    return " ".join(re.sub(r"[_.,:\-\u2013]+", " ", bare).split())


def _apart(name: str) -> str:
    """Return a name such as "AbstractNote" as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def _coded(names: Sequence[str]) -> bool:
    """Tell whether a header is made of two-letter codes, as Web of Science's is."""
    short = sum(len(name) == _TWO_LETTERS for name in names)
    return short > len(names) / 2


def _chinese(name: str) -> tuple[str, int]:
    return next(((field, 99) for word, field in _CHINESE.items() if word in name), ("", 0))


def _named(header: Sequence[str], wanted: str) -> int:
    for index, name in enumerate(header):
        if name.strip("\ufeff ").casefold() == wanted.strip().casefold():
            return index
    for index, name in enumerate(header):
        if normal(name) == normal(wanted):
            return index
    raise ReadError(
        f"There is no column {wanted!r} in the table.", f"Its columns are: {listed(header)}."
    )


def listed(header: Sequence[str], most: int = 40) -> str:
    """Return the names of columns for a message."""
    names = [" ".join(name.split())[:60] for name in header if name.strip()]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
