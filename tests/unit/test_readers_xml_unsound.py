"""XML that no parser takes: what can be mended is read, what cannot costs one record."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import ReadError
from assistant.library import readers
from assistant.library.readers import xml_pieces
from assistant.types import Record, Rejected

TELLS = "tells of bats that hunt by echo over wide fields, and of the moths that hear them"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n'
TAIL = "</PubmedArticleSet>\n"


def article(number: int, inside: str = "") -> str:
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{number}</PMID><Article>'
        f"<ArticleTitle>Title {number}</ArticleTitle>\n<Abstract><AbstractText>Number {number} "
        f"{TELLS}{inside}.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n"
    )


def feed(inside: str) -> str:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2510.1496{n}v1</id><title>Title {n}</title>"
        f"<summary>Number {n} {TELLS}{inside if n == 2 else ''}.</summary>"
        f"<arxiv:doi>10.1234/a{n}</arxiv:doi></entry>"
        for n in (1, 2, 3)
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="urn:a">{entries}</feed>'


def endnote(inside: str) -> str:
    records = "".join(
        f"<record><titles><title><style>Title {n}</style></title></titles><abstract><style>"
        f"Number {n} {TELLS}{inside if n == 2 else ''}.</style></abstract></record>"
        for n in (1, 2, 3)
    )
    return f'<?xml version="1.0"?><xml><records>{records}</records></xml>'


def pubmed(inside: str) -> str:
    return HEAD + article(1) + article(2, inside) + article(3) + TAIL


def read(tmp_path: Path, content: str | bytes) -> list[Record | Rejected]:
    path = tmp_path / "list.xml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(readers.read(path))


@pytest.mark.parametrize("of", [pubmed, feed, endnote])
@pytest.mark.parametrize(
    ("inside", "read_as"),
    [
        (" \x0bup\x00down", " up down"),
        (" &#x1;&#11;up", " up"),
        (" in R & D", " in R & D"),
        (" (p < 0.05)", " (p < 0.05)"),
        (" <0.05 &lt; 1", " <0.05 < 1"),
        (" &nbsp;&alpha;-helix", " α-helix"),
        (" &unheardof; thing", " &unheardof; thing"),
        (" <![CDATA[R & D]]> &", " R & D &"),
        (" &#x3b1; & &#946;", " α & β"),
    ],
)
def test_what_xml_does_not_allow_is_mended(tmp_path: Path, of, inside: str, read_as: str):
    first, second, third = read(tmp_path, of(inside))
    assert [r.title for r in (first, second, third)] == ["Title 1", "Title 2", "Title 3"]
    abstract = " ".join(second.abstract.replace("\xa0", " ").split())
    assert abstract == " ".join(f"Number 2 {TELLS}{read_as}.".split())
    assert third.source.record_no == 3


def test_bytes_of_another_encoding_than_declared_cost_nothing(tmp_path: Path):
    records = read(tmp_path, pubmed(" in Zürich").encode("latin-1"))
    assert [record.title for record in records] == ["Title 1", "Title 2", "Title 3"]
    assert "Zürich" in records[1].abstract


@pytest.mark.parametrize("inside", ["</Wrong>", "<i>", "<b", "<!-- never closed"])
def test_a_record_that_cannot_be_mended_is_rejected_alone(tmp_path: Path, inside: str):
    first, second, third = read(tmp_path, pubmed(inside))
    assert isinstance(first, Record)
    assert isinstance(second, Rejected)
    assert (second.source.record_no, second.key, second.line) == (2, "2", 5)
    assert "not sound XML" in second.reason
    assert second.hint
    assert isinstance(third, Record)
    assert third.title == "Title 3"


def test_a_record_without_its_end_does_not_take_the_next_along(tmp_path: Path):
    broken = article(2).replace("</Article></MedlineCitation></PubmedArticle>", "")
    first, second, third = read(tmp_path, HEAD + article(1) + broken + article(3) + TAIL)
    assert isinstance(second, Rejected)
    assert (first.title, third.title) == ("Title 1", "Title 3")


def test_a_file_that_breaks_off_keeps_what_came_before(tmp_path: Path):
    whole = HEAD + article(1) + article(2)
    first, last = read(tmp_path, whole[: whole.rindex("tells of")])
    assert first.title == "Title 1"
    assert isinstance(last, Rejected)
    assert "breaks off" in last.reason


def test_a_file_without_its_last_tag_is_told_when_all_its_records_are_read(tmp_path: Path):
    path = tmp_path / "cut.xml"
    path.write_text(HEAD + article(1) + article(2))
    found = []
    with pytest.raises(ReadError, match="not sound XML") as told:
        found.extend(readers.read(path))
    items = readers.read(path)
    assert [next(items).title, next(items).title] == ["Title 1", "Title 2"]
    assert "before" in told.value.hint


def test_entities_of_a_file_are_still_refused(tmp_path: Path):
    bomb = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "b">]>'
    with pytest.raises(ReadError, match="defines entities"):
        read(tmp_path, bomb + "<PubmedArticleSet>" + article(1, " &a; & ") + TAIL)


@given(
    st.lists(st.sampled_from(["closed", "open"]), max_size=6),
    st.text(alphabet="ab <>/&\n", max_size=40),
    st.integers(1, 400),
)
@settings(max_examples=150, deadline=None)
def test_pieces_are_the_same_however_the_text_arrives(kinds, junk, block):
    ends = {"closed": "</entry >\n\n\n", "open": "\n\n\n"}
    text = junk + "".join(f"<entry>{junk}{ends[kind]}" for kind in kinds)
    whole = list(xml_pieces.pieces(io.StringIO(text), ("entry",)))

    class Slow(io.StringIO):
        def read(self, size: int | None = -1, /) -> str:
            return super().read(block)

    assert list(xml_pieces.pieces(Slow(text), ("entry",))) == whole
    assert [piece.whole for piece in whole] == [kind == "closed" for kind in kinds]
    for piece in whole:
        assert piece.text.startswith("<entry>")
        line = text.split("\n")[piece.line - 1]
        assert "<entry>" in line


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_mending_never_fails_and_mends_once(text: str):
    once = xml_pieces.mended(text)
    assert xml_pieces.mended(once) == once
