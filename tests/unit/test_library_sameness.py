"""Which records are of one paper, and that it does not matter which comes first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import cleaning, keys, titles
from assistant.library.dedupe import keyed
from assistant.library.sameness import same
from assistant.types import Record, Source

TEXT = (
    "We count mosses on the north walls of eleven barns and find that shade explains most of what "
    "grows there. Light was measured at noon for ten years, and no wall was cleaned meanwhile. The "
    "model needs no more than the height of the wall and the distance to the next tree."
)
NEAR = TEXT.replace("eleven barns", "eleven  barns").replace("meanwhile", "in between")
NUMBERED = TEXT.replace("ten years", "12 years")
OTHER = (
    "Lichens are slow. A survey of roofs in four towns shows that they spread where the air is "
    "clean, and that tiles keep them longer than slate does, whatever the weather of the year was "
    "like. Nothing is known of what happens when a roof is repaired or when a house is left alone."
)
FRENCH = (
    "Nous comptons les mousses des murs du nord et les ombres que le soleil laisse dans la cour "
    "des granges, et nous montrons que la pente du toit ne compte pas."
)
SHORT = "Mosses grow on walls, as everybody knows."
TITLE = "Shade and the growth of mosses on the walls of barns"
JANE, JOHN = ("Doe, Jane",), ("Roe, John",)


def record(abstract: str = "", title: str = "", number: int = 1, **fields: object) -> Record:
    return Record(Source("a.ris", number, "ris", "a"), abstract, title=title, **fields)  # type: ignore[arg-type]


def template(drug: str, illness: str, **fields: object) -> Record:
    """Return a protocol of a kind of which there are hundreds."""
    text = (
        "This is a protocol for a review of interventions. The objectives are as follows: to "
        f"assess the benefits and the harms of {drug} for {illness} in adults, compared with no "
        "treatment, with placebo or with any other treatment, in any setting, at any dose."
    )
    title = fields.pop("title", f"{drug.title()} for {illness} in adults: a protocol")
    return record(text, str(title), **fields)  # type: ignore[arg-type]


def both_ways(one: Record, other: Record) -> bool:
    """Return the judgement, which must not depend on the order, nor on the finding by keys."""
    one, other = keyed(one).record, keyed(other).record
    judged = same(one, other)
    assert same(other, one) == judged
    if judged:
        found = [keys.of_record(item, cleaning.normalized(item.abstract)) for item in (one, other)]
        assert set(found[0]) & set(found[1]), "they would never meet"
    return judged


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # a number that is the same
        (record("", TITLE, doi="10.1/a"), record(TEXT, "Shade and mosses", doi="10.1/a")),
        (record("", TITLE, pmid="77"), record("", "Schatten und Moose an Scheunen", pmid="77")),
        (record("", TITLE, arxiv_id="2401.00001"), record("", TITLE + ".", arxiv_id="2401.00001")),
        (record(TEXT, doi="10.48550/arxiv.2401.00001v2"), record(OTHER, arxiv_id="2401.00001")),
        (
            record("", TITLE, doi="10.21203/rs.3.rs-1/v1"),
            record("", TITLE, doi="10.21203/rs.3.rs-1/v2"),
        ),
        (record(TEXT, "The beginning", doi="10.1/a"), record(NEAR, "Another end", doi="10.1/a")),
        (record("", TITLE, doi="10.1/a"), record("", f"RETRACTED: {TITLE}", doi="10.1/a")),
        (
            record("", "Type II walls in H2O", doi="10.1/a"),
            record("", "Type 2 walls in H 2 O", doi="10.1/a"),
        ),
        (
            record("", "Schatten", doi="10.1/a", authors=JANE),
            record("", "On the growth of moss", doi="10.1/a", authors=JANE),
        ),
        # a text that is the same, or nearly
        (record(TEXT), record(TEXT.upper())),
        (record(TEXT), record(NEAR)),
        (record(TEXT, TITLE), record(NEAR)),
        (record(SHORT, TITLE), record(SHORT, TITLE.title())),
        (record(TEXT, TITLE, doi="10.1/a"), record(NEAR, TITLE, doi="10.2/b")),
        (record(TEXT, TITLE), record(NEAR, "Growth of moss on barn walls, and the shade")),
        (
            record(TEXT, TITLE, doi="10.1/a"),
            record(NEAR, "Growth of moss on barn walls, and the shade", doi="10.1101/2020.01.01.1"),
        ),
        # a title that is the same, and nothing against it
        (record(TEXT, TITLE, year=2020), record("", TITLE.upper(), year=2021)),
        (record("", TITLE, authors=JANE), record("", f"<i>{TITLE}</i>", authors=("Doe, J.",))),
        (record("", TITLE, authors=("Müller, A.",)), record("", TITLE, authors=("Muller, A",))),
        (record(TEXT, TITLE), record(TEXT[:150] + " …", TITLE)),
        (
            record(TEXT, f"{TITLE}: a study of eleven years", authors=JANE),
            record("", TITLE, authors=JANE),
        ),
        (record(TEXT, TITLE, doi="10.1/a"), record(TEXT, TITLE, doi="10.48550/arXiv.2401.00001")),
        (
            record(TEXT, TITLE, language="fre", authors=JANE),
            record(FRENCH, TITLE, language="fre", authors=JANE),
        ),
        (
            record("", "Editorial", authors=JANE, year=2020, venue="Walls"),
            record("", "EDITORIAL.", authors=JANE, year=2020, venue="Walls"),
        ),
        (record("", "Moss", year=2020), record(TEXT, "Moss", year=2020)),
        (record("", "Moss", authors=JANE), record(TEXT, "Moss", authors=JANE)),
        (record("", "墙上苔藓生长的研究", year=2020), record("", "墙上苔藓生长的研究")),
    ],
)
def test_one_paper(one: Record, other: Record) -> None:
    assert both_ways(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # parts, corrections, replies
        (record(TEXT, f"{TITLE}. Part I"), record(TEXT, f"{TITLE}. Part II")),
        (record(TEXT, f"{TITLE} 1", doi="10.1/a"), record(OTHER, f"{TITLE} 2", doi="10.1/b")),
        (record(TEXT, TITLE), record("", f"Erratum: {TITLE}")),
        (record(TEXT, TITLE, doi="10.1/a"), record("", f"Correction to: {TITLE}", doi="10.1/a")),
        (record(TEXT, TITLE), record(TEXT, f"{TITLE}: a reply")),
        (record(TEXT, TITLE), record(TEXT, f"Comment on {TITLE}")),
        (record("", TITLE), record("", f"Retraction: {TITLE}")),
        # numbers that differ, or are of a whole book
        (record("", TITLE, doi="10.1/a"), record("", TITLE, doi="10.1/b")),
        (record(TEXT, TITLE, doi="10.1/a"), record(OTHER, TITLE, doi="10.1/b")),
        (record("", TITLE, pmid="77"), record("", TITLE, pmid="78")),
        (
            record("", "Moss", doi="10.1/a", details=(("type", "chapter"),)),
            record("", "Lichens of the roof", doi="10.1/a", details=(("type", "chapter"),)),
        ),
        (
            record("", "Moss", doi="10.1/a", authors=JANE),
            record("", "Lichens of the roof", doi="10.1/a", authors=JOHN),
        ),
        (record(TEXT, "Moss", doi="10.1/a"), record(OTHER, "Lichens of roofs", doi="10.1/a")),
        (record("", "Chapter 1. Moss", doi="10.1/a"), record("", "Chapter 2. Moss", doi="10.1/a")),
        (
            record("", "Moss", doi="10.1/a", authors=JANE, details=(("page", "1-9"),)),
            record(
                "", "Lichens of roofs", doi="10.1/a", authors=JANE, details=(("page", "10-19"),)
            ),
        ),
        # alike titles, other texts
        (record(TEXT, TITLE), record(OTHER, TITLE)),
        (record(TEXT, TITLE, year=2001), record("", TITLE, year=2010)),
        (record("", TITLE, authors=JANE), record("", TITLE, authors=JOHN)),
        (record(TEXT, f"{TITLE}: a study"), record("", TITLE)),
        (record("", f"{TITLE}: towns", authors=JANE), record("", f"{TITLE}: farms", authors=JANE)),
        (record("", "Moss"), record("", "Moss")),
        (record("", "Moss", year=2020), record("", "Moss", year=2021)),
        (record("", "Moss", year=2020, authors=JANE), record("", "Moss", year=2020, authors=JOHN)),
        (record(TEXT, TITLE), record(NUMBERED, "Light and what grows on barns in the north")),
        (record(SHORT, TITLE), record(SHORT, "Lichens of the roofs")),
        # one template, other names in it
        (template("aspirin", "headache"), template("ibuprofen", "headache")),
        (template("aspirin", "headache"), template("aspirin", "migraine")),
        (
            template("aspirin", "headache", doi="10.1/a"),
            template("ibuprofen", "headache", doi="10.1/b"),
        ),
        (
            template("mosses", "shade", doi="10.1/a", title=""),
            template("lichens", "shade", doi="10.1/b"),
        ),
        (record(TEXT, TITLE, doi="10.1/a"), record(NEAR, f"{TITLE} and of sheds", doi="10.1/b")),
        (record(SHORT), record(SHORT.replace("walls", "roofs"))),
        (record(SHORT, TITLE), record(OTHER, "Something else")),
        # titles that many papers have
        (record("", "Editorial", authors=JANE), record("", "Editorial", authors=JOHN)),
        (record("", "Editorial"), record("", "Editorial")),
        (
            record("", "Editorial", authors=JANE, year=2020, venue="Walls"),
            record("", "Editorial", authors=JANE, year=2021, venue="Walls"),
        ),
        (
            record("", "Preface", authors=JANE, year=2020, details=(("page", "1"),), venue="Walls"),
            record("", "Preface", authors=JANE, year=2020, details=(("page", "7"),), venue="Walls"),
        ),
        (record(), record()),
    ],
)
def test_two_papers(one: Record, other: Record) -> None:
    assert not both_ways(one, other)


WORD = st.sampled_from(
    [
        "moss",
        "wall",
        "barn",
        "part",
        "I",
        "II",
        "1",
        "2",
        "erratum",
        "reply",
        "roof:",
        "shade",
        "editorial",
        "墙",
        "é",
    ]
)
PHRASE = st.lists(WORD, max_size=7).map(" ".join)
RECORDS = st.builds(
    record,
    st.sampled_from(["", TEXT, NEAR, OTHER, FRENCH, SHORT, TEXT[:120], NUMBERED]),
    PHRASE,
    doi=st.sampled_from(["", "10.1/a", "10.1/b", "10.48550/arxiv.2401.00001"]),
    pmid=st.sampled_from(["", "77", "78"]),
    arxiv_id=st.sampled_from(["", "2401.00001"]),
    year=st.sampled_from([None, 2020, 2021, 2023]),
    authors=st.sampled_from([(), JANE, JOHN]),
    details=st.sampled_from([(), (("page", "1"),), (("page", "2-4"),)]),
    venue=st.sampled_from(["", "Walls"]),
)


@settings(deadline=None)
@given(RECORDS, RECORDS)
def test_it_does_not_matter_which_comes_first(one: Record, other: Record) -> None:
    both_ways(one, other)


@settings(deadline=None)
@given(st.text(max_size=400), st.text(max_size=400))
def test_any_title_has_a_key_and_a_likeness(one: str, other: str) -> None:
    assert titles.likeness(one, other) == titles.likeness(other, one)
    assert titles.other_part(one, other) == titles.other_part(other, one)
    assert titles.extended(one, other) == titles.extended(other, one)
    assert titles.key(one.upper()) == titles.key(one) or not one.isascii()


@settings(deadline=None)
@given(st.text(max_size=400))
def test_keys_are_numbers_that_a_database_takes(text: str) -> None:
    found = keys.of_record(record(text, text, doi=text, pmid=text), cleaning.normalized(text))
    assert all(0 <= key < 1 << 63 for key in found)


def test_a_text_keeps_a_key_when_a_few_of_its_words_change() -> None:
    words = (TEXT + " " + OTHER).lower().split()
    before = keys.of_text(" ".join(words))
    for index in range(0, len(words), 5):
        changed = [*words[:index], "elsewhere", *words[index + 1 :]]
        assert before & keys.of_text(" ".join(changed))


def test_texts_without_blanks_keep_a_key_too() -> None:
    text = "".join(chr(0x4E00 + 7 * index % 500) for index in range(120))
    assert keys.of_text(text) & keys.of_text(text[:-1] + "终")
