"""Where a publisher speaks in an abstract: copyright, licences, notes of the database.

Known by how such a sentence begins. What it does not know is left in the text: a notice that is
searched does less harm than an abstract that is cut.
"""

from __future__ import annotations

import re

from assistant.library.wordlists import listed

# Nothing is looked for where none of these stands
_HINTS = tuple(
    hint.replace("&", " ")
    for hint in listed("""
    © (c) ⓒ copyright reserved published licen abstract&from abstract&by psyc public&domain
    permission warranty elsevier wiley springer abstract] abstract) author) author] authors)
    authors] provided) provided] contains vorbehalten réserv reservados riservati защищены
    版权 版權 保留 著作権 無断 peer-review peer&review open&access government hosting author(s)
    users&may&print ieee acm karger permitted&under neutral
""")
)
_YEAR = r"\(?(?:1[89]|20)\d\d\b"
_MARK = r"(?:©|\(c\)|ⓒ|&copy;|copyright\b)"
_HOUSE = (
    r"(?:elsevier|springer|wiley|john wiley|blackwell|ieee|acm\b|taylor|informa|sage|oxford univ"
    r"|cambridge univ|mdpi|karger|thieme|georg thieme|s\.? karger|lippincott|wolters|american"
    r"|royal|nature|macmillan|plos|public library|bmj|iop\b|aip\b|aps\b|spie|frontiers|hindawi"
    r"|copernicus|emerald|academic press|the authors?\b|authors?\b|author\(s\)|edp|ios press"
    r"|the royal|crown|owner|published|by\b|british|european|international|mosby|w\.?b\.? saunders)"
)
# How a sentence begins that speaks of rights, surely enough to take what hangs on it along
_SURE = re.compile(
    rf"\W{{0,3}}(?:(?:©|ⓒ|&copy;)|{_MARK}[\Wª]{{0,3}}(?:{_MARK}|{_YEAR}|{_HOUSE})"
    r"|copyright (?:for this paper|(?:is )?held by)\b|copyright\s&y&"
    r"|\(c\)\s(?-i:[A-Z])[\w&.,' -]{1,60}\d{4}\W*$"
    rf"|(?:crown\s+)?copyright\W*$|crown copyright\b|copyright (?:holder|statement|information)\b\W"
    rf"|{_YEAR}\W{{0,2}}(?:©|\(c\)\s|copyright\b)"
    rf"|{_YEAR}\)?,?\s(?:published by\s|the authors?\b(?!\s[a-z])|(?-i:Elsevier|Wiley|Springer"
    rf"|John Wiley"
    r"|IEEE\b|ACM\b|Blackwell|Macmillan|Nature Pub|Taylor|Informa|S\. Karger|Lippincott|American"
    r"\s[A-Z]|Royal\sSoc|Society\sfor|The\sRoyal))"
    rf"|(?:vc|ó|r|q|&)\s(?:19|20)\d\d\s(?-i:[A-Z])"
    rf"|the authors?(?:\(s\))?,?\s{_YEAR}|author\(s\),?\s"
    r"|all\s+rights\s+(?:are\s+)?reserved|alle rechte vorbehalten|tous droits r[ée]serv"
    r"|todos (?:los|os) d(?:erechos|ireitos) reservados|tutti i diritti (?:sono )?riservati"
    r"|все права защищены|版[权權]所有|保留所有|著作権|無断転載"
    r"|copyright of\b[^.]{0,300}\bproperty\b|copyright applies\b"
    r"|\(?\s?(?:apa\s)?psyc\s?(?:info|articles|tests|extra)\b|(?:abstract"
    r"|résumé)\s+from\s+(?:the\s)?"
    r"(?:author|publisher|journal)|abstract by (?:the\s)?author"
    r"|this article is (?:protected by copyright|a u\.?\s?s\.? government)"
    r"|this is a u\.?\s?s\.? government)",
    re.IGNORECASE,
)
# The same, of sentences that bring nothing else with them; they are notices at the very end only
_PLAIN = re.compile(
    r"\W{0,3}(?:(?:re)?published\s+(?:online\s+)?(?:(?:in\s+)?(?:19|20)\d\d\W{0,2}\s*)?"
    r"(?:by\s+(?:the\s)?(?-i:[A-Z])|on behalf of\s|under\b[^.]{0,60}\blicen[sc]e|in (?:19"
    r"|20)\d\d by\s)"
    r"|published (?:19|20)\d\d\b|first published online\b|published for\s"
    r"|(?:publishing services|production and hosting|hosting)\b[^.]{0,30}\bby\s(?-i:[A-Z])"
    r"|(?:this|the)\s(?:article|work|paper|chapter)\s(?:is|has|was|may"
    r"|can)\b[^.]{0,80}\b(?:copyright"
    r"|creative\scommons|open[-\s]access\s(?:article|under|and)|public\sdomain\sin|licensed\sunder"
    r"|cc[\s-]by|government\swork|free\sof\scharge)"
    r"|this is an? open[\s-]access\b|open access\W*$"
    r"|(?:open access\W{1,3})?this article is (?:licensed|distributed)"
    r"|(?:licensed|distributed)\s+under\s+(?:the\s+|a\s+)?(?:terms\b|creative|cc\b)"
    r"|under\s+(?:the\s+)?(?:terms of\s+)?(?:an?\s+)?(?:exclusive\s+|the\s+cc|cc\s|creative)"
    r"|(?:exclusive\s)?licensee\s(?-i:[A-Z])|creative commons attribution\b"
    r"|however,?\s+users\s+may\s+(?:print|download|email)|this\s+abstract\s+may\s+be\s+abridged"
    r"|no\s+warranty\s+is\s+given|users\s+should\s+refer\s+to\s+the\s+original"
    r"|(?:re)?print(?:s|ed)?\s+(?:with|by)\s+permission|(?:reproduced|used|reused)\s+(?:with"
    r"|by)\s+permission"
    r"|for (?:permissions?|commercial re-?use|reprints?)\b|permission to make digital"
    r"|[^.]{0,80}\ball rights reserved\W*$|unauthori[sz]ed reproduction"
    r"|use permitted under\b|(?:publisher['\u2019]?s note\W{1,3})?(?:springer nature"
    r"|mdpi) (?:remains|stays)"
    r" neutral|acm is[bs]n\b|personal use of this material|the authors? retains?\s(?:the\s"
    r"|full\s)?copyright"
    r"|(?:selection and/?\s?(?:or|and)?\s?)?peer[- ]review under (?:the )?responsibility"
    r"|[(\[](?:author(?:'s|s')? abstract|journal abstract|publication abstract|publisher abstract"
    r"|author|authors|as provided|original abstract|contains \d+ \w+[^)]{0,40})[)\]]\W*$)",
    re.IGNORECASE,
)
# What hangs on a notice: the end of a firm's name, an address, what the page said besides
_REST = re.compile(
    r"\W{0,3}(?:(?-i:[A-Z][\w.&,'\u2019 -]{0,80}?)?(?:ltd|limited|inc|b\.?\s?v|gmbh(?: & co)?|llc"
    r"|co|kgaa|plc|s\.a"
    r"|press|publishers?|society|association|elsevier|springer|wiley|reserved|authors?|nature"
    r"|ieee|acm|v|kg|s|a)\W*"
    r"|on\s+behalf\s+of\b.{0,160}|[A-Z]\.?\s?[A-Z]?\.?|\d{4}\.?|(?:https?|doi|www)\W\S+"
    r"|10\.\d{4}\S+)$",
    re.IGNORECASE | re.DOTALL,
)
# Words of prose that speaks of research; the names of societies have them with capitals
_RESEARCH = re.compile(
    r"\b(?:we|our|was|were|results?|stud(?:y|ies)|methods?|patients?|show(?:s|ed|n)?|found|findings"
    r"|conclu\w+|background|objectives?|purpose|aims?|significant\w*|propos\w+|analy[sz]\w+"
    r"|present(?:s|ed)?|describe[sd]?|investigat\w+|algorithm|approach)\b"
)
_ASIDE = re.compile(
    r"\W{0,3}(?:see (?:the )?(?:related|editorial|comment|also)|this article is)", re.IGNORECASE
)
_CONTENT = re.compile(
    r"trial|regist|\bNCT\d|ISRCTN|key\s?words?\b|index terms|abbreviations|resum|résumé"
    r"|zusammenfassung|[\u3040-\u9fff]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?<=[.!?。])(?<!\bU\.S\.)(?<!\bU\.K\.)\s+|(?<=[.!?][)\]\"”])\s+|(?<=[A-Z][A-Z]\])\s+|\n+"
    r"|(?<=[a-z0-9.)\]!?])(?=©|Copyright ©|\[ABSTRACT FROM|\[Abstract from|\(PsycI"
    r"|All rights reserved)"
    r"|(?<=[.)\]!?。])(?=\(c\)\s*\d{4}|\(C\)\s*\d{4}|Copyright\b|Published by\b"
    r"|This article is protected)"
    r"|\s(?=\[ABSTRACT FROM|\(PsycI|\[Copyright\b)"
)
# A notice before which the full stop is missing: only with a mark, and a year or a holder
_RUN_IN = re.compile(
    rf"\s(?=(?:©|ⓒ|\((?-i:c|C)\)|Copyright\s*(?:©|\(c\)))\s*,?\s*(?:Copyright\s)?(?:{_YEAR}"
    rf"|{_HOUSE}))",
    re.IGNORECASE,
)
# "Cancer Res; 76(15); 4546-58.", "J. Doe Soc. 227: 1-2, 2012."
_CAPITAL = r"(?:[A-Z][\w'&-]*|of|the|and|for|in|on|&)"
_OWN_PLACE = re.compile(
    rf"\(?{_CAPITAL}(?:[\s:.]{{1,2}}{_CAPITAL}){{0,9}}[\s;,.:(]{{1,3}}(?:\d{{4}}[\s;,.:)]{{1,3}})?"
    r"\d+\s?(?:\([\w -]{1,12}\))?\s?[:;,]\s?\w?\d+(?:\s?[-–]\s?\w?\d+)?(?:,\s\d{4})?\W{0,3}"
)
_LEADING = re.compile(
    rf"\W{{0,2}}(?:©|\((?-i:c|C)\)|ⓒ|copyright\s|{_YEAR}\s(?=elsevier|wiley|springer|ieee"
    rf"|the\sauthors?)).{{0,140}}?"
    r"(?:reserved\W|b\.\s?v\.|ltd\.?|limited\.?|inc\.?|gmbh(?: & co\. kgaa)?|llc|\bieee\.?"
    r"|\bacm\.?|(?<=[a-z).]\s)\d{4}\.?"
    r"|springer nature|media new york|author\(s\)\.?|the authors?\.?|university press\.?"
    r"|elsevier\.?)\s?"
    r"(?=(?-i:[A-Z])[a-z]*\W)(?!(?:ltd|limited|inc|llc|published|john|elsevier|the authors?|by"
    r"|wiley"
    r"|springer|ieee|acm|science|media|nature|on behalf|all rights|berlin|verlag|gmbh|b\.?v)\b)",
    re.IGNORECASE,
)

_MOST = 2_000  # characters that all notices together have at the most
_LONGEST = 500  # of one sentence of them
_LONGEST_REST = 200
_MOST_REST = 4
_PURE = 120  # characters of a notice in which no word of research may make it doubtful
_LEAST_LEFT = 40
_LONGEST_RUN_IN = 260


def start_of_notices(text: str) -> int:
    """Return where the notices at the end begin, or the length of the text."""
    base = max(0, len(text) - _MOST)
    window = text[base:]
    lower = window.lower()
    if not any(hint in lower for hint in _HINTS):
        return len(text)
    begins = [*([] if base else [0]), *(match.end() for match in _SENTENCE.finditer(window))]
    cut = _first_of(window, begins)
    if cut == len(window):
        cut = _run_in(window)
    if cut == len(window):
        return len(text)
    return base + len(_without_own_place(window, begins, cut).rstrip())


def end_of_leading(text: str) -> int:
    """Return where a notice at the beginning ends, 0 where there is none."""
    if not _SURE.match(text[:_LONGEST]):
        return 0
    end = 0
    while (match := _LEADING.match(text[end : end + _LONGEST])) and match.end():
        end += match.end()
    if not end and (first := _SENTENCE.search(text[:_LONGEST])):
        part = text[: first.start()]
        end = first.end() if len(part) <= _PURE and not _RESEARCH.search(part.lower()) else 0
    return end if len(text) - end >= _LEAST_LEFT else 0


def _first_of(window: str, begins: list[int]) -> int:
    """Return where the first of the sentences begins that are all notices, to the end."""
    cut, last = len(window), len(window)
    waiting: list[str] = []  # sentences that are none themselves but may hang on one
    for begin in reversed(begins):
        part = window[begin:last].strip()
        last = begin
        if not part:
            continue
        if len(part) < _LONGEST and _SURE.match(part) and _is_pure(part):
            if any(map(_is_content, waiting)):
                break
            cut, waiting = begin, []
        elif len(part) < _LONGEST and _PLAIN.match(part) and not waiting:
            cut = begin
        else:
            waiting.append(part)
            if len(part) > _LONGEST_REST or len(waiting) > _MOST_REST:
                break
    return cut


def _is_pure(part: str) -> bool:
    """Tell whether a sentence that begins as a notice does not go on as an abstract."""
    if len(part) <= _PURE:
        return not re.search(r"\b(?:we|was|were)\b", part)
    return not re.search(r"\b(?:we|our|was|were|results|stud(?:y|ies)|patients)\b", part)


def _is_content(part: str) -> bool:
    if _REST.fullmatch(part) or _PLAIN.match(part):
        return False
    return bool(_CONTENT.search(part) or (_RESEARCH.search(part) and not _is_aside(part)))


def _is_aside(part: str) -> bool:
    """Tell whether a sentence sends the reader elsewhere."""
    return _ASIDE.match(part) is not None


def _run_in(window: str) -> int:
    """Return where a notice begins that no full stop keeps from the sentence before."""
    for match in reversed(list(_RUN_IN.finditer(window))):
        rest = window[match.end() :]
        if len(rest) > _LONGEST_RUN_IN or match.start() < _LEAST_LEFT:
            return len(window)
        if not _RESEARCH.search(rest) and not _CONTENT.search(rest):
            return match.start()
    return len(window)


def _without_own_place(window: str, begins: list[int], cut: int) -> str:
    """Return the text before a notice, without the place that its journal gives the paper."""
    earlier = [begin for begin in begins if begin < cut][-6:]
    for begin in earlier:
        part = window[begin:cut].strip()
        if len(part) < _PURE and begin and _OWN_PLACE.fullmatch(part):
            return window[:begin]
    return window[:cut]
