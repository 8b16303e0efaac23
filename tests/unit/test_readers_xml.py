"""PubMed, EndNote and arXiv in XML; other XML and what does harm is refused."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.library import readers
from assistant.library.documents import documents
from assistant.types import OtherAbstract, Record, Rejected

ABSTRACT = "We study the growth of mosses on northern stone walls over ten years."
PUBMED = f"""<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_240101.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">12345678</PMID>
<Article><Journal><ISSN>1234-5678</ISSN><JournalIssue><Volume>3</Volume><PubDate><MedlineDate>2019 Jan-Feb</MedlineDate></PubDate></JournalIssue><Title>Walls</Title></Journal>
<ArticleTitle>[On CO<sub>2</sub> and <i>mosses</i>].</ArticleTitle>
<ELocationID EIdType="doi">10.1234/moss</ELocationID>
<Abstract><AbstractText Label="OBJECTIVE" NlmCategory="OBJECTIVE">{ABSTRACT}</AbstractText><AbstractText Label="RESULTS">They grow by 5 mm<sup>2</sup>.</AbstractText><CopyrightInformation>© 2019 Doe.</CopyrightInformation></Abstract>
<AuthorList><Author><LastName>Doe</LastName><ForeName>Jane</ForeName></Author><Author><CollectiveName>The Moss Group</CollectiveName></Author></AuthorList>
<Language>ger</Language></Article>
<OtherAbstract Type="Publisher" Language="ger"><AbstractText>Ein Text.</AbstractText></OtherAbstract>
<KeywordList><Keyword>moss</Keyword></KeywordList></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>2</PMID><Article><ArticleTitle>Second</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""
ATOM = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<title>A query</title><id>http://arxiv.org/api/x</id>
<entry><id>http://arxiv.org/abs/2510.14968v1</id><published>2025-10-16T17:59:37Z</published>
<title>On mosses and
  walls</title><summary>  {ABSTRACT[:30]}
{ABSTRACT[30:]}
</summary><author><name>Jane Doe</name></author><arxiv:doi>10.1234/atom</arxiv:doi>
<category term="cs.RO"/></entry></feed>"""
ENDNOTE = f"""<?xml version="1.0"?><xml><records><record><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal">Doe, Jane</style></author></authors></contributors>
<titles><title><style>On </style><style face="italic">mosses</style></title><secondary-title>Walls</secondary-title></titles>
<dates><year><style>2011</style></year></dates><abstract><style>{ABSTRACT}</style></abstract>
<electronic-resource-num>10.1234/en</electronic-resource-num></record>
<record><titles><title>Second</title></titles></record></records></xml>"""


def read(tmp_path: Path, content: str | bytes, name: str = "list.xml") -> list[Record | Rejected]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(readers.read(path))


def test_pubmed(tmp_path: Path) -> None:
    first, second = read(tmp_path, PUBMED)
    assert isinstance(first, Record)
    assert first.title == "On CO2 and mosses."
    assert first.abstract == f"OBJECTIVE: {ABSTRACT}\nRESULTS: They grow by 5 mm2."
    assert first.authors == ("Doe, Jane", "The Moss Group")
    assert (first.pmid, first.doi, first.year) == ("12345678", "10.1234/moss", 2019)
    assert (first.venue, first.language, first.keywords) == ("Walls", "ger", ("moss",))
    assert first.other_abstracts == (OtherAbstract("Ein Text.", "ger", "Publisher"),)
    assert (second.title, second.pmid, second.abstract) == ("Second", "2", "")


def test_arxiv(tmp_path: Path) -> None:
    (record,) = read(tmp_path, ATOM)
    assert (record.title, record.abstract) == ("On mosses and walls", ABSTRACT)
    assert (record.arxiv_id, record.year, record.doi) == ("2510.14968", 2025, "10.1234/atom")
    assert (record.authors, record.keywords) == (("Doe, Jane",), ("cs.RO",))


def test_endnote(tmp_path: Path) -> None:
    first, second = read(tmp_path, ENDNOTE)
    assert (first.title, first.abstract, first.venue) == ("On mosses", ABSTRACT, "Walls")
    assert (first.authors, first.year, first.doi) == (("Doe, Jane",), 2011, "10.1234/en")
    assert second.title == "Second"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    (record,) = read(tmp_path, ATOM.replace(' encoding="UTF-8"', "").encode(encoding))
    assert record.title == "On mosses and walls"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<!DOCTYPE html>\n<html><body>x</body></html>", "a web page"),
        ('<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>', "an RSS feed"),
        ('<?xml version="1.0"?>\n<modsCollection/>', "MODS"),
        ('<?xml version="1.0"?>\n<things><thing/></things>', "no records"),
        (
            '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "b">]><feed><entry/></feed>',
            "entities",
        ),
    ],
)
def test_other_xml_is_refused_in_words(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(ReadError, match=said) as told:
        read(tmp_path, content)
    assert told.value.hint


# Packed files

BIB = f"@misc{{a, title = {{On mosses}}, abstract = {{{ABSTRACT}}}}}\n"


def test_a_compressed_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    (record,) = read(tmp_path, gzip.compress(BIB.encode()), "refs.bib.gz")
    assert (record.title, record.source.file) == ("On mosses", "refs.bib.gz")
    assert record.source.collection == "refs"


def test_an_archive_gives_a_document_a_member(tmp_path: Path) -> None:
    path = tmp_path / "refs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.bib", BIB)
        archive.writestr("sub/b.xml.gz", gzip.compress(ATOM.encode()))
        archive.writestr("__MACOSX/._a.bib", "x")
        archive.writestr("sub/.hidden", "x")
        archive.writestr("Thumbs.db", "x")
        archive.writestr("../up.bib", BIB.replace("mosses", "ferns"))
    found = list(readers.read(path))
    files = ["refs.zip/a.bib", "refs.zip/sub/b.xml.gz", "refs.zip/../up.bib"]
    assert [item.source.file for item in found] == files
    assert [item.source.collection for item in found] == ["a", "b", "up"]


def test_a_locked_member_does_not_take_the_others_along(tmp_path: Path) -> None:
    path = tmp_path / "refs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.bib", BIB)
        archive.writestr("b.bib", BIB)
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1  # the directory says that the last is encrypted
    path.write_bytes(data)
    first, locked = documents(path)
    assert [item.title for item in readers.read(first)] == ["On mosses"]
    with pytest.raises(ReadError, match=r"b\.bib is locked"):
        list(readers.read(locked))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(ReadError, match=r"archive refs\.zip is locked"):
        list(documents(path))


@pytest.mark.parametrize("member", ["[Content_Types].xml", "mimetype"])
def test_an_office_document_is_refused_with_a_way_out(tmp_path: Path, member: str) -> None:
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "x")
        archive.writestr("xl/workbook.xml", "x")
    with pytest.raises(ReadError, match="office document") as told:
        list(documents(path))
    assert "CSV" in told.value.hint


@pytest.mark.parametrize("content", [b"PK\x03\x04 broken", gzip.compress(b"x" * 9000)[:30]])
def test_a_broken_archive_is_told(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ReadError) as told:
        read(tmp_path, content, "broken.zip")
    assert told.value.hint
