"""The values of BibTeX fields: quotes, braces and macros undone, lists taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from assistant.types import OtherAbstract

MONTHS = {
    name: name.capitalize()
    for name in "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
}
LEFT, RIGHT = "{\\textbraceleft}", "{\\textbraceright}"
SLASH = "{\\textbackslash}"
"""How a brace without its partner is written, so that the entry stays whole."""


def resolved(raw: str, macros: Mapping[str, str]) -> str:
    """Return what a field says: ``"a" # macro # {b}`` put together."""
    return "".join(
        _undressed(part.strip(), macros) for part in _split(raw.strip(), lambda c, _: c == "#")
    )


# The names that astronomers' style files give their journals, as ADS writes them.
JOURNALS = {
    "aj": "The Astronomical Journal",
    "apj": "The Astrophysical Journal",
    "apjl": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series",
    "aap": "Astronomy & Astrophysics",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "icarus": "Icarus",
    "jgr": "Journal of Geophysical Research",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "nat": "Nature",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "planss": "Planetary and Space Science",
    "prd": "Physical Review D",
    "prl": "Physical Review Letters",
    "ssr": "Space Science Reviews",
}


def short(value: str) -> str:
    """Return a title or a name without the braces round it, ties and macros spelled out."""
    while _wrapped(value) and not value.startswith("{\\"):
        value = value[1:-1].strip()
    journal = re.fullmatch(r"\\([a-z]+)", value.strip())
    if journal and journal.group(1) in JOURNALS:
        return JOURNALS[journal.group(1)]
    return re.sub(r"(?<!\\)~", " ", value).replace("\\relax ", "")


def unbraced(value: str) -> str:
    """Return a text whose lone braces were spelled out with the braces themselves."""
    text = value[1:-1] if _wrapped(value) and not value.startswith("{\\") else value
    if text.endswith(SLASH):
        text = f"{text.removesuffix(SLASH)}\\"
    return text.replace(LEFT, "{").replace(RIGHT, "}")


def people_of(value: str) -> Iterator[str]:
    """Yield the names of a list joined by "and"; one in braces is that of a group."""
    for name in _split(value, _at_and):
        text = " ".join(name.split())
        if text and text.lower() != "others":
            yield text if _wrapped(text) else short(text)


def words_of(values: Iterable[str]) -> Iterator[str]:
    """Yield the items of key word fields."""
    for value in values:
        separator = ";" if ";" in value else ","
        for item in _split(value, lambda c, _, mark=separator: c == mark):  # type: ignore[misc]
            if item.strip():
                yield item.strip()


def other_abstracts(values: Iterable[str]) -> Iterator[OtherAbstract]:
    """Yield second abstracts: ``[language;kind] text``."""
    for value in values:
        found = re.match(r"\[([^\];]*);([^\]]*)\] ?", value)
        language, kind = found.groups() if found else ("", "")
        yield OtherAbstract(value[found.end() if found else 0 :], language, kind)


def _undressed(part: str, macros: Mapping[str, str]) -> str:
    if _wrapped(part) or (len(part) > 1 and part[0] == part[-1] == '"'):
        return part[1:-1]
    return macros.get(part.lower(), part)


def _wrapped(text: str) -> bool:
    """Tell whether one pair of braces goes round the whole text."""
    if not (text.startswith("{") and text.endswith("}")):
        return False
    depth = 0
    for index, char in enumerate(text):
        if char in "{}" and (index == 0 or text[index - 1] != "\\"):
            depth += 1 if char == "{" else -1
            if depth == 0:
                return index == len(text) - 1
    return False


def _at_and(char: str, rest: str) -> bool:
    return char.isspace() and re.match(r"\s+and\s", rest, re.IGNORECASE) is not None


def _split(text: str, cut: Callable[[str, str], bool]) -> Iterator[str]:
    """Yield the parts of a text between the places outside braces and quotes that ``cut`` names."""
    depth, quoted, begin, index = 0, False, 0, 0
    starts_quoted = text.startswith('"')
    while index < len(text):
        char = text[index]
        escaped = index > 0 and text[index - 1] == "\\"
        if char == "{" and not escaped:
            depth += 1
        elif char == "}" and not escaped:
            depth -= 1
        elif char == '"' and depth == 0 and starts_quoted:
            quoted = not quoted
        elif depth <= 0 and not quoted and cut(char, text[index : index + 12]):
            yield text[begin:index]
            found = re.match(r"\s+and(?=\s)", text[index:], re.IGNORECASE)
            index += (found.end() if found and char.isspace() else 1) - 1
            begin = index + 1
        index += 1
    yield text[begin:]
