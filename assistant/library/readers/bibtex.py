"""BibTeX and BibLaTeX, an entry at a time.

A file is cut into entries, and each is parsed by bibtexparser alone, so that what is broken in one
entry costs that entry and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers import bibtex_fields as fields
from assistant.library.readers import bibtex_values as values
from assistant.library.readers.bibtex_fields import Said
from assistant.library.readers.bibtex_pieces import Piece, pieces
from assistant.library.readers.common import build
from assistant.library.readers.peek import Peek
from assistant.types import Record, Rejected, Source

FORMAT = "bibtex"
TYPE_OF = fields.TYPE_OF

_PLAINLY = re.compile(
    r"(?i)\s*\ufeff?@\s*(?:(?:string|preamble|comment)\s*[{(]"
    r"|[a-z][\w+-]*\s*[{(]\s*(?:[^{}()=,]*,|[\w:./+-]*$|[a-z][\w -]*=))"
)
_NO_PAPERS = frozenset(
    {"comment", "preamble", "string", "set", "control", "ieeetranbstctl", "bibnote", "xdata"}
)
_PARENT = re.compile(r"""(?i)(?:crossref|xdata)\s*=\s*[{"]\s*([^}"]+)""")
_MOST_PARENTS = 50_000
_UNKEYED = re.compile(r"\s*[A-Za-z][\w-]*\s*=")
_HINT = "Look for a brace, a quotation mark or a comma that is missing in it."


class _Unreadable(Exception):
    """An entry is broken; says how."""


def recognises(peek: Peek) -> bool:
    """Tell whether an entry begins within the first lines."""
    if any(_PLAINLY.match(line) for line in peek.lines):
        return True
    # a long word of the licence, say, before the first entry
    return peek.name.lower().endswith(".bib") and all(line[:1] == "%" for line in peek.lines)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each entry became."""
    parents = _parents(document)
    number, macros = 0, dict(values.MONTHS)
    for piece in pieces(document):
        if piece.kind == "string":
            _learn(piece, macros)
        if piece.kind in _NO_PAPERS:
            continue
        number += 1
        source = Source(document.name, number, FORMAT, document.collection)
        try:
            said = _said(piece, macros)
        except _Unreadable as error:
            reason = f"the entry cannot be read: {error}"
            yield Rejected(source, reason, _HINT, line=piece.line, key=piece.key[:80])
            continue
        for parent in fields.parents_of(said):
            said = fields.inherited(said, parents.get(parent, {}), piece.kind)
        yield build(source, fields.fields_of(piece.kind, piece.key, said, piece.line))


def _parents(document: Document) -> dict[str, Said]:
    """Return what those entries say that others refer to; most files have none."""
    wanted: set[str] = set()
    for line in decode.lines(document):
        if "=" in line.text and len(wanted) < _MOST_PARENTS:
            for match in _PARENT.finditer(line.text):
                wanted.update(key.strip().lower() for key in match.group(1).split(","))
    found: dict[str, Said] = {}
    macros = dict(values.MONTHS)
    for piece in pieces(document) if wanted else ():
        if piece.kind == "string":
            _learn(piece, macros)
        elif piece.key.lower() in wanted:
            try:
                found.setdefault(piece.key.lower(), _said(piece, macros))
            except _Unreadable:
                continue  # it is told where its own turn comes
    return found


def _learn(piece: Piece, macros: dict[str, str]) -> None:
    """Remember the macros that a piece defines; one that cannot be read defines none."""
    try:
        macros |= {name: found[0] for name, found in _said(piece, macros).items()}
    except _Unreadable:
        return


def _said(piece: Piece, macros: Mapping[str, str]) -> Said:
    """Return the values of an entry's fields by name, in order; raise ``_Unreadable``."""
    if piece.broken:
        raise _Unreadable(piece.broken)
    shield = values.unused(piece.text)
    said: Said = {}
    for name, raw in _parsed(piece, shield):
        try:
            value = values.resolved(raw, macros)
        except ValueError as error:
            raise _Unreadable(f"{error} after `{name}`") from error
        value = value.replace(f"{shield}@", "@").replace(shield, "")
        said.setdefault(" ".join(name.lower().split()), []).append(value)
    return {
        name: kept
        for name, found in said.items()
        if (kept := [value for value in found if value.strip()])
    }


def _parsed(piece: Piece, shield: str) -> Iterator[tuple[str, str]]:
    """Yield names and raw values as bibtexparser finds them."""
    import logging

    import bibtexparser
    from bibtexparser import model

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    # its own key and kind, and a brace round it: the parser is strict about these
    body = piece.text.lstrip()[len(piece.key) :].lstrip()
    if body.startswith(","):
        body = body[1:]
    elif piece.key and _UNKEYED.match(body):
        raise _Unreadable("a comma is missing after its key")
    # a sign at the beginning of a line would be taken for another entry
    body = body.replace("@", f"{shield}@")
    if piece.literal:
        body = re.sub(r'\\(?=[{}"])', lambda _: f"\\{shield}", body)
    try:
        library = bibtexparser.parse_string(f"@entry{{k,{body}\n}}", parse_stack=[])
    except Exception as error:  # the library's own errors have no common class
        raise _Unreadable(_shortened(error)) from error
    for block in library.blocks:
        entry = getattr(block, "ignore_error_block", None) or block
        if isinstance(entry, model.Entry):
            for item in entry.fields:
                if item.key.strip():
                    yield item.key, str(item.value)
            return
        if isinstance(block, model.ParsingFailedBlock):
            raise _Unreadable(_shortened(block.error))
    raise _Unreadable("no whole entry is found in it")


def _shortened(error: object) -> str:
    text = " ".join(str(error).split())
    return (text.rpartition("syntactical error in bibtex: ")[2] or type(error).__name__)[
        :200
    ].rstrip(". ")
