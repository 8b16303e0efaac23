"""Which column holds what: the headers of many programs, in many languages, and in none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.library import readers
from assistant.library.documents import Document
from assistant.library.readers import columns
from assistant.types import OtherAbstract, Record, Rejected

ABSTRACT = (
    "We study the growth of mosses on northern stone walls over ten years, and find that they grow "
    "faster in the shade than in the sun, which nobody has shown before."
)
EASTERN = "我们研究了墙上苔藓的生长，发现它们在阴影中生长得更快，这是以前没有人发现的。" * 2
Read = Callable[..., list[Record | Rejected]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_(content: str, **mapped: str) -> list[Record | Rejected]:
        path = tmp_path / "list.csv"
        path.write_bytes(content.encode())
        return list(readers.read(replace(Document.of(path), columns=mapped)))

    return read_


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("Abstract Language,Abstract URL,Title,Abstract", {"abstract": 3, "title": 2}),
        ("Title,Source Title,Meeting Abstract,Abstract", {"title": 0, "venue": 1, "abstract": 3}),
        ("pubtitle,title,abstract,languageOfSummary", {"venue": 0, "title": 1, "abstract": 2}),
        ("Document Title,Authors,Author Affiliations", {"title": 0, "authors": 1}),
        ("AbstractNote,Item Type,Publication Title", {"abstract": 0, "type": 1, "venue": 2}),
        ("content.title.value,content.abstract.value", {"title": 0, "abstract": 1}),
        ("title_s,authFullName_s,abstract_s", {"title": 0, "authors": 1, "abstract": 2}),
        ("titles,summaries,terms", {"title": 0, "abstract": 1, "keywords": 2}),
        ("TITRE,RÉSUMÉ,Mots-clés", {"title": 0, "abstract": 1, "keywords": 2}),
        ("Título,Resumen,Año,Autores", {"title": 0, "abstract": 1, "year": 2, "authors": 3}),
        ("Tytuł,Streszczenie,Rok", {"title": 0, "abstract": 1, "year": 2}),
        ("Название,Аннотация,Авторы", {"title": 0, "abstract": 1, "authors": 2}),
        ("작성기관,저자,제목,초록", {"authors": 1, "title": 2, "abstract": 3}),
        ("作者单位,作者,标题,摘要语言,摘要", {"authors": 1, "title": 2, "abstract": 4}),
        ("Title-题名,Summary-摘要,Year-年", {"title": 0, "abstract": 1, "year": 2}),
        ("AU,TI,AB,PY,SR_FULL", {"authors": 0, "title": 1, "abstract": 2, "year": 3}),
        ("Rank,PubYear,Anthology title,Title", {"year": 1, "venue": 2, "title": 3}),
    ],
)
def test_names_of_columns(header: str, fields: dict[str, int]) -> None:
    found = {field: places[0] for field, places in columns.found(header.split(",")).items()}
    assert found == fields


def test_two_letters_are_codes_only_among_codes() -> None:
    assert "keywords" not in columns.found(["de", "title", "abstract"])
    assert "keywords" in columns.found(["DE", "TI", "AB"])


def test_a_database_is_no_journal(read: Read) -> None:
    (record,) = read(f'Title,Source title,Abstract,Source\nA,,"{ABSTRACT}",Scopus\n')
    assert record.venue == ""


def test_two_columns_of_abstracts_are_an_abstract_and_another(read: Read) -> None:
    found = read(f'titulo,resumo,abstract\nA,"Um {ABSTRACT}","{ABSTRACT}"\nB,"Dois {ABSTRACT}",\n')
    assert found[0].abstract == ABSTRACT
    assert found[0].other_abstracts == (OtherAbstract(f"Um {ABSTRACT}"),)
    assert (found[1].abstract, found[1].other_abstracts) == (f"Dois {ABSTRACT}", ())


def test_the_line_before_the_header_may_hold_its_words(read: Read) -> None:
    (record,) = read(
        "About the data: Exported on Sep 30, 2026. Criteria: moss in title, abstract\n"
        "Rank,Publication ID,DOI,PMID,Title,Abstract,Source title,PubYear,Authors\n"
        f'1,pub.1,10.1234/x,,On mosses,"{ABSTRACT}",Walls,2020,"Doe, Jane"\n'
    )
    assert (record.title, record.venue, record.year) == ("On mosses", "Walls", 2020)


def test_rows_of_a_sheet_that_were_blank_stand_before_the_header(read: Read) -> None:
    (record,) = read(
        "SEARCH QUERY;moss:ti;;\n----------;;;\n;;;\n"
        f'Title;Author Names;Abstract;Medline PMID\nOn mosses;Doe J., Roe R.;"{ABSTRACT}";12\n'
    )
    assert (record.title, record.authors, record.pmid) == (
        "On mosses",
        ("Doe, J.", "Roe, R."),
        "12",
    )


def test_numbered_rows_have_a_column_without_a_name(read: Read) -> None:
    found = read(f'"title"\t"abstract"\n"1"\t"A"\t"{ABSTRACT}"\n"2"\t"B"\t"{ABSTRACT}"\n')
    assert [(item.title, item.abstract) for item in found] == [("A", ABSTRACT), ("B", ABSTRACT)]


def test_one_column_of_abstracts_is_a_table(read: Read) -> None:
    found = read(f'Abstract\n"{ABSTRACT}"\n"Other {ABSTRACT}"\n')
    assert [item.abstract for item in found] == [ABSTRACT, f"Other {ABSTRACT}"]
    assert found[0].source.format == "csv"


@pytest.mark.parametrize("heading", ["Abstracts, 2020", "Summary", "Title; abstract"])
def test_a_heading_of_such_words_over_prose_is_none_of_a_table(read: Read, heading: str) -> None:
    found = read(f"{heading}\n\n{ABSTRACT}\n\nOther {ABSTRACT}\n")
    assert [item.abstract for item in found] == [ABSTRACT, f"Other {ABSTRACT}"]
    assert found[0].source.format == "text"


def test_titles_and_abstracts_without_a_header_are_refused_with_a_hint(read: Read) -> None:
    with pytest.raises(ReadError, match="without the names") as told:
        read("".join(f"On mosses {n}\t{ABSTRACT} {n}\n" for n in range(4)))
    assert "first line" in told.value.hint


@pytest.mark.parametrize(
    "row", ['"On mosses {n}","Doe, J.",200{n},"{text}"\n', '{n};"On mosses {n}";"{text}\nand more"\n']
)  # fmt: skip
def test_quoted_cells_without_a_header_are_refused_with_a_hint(read: Read, row: str) -> None:
    with pytest.raises(ReadError, match="without the names") as told:
        read("".join(row.format(n=n, text=f"{ABSTRACT} {ABSTRACT}, {n}.") for n in range(4)))
    assert "first line" in told.value.hint


def test_sentences_with_quotes_and_commas_are_no_table(read: Read) -> None:
    told = [f'"Mosses {n}", said Doe, "{ABSTRACT} {ABSTRACT}", and went.' for n in range(4)]
    found = read("\n\n".join(told))
    assert [item.abstract for item in found] == told


def test_a_list_of_tasks_is_no_list_of_papers(read: Read) -> None:
    rows = "".join(f"Mend wall {n},A-{n},Open,2021\n" for n in range(4))
    with pytest.raises(ReadError, match="none of its columns") as told:
        read(f"Summary,Issue key,Status,Created\n{rows}")
    assert "Summary, Issue key, Status, Created" in told.value.hint


def test_addresses_and_full_texts_are_no_abstracts(read: Read) -> None:
    unit = "Department of Mosses, University of Walls, Northern Road, Stone Town, Some Country, "
    (record,) = read(f'Title,Authors,Author Affiliations\nA,Doe,"{unit * 3}"\n')
    assert record.abstract == ""


def test_texts_show_the_column_of_abstracts_among_columns_of_papers(read: Read) -> None:
    (record,) = read(f'title,authors,year,content\nA,Doe,2020,"{ABSTRACT}"\n')
    assert (record.title, record.abstract) == ("A", ABSTRACT)


@pytest.mark.parametrize(
    ("cell", "authors"),
    [
        ("Doe Roe, Jane Ann", ("Doe Roe, Jane Ann",)),
        ("Doe, Jane; Roe, R", ("Doe, Jane", "Roe, R")),
    ],
)
def test_other_rows_show_what_stands_between_names(
    read: Read, cell: str, authors: tuple[str, ...]
) -> None:
    found = read(
        f'title,authors,abstract\nA,"{cell}","{ABSTRACT}"\nB,"Poe, A; Doe, J","{ABSTRACT}"\n'
    )
    assert found[0].authors == authors


@pytest.mark.parametrize(
    ("cell", "authors"),
    [
        ("Jane Doe, Richard Roe and A. Poe", ("Doe, Jane", "Roe, Richard", "Poe, A.")),
        ("Doe, J., Roe, A., et al.", ("Doe, J.", "Roe, A.")),
        ("AG Doe, B Roe, …", ("Doe, AG", "Roe, B")),
        ("van den Berg, Jan", ("van den Berg, Jan",)),
        ("Jane Doe, PhD, Richard Roe, MD", ("Doe, Jane", "Roe, Richard")),
        ("张三，李四", ("张三", "李四")),
        (
            "[{'id': '1', 'name': 'Jane Doe'}, {'id': '2', 'name': 'R Roe'}]",
            ("Doe, Jane", "Roe, R"),
        ),
        ("[No author name available]", ()),
    ],
)
def test_names_in_a_cell(read: Read, cell: str, authors: tuple[str, ...]) -> None:
    (record,) = read(f'title,authors,abstract\nA,"{cell}","{ABSTRACT}"\n')
    assert record.authors == authors


def test_springer_puts_nothing_between_names(read: Read) -> None:
    (record,) = read(
        "Item Title,Publication Title,Item DOI,Authors,Publication Year,Content Type\n"
        "On mosses,Walls,10.1007/x,Jane DoeRichard McRoeAnn (Bo) Poe,2023,Article\n"
    )
    assert record.authors == ("Doe, Jane", "McRoe, Richard", "Poe, Ann (Bo)")
    assert (record.title, record.venue, record.abstract) == ("On mosses", "Walls", "")


@pytest.mark.parametrize(
    ("number", "told"),
    [("704.001", "0704.0010"), ("2101.0001", "2101.00010"), ("1501.01234", "1501.01234")],
)
def test_a_number_of_arxiv_that_a_sheet_took_for_one(read: Read, number: str, told: str) -> None:
    (record,) = read(f'id,title,abstract,categories\n{number},A,"{ABSTRACT}",hep-th cs.CV\n')
    assert record.arxiv_id == told
    assert record.keywords == ("hep-th", "cs.CV")


def test_identifiers_stand_in_many_places(read: Read) -> None:
    found = read(
        "externalIds,title,url,publicationDate,abstract,Extra\n"
        "\"{'DOI': '10.1234/abc', 'ArXiv': '2101.00001', 'PubMed': '12'}\",A,,20240301,"
        f'"{ABSTRACT}",\n'
        f',B,"=HYPERLINK(""https://doi.org/10.1234/b"",""b"")",,"{ABSTRACT}",'
        '"PMID: 34\nCitation Key: roe"\n'
    )
    first, second = found
    assert (first.doi, first.arxiv_id, first.pmid) == ("10.1234/abc", "2101.00001", "12")
    assert first.year == 2024
    assert (second.doi, second.url) == ("10.1234/b", "https://doi.org/10.1234/b")
    assert (second.pmid, dict(second.details)["citation-key"]) == ("34", "roe")


def test_an_inverted_index_may_be_written_by_python(read: Read) -> None:
    (record,) = read(
        'title,doi,abstract_inverted_index\nA,10.1234/a,"{\'We\': [0], ""moss\'s"": [2], \'like\': [1]}"\n'
    )
    assert record.abstract == "We like moss's"


def test_eastern_texts_are_short_and_texts(read: Read) -> None:
    found = read(f"编号,名目,内容\n1,甲,{EASTERN}\n2,乙,{EASTERN}\n3,丙,{EASTERN}\n")
    assert [item.abstract for item in found] == [EASTERN] * 3


def test_a_named_title_alone_makes_a_list_of_references(read: Read) -> None:
    found = read("Kopf,nr\nOn mosses,1\nOn walls,2\n", title="Kopf")
    assert [(item.title, item.abstract) for item in found] == [("On mosses", ""), ("On walls", "")]
