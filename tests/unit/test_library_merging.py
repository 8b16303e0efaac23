"""A paper is what its records say together, the best of each, and nothing that none says."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import merging
from assistant.library.dedupe import keyed
from assistant.library.schema import Entry
from assistant.types import OtherAbstract, Paper, Record, Source

TEXT = "We count mosses on the north walls of eleven barns and find that shade explains most of it."
FULL = f"{TEXT} Light was measured at noon for ten years. No wall was cleaned in the meantime."
FRENCH = "Nous comptons les mousses des murs du nord, et nous montrons que la pente ne compte pas."


def record(abstract: str = "", number: int = 1, **fields: object) -> Record:
    return Record(Source(f"{number}.ris", number, "ris", "a"), abstract, **fields)  # type: ignore[arg-type]


def paper(*records: Record) -> Paper:
    return merging.paper_of("p1", records)


def test_a_real_abstract_comes_before_a_cut_one_and_that_before_none() -> None:
    cut = record(FULL[:150] + " …", truncated=True)
    assert paper(record(), cut).truncated
    found = paper(record(), cut, record(TEXT))
    assert (found.abstract, found.truncated) == (TEXT, False)


def test_the_first_abstract_stays_unless_another_says_much_more() -> None:
    assert paper(record(TEXT), record(TEXT + " So it is.")).abstract == TEXT
    assert paper(record(TEXT), record(FULL)).abstract == FULL
    assert paper(record(FULL), record(TEXT)).abstract == FULL


def test_another_language_does_not_win_by_length_and_is_kept_beside() -> None:
    longer = f"{FRENCH} {FRENCH} {FRENCH}"
    found = paper(record(TEXT), record(longer))
    assert found.abstract == TEXT
    assert found.other_abstracts == (OtherAbstract(longer, "fr"),)


def test_what_a_record_says_of_the_paper_s_language_makes_no_second_abstract() -> None:
    one, other = record(TEXT, language="German"), record(TEXT.replace("most", "nearly all"))
    found = paper(one, replace(other, language="en"))
    assert found.other_abstracts == ()


def test_second_abstracts_are_united_without_the_first_again() -> None:
    plain = OtherAbstract("Moss likes shade.", "en", "plain-language-summary")
    one = record(TEXT, other_abstracts=(plain, OtherAbstract(TEXT.upper(), "en")))
    other = record(TEXT, other_abstracts=(OtherAbstract(FRENCH, "fr"), plain))
    assert paper(one, other).other_abstracts == (plain, OtherAbstract(FRENCH, "fr"))


def test_a_title_in_capitals_gives_way() -> None:
    assert paper(record(title="MOSS AND SHADE"), record(title="Moss and shade")).title == (
        "Moss and shade"
    )
    assert paper(record(), record(title="MOSS")).title == "MOSS"


def test_the_fullest_list_of_authors_is_taken_then_the_fullest_names() -> None:
    one = record(authors=("Doe, J.", "Roe, J."))
    other = record(authors=("Doe, Jane", "Roe, John"))
    third = record(authors=("Doe, Jane Ann",))
    assert paper(one, other, third).authors == ("Doe, Jane", "Roe, John")


def test_the_published_version_names_year_venue_and_doi() -> None:
    preprint = record(
        TEXT,
        doi="10.48550/arxiv.2401.00001",
        arxiv_id="2401.00001",
        year=2023,
        venue="arXiv",
        url="https://arxiv.org/abs/2401.00001",
        details=(("type", "article"),),
    )
    published = record(
        "",
        doi="10.1000/a",
        year=2024,
        venue="Walls",
        url="https://example.org/a",
        details=(("type", "article-journal"), ("volume", "7")),
    )
    for found in (paper(preprint, published), paper(published, preprint)):
        assert (found.doi, found.year, found.venue) == ("10.1000/a", 2024, "Walls")
        assert (found.arxiv_id, found.abstract) == ("2401.00001", TEXT)
        assert found.url == "https://example.org/a"
        assert found.details == (("type", "article-journal"), ("volume", "7"))


def test_an_address_that_others_can_open_is_taken() -> None:
    search = record(url="https://www.scopus.com/inward/record.uri?eid=2-s2.0-1", venue="Walls")
    open_ = record(url="https://doi.org/10.1000/a")
    assert paper(search, open_).url == "https://doi.org/10.1000/a"
    assert paper(search).url == search.url


def test_keywords_are_united_and_details_filled_in() -> None:
    one = record(keywords=("Moss", "wall"), details=(("volume", "7"),), venue="Walls")
    other = record(keywords=("WALL", "shade"), details=(("volume", "8"), ("page", "1-9")))
    found = paper(one, other)
    assert found.keywords == ("Moss", "wall", "shade")
    assert found.details == (("page", "1-9"), ("volume", "7"))


RECORDS = st.builds(
    record,
    st.sampled_from(["", TEXT, FULL, FRENCH]),
    st.integers(1, 9),
    title=st.sampled_from(["", "Moss", "MOSS", "Shade"]),
    authors=st.lists(st.sampled_from(["Doe, Jane", "Doe, J.", "The Moss Group"])).map(tuple),
    year=st.sampled_from([None, 2020, 2021]),
    venue=st.sampled_from(["", "Walls", "arXiv"]),
    doi=st.sampled_from(["", "10.1/a", "10.48550/arxiv.1"]),
    keywords=st.lists(st.sampled_from(["a", "A", "b"])).map(tuple),
    truncated=st.booleans(),
)


def entry_of(records: list[Record]) -> Entry:
    first, *others = map(keyed, records)
    entry = merging.fresh(first, "p1")
    for item in others:
        entry = merging.with_source(entry, item)
    return entry


@settings(deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=5))
def test_a_paper_says_nothing_that_none_of_its_records_says(records: list[Record]) -> None:
    found = paper(*records)
    for name in ("abstract", "title", "authors", "year", "venue", "doi"):
        assert getattr(found, name) in [getattr(item, name) for item in records]
    assert found.sources == tuple(item.source for item in records)


@settings(deadline=None)
@given(st.lists(RECORDS, min_size=2, max_size=5), st.data())
def test_without_a_source_it_is_what_the_others_make(
    records: list[Record], data: st.DataObject
) -> None:
    gone = data.draw(st.integers(0, len(records) - 1))
    left = [item for index, item in enumerate(records) if index != gone]
    assert merging.without(entry_of(records), {gone}) == entry_of(left)


@settings(deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=3), st.lists(RECORDS, min_size=1, max_size=3))
def test_joined_it_is_what_all_records_make(one: list[Record], other: list[Record]) -> None:
    assert merging.joined(entry_of(one), entry_of(other)) == entry_of(one + other)


def test_a_record_read_again_keeps_what_it_no_longer_says() -> None:
    entry = entry_of([record(TEXT, doi="10.1/a", year=2020)])
    changed = merging.again(entry, keyed(record("", title="Moss", year=2021)), 0)
    found = changed.paper
    assert (found.abstract, found.doi, found.title, found.year) == (TEXT, "10.1/a", "Moss", 2021)
