"""RIS, in the dialects of the programs that write it.

A record runs from ``TY`` to ``ER``; either may be missing, and tags may stand before ``TY``. A
line without a tag goes on with the value before it. RefWorks' own format (``RT``) is read, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library.documents import Document
from assistant.library.readers import bibtex_values as values
from assistant.library.readers import ris_lines
from assistant.library.readers.common import Fields, build, unbracketed
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import (
    Block,
    one_abstract,
    split_list,
    split_people,
    unwrapped,
)
from assistant.types import Record, Rejected, Source

FORMAT = "ris"

TYPE_OF = {
    "JOUR": "article-journal",
    "JFULL": "article-journal",
    "EJOUR": "article-journal",
    "MGZN": "article-magazine",
    "ABST": "article-journal",
    "INPR": "article-journal",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "BOOK": "book",
    "WHOLE": "book",
    "EBOOK": "book",
    "EDBOOK": "book",
    "CHAP": "chapter",
    "ECHAP": "chapter",
    "THES": "thesis",
    "RPRT": "report",
    "UNPB": "article",
    "PREP": "article",
    "PREPRINT": "article",
}
_TYPE_WORDS = (
    ("section", "chapter"),
    ("chapter", "chapter"),
    ("book", "book"),
    ("conference", "paper-conference"),
    ("dissertation", "thesis"),
    ("thesis", "thesis"),
    ("report", "report"),
    ("magazine", "article-magazine"),
    ("preprint", "article"),
    ("journal", "article-journal"),
    ("article", "article-journal"),
)
_OTHER_FORMAT = re.compile(r"^(?:[A-Z]{3,4} {0,2}-(?: |$)|(?:VN|DB|UI) {1,2}- )")
_LEAST_TAGS = 4
_SHARE_OF_TAGS = 0.6
_ARXIV_TAGS = ("X2", "UR", "DO", "M1", "JO", "T2", "JF", "N1", "AN", "L1", "PB", "C7")
_DOI_TAGS = ("DO", "DI", "M3", "UR", "L3", "LK", "UL", "N1", "M1", "C7", "AN", "ID", "L1", "L2")
_DOI = re.compile(r"10\.\d{4,9}(?:/|%2[Ff])")
_PMID = re.compile(r"(?i)(?:pmid\W{0,3}|pubmed(?:\.ncbi)?[^\d]{1,30})(\d{4,9})(?!\d)")
_PMID_TAGS = ("X1", "U2", "C2", "C3", "N1", "UR", "L2", "AN", "M1", "ID", "C7", "U1", "M2", "NO")
_NUMBER = re.compile(r"\d{4,8}")
_OF_PUBMED = re.compile(r"pubmed|medline|\bnlm\b|db=(?:cmedm|mdc|mnh|mdl)\b")
_EDITED = frozenset({"CONF", "CPAPER", "CHAP", "ECHAP"})
_BOOKS = frozenset({"BOOK", "WHOLE", "CHAP", "EBOOK", "ECHAP", "EDBOOK"})


def recognises(peek: Peek) -> bool:
    """Tell whether a record of RIS begins within the first lines, be it without its ``TY``."""
    if any(ris_lines.beginning(line) for line in peek.lines):
        return True
    if len(peek.lines) < _LEAST_TAGS or any(map(_OTHER_FORMAT.match, peek.lines)):
        return False
    tags = [line[:2] for line in peek.lines if ris_lines.is_tag(line)]
    return (
        len(tags) >= max(_LEAST_TAGS, _SHARE_OF_TAGS * len(peek.lines))
        and not {"TI", "T1"}.isdisjoint(tags)
        and not {"AU", "A1", "AB", "N2", "PY", "Y1"}.isdisjoint(tags)
    )


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(ris_lines.blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract([unwrapped(text) for text in block.all("AB", "N2")])
    kind = block.first("TY").upper()
    venue = _venue(block, kind)
    title = block.first("TI", "T1", "CT")
    book = block.first("BT")
    others += values.other_abstracts(block.all("X5"))
    pages = [page for page in (block.first("SP"), block.first("EP", "OP")) if page]
    key = block.first("ID")
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=unbracketed(title or book or block.first("T2" if kind == "BOOK" else "ST")),
        authors=split_people(block.all("AU") or block.all("A1") or block.all("A2", "ED", "A3")),
        year=block.first("PY", "Y1", "YR", "DA", "FD"),
        venue=(venue if title != venue else "") or (book if title else ""),
        doi=next(filter(_DOI.search, block.all(*_DOI_TAGS)), ""),
        url=block.first("UR", "UL", "L2", "LK", "L1"),
        pmid=_pmid(block),
        arxiv_id=next((text for text in block.all(*_ARXIV_TAGS) if "arxiv" in text.lower()), ""),
        keywords=split_list(block.all("KW", "K1", "DE")),
        language=block.first("LA"),
        details={
            "type": block.first("X3") or _type(kind),
            "volume": block.first("VL", "VO"),
            "issue": block.first("IS"),
            "page": "-".join(pages) if len(set(pages)) > 1 else "".join(pages[:1]),
            "publisher": block.first("PB"),
            **_serial(block.first("SN"), kind),
            **({"ISBN": block.first("X4")} if block.first("X4") else {}),
            "citation-key": key if " " not in key else "",
        },
        line=block.line,
        exact=block.first("X9"),
    )


def _type(kind: str) -> str:
    if kind in TYPE_OF:
        return TYPE_OF[kind]
    return next((type_ for word, type_ in _TYPE_WORDS if word in kind.lower()), "")


def _venue(block: Block, kind: str) -> str:
    """Return the journal or the book of a record, in full where it is abbreviated as well."""
    full, short, second = block.first("JF", "JT"), block.first("JO"), block.first("T2")
    if not full and short and second and (kind in _EDITED or _abbreviates(short, second)):
        full = second
    return full or short or second or block.first("JA", "J2", "J1", "T3")


def _abbreviates(short: str, full: str) -> bool:
    """Tell whether each word of a name begins a word of the other, one behind the other."""
    words = iter(re.findall(r"\w+", full.lower()))
    parts = re.findall(r"\w+", short.lower())
    return len(short) < len(full) and all(
        any(word.startswith(part) for word in words) for part in parts
    )


def _serial(number: str, kind: str) -> dict[str, str]:
    number = number.partition("\n")[0]
    return {"ISBN" if kind in _BOOKS or "978" in number[:4] else "ISSN": number}


def _pmid(block: Block) -> str:
    """Return the PubMed number: where it says so itself, or where the database tells it."""
    for text in block.all(*_PMID_TAGS):
        if found := _PMID.search(text):
            return found.group(1)
    base = " ".join([*block.all("DB", "DP", "DS"), *block.all("UR")[:1]]).lower()
    places = ["PM"]
    if "embase" in base or re.match(r"L\d{6}", block.first("U2")):
        places += ["C5"]
    elif _OF_PUBMED.search(base):
        places += ["AN", "ID", "M1", "C7"]
    elif "scopus" in base:
        places += ["C2"]
    return next((text for text in block.all(*places) if _NUMBER.fullmatch(text)), "")
