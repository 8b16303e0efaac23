"""Sentences end where a reader would end them; passages hold them whole and fit the embedder."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import passages, readers, sections, sentences
from assistant.library.cleaning import plain
from assistant.types import Record, Sentence


def words(text: str) -> int:
    return len(text.split())


def seed_texts(seeds_dir: Path) -> list[str]:
    found = [item for path in sorted(seeds_dir.glob("*.txt")) for item in readers.read(path)]
    return [item.abstract for item in found if isinstance(item, Record)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Shown before (Du et al., 2023; Liu et al., 2022).", "We go on."],
        ['What it means for composition to "work".', "This paper starts."],
        ["It is 3.0× faster than Zamba-7B vs. 2.3× for Llama2-7B.", "See Fig. 2."],
        ["It gains 1.2 points, e.g. on MMLU, i.e. a lot.", "Why?", "Because!"],
        ["Easier i.i.d. and harder compositional splits gain.", "We are glad."],
        ["Large models help.", "Nevertheless, assessing them is hard."],
        ["我们提出了一种方法。", "它很好！", "真的吗？"],
        ["P values were below 0.05.", "95% CI 1.2 to 3.4 vs. placebo.", "E. coli was grown."],
        ["Code is at https://github.com/cat538/MxMoE.", "It is free."],
        ["Our contributions: (1) We propose it.", "(2) We show it."],
        ["The c-index was 0.221 (st.dev. 0.019) for carriers.", "It rose."],
    ],
)
def test_sentences_end_where_readers_end_them(expected: list[str]) -> None:
    assert sentences.pieces(" ".join(expected)) == expected


def test_a_blank_that_was_lost_at_a_line_end_is_made_up_for() -> None:
    assert sentences.pieces("It helps large models.Nevertheless, it is slow.") == [
        "It helps large models.",
        "Nevertheless, it is slow.",
    ]
    whole = "Code at https://example.org/a.Foo and Node.js is free."
    assert sentences.pieces(whole) == [whole]


def test_spans_of_the_seeds_are_slices_that_read_as_the_sentence(seeds_dir: Path) -> None:
    texts = seed_texts(seeds_dir)
    counted = 0
    for text in texts:
        found = sentences.split(plain(text), "p1")
        counted += len(found)
        assert [item.index for item in found] == list(range(len(found)))
        assert all(one.end <= two.start for one, two in pairwise(found))
        for item in found:
            assert plain(text[item.start : item.end]).text == item.text
        assert " ".join(item.text for item in found) == plain(text).text
    assert counted == 302


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_splits_into_slices_of_itself(original: str) -> None:
    form = plain(original)
    found = sentences.split(form, "p1")
    assert "".join("".join(item.text.split()) for item in found) == "".join(form.text.split())
    assert all(0 <= item.start < item.end <= len(original) for item in found)


def test_a_text_without_end_is_split_in_bounded_pieces() -> None:
    found = sentences.split(plain("word and more words, " * 20_000), "p1")
    assert max(len(item.text) for item in found) <= 50_000
    assert sum(words(item.text) for item in found) == 80_000


# Passages


def made(sizes: list[int], limit: int) -> tuple[list[str], list[int]]:
    text = " ".join(
        " ".join(["w"] * (size - 1) + [f"Word{number}."]) for number, size in enumerate(sizes)
    )
    position, parts = 0, []
    for number, size in enumerate(sizes):
        end = text.index(f"Word{number}.") + len(f"Word{number}.")
        parts.append(Sentence("p1", number, position, end, text[position:end]))
        position = end + 1
        assert words(parts[-1].text) == size
    found = passages.make(parts, words, limit)
    assert all(text[item.start : item.end] == item.text for item in found)
    assert " ".join(item.text for item in found) == text
    return [item.text for item in found], [words(item.text) for item in found]


def test_what_fits_is_one_passage() -> None:
    assert made([10, 10, 10], 30)[1] == [30]


def test_passages_are_as_few_and_as_even_as_can_be() -> None:
    assert made([10] * 6, 50)[1] == [30, 30]
    assert made([20, 5, 5, 20], 40)[1] == [25, 25]
    assert made([30, 30, 30], 40)[1] == [30, 30, 30]


@settings(deadline=None)
@given(st.lists(st.integers(1, 30), min_size=1, max_size=20), st.integers(30, 80))
def test_passages_hold_whole_sentences_under_the_limit(sizes: list[int], limit: int) -> None:
    texts, counts = made(sizes, limit)
    assert max(counts) <= limit
    assert all(text.endswith(".") for text in texts)


def test_an_overlong_sentence_is_cut_between_words_with_exact_spans() -> None:
    original = "**Alpha** beta " + "gamma delta " * 40 + "omega."
    form = plain(original)
    parts = sentences.split(form, "p1")
    found = passages.make(parts, words, 16, form)
    assert all(words(item.text) <= 16 for item in found)
    assert " ".join(item.text for item in found) == form.text
    for item in found:
        assert plain(original[item.start : item.end]).text == item.text


def test_a_word_longer_than_the_limit_is_cut_inside() -> None:
    text = "x" * 1000
    (sentence,) = sentences.split(plain(text), "p1")
    found = passages.make([sentence], lambda part: len(part) // 4 + 1, 50, plain(text))
    assert "".join(item.text for item in found) == text
    assert all(len(item.text) // 4 + 1 <= 50 for item in found)


def test_a_counter_that_sums_up_wrongly_is_not_trusted() -> None:
    # joining costs more than the parts: a passage must still be under the limit
    parts = [Sentence("p1", n, 10 * n, 10 * n + 9, f"number {n}.") for n in range(8)]

    def count(text: str) -> int:
        return 2 * words(text) + 5 * text.count(". ")

    found = passages.make(parts, count, 20)
    assert all(count(item.text) <= 20 for item in found)
    assert " ".join(item.text for item in found) == " ".join(item.text for item in parts)


def test_ids_say_which_slice_and_which_text() -> None:
    (one,) = passages.make(
        [
            Sentence("p1", 0, 3, 9, "Same."),
        ],
        words,
        9,
    )
    (two,) = passages.make(
        [
            Sentence("p1", 0, 3, 9, "Other."),
        ],
        words,
        9,
    )
    assert one.id.startswith("p1:3-9:")
    assert len(one.id) == len("p1:3-9:") + 8
    assert one.id != two.id


def test_no_sentences_no_passages() -> None:
    assert passages.make([], words, 9) == ()


# Sections


@pytest.mark.parametrize(
    "expected",
    [
        ["Results. The moss grew on the wall.", "It was green."],
        ["AIM. To see moss.", "RESULTS: N = 56."],
        ["BACKGROUND: Moss grows on walls", "METHODS AND RESULTS: We count it."],
        ["【目的】看苔藓。", "【方法】用手。"],
    ],
)
def test_a_label_begins_a_sentence_and_is_none_alone(expected: list[str]) -> None:
    assert sentences.pieces(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OBJECTIVE: To see. METHODS: We do.", [("OBJECTIVE:", "aim"), ("METHODS:", "methods")]),
        ("Methods - We did. Findings – It is.", [("Methods -", "methods"), ("Findings –", "results")]),
        ("【目的】探讨。【结论】是。", [("【目的】", "aim"), ("【结论】", "conclusions")]),
        ("目的：探讨它。结果：好。", [("目的：", "aim"), ("结果：", "results")]),
        ("Results. The moss. 2. Conclusion: So.", [("Results.", "results"), ("2. Conclusion:", "conclusions")]),
        ("DESIGN, SETTING: A wall.\nPRINCIPAL FINDINGS: Moss.", [("DESIGN, SETTING:", "methods"), ("PRINCIPAL FINDINGS:", "results")]),
        ("Objetivo: Ver. Conclusões: Sim.", [("Objetivo:", "aim"), ("Conclusões:", "conclusions")]),
        ("We use MOSS: it is good. We saw results: many.", []),
        ("GPT: it is a model. Its results are good.", []),
    ],
)  # fmt: skip
def test_labels_of_sections_are_found_where_they_stand(
    text: str, expected: list[tuple[str, str]]
) -> None:
    found = [(text[item.start : item.end], item.kind) for item in sections.labels(text)]
    assert found == expected


def test_a_label_says_of_all_sentences_behind_it_where_they_are() -> None:
    said = ["We begin.", "AIM: To see.", "And more.", "RESULTS: None."]
    assert sections.kinds(said) == ["", "aim", "aim", "results"]
    assert [sections.without_label(one) for one in said[1::2]] == ["To see.", "None."]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["RESULTS", "Aim", ": ", ". ", "\n", "【", "】", "A ", "- "])))
def test_any_labels_are_slices_in_order(parts: list[str]) -> None:
    text = "".join(parts)
    found = sections.labels(text)
    assert all(0 <= item.start < item.end <= len(text) for item in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
