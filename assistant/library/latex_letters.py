"""LaTeX outside formulas: accents and letters, old styles, spaces, commands to look through."""

from __future__ import annotations

import re
import unicodedata

from assistant.library.mapped import Mapped

_BASE = (
    r"(?:\{\s*(?:\\([ij])(?:\{\})?|([A-Za-z]))\s*\}|\\([ij])(?:\{\}|(?![A-Za-z])\s?)|([A-Za-z]))"
)
_ACCENTED = rf"\\(?:([\"'`^~])\s*|([=.])|([cvuHkr])(?:\s+|(?=\{{))|([db])(?=\{{)){_BASE}"
_ACCENT = re.compile(rf"\{{{_ACCENTED}\}}|{_ACCENTED}")
_MARKS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "i": "ı", "j": "ȷ", "l": "ł", "L": "Ł", "o": "ø", "O": "Ø", "ss": "ß", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
_NAMES = "|".join(sorted(_LETTERS, key=len, reverse=True))
# A blank behind the name of a letter only ends the name: "\L odz"
_LETTER = re.compile(
    rf"\{{\\({_NAMES})(?:\{{\}}|\s*)\}}|\\({_NAMES})(?:\{{\}}|(?![A-Za-z])(?:\s(?=[a-z]))?)"
)
_OLD_STYLE = re.compile(
    r"\{\\(?:it|em|bf|sc|tt|rm|sl|sf|itshape|bfseries|scshape|upshape|normalfont|small"
    r"|footnotesize|scriptsize|tiny)(?![A-Za-z])\s*([^{}]*?)(?:\\/)?\}"
)
_LOOKED_THROUGH = re.compile(
    r"\\(?:(?:foreignlanguage|textlang|textcolor|texttt)\s*\{[^{}]*\}(?=\s*\{)"
    r"|MakeUppercase|MakeLowercase|uppercase|lowercase|nocase|textnormal|textgreek|textcyrillic"
    r"|mkbibemph|mkbibitalic|mkbibbold|url)\s*\{([^{}]*)\}"
)
_SPOKEN = re.compile(r"\\(?:enquote|mkbibquote|textquote)\*?\s*\{([^{}]*)\}")
_NOTHING = re.compile(
    r"\\[vh]?phantom\s*\{(?:[^{}\\]|\\.)*\}|\\(?:protect|relax|noindent)(?![A-Za-z])\s?|\\/"
)
_SPACE = re.compile(r"(?<!\\)\\(?:[,;: ]|quad(?![A-Za-z])|newline(?![A-Za-z]))")
_DEPTH = 4


def letters(text: Mapped) -> Mapped:
    """Return text outside formulas with accents on their letters and dress of all ages dropped."""
    text = text.sub(_NOTHING, lambda _: "")
    for _ in range(_DEPTH):
        before = text
        text = text.sub(_ACCENT, _accented)
        text = text.sub(_LETTER, lambda match: _LETTERS[match[1] or match[2]])
        for pattern in (_OLD_STYLE, _LOOKED_THROUGH):
            text = text.rewrite(pattern, lambda whole, match: (whole.slice(*match.span(1)),))
        text = text.rewrite(_SPOKEN, _quoted)
        if text is before or "\\" not in text.text:
            break
    return text.sub(_SPACE, lambda _: " ")


def compose(accent: str, letter: str) -> str:
    """Return ``letter`` under a LaTeX accent: ``("'", "e")`` is é."""
    return unicodedata.normalize("NFC", letter + _MARKS[accent])


def _accented(match: re.Match[str]) -> str:
    accent, letter = (group for group in match.groups() if group is not None)
    return compose(accent, letter)


def _quoted(text: Mapped, match: re.Match[str]) -> tuple[Mapped, ...]:
    start, end = match.span()
    inner = text.slice(*match.span(1))
    return text.literal("“", start, start + 1), inner, text.literal("”", end - 1, end)
