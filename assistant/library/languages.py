"""The language that a text is written in, as far as its script and its small words tell.

Knows a dozen languages that abstracts come in; short or mixed texts have none.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
)
_SMALL_WORDS = {
    "en": "the of and to in is that for with we was were this are by as from on be which",
    "fr": "le la les des et est dans pour une un du que par sur au avec nous qui ce sont",
    "es": "el la los las de y en que un una por con para se del es al como fue entre",
    "pt": "o a os as de e em que um uma por com para se do da no na foi dos",
    "de": "der die das und in den von mit zu ist des für eine ein im auf wurde sich nicht als",
    "it": "il la di e che in un una per con del della dei sono è nel le gli da si",
    "nl": "de het een en van in is dat op te zijn met voor werd niet aan door om bij ook",
    "pl": "i w z na do się jest nie że o oraz dla przez od po jako ich był",
    "tr": "ve bir bu için ile olarak da de olan daha çok gibi göre",
}
_SETS = {code: frozenset(words.split()) for code, words in _SMALL_WORDS.items()}
_LOOKED_AT = 500  # characters
_LEAST_WORDS = 8
_LEAST_SHARE = 0.12
_SCRIPT_SHARE = 0.2


def guess(text: str) -> str:
    """Return the two-letter code of the language of ``text``, or an empty string."""
    text = text[:_LOOKED_AT]
    letters = sum(map(str.isalpha, text)) or 1
    for code, script in () if text.isascii() else _SCRIPTS:
        found = len(script.findall(text))
        if found > _SCRIPT_SHARE * letters or (code == "ja" and found > 0.05 * letters):
            return code
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < _LEAST_WORDS:
        return ""
    shares = {code: sum(map(small.__contains__, words)) for code, small in _SETS.items()}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= _LEAST_SHARE * len(words) else ""
