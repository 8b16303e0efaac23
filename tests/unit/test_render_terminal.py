"""What the terminal shows of an answer, and what ``--json`` says."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from assistant.errors import AssistantError
from assistant.interfaces.render import answer_json, is_web_link, terminal_events, web_links
from assistant.types import (
    Answer,
    Delta,
    Done,
    Evidence,
    Paper,
    Quotes,
    Receipt,
    Sentence,
    Source,
    Stage,
    Statement,
    StatementDone,
)

ABSTRACT = "We introduce PPDiff. It reaches success rates of 50.00\\%."
PAPER = Paper(
    id="p1",
    handle="PPDiff: a diffusion model",
    abstract=ABSTRACT,
    code_links=("https://github.com/x/ppdiff", "javascript:alert(1)"),
    sources=(Source("seeds.txt", 3, "seed", "ICML 2025"),),
)
EVIDENCE = Evidence(
    Sentence("p1", 1, 21, len(ABSTRACT), "It reaches success rates of 50.00%."), 0.9
)
QUOTED = Statement("It reaches success rates of 50.00%.", "quoted", 1, "p1", (EVIDENCE,))
WRITTEN = Statement("PPDiff succeeds in 50.00 % of cases.", "written", 1, "p1", (EVIDENCE,))
RECEIPT = Receipt("qwen", "ab12", "v1", 7, {"total": 3.21})


def answer(*statements, verdict="answered", papers=(PAPER,), **more):
    return Answer("How often?", verdict, statements, papers, RECEIPT, **more)


def events(final, *between):
    return [Stage("searching"), Quotes((QUOTED,), (PAPER,)), *between, Done(final)]


def shown(stream, *, terminal=False, width=100):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=width, legacy_windows=False)
    terminal_events(stream, console)
    return out.getvalue()


def test_json_has_exactly_the_documented_shape():
    assert answer_json(answer(WRITTEN)) == {
        "question": "How often?",
        "verdict": "answered",
        "statements": [
            {
                "text": "PPDiff succeeds in 50.00 % of cases.",
                "status": "written",
                "marker": 1,
                "paper_id": "p1",
                "evidence": [
                    {"start": 21, "end": 57, "text": "It reaches success rates of 50.00\\%."}
                ],
            }
        ],
        "papers": [
            {
                "marker": 1,
                "id": "p1",
                "title": "PPDiff: a diffusion model",
                "abstract": ABSTRACT,
                "sources": [{"file": "seeds.txt", "record_no": 3}],
            }
        ],
        "receipt": {
            "model": "qwen",
            "prompt_hash": "ab12",
            "index_version": "v1",
            "seed": 7,
            "timings": {"total": 3.21},
        },
    }


def test_json_evidence_is_the_slice_of_the_abstract_and_serialises():
    data = json.loads(json.dumps(answer_json(answer(QUOTED))))
    evidence = data["statements"][0]["evidence"][0]
    assert data["papers"][0]["abstract"][evidence["start"] : evidence["end"]] == evidence["text"]


def test_pipe_gets_statement_marker_and_source_with_the_quoted_sentence():
    done = StatementDone(WRITTEN)
    text = shown(events(answer(WRITTEN), Delta(1, "draft that "), Delta(1, "goes"), done))
    assert text.splitlines() == [
        "PPDiff succeeds in 50.00 % of cases. [1]",
        "",
        "Sources",
        "[1] PPDiff: a diffusion model",
        "    ICML 2025 · record 3 of seeds.txt",
        "    “It reaches success rates of 50.00%.”",
        "    https://github.com/x/ppdiff",
        "",
        "qwen · 3.2 s",
    ]


def test_quoted_statements_stand_in_quotation_marks():
    assert "“It reaches success rates of 50.00%.” [1]" in shown(events(answer(QUOTED)))


def test_terminal_sees_quotes_and_drafts_before_the_answer():
    text = shown(events(answer(WRITTEN), Delta(1, "half a dra")), terminal=True)
    assert text.index("Searching…") < text.index("It reaches") < text.index("half a dra")
    assert text.index("half a dra") < text.index("Sources")


def test_hyperlinks_only_on_a_terminal():
    assert "\x1b]8;" not in shown(events(answer(WRITTEN)))
    assert "\x1b]8;" in shown(events(answer(WRITTEN)), terminal=True)


def test_refusal_is_plain_and_lists_the_nearest_papers():
    text = shown([Stage("searching"), Done(answer(verdict="not_in_library"))])
    assert text.splitlines()[0] == "The library does not answer this."
    assert "Nearest papers" in text
    assert "[1] PPDiff: a diffusion model" in text


def test_note_and_partly_are_said():
    text = shown(events(answer(WRITTEN, verdict="partly", note="Nothing names X.")))
    assert "The library answers a part of this.\nNothing names X.\n" in text


def test_a_stopped_answer_does_not_blame_the_library():
    text = shown(events(answer(WRITTEN, verdict="partly", stopped=True)))
    assert "Stopped before the end." in text
    assert "a part of this" not in text


def test_escape_sequences_and_markup_of_an_abstract_do_not_act():
    hostile = Statement(
        "\x1b[2J\x1b]0;title\x07red [bold]x[/bold] :smile:\u202e\x9b1m", "quoted", 1, "p1", ()
    )
    text = shown(events(answer(hostile)))
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "\u202e" not in text
    assert "“[2J]0;titlered [bold]x[/bold] :smile:1m” [1]" in text


def test_an_answer_that_breaks_off_is_an_error_with_a_hint():
    with pytest.raises(AssistantError) as caught:
        shown([Stage("searching")])
    assert caught.value.hint


@pytest.mark.parametrize(
    "link",
    ["javascript:alert(1)", "data:text/html,x", "https://a b", 'https://a"b', "https://a\u202eb"],
)
def test_only_plain_web_addresses_are_links(link):
    assert not is_web_link(link)


def test_code_links_come_first_and_each_once():
    paper = Paper("p", "h", "a", doi="10.1/x", url="https://x.org", code_links=("https://x.org",))
    assert web_links(paper) == ["https://x.org", "https://doi.org/10.1/x"]
