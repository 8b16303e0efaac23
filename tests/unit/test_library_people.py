"""Names of people, as they are written in the world."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.library import people
from assistant.library.readers import cells, common


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Doe, Jane", "Doe, Jane"),
        ("Doe,Jane", "Doe, Jane"),
        ("Jane Doe", "Doe, Jane"),
        ("J. A. Doe", "Doe, J. A."),
        ("Doe JA", "Doe, JA"),
        ("Doe J-P", "Doe, J-P"),
        ("Jean WANG", "Wang, Jean"),
        ("DOE, JOHN", "Doe, John"),
        ("DOE JA", "Doe, JA"),
        ("JA DOE", "Doe, JA"),
        ("O'ROE, J.", "O'Roe, J."),
        ("DE LA ROE, MARIA", "de la Roe, Maria"),
        ("Jane van der Roe", "van der Roe, Jane"),
        ("van der Roe RB", "van der Roe, RB"),
        ("Jean de la Roe Doe", "de la Roe Doe, Jean"),
        ("Maria De La Roe", "De La Roe, Maria"),
        ("José Doe y Roe", "Doe y Roe, José"),
        ("Doe Roe, Gabriel José", "Doe Roe, Gabriel José"),
        ("Musa ibn Isa al-Roe", "al-Roe, Musa ibn Isa"),
        ("Gerard 't Roe", "'t Roe, Gerard"),
        ("Ian St. Roe", "St. Roe, Ian"),
        ("Jean-Pierre Roe-Doe", "Roe-Doe, Jean-Pierre"),
    ],
)
def test_the_family_name_comes_first(name: str, wanted: str) -> None:
    assert people.person(name) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("张三", "张三"),
        ("张, 三", "张, 三"),
        ("张\uff0c三", "张, 三"),  # a wide comma
        ("山田 太郎", "山田, 太郎"),
        ("San Zhang (张三)", "Zhang, San"),
        ("Xiao Di Wang", "Wang, Xiao Di"),  # no particle
        ("Thi Van Nguyen", "Nguyen, Thi Van"),
        ("Nguyễn Văn An", "Nguyễn, Văn An"),
        ("Иван Иванов", "Иванов, Иван"),
        ("Иванов И. И.", "Иванов, И. И."),
        ("אבי כהן", "כהן, אבי"),  # letters without case are no initials
    ],
)
def test_names_of_other_scripts_and_orders(name: str, wanted: str) -> None:
    assert people.person(name) == wanted


@pytest.mark.parametrize(
    "name", ["Doe, Jr., John", "Doe Jr., John", "John Doe Jr.", "John Doe, Jr.", "Doe, John, Jr."]
)
def test_what_stands_behind_a_name_goes_behind_the_given_one(name: str) -> None:
    assert people.person(name) == "Doe, John Jr."
    assert people.spoken("Doe, John Jr.") == "John Doe Jr."


@pytest.mark.parametrize(
    "name", ["Jane Doe, PhD", "Jane Doe, M.D., Ph.D.", "Prof. Dr. Jane Doe", "Jane Doe*"]
)
def test_degrees_titles_and_marks_are_no_names(name: str) -> None:
    assert people.person(name) == "Doe, Jane"


@pytest.mark.parametrize("name", ["et al.", "and others", "[No authors listed]", " , ", "*", ""])
def test_nobody_is_nobody(name: str) -> None:
    assert people.person(name) == ""


@pytest.mark.parametrize(
    "name",
    ["The Moss Group", "ATLAS Collaboration", "World Health Organization", "Plato", "NASA"],
)
def test_groups_and_single_names_stay_as_they_are(name: str) -> None:
    assert people.person(name) == name
    assert people.person(people.written(name)) == name
    assert people.spoken(name) == name


def test_braces_and_a_comma_behind_it_make_a_group_of_any_name() -> None:
    assert people.person("{Jane Doe}") == "Jane Doe"
    assert people.person("Jane Doe,") == "Jane Doe"


def test_names_are_spoken_as_people_say_them() -> None:
    assert people.spoken("van der Roe, Jane") == "Jane van der Roe"
    assert people.spoken("山田, 太郎") == "山田太郎"


NAMES = st.from_regex(r"\A[A-Z][a-z]{1,8}( [a-z]{2,3}){0,2}( [A-Z][a-z'-]{1,8}){0,2}\Z")


@given(st.text(max_size=40))
def test_any_text_becomes_a_name(text: str) -> None:
    people.spoken(people.person(text))


@given(family=NAMES, given_name=NAMES)
def test_a_name_with_a_comma_is_kept(family: str, given_name: str) -> None:
    once = people.person(f"{family}, {given_name}")
    assert people.person(people.written(once)) == once


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Smith, J., Jones, K. and Lee, L.", ("Smith, J.", "Jones, K.", "Lee, L.")),
        ("John Smith, Karl Jones", ("Smith, John", "Jones, Karl")),
        ("Smith J, Jones K", ("Smith, J", "Jones, K")),
        ("Smith, John", ("Smith, John",)),
        ("Smith, John; Jones, Karl", ("Smith, John", "Jones, Karl")),
        ("van der Berg, J. P.", ("van der Berg, J. P.",)),
        ("WHO Study Group", ("WHO Study Group",)),
        ("Doe, J., Jr.", ("Doe, J. Jr.",)),
        ("King, Martin Luther, Jr.", ("King, Martin Luther Jr.",)),
    ],
)
def test_a_cell_is_split_between_people(text: str, wanted: tuple[str, ...]) -> None:
    assert common.named(cells.people(text)) == wanted
