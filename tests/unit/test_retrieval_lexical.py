"""Terms: names kept whole and in parts, numbers written one way, stop words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.retrieval.lexical import MAX_TERM, TermStats, content_terms, content_units, tokenise
from assistant.retrieval.stem import stem


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("PPDiff", ["ppdiff"]),
        ("RNA-BAnG", ["rna-bang", "rnabang", "rna", "bang"]),
        ("mx-moe", ["mx-moe", "mxmoe", "mx", "moe"]),
        ("3-bit", ["3-bit", "3bit", "3", "bit"]),
        ("2.05-bit", ["2.05-bit", "2.05bit", "2.05", "bit"]),
        ("3.4x", ["3.4x", "3.4", "x"]),
        ("3.0×", ["3"]),
        ("50.00%", ["50"]),
        ("706,360", ["706360"]),
        ("1,2,3", ["1", "2", "3"]),
        ("Qwen2.5", ["qwen2.5", "qwen", "2.5"]),
        ("GPT4", ["gpt4", "gpt", "4"]),
        ("C*-algebra", ["c-algebra", "calgebra", "c", "algebra"]),
        ("Rényi's", ["renyi"]),
        ("don't", ["dont"]),
        ("蛋白质", ["蛋白", "白质"]),
        ("质", ["质"]),
        ("用MiniLM", ["用", "minilm"]),
        ("", []),
        ("🙂 ?! ++", []),
    ],
)
def test_terms_of(text: str, terms: list[str]):
    assert tokenise(text) == terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-4", "GPT4"),
        ("Peri-LN", "PeriLN"),
        ("Peri-LN", "peri‑ln"),
        ("https://github.com/metadriverse/AIM.", "github.com/metadriverse/AIM"),
        ("http://www.example.org/a", "example.org/a"),
        ("generates", "generating"),
        ("quantization", "quantized"),
        ("3.0", "3"),
        ("ＰＰＤｉｆｆ", "PPDiff"),
    ],
)
def test_spellings_of_one_thing_meet(one: str, other: str):
    assert set(tokenise(one)[:2]) & set(tokenise(other)[:2])


@given(st.text())
def test_any_text_gives_terms_that_hold_no_blank_and_end_somewhere(text: str):
    for term in tokenise(text):
        assert term
        assert not any(character.isspace() for character in term)
        assert len(term) <= MAX_TERM
    assert set(content_terms(text)) <= set(tokenise(text))


@given(st.text(alphabet="ab1,.-_/*日本 ", max_size=60))
def test_content_units_and_content_terms_agree(text: str):
    from_units = {term for unit in content_units(text) for term in (*unit.wholes, *unit.parts)}
    assert from_units == set(content_terms(text))


def test_content_terms_leave_out_what_asks_and_keep_order():
    assert content_terms("What does the RNA-BAnG paper generate?") == [
        "rna-bang", "rnabang", "rna", "bang", "gener",
    ]  # fmt: skip
    assert content_terms("How many of these papers are there?") == []
    assert content_terms("请问什么") == []


def test_a_name_in_capitals_is_no_stop_word_amid_small_letters():
    assert "can" in content_terms("What does CAN learn?")
    assert content_terms("WHAT CAN IT DO") == []


def test_a_compound_is_one_unit_and_its_pieces_count_half():
    (unit,) = content_units("Peri-LN")
    assert unit.share({"peri-ln"}) == unit.share({"periln"}) == 1.0
    assert unit.share({"peri", "ln"}) == 0.5
    assert unit.share({"ln"}) == 0.25
    assert unit.share(set()) == 0.0


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"),
        ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"),
        ("conflated", "conflat"), ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"),
        ("falling", "fall"), ("happy", "happi"), ("relational", "relat"), ("digitizer", "digit"),
        ("triplicate", "triplic"), ("hopeful", "hope"), ("goodness", "good"), ("revival", "reviv"),
        ("adoption", "adopt"), ("rate", "rate"), ("controlling", "control"), ("bi", "bi"),
        ("qwen2", "qwen2"), ("naïve", "naïve"),
    ],
)  # fmt: skip
def test_stems(word: str, expected: str):
    assert stem(word) == expected


def test_rare_terms_weigh_more_and_unknown_ones_most():
    known = TermStats(100, lambda term: {"rare": 1, "common": 90}.get(term, 0))
    assert known.df("rare") == 1
    assert known.idf("unknown") > known.idf("rare") > known.idf("common") > 0


def test_endless_runs_are_taken_apart():
    run = "x" * 500_000 + " " + "1," * 100_000 + "2 " + "a-" * 100_000 + "b"
    terms = tokenise(run)
    assert max(map(len, terms)) == MAX_TERM
    assert terms.count("x" * MAX_TERM) == 5_000
    assert terms[-1] == "b"
