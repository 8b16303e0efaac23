"""Names of people: "Family, Given" inside, "Given Family" for the eye."""

from __future__ import annotations

import re

_PARTICLES = frozenset(
    {"van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "ten"}
    | {"ter", "zu", "zur", "af", "av", "el", "al", "bin", "ibn"}
)
_GROUP = re.compile(
    r"(?i)\b(collaboration|consortium|group|team|committee|society|association|institute"
    r"|university|network|organi[sz]ation|initiative|investigators|project|community|agency"
    r"|inc|ltd|corporation|department|ministry|center|centre|council|foundation)\b"
)
_INITIALS = re.compile(r"[A-Z]{1,4}\.?|(?:[A-Z]\.-?){1,4}")
_SUFFIX = re.compile(r"(?i)(jr|sr|ii|iii|iv)\.?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def person(name: str) -> str:
    """Return a name as "Family, Given"; a group, or a name of one word, stays as it is.

    Takes "Family, Given", "Given Family", the "Family AB" of medical databases and the
    "{Group}" of BibTeX.
    """
    text = " ".join(name.split()).strip(" ;")
    if text.endswith(",") and text.count(",") == 1:
        return text[:-1].strip()  # a group, by the custom of EndNote
    text = text.strip(" ,;")
    if text.startswith("{") and text.endswith("}") and text.count("{") == 1:
        return text[1:-1].replace(",", "")  # a group, by the custom of BibTeX
    if not text or _CJK.search(text) or _GROUP.search(text):
        return text
    if "," in text:
        family, *rest = (part.strip() for part in text.split(","))
        # "Family, Jr, Given"
        given = " ".join([rest[1], rest[0]]) if len(rest) > 1 and _SUFFIX.fullmatch(rest[0]) else ""
        return f"{family}, {given or ' '.join(filter(None, rest))}".removesuffix(", ")
    words = text.split()
    if len(words) == 1:
        return text
    last = len(words)
    while last > 1 and _INITIALS.fullmatch(words[last - 1]):
        last -= 1
    if last < len(words) and not _INITIALS.fullmatch(words[0]):
        return f"{' '.join(words[:last])}, {' '.join(words[last:])}"
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else []  # noqa: PLR2004
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return f"{' '.join(words[first:])}, {' '.join([*words[:first], *suffix])}"


def parts(name: str) -> tuple[str, str]:
    """Return family and given name of what :func:`person` returned; given may be empty."""
    family, _, given = name.partition(", ")
    return family, given


def written(name: str) -> str:
    """Return a name so that :func:`person` gives it back: that of a group ends with a comma."""
    return f"{name}," if " " in name and ", " not in name else name


def spoken(name: str) -> str:
    """Return "Given Family"."""
    family, given = parts(name)
    return f"{given} {family}".strip()
