"""The plain form reads well, loses no word, and leads back to the text as it came."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library.cleaning import normalized, plain


@pytest.mark.parametrize(
    ("original", "expected"),
    [
        # formulas
        ("$k$-nearest neighbor ($k$NN)", "k-nearest neighbor (kNN)"),
        ("rates of 50.00\\%, 23.16\\%", "rates of 50.00%, 23.16%"),
        ("design $\\mathcal{M}^{Shap}$, a", "design M^Shap, a"),
        ("up to 2.57$\\times$ speedup", "up to 2.57× speedup"),
        ("a dosage of $\\frac{1}{2}$ for", "a dosage of 1/2 for"),
        ("$1+O(\\frac{\\ln(n)}{n})$", "1+O(ln(n)/n)"),
        ("$O\\big(kp^{3k}\\ln(p)\\big)$", "O(kp^(3k)ln(p))"),
        ("$\\mathcal{C}^{\\ast}$-algebras, a $\\mathcal{C}^{\\ast}$-algebra", "C^*-algebras, a C^*-algebra"),
        ("all possible $2^p$ combinations", "all possible 2^p combinations"),
        ("$\\sqrt{x+1}$ and $\\frac{a+b}{c}$", "√(x+1) and (a+b)/c"),
        ("$\\hat{\\mathbf{x}}_{i,j} \\in \\mathbb{R}^d$", "x_(i,j) ∈ R^d"),
        ("$$E = mc^2$$ and \\(a \\leq b\\) and \\[x\\]", "E = mc^2 and a ≤ b and x"),
        ("a n{\\texttimes}d matrix", "a n×d matrix"),
        # money is no formula
        ("it costs $5 and $10 a month", "it costs $5 and $10 a month"),
        ("US$3.5M, or \\$7, and $k$ more", "US$3.5M, or $7, and k more"),
        ("from $5 to $k$", "from $5 to k"),
        # emphasis
        ("(**M**onomial m**A**trix)", "(Monomial mAtrix)"),
        ("***D***istributional ***A***dversarial", "Distributional Adversarial"),
        ("A _combinatorial intervention_, in snake_case_words", "A combinatorial intervention, in snake_case_words"),
        ("*can it?* DSLA-*Serve* is **3.0×** (*e.g.*, GPT)", "can it? DSLA-Serve is 3.0× (e.g., GPT)"),
        ("*missingness-avoiding* (MA)", "missingness-avoiding (MA)"),
        ("alleles CYP2D6*4/*4 and CYP2C19*2", "alleles CYP2D6*4/*4 and CYP2C19*2"),
        ("G*Power 3 and 2*3*4 and A* and p* < 0.05", "G*Power 3 and 2*3*4 and A* and p* < 0.05"),
        ("def __init__ and __Bold__ and `code_x`", "def __init__ and Bold and code_x"),
        ("\\textbf{Foo} and \\emph{bar \\textit{x}}", "Foo and bar x"),
        # links
        ("at \\url{https://github.com/dariansal/ESPFormer}.", "at https://github.com/dariansal/ESPFormer."),
        ("at [GitHub Link](https://github.com/a/b_c).", "at GitHub Link (https://github.com/a/b_c)."),
        ("at [https://x.org/a_b](https://x.org/a_b).", "at https://x.org/a_b."),
        ("**https://x.org/a**, *see* it", "https://x.org/a, see it"),
        ("\\href{https://x.org}{here} and <https://y.org>", "https://x.org (here) and https://y.org"),
        # HTML and entities
        ("<i>E. coli</i>, CO<sub>2</sub> &amp; p &lt; 0.05", "E. coli, CO2 & p < 0.05"),
        ("<jats:p>One.</jats:p><jats:p>Two.</jats:p>", "One. Two."),
        ("<script>alert(1)</script> and <eos> stay", "<script>alert(1)</script> and <eos> stay"),
        ("AT&T and R&D; a &unknown; thing", "AT&T and R&D; a &unknown; thing"),
        ("&amp;lt;5 &amp;amp; b, &lt;i&gt;E. coli&lt;/i&gt;", "<5 & b, E. coli"),
        ("p < 0.05 and x > 3, a <b and c> d, n <p and q> 5", "p < 0.05 and x > 3, a <b and c> d, n <p and q> 5"),
        ("<h4>Aim</h4>To see. <ul><li>one</li><li>two</li></ul>", "Aim To see. one two"),
        ('<p class="x">A <a href="http://x.org">link</a></p><!-- no -->', "A link"),
        ("<![CDATA[Text of it]]>", "Text of it"),
        ("CO<inf>2</inf>, 10<ce:sup>-3</ce:sup><br/>new", "CO2, 10-3 new"),
        ("<s>[INST] a <mask> b</s>", "<s>[INST] a <mask> b</s>"),
        # words broken at the end of a line
        ("opti-\nmization and opti\u00ad\n  mization", "optimization and optimization"),
        ("state-of-the-\nart, pre-\ntrained, low-\r\nrank, COVID-\n19, T-\n cell, Foo-\nBar", "state-of-the-art, pre-trained, low-rank, COVID-19, T-cell, Foo-Bar"),
        ("low-\nand high-income, short- to long-term", "low- and high-income, short- to long-term"),
        ("a regu- larization; regularization", "a regularization; regularization"),
        ("re-\nsample or re-sample", "re-sample or re-sample"),
        ("1990-\n2000, a - b, word- first", "1990-2000, a - b, word- first"),
        # accents and letters
        ("{\\textcopyright} 2007, \\textcopyright{} x, {\\textbeta}-cell", "© 2007, © x, β-cell"),
        ("it\\'s, K\\'s, caf\\'e, {\\'s}", "it's, K's, café, ś"),
        ("CO\\textsubscript{2} \\ensuremath{\\alpha} ``so''", "CO2 α “so”"),
        ("{{Double}} {DNA}, 50{\\%}, {\\textasciitilde}5, a\\_b", "Double DNA, 50%, ~5, a_b"),
        ("Erd\\H{o}s, G\\\"odel, {\\\"o}, na\\\"{\\i}ve, \\'e, Fran\\c{c}ois", "Erdős, Gödel, ö, naïve, é, François"),
        ("cafe\u0301 in e\ufb03cient", "café in efficient"),
        # white space and what is not seen
        (" a\u00a0b \n\t c\r\nd ", "a b c d"),
        ("soft\u00adhyphen zero\u200bwidth \ufeffbom \u202ebidi", "softhyphen zerowidth bom bidi"),
        ("bell\x07 escape\x1b[31m nul\x00", "bell escape nul"),
        ("\x1b]0;title\x07red \x1b[1;31mtext\x1b[0m", "red text"),
        ("a\u2009b\u202fc\u3000d \u2028e", "a b c d e"),
        ("Ａｂｃ１２，５％", "Abc12，5%"),
        ("", ""),
        ("  \n ", ""),
        ("$", "$"),
        ("a $ b $ c * d * e _ f", "a $ b $ c * d * e _ f"),
    ],
)  # fmt: skip
def test_dress_goes_and_words_stay(original: str, expected: str) -> None:
    assert plain(original).text == expected


def test_a_slice_of_the_plain_form_leads_back_with_its_dress() -> None:
    original = "We call it **LeTE**, of rate 50.00\\% and $\\mathcal{M}^{Shap}$."
    form = plain(original)

    def back(words: str) -> str:
        start = form.text.index(words)
        first, last = form.original_span(start, start + len(words))
        return original[first:last]

    assert back("LeTE") == "**LeTE**"
    assert back("50.00%") == "50.00\\%"
    assert back("M^Shap") == "$\\mathcal{M}^{Shap}$"
    assert back(form.text) == original


def test_emphasis_of_a_whole_sentence_belongs_to_it() -> None:
    original = "First one. *Is it so?* Last one."
    form = plain(original)
    start = form.text.index("Is")
    first, last = form.original_span(start, start + len("Is it so?"))
    assert original[first:last] == "*Is it so?*"


def test_a_slice_outside_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="no slice"):
        plain("abc").original_span(1, 9)


def test_case_and_dress_do_not_tell_texts_apart() -> None:
    assert normalized("**We** show  $k$-means\n&amp; more") == normalized("we show k-means & MORE")
    assert normalized("Ｗｅ ﬁnd") == "we find"
    assert normalized("a b") != normalized("ab")


MARKS = st.sampled_from(
    ["$", "*", "**", "_", "\\", "{", "}", "\\frac{", "\\url{", "[a](https://b.c)", "&amp;", "<i>", "-\n", "- ", "\u00ad", "\x1b[1m", "<!--", "Ａ",
     "^", "a", "B ", "1", " ", "\n", "́", "\u200b", "\\(", "\\)", "https://x.y", "\\'", "`", "\x00"]
)  # fmt: skip
TEXTS = st.text(max_size=60) | st.lists(MARKS, max_size=40).map("".join)


@settings(deadline=None)
@given(TEXTS)
def test_every_text_has_a_plain_form_with_a_sound_map(original: str) -> None:
    form = plain(original)
    offsets, ends = list(form.offsets), list(form.ends)
    assert len(offsets) == len(form.text) + 1
    assert len(ends) == len(form.text)
    assert offsets == sorted(offsets)
    assert ends == sorted(ends)
    assert offsets[-1] == len(original)
    assert all(
        0 <= first < last <= len(original) for first, last in zip(offsets, ends, strict=False)
    )
    assert form.text == " ".join(form.text.split(" "))
    assert form.text == form.text.strip(" ")
    assert "\n" not in form.text


@settings(deadline=None)
@given(TEXTS, st.data())
def test_every_slice_has_a_span_and_spans_keep_their_order(
    original: str, data: st.DataObject
) -> None:
    form = plain(original)
    if not form.text:
        return
    middle = data.draw(st.integers(1, len(form.text)))
    first, last = form.original_span(0, middle)
    assert 0 <= first < last <= len(original)
    if middle < len(form.text):
        start, end = form.original_span(middle, len(form.text))
        assert start >= form.offsets[middle - 1]
        assert first <= start
        assert last <= end


@settings(deadline=None)
@given(st.text(alphabet="abc xyz.,", max_size=80))
def test_plain_words_are_their_own_plain_form(original: str) -> None:
    assert plain(original).text == " ".join(original.split())


@pytest.mark.parametrize(
    "piece", ["$", "*a", "**", "_a", "[", "\\url{", "\\frac{", "<b ", "{", "`", "a$b*"]
)
def test_hostile_repetition_ends_soon(piece: str) -> None:
    # no clock: what is quadratic without bound would hang the run here
    assert isinstance(plain(piece * (40_000 // len(piece))).text, str)
