"""XML: PubMed, EndNote and arXiv's feeds, streamed an element at a time.

defusedxml refuses what XML can do to a reader (entities that unfold, files from elsewhere).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import BROKEN, Document, unreadable
from assistant.library.readers import arxiv_atom, endnote_xml, pubmed_xml, xml_pieces
from assistant.library.readers.common import Fields, build
from assistant.library.readers.peek import Peek
from assistant.library.readers.xml_pieces import Piece
from assistant.library.readers.xml_text import local
from assistant.types import Record, Rejected, Source

_Maker: TypeAlias = Callable[[Any], Fields]

_OPENING = re.compile(r"<(?:\?xml|!DOCTYPE|!--|[A-Za-z][\w.-]*(?::[\w.-]+)?[\s>/])")
# The element that is one record: the format that it belongs to, and what reads it.
_RECORDS: dict[str, tuple[str, _Maker]] = {
    "PubmedArticle": ("pubmed-xml", pubmed_xml.fields),
    "PubmedBookArticle": ("pubmed-xml", pubmed_xml.book_fields),
    "MedlineCitation": ("pubmed-xml", pubmed_xml.fields),
    "record": ("endnote-xml", endnote_xml.fields),
    "entry": ("arxiv-atom", arxiv_atom.fields),
}
# Where unsound XML is cut into records: a citation of PubMed stands in an article, or by itself.
_CUT_AT = (("PubmedArticle", "PubmedBookArticle", "record", "entry"), ("MedlineCitation",))
_INSIDE = {"record": "records", "entry": "feed"}
_KNOWN = {
    "rss": "an RSS feed",
    **dict.fromkeys(("html", "head", "body", "div", "p", "h1", "h2", "ul", "main"), "a web page"),
    "modsCollection": "MODS",
    "mods": "MODS",
    "RDF": "RDF",
    "article": "a full text (JATS)",
    "TEI": "TEI",
    "collection": "MARCXML",
    "crossref_result": "Crossref's XML",
    "svg": "an image",
}
_HINT = "Export the records as RIS, BibTeX, CSV or PubMed XML, and import that file."


def recognises(peek: Peek) -> bool:
    """Tell whether a document begins as XML or HTML does."""
    return (
        bool(_OPENING.match(peek.first))
        and (len(peek.lines) > 1 or ">" in peek.first)
        and not re.match(r"<(?:b|i|em|strong|p|sub|sup|u|span)\b", peek.first)
    )


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became; raise ``ReadError`` for other XML, and where it breaks off.

    Where a parser cannot go on, the records behind are taken one by one.
    """
    number = 0
    try:
        for kind, element in _elements(document):
            number += 1
            yield build(_source(document, number, kind), _RECORDS[kind][1](element))
    except _UnsoundError as unsound:
        before = number
        for piece in _pieces(document, before):
            number += 1
            yield _of_piece(_source(document, number, piece.kind), piece)
        if number == before:
            raise unsound.told from unsound
    if not number:
        raise ReadError(f"{document.name} holds no records.", _HINT)


class _UnsoundError(Exception):
    """The parser gave up; ``told`` is what the reader hears if nothing can be saved."""

    def __init__(self, told: ReadError) -> None:
        super().__init__(told.message)
        self.told = told


def _unsound(document: Document, said: str) -> _UnsoundError:
    return _UnsoundError(
        ReadError(
            f"{document.name} is not sound XML: {said}.",
            "What stands before that is in. Export the file again to get the rest.",
        )
    )


def _source(document: Document, number: int, kind: str) -> Source:
    return Source(document.name, number, _RECORDS[kind][0], document.collection)


def _pieces(document: Document, known: int) -> Iterator[Piece]:
    """Yield the records behind those that are known."""
    for kinds in _CUT_AT:
        with decode.text(document) as handle:
            found = False
            for number, piece in enumerate(xml_pieces.pieces(handle, kinds)):
                found = True
                if number >= known:
                    yield piece
        if found:
            return


def _of_piece(source: Source, piece: Piece) -> Record | Rejected:
    try:
        fields = _RECORDS[piece.kind][1](xml_pieces.element(piece))
    except ValueError as error:
        return Rejected(
            source,
            f"the record is not sound XML: {error}",
            "Export this record again, or mend it in the file.",
            line=piece.line,
            key=piece.key,
        )
    return build(source, fields)


def _elements(document: Document) -> Iterator[tuple[str, Any]]:
    """Yield the elements that are records, each emptied when it has been read."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree

    _refuse_foreign(document)
    path: list[str] = []
    root: Any = None
    try:
        with document.open() as handle:
            events = ElementTree.iterparse(handle, events=("start", "end"), forbid_dtd=False)
            for event, element in events:
                name = local(element)
                if event == "start":
                    root = element if root is None else root
                    if name in _RECORDS and name in path:  # the one before was never closed
                        raise _unsound(document, "a record inside a record")
                    path.append(name)
                    continue
                path.pop()
                inside = not _INSIDE.get(name) or (path and path[-1] == _INSIDE[name])
                top = name == "MedlineCitation" and "PubmedArticle" in path
                if name in _RECORDS and (inside or not path) and not top:
                    yield name, element
                    element.clear()
                    _empty(root)
    except DefusedXmlException as error:
        raise ReadError(
            f"{document.name} defines entities, which XML can use to do harm.",
            "Export it again without them, or in another format.",
        ) from error
    except ParseError as error:
        said = f"{str(error).partition(':')[0]}, line {error.position[0]}"
        raise _unsound(document, said) from error
    except (*BROKEN, UnicodeError, LookupError, ValueError) as error:
        raise unreadable(document.name, error) from error


def _refuse_foreign(document: Document) -> None:
    """Say what other XML is, by its first element."""
    opening = ""
    for line in decode.lines(document):
        opening += line.text[:4000] + "\n"
        if re.search(r"<[A-Za-z]", opening) or len(opening) > 20_000:  # noqa: PLR2004
            break
    found = re.search(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)", opening)
    name = found.group(1) if found else ""
    known = _KNOWN.get(name) or _KNOWN.get(name.lower(), "")
    if known or re.search(r"(?i)<!doctype\s+html", opening):
        raise ReadError(f"{document.name} is {known or 'a web page'}, which is not read.", _HINT)


def _empty(root: Any) -> None:
    """Let go of what has been read: the root would keep every record's empty shell."""
    for child in list(root):
        if local(child) in {"records", "PubmedArticleSet"}:
            child.clear()
        else:
            root.remove(child)
