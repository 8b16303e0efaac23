"""Tables of any database, and any table in which a column is plainly the abstract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.library import readers
from assistant.library.documents import Document
from assistant.types import OtherAbstract, Record, Rejected

ABSTRACT = (
    "We study the growth of mosses on northern stone walls over ten years, and find that they grow "
    "faster in the shade than in the sun, which nobody has shown before."
)
Read = Callable[..., list[Record | Rejected]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_(content: str, name: str = "list.csv", **columns: str) -> list[Record | Rejected]:
        path = tmp_path / name
        path.write_bytes(content.encode())
        return list(readers.read(replace(Document.of(path), columns=columns)))

    return read_


def test_scopus(read: Read) -> None:
    (record,) = read(
        '\ufeff"Authors","Author full names","Author(s) ID","Title","Year","Source title","DOI",'
        '"Link","Art. No.","Abstract","Author Keywords","PubMed ID","Language of Original Document","Source"\n'
        '"Doe J.; Roe R.","Doe, Jane (57190394669); Roe, Richard (1234567)","57190394669; 1234567",'
        '"On mosses","2024","Walls","10.1234/moss","https://example.org","17",'
        f'"{ABSTRACT} © 2024 Elsevier","moss; wall","38580657","English","Scopus"\n'
    )
    assert isinstance(record, Record)
    assert (record.title, record.year, record.venue) == ("On mosses", 2024, "Walls")
    assert record.authors == ("Doe, Jane", "Roe, Richard")
    assert (record.doi, record.pmid, record.language) == ("10.1234/moss", "38580657", "English")
    assert record.keywords == ("moss", "wall")
    assert record.source.format == "csv"


def test_cells_that_are_formulas_of_a_sheet(read: Read) -> None:
    (record,) = read(
        "Article Title,Author,Journal Title,ISSN,Publication Date,DOI,Abstract\n"
        f'"On mosses","Doe, Jane; Roe, R.","Walls",="19326203",="4/3/2024, a day","10.1234/x",'
        f'"{ABSTRACT}"\n'
    )
    assert (record.title, record.year, record.abstract) == ("On mosses", 2024, ABSTRACT)
    assert dict(record.details)["ISSN"] == "19326203"


def test_rows_before_the_header_are_no_records(read: Read) -> None:
    (record,) = read(
        '"SEARCH QUERY","moss:ti"\n-------------\n\n'
        '"Title","Author Names","Source","Source title","Publication Year","Abstract",'
        '"Original Abstract","Medline PMID"\n'
        f'"On mosses","Doe J., Roe R.B.","citation","Walls","2024","{ABSTRACT}",'
        '"Ein Text","38773066"\n'
    )
    assert record.authors == ("Doe, J.", "Roe, R.B.")
    assert (record.venue, record.pmid) == ("Walls", "38773066")
    assert record.other_abstracts == (OtherAbstract("Ein Text"),)


def test_openalex_joins_with_bars(read: Read) -> None:
    (record,) = read(
        "id,doi,title,display_name,publication_year,language,authorships.author.display_name,"
        "primary_location.source.display_name,abstract,keywords.display_name\n"
        f"W1,https://doi.org/10.1234/oa,On mosses,On mosses,2023,en,Jane Doe|Richard Roe,Walls,"
        f'"{ABSTRACT}",Moss|Wall\n'
    )
    assert record.authors == ("Doe, Jane", "Roe, Richard")
    assert (record.venue, record.doi, record.keywords) == ("Walls", "10.1234/oa", ("Moss", "Wall"))


@pytest.mark.parametrize("mark", ["\t", ";", "|", ","])
def test_any_delimiter(read: Read, mark: str) -> None:
    header = mark.join(("Titel", "Jahr", "Zusammenfassung"))
    (record,) = read(
        f"{header}\n{mark.join(('On mosses', '2020', chr(34) + ABSTRACT + chr(34)))}\n"
    )
    assert (record.title, record.year, record.abstract) == ("On mosses", 2020, ABSTRACT)
    assert record.source.format == ("tsv" if mark == "\t" else "csv")


def test_web_of_science_codes(read: Read) -> None:
    text = f"PT\tAU\tAF\tTI\tSO\tLA\tDE\tAB\tPY\tDI\tPM\nJ\tDoe, J\tDoe, Jane; Roe, R\tOn mosses\tWALLS\tEnglish\tmoss\t{ABSTRACT}\t2017\t10.1234/w\t99\n"
    (record,) = read(text, "savedrecs.txt")
    assert (record.title, record.venue, record.year) == ("On mosses", "WALLS", 2017)
    assert record.authors == ("Doe, Jane", "Roe, R")
    assert record.source.format == "tsv"


def test_texts_over_several_lines_stay_in_their_cell(read: Read) -> None:
    found = read(
        f'title,year,abstract\nOne,2020,"First line.\n\nSecond {ABSTRACT}"\nTwo,2021,{"x " * 60}\n'
    )
    assert [item.title for item in found] == ["One", "Two"]
    assert found[0].abstract.startswith("First line.\n\nSecond We")
    assert found[1].line == 5


def test_an_open_quote_costs_one_row(read: Read) -> None:
    rows = [f'{n},"T {n}","{ABSTRACT}"' for n in range(1, 5)]
    rows[1] = '2,"T 2","never closed'
    found = read("\n".join(["id,title,abstract", *rows]) + "\n")
    assert [type(item) for item in found] == [Record, Rejected, Record, Record]
    assert (found[1].line, found[1].source.record_no) == (3, 2)
    assert "T 2" in found[1].key
    assert "not closed" in found[1].reason


def test_a_row_with_too_many_cells_is_rejected_with_its_line(read: Read) -> None:
    found = read(f'title,abstract,year\nA,"{ABSTRACT}",2020\nB,b,c,d,e,f\nC,"{ABSTRACT}",2021\n')
    assert [type(item) for item in found] == [Record, Rejected, Record]
    assert "6 cells" in found[1].reason


def test_commas_that_nobody_quoted_in_the_last_column_belong_to_it(read: Read) -> None:
    (record,) = read("title,year,abstract\nA,2020,One, two, and three.\n")
    assert record.abstract == "One, two, and three."


def test_blank_rows_are_not_counted(read: Read) -> None:
    found = read(f'title,abstract,year\n\nA,"{ABSTRACT}",2020\n,,\n\nB,"{ABSTRACT}",2021\n')
    assert [item.source.record_no for item in found] == [1, 2]


def test_a_column_that_is_plainly_the_abstract_needs_no_name(read: Read) -> None:
    found = read(f'nr,kopf,inhalt\n1,A,"{ABSTRACT}"\n2,B,"{ABSTRACT} And more."\n')
    assert [item.abstract for item in found] == [ABSTRACT, f"{ABSTRACT} And more."]


def test_a_table_without_one_says_how_to_name_it(read: Read) -> None:
    with pytest.raises(ReadError, match="none of its columns is plainly") as told:
        read("nr,kopf,inhalt\n1,A,x\n2,B,y\n3,C,z\n")
    assert "--map abstract=COLUMN" in told.value.hint
    assert "nr, kopf, inhalt" in told.value.hint


def test_columns_can_be_named(read: Read) -> None:
    found = read(f'nr,Kopf,Inhalt\n1,A,"{ABSTRACT}"\n2,B,y\n', abstract="inhalt", title="KOPF")
    assert [(item.title, item.abstract) for item in found] == [("A", ABSTRACT), ("B", "y")]


def test_a_named_column_that_is_not_there_is_told_with_those_that_are(read: Read) -> None:
    with pytest.raises(ReadError, match="no column 'Text'") as told:
        read("nr,Kopf,Inhalt\n1,A,x\n2,B,y\n3,C,z\n", abstract="Text")
    assert "nr, Kopf, Inhalt" in told.value.hint


@pytest.mark.parametrize(
    ("cell", "authors"),
    [
        ("Doe, J., Roe, R.B.", ("Doe, J.", "Roe, R.B.")),
        ("Jane Doe, Richard Roe", ("Doe, Jane", "Roe, Richard")),
        ("Jane Doe and Richard Roe", ("Doe, Jane", "Roe, Richard")),
        ("Doe, Jane", ("Doe, Jane",)),
        ("Doe J, Roe RB.", ("Doe, J", "Roe, RB")),
        ("Doe, J. and Roe, R.-B.", ("Doe, J.", "Roe, R.-B.")),
        ("Doe, J.\n and Roe, R.\n", ("Doe, J.", "Roe, R.")),
        ("Doe, Jane; Roe, Richard; ", ("Doe, Jane", "Roe, Richard")),
        ("['Jane Doe', 'Richard Roe']", ("Doe, Jane", "Roe, Richard")),
        ("van den Doe,null;Roe,R. B.", ("van den Doe", "Roe, R. B.")),
        ("张三; 李四", ("张三", "李四")),
    ],
)
def test_people_are_told_apart_however_they_are_listed(
    read: Read, cell: str, authors: tuple[str, ...]
) -> None:
    (record,) = read(f'title,authors,abstract\nA,"{cell}","{ABSTRACT}"\n')
    assert record.authors == authors


def test_prose_with_commas_is_no_table(read: Read) -> None:
    text = f"{ABSTRACT}\n\nThis, that, and more, of all.\n\n{ABSTRACT} Title, abstract, year.\n"
    assert {item.source.format for item in read(text, "prose.txt")} == {"text"}


def test_an_inverted_index_becomes_text(read: Read) -> None:
    (record,) = read(
        'title,doi,abstract_inverted_index\nA,10.1234/a,"{""walls"": [2], ""We"": [0], ""study"": [1]}"\n'
    )
    assert record.abstract == "We study walls"


def test_a_number_of_nothing_is_no_number(read: Read) -> None:
    found = read(f'pubmed id,title,abstract\n0,A,"{ABSTRACT}"\n0,B,"{ABSTRACT} More."\n')
    assert [item.pmid for item in found] == ["", ""]


def test_fields_that_ran_into_each_other(read: Read) -> None:
    (record,) = read(
        "title,url,doi,abstract\n"
        f'A,https://example.org/a     U2  - L2,10.1234/x     LK  - https://e.org?doi=1,"{ABSTRACT}"\n'
    )
    assert (record.url, record.doi) == ("https://example.org/a", "10.1234/x")


def test_a_list_without_abstracts_is_one_of_references(read: Read) -> None:
    (record,) = read(
        'Authors,Title,Publication,Volume,Year\n"Doe, J; Roe, R; ",On mosses,Walls,3,2001\n'
    )
    assert (record.abstract, record.venue, record.year) == ("", "Walls", 2001)
    assert record.authors == ("Doe, J", "Roe, R")


def test_lines_between_the_rows_are_told(read: Read) -> None:
    found = read(
        f'(internal) id,title,abstract,year\n1,A,"{ABSTRACT}",2020\nnot yet labeled\n2,B,"{ABSTRACT}"\n'
    )
    assert [type(item) for item in found] == [Record, Rejected, Record]
