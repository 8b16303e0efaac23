"""Take Markdown, links and formula marks off, and know where they must be left alone."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator

from assistant.library import latex
from assistant.library.mapped import Mapped, join

_MAX_EMPHASIS = 400
_INITIAL = 2

_LATEX_URL = re.compile(r"\\(?:url|nolinkurl|path)\s*\{([^{}\s]{1,2000})\}")
_PLAIN_TWIN = re.compile(
    r"\\texorpdfstring\s*\{(?:[^{}]|\{[^{}]*\}){0,400}\}\s*\{((?:[^{}]|\{[^{}]*\}){0,400})\}"
)
_LATEX_LINK = re.compile(r"\\href\s*\{([^{}\s]{1,2000})\}\s*\{([^{}]{0,500})\}")
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\((?:<?)(https?://[^\s()<>]{1,2000})(?:>?)\)")
_AUTOLINK = re.compile(r"<(https?://[^\s<>]{1,2000})>")
_CODE = re.compile(r"(`{1,3})([^`\n]{1,400})\1(?!`)")
_SPECIAL = re.compile(
    r"(?P<url>https?://[^\s<>]*[^\s<>*_.,;:!?)\]}])"
    r"|(?<!\\)\$\$(?P<display>[^$]{1,400})\$\$"
    r"|(?<![\\$])\$(?!\s)(?P<inline>[^$]{1,400}?)(?<![\s\\])\$"
    r"|\\\((?P<paren>.{1,400}?)\\\)"
    r"|\\\[(?P<bracket>.{1,400}?)\\\]"
)
_MAY_BE_SPECIAL = re.compile(r"\$|://|\\[(\[]")
_LATEXISH = re.compile(r"[\\^_{}=<>]")
_PROSE = re.compile(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}")
_RUN = re.compile(r"\*{1,3}|_{1,3}")


def strip_markup(text: Mapped) -> Mapped:
    """Return ``text`` without Markdown and LaTeX dress; URLs and formulas are kept whole."""
    text = _links(text)
    pieces: list[Mapped] = []
    special = list(_specials(text.text)) if _MAY_BE_SPECIAL.search(text.text) else []
    dropped = _emphasis(text.text, special)
    position = 0
    for start, end, inner in special:
        pieces.append(_words(text, position, start, dropped))
        pieces.append(latex.formula(text.slice(*inner)) if inner else _url(text.slice(start, end)))
        position = end
    pieces.append(_words(text, position, len(text.text), dropped))
    return join(pieces) if len(pieces) > 1 else pieces[0]


def _links(text: Mapped) -> Mapped:
    if "\\" in text.text:
        text = text.rewrite(_PLAIN_TWIN, _first_group)
        text = text.rewrite(_LATEX_URL, _first_group)
        text = text.rewrite(_LATEX_LINK, lambda whole, match: _link(whole, match, 2, 1))
    if "](" in text.text:
        text = text.rewrite(_LINK, lambda whole, match: _link(whole, match, 1, 2))
    if "<http" in text.text:
        text = text.rewrite(_AUTOLINK, _first_group)
    if "`" in text.text:
        text = text.rewrite(_CODE, lambda whole, match: (whole.slice(*match.span(2)),))
    return text


def _first_group(text: Mapped, match: re.Match[str]) -> tuple[Mapped]:
    return (text.slice(*match.span(1)),)


def _link(text: Mapped, match: re.Match[str], label: int, url: int) -> list[Mapped]:
    """Return "label (url)", or the URL alone where the label says nothing else."""
    target = text.slice(*match.span(url))
    name = match[label].strip().rstrip("/")
    if not name or name == match[url].rstrip("/"):
        return [target]
    opening = text.literal(" (", match.start(url) - 1, match.start(url))
    closing = text.literal(")", match.end() - 1, match.end())
    if label > url:  # \href{url}{label}: the order in the text is kept, or the map would run back
        return [target, opening, text.slice(*match.span(label)), closing]
    return [text.slice(*match.span(label)), opening, target, closing]


def _specials(text: str) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    """Yield (start, end, inside of a formula or None for a URL)."""
    position = 0
    while match := _SPECIAL.search(text, position):
        kind = match.lastgroup or ""
        if kind != "url" and not _is_formula(text, match, kind):
            position = match.start() + 1
            continue
        yield match.start(), match.end(), None if kind == "url" else match.span(kind)
        position = match.end()


def _is_formula(text: str, match: re.Match[str], kind: str) -> bool:
    """Tell a formula from two sums of money."""
    if kind != "inline":
        return True
    inner = match[kind]
    latexish = bool(_LATEXISH.search(inner))
    if text[match.end() : match.end() + 1].isdigit() and not latexish:
        return False
    return latexish or not (inner[0].isdigit() and _PROSE.search(inner))


def _url(text: Mapped) -> Mapped:
    return text.sub(re.compile(r"\\([_%#&~])"), lambda match: match[1])


def _words(text: Mapped, start: int, end: int, dropped: list[tuple[int, int]]) -> Mapped:
    """Return a stretch outside formulas, emphasis marks dropped."""
    pieces: list[Mapped] = []
    position = start
    for first, last in dropped[bisect_left(dropped, (start, 0)) : bisect_left(dropped, (end, 0))]:
        pieces.append(text.slice(position, first))
        position = last
    if not pieces:
        return latex.words(text.slice(start, end))
    pieces.append(text.slice(position, end))
    return latex.words(join(pieces))


def _emphasis(
    text: str, special: list[tuple[int, int, tuple[int, int] | None]]
) -> list[tuple[int, int]]:
    """Return the marks of Markdown emphasis, in order; a mark without its partner stays.

    Pairs are found as CommonMark finds them, kept simple: runs of equal length, not too far
    apart, none inside formulas and URLs.
    """
    if "*" not in text and "_" not in text:
        return []
    found: list[tuple[int, int]] = []
    open_runs: list[re.Match[str]] = []
    protected = iter(special)
    zone = next(protected, None)
    for run in _RUN.finditer(text):
        while zone and zone[1] <= run.start():
            zone = next(protected, None)
        if (zone and zone[0] <= run.start()) or text[run.start() - 1 : run.start()] == "\\":
            continue
        opens, closes = _flanks(text, run)
        partner = _partner(open_runs, run) if closes else None
        if partner is not None:
            opening = open_runs[partner]
            del open_runs[partner:]
            if not _is_name(text, opening, run):
                found += [opening.span(), run.span()]
        elif opens:
            open_runs.append(run)
    return sorted(found)


def _partner(open_runs: list[re.Match[str]], run: re.Match[str]) -> int | None:
    for index in range(len(open_runs) - 1, max(-1, len(open_runs) - 20), -1):
        opening = open_runs[index]
        if run.start() - opening.end() > _MAX_EMPHASIS:
            return None
        if opening.group() == run.group():
            return index
    return None


def _is_name(text: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Tell ``__init__``, ``G*Power*3`` and ``CYP2D6*4/*4`` from emphasis."""
    inside = text[opening.end() : closing.start()]
    if opening.group() == "__":
        return inside.isidentifier() and inside.islower()
    before, after = (
        text[opening.start() - 1 : opening.start()],
        text[closing.end() : closing.end() + 1],
    )
    inner_star = before.isalnum() or (after.isalnum() and len(inside) > _INITIAL)
    return opening.group() == "*" and inner_star


def _flanks(text: str, run: re.Match[str]) -> tuple[bool, bool]:
    """Return whether a run of marks can open and can close emphasis, by CommonMark's rules."""
    before = text[run.start() - 1] if run.start() else " "
    after = text[run.end()] if run.end() < len(text) else " "
    left = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
    right = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
    if run.group().startswith("_"):
        return left and (not right or _is_mark(before)), right and (not left or _is_mark(after))
    return left, right


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
