"""LaTeX in titles and names, as reference managers write it, reads plain."""

from __future__ import annotations

import pytest

from assistant.library.cleaning import plain


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"{\'{E}}tude {\"u}ber na{\"\i}ve M{\"{o}}se", "Étude über naïve Möse"),
        (r"{\v s}a \v Certik \c Sahin Erd\H os Er{d\H{o}}s", "ša Čertik Şahin Erdős Erdős"),
        (r"\L ukasz {\L}ukasz \L{}ukasz \AA rhus {\dj}", "Łukasz Łukasz Łukasz Århus đ"),
        (r"Stra{\ss}e {\O}vre \'\i\'{\j}", "Straße Øvre íj́"),
        (r"{\it in vivo} {\em With\/} {\bf x}", "in vivo With x"),
        (r"{X}{\_}1 and DNA$_{\textrm{2}}$", "X_1 and DNA_2"),
        (r"sets \{\vphantom{\}}1, 2\vphantom{\{}\}", "sets {1, 2}"),
        (r"1\,000 a\ b", "1 000 a b"),
        (r"\texorpdfstring{$\alpha$-rays}{alpha-rays}", "alpha-rays"),
        (r"\foreignlanguage{german}{Wort} \enquote{so} \MakeUppercase{x}", "Wort “so” x"),
        (r"\textit{a \textbf{{\'e}} c}", "a é c"),
    ],
)
def test_titles_and_names_read_plain(written: str, read: str) -> None:
    assert plain(written).text == read


@pytest.mark.parametrize(
    "piece",
    [
        "{\\it ",
        "\\vphantom{\\}",
        "\\texorpdfstring{",
        "\\c  ",
        "\\'{",
        "{\\'",
        "\\enquote{",
        "{\\L ",
    ],
)
def test_marks_without_end_are_read_to_their_end(piece: str) -> None:
    # no clock: what backtracks without bound would hang the run here
    assert isinstance(plain(piece * 10_000).text, str)
