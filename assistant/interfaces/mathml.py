r"""Turn the LaTeX formulas of abstracts into MathML that a page may hold.

The converter is a library whose output is not safe as it is: it passes ``\text{<b>}`` and
``\href{javascript:…}`` through. So its tree is taken, and only elements, attributes and values
that are known to be harmless are written out again. What it cannot read stays visible source.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from xml.etree.ElementTree import Element

from assistant.interfaces.safe_text import neutralised

LONGEST = 400  # characters of one formula; longer ones stay source
_DEEPEST = 24  # braces within braces; the converter recurses
_DEFINITIONS = re.compile(
    r"\\(?:re|provide)?newcommand|\\[gex]?def\b|\\let\b|\\DeclareMathOperator"
)
_IGNORED = re.compile(r"\\(?:xspace|label\{[^{}]*\}|nonumber|displaystyle|limits)(?![A-Za-z])")

_ELEMENTS = frozenset(
    {"math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "mstyle", "mpadded", "mphantom"}
    | {"msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mover", "munder", "munderover"}
    | {"mtable", "mtr", "mtd"}
)
_VOID = frozenset({"mspace"})
_LENGTH = re.compile(r"-?(?:0|\d(?:\.\d{1,4})?|0?\.\d{1,4})(?:em|ex|pt|px)?")
_WORD = re.compile(r"[a-z-]{1,24}")
_TRUTH = re.compile(r"true|false")
_ATTRIBUTES = {
    "mathvariant": _WORD,
    "stretchy": _TRUTH,
    "fence": _TRUTH,
    "form": _WORD,
    "accent": _TRUTH,
    "accentunder": _TRUTH,
    "movablelimits": _TRUTH,
    "displaystyle": _TRUTH,
    "scriptlevel": re.compile(r"\d"),
    "columnalign": re.compile(r"(?:left|right|center| ){1,60}"),
    "linethickness": _LENGTH,
    "width": _LENGTH,
    "height": _LENGTH,
    "depth": _LENGTH,
    "lspace": _LENGTH,
    "rspace": _LENGTH,
    "voffset": _LENGTH,
    "minsize": _LENGTH,
    "maxsize": _LENGTH,
}
_LONE_OPERATOR = re.compile(r"<math><mrow><mo[^>]*>([^<]*)</mo></mrow></math>")


class _CannotRender(ValueError):
    """The formula stays source."""


def formula(tex: str, source: str) -> str:
    r"""Return MathML for ``tex``, or ``source``, escaped, where it cannot be rendered.

    A lone operator, as in ``2.57$\times$``, is text: MathML would set it apart.
    """
    return _mathml(tex) or f'<span class="tex">{escape(neutralised(source))}</span>'


@lru_cache(maxsize=2048)
def _mathml(tex: str) -> str:
    """Return safe MathML; empty where ``tex`` is too long, too deep or not understood."""
    if len(tex) > LONGEST or _depth(tex) > _DEEPEST or _DEFINITIONS.search(tex):
        return ""
    from latex2mathml.converter import Converter

    try:
        tree = Converter().convert_to_element(_IGNORED.sub("", neutralised(tex)))
        written = _written(tree, top=True)
    except Exception:  # noqa: BLE001 - a broken formula raises nearly anything, even IndexError
        return ""
    lone = _LONE_OPERATOR.fullmatch(written)
    return lone[1] if lone else written


def _depth(tex: str) -> int:
    depth = deepest = 0
    for character in re.findall(r"\\left|\\right|\\begin|\\end|\\.|[{}^_]", tex):
        if character in {"{", "\\left", "\\begin"}:
            depth += 1
        elif character in {"}", "\\right", "\\end"}:
            depth -= 1
        deepest = max(deepest, depth)
    return deepest


def _written(element: Element, *, top: bool = False) -> str:
    inner = _text(element.text) + "".join(_written(child) + _text(child.tail) for child in element)
    if top:
        return f"<math>{inner}</math>"
    if element.tag not in _ELEMENTS:
        return inner
    attributes = "".join(
        f' {name}="{escape(value)}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES and _ATTRIBUTES[name].fullmatch(value)
    )
    if element.tag in _VOID:
        return f"<{element.tag}{attributes}></{element.tag}>"
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _text(text: str | None) -> str:
    if not text:
        return ""
    decoded = neutralised(unescape(text))
    if re.search(r"\\[A-Za-z]", decoded):  # a command that the converter does not know
        raise _CannotRender(decoded)
    return escape(decoded)
