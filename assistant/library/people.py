"""Names of people: "Family, Given" inside, "Given Family" for the eye.

A comma is believed. Where there is none, the family name is told by what is known of names: small
words before it, initials behind it, capitals, names that are common in East Asia. A name of a
place where the order cannot be told (Hungary, say) is taken as one with the family name last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.library.wordlists import listed

_PARTICLES = frozenset(
    listed("""
    van von vom der den de del della dello di da das dos do du des la le las los lo ten ter te
    zu zum zur af av el al bin ben ibn bint abu 't in op het st st. ap
""")
)
# Those that may begin a family name in capitals too; others are given names as well.
_CAPITAL = frozenset(
    listed("van von der den de del della di da dos du la le el al st st. ibn bin mac")
)
_SONS = frozenset({"bin", "ben", "ibn", "bint"})
_JOINING = frozenset({"y", "e", "i"})
_EASTERN = frozenset(
    listed("""
    wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang
    xie tang song deng han feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei
    su lu ding ren yao shen zhong cui tan fan wan shi jin jia xia fu fang zou xiong bai meng qin
    qiu hou shao nguyen nguyễn tran trần le lê pham phạm hoang hoàng huynh huỳnh phan vu vũ vo võ
    dang đặng bui bùi do đỗ ho hồ ngo ngô duong dương ly lý kim lee park choi jung kang cho yoon
    jang lim oh shin seo kwon hwang ahn hong wong chan cheung leung lau ng ho lam kwok
""")
)
_VIETNAMESE = frozenset(
    listed("""
    nguyen nguyễn tran trần pham phạm hoang hoàng huynh huỳnh phan vũ võ dang đặng bui bùi ngo ngô
    duong dương
""")
)
_GROUP = re.compile(
    r"(?i)\b(collaborations?|consortium|consortia|groups?|teams?|committee|society|association"
    r"|institut[eo]?|university|universit\w+|network|organi[sz]ation|initiative|investigators"
    r"|project|community|agency|inc|ltd|gmbh|llc|corp|corporation|company|department|ministry"
    r"|centers?|centres?|council|foundation|federation|academy|college|hospital|laborator(?:y|ies)"
    r"|task force|workshop|commission|board|bureau|registry|alliance|partnership|programme|program"
    r"|developers|contributors|authors|collaborators|members|editors|service|division|office)\b"
)
_NOBODY = re.compile(
    r"(?i)(?:and )?(?:et\.? al\.?|others|\.\.\.|…)|\[?no authors? (?:name )?(?:listed|available)\]?"
)
_INITIALS = re.compile(r"[^\W\d_]{1,4}\.?|(?:[^\W\d_]\.?-?){1,4}")
_DOTTED = re.compile(r"(?:[^\W\d_]\.-?)+")
_VOWEL = re.compile(r"(?i)[aeiouyà-æè-ïò-öø-ý]")
_SUFFIX = re.compile(r"(?i)(jr|sr|2nd|3rd|4th|ii|iii|iv)\.?")
_DEGREE = re.compile(
    r"(?i)(?:ph\.? ?d|m\.? ?d|d\.? ?phil|m\.? ?sc|b\.? ?sc|mph|dr\.? ?ph|sc\.? ?d|d\.?v\.?m"
    r"|pharm\.? ?d|frcpc?|facs|mba)\.?"
)
_ALSO_INITIALS = re.compile(r"(?i)m\. ?d\.?|[md]\. ?sc\.?")
_TITLE = re.compile(r"(?i)^(?:(?:prof(?:essor)?|dr|mr|mrs|ms|sir)\.? )+(?=\S+\s\S)")
_MARKS = re.compile(r"[\s*†‡§¶;,]+$")
_NUMBER = re.compile(  # of a person: ORCID's, and that of DBLP where names are the same
    r"\s*[(\[]?(?:ORCID:? ?)?\d{4}-\d{4}-\d{4}-\d{3}[\dX][)\]]?|(?<=[^\W\d]) 0\d{3}$"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ALL_CJK = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ASIDE = re.compile(r"\s*[(（][\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\s·]+[)）]$")
_FIRST_LETTER = re.compile(r"(?:(?<=[\s'’-])|^)([^\W\d_])")
_LONG_CAPITALS = 4


def person(name: str) -> str:
    """Return a name as "Family, Given"; a group, or a name of one word, stays as it is.

    Takes "Family, Given", "Given Family", the "Family AB" of medical databases, the "{Group}" of
    BibTeX and the "Group," of RIS. Who is nobody ("et al.") becomes an empty string.
    """
    text = " ".join(name.replace("\uff0c", ",").split()).strip(" ;")
    if text.endswith(",") and text.count(",") == 1:
        return text[:-1].strip()  # a group, by the custom of EndNote
    text = _NUMBER.sub("", _MARKS.sub("", text.lstrip(" ,;")))
    if text.startswith("{") and text.endswith("}") and text.count("{") == 1:
        return text[1:-1].replace(",", "").strip()  # a group, by the custom of BibTeX
    text = _ASIDE.sub("", text)
    if not text or _NOBODY.fullmatch(text):
        return ""
    if _CJK.search(text):
        return _eastern(text)
    if _GROUP.search(text):
        return text.replace(",", "")
    text = _TITLE.sub("", text)
    return _with_comma(text) if "," in text else _without(text.split())


def parts(name: str) -> tuple[str, str]:
    """Return family and given name of what :func:`person` returned; given may be empty."""
    family, _, given = name.partition(", ")
    return family, given


def written(name: str) -> str:
    """Return a name so that :func:`person` gives it back: that of a group ends with a comma."""
    return f"{name}," if " " in name and ", " not in name else name


def spoken(name: str) -> str:
    """Return "Given Family", and "FamilyGiven" of a name in Chinese, Japanese or Korean signs."""
    family, given = parts(name)
    if _ALL_CJK.fullmatch(family) and _ALL_CJK.fullmatch(given):
        return f"{family}{given}"
    *names, last = given.split() or [""]
    if names and _SUFFIX.fullmatch(last):
        return f"{' '.join(names)} {family} {last}"
    return f"{given} {family}".strip()


def _eastern(text: str) -> str:
    """Return a name in Eastern signs: two words are a family and a given name."""
    if "," in text:
        family, given = (part.strip() for part in text.split(",", 1))
        return f"{family}, {given.replace(',', '')}".removesuffix(", ")
    words = text.split()
    if len(words) == 2 and all(map(_ALL_CJK.fullmatch, words)):  # noqa: PLR2004
        return ", ".join(words)
    return text


def _with_comma(text: str) -> str:
    """Return "Family, Given Jr" of "Family, Given", "Family, Jr, Given", "Given Family, PhD"."""
    said = _undecorated([part for part in map(str.strip, text.split(",")) if part])
    if not said:
        return ""
    if len(said) == 1:
        return _without(said[0].split())
    family, *rest = said
    words = family.split()
    if len(rest) == 1 and _SUFFIX.fullmatch(rest[0]) and len(words) > 1:
        return _without([*words, rest[0]])  # "Given Family, Jr"
    if len(rest) > 1 and _SUFFIX.fullmatch(rest[0]):
        rest = [*rest[1:], rest[0]]  # "Family, Jr, Given"
    if len(words) > 1 and _SUFFIX.fullmatch(words[-1]):
        family, rest = " ".join(words[:-1]), [*rest, words[-1]]  # "Family Jr, Given"
    return _joined(family, " ".join(rest))


def _undecorated(said: list[str]) -> list[str]:
    """Return the parts of a name without degrees; "M.D." may be initials as well."""
    kept = list(said)
    while len(kept) > 1 and _DEGREE.fullmatch(kept[-1]):
        given_first = " " in kept[0] and kept[0].split()[0].lower() not in _PARTICLES
        doubtful = len(kept) == len(said) and _ALSO_INITIALS.fullmatch(kept[-1])
        if len(kept) == 2 and (doubtful or not given_first):  # noqa: PLR2004
            break
        kept.pop()
    return kept


def _without(words: Sequence[str]) -> str:
    """Return "Family, Given" of a name without a comma."""
    words = list(words)
    if len(words) < 2:  # noqa: PLR2004 - one word is a name alone
        return " ".join(words)
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else []  # noqa: PLR2004
    if behind := _initials_behind(words):
        family, given = words[:-behind], words[-behind:]
    elif _is_surname_first(words):
        family, given = words[:1], words[1:]
    else:
        first = _family(words)
        family, given = words[first:], words[:first]
    return _joined(" ".join(family), " ".join([*given, *suffix]))


def _initials_behind(words: Sequence[str]) -> int:
    """Return how many of the last words are initials behind a family name."""
    count = 0
    while count < len(words) - 1 and _is_initials(words[-1 - count]):
        count += 1
    if not count:
        return 0
    first, last = words[0], words[-1]
    if not _is_initials(first):
        return count
    # "KING JA", "LI XU", and not "J. A. SMITH" or "JA KING"
    family_first = len(words) == 2 and "." not in first and len(first) >= len(last.strip("."))  # noqa: PLR2004
    return 1 if family_first and len(first) > 1 else 0


def _is_initials(word: str) -> bool:
    if not word.isupper() or not _INITIALS.fullmatch(word):
        return False
    return len(word) < _LONG_CAPITALS or bool(_DOTTED.fullmatch(word)) or not _VOWEL.search(word)


def _family(words: Sequence[str]) -> int:
    """Return where the family name begins in a name that ends with it."""
    first = len(words) - 1
    if first > 1 and words[-2] in _JOINING and len(words[-1]) > 1:
        first -= 2  # Ortega y Gasset
    small = [at for at in range(1, first) if words[at] in _PARTICLES]
    near = [at for at in small if all(word.lower() in _PARTICLES for word in words[at:first])]
    if near:
        first = near[0]
    elif small and words[small[0]] not in _SONS:
        first = small[0]  # de la Vallée Poussin
    if words[-1].lower() in _EASTERN:
        return first
    while first > 1 and words[first - 1].lower() in _CAPITAL:
        first -= 1
    return first


def _is_surname_first(words: Sequence[str]) -> bool:
    """Tell whether a Vietnamese name of three words or more stands in its own order."""
    return (
        len(words) > 2  # noqa: PLR2004
        and words[0].lower() in _VIETNAMESE
        and words[-1].lower() not in _EASTERN
    )


def _joined(family: str, given: str) -> str:
    """Return "Family, Given" with a family name in capitals spelled as others are."""
    loud = len(family) > 1 and family.isupper() and "." not in family
    if not loud or not given:
        return f"{family}, {given}".removesuffix(", ")
    quiet = " ".join(
        word.lower() if word.lower() in _PARTICLES and len(family.split()) > 1 else _spelled(word)
        for word in family.split()
    )
    names = [
        _spelled(word)
        if len(word) >= _LONG_CAPITALS and word == word.upper() and "." not in word
        else word
        for word in given.split()
    ]
    return f"{quiet}, {' '.join(names)}"


def _spelled(word: str) -> str:
    return _FIRST_LETTER.sub(lambda match: match.group().upper(), word.lower())
