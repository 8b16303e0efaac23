"""Write text that came from somebody else as HTML: its Markdown and LaTeX rendered, HTML shown.

The text is parsed into pieces that each know the slice they stand for. A highlight, given in
coordinates of the original, cuts text pieces where it begins and ends, and takes formulas and
other atoms whole. Elements are written in one fixed order of nesting, so that a highlight that
begins inside bold text and ends inside a link is still well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import pairwise

from assistant.interfaces.emphasis import Mark, emphasis
from assistant.interfaces.mathml import formula
from assistant.interfaces.render import is_web_link
from assistant.interfaces.safe_text import UNSEEN, shown_as
from assistant.library.latex import SYMBOLS
from assistant.library.latex_letters import compose

_WHOLE = 50_000  # characters; longer texts are parsed in part
_AROUND = 2_000
_DEEPEST = 3  # a link in bold in a link: further down, marks stay text
_TARGET = 'target="_blank" rel="noopener noreferrer"'

_TOKEN = re.compile(
    r"\\(?:url|nolinkurl|path)\s*\{(?P<url>[^{}\s]{1,2000})\}"
    r"|\\href\s*\{(?P<href>[^{}\s]{1,2000})\}\s*\{(?P<href_label>[^{}]{1,500})\}"
    r"|!?\[(?P<label>[^\[\]]{1,500})\]\(<?(?P<target>https?://[^\s()<>]{1,2000})>?\)"
    r"|<(?P<auto>https?://[^\s<>]{1,2000})>"
    r"|(?P<ticks>`{1,3})(?P<code>[^`\n]{1,400})(?P=ticks)(?!`)"
    r"|(?P<bare>https?://[^\s<>\"]{0,2000}[^\s<>*_.,;:!?)\]}'\"])"
    r"|(?<!\\)\$\$(?P<display>[^$]{1,400})\$\$"
    r"|(?<![\\$])\$(?!\s)(?P<inline>[^$]{1,400}?)(?<![\s\\])\$"
    r"|\\\((?P<paren>.{1,400}?)\\\)"
    r"|\\\[(?P<bracket>.{1,400}?)\\\]"
    r"|\{?\\(?:(?P<accent>[\"'`^~=.])\s*|(?P<accent_word>[cvuHkr])(?=\{))"
    r"\{?\\?(?P<letter>[A-Za-z])\}?\}?"
    r"|\\(?P<style>textbf|textit|emph|texttt|textrm|textsf|textsc|underline|mathrm|text)"
    r"\s*\{(?P<styled>[^{}]{1,500})\}"
    r"|\\(?P<symbol>[A-Za-z]{1,20})(?![A-Za-z])(?:\{\})?"
    r"|\\(?P<escaped>[%&#_$*~{}|<>\[\]`+.!\\-])"
    r"|(?P<entity>&(?:[A-Za-z][A-Za-z0-9]{1,30}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});)",
    re.DOTALL,
)
_LATEXISH = re.compile(r"[\\^_{}=<>]")
_PROSE = re.compile(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}")
_STYLES = {"textbf": "strong", "textit": "em", "emph": "em", "texttt": "code"}


@dataclass(frozen=True, slots=True)
class Highlight:
    """A slice ``[start, end)`` of the original to mark, for the statement ``owner``."""

    start: int
    end: int
    owner: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """What ``source[start:end]`` looks like; None for ``html`` means: like itself, cut freely."""

    start: int
    end: int
    html: str | None = None
    strong: bool = False
    em: bool = False
    code: bool = False
    href: str = ""


def text_html(
    source: str, highlights: Sequence[Highlight] = (), start: int = 0, end: int | None = None
) -> str:
    """Return ``source[start:end]`` as HTML; highlights are in coordinates of ``source``.

    Every character of the source is either shown, escaped, or part of markup that is rendered.
    """
    stop = len(source) if end is None else end
    low, high = 0, len(source)
    if high > _WHOLE:  # a whole book in one record: look at the slice and a little around it
        low, high = max(0, start - _AROUND), min(high, stop + _AROUND)
    writer = _Writer()
    for piece in _parse(source, low, high, _Piece(0, 0), 0):
        if piece.end > start and piece.start < stop:
            for part, owners in _cut(_clipped(piece, start, stop), highlights):
                writer.write(part, owners, _inner(source, part))
    return writer.finish()


def _clipped(piece: _Piece, start: int, end: int) -> _Piece:
    if piece.html is not None:
        return piece
    return replace(piece, start=max(piece.start, start), end=min(piece.end, end))


def _inner(source: str, piece: _Piece) -> str:
    if piece.html is not None:
        return piece.html
    return escape(shown(source[piece.start : piece.end]))


def shown(text: str) -> str:
    """Return ``text`` without characters that act instead of being seen; line breaks stay."""
    return UNSEEN.sub(lambda found: "\n" if found[0] == "\n" else shown_as(found[0]), text)


# --------------------------------------------------------------------------- parsing


def _parse(source: str, low: int, high: int, style: _Piece, depth: int) -> Iterator[_Piece]:
    """Yield the pieces of ``source[low:high]`` in order."""
    atoms = list(_atoms(source, low, high, style, depth))
    marks = emphasis(source, low, high, [(found.start(), found.end()) for found, _ in atoms])
    tokens: list[tuple[int, int, list[_Piece] | Mark]] = [
        *((found.start(), found.end(), pieces) for found, pieces in atoms),
        *((mark.start, mark.end, mark) for mark in marks),
    ]
    position, bold, slanted = low, 0, 0
    for start, end, token in sorted(tokens, key=lambda token: token[:2]):
        dress = replace(style, strong=style.strong or bold > 0, em=style.em or slanted > 0)
        if position < start:
            yield replace(dress, start=position, end=start)
        if isinstance(token, Mark):
            step = 1 if token.opens else -1
            bold += step * token.strong
            slanted += step * token.slanted
        else:
            for piece in token:
                yield replace(piece, strong=piece.strong or dress.strong, em=piece.em or dress.em)
        position = end
    if position < high:
        yield replace(style, start=position, end=high)


def _atoms(
    source: str, low: int, high: int, style: _Piece, depth: int
) -> Iterator[tuple[re.Match[str], list[_Piece]]]:
    """Yield what is not plain text, with the pieces that it becomes."""
    position = low
    while found := _TOKEN.search(source, position, high):
        pieces = _pieces(source, found, style, depth)
        if pieces is None:
            position = found.start() + 1
        else:
            yield found, pieces
            position = found.end()


def _pieces(source: str, found: re.Match[str], style: _Piece, depth: int) -> list[_Piece] | None:
    """Return what a token becomes; None where it is plain text after all."""
    groups = found.groupdict()
    whole = replace(style, start=found.start(), end=found.end())
    for name in ("url", "auto", "bare"):
        if groups[name]:
            return _link(found.span(name), groups[name], whole)
    if groups["target"] or groups["href"]:
        label = "label" if groups["target"] else "href_label"
        return _labelled(
            source, found.span(label), groups["target"] or groups["href"], style, depth
        )
    for name in ("inline", "display", "paren", "bracket"):
        if groups[name]:
            if name == "inline" and not _is_formula(source, found):
                return None
            return [replace(whole, html=formula(groups[name].strip(), found[0]))]
    if groups["code"]:
        start, end = found.span("code")
        return [replace(whole, start=start, end=end, code=True)]
    if groups["styled"]:
        return _styled(source, found, style, depth)
    stands_for = _stands_for(groups)
    return None if stands_for is None else [replace(whole, html=escape(stands_for))]


def _stands_for(groups: dict[str, str | None]) -> str | None:
    """Return the characters that an escape or an entity stands for; None where it is neither."""
    if groups["letter"]:
        return compose(groups["accent"] or groups["accent_word"] or "", groups["letter"])
    if groups["symbol"]:
        return SYMBOLS.get(groups["symbol"])
    if groups["entity"]:
        decoded = unescape(groups["entity"])
        return None if decoded == groups["entity"] else shown(decoded)
    return groups["escaped"]


def _link(span: tuple[int, int], url: str, whole: _Piece) -> list[_Piece] | None:
    href = re.sub(r"\\([_%#&~])", r"\1", url)
    if not is_web_link(href):
        return None
    start, end = span
    if href != url:
        return [replace(whole, html=escape(href), href=href)]
    return [replace(whole, start=start, end=end, href=href)]


def _labelled(
    source: str, span: tuple[int, int], url: str, style: _Piece, depth: int
) -> list[_Piece] | None:
    href = re.sub(r"\\([_%#&~])", r"\1", url)
    if not is_web_link(href) or depth >= _DEEPEST:
        return None
    inner = _parse(source, *span, style, depth + 1)
    return [replace(piece, href=href) for piece in inner]


def _styled(source: str, found: re.Match[str], style: _Piece, depth: int) -> list[_Piece] | None:
    if depth >= _DEEPEST:
        return None
    kind = _STYLES.get(found["style"], "")
    dress = replace(
        style,
        strong=style.strong or kind == "strong",
        em=style.em or kind == "em",
        code=style.code or kind == "code",
    )
    return list(_parse(source, *found.span("styled"), dress, depth + 1))


def _is_formula(source: str, found: re.Match[str]) -> bool:
    """Tell a formula from two sums of money."""
    inner = found["inline"]
    latexish = bool(_LATEXISH.search(inner))
    if source[found.end() : found.end() + 1].isdigit() and not latexish:
        return False
    return latexish or not (inner[0].isdigit() and _PROSE.search(inner))


# --------------------------------------------------------------------------- writing


def _cut(
    piece: _Piece, highlights: Iterable[Highlight]
) -> Iterator[tuple[_Piece, tuple[int, ...]]]:
    """Yield the parts of a piece with the owners of the highlights that lie over each."""
    near = [h for h in highlights if h.start < piece.end and h.end > piece.start]
    if piece.html is not None:
        yield piece, tuple(sorted({h.owner for h in near}))
        return
    inner = {edge for h in near for edge in (h.start, h.end) if piece.start < edge < piece.end}
    edges = [piece.start, *sorted(inner), piece.end]
    for start, end in pairwise(edges):
        owners = {h.owner for h in near if h.start <= start and h.end >= end}
        yield replace(piece, start=start, end=end), tuple(sorted(owners))


class _Writer:
    """Opens and closes elements in one order of nesting: mark, a, strong, em, code."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._open: list[str] = []

    def write(self, piece: _Piece, owners: tuple[int, ...], html: str) -> None:
        if not html:
            return
        self._turn_to(_tags(piece, owners))
        self._out.append(html)

    def finish(self) -> str:
        self._turn_to([])
        return "".join(self._out)

    def _turn_to(self, wanted: list[str]) -> None:
        same = 0
        while same < min(len(wanted), len(self._open)) and wanted[same] == self._open[same]:
            same += 1
        for tag in reversed(self._open[same:]):
            self._out.append(f"</{tag.split(' ', 1)[0]}>")
        self._out.extend(f"<{tag}>" for tag in wanted[same:])
        self._open = wanted


def _tags(piece: _Piece, owners: tuple[int, ...]) -> list[str]:
    tags: list[str] = []
    if owners:
        tags.append(f'mark data-for="{" ".join(map(str, owners))}"')
    if piece.href:
        tags.append(f'a href="{escape(piece.href)}" {_TARGET}')
    tags += [tag for tag in ("strong", "em", "code") if getattr(piece, tag)]
    return tags
