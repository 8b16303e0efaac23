"""JSON as the databases and the reference managers write it: each says the same in its own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.library import readers
from assistant.types import OtherAbstract, Record

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."
HALVES = (ABSTRACT[:30], ABSTRACT[30:])


def only(tmp_path: Path, content: Any) -> Record:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    (record,) = readers.read(path)
    assert isinstance(record, Record)
    return record


DBLP = {
    "result": {
        "status": {"@code": "200", "text": "OK"},
        "hits": {
            "@total": "1",
            "hit": [
                {
                    "@score": "1",
                    "@id": "77",
                    "info": {
                        "authors": {"author": [{"@pid": "1/2", "text": "Jane Doe 0001"}]},
                        "title": "On mosses.",
                        "venue": "Walls",
                        "year": "2019",
                        "type": "Journal Articles",
                        "doi": "10.1234/X",
                        "ee": "https://example.org/x",
                    },
                    "url": "URL#77",
                }
            ],
        },
    }
}
EUROPE_PMC = {
    "version": "6.9",
    "resultList": {
        "result": [
            {
                "id": "123",
                "source": "MED",
                "pmid": "123",
                "doi": "10.1234/x",
                "title": "On mosses",
                "authorString": "Doe J, Roe R.",
                "authorList": {
                    "author": [{"fullName": "Doe J", "firstName": "Jane", "lastName": "Doe"}]
                },
                "journalInfo": {
                    "volume": "3",
                    "yearOfPublication": 2019,
                    "journal": {"title": "Walls"},
                },
                "pubYear": "2019",
                "abstractText": ABSTRACT,
                "keywordList": {"keyword": ["moss", "wall"]},
            }
        ]
    },
}
CROSSREF = {
    "status": "ok",
    "message": {
        "facets": {},
        "total-results": 1,
        "items": [
            {
                "title": ["On mosses"],
                "author": [{"given": "Jane", "family": "Doe", "sequence": "first"}],
                "container-title": ["Walls"],
                "published": {"date-parts": [[2019, 3]]},
                "DOI": "10.1234/x",
                "reference": [{"article-title": "Older", "author": "Roe", "year": "1999"}],
                "abstract": f"<jats:title>Abstract</jats:title><jats:p>{ABSTRACT}</jats:p>",
            }
        ],
    },
}
ADS = {
    "response": {
        "numFound": 1,
        "docs": [
            {
                "title": ["On mosses"],
                "author": ["Doe, Jane"],
                "pub": "Walls",
                "year": "2019",
                "doi": ["10.1234/x"],
                "abstract": ABSTRACT,
                "identifier": ["2019Wal....1D", "arXiv:1901.00001"],
            }
        ],
    }
}
INSPIRE = {
    "hits": {
        "total": 1,
        "hits": [
            {
                "id": "7",
                "created": "2021-01-01",
                "links": {"self": "https://example.org/api/7"},
                "metadata": {
                    "titles": [{"title": "On mosses", "source": "arXiv"}],
                    "abstracts": [{"value": ABSTRACT, "source": "arXiv"}],
                    "authors": [{"full_name": "Doe, Jane", "affiliations": [{"value": "Wall U"}]}],
                    "dois": [{"value": "10.1234/x"}],
                    "arxiv_eprints": [{"value": "1901.00001", "categories": ["hep-th"]}],
                    "publication_info": [{"journal_title": "Walls", "year": 2019}],
                    "earliest_date": "2018-12-30",
                },
            }
        ],
    }
}
DATACITE = {
    "data": [
        {
            "id": "10.1234/x",
            "type": "dois",
            "attributes": {
                "doi": "10.1234/x",
                "titles": [{"title": "On mosses"}],
                "creators": [{"name": "Doe, Jane", "givenName": "Jane", "familyName": "Doe"}],
                "publicationYear": 2019,
                "container": {"title": "Walls", "type": "Journal"},
                "descriptions": [
                    {"description": "Twelve pages.", "descriptionType": "Other"},
                    {"description": ABSTRACT, "descriptionType": "Abstract"},
                ],
            },
        }
    ]
}
ZOTERO_API = [
    {
        "key": "AB12",
        "version": 3,
        "library": {"type": "user", "id": 1, "name": "mine"},
        "links": {"self": {"href": "https://example.org/AB12"}},
        "data": {
            "key": "AB12",
            "itemType": "journalArticle",
            "title": "On mosses",
            "creators": [
                {"creatorType": "editor", "firstName": "Ed", "lastName": "Itor"},
                {"creatorType": "author", "firstName": "Jane", "lastName": "Doe"},
            ],
            "abstractNote": ABSTRACT,
            "publicationTitle": "Walls",
            "date": "03/2019",
            "DOI": "10.1234/x",
            "tags": [{"tag": "moss", "type": 1}],
        },
    }
]
MENDELEY = [
    {
        "title": "On mosses",
        "type": "journal",
        "authors": [{"first_name": "Jane", "last_name": "Doe"}],
        "year": 2019,
        "source": "Walls",
        "identifiers": {"doi": "10.1234/x", "pmid": "123"},
        "abstract": ABSTRACT,
    }
]
LENS = {
    "total": 1,
    "data": [
        {
            "lens_id": "0-1",
            "title": "On mosses",
            "authors": [{"first_name": "Jane", "last_name": "Doe", "initials": "J"}],
            "abstract": ABSTRACT,
            "year_published": 2019,
            "source": {"title": "Walls", "type": "Journal", "publisher": "Wall Press"},
            "external_ids": [
                {"type": "pmid", "value": "123"},
                {"type": "doi", "value": "10.1234/x"},
            ],
        }
    ],
}
SCOPUS = {
    "search-results": {
        "opensearch:totalResults": "1",
        "link": [{"@ref": "self", "@href": "https://example.org/q"}],
        "entry": [
            {
                "dc:identifier": "SCOPUS_ID:1",
                "dc:title": "On mosses",
                "dc:creator": "Doe, Jane",
                "prism:publicationName": "Walls",
                "prism:coverDate": "2019-03-01",
                "prism:doi": "10.1234/x",
                "dc:description": ABSTRACT,
                "authkeywords": "moss | wall",
            }
        ],
    }
}
IEEE = {
    "total_records": 1,
    "articles": [
        {
            "title": "On mosses",
            "abstract": ABSTRACT,
            "authors": {"authors": [{"full_name": "Jane Doe", "author_order": 1}]},
            "publication_title": "Walls",
            "publication_year": 2019,
            "doi": "10.1234/x",
            "index_terms": {"author_terms": {"terms": ["moss", "wall"]}},
        }
    ],
}
DOAJ = {
    "total": 1,
    "results": [
        {
            "id": "a1",
            "created_date": "2021-02-03T00:00:00Z",
            "bibjson": {
                "title": "On mosses",
                "author": [{"name": "Jane Doe"}],
                "abstract": ABSTRACT,
                "journal": {"title": "Walls", "language": ["EN"]},
                "year": "2019",
                "identifier": [{"type": "doi", "id": "10.1234/x"}],
            },
        }
    ],
}
PUBMED_SUMMARY = {
    "header": {"type": "esummary", "version": "0.3"},
    "result": {
        "uids": ["123"],
        "123": {
            "uid": "123",
            "pubdate": "2019 Mar",
            "source": "W",
            "fulljournalname": "Walls",
            "title": "On mosses",
            "authors": [{"name": "Doe J", "authtype": "Author", "clusterid": ""}],
            "articleids": [
                {"idtype": "pubmed", "idtypen": 1, "value": "123"},
                {"idtype": "doi", "idtypen": 3, "value": "10.1234/x"},
            ],
        },
    },
}
PUBMED_AS_JSON = {
    "PubmedArticleSet": {
        "PubmedArticle": [
            {
                "MedlineCitation": {
                    "PMID": {"@Version": "1", "#text": "123"},
                    "Article": {
                        "ArticleTitle": "On mosses",
                        "Journal": {"Title": "Walls"},
                        "Abstract": {
                            "AbstractText": [
                                {"@Label": "AIM", "#text": HALVES[0]},
                                {"@Label": "END", "#text": HALVES[1]},
                            ]
                        },
                        "AuthorList": {"Author": [{"LastName": "Doe", "ForeName": "Jane"}]},
                    },
                }
            }
        ]
    }
}
S2_CORPUS = {
    "id": "a1",
    "title": "On mosses",
    "paperAbstract": ABSTRACT,
    "authors": [{"name": "Jane Doe", "ids": ["1"]}],
    "outCitations": ["b2"],
    "year": 2019,
    "journalName": "Walls",
    "doi": "10.1234/x",
    "pmid": "",
}
S2_BULK: dict[str, Any] = {
    "total": 1,
    "token": None,
    "data": [
        {
            "paperId": "a1",
            "externalIds": {"DOI": "10.1234/x", "CorpusId": 1},
            "title": "On mosses",
            "journal": {"name": "Walls", "pages": "1-5", "volume": "3"},
            "publicationVenue": None,
            "abstract": ABSTRACT,
            "tldr": {"model": "m", "text": "Mosses grow."},
            "year": 2019,
            "authors": [{"authorId": "1", "name": "Jane Doe"}],
        }
    ],
}
AMINER = {
    "id": "5",
    "title": "On mosses",
    "authors": [{"name": "Jane Doe", "org": "Wall U"}],
    "venue": {"raw": "Walls"},
    "year": 2019,
    "doi": "10.1234/x",
    "fos": [{"name": "Moss", "w": 0.5}],
    "indexed_abstract": {
        "IndexLength": 12,
        "InvertedIndex": {word: [place] for place, word in enumerate(ABSTRACT.split())},
    },
}
BIORXIV = {
    "messages": [{"status": "ok"}],
    "collection": [
        {
            "doi": "10.1234/x",
            "title": "On mosses",
            "authors": "Doe, J.; Roe, R.",
            "date": "2019-03-01",
            "category": "moss",
            "abstract": ABSTRACT,
            "published": "10.2020/2021.77",
            "server": "Walls",
        }
    ],
}
SCIFACT = {
    "doc_id": 4983,
    "title": "On mosses",
    "abstract": [f"{ABSTRACT[:30].strip()}\n", ABSTRACT[30:].strip()],
    "structured": False,
}
CORD = {
    "paper_id": "f00",
    "metadata": {
        "title": "On mosses",
        "authors": [{"first": "Jane", "middle": ["B"], "last": "Doe", "suffix": ""}],
    },
    "abstract": [{"text": ABSTRACT, "cite_spans": [], "section": "Abstract"}],
    "body_text": [{"text": "A body. " * 20, "section": "1"}],
    "bib_entries": {"BIBREF0": {"title": "Older", "authors": [], "year": 1999}},
}
DAILY = [
    {
        "paper": {
            "id": "1901.00001",
            "authors": [{"_id": "x", "name": "Jane Doe", "hidden": False}],
            "summary": ABSTRACT,
            "title": "On mosses",
            "publishedAt": "2019-03-01T00:00:00.000Z",
        },
        "publishedAt": "2019-03-02T00:00:00.000Z",
        "title": "On mosses",
        "numComments": 1,
    }
]
PANDAS: dict[str, dict[str, Any]] = {
    "title": {"0": "On mosses"},
    "abstract": {"0": ABSTRACT},
    "authors": {"0": "Jane Doe; Roy Roe"},
    "year": {"0": 2019},
}


@pytest.mark.parametrize(
    ("content", "author", "year", "venue", "doi"),
    [
        (EUROPE_PMC, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (CROSSREF, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (ADS, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (INSPIRE, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (DATACITE, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (ZOTERO_API, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (MENDELEY, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (LENS, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (SCOPUS, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (IEEE, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (DOAJ, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (S2_CORPUS, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (S2_BULK, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (AMINER, "Doe, Jane", 2019, "Walls", "10.1234/x"),
        (BIORXIV, "Doe, J.", 2019, "", "10.1234/x"),
        (SCIFACT, "", None, "", ""),
        (CORD, "Doe, Jane B", None, "", ""),
        (DAILY, "Doe, Jane", 2019, "", ""),
    ],
    ids=[
        *("europe-pmc", "crossref", "ads", "inspire", "datacite", "zotero", "mendeley", "lens"),
        *("scopus", "ieee", "doaj", "s2-corpus", "s2-bulk", "aminer", "biorxiv", "scifact"),
        *("cord-19", "daily-papers"),
    ],
)
def test_each_program_says_the_same(
    tmp_path: Path, content: Any, author: str, year: int | None, venue: str, doi: str
) -> None:
    record = only(tmp_path, content)
    abstract = record.abstract.removeprefix("<jats:title>Abstract</jats:title><jats:p>")
    assert abstract.removesuffix("</jats:p>") == ABSTRACT
    assert record.title == "On mosses"
    assert (record.authors or ("",))[0] == author
    assert (record.year, record.venue, record.doi) == (year, venue, doi)


def test_dblp_knows_no_abstract(tmp_path: Path) -> None:
    record = only(tmp_path, DBLP)
    assert (record.title, record.abstract, record.authors) == ("On mosses.", "", ("Doe, Jane",))
    assert (record.year, record.venue, record.doi) == (2019, "Walls", "10.1234/x")
    assert record.url == "https://example.org/x"
    assert ("type", "article-journal") in record.details


def test_summaries_of_pubmed_are_references(tmp_path: Path) -> None:
    record = only(tmp_path, PUBMED_SUMMARY)
    assert (record.title, record.year, record.venue) == ("On mosses", 2019, "Walls")
    assert (record.doi, record.pmid) == ("10.1234/x", "123")


def test_pubmed_turned_into_json_keeps_its_sections(tmp_path: Path) -> None:
    record = only(tmp_path, PUBMED_AS_JSON)
    assert record.abstract == f"AIM: {HALVES[0].strip()}\nEND: {HALVES[1].strip()}"
    assert (record.pmid, record.authors, record.venue) == ("123", ("Doe, Jane",), "Walls")


def test_numbers_and_words_are_found_where_each_puts_them(tmp_path: Path) -> None:
    assert only(tmp_path, ADS).arxiv_id == "1901.00001"
    assert only(tmp_path, INSPIRE).arxiv_id == "1901.00001"
    assert only(tmp_path, DAILY).arxiv_id == "1901.00001"
    assert only(tmp_path, LENS).pmid == only(tmp_path, MENDELEY).pmid == "123"
    assert only(tmp_path, ZOTERO_API).keywords == ("moss",)
    assert only(tmp_path, ZOTERO_API).authors == ("Doe, Jane",)
    assert only(tmp_path, IEEE).keywords == only(tmp_path, SCOPUS).keywords == ("moss", "wall")
    assert only(tmp_path, EUROPE_PMC).keywords == ("moss", "wall")
    assert ("page", "1-5") in only(tmp_path, S2_BULK).details


def test_a_made_summary_is_no_abstract(tmp_path: Path) -> None:
    item = {**S2_BULK["data"][0], "abstract": None}
    assert only(tmp_path, [item]).abstract == ""


@pytest.mark.parametrize(
    ("said", "abstract", "others"),
    [
        ({"BACKGROUND": "Walls.", "RESULTS": "Moss."}, "BACKGROUND: Walls.\nRESULTS: Moss.", ()),
        (
            {"en": "Moss.", "es": "Musgo."},
            "Moss.",
            (OtherAbstract("Musgo.", "es"),),
        ),
        (
            [{"label": "AIM", "text": "Walls."}, {"label": "END", "text": "Moss."}],
            "AIM: Walls.\nEND: Moss.",
            (),
        ),
        (
            [{"lang": "en", "value": "Moss."}, {"lang": "de", "value": "Moos."}],
            "Moss.",
            (OtherAbstract("Moos.", "de"),),
        ),
        ({"h1": "Abstract", "p": "Moss."}, "Moss.", ()),
        ({"h1": "Abstract", "p": ["Moss.", "Wall."]}, "Moss. Wall.", ()),
    ],
)
def test_abstracts_in_parts(
    tmp_path: Path, said: Any, abstract: str, others: tuple[OtherAbstract, ...]
) -> None:
    record = only(tmp_path, [{"title": "On mosses", "year": 2019, "abstract": said}])
    assert (record.abstract, record.other_abstracts) == (abstract, others)


def test_abstracts_by_the_names_of_their_languages(tmp_path: Path) -> None:
    record = only(tmp_path, [{"title": "Moos", "abstract_de": "Moos wächst.", "abstract_en": "M."}])
    assert record.abstract == "M."
    assert record.other_abstracts == (OtherAbstract("Moos wächst.", "de"),)


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        ({"year": "", "published": "2018-05-01"}, 2018),
        ({"year": 0, "date": "May 2018"}, 2018),
        ({"issued": {"date-parts": [[None]]}, "created": {"date-parts": [[2018, 1]]}}, 2018),
        ({"issued": {"raw": "circa 2018"}}, 2018),
        ({"published": {"year": "2018", "month": "1"}}, 2018),
        ({"date": {"$date": "2018-01-01T00:00:00Z"}}, 2018),
        ({"pdate": 1520000000000}, 2018),
        ({"year": 2018.0}, 2018),
        ({"year": 10**30}, None),
    ],
)
def test_the_first_date_that_has_a_year_counts(
    tmp_path: Path, dates: dict[str, Any], year: int | None
) -> None:
    assert only(tmp_path, [{"title": "T", "abstract": ABSTRACT, **dates}]).year == year


def test_a_table_written_by_columns_gives_its_rows(tmp_path: Path) -> None:
    by_columns = {name: {"0": cell["0"], "1": cell["0"]} for name, cell in PANDAS.items()}
    by_lists = {name: list(cell.values()) for name, cell in by_columns.items()}
    split = {
        "columns": list(PANDAS),
        "index": [0, 1],
        "data": [[cell["0"] for cell in PANDAS.values()]] * 2,
    }
    path = tmp_path / "table.json"
    for table in (by_columns, by_lists, split):
        path.write_text(json.dumps(table), encoding="utf-8")
        first, second = readers.read(path)
        assert isinstance(first, Record)
        assert (first.title, first.abstract, first.year) == ("On mosses", ABSTRACT, 2019)
        assert first.authors == ("Doe, Jane", "Roe, Roy")
        assert second.source.record_no == 2
