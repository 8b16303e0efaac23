"""PubMed's own format (nbib, MEDLINE): four-letter tags, values that go on six spaces in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.library import decode
from assistant.library.documents import Document
from assistant.library.readers.common import Fields, build, unbracketed
from assistant.library.readers.peek import Peek
from assistant.library.readers.tagged import Block, one_abstract
from assistant.library.wordlists import listed
from assistant.types import OtherAbstract, Record, Rejected, Source

FORMAT = "medline"

# As the format wants it: filled up to four letters; or with a blank behind the dash at least
_TAG = re.compile(r"^(?=.{4}-)([A-Z][A-Z0-9]{1,3}) {0,2}-(?: |$)(.*)$")
_NEAR = re.compile(r"^([A-Z][A-Z0-9]{1,3}) {0,2}-(?: |$)(.*)$")
_PMID = re.compile(r"^(\ufeff?\s{0,8})PMID {0,2}(?:[-:] {0,2}| )(\d{1,9})\s*$")
_BEGIN = re.compile(r"^PMID {0,2}- {0,2}\d+")
_OWN = re.compile(r"^(?:OWN|STAT|DCOM|FAU|JID|EDAT|MHDA|CRDT|PHST|PST|AID|LID) {0,2}-(?: |$)")
_KNOWN = frozenset(
    listed("""
    AB AD AID AU AUID BTI CDAT CI CIN CN COI COIS CON CRDT CTDT CTI DA DCOM DEP DP DRDT ECI ECF
    ED EDAT EFR EIN EN ER FAU FED FIR FPS GN GR GS IP IR IRAD IS ISBN JID JT LA LID LR MH MHDA
    MID OAB OABL OCI OID ORI OT OTO OWN PB PG PHST PL PMC PMCR PMID PRIN PS PST PT PUBM RF RIN
    RN ROF RPF RPI SB SFM SI SO SPIN STAT TA TI TT UIN UOF VI VTI
""")
)
_ONCE = frozenset({"PMID", "PMC", "PMCR", "OWN", "STAT", "TI", "DP"})
_OTHER = re.compile(r"^(Publisher|AIDS|KIE|NASA|Plain(?:-| )[Ll]anguage[^:]*): ", re.IGNORECASE)
_LEAST_TAGS = 2


def recognises(peek: Peek) -> bool:
    """Tell whether a record of PubMed begins within the first lines."""
    if any(map(_BEGIN.match, peek.lines)):
        return True
    own = {line[:4] for line in peek.lines if _OWN.match(line)}
    tags = sum(bool(_TAG.match(line)) for line in peek.lines)
    numbered = any(map(_PMID.match, peek.lines))
    return len(own) >= _LEAST_TAGS or (numbered and tags >= _LEAST_TAGS)


def read(document: Document) -> Iterator[Record | Rejected]:
    """Yield what each record became."""
    for number, block in enumerate(_blocks(document), 1):
        source = Source(document.name, number, FORMAT, document.collection)
        yield build(source, _fields(block))


def _blocks(document: Document) -> Iterator[Block]:
    """Yield the records; each begins at its PMID, or after a blank line where it has none."""
    block, blank, indent = Block(0), False, 0
    for line in decode.lines(document):
        if not line.text.strip():
            blank = True
            continue
        numbered = _PMID.match(line.text)
        if numbered:
            indent = len(numbered.group(1).lstrip("\ufeff"))
        text = line.text[min(indent, len(line.text) - len(line.text.lstrip())) :]
        tag, value = ("PMID", numbered.group(2)) if numbered else _tag(text)
        if not tag:
            # a line of nobody behind a blank one belongs to no field but a text
            if not blank or text.startswith(" ") or block.last in {"AB", "OAB"}:
                block.go_on(text.strip(), " ")
            continue
        if block and (tag in {"PMID", "ER"} or (blank and _is_another(block, tag))):
            yield block
            block = Block(0)
        blank = False
        if tag != "ER":
            block.line = block.line or line.number
            block.add(tag, value)
    if block:
        yield block


def _tag(text: str) -> tuple[str, str]:
    """Return tag and value of a line, or blanks where it only goes on."""
    text = text.removeprefix("\ufeff")
    if text.startswith("    "):
        return "", ""
    found = _TAG.match(text) or _NEAR.match(text)
    if not found or (found.re is _NEAR and found.group(1) not in _KNOWN):
        return "", ""
    return found.group(1), found.group(2)


def _is_another(block: Block, tag: str) -> bool:
    return tag == block.fields[0][0] or (tag in _ONCE and block.has(tag))


def _fields(block: Block) -> Fields:
    abstract, others = one_abstract(block.all("AB"))
    languages = block.all("OABL")
    for index, text in enumerate(block.all("OAB")):
        kind = _OTHER.match(text)
        language = languages[index] if index < len(languages) else ""
        others.append(OtherAbstract(text, language, _kind(kind.group(1)) if kind else ""))
    ids = block.all("LID", "AID", "SO")
    doi = next((text for text in ids if "[doi]" in text), "")
    return Fields(
        abstract=abstract,
        other_abstracts=others,
        title=unbracketed(block.first("TI", "BTI", "TT", "CTI")),
        authors=[*(block.all("FAU") or block.all("AU") or block.all("FED")), *block.all("CN")],
        year=block.first("DP", "DEP", "DA", "PHST"),
        venue=block.first("JT", "TA", "BTI" if block.first("TI") else "PB"),
        doi=doi or next((text for text in ids if "10." in text), ""),
        pmid=block.first("PMID"),
        arxiv_id=next((text for text in ids if "arxiv" in text.lower()), ""),
        keywords=[text.replace("*", "") for text in block.all("OT", "MH")],
        language=block.first("LA"),
        details={
            "type": _type(" ".join(block.all("PT")).lower()),
            "volume": block.first("VI"),
            "issue": block.first("IP"),
            "page": block.first("PG"),
            "publisher": block.first("PB"),
            "ISSN": block.first("IS").partition(" ")[0],
            "ISBN": block.first("ISBN").partition(" ")[0],
        },
        line=block.line,
    )


def _kind(said: str) -> str:
    return re.sub(r"[\s-]+", "-", said.lower())


def _type(said: str) -> str:
    for word, kind in (
        ("preprint", "article"),
        ("chapter", "chapter"),
        ("book", "book"),
        ("dissertation", "thesis"),
        ("technical report", "report"),
    ):
        if word in said:
            return kind
    return "article-journal"
