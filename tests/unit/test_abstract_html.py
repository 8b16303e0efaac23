"""Abstracts on the page: sections apart, notices small, second abstracts under a fold."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.interfaces.abstract_html import abstract_html, notes_html, other_name, others_html
from assistant.interfaces.cards import card
from assistant.interfaces.markup_html import Highlight
from assistant.interfaces.render import byline, web_links
from assistant.types import OtherAbstract, Paper, Source

BODY = "We study mosses on walls. They grow in the shade."


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html.replace("<br>", "\n")))


def paper(**more: object) -> Paper:
    return Paper("p1", "Mosses", **{"abstract": BODY, **more})  # type: ignore[arg-type]


def test_a_notice_is_small_print_and_the_text_is_not() -> None:
    html = abstract_html(f"Abstract: {BODY} © 2020 Elsevier B.V. All rights reserved.")
    assert re.findall(r'<small class="notice">(.*?)</small>', html) == [
        "Abstract: ",
        " © 2020 Elsevier B.V. All rights reserved.",
    ]
    assert words(html) == f"Abstract: {BODY} © 2020 Elsevier B.V. All rights reserved."


def test_labels_are_bold_and_begin_lines() -> None:
    html = abstract_html("AIM: To see. METHODS: We look.\nRESULTS: Moss.")
    assert html == (
        "<strong>AIM:</strong> To see. <br><strong>METHODS:</strong> We look.\n"
        "<strong>RESULTS:</strong> Moss."
    )


def test_highlights_go_through_labels_and_notices() -> None:
    text = "AIM: To see. METHODS: We look. © 2020 Elsevier."
    start = text.index("METHODS")
    html = abstract_html(text, [Highlight(start, text.index(" ©"), 2)])
    assert '<strong><mark data-for="2">METHODS:</mark></strong><mark data-for="2"> We look.' in html


def test_hostile_text_is_escaped_in_every_part() -> None:
    bad = "<script>alert(1)</script>"
    text = f"Abstract: {bad} AIM: {bad}. RESULTS: {bad} here. © 2020 Elsevier {bad}"
    html = abstract_html(text) + others_html(
        paper(other_abstracts=(OtherAbstract(f"{bad} x", '"><b>', bad),))
    )
    assert "<script" not in html
    assert '"><b>' not in html


@given(st.text(max_size=80), st.sampled_from(["AIM: ", "RESULTS: ", "© 2020 Elsevier", "**b** "]))
def test_no_character_of_an_abstract_is_lost(text: str, piece: str) -> None:
    plain = re.sub(r"[^A-Za-z ]", "", text)
    whole = f"{plain} {piece} {plain}. {piece} {plain}"
    assert words(abstract_html(whole)).replace("\n", "") == whole.replace("**", "")


@pytest.mark.parametrize(
    ("other", "name"),
    [
        (OtherAbstract("x", "spa"), "Abstract in Spanish"),
        (OtherAbstract("x", "", "plain-language-summary"), "Plain language summary"),
        (OtherAbstract("x", "eng", "plain-language-summary"), "Plain language summary"),
        (OtherAbstract("x", "xx", "publisher"), "Publisher in xx"),
        (OtherAbstract("x"), "Another abstract"),
    ],
)
def test_a_second_abstract_says_what_it_is(other: OtherAbstract, name: str) -> None:
    assert other_name(other) == name
    html = others_html(paper(other_abstracts=(other,)))
    assert html.startswith(f'<details class="other"><summary>{name}</summary>')


def test_a_card_says_what_its_paper_lacks() -> None:
    source = (Source("a.ris", 3, "ris", "Moss"),)
    reference = card(paper(abstract="", sources=source), 1, "t")
    assert "Moss, record 3 · no abstract" in words(reference)
    assert "holds no abstract" in words(reference)
    cut = card(paper(truncated=True, sources=source), 1, "t")
    assert "Moss, record 3 · cut off by its source" in words(cut)
    assert notes_html(paper()) == ""


def test_a_paper_is_told_as_people_speak_and_linked_once() -> None:
    known = paper(
        authors=("Doe, Jane", "Roe, Richard"),
        venue="Walls",
        year=2020,
        doi="10.1234/moss",
        url="http://dx.doi.org/10.1234/moss",
        arxiv_id="2001.00001",
        pmid="12",
    )
    assert byline(known) == "Jane Doe, Richard Roe · Walls · 2020"
    assert web_links(known) == [
        "http://dx.doi.org/10.1234/moss",
        "https://arxiv.org/abs/2001.00001",
        "https://pubmed.ncbi.nlm.nih.gov/12/",
    ]
