"""What in an abstract field is the abstract."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.library import abstracts, cleaning
from assistant.library.dedupe import keyed
from assistant.library.derive import Deriver
from assistant.library.merging import fresh
from assistant.types import OtherAbstract, Record, Source

EBSCO = (
    "[ABSTRACT FROM AUTHOR] Copyright of Walls is the property of Doe Press and its content may "
    "not be copied or emailed to multiple sites. However, users may print, download, or email "
    "articles for individual use. This abstract may be abridged. No warranty is given about the "
    "accuracy of the copy. (Copyright applies to all Abstracts.)"
)
SOURCE = Source("a.ris", 1, "ris", "a")
BODY = "We study the growth of mosses on walls. They grow in the shade."


def settled(text: str, title: str = "") -> Record:
    return abstracts.settled(Record(SOURCE, text, title=title))


@pytest.mark.parametrize(
    "text",
    [
        "No abstract available.",
        "[Abstract not available]",
        "Abstract Not Available",
        "n/a",
        "None",
        "-",
        "Abstract",
        "Abstract: none",
        "[No abstract]",
        "This article has no abstract.",
        "No abstract is available for this article.",
        "Kein Abstract verfügbar",
        "Résumé non disponible",
        "无摘要",
        "暂无摘要",
        "https://example.org/abstract",
        "Click here to view the full text.",
        "© 2020 Elsevier Ltd. All rights reserved.",
    ],
)
def test_a_placeholder_is_no_abstract(text: str) -> None:
    assert settled(text).abstract == ""


@pytest.mark.parametrize(
    "text", ["On mosses", "ON MOSSES.", "Abstract. On <i>mosses</i>", "“On mosses”"]
)
def test_the_title_again_is_no_abstract(text: str) -> None:
    assert settled(text, title="On mosses").abstract == ""


@pytest.mark.parametrize(
    "text",
    [
        "No abstract interpretation is used in this work on mosses.",
        "None of the methods work on walls.",
        "The data are not available in the north. We therefore count by hand.",
        "We study. We find.",
        "Abstract reasoning is what we test on mosses.",
        "我们研究苔藓。",
    ],
)
def test_a_real_abstract_is_one_however_it_speaks(text: str) -> None:
    record = settled(text)
    assert (record.abstract, record.truncated) == (text, False)


@pytest.mark.parametrize(
    "text",
    [
        "We study the growth of mosses on walls and...",
        "We study the growth of mosses on walls and …",
        "We study the growth of mosses […]",
        "We study the growth of mosses.(ABSTRACT TRUNCATED AT 250 WORDS)",
        "我们研究苔藓的生长，首先通过...",
    ],
)
def test_an_abstract_that_was_cut_off_is_kept_and_marked(text: str) -> None:
    record = settled(text)
    assert (record.abstract, record.truncated) == (text, True)


@pytest.mark.parametrize(
    "text",
    [
        "… we study the growth of mosses on walls … and show that they grow in the shade of old trees …",
        "We study the growth of mosses on walls, on roofs and on the old trees of the north, and we find that the",
        ("We study mosses. " * 20)[:250].rstrip(". ")
        + "q" * (250 - len(("We study mosses. " * 20)[:250].rstrip(". "))),
    ],
)
def test_a_text_that_breaks_off_was_cut(text: str) -> None:
    assert settled(text).truncated


@pytest.mark.parametrize(
    "text",
    [
        "He said “to be, or not to be…”",
        "We study mosses, ferns, etc...",
        f"{BODY} {BODY} Our code is at https://example.org/" + "x" * 84,
        BODY.rstrip("."),
    ],
)
def test_a_text_that_only_lacks_its_full_stop_was_not(text: str) -> None:
    assert not settled(text).truncated


def test_placeholders_are_no_second_abstracts_and_a_second_one_may_be_the_only_one() -> None:
    others = (OtherAbstract("Sin resumen", "spa"), OtherAbstract("El musgo crece aquí.", "spa"))
    record = abstracts.settled(Record(SOURCE, BODY, other_abstracts=others))
    assert record.other_abstracts == others[1:]
    record = abstracts.settled(Record(SOURCE, "No abstract available", other_abstracts=others))
    assert (record.abstract, record.language) == ("El musgo crece aquí.", "spa")
    assert record.other_abstracts == ()


@pytest.mark.parametrize(
    "notice",
    [
        "(C) 2020 Elsevier B.V. All rights reserved.",
        "© 2019, The Author(s), under exclusive licence to Springer Nature.",
        "© 2025 Wiley-VCH GmbH",
        "Copyright © 2014 SIR. Published by Elsevier Inc. All rights reserved.",
        "Copyright 2023 Doe et al.",
        "Published by Elsevier Ltd on behalf of the Society.",
        "This is an open access article under the CC BY license.",
        "This article is protected by copyright. All rights reserved.",
        "(PsycINFO Database Record (c) 2016 APA, all rights reserved)",
        "[ABSTRACT FROM AUTHOR]",
        EBSCO,
        "©2016 AACR.",
        "2008 Elsevier Ltd.",
    ],
)
def test_a_publishers_notice_is_told_from_the_text(notice: str) -> None:
    text = f"{BODY} {notice}"
    assert text[: abstracts.notice_start(text)] == BODY


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "We study copyright law. Copyright is a right that authors have.",
        "We use (c) 2020 as a mark of years in the corpus. It works for most documents.",
        "The press published by the party is studied. We read all of its pages.",
        "Trial registration: NCT01234567.",
    ],
)
def test_what_only_speaks_of_rights_is_left_alone(text: str) -> None:
    assert abstracts.content_span(text) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (f"Abstract: {BODY}", BODY),
        (f"ABSTRACT {BODY}", BODY),
        (f"Summary. {BODY}", BODY),
        (f"摘要：{BODY}", BODY),
        (f"© 2019 Elsevier Ltd {BODY}", BODY),
        (f"{BODY} (ABSTRACT TRUNCATED AT 250 WORDS)", BODY),
    ],
)
def test_labels_and_leading_notices_are_no_content(text: str, content: str) -> None:
    start, end = abstracts.content_span(text)
    assert text[start:end] == content


@given(st.text(max_size=300))
def test_the_content_of_any_text_is_a_slice_of_it(text: str) -> None:
    plain = cleaning.plain(text).text
    start, end = abstracts.content_span(plain)
    assert 0 <= start <= end <= len(plain)


def test_notices_and_labels_are_in_no_sentence_and_no_passage() -> None:
    text = f"Abstract: {BODY} © 2020 Elsevier B.V. All rights reserved."
    derive = Deriver(lambda part: len(part.split()), 40)
    item = keyed(Record(SOURCE, text))
    entry = derive(fresh(item, "p1"), item.plain)
    assert entry.paper.abstract == text
    assert [sentence.text for sentence in entry.sentences] == BODY.replace(". ", ".|").split("|")
    assert [passage.text for passage in entry.passages] == [BODY]
    assert text[entry.passages[0].start : entry.passages[0].end] == BODY
