"""The page's HTML of an exchange, a source card and the side bar."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

import pytest

from assistant.errors import LibraryError, ModelError
from assistant.interfaces.cards import LONGEST, card
from assistant.interfaces.progress import Progress
from assistant.interfaces.render import answer_text, citation
from assistant.interfaces.render_html import LEGEND, exchange, prose, statement_html
from assistant.interfaces.web.sidebar import sidebar
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

ABSTRACT = "We introduce **PPDiff**. It reaches rates of 50.00\\% with $k$ steps. It is fast."
SENTENCE = "It reaches rates of 50.00\\% with $k$ steps."
START = ABSTRACT.index(SENTENCE)
PAPER = Paper(
    id="p1",
    handle="PPDiff: a <b>diffusion</b> model",
    abstract=ABSTRACT,
    authors=("Ada Example",),
    year=2025,
    venue="ICML",
    code_links=("https://github.com/x/y", "javascript:alert(1)"),
    sources=(Source("seeds.txt", 3, "seed", "论文列表"),),
)
EVIDENCE = Evidence(
    Sentence("p1", 1, START, START + len(SENTENCE), "It reaches rates of 50.00% with k steps."), 0.9
)
QUOTED = Statement(EVIDENCE.sentence.text, "quoted", 1, "p1", (EVIDENCE,))
WRITTEN = Statement("PPDiff reaches 50.00 %.", "written", 1, "p1", (EVIDENCE,))
RECEIPT = Receipt("qwen", "h", "v", 7, {"total": 2.0})


def progress(*events, question="How often?"):
    so_far = Progress(question)
    for event in events:
        so_far.take(event)
    return so_far


def done(*statements, verdict="answered", **more):
    return Done(Answer("How often?", verdict, statements, (PAPER,), RECEIPT, **more))


def words(html):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_before_anything_comes_the_search_is_shown():
    html = exchange(progress(Stage("searching")), "turn-1")
    assert "Searching…" in html
    assert 'aria-busy="true"' in html


def test_quotes_come_first_with_their_source_card():
    html = exchange(progress(Quotes((QUOTED,), (PAPER,))), "turn-1")
    assert '<li class="statement quoted">' in html
    assert 'href="#turn-1-source-1"' in html
    assert 'id="turn-1-source-1"' in html


def test_a_draft_stands_over_its_quote_until_it_is_done():
    so_far = progress(
        Quotes((QUOTED,), (PAPER,)), Stage("writing", "PPDiff"), Delta(1, "PPDiff rea")
    )
    html = exchange(so_far, "turn-1")
    assert "Writing from PPDiff…" in html
    assert html.index("PPDiff rea") < html.index("“It reaches")
    so_far.take(StatementDone(WRITTEN))
    html = exchange(so_far, "turn-1")
    assert '<li class="statement written">' in html
    assert "“It reaches" not in html


def test_a_finished_answer_has_legend_receipt_and_copy_button():
    html = exchange(progress(Quotes((QUOTED,), (PAPER,)), done(WRITTEN, QUOTED)), "turn-1")
    assert 'aria-busy="false"' in html
    assert LEGEND["written"] in html
    assert LEGEND["quoted"] in html
    assert "qwen · 2.0 s" in html
    assert "Copy answer" in html


def test_the_legend_names_only_what_is_there():
    html = exchange(progress(Quotes((QUOTED,), (PAPER,)), done(QUOTED)), "turn-1")
    assert LEGEND["written"] not in html


def test_a_quote_is_set_from_the_abstract_formulas_and_all():
    html = statement_html(QUOTED, PAPER)
    assert html.startswith("“It reaches rates of 50.00% with <math>")


def test_two_quoted_sentences_show_what_is_left_out():
    first = Evidence(Sentence("p1", 0, 0, 24, "We introduce PPDiff."), 0.9)
    last = Evidence(Sentence("p1", 2, len(ABSTRACT) - 11, len(ABSTRACT), "It is fast."), 0.8)
    both = Statement("We introduce PPDiff. … It is fast.", "quoted", 1, "p1", (first, last))
    assert words(statement_html(both, PAPER)) == "“We introduce PPDiff . … It is fast.”"


def test_a_quote_without_its_evidence_falls_back_to_its_text():
    bare = Statement("Some <i>text</i>.", "quoted", 1, "p1", ())
    assert statement_html(bare, PAPER) == "“Some &lt;i&gt;text&lt;/i&gt;.”"


def test_refusal_is_plain_and_offers_the_nearest_papers():
    html = exchange(progress(Stage("searching"), done(verdict="not_in_library")), "turn-1")
    assert "The library does not answer this." in html
    assert "Nearest papers" in html
    assert '<details class="card"' in html
    assert "<mark" not in html


def test_error_shows_message_and_hint():
    so_far = progress()
    so_far.error = ModelError("No <model>.", "Run assistant models pull.")
    html = exchange(so_far, "turn-1")
    assert "No &lt;model&gt;." in html
    assert "<code>assistant models pull</code>" in html


def test_partly_note_and_stopped_are_said():
    partly = exchange(progress(done(WRITTEN, verdict="partly", note="Nothing names X.")), "turn-1")
    assert "only a part" in partly
    assert "Nothing names X." in partly
    stopped = exchange(progress(done(WRITTEN, verdict="partly", stopped=True)), "turn-1")
    assert "Stopped." in stopped
    assert "only a part" not in stopped


def test_question_is_escaped_kept_in_lines_and_cut():
    html = exchange(progress(question="<b>one</b>\ntwo " + "x" * 20_000), "turn-1")
    assert "&lt;b&gt;one&lt;/b&gt;\ntwo" in html
    assert "more characters" in html
    assert len(html) < 5_000


def test_card_marks_the_cited_sentence_in_the_whole_abstract():
    html = card(PAPER, 1, "turn-1", (WRITTEN,))
    marked = re.findall(r'<mark data-for="0">(.*?)</mark>', html)
    assert words("".join(marked)) == "It reaches rates of 50.00% with k steps."
    assert words(html).count("We introduce PPDiff") == 1


def test_card_names_collection_record_file_and_people():
    text = words(card(PAPER, 1, "turn-1"))
    assert "论文列表 · record 3 of seeds.txt" in text
    assert "Ada Example · ICML · 2025" in text
    assert "PPDiff: a <b>diffusion</b> model" in text


def test_card_links_go_out_safely_and_only_to_the_web():
    html = card(PAPER, 1, "turn-1")
    assert 'href="https://github.com/x/y" target="_blank" rel="noopener noreferrer"' in html
    assert "javascript" not in html


def test_card_of_a_book_shows_the_cited_part():
    book = Paper("p1", "Book", "filler words " * 10_000 + "The needle is here. " + "end " * 10_000)
    start = book.abstract.index("The needle")
    needle = Evidence(Sentence("p1", 9, start, start + 19, "The needle is here."), 0.9)
    html = card(book, 1, "turn-1", (Statement("x", "written", 1, "p1", (needle,)),))
    assert '<mark data-for="0">The needle is here.</mark>' in html
    assert len(html) < 2 * LONGEST
    assert "more characters" in html


def test_citation_says_what_is_known():
    assert citation(PAPER) == (
        "Ada Example. PPDiff: a <b>diffusion</b> model. ICML, 2025. https://github.com/x/y. "
        "Abstract in 论文列表 · record 3 of seeds.txt."
    )


def test_copied_answer_has_markers_and_sources():
    text = answer_text((WRITTEN, QUOTED), (PAPER,))
    assert text.startswith(
        "PPDiff reaches 50.00 %. [1]\n“It reaches rates of 50.00% with k steps.” [1]"
    )
    assert "\n\n[1] Ada Example. PPDiff" in text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Run: assistant models pull qwen2.5-q4_k_m.", "assistant models pull qwen2.5-q4_k_m"),
        ("Use `assistant doctor`, then ask.", "assistant doctor"),
        ("Set it with assistant models use NAME", "assistant models use NAME"),
    ],
)
def test_commands_are_set_as_code(text, html):
    assert f"<code>{html}</code>" in prose(text)


def test_prose_that_speaks_of_the_assistant_is_no_command():
    assert "<code>" not in prose("The assistant lists what it knows.")


@dataclass
class Told:
    papers: int = 3
    collections: dict[str, int] = field(default_factory=lambda: {"A": 1, "<B>": 2})
    model: str = "qwen"
    model_hint: str = ""
    embedder: str = "e"
    notes: tuple[str, ...] = ()


class Teller:
    def __init__(self, told):
        self.told = told

    def status(self):
        if isinstance(self.told, Exception):
            raise self.told
        return self.told


def test_side_bar_tells_size_collections_and_model():
    text = words(sidebar(Teller(Told())))
    assert "3 papers <B> 2 A 1" in text
    assert "qwen" in text
    assert "What it can't do" in text


def test_side_bar_without_a_model_gives_the_command():
    told = Told(model="", model_hint="qwen is not here. Run: assistant models pull qwen2.5_q4")
    html = sidebar(Teller(told))
    assert "No model." in html
    assert 'data-copy="assistant models pull qwen2.5_q4"' in html


def test_side_bar_of_an_empty_library_says_how_to_fill_it():
    assert "assistant ingest FILE" in sidebar(Teller(Told(papers=0, collections={})))


def test_side_bar_shows_what_is_wrong_with_the_library():
    html = sidebar(Teller(LibraryError("The library is broken.", "Run assistant doctor.")))
    assert "The library is broken." in html
    assert "<code>assistant doctor</code>" in html
