"""What in an abstract field is the abstract: not a placeholder, the title again, or a notice.

Publishers put their copyright at the end, at times at the beginning; databases write that there is
no abstract, or cut it off. The text as it came is kept, these parts are not searched or quoted.
Does not judge whether an abstract is any good.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.library import cleaning, languages
from assistant.types import Record

_LABEL = re.compile(
    r"^\W{0,3}(?:abstract|a b s t r a c t|summary|résumé|resumen|resumo|zusammenfassung|riassunto"
    r"|摘\s*要|要\s*旨|抄\s*録|초록|аннотация)\s*(?:[.:：\-\u2013\u2014\]】]+\s*|\s(?=(?-i:[A-Z\u3040-\u9fff])))",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?:no(?:t)?\s+(?:an?\s+)?abstract(?:s)?(?:\s+(?:is|was|are))?(?:\s+(?:available|provided|given"
    r"|found|supplied|present|included|submitted))?"
    r"|(?:the\s+|an?\s+)?abstract(?:\s+text)?(?:\s+(?:is|was))?\s+(?:not|un)\s?-?(?:\s*yet)?"
    r"\s*(?:available|provided|given|found|supplied|present|included)"
    r"|not\s+available|unavailable|not\s+provided|none|null|nil|nan|n\s*/\s*a|na|tba|tbd|unknown|empty"
    r"|abstract|summary|missing|missing\s+abstract|\[?no\s+abstract\]?|no\s+summary(?:\s+available)?"
    r"|(?:this|the)\s+(?:article|paper|record|entry|publication|item|document)\s+(?:has|contains)\s+no"
    r"\s+abstract|(?:article|paper|record)\s+without\s+abstract|without\s+abstract"
    r"|(?:please\s+)?(?:click|see|refer|read|view)\b[^.]{0,60}\b(?:abstract|pdf|full\s+text|article"
    r"|paper|here|publication|document)"
    r"|kein(?:e)?\s+(?:abstract|zusammenfassung)(?:\s+(?:verfügbar|vorhanden))?"
    r"|pas\s+de\s+résumé(?:\s+disponible)?|aucun\s+résumé(?:\s+disponible)?|résumé\s+non\s+disponible"
    r"|sin\s+resumen|resumen\s+no\s+disponible|sem\s+resumo|resumo\s+(?:não|indisponível)\w*"
    r"|нет\s+аннотации|аннотация\s+отсутствует"
    r"|(?:暂?无|没有)(?:中文|英文)?摘要|摘要(?:不可用|缺失|暂无|无)|抄録(?:なし|無し)|要旨なし|초록\s*없음)"
    r"(?:\s+(?:for\s+this\s+\w+|at\s+this\s+time|available|in\s+\w+))?",
    re.IGNORECASE,
)
_BRACKETS = " \t\n.:;,\u2026-\u2013\u2014*_[](){}<>\"'\u201c\u201d\u2018\u2019!?#\u3002\uff0e"
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_CUT = re.compile(
    r"(?:\u2026|\.\.\.|\[\s*(?:\.\.\.|\u2026)\s*\]|\((?:abstract\s+)?truncated[^)]*\)"
    r"|abstract\s+truncated(?:\s+at\s+\d+\s+words)?|\[truncated\]|(?:read|show|see)\s+more"
    r"|continue\s+reading)\W{0,3}$",
    re.IGNORECASE,
)
_CUT_MARK = re.compile(r"\s*[(\[]\s*abstract\s+truncated[^)\]]*[)\]]\W*$", re.IGNORECASE)
_MARK = r"(?:©|\(c\)|ⓒ|copyright\b|&copy;)"
_HOLDER = (
    r"(?:elsevier|springer|wiley|blackwell|ieee|acm|association for computing|taylor|francis|sage"
    r"|oxford university|cambridge university|the authors?\b|authors?\(s\)|author\(s\)|the author"
    r"|mdpi|karger|thieme|lippincott|wolters|kluwer|american|royal society|institute|society"
    r"|publishers?\b|press\b|b\.?\s?v\b|gmbh|ltd\b|inc\b|llc\b|verlag|nature|macmillan|plos|bmj|iop"
    r"|aip\b|aps\b|spie|frontiers|hindawi|copernicus|emerald|informa|academic|university|association"
    r"|federation|college|all rights|by\b|published|owner|rights?holders?|crown|the\s+\w+\s+\w+)"
)
# How a sentence begins that speaks of the rights in an abstract and not of its matter
_NOTICE = re.compile(
    rf"^\W{{0,3}}(?:{_MARK}\s*(?:,?\s*\d{{4}}\b|{_HOLDER}|{_MARK})"
    rf"|\d{{4}}\s*{_MARK}|\d{{4}}(?:\s+the\s+authors?|\s+elsevier|\s+wiley|\s+springer|\s+john\s+wiley"
    rf"|\s+published\s+by)\b"
    r"|all\s+rights\s+(?:are\s+)?reserved|published\s+(?:online\s+)?by\s+(?-i:[A-Z])"
    r"|(?:this|the)\s+(?:article|work|is\s+an?\s+open\s+access)\b[^.]{0,80}"
    r"(?:copyright|creative\s+commons|open\s+access|public\s+domain|licen[sc]e|cc[\s-]by|government\s+work)"
    r"|this\s+is\s+an?\s+open[\s-]access"
    r"|(?:licensed|distributed)\s+under\s+(?:the\s+)?(?:terms\s+of\s+)?(?:the\s+|a\s+)?(?:creative|cc)"
    r"|under\s+(?:the\s+)?(?:an?\s+)?(?:exclusive\s+)?licen[sc]e\s+(?:to|from|of)\b"
    r"|\[?abstract\s+from\s+(?:author|publisher|the\s+publisher|journal)|\(?abstract\s+by\s+author"
    r"|(?:the\s+)?copyright\s+(?:of|holder|for)\b[^.]{0,200}\b(?:property|may\s+not|journal|article)"
    r"|copyright\s+of\b|copyright\s+applies|\(?psyc(?:info|articles)\b|\(?apa\s+psycinfo"
    r"|however,?\s+users\s+may\s+(?:print|download)|this\s+abstract\s+may\s+be\s+abridged"
    r"|no\s+warranty\s+is\s+given|users\s+should\s+refer\s+to\s+the\s+original"
    r"|(?:re)?print(?:s|ed)?\s+(?:with|by)\s+permission|reproduced\s+(?:with|by)\s+permission"
    r"|版权所有|著作権)",
    re.IGNORECASE,
)
# The same where a full stop is missing before it: only with a year and a holder behind the mark
_RUN_IN = re.compile(
    rf"\s(?:©|\(c\)|\(C\)|ⓒ|Copyright\s*(?:©|\(c\)|\(C\)))\s*(?:\d{{4}}|{_HOLDER})", re.IGNORECASE
)
_TAIL_WORDS = re.compile(
    r"^\W{0,3}(?:[\w.&,'\u2019 -]{1,60}(?:ltd|inc|b\.?v|gmbh|llc|co|kgaa|plc|s\.a|press|publishers?"
    r"|society|association|elsevier|springer|wiley|reserved|authors?|nature|ieee|acm)\W*"
    r"|published\s+by\b.{0,120}|on\s+behalf\s+of\b.{0,160}|[A-Z]\.?\s?[A-Z]?\.?|\d{4}\.?)$",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE = re.compile(r"(?<=[.!?。])\s+|(?<=[.!?][)\]])\s+|(?<=[A-Z][A-Z]\])\s+|\n+")
_LEADING = re.compile(
    rf"^\W{{0,2}}(?:{_MARK}|\d{{4}}\s+(?=elsevier|wiley|the\s+authors?)).{{0,160}}?"
    r"(?:all rights reserved\.?|reserved\.|b\.\s?v\.|ltd\.?|inc\.?|gmbh|llc|\d{4}\.?"
    r"|authors?(?:\(s\))?\.?)\s+(?=(?-i:[A-Z])(?!td\b|nc\b|ll\b))",
    re.IGNORECASE,
)
_LONGEST_NOTICE = 500  # characters of one sentence of it
_MOST_NOTICE = 1_500  # characters; what goes on longer is no notice
_LEAST_LEFT = 40
_LEAST_BEFORE = 20
_LONGEST_RUN_IN = 200
_GOES_ON = re.compile(r"\.\s+[A-Z]\w+\s+\w+\s+\w+")


def settled(record: Record) -> Record:
    """Return a record whose abstract is empty if it is a placeholder or the title again.

    A text that its source has cut off is kept and marked.
    """
    if not record.abstract:
        return record
    plain = cleaning.plain(record.abstract).text
    start, end = content_span(plain)
    said = plain[start:end].strip()
    if _placeholder(said) or _only_title(said, record.title):
        return replace(record, abstract="")
    language = record.language or languages.guess(said)
    return replace(
        record, truncated=bool(_CUT.search(said) or _CUT_MARK.search(plain)), language=language
    )


def content_span(plain_text: str) -> tuple[int, int]:
    """Return the slice of a plain abstract without a leading label and a publisher's notices."""
    start = 0
    if label := _LABEL.match(plain_text):
        start = label.end()
    if leading := _LEADING.match(plain_text[start:]):
        left = len(plain_text) - start - leading.end()
        start += leading.end() if left >= _LEAST_LEFT else 0
    end = start + notice_start(plain_text[start:])
    if mark := _CUT_MARK.search(plain_text[:end]):
        end = mark.start()
    return (start, end) if start < end else (0, end)


def notice_start(plain_text: str) -> int:
    """Return where a publisher's notice begins at the end, or the length of the text.

    What stands before it, in a label or at the beginning, is :func:`content_span`'s matter.
    """
    cut = len(plain_text)
    begins = [0, *(match.end() for match in _SENTENCE.finditer(plain_text))]
    seen = False
    for begin in reversed(begins):
        part = plain_text[begin:cut].strip()
        if not part or len(plain_text) - begin > _MOST_NOTICE:
            break
        if _NOTICE.match(part) and len(part) < _LONGEST_NOTICE:
            cut, seen = begin, True
        elif not (_TAIL_WORDS.match(part) and _before(plain_text, begin, begins)):
            break
        else:
            continue
    if not seen:
        cut = len(plain_text)
    if run_in := _last(_RUN_IN, plain_text[:cut]):
        rest = plain_text[run_in:cut]
        if len(rest) < _LONGEST_RUN_IN and run_in > _LEAST_BEFORE and not _GOES_ON.search(rest):
            cut = run_in
    return len(plain_text[:cut].rstrip())


def _before(text: str, begin: int, begins: list[int]) -> bool:
    """Tell whether a notice begins at one of the few sentences before a tail such as "Inc."."""
    earlier = [place for place in begins if place < begin][-3:]
    return any(_NOTICE.match(text[place:begin].strip()) for place in earlier)


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=0)


def _placeholder(text: str) -> bool:
    bare = text.strip(_BRACKETS)
    if not any(char.isalpha() for char in bare):
        return True
    if len(bare) > 160:  # noqa: PLR2004 - longer than any way to say that there is none
        return False
    without = _ADDRESS.sub("", bare).strip(_BRACKETS)
    return not without or _NONE.fullmatch(without) is not None


def _only_title(text: str, title: str) -> bool:
    if not title or len(text) > 2 * len(title) + 20:
        return False
    return _bare(text) == _bare(title)


def _bare(text: str) -> str:
    folded = cleaning.normalized(text)
    return "".join(char for char in folded if char.isalnum())
