"""Numbers: one form for all spellings, and what may stand for what."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.writing.numbers import Number, find_numbers, supports


def one(text: str) -> Number:
    (number,) = find_numbers(text)
    return number


SAME = [
    ("1/2", "0.5"),
    ("half", "0.5"),
    ("1 / 2", "0.50"),
    ("706,360", "706360"),
    ("1,234,567.5", "1234567.5"),
    ("50.00 %", "50 percent"),
    ("50.00%", "fifty percent"),
    ("3.0x", "3 times"),
    ("3.0×", "three-fold"),
    ("seven", "7"),
    ("twice", "2x"),
    ("tenfold", "10x"),
    ("1e-3", "0.001"),
    ("2E4", "20,000"),
    ("4.8 million", "4,800,000"),
    ("3.2B", "3.2 billion"),
    ("10k", "10 thousand"),
    ("7 percentage points", "7 points"),
    ("2-bit", "two bits"),
    ("−0.5", "-0.5"),
    ("٣", "3"),
]


@pytest.mark.parametrize(("one_way", "other_way"), SAME)
def test_spellings_of_one_number_are_equal(one_way: str, other_way: str):
    a, b = one(one_way), one(other_way)
    assert (a.value, a.unit) == (b.value, b.unit)
    assert supports(a, b)
    assert supports(b, a)


UNITS = [
    ("7%", "percent"),
    ("7 percent", "percent"),
    ("7 percentage points", "points"),
    ("7 points", "points"),
    ("7x", "times"),
    ("7×", "times"),
    ("7 times", "times"),
    ("7-fold", "times"),
    ("7-bit", "bits"),
    ("7 bits", "bits"),
    ("7", ""),
    ("7 xenon lamps", ""),
    ("7 pointed stars", ""),
    ("7 bitter pills", ""),
]


@pytest.mark.parametrize(("text", "unit"), UNITS)
def test_units_are_told_apart(text: str, unit: str):
    assert (one(text).value, one(text).unit) == (7, unit)


@pytest.mark.parametrize(
    ("evidence", "claim", "holds"),
    [
        ("1.2%", "1.2%", True),
        ("1.2%", "1.2", True),  # a unit may be dropped
        ("1.2", "1.2%", False),  # none may be added
        ("1.2%", "1.2x", False),
        ("1.2%", "1.2 points", False),
        ("1.2 percentage points", "1.2%", True),
        ("1.2 points", "1.2%", False),
        ("2x", "2 bits", False),
        ("1.2%", "1.3%", False),
        ("40", "4", False),
        ("-0.5", "0.5", False),
        ("1e-5", "1e-3", False),
        ("4.8 million", "4.8", False),
        ("4.8 million", "4.8 billion", False),
    ],
)
def test_a_claim_may_not_say_more_than_its_evidence(evidence: str, claim: str, holds: bool):
    assert supports(one(evidence), one(claim)) is holds


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4",
        "CIFAR-10",
        "Llama2",
        "int8",
        "x_2",
        "no number",
        "",
        "bone",
        "folded",
    ],
)
def test_numbers_inside_names_belong_to_the_names(text: str):
    assert find_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 2020-2021", [2020, 2021]),
        ("5–10 of them", [5, 10]),
        ("from -0.5 to 0.5", [Fraction(-1, 2), Fraction(1, 2)]),
        ("50%-60%", [50, 60]),
        ("success rates of 50.00%, 23.16%, and 16.89%", [50, Fraction("23.16"), Fraction("16.89")]),
        ("6 datasets, two of them large", [6, 2]),
        ("1/0", [1]),
    ],
)
def test_all_numbers_of_a_sentence_are_found_in_order(text: str, values: list[Fraction]):
    assert [number.value for number in find_numbers(text)] == values


@pytest.mark.parametrize("text", ["9" * 20_000, "1/" + "3" * 20_000, "1," * 20_000, "1.5e" * 5_000])
def test_endless_digits_are_no_numbers_and_do_no_harm(text: str):
    assert all(number.end - number.start <= 100 for number in find_numbers(text))


@given(st.text(alphabet="0123456789.,/%-−eExk× a½٣²", max_size=40))
def test_any_text_can_be_searched_and_numbers_are_slices_of_it(text: str):
    for number in find_numbers(text):
        assert text[number.start : number.end] == number.text
        assert supports(number, number)


@given(st.integers(0, 10**9), st.sampled_from(["", "%", "x", "-bit", " points"]))
def test_a_number_is_found_whatever_its_grouping(value: int, unit: str):
    plain, grouped = one(f"so {value}{unit} are"), one(f"so {value:,}{unit} are")
    assert plain.value == grouped.value == value
    assert plain.unit == grouped.unit
