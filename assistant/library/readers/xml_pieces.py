"""Records out of XML that is not sound: cut at their tags, mended, and parsed one by one.

Exports hold control characters, bare ampersands and entities of HTML, and a parser stops at the
first. Here a record that cannot be mended is rejected by itself, and those behind it are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.entities import html5
from typing import Any, TextIO

_BLOCK = 1 << 16
_LONGEST = 4_000_000  # characters of one record: what is longer has lost its end
_LONGEST_TAG = 200
_KEY = re.compile(
    r"<(?:\w+:)?(PMID|ArticleTitle|title|accession-num|id)\b[^>]*>(.{1,300}?)</", re.DOTALL
)
_TAGS = re.compile(r"<[^>]*>?")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_MARKS = re.compile(
    r"(?P<as_is><!\[CDATA\[.*?\]\]>|<!--.*?-->)"
    r"|&(?:#(?P<decimal>\d{1,8})|#[xX](?P<hex>[0-9a-fA-F]{1,7})|(?P<name>[A-Za-z][A-Za-z0-9]*));"
    r"|(?P<bare>&|<(?![A-Za-z_/!?]))",
    re.DOTALL,
)
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one record from its opening tag on, and the line where it begins."""

    kind: str
    text: str
    line: int
    whole: bool

    @property
    def key(self) -> str:
        """Return what names the record: its number or its title."""
        found = _KEY.search(self.text)
        return " ".join(_TAGS.sub("", found.group(2)).split())[:80] if found else ""


def pieces(handle: TextIO, kinds: Sequence[str]) -> Iterator[Piece]:
    """Yield the records of these names; one that is not closed ends where the next begins."""
    tag = re.compile(rf"<(/?)(?:[\w.-]+:)?({'|'.join(map(re.escape, kinds))})(?=[\s>/])")
    text, line, at, kind = "", 1, 0, ""  # while a record is open, the text begins with it
    ended = False
    while not ended:
        block = handle.read(_BLOCK)
        ended, text = not block, text + block
        # a tag that begins before this stands here whole
        sure = len(text) if ended else len(text) - _LONGEST_TAG
        while (found := tag.search(text, at)) and found.start() < sure:
            closing = bool(found[1])
            at = found.end()
            if kind and closing and found[2] == kind:
                at = (text.find(">", at) + 1) or len(text)
                yield Piece(kind, text[:at], line, True)
                kind = ""
            elif kind and not closing:
                at = found.start()
                yield Piece(kind, text[:at], line, False)
                kind = ""
            if not closing:
                at, kind = found.start(), found[2]
            if not kind or not closing:
                line += text.count("\n", 0, at)
                text, sure, at = text[at:], sure - at, 1 if kind else 0
        at = max(at, sure)
        if kind and (ended or len(text) > _LONGEST):
            yield Piece(kind, text, line, False)
            kind = ""
        if not kind:
            line += text.count("\n", 0, at)
            text, at = text[at:], 0


def element(piece: Piece) -> Any:
    """Return the parsed record, mended where that is needed; raise ``ValueError`` otherwise."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree

    if not piece.whole:
        raise ValueError("it breaks off before its end")
    body = mended(piece.text)
    names = sorted(set(_PREFIX.findall(body)) - {"xml", "xmlns"})
    spaces = "".join(f' xmlns:{name}="urn:{name}"' for name in names)
    try:
        return ElementTree.fromstring(f"<x{spaces}>{body}</x>")[0]
    except (ParseError, DefusedXmlException) as error:
        raise ValueError(str(error).partition(":")[0]) from error


def mended(text: str) -> str:
    """Return XML without what no XML may hold: controls, bare marks, entities nobody defined."""
    return _MARKS.sub(_mark, _CONTROLS.sub(" ", text))


def _mark(found: re.Match[str]) -> str:
    if found["as_is"]:
        return found[0]
    if found["bare"]:
        return "&amp;" if found["bare"] == "&" else "&lt;"
    if name := found["name"]:
        letters = html5.get(f"{name};")
        if name in _OF_XML:
            return found[0]
        return "".join(f"&#{ord(c)};" for c in letters) if letters else f"&amp;{name};"
    code = int(found["decimal"] or found["hex"], 10 if found["decimal"] else 16)
    allowed = code in {9, 10, 13} or (code >= 32 and code <= 0x10FFFF)  # noqa: PLR2004
    return found[0] if allowed and not _CONTROLS.match(chr(code)) else " "
