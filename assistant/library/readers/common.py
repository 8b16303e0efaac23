"""What every reader needs: the limits of an abstract and the cleaning of short fields."""

from __future__ import annotations

import re
import unicodedata

from assistant.library import cleaning
from assistant.types import Rejected, Source

MAX_ABSTRACT = 20_000
"""Characters; the longest real abstracts have about a third of it."""

MIN_ABSTRACT = 40
"""Characters; CJK characters count threefold, because they say more."""

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


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


def line_of(value: object) -> str:
    """Return a short field (a title, a name) as one clean line."""
    return cleaning.plain(storable(str(value))).text if value is not None else ""


def year_of(value: object) -> int | None:
    """Return the first year that ``value`` holds, or None."""
    match = _YEAR.search(str(value)) if value is not None else None
    return int(match.group()) if match else None


def doi_of(value: object) -> str:
    """Return the bare DOI in lower case, or an empty string."""
    match = _DOI.search(unicodedata.normalize("NFKC", str(value))) if value is not None else None
    return storable(match.group().rstrip(".,;)]}>\"'").lower()) if match else ""
