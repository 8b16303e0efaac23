"""What every reader needs: one way from raw fields to a record, and the cleaning of short ones.

A reader hands over strings as they stand in its file, undone of the file's own quoting only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from assistant.library import cleaning, exact, people
from assistant.types import OtherAbstract, Record, Rejected, Source

MAX_ABSTRACT = 20_000
"""Characters; the longest real abstracts have about a third of it."""

MIN_ABSTRACT = 40
"""Characters; CJK characters count threefold, because they say more."""

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")
_PMID = re.compile(r"(?<!\d)[1-9]\d{0,8}(?!\d)")
_ARXIV = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(v\d+)?(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_OF_ADDRESS = re.compile(
    r"[?#].*|/(?:full|abstract|pdf|epdf|pdfdirect|meta|summary|fulltext|html)\b.*|\.pdf$",
    re.IGNORECASE,
)
_ARXIV_DOI = re.compile(r"(?i)arxiv\.(?=\d|[a-z-]+/\d)")
_PUBMED = re.compile(
    r"(?i)://(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,9})(?!\d)"
)
_OF_ARXIV = re.compile(r"(?i)://(?:www\.)?arxiv\.org/(?:abs|pdf|html)/(.+)|10\.48550/(arxiv\..+)")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(slots=True)
class Fields:
    """The raw fields of one record; whatever a file does not say stays empty.

    ``authors`` may be in any order of names. ``doi``, ``pmid``, ``arxiv_id`` may be addresses or
    hold other things beside. ``details`` has CSL's words as keys; see :class:`Paper`. ``exact``
    is what our own exports say word by word (see ``library.exact``); it wins.
    """

    abstract: str = ""
    title: str = ""
    authors: Iterable[str] = ()
    year: object = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    pmid: str = ""
    arxiv_id: str = ""
    keywords: Iterable[str] = ()
    language: str = ""
    other_abstracts: Iterable[OtherAbstract] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    exact: str | Mapping[str, Any] = ""


def build(source: Source, fields: Fields) -> Record | Rejected:
    """Return the record of raw fields, or why it is none: neither title nor abstract."""
    details = {name: line_of(value) for name, value in fields.details.items() if value}
    url = address_of(fields.url)
    record = Record(
        source,
        text_of(fields.abstract),
        title=line_of(fields.title),
        authors=named(fields.authors),
        year=year_of(fields.year),
        venue=line_of(fields.venue),
        doi=doi_of(fields.doi),
        url=url,
        keywords=tuple(dict.fromkeys(word for word in map(line_of, fields.keywords) if word)),
        pmid=pmid_of(fields.pmid) or _found(_PUBMED, url),
        arxiv_id=arxiv_of(fields.arxiv_id) or arxiv_of(_found(_OF_ARXIV, url, fields.doi)),
        language=line_of(fields.language),
        other_abstracts=tuple(
            OtherAbstract(text, line_of(item.language), line_of(item.kind))
            for item in fields.other_abstracts
            if (text := text_of(item.text))
        ),
        details=tuple(sorted((name, value) for name, value in details.items() if value)),
        line=fields.line,
    )
    if fields.exact:
        record = replace(record, **exact.unpacked(fields.exact))
    return _refused(record, details) or record


def _refused(record: Record, details: Mapping[str, str]) -> Rejected | None:
    """Return why a record is not taken, or None where it is."""
    if not record.abstract and not record.title:
        return Rejected(
            record.source,
            "it has neither a title nor an abstract",
            "Give it one of them in the program that it comes from, and export it again.",
            line=record.line,
            key=details.get("citation-key", "") or record.doi or record.url,
        )
    if len(record.abstract) > MAX_ABSTRACT:
        return Rejected(
            record.source,
            f"its abstract is longer than {MAX_ABSTRACT:,} characters",
            "Leave full texts out; a paper's abstract is all that is read.",
            line=record.line,
            key=record.title[:80],
        )
    return None


def named(authors: Iterable[str]) -> tuple[str, ...]:
    """Return authors as "Family, Given", each once."""
    names = (line_of(people.person(_undressed(name))) for name in authors)
    return tuple(dict.fromkeys(name for name in names if name))


def _undressed(name: str) -> str:
    """Return a name as plain text, but for the braces that hold a group together."""
    text = storable(name).strip()
    group = text.startswith("{") and text.endswith("}") and text[1:2] != "\\"
    return f"{{{line_of(text)}}}" if group else line_of(text)


def judge(source: Source, text: str) -> Rejected | None:
    """Return why ``text`` is no abstract, or None where it may be one."""
    if len(text) > MAX_ABSTRACT:
        return Rejected(
            source,
            f"it is longer than {MAX_ABSTRACT:,} characters, so it is no abstract",
            "Put a blank line between abstracts; leave full texts out.",
        )
    if not any(char.isalpha() for char in text):
        return Rejected(source, "it holds no letters", "Remove it, or put the abstract there.")
    if len(text) + 2 * len(_CJK.findall(text)) < MIN_ABSTRACT:
        return Rejected(
            source,
            f"it is shorter than {MIN_ABSTRACT} characters, so it is no abstract",
            "A blank line inside an abstract cuts it in two; remove that line.",
        )
    return None


def storable(text: str) -> str:
    """Return ``text`` without NUL and with lone surrogates replaced, so that it can be stored."""
    return _SURROGATES.sub("\ufffd", text.replace("\x00", ""))


def text_of(text: str) -> str:
    """Return a long field as it came, but for its line ends and the blanks round it."""
    return storable(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def address_of(value: str) -> str:
    """Return the first address in a field that may hold several, or what there is instead."""
    words = storable(value).split()
    return next((word for word in words if "://" in word), words[0] if words else "")


def _found(number: re.Pattern[str], *addresses: str) -> str:
    """Return the number that the first of these addresses holds that holds one."""
    match = next(filter(None, map(number.search, addresses)), None)
    return next(filter(None, match.groups()), "") if match else ""


def unbracketed(title: str) -> str:
    """Return a title without the brackets that PubMed puts round a translated one."""
    found = re.fullmatch(r"\[(.+)\](\.?)", title.strip(), re.DOTALL)
    return f"{found.group(1)}{found.group(2)}" if found else title


def line_of(value: object) -> str:
    """Return a short field (a title, a name) as one clean line."""
    return cleaning.plain(storable(str(value))).text if value is not None else ""


def year_of(value: object) -> int | None:
    """Return the first year that ``value`` holds, or None."""
    match = _YEAR.search(str(value)) if value is not None else None
    return int(match.group()) if match else None


def _of_query(address: str) -> str:
    return address.partition("doi=")[2].partition("&")[0]


def doi_of(value: object) -> str:
    """Return the bare DOI in lower case, or an empty string."""
    text = unicodedata.normalize("NFKC", str(value)) if value is not None else ""
    if "%2f" in text.lower():
        text = unquote(text).partition("&")[0] if "doi=" not in text else _of_query(unquote(text))
    match = _DOI.search(text)
    if match and "://" in text[: match.start()] and "doi.org/" not in text[: match.start()]:
        match = _DOI.match(_OF_ADDRESS.sub("", match.group()))  # of a publisher's page
    return storable(match.group().rstrip(".,;)]}>\"'").lower()) if match else ""


def pmid_of(value: object) -> str:
    """Return the bare PubMed number, or an empty string."""
    match = _PMID.search(str(value)) if value else None
    return match.group() if match else ""


def arxiv_of(value: object) -> str:
    """Return the bare arXiv number without its version, or an empty string."""
    match = _ARXIV.search(_ARXIV_DOI.sub("arxiv:", str(value))) if value else None
    return match.group(1) if match else ""
