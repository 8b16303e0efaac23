"""What a cell or a field holds that says several things at once: names, key words, a kind."""

from __future__ import annotations

import json
import re
from itertools import pairwise

FORMULA = "'=+-@\t\r\uff1d\uff0b\uff0d\uff20"
"""What a cell of our own export does not begin with, but for an apostrophe put before it."""

_MARKS = "|;\n\uff1b"
_COMMAS = re.compile(r"[,\uff0c\u3001]")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_NAMED = re.compile(r"^(?:name|display_name|full_?name|author_?name|text|keyword)$", re.IGNORECASE)
_END = re.compile(r"(?<=[A-Z][A-Z]|[a-z][a-z])\.$")  # a full stop that is none of an initial
_NUMBER = re.compile(r"\s*\((?:ORCID:? ?)?[\dX-]{6,}\)")
_AND = re.compile(r",?\s+(?:and|&)\s+")
_INITIALS = re.compile(r"(?:[^\W\d_a-zß-öø-ÿ]\.?[- ]?){1,4}(?:\s?(?:Jr|Sr)\.?)?")
_SUFFIX = re.compile(r",\s*((?:Jr|Sr)\b\.?|I{2,3}|IV)(?=\s*(?:,|$))")
_NOBODY = re.compile(
    r"(?i)(?:and )?(?:et\.? al\.?|others|\.\.\.|\u2026|[^\w]*)|ph\.? ?d\.?|m\.?d\.?|m\.?sc\.?"
    r"|\[?(?:no authors? (?:name |names )?(?:listed|available))\]?|anonymous|anon\.?"
)
_CATEGORY = re.compile(r"[a-z-]{2,9}(?:\.[A-Za-z-]{2,17})?")
# After these a capital letter goes on with a name: McDonald, DeVries
_STEMS = re.compile(r"(?:^|[\s-])(?:Ma?c|De|Di|Du|La|Le|Van|Von|Fitz|O['\u2019]|D['\u2019]|Al|El)$")
_TYPES = (
    ("conference", "paper-conference"),
    ("proceeding", "paper-conference"),
    ("chapter", "chapter"),
    ("section", "chapter"),
    ("preprint", "article"),
    ("posted", "article"),
    ("thesis", "thesis"),
    ("dissertation", "thesis"),
    ("report", "report"),
    ("journal", "article-journal"),
    ("article", "article-journal"),
    ("review", "article-journal"),
    ("book", "book"),
)
CSL_TYPES = frozenset(
    {"article-journal", "article-magazine", "paper-conference", "book", "chapter", "thesis"}
    | {"report", "article", "manuscript", "webpage", "software", "dataset", "patent"}
)


def people(text: str, mark: str = "") -> list[str]:
    """Return the names in a text, whatever stands between them.

    Where it is known what does (``mark``), a comma stands inside of a name.
    """
    if text.startswith("[") and text.endswith("]") and _QUOTED.search(text):
        return _listed(text)
    text = re.sub(r"\s*\n\s*and\s+", "\n", _NUMBER.sub("", text))
    for known in (mark, *_MARKS):
        if known and known in text:
            return _whole(text.split(known))
    if mark:
        return _whole([text])
    if _AND.search(text):
        return [name for part in _AND.split(text) for name in people(part)]
    return _between_commas(text)


def _between_commas(text: str) -> list[str]:
    parts = [part.strip() for part in _COMMAS.split(_END.sub("", _SUFFIX.sub(r" \1", text)))]
    parts = [part for part in parts if not _NOBODY.fullmatch(part)]
    if any(map(_EAST.search, parts)):
        return parts
    if len(parts) > 1 and len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) == 2 and not (" " in parts[0] and " " in parts[1]):  # noqa: PLR2004
        return [", ".join(parts)]  # one name, the family first
    return parts


def _whole(parts: list[str]) -> list[str]:
    names = [part.strip() for part in parts]
    return [_unnulled(name) for name in names if not _NOBODY.fullmatch(name)]


def _unnulled(text: str) -> str:
    """Return a name without the "null" that stands for a given name; it is a group's then."""
    family, _, given = text.partition(",")
    return f"{family}," if given.strip().lower() == "null" else text


def apart(text: str) -> str:
    """Return names that a publisher has written without anything between: "Jane DoeRoy Roe"."""
    found, begin = [], 0
    for match in re.finditer(r"(?<=[^\W\d_A-Z)])(?=[A-Z][^\W\d_]*[. ])|(?<=\))(?=[A-Z])", text):
        so_far = text[begin : match.start()]
        if " " in so_far.strip() and not _STEMS.search(so_far):
            found.append(so_far)
            begin = match.start()
    return ";".join([*found, text[begin:]])


def words(text: str, mark: str = "") -> list[str]:
    """Return the key words in a text; ``mark`` is what stands between them, where that is known."""
    if text.startswith("[") and text.endswith("]") and _QUOTED.search(text):
        return _listed(text)
    found = next((known for known in (mark, *_MARKS) if known and known in text), "")
    if found:
        parts = text.split(found)
    elif not mark and _COMMAS.search(text):
        parts = _COMMAS.split(text)
    elif (
        " " in text and all(map(_CATEGORY.fullmatch, text.split())) and re.search(r"\.[A-Z]", text)
    ):
        parts = text.split()  # categories of arXiv
    else:
        parts = [text]
    return [part.strip(" *\t\n") for part in parts]


def plain_list(text: str) -> str:
    """Return what a list as Python or JSON writes it says, with semicolons between."""
    if text.startswith("[") and text.endswith("]"):
        return "; ".join(_listed(text)) or text.strip("[] ")
    return text


def _listed(text: str) -> list[str]:
    """Return the items of a list as Python or JSON writes it; of objects, their names."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, list) and all(isinstance(item, str) for item in found):
        return found
    items = [(match, _unquoted(match)) for match in _QUOTED.finditer(text)]
    if "{" not in text:
        return [item for _, item in items]
    return [
        value
        for (key_match, key), (value_match, value) in pairwise(items)
        if _NAMED.fullmatch(key) and text[key_match.end() : value_match.start()].strip() == ":"
    ]


def _unquoted(match: re.Match[str]) -> str:
    """Return what stands between quotation marks of one kind, undone of its escapes."""
    text: str = match.group(1) if match.group(1) is not None else match.group(2)
    return re.sub(r"\\(['\"\\])", r"\1", text)


def type_of(said: str) -> str:
    """Return CSL's word for a kind of publication, or an empty string."""
    lowered = said.lower()
    return next((kind for word, kind in _TYPES if word in lowered), "")
