"""Formulas: what is rendered, what stays source, and that nothing else gets through."""

from __future__ import annotations

import re

import pytest

from assistant.interfaces.mathml import LONGEST, formula


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        ("k", "<mi>k</mi>"),
        (r"\mathcal{M}^{Shap}", "<msup><mi>ℳ</mi>"),
        (r"\frac{1}{2}", "<mfrac>"),
        (r"x \times y", "<mo>×</mo>"),
        (r"1+O(\frac{\ln(n)}{n})", "<mi>ln</mi>"),
        (r"O\big(kp^{3k}\ln(p)\big)", "<msup><mi>p</mi>"),
        (r"\mathcal{C}^{\ast}", "<mo>*</mo>"),
        (r"50\%", "<mi>%</mi>"),
    ],
)
def test_formulas_of_abstracts(tex, part):
    assert part in formula(tex, f"${tex}$")


def test_a_lone_operator_is_text():
    assert formula(r"\times", r"$\times$") == "×"
    assert formula("<", "$<$") == "&lt;"


@pytest.mark.parametrize(
    "tex",
    [
        r"\unknowncommand{x}",
        r"{{{",
        r"\left(",
        r"x^2^3",
        r"\def\a{\a\a}\a",
        r"\newcommand{\x}{\x\x}\x",
        "{" * 60 + "}" * 60,
        "x" * (LONGEST + 1),
        r"\sqrt" * 50,
    ],
)
def test_what_cannot_be_rendered_stays_source(tex):
    assert formula(tex, f"${tex}$") == f'<span class="tex">${tex}$</span>'


def test_source_that_stays_is_escaped():
    assert formula(r"\nope{<b>}", r"$\nope{<b>}$") == r'<span class="tex">$\nope{&lt;b&gt;}$</span>'


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\class{marker}{x}",
        r"\id{question}{x}",
        r"\style{position:fixed;inset:0}{x}",
        r"\color{red;background:url(//x.org)}{x}",
        r"\hspace{9999em}x",
        r"\rule{1000em}{1000em}",
    ],
)
def test_only_harmless_elements_and_attributes_get_through(tex):
    html = formula(tex, tex)
    allowed = {
        "mathvariant", "stretchy", "fence", "form", "accent", "displaystyle", "scriptlevel",
        "width", "height", "depth", "minsize", "maxsize",
    }  # fmt: skip
    if html.startswith('<span class="tex">'):
        html = html.removeprefix('<span class="tex">').removesuffix("</span>")
    for tag, attributes in re.findall(r"<(\w+)([^>]*)>", html):
        assert tag.startswith("m")
        assert set(re.findall(r"(\w+)=", attributes)) <= allowed
    assert not re.search(r"<[^>]*(javascript|question|marker|9999|1000|url)", html)
