"""What was found, as data, for the eye, and taken along."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from findings_world import ABSTRACT, BATS, ECHO, FOUND, HOSTILE
from rich.console import Console

from assistant.errors import LibraryError
from assistant.interfaces import findings_export
from assistant.interfaces.findings import bar, findings_json, matching_words, percent
from assistant.interfaces.findings_export import escaped, format_of
from assistant.interfaces.findings_text import print_findings
from assistant.types import Evidence, Filters, Findings, Idea, Match, Reason


def shown(findings: Findings, idea: Idea | None = None, **options) -> str:
    out = io.StringIO()
    print_findings(findings, idea or Idea("x"), Console(file=out, width=200), **options)
    return out.getvalue()


def marked(text: str, facet: str) -> list[str]:
    return [text[start:end] for start, end in matching_words(text, facet)]


def exported(findings: Findings, format_: str) -> str:
    out = io.StringIO()
    findings_export.write(findings, format_, out)
    return out.getvalue()


def test_a_reason_is_a_slice_of_the_abstract_and_what_is_missing_is_listed():
    first, second = findings_json(FOUND)["matches"]
    (why,) = first["why"]
    assert ABSTRACT[why["start"] : why["end"]] == why["text"]
    assert "<b>moths</b>" in why["text"]
    assert first["missing"] == ["with a long nose"]
    assert (second["why"], len(second["missing"])) == ([], 2)
    assert first["sources"] == [{"file": "zoo.txt", "record_no": 1}]
    assert second["title"] == HOSTILE.title


def test_words_match_whatever_their_endings_and_stop_words_do_not():
    assert marked("Hunters hunt in the dark.", "hunting in the cave") == ["hunt"]
    assert marked("A Peri-LN layer and periln.", "Peri-LN") == ["Peri-LN", "periln"]
    assert marked("Nothing here.", "hunting") == []


def test_words_of_text_without_spaces_match_as_pairs():
    assert marked("我们提出扩散模型的方法", "扩散模型") == ["扩散模型"]


@pytest.mark.parametrize(
    ("score", "cells"), [(0.0, "▁▁▁▁▁"), (0.82, "▇▇▇▇▁"), (1.0, "▇▇▇▇▇"), (1.2, "▇▇▇▇▇")]
)
def test_a_bar_has_five_cells(score, cells):
    assert bar(score) == cells


def test_percent_is_rounded():
    assert percent(0.825) in {"82 %", "83 %"}


def test_a_paper_stands_with_what_meets_each_facet_and_what_does_not():
    text = shown(FOUND)
    assert "▇▇▇▇▁  82 %  Hunting by echo" in text
    assert "Jane Doe, Richard Roe · Caves · 2020 · 10.1000/(bats) · p1" in text
    assert "✓ hunting in the darkness: “They find 3 moths a minute in total darkness.”" in text
    assert "✗ not met: with a long nose" in text
    assert "Read as: “hunting” for “huntign”." in text
    assert "1 to 2 of 12; --page 2 goes on." in text


def test_matching_words_are_bold_in_a_terminal():
    out = io.StringIO()
    print_findings(FOUND, Idea("x"), Console(file=out, width=200, force_terminal=True))
    assert re.search(r"\x1b\[1mdarkness\x1b\[0m", out.getvalue())
    assert not re.search(r"\x1b\[1m[^\x1b]*moths", out.getvalue())


def test_text_of_files_does_not_act_on_a_terminal():
    assert "\x1b" not in shown(FOUND)
    assert "<script>alert(1)</script>" in shown(FOUND)


def test_a_paper_without_an_abstract_says_so():
    assert shown(FOUND).count("No abstract: found by its title.") == 1


def test_an_idea_of_one_part_is_not_said_again():
    reason = Reason("hunting", Evidence(ECHO, 0.9))
    one = Findings("hunting", ("hunting",), (Match(1, BATS, 0.9, (reason,)),), 1, close=True)
    text = shown(one)
    assert "“Bats hunt by echo.”" in text
    assert "hunting:" not in text
    assert "--page" not in text


def test_nothing_close_is_said_and_nothing_at_all_as_well():
    assert "Nothing here is close; the nearest:" in shown(replace(FOUND, close=False))
    nothing = Findings("x", ("x",), (), 0, close=False)
    assert shown(nothing).strip() == "Nothing was found."
    assert "these filters" in shown(nothing, Idea("x", filters=Filters(year_from=3000)))
    beyond = replace(nothing, total=12)
    assert "past the last page: 12 papers on 2 pages" in shown(beyond, Idea("x", offset=90))


def test_what_was_left_unread_of_a_very_long_idea_is_said():
    assert "were not looked at" not in shown(FOUND)
    assert "its last 1,234 characters were not looked at" in shown(replace(FOUND, unread=1_234))
    assert findings_json(replace(FOUND, unread=7))["unread"] == 7


def test_what_is_new_is_marked():
    text = shown(FOUND, new={"p1"})
    assert "new  Hunting by echo" in text
    assert text.count("new  ") == 1


def test_markdown_has_a_number_a_link_and_the_quotes():
    text = exported(FOUND, "markdown")
    assert "\n1. **Hunting by echo**  \n" in text
    assert "   Jane Doe, Richard Roe · Caves · 2020 · " in text
    assert "[10.1000/(bats)](https://doi.org/10.1000/%28bats%29)" in text
    assert "- *hunting in the darkness*: “They find 3 moths a minute in total darkness.”" in text
    assert "- not met: *with a long nose*" in text


def test_no_text_acts_as_markdown_or_html():
    line = next(line for line in exported(FOUND, "markdown").splitlines() if "Moles" in line)
    assert line == (
        r"2. **\[31m\# \*Moles\* &lt;script&gt;alert(1)&lt;/script&gt; "
        r"\[x\](javascript:alert(1)) \| a b \`c\` \$d\$**  "
    )


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("see https://a.b and www.c.d", r"see https\://a.b and www\.c.d"),
        ("a:smile: @me #1", r"a\:smile: \@me \#1"),
        ("PPDiff: 50\\%", r"PPDiff: 50\\%"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("one\n\n# two\u202e", r"one \# two"),
    ],
)
def test_escaping(text, safe):
    assert escaped(text) == safe


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://a.b/x y", "ftp://a.b"])
def test_an_address_that_may_not_be_offered_is_no_link(url):
    paper = replace(BATS, doi="", url=url)
    text = exported(replace(FOUND, matches=(Match(1, paper, 0.5),)), "markdown")
    assert "](" not in text


@pytest.mark.parametrize("format_", findings_export.FORMATS)
def test_every_format_takes_every_paper_of_the_page(format_):
    out = io.StringIO()
    assert findings_export.write(FOUND, format_, out) == 2
    assert "Hunting by echo" in out.getvalue()


def test_the_format_is_named_or_told_by_the_ending():
    assert format_of("", "a.MD") == "markdown"
    assert format_of("", "a.json") == "csl-json"
    assert format_of("ris", "-") == "ris"
    for name, file in (("doc", "a.md"), ("", "a.doc"), ("", "-")):
        with pytest.raises(LibraryError) as raised:
            format_of(name, file)
        assert "bibtex, ris, csv, markdown" in raised.value.hint


def test_of_a_long_facet_the_beginning_is_shown():
    facet = "hunting for moths in the darkness " * 3
    reason = Reason(facet, None)
    text = shown(replace(FOUND, matches=(Match(1, BATS, 0.5, (reason,)),)))
    assert "✗ not met: hunting for moths in the darkness hunting for moths in the…\n" in text
