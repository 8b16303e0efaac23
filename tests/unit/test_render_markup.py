"""Abstracts as HTML: what is rendered, what stays text, and where highlights fall."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.interfaces.markup_html import Highlight, shown, text_html
from assistant.library import cleaning, sentences

OUT = 'target="_blank" rel="noopener noreferrer"'


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def marked(html: str) -> str:
    return text_of("".join(re.findall(r"<mark[^>]*>(.*?)</mark>", html, re.DOTALL)))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


class _Nesting(HTMLParser):
    """Knows whether every element is closed, in order, and is one that the writer makes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong = False
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        self.wrong |= not self.open or self.open.pop() != tag


def is_well_formed(html: str) -> bool:
    nesting = _Nesting()
    nesting.feed(html)
    nesting.close()
    math = {tag for tag in nesting.seen if tag.startswith("m") and tag != "mark"}
    known = {"mark", "a", "strong", "em", "code", "span"} | math
    return not nesting.wrong and not nesting.open and nesting.seen <= known


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (r"rates of 50.00\%, 23\%", "rates of 50.00%, 23%"),
        ("**LeTE** and *it*", "<strong>LeTE</strong> and <em>it</em>"),
        ("***D***istributional", "<strong><em>D</em></strong>istributional"),
        ("(**M**onomial m**A**trix)", "(<strong>M</strong>onomial m<strong>A</strong>trix)"),
        ("_factorial design_,", "<em>factorial design</em>,"),
        ("DSLA-*Serve*", "DSLA-<em>Serve</em>"),
        (r"\textbf{bold} \emph{it}", "<strong>bold</strong> <em>it</em>"),
        ("`a<b`", "<code>a&lt;b</code>"),
        (r"G\"odel, Erd\H{o}s", "Gödel, Erdős"),
        ("R&amp;D &lt;b&gt;", "R&amp;D &lt;b&gt;"),
        ("a_b_c, __init__, 2*3*4, A* and B*", "a_b_c, __init__, 2*3*4, A* and B*"),
        ("costs $5 and $10", "costs $5 and $10"),
        ("US$5M vs. US$3M", "US$5M vs. US$3M"),
    ],
)
def test_markdown_and_latex_of_prose(source, html):
    assert text_html(source) == html


def test_a_formula_runs_into_the_word_after_it():
    assert text_html("$k$NN") == "<math><mrow><mi>k</mi></mrow></math>NN"


@pytest.mark.parametrize(
    ("source", "href", "label"),
    [
        (r"\url{https://x.org/a_b}", "https://x.org/a_b", "https://x.org/a_b"),
        ("[Code](https://x.org/a_b)", "https://x.org/a_b", "Code"),
        (r"\href{https://x.org/a\_b}{here}", "https://x.org/a_b", "here"),
        ("https://x.org/a_b", "https://x.org/a_b", "https://x.org/a_b"),
        ("<https://x.org>", "https://x.org", "https://x.org"),
    ],
)
def test_links_of_every_form(source, href, label):
    assert text_html(f"see {source}.") == f'see <a href="{href}" {OUT}>{label}</a>.'


def test_a_bare_link_leaves_the_parenthesis_and_the_full_stop():
    html = text_html("(code: https://x.org/a).")
    assert html == f'(code: <a href="https://x.org/a" {OUT}>https://x.org/a</a>).'


@pytest.mark.parametrize(
    "source",
    [
        "[x](javascript:alert(1))",
        r"\url{javascript:alert(1)}",
        r"\href{data:text/html,x}{y}",
        '<a href="https://x.org">',
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        '[a](https://x.org/"onclick="alert(1))',
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{position:fixed}{x}$",
    ],
)
def test_hostile_text_makes_no_element_and_no_address(source):
    html = text_html(source)
    assert is_well_formed(html)
    assert not re.search(r"<[^>]*(?:javascript|data:|onerror|onclick=\"|style=)", html)


def test_html_stays_visible_text():
    source = "<script>alert(1)</script> <b>x</b>"
    assert text_of(text_html(source)) == source


def test_control_and_bidi_characters_do_not_act():
    assert text_html("a\u202eb\x00c\x1b[2J\u2066d\u200be") == "abc[2Jde"
    assert text_html("&#x202e;x") == "x"
    assert shown("one\ntwo\tthree") == "one\ntwo three"


@pytest.mark.parametrize(
    ("slice_", "html"),
    [
        ("ab", '<mark data-for="0">ab</mark> <strong>cd ef</strong> gh'),
        ("**cd", 'ab <mark data-for="0"><strong>cd</strong></mark><strong> ef</strong> gh'),
        (
            "d e",
            'ab <strong>c</strong><mark data-for="0"><strong>d e</strong></mark><strong>f</strong> gh',
        ),
        ("ef** g", 'ab <strong>cd </strong><mark data-for="0"><strong>ef</strong> g</mark>h'),
    ],
)
def test_a_highlight_survives_markup(slice_, html):
    source = "ab **cd ef** gh"
    start = source.index(slice_)
    assert text_html(source, [Highlight(start, start + len(slice_))]) == html


def test_overlapping_highlights_know_their_owners():
    html = text_html("abcdef", [Highlight(0, 4, 0), Highlight(2, 6, 1)])
    assert html == (
        '<mark data-for="0">ab</mark><mark data-for="0 1">cd</mark><mark data-for="1">ef</mark>'
    )


def test_a_highlight_that_touches_a_formula_takes_it_whole():
    source = "let $k^2$ be"
    assert marked(text_html(source, [Highlight(0, 6)])) == "let k2"


def test_every_sentence_of_the_seeds_is_marked_exactly(seeds_dir):
    """The marked text is the plain form of the slice, wherever the sentence holds no formula."""
    checked = 0
    for file in sorted(seeds_dir.glob("*.txt")):
        for abstract in file.read_text("utf-8").split("\n\n")[1:]:
            for sentence in sentences.split(cleaning.plain(abstract), "p"):
                html = text_html(abstract, [Highlight(sentence.start, sentence.end)])
                assert is_well_formed(html)
                if "$" not in abstract[sentence.start : sentence.end]:
                    text = re.sub(r" ?\(https?://\S+\)", "", sentence.text)
                    shown_text = re.sub(r" ?\(https?://\S+\)", "", marked(html))
                    assert squeezed(shown_text).rstrip(".") == squeezed(text).rstrip(".")
                    checked += 1
    assert checked > 200


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab *_$\\{}[]()<>&`%;#\n\u202ehttps:/x.", max_size=60), st.data())
def test_any_text_with_any_highlight_is_well_formed(source, data):
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    html = text_html(source, [Highlight(start, end)])
    assert is_well_formed(html)
    assert text_of(html) == text_of(text_html(source))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab <>&\"'\x00\x1b", max_size=60))
def test_text_without_markup_is_shown_as_it_is(source):
    assert text_of(text_html(source)) == shown(source)


def test_a_book_in_one_record_is_parsed_around_the_slice_alone():
    source = "word " * 1_000_000 + "**end**"
    html = text_html(source, [Highlight(10, 20)], 0, 100)
    assert "<mark" in html
    assert len(html) < 300
