"""RIS, PubMed, EndNote, Web of Science and Ovid, in the dialects of the programs that write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.library import readers
from assistant.types import OtherAbstract, Record, Rejected

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."
NOTICE = (
    "Copyright of Walls is the property of Doe Press and its content may not be copied or emailed "
    "to multiple sites without the copyright holder's express written permission."
)


def read(tmp_path: Path, content: str, name: str = "list.ris") -> list[Record | Rejected]:
    path = tmp_path / name
    path.write_bytes(content.encode())
    return list(readers.read(path))


def one(tmp_path: Path, content: str, name: str = "list.ris") -> Record:
    (record,) = read(tmp_path, content, name)
    assert isinstance(record, Record), record
    return record


# RIS

RIS = (
    f"""TY  - JOUR
AU  - Doe, Jane
AU  - Roe, R. B.
TI  - On mosses
T2  - Journal of Walls
PY  - 2020/03/04/
DO  - https://doi.org/10.1234/MOSS.1
UR  - https://example.org/moss
AB  - {ABSTRACT}
KW  - moss
KW  - wall; stone
LA  - en
VL  - 3
IS  - 2
SP  - 17
EP  - 19
SN  - 1234-5678
ID  - doe2020
"""
    "ER  - \n"
)


def test_ris_brings_every_field(tmp_path: Path) -> None:
    record = one(tmp_path, RIS)
    assert (record.title, record.abstract, record.year) == ("On mosses", ABSTRACT, 2020)
    assert record.authors == ("Doe, Jane", "Roe, R. B.")
    assert (record.venue, record.doi) == ("Journal of Walls", "10.1234/moss.1")
    assert (record.url, record.language) == ("https://example.org/moss", "en")
    assert record.keywords == ("moss", "wall", "stone")
    assert dict(record.details) == {
        "ISSN": "1234-5678",
        "citation-key": "doe2020",
        "issue": "2",
        "page": "17-19",
        "type": "article-journal",
        "volume": "3",
    }
    assert (record.source.format, record.line) == ("ris", 1)


@pytest.mark.parametrize(
    "dress",
    [
        lambda text: "\ufeff" + text,
        lambda text: "\n\n" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("  - ", " - "),
        lambda text: text.replace("  - ", "  -  "),
        lambda text: f"Record #3 of 18\nProvider: Doe & Sons, Ltd.\n\n{text}\n\n \n\n",
        lambda text: "6. \n" + text.replace("ER  - ", "ER  -  "),
        lambda text: text.replace("KW  - moss\nKW  - wall; stone", "KW  - moss\nwall\nstone"),
        lambda text: text.replace("Roe, R. B.", "Roe R. B.").replace("Doe, Jane", "Jane Doe"),
        lambda text: "Provider: Doe Press\nContent: text/plain\n\n" + text,
        lambda text: text.replace("TY  - JOUR\n", "").replace("AU  - Doe", "TY  - JOUR\nAU  - Doe"),
        lambda text: text.replace("ER  - \n", ""),
        lambda text: text.replace("ER  - \n", "ER  -\n"),
        lambda text: text.replace("TI  - On", "T1  - On").replace("AB  -", "N2  -"),
    ],
)
def test_dialects_of_ris_say_the_same(tmp_path: Path, dress) -> None:
    record = one(tmp_path, dress(RIS))
    assert (record.title, record.abstract, record.year) == ("On mosses", ABSTRACT, 2020)
    assert record.authors == ("Doe, Jane", "Roe, R. B.")


def test_a_tag_before_ty_belongs_to_the_record_that_follows(tmp_path: Path) -> None:
    text = RIS + "\nID  - second\nTY  - CONF\nTI  - Two\nER  - \n"
    first, second = read(tmp_path, text)
    assert dict(first.details)["citation-key"] == "doe2020"
    assert (second.title, dict(second.details)["citation-key"]) == ("Two", "second")


def test_a_record_without_its_end_does_not_take_the_next_one_along(tmp_path: Path) -> None:
    found = read(tmp_path, RIS.replace("ER  - \n", "") + RIS.replace("On mosses", "On ferns"))
    assert [item.title for item in found] == ["On mosses", "On ferns"]


def test_a_record_that_says_nothing_is_rejected_alone(tmp_path: Path) -> None:
    found = read(tmp_path, RIS + "TY  - JOUR\nAU  - Doe, Jane\nID  - empty\nER  - \n" + RIS)
    assert [type(item) for item in found] == [Record, Rejected, Record]
    assert (found[1].source.record_no, found[1].line, found[1].key) == (2, 20, "empty")


def test_a_publishers_notice_in_a_second_field_is_no_abstract(tmp_path: Path) -> None:
    text = RIS.replace(f"AB  - {ABSTRACT}", f"AB  - {ABSTRACT}\nAB  - {NOTICE}")
    assert one(tmp_path, text).abstract == ABSTRACT


def test_two_paragraphs_in_two_fields_are_one_abstract(tmp_path: Path) -> None:
    more = "A second paragraph says what was found on the walls in the end."
    text = RIS.replace(f"AB  - {ABSTRACT}", f"AB  - {ABSTRACT}\nAB  - {more}")
    assert one(tmp_path, text).abstract == f"{ABSTRACT}\n{more}"


def test_the_same_abstract_in_two_fields_is_one(tmp_path: Path) -> None:
    text = RIS.replace(f"AB  - {ABSTRACT}", f"AB  - {ABSTRACT}\nN2  - {ABSTRACT}")
    assert one(tmp_path, text).abstract == ABSTRACT


def test_an_abstract_in_another_language_is_kept_as_such(tmp_path: Path) -> None:
    german = "Wir untersuchen das Wachstum von Moosen auf den alten Mauern und in der Stadt."
    english = "We study the growth of mosses on the walls of the north and in the old towns."
    text = RIS.replace(f"AB  - {ABSTRACT}", f"AB  - {english}\nN2  - {german}")
    record = one(tmp_path, text)
    assert record.abstract == english
    assert record.other_abstracts == (OtherAbstract(german, "de"),)


def test_an_abstract_over_several_lines_keeps_them(tmp_path: Path) -> None:
    text = RIS.replace(ABSTRACT, "Background: one.\n   Methods: two.\n\nResults: three.")
    assert one(tmp_path, text).abstract == "Background: one.\nMethods: two.\n\nResults: three."


def test_numbers_stand_where_programs_put_them(tmp_path: Path) -> None:
    pubmed = RIS.replace("ID  - doe2020", "AN  - 12345678\nDP  - PubMed")
    assert one(tmp_path, pubmed).pmid == "12345678"
    arxiv = RIS.replace("UR  - https://example.org/moss", "UR  - http://arxiv.org/abs/2001.01234v2")
    assert one(tmp_path, arxiv).arxiv_id == "2001.01234"


def test_several_addresses_in_one_field(tmp_path: Path) -> None:
    text = RIS.replace("moss\nAB", "moss\nhttps://pubmed.ncbi.nlm.nih.gov/22465994/\nAB")
    record = one(
        tmp_path, text.replace("SN  - 1234-5678", "SN  - 1234-5678\nC3  - PUBMED 21314913")
    )
    assert (record.url, record.pmid) == ("https://example.org/moss", "21314913")


# PubMed

NBIB = f"""
PMID- 12345678
OWN - NLM
DP  - 2019 Feb
TI  - On mosses: a long title that goes on over the
      end of a line.
LID - 10.1234/moss [doi]
AB  - BACKGROUND: {ABSTRACT} METHODS: We
      count.
OAB - Publisher: Ein Text von den Moosen.
OABL- ger
FAU - Doe, Jane
AU  - Doe J
CN  - The Moss Group
LA  - eng
JT  - Journal of walls
OT  - moss
MH  - *Walls/growth

PMID- 2
TI  - [Von den Moosen].
"""


def test_pubmed_brings_every_field_whatever_the_file_is_called(tmp_path: Path) -> None:
    first, second = read(tmp_path, NBIB)
    assert isinstance(first, Record)
    assert first.title == "On mosses: a long title that goes on over the end of a line."
    assert first.abstract == f"BACKGROUND: {ABSTRACT} METHODS: We count."
    assert first.authors == ("Doe, Jane", "The Moss Group")
    assert (first.pmid, first.doi, first.year) == ("12345678", "10.1234/moss", 2019)
    assert (first.venue, first.language) == ("Journal of walls", "eng")
    assert first.keywords == ("moss", "Walls/growth")
    assert first.other_abstracts == (
        OtherAbstract("Publisher: Ein Text von den Moosen.", "ger", "publisher"),
    )
    assert (second.title, second.abstract, second.line) == ("Von den Moosen.", "", 20)
    assert first.source.format == "medline"


# EndNote, Web of Science, Ovid


def test_endnote_tags(tmp_path: Path) -> None:
    text = (
        f"%0 Journal Article\n%T On mosses\n%A Doe, Jane\n%A Roe, Richard\n%J Walls\n%D 2018\n"
        f"%X {ABSTRACT}\n%K moss, wall\n%R 10.1234/enw\n%P 1-2\n\n%0 Book\n%T On ferns\n"
    )
    first, second = read(tmp_path, text, "scholar.enw")
    assert (first.title, first.abstract, first.doi) == ("On mosses", ABSTRACT, "10.1234/enw")
    assert first.authors == ("Doe, Jane", "Roe, Richard")
    assert (first.venue, first.year, first.keywords) == ("Walls", 2018, ("moss", "wall"))
    assert (second.title, dict(second.details)["type"]) == ("On ferns", "book")


WOS = f"""FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Doe, J
   Roe, R
AF Doe, Jane
   Roe, Richard
TI On mosses: a title that goes
   on over a line
SO JOURNAL OF WALLS
AB {ABSTRACT} It
   goes on.
DE moss; wall
PY 2017
DI 10.1234/wos
PM 999999
ER

PT C
TI On ferns
ER

EF
"""


def test_web_of_science_tags(tmp_path: Path) -> None:
    first, second = read(tmp_path, WOS, "savedrecs.txt")
    assert first.title == "On mosses: a title that goes on over a line"
    assert first.abstract == f"{ABSTRACT} It goes on."
    assert first.authors == ("Doe, Jane", "Roe, Richard")
    assert (first.year, first.doi, first.pmid) == (2017, "10.1234/wos", "999999")
    assert (second.title, second.source.format) == ("On ferns", "wos")


def test_ovid_labels(tmp_path: Path) -> None:
    text = (
        "<1>\nUnique Identifier\n  1234567\nTitle\n  On mosses.\nAuthors\n  Doe J. Roe RB.\n"
        f"Year of Publication\n  2016\nAbstract\n  {ABSTRACT}\n\n<2>\nTitle\n  On ferns.\n"
    )
    first, second = read(tmp_path, text, "citation.txt")
    assert (first.title, first.abstract, first.year) == ("On mosses.", ABSTRACT, 2016)
    assert first.authors == ("Doe, J", "Roe, RB")
    assert (second.title, second.source.format) == ("On ferns.", "ovid")


def test_prose_that_holds_tags_is_prose(tmp_path: Path) -> None:
    text = f"My papers\n\n{ABSTRACT} The tag PMID - is one of AB - and TY - too.\n"
    (record,) = read(tmp_path, text, "prose.txt")
    assert record.source.format == "text"
