"""The lines of RIS, in every way that programs and people write its tags.

How a record's first line (``TY``) is written says how its other tags may be written: with a dash
and blanks round it as the format wants, without blanks, without a dash, in small letters,
indented. So a line of an abstract that begins with "IL-6" or "T2-weighted" is no tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.tagged import Block
from assistant.library.wordlists import listed

_KNOWN = frozenset(
    listed("""
    TY RT ER A1 A2 A3 A4 A5 AU AB AD AN AV AF BT C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DA DB DE
    DI DO DP ED EP ET FD H1 H2 ID IS J1 J2 JA JF JO JT K1 KW L1 L2 L3 L4 LA LB LK LL M1 M2 M3 N1
    N2 NO NV OL OP PA PB PM PP PY RD RI RN RP SE SF SL SN SP SR ST T1 T2 T3 TA TI TT U1 U2 U3 U4
    U5 UL UR UT VL VO WP WT X1 X2 X3 X4 X5 X9 Y1 Y2 YR DS CL
""")
)
_CODES = frozenset(
    listed("""
    ABST ADVS AGGR ANCIENT ART ARTICLE BILL BLOG BOOK CASE CHAP CHART CLSWK COMP CONF CPAPER
    CTLG DATA DBASE DICT EBOOK ECHAP EDBOOK EJOUR ELEC ENCYC EQUA FIGURE GEN GOVDOC GRANT HEAR
    ICOMM INPR JFULL JOUR LEGAL MANSCPT MAP MGZN MPCT MULTI MUSIC NEWS PAMP PAT PCOMM PREP
    PREPRINT RPRT SER SLIDE SOUND STAND STAT STD STUDY THES UNBILL UNPB UNPD VIDEO WEB WHOLE
""")
)
_BEGIN = re.compile(r"(?i)^( {0,12})TY( {0,4}- {0,4}| {1,4})([A-Z][A-Z /,()-]{0,39})?\s*$")
_REFWORKS = re.compile(
    r"^( {0,12})RT {1,4}((?:Journal|Book|Conference|Dissertation|Generic|Magazine|Newspaper|Report"
    r"|Thesis|Web|Abstract|Monograph|Patent|Unpublished|Journal Article)\b[\w ,./-]{0,40})$"
)
_USUAL = re.compile(r"^([A-Z][A-Z0-9]) {2,4}-(?: |$)?")
_NEAR = re.compile(r"^([A-Z][A-Z0-9])(?: -|-)(?: {1,2}|$)")
_SMALL = re.compile(r"^([a-z][a-z0-9]) {1,4}-(?: |$)")
_GLUED = re.compile(r"^([A-Z][A-Z0-9]) ?- ?")
_DASHLESS = re.compile(r"^([A-Za-z][A-Za-z0-9])(?: {1,2}(?=\S)|\s*$)")
_LONGER = re.compile(r"^(PMID|DOI|PMCID) {0,2}-(?: |$)")
_AS = {"PMID": "PM", "DOI": "DO", "PMCID": "C2"}
_BETWEEN = re.compile(r"^Record #\d+ of \d+\s*$|^Content: text/")
_PLAIN = {0xA0: " ", 0x9: " ", 0x2013: "-", 0x2014: "-", 0x2212: "-", 0x2010: "-", 0x2011: "-"}
_FIRST = frozenset({"TY", "ty", "Ty", "RT"})
_INDENT = re.compile(r"^ {1,6}")
_LONGEST_HEAD = 64


@dataclass(frozen=True, slots=True)
class _Style:
    """How the tags of a record are written."""

    indent: int = 0
    glued: bool = False
    dashless: bool = False
    small: bool = False

    def tag(self, text: str) -> tuple[str, str] | None:
        """Return tag and value of a line, or None where it only goes on."""
        if self.indent:
            text = text[min(self.indent, len(text) - len(text.lstrip())) :]
        head = text[:_LONGEST_HEAD].translate(_PLAIN)
        found = _USUAL.match(head)
        if not found:
            found = next((match for match in self._others(head) if match), None)
        if not found:
            return None
        name = found.group(1).upper()
        return _AS.get(name, name), text[found.end() :]

    def _others(self, head: str) -> Iterator[re.Match[str] | None]:
        yield _LONGER.match(head)
        ways = [_NEAR, _SMALL]
        ways += [_GLUED] if self.glued else []
        ways += [_DASHLESS] if self.dashless else []
        for way in ways:
            found = way.match(head)
            yield found if found and found.group(1).upper() in _KNOWN else None


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first line of a record says."""

    kind: str
    style: _Style


def beginning(line: str) -> Beginning | None:
    """Return what a line says that begins a record, or None where it begins none."""
    if len(line) > _LONGEST_HEAD or line.lstrip("\ufeff \t\xa0")[:2] not in _FIRST:
        return None
    text = line.removeprefix("\ufeff").translate(_PLAIN)
    if found := _REFWORKS.match(text):
        return Beginning(found.group(2).strip(), _Style(len(found.group(1)), dashless=True))
    found = _BEGIN.match(text)
    if not found:
        return None
    indent, joint, kind = len(found.group(1)), found.group(2), (found.group(3) or "").strip()
    is_usual = joint.startswith("  -") and text.lstrip().startswith("TY")
    if not is_usual and kind.upper() not in _CODES and not ("-" in joint and " " in joint and kind):
        return None
    return Beginning(
        kind,
        _Style(
            indent,
            glued="-" in joint and " " not in joint,
            dashless="-" not in joint,
            small=text.lstrip().startswith("ty"),
        ),
    )


def is_tag(line: str) -> bool:
    """Tell whether a line is a tag of RIS, written as the format wants it."""
    found = _USUAL.match(line)
    return found is not None and found.group(1) in _KNOWN


def blocks(document: Document) -> Iterator[Block]:
    """Yield the records as tags and values."""
    reading = _Reading()
    for line in decode.lines(document):
        yield from reading.take(line)
    if len(reading.block.fields) > 1 or reading.block.has("TY", "TI", "T1", "AB", "N2"):
        yield reading.block


class _Reading:
    """Where the reading of a file stands."""

    def __init__(self) -> None:
        self.block = Block(0)
        self._style = _Style()
        self._blank = 0

    def take(self, line: decode.Line) -> Iterator[Block]:
        """Take the next line, and yield the record that it ends."""
        text = line.text.removeprefix("\ufeff")
        if not text:
            self._blank += 1
        elif begun := beginning(text):
            if self._is_another():
                yield self._done()
            self._style = begun.style
            self._add(line.number, "TY", begun.kind)
        elif found := self._style.tag(text):
            if self.block and (found[0] == "ER" or self._begins_untyped(found[0])):
                yield self._done()
            if found[0] != "ER":
                self._add(line.number, *found)
        elif _BETWEEN.match(text) and self.block.has("TY"):
            yield self._done()  # its ER is missing
        else:
            self._go_on(text)

    def _go_on(self, text: str) -> None:
        """Take a line without a tag."""
        if not text.strip():
            self._blank += 1
        elif self.block and not _BETWEEN.match(text):
            # blank lines inside a value are paragraphs of it
            self.block.go_on(_INDENT.sub("", text), "\n" * (1 + self._blank))
            self._blank = 0

    def _is_another(self) -> bool:
        """Tell whether a ``TY`` ends the record before it, or belongs to tags before it."""
        if self.block.has("TY"):
            return len(self.block.fields) > 1
        return self._blank > 0 and self.block.has("TI", "T1", "AB", "N2")

    def _begins_untyped(self, tag: str) -> bool:
        """Tell whether a tag begins a record that has no ``TY``, behind one that has no ``ER``."""
        block = self.block
        return self._blank > 0 and not block.has("TY") and block.has(tag)

    def _add(self, number: int, tag: str, value: str) -> None:
        if tag == "TY":
            self.block.fields = [item for item in self.block.fields if item[0] != "TY"]
        self.block.line = self.block.line or number
        self._blank = 0
        self.block.add(tag, value)

    def _done(self) -> Block:
        done, self.block, self._blank = self.block, Block(0), 0
        return done
