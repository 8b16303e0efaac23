"""The values of BibTeX fields: quotes, braces and macros undone, lists taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from assistant.library.readers import cells
from assistant.types import OtherAbstract

MONTHS = {
    name: name.capitalize()
    for name in "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
}
LEFT, RIGHT = "{\\textbraceleft}", "{\\textbraceright}"
SLASH = "{\\textbackslash}"
AT = "{@}"
NONE = "-"
"""How our own export writes what would break an entry, and a value that is none."""

# The names that astronomers' style files give their journals, as ADS writes them.
JOURNALS = {
    "aj": "The Astronomical Journal",
    "apj": "The Astrophysical Journal",
    "apjl": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series",
    "ao": "Applied Optics",
    "apss": "Astrophysics and Space Science",
    "aap": "Astronomy & Astrophysics",
    "aapr": "Astronomy & Astrophysics Reviews",
    "aaps": "Astronomy & Astrophysics Supplement Series",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "grl": "Geophysical Research Letters",
    "iaucirc": "IAU Circulars",
    "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "jgr": "Journal of Geophysical Research",
    "jcp": "Journal of Chemical Physics",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "na": "New Astronomy",
    "nar": "New Astronomy Reviews",
    "nat": "Nature",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "planss": "Planetary and Space Science",
    "pra": "Physical Review A",
    "prb": "Physical Review B",
    "prc": "Physical Review C",
    "prd": "Physical Review D",
    "pre": "Physical Review E",
    "prl": "Physical Review Letters",
    "physrep": "Physics Reports",
    "procspie": "Proceedings of the SPIE",
    "psj": "The Planetary Science Journal",
    "qjras": "Quarterly Journal of the Royal Astronomical Society",
    "rmxaa": "Revista Mexicana de Astronomía y Astrofísica",
    "skytel": "Sky & Telescope",
    "solphys": "Solar Physics",
    "ssr": "Space Science Reviews",
}
_SORTING = re.compile(r"(\{)?\\(?:noopsort|sortnoop|noop)\s*\{[^{}]*\}(?(1)\})", re.IGNORECASE)
_TILDE = re.compile(
    r"\{\\textasciitilde\}|\\textasciitilde(?:\{\})?|\\string~|\{\\?~(?:\{\})?\}|\\~\{\}|\$\\sim\$"
)
_SIGN = re.compile(r"\{\\?([_%&#$])\}|\\([_%&#$])")
_MORE_SIGNS = (
    ("{\\textunderscore}", "_"),
    ("\\textunderscore", "_"),
    ("{\\textless}", "<"),
    ("{\\textgreater}", ">"),
    ("{\\textquotesingle}", "'"),
)
_URL = re.compile(r"\\(?:url|nolinkurl|path|href)\s*\{([^{}]*)\}(?:\{[^{}]*\})?")
_OURS = re.compile(
    r"(?:\{\\textbackslash\}){1,50}(?=\{\\textbrace(?:left|right)\}|\Z)"
    r"|\{\\textbrace(?:left|right)\}|^([ \t]*)\{@\}",
    re.MULTILINE,
)
_BRACES = {LEFT: "{", RIGHT: "}"}
_AND = re.compile(r" and(?= )", re.IGNORECASE)
_INNER = re.compile(r"(?<!\\)\{([^{}\\$]*)\}")
_COMMAND_END = re.compile(r"(?:\\[A-Za-z]+\s*|[_^}$]|\\.)$")
_MOST_LAYERS = 8
_SUFFIX = re.compile(r"(?i)\s*(?:jr|sr|[iv]+)\.?\s*")


def unused(text: str) -> str:
    """Return a private sign that does not occur in ``text``."""
    return next(sign for code in range(0xE000, 0xF900) if (sign := chr(code)) not in text)


def resolved(raw: str, macros: Mapping[str, str]) -> str:
    """Return what a field says: ``"a" # macro # {b}`` put together.

    Raise ``ValueError`` where a comma is missing, so that the next field is in the value.
    """
    parts: list[str] = []
    position = 0
    while position < len(raw):
        if raw[position].isspace() or raw[position] == "#":
            position += 1
        elif raw[position] in '{"' and (end := _closing(raw, position)) > 0:
            parts.append(raw[position + 1 : end])
            position = end + 1
            if (after := raw[position:].lstrip()) and after[0] != "#":
                if "=" in _outside(after):
                    raise ValueError("a comma is missing")
                return raw.strip()[1:-1]  # quotation marks within quotation marks
        else:
            end = raw.find("#", position) if raw[position] not in '{"' else -1
            word = (raw[position:] if end < 0 else raw[position:end]).strip()
            if "=" in _outside(word):
                raise ValueError("a comma is missing")
            parts.append(macros.get(word.lower(), word))
            position = len(raw) if end < 0 else end
    return "".join(parts)


def _closing(text: str, begin: int) -> int:
    """Return where the brace or the quotation mark is closed that opens at ``begin``, or -1."""
    depth = 0
    quoted = text[begin] == '"'
    for match in re.compile(r'(?<!\\)[{}"]').finditer(text, begin + quoted):
        mark = match.group()
        if mark == '"':
            if quoted and depth == 0:
                return match.start()
            continue
        depth += 1 if mark == "{" else -1
        if depth == 0 and not quoted:
            return match.start()
    return -1


def _outside(text: str) -> str:
    """Return what stands outside braces and quotation marks."""
    return re.sub(r'\{[^{}]*\}|"[^"]*"', "", text)


def short(value: str) -> str:
    """Return a title or a name without the braces round it, ties and macros spelled out."""
    value = _peeled(_SORTING.sub("", value))
    journal = re.fullmatch(r"\{?\\([a-z]+)\}?", value)
    if journal and journal.group(1) in JOURNALS:
        return JOURNALS[journal.group(1)]
    return re.sub(r"(?<!\\)~", " ", value).replace("\\relax ", "")


def typeset(value: str) -> str:
    """Return a title or the name of a journal, dashes spelled and braces within it dropped."""
    text = short(value)
    for _ in range(_MOST_LAYERS):
        before = text
        text = _INNER.sub(lambda match: match.group() if _is_argument(match) else match[1], text)
        if text == before:
            break
    return text.replace("---", "\u2014").replace("--", "\u2013").replace("-{}", "-")


def _is_argument(match: re.Match[str]) -> bool:
    """Tell whether a group is what a command or a script is applied to."""
    return not match[1] or _COMMAND_END.search(match.string[: match.start()][-40:]) is not None


def bare(value: str) -> str:
    """Return an address or a number without LaTeX's marks."""
    value = _TILDE.sub("~", _peeled(_URL.sub(r"\1", value)))
    for written, sign in _MORE_SIGNS:
        value = value.replace(written, sign)
    return _SIGN.sub(lambda match: match[1] or match[2], unbraced(value))


def _peeled(value: str) -> str:
    """Return a text without the braces round it, of which there may be several."""
    value = value.strip()
    for _ in range(_MOST_LAYERS):
        if not wrapped(value) or value.startswith("{\\"):
            break
        value = value[1:-1].strip()
    return value


def unbraced(value: str) -> str:
    """Return a text without the braces round it, and what our own export has spelled out."""
    text = value[1:-1] if wrapped(value) and not value.startswith("{\\") else value
    return decoded(text)


def decoded(text: str) -> str:
    """Return a text with what our own export has spelled out as it was."""
    return _OURS.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    found = match.group()
    if found in _BRACES:
        return _BRACES[found]
    return f"{match[1]}@" if found.endswith(AT) else "\\" * (len(found) // len(SLASH))


def people_of(value: str) -> Iterator[str]:
    """Yield the names of a list joined by "and"; one in braces is that of a group."""
    value = " ".join(_SORTING.sub("", value).split())
    if wrapped(value) and "," in value and _AND.search(value):
        value = value[1:-1]  # the list, not a name, is in braces
    for name in _split(value, _AND):
        text = name.strip()
        if text and text.lower() not in {"others", "et al.", "et al"}:
            yield from (text,) if wrapped(text) else _persons(short(text))


def _persons(text: str) -> Iterator[str]:
    """Yield the one person that a name is of, or those that commas or semicolons stand between."""
    parts = text.split(",")
    more = len(parts) > 3 or (len(parts) == 3 and not _SUFFIX.fullmatch(parts[1]))  # noqa: PLR2004
    if "{" in text or not (";" in text or more):
        yield text
    else:
        yield from cells.people(text)


def words_of(values: Iterable[str]) -> Iterator[str]:
    """Yield the items of key word fields."""
    for value in values:
        text = _peeled(value)
        mark = next((mark for mark in ";,\u00b7\n" if mark in text), ",")
        for item in _split(text.replace("\\sep ", f"{mark} "), re.compile(re.escape(mark))):
            if item.strip():
                yield short(" ".join(item.split()))


def other_abstracts(values: Iterable[str]) -> Iterator[OtherAbstract]:
    """Yield second abstracts: ``[language;kind] text``."""
    for value in values:
        found = re.match(r"\[([^\];]*);([^\]]*)\] ?", value)
        language, kind = found.groups() if found else ("", "")
        yield OtherAbstract(value[found.end() if found else 0 :], language, kind)


def wrapped(text: str) -> bool:
    """Tell whether one pair of braces goes round the whole text."""
    return text.startswith("{") and _closing(text, 0) == len(text) - 1


def _split(text: str, mark: re.Pattern[str]) -> Iterator[str]:
    """Yield the parts of a text between the marks that stand outside braces."""
    if "{" not in text:
        yield from mark.split(text)
        return
    depth, begin = 0, 0
    for match in re.compile(rf"(?<!\\)[{{}}]|{mark.pattern}", mark.flags).finditer(text):
        if match.group() in {"{", "}"}:
            depth += 1 if match.group() == "{" else -1
        elif depth <= 0:
            yield text[begin : match.start()]
            begin = match.end()
    yield text[begin:]
