"""The measures: what counts as a fact held, a marker that resolves, and shares over many cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.evaluate import Case, bench, evaluate_answers, holds, read_cases, resolves
from assistant.types import (
    Answer,
    Check,
    Delta,
    Done,
    Event,
    Evidence,
    Paper,
    Quotes,
    Receipt,
    Sentence,
    Source,
    Stage,
    Statement,
    StatementDone,
    Verdict,
)

ABSTRACT = "Otters nap. They keep **stones** for 42 days. Some share."
OTTER = Paper("otter", "OtterNap", ABSTRACT, sources=(Source("zoo.txt", 1, "seed", "zoo"),))
BEAVER = Paper("beaver", "Dams", "Dams hold.", sources=(Source("zoo.txt", 2, "seed", "zoo"),))
START = ABSTRACT.index("They")
SPAN = Sentence("otter", 1, START, ABSTRACT.index(" Some"), "They keep stones for 42 days.")


def statement(text: str = SPAN.text, marker: int = 1, paper_id: str = "otter") -> Statement:
    checks = (Check("numbers", passed=False, detail="41 is not there"),)
    return Statement(text, "quoted", marker, paper_id, (Evidence(SPAN, 1.0),), checks)


def answer(verdict: Verdict, *statements: Statement) -> Answer:
    receipt = Receipt("a-model", "p1", "i1", 7, tokens={"prompt": 100, "written": 20})
    return Answer("?", verdict, statements, (OTTER, BEAVER), receipt)


# Facts


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("42", "It took 42 days."),
        ("42", "It took 42."),
        ("42", "42, not 43"),
        ("4.8 million", "4.8   million variables"),
        ("PPDiff", "the ppdiff model"),
        ("state-of-the-art", "state‑of‑the–art"),
        ("keep stones", "They keep **stones**."),
        ("50%", r"It gains 50\% of them."),
        ("2 kg", "It weighs 2kg."),
        ("ﬁne", "a fine day"),
    ],
)
def test_a_fact_is_held_whatever_its_case_spacing_and_markup(fact: str, text: str):
    assert holds([fact], text)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("42", "It took 420 days."),
        ("42", "It took 142 days."),
        ("42", "It took 3.42 days."),
        ("42", "It took 42.5 days."),
        ("42", "It took 42,000 days."),
        ("0.97", "It gains 10.97."),
        ("stones", "They keep sticks."),
        ("a.b", "They say axb."),
        ("stones", ""),
    ],
)
def test_a_fact_is_not_held_by_a_longer_number_or_other_words(fact: str, text: str):
    assert not holds([fact], text)


def test_every_fact_must_be_held():
    assert holds(["42", "stones"], SPAN.text)
    assert not holds(["42", "sticks"], SPAN.text)
    assert holds([], "")


# Markers


def test_a_marker_resolves_to_its_paper_and_slices():
    assert resolves(answer("answered", statement()))
    assert resolves(answer("not_in_library"))


@pytest.mark.parametrize(
    "wrong",
    [
        statement(marker=2),
        statement(marker=0),
        statement(marker=3),
        statement(paper_id="beaver"),
        replace(statement(), evidence=()),
        *(
            replace(statement(), evidence=(Evidence(replace(SPAN, **change), 1.0),))
            for change in (
                {"start": START - 3},
                {"end": SPAN.end - 1},
                {"end": len(ABSTRACT) + 1},
                {"start": -1},
                {"start": SPAN.end},
                {"text": "They keep sticks for 42 days."},
            )
        ),
    ],
)
def test_a_wrong_marker_or_slice_does_not_resolve(wrong: Statement):
    assert not resolves(answer("answered", statement(), wrong))


# Cases


def test_cases_are_read_with_records_counted_from_one(tmp_path: Path):
    file = tmp_path / "cases.jsonl"
    rows = [
        {"question": "a?", "facts": ["1"], "seed": "zoo.txt", "abstract": 0, "kind": "fact"},
        {"question": "b?", "facts": [], "seed": None, "abstract": None},
        {"question": "c?"},
    ]
    lines = "\n\n".join(json.dumps(row) for row in rows)
    file.write_text(lines, encoding="utf-8-sig")
    first, second, third = read_cases(file)
    assert first == Case("a?", ("1",), "zoo.txt", 1, "fact")
    assert first.answerable
    assert (second.answerable, third.answerable) == (False, False)


@pytest.mark.parametrize(
    "wrong", ["{", "[]", "7", '"text"', "{}", '{"question": "q", "seed": "x", "abstract": "one"}']
)
def test_an_error_names_the_line_that_is_wrong(tmp_path: Path, wrong: str):
    file = tmp_path / "cases.jsonl"
    file.write_text(f'{{"question": "a?"}}\n\n{wrong}\n', encoding="utf-8")
    with pytest.raises(ReadError, match=r"Line 3 of cases\.jsonl") as failed:
        read_cases(file)
    assert failed.value.hint


def test_a_file_without_cases_or_not_there_is_an_error(tmp_path: Path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n", encoding="utf-8")
    for path in (empty, tmp_path / "gone.jsonl", tmp_path):
        with pytest.raises(ReadError, match=path.name) as failed:
            read_cases(path)
        assert failed.value.hint


# Measures


class Scripted:
    """Answers by the words of the question."""

    def examples(self, n: int) -> list[str]:
        return ["right", "wrong"][:n]

    def ask(self, question: str) -> Iterator[Event]:
        yield Stage("searching")
        if "refused" in question:
            yield Done(answer("not_in_library"))
            return
        made = statement() if "right" in question else statement("Dams hold.", 2, "beaver")
        yield Quotes((made,), (OTTER, BEAVER))
        yield Delta(1, "They")
        yield StatementDone(made)
        yield Done(answer("answered", made))


def cases_of(folder: Path, answerable: list[str], foreign: list[str]) -> Path:
    zoo = {"facts": ["42 days"], "seed": "zoo.txt", "abstract": 0, "kind": "fact"}
    rows = [{"question": question, **zoo} for question in answerable]
    rows += [{"question": question, "kind": "far"} for question in foreign]
    file = folder / "cases.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def test_shares_are_those_of_the_script(tmp_path: Path):
    answerable = ["right 1", "right 2", "wrong", "refused"]
    file = cases_of(tmp_path, answerable, ["refused", "right"])
    progress: list[int] = []
    report = evaluate_answers(Scripted(), file, on_progress=lambda _what, n: progress.append(n))
    shares = {name: (m.value, m.n) for name, m in report.measures.items()}
    assert shares["facts in the shown answer"] == (0.5, 4)
    assert shares["facts, fact"] == (0.5, 4)
    assert shares["right paper cited"] == (0.5, 4)
    assert shares["answerable refused"] == (0.25, 4)
    assert shares["unanswerable refused"] == (0.5, 2)
    assert shares["refused, far"] == (0.5, 2)
    assert shares["markers that resolve"] == (0.75, 4)
    assert shares["statements written"] == (0.0, 4)
    assert shares["statements an answer"] == (1.0, 3)
    assert progress == [1, 2, 3, 4, 5, 6]
    assert report.about == {"model": "a-model", "index": "i1", "prompt": "p1"}


def test_intervals_hold_the_value_and_narrow_with_more_cases(tmp_path: Path):
    few = evaluate_answers(Scripted(), cases_of(tmp_path, ["right", "wrong"] * 3, ["refused"]))
    many = evaluate_answers(Scripted(), cases_of(tmp_path, ["right", "wrong"] * 60, ["refused"]))
    for report in (few, many):
        assert all(m.low <= m.value <= m.high for m in report.measures.values())
    name = "facts in the shown answer"
    wide, narrow = few.measures[name], many.measures[name]
    assert wide.high - wide.low > narrow.high - narrow.low > 0
    assert few.measures["unanswerable refused"].low == 1.0


def test_times_are_told_by_what_the_reader_waits_for(tmp_path: Path):
    report = evaluate_answers(Scripted(), cases_of(tmp_path, ["right", "refused"], []))
    seen = {name for name in report.measures if name.endswith(", s (median)")}
    waits = ("quotes", "first token", "first statement", "whole answer", "refusal")
    assert seen == {f"{wait}, s (median)" for wait in waits}


def test_every_answer_is_written_for_reading(tmp_path: Path):
    out = tmp_path / "answers.jsonl"
    evaluate_answers(Scripted(), cases_of(tmp_path, ["right", "wrong"], ["refused"]), out=out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["question"] for row in rows] == ["right", "wrong", "refused"]
    assert [row["holds_facts"] for row in rows][:2] == [True, False]
    assert [row["right_paper"] for row in rows] == [True, False, False]
    assert rows[0]["statements"][0]["failed"] == ["numbers: 41 is not there"]
    assert rows[0]["statements"][0]["evidence"] == [SPAN.text]
    assert rows[2]["verdict"] == "not_in_library"


def test_the_bench_counts_tokens_and_judges_nothing():
    report = bench(Scripted())
    assert report.measures["prompt tokens"].value == 100
    assert report.measures["written tokens"].value == 20
    assert "whole answer, s (median)" in report.measures
    assert not any("facts" in name or "refused" in name for name in report.measures)
