"""What in an abstract field is the abstract: not a placeholder, the title again, or a notice.

Databases write that there is no abstract, or cut it off; programs put a label before it. The text
as it came is kept; what is not the abstract is not searched and not quoted.
Does not judge whether an abstract is any good.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from assistant.library import cleaning, languages, notices
from assistant.types import Record

_ABSTRACT = (
    r"(?:abstracts?|summary|résumé|resumen|resumo|sommaire|zusammenfassung|kurzfassung|riassunto"
    r"|sommario|samenvatting|streszczenie|özet|аннотация|резюме|реферат|sammanfattning)"
)
_CJK_LABEL = r"(?:(?:中文|英文|内容)?摘\s*要|要\s*旨|要\s*約|抄\s*録|概\s*要|초\s*록|국문초록|<正>)"
# With a mark behind it, or a capital letter: "Abstract: …", "ABSTRACT We …", "AbstractWe …"
_LABEL = re.compile(
    r"\W{0,3}(?:(?:structured|graphical|extended|author|short|general|executive|lay)\s)?"
    rf"(?:(?:{_ABSTRACT}|a\sb\ss\st\sr\sa\sc\st)(?:\s*[/|]\s*{_ABSTRACT})?"
    r"(?:(?:\s?[.:：|\u2014]+|\s?[\])}】*]+[.:：]?|\s[-\u2013](?=\s))\s*"
    r"|(?-i:(?<=ABSTRACT)|(?<=SUMMARY)|(?<=bstract)|(?<=ummary)|(?<=bstracts))"
    r"\s*(?=(?-i:[A-Z\u3040-\u9fff“\"])|\d)"
    r"|\s+(?=(?-i:[A-ZÀ-Þ\u0400-\u042f])|©|\(c\)\s))"
    rf"|description\s?[:：]\s*|{_CJK_LABEL}(?:\s*[.:：\]】〕]+\s*|\s+)"
    r"|摘\s*要(?=本文|本研究|目的|针对|随着|为|在)|<正>)",
    re.IGNORECASE,
)
# Where "Abstract" and the word behind it are a term
_TERM = re.compile(
    r"\W{0,3}(?:abstract\s+(?:meaning|interpretation|argumentation|state\smachine|syntax|algebra"
    r"|data\stype|visual|reasoning|art\b|wikipedia|harmonic|simplicial|expressionis|thinking"
    r"|concept"
    r"|domain|machine|word|noun|object\b|model\sth|nonsense|categor|class|cauchy|polytope)"
    r"|summary\s+(?:statistic|judg|measure|evaluation|receiver|table|care|generation|of\b))",
    re.IGNORECASE,
)

_AVAILABLE = (
    r"(?:available|provided|given|found|supplied|present|included|submitted|exists?|listed|required"
    r"|retrieved|accessible|applicable|specified|recorded|published|indexed)"
)
_THING = (
    r"(?:articles?|papers?|records?|entry|publications?|items?|documents?|contents?|editorials?"
    r"|letters?"
    r"|chapters?|books?|titles?|works?|reviews?|comments?|versions?)"
)
_NO_ABSTRACT = (
    r"(?:no|not|without|missing|empty|lacks?|has\sno|contains?\sno)\s+(?:an?\s+|any\s+)?"
    r"(?:author[-\s]?(?:supplied|provided)?\s+)?(?:english\s+)?"
    r"(?:abstracts?|summary|description|preview)(?:\s+text)?"
)
_NONE_ENGLISH = (
    rf"(?:there\s+(?:is|was)\s+)?{_NO_ABSTRACT}(?:\s+(?:is|was|are|were"
    rf"|has\sbeen))?(?:\s+(?:currently\s+)?{_AVAILABLE})?"
    rf"|(?:the\s+|an?\s+)?(?:abstracts?|summary|description|preview)(?:\s+text"
    rf"|\s+in\s+\w+)?(?:\s*[:\-\u2013]\s*|\s+)(?:(?:is|was|has\sbeen|are)\s+)?"
    rf"(?:currently\s+)?(?:(?:not?|un)\s?-?\s*(?:yet\s+)?{_AVAILABLE}|none|n\s*/\s*a|missing"
    rf"|empty|pending|null)"
    rf"|(?:this|the)\s+{_THING}\s+(?:has|have|had|contains?|does\s+not\s+(?:have|contain)|comes)\s+"
    r"(?:no|without|an?|any)?\s*(?:an?\s+)?(?:abstract|summary)"
    rf"|{_THING}\s+without\s+(?:an\s+)?(?:abstract|summary)"
    rf"|(?:data\s+|information\s+)?(?:not|un)\s?-?{_AVAILABLE}|none|null|nil|nan|na|n\s*[./]\s*a"
    rf"|#n/a|tba|tbd"
    r"|unknown|empty|missing|undefined|abstract|summary|pending|to\s+be\s+(?:announced|added)"
    r"|lorem\s+ipsum"
    r"|(?:please\s+)?(?:click|see|refer|read|view|consult|check)\b[^.]{0,80}\b(?:abstract|pdf"
    r"|full[\s-]?text"
    r"|article|paper|here|publication|document|website|attached|file)s?"
    r"|(?:first|extract|article)\s+(?:page\s+)?preview|graphical\s+abstract(?:\s+available)?"
    r"|editorial|errat(?:um|a)|corrigend(?:um|a)|correspondence|book\s+reviews?"
    r"|letters?(?:\s+to\s+the\s+editors?)?"
    r"|commentary|comments?|news|obituary|introduction|foreword|preface|index|table\s+of\s+contents"
)
_NONE_ELSEWHERE = (
    r"kein(?:e)?\s+(?:abstract|zusammenfassung|kurzfassung)(?:\s+(?:verfügbar|vorhanden))?"
    r"|nicht\s+verfügbar"
    r"|pas\s+de\s+résumé(?:\s+disponible)?|aucun\s+(?:résumé|abstract)(?:\s+disponible)?"
    r"|(?:résumé|resumen|resumo|riassunto|abstract|sommario|samenvatting|özet"
    r"|sammanfattning)\s+(?:non|no|não|ikke|nicht|niet)\s+"
    r"(?:est\s+|está\s+)?(?:disponib[a-zí]+|disponível|verfügbar|beschikbaar|disponibile|vorhanden)"
    r"|non\s+disponib(?:le|ile)|no\s+(?:hay\s+)?(?:disponible|resumen(?:\s+disponible)?)"
    r"|não\s+disponível"
    r"|sin\s+resumen(?:\s+disponible)?|sem\s+resumo(?:\s+disponível)?|resumo\s+indisponível"
    r"|nessun\s+(?:abstract|riassunto)(?:\s+disponibile)?"
    r"|senza\s+abstract|geen\s+(?:samenvatting|abstract)(?:\s+beschikbaar)?"
    r"|brak\s+(?:streszczenia|abstraktu)"
    r"|özet\s+(?:yok|bulunmamaktadır|mevcut\s+değil)|inget\s+abstract|ei\s+tiivistelmää"
    r"|нет\s+(?:аннотации|резюме)|без\s+аннотации|аннотация\s+(?:отсутствует|не\s+указана"
    r"|недоступна)"
    r"|(?:暂?无|没有|缺|無)(?:中文|英文|论文|相关|文献)?(?:摘要|内容|简介|资料|要約|抄録)(?:信息)?|摘要(?:不可用|缺失|暂无|无|略)|暂无|无|無|略|正"
    r"|(?:抄録|要旨|要約|概要)(?:なし|無し|はありません)|(?:초록|요약)\s*(?:없음|이\s*없습니다)|없음"
)
_NONE = re.compile(
    rf"(?:{_NONE_ENGLISH}|{_NONE_ELSEWHERE})"
    rf"(?:\s+(?:(?:for|in|of|on|with|from)\s+(?:this|the|these)\s+(?:\w+\s+)?{_THING}"
    r"|at\s+(?:this|the)\s+\w+|available|online|yet|(?:in|from)\s+(?!the\b)\w+))*"
    r"(?:\W+(?:please\s+)?(?:click|see|refer|use|read|view|so\sa\spreview)\b.{0,100})?",
    re.IGNORECASE,
)
_BRACKETS = (
    " \t\n.:;,*_[](){}<>|/=\"'!?#\u2026-\u2013\u2014\u201c\u201d\u2018\u2019"
    "\u3002\uff0e\u3010\u3011"
)
_ADDRESS = re.compile(r"(?:https?://|www\.|doi:\s?)\S+|\b10\.\d{4,9}/\S+")
_LONGEST_NONE = 240  # longer than any way to say that there is none
_LONGEST_ALONE = 1_000  # characters of a notice that has nothing before it

_CUT_MARK = re.compile(
    r"\s*(?:[(\[]\s*(?:abstract\s+)?truncated[^)\]]{0,40}[)\]]"
    r"|abstract\s+truncated(?:\s+at\s+\d+\s+words)?"
    r"|(?<=[.!?\u2026\])])\s+(?:\W{0,2}(?:read|show|see|view|learn|load)\s+(?:full\s+abstract"
    r"|more)|\W{0,2}more|\(more\)|\[more\]"
    r"|continue\s+reading|continued|expand|weiterlesen|lire\s+la\s+suite|展开|更多)"
    r"|\[\s*(?:more|continued)\s*\]|\(\s*continued\s*\))\W{0,3}$",
    re.IGNORECASE,
)
_DOTS = re.compile(r"(?:\u2026|\.\s?\.\s?\.|[(\[]\s*(?:\.\.\.|\u2026)\s*[)\]])[\s.)\]]{0,3}$")
_ON = re.compile(
    r"(?:\betc|\band\s+(?:so\s+on|so\s+forth|more|others))\.?,?\s*(?:\.\.\.|\u2026)\W*$",
    re.IGNORECASE,
)
_CUT_BEFORE = re.compile(r"(?:\u2026|\.\.\.)\s*\w")
_IN_A_CLAUSE = re.compile(
    r"\s(?:the|an|of|and|that|which|with|to|for|is|are|was|were|from|between|our|we|their|its"
    r"|these|into|than|by|has|have)$"
)
_LIMITS = frozenset(
    [
        250,
        254,
        255,
        256,
        300,
        500,
        511,
        512,
        1000,
        1023,
        1024,
        2000,
        2048,
        3999,
        4000,
        4096,
        5000,
        8000,
        32767,
    ]
)
_LEAST_CUT = 100


def settled(record: Record) -> Record:
    """Return a record whose abstract is empty if it is a placeholder or the title again.

    A text that its source has cut off is kept and marked. Where there is only a second abstract,
    it is the abstract.
    """
    others = tuple(other for other in record.other_abstracts if _is_real(other.text, record.title))
    if others != record.other_abstracts:
        record = replace(record, other_abstracts=others)
    if record.abstract and not _is_real(record.abstract, record.title):
        record = replace(record, abstract="")
    if not record.abstract and others:
        language = others[0].language or record.language
        record = replace(
            record, abstract=others[0].text, language=language, other_abstracts=others[1:]
        )
    if not record.abstract:
        return record
    plain = cleaning.plain(record.abstract).text
    start, end = content_span(plain)
    language = record.language or languages.guess(plain[start:end])
    truncated = _is_cut(plain, plain[start:end])
    if (language, truncated) == (record.language, record.truncated):
        return record
    return replace(record, truncated=truncated, language=language)


def _is_real(text: str, title: str) -> bool:
    plain = cleaning.plain(text).text
    start, end = content_span(plain)
    said = plain[start:end]
    return not (_placeholder(said) or _is_none(plain) or _only_title(said, title))


@lru_cache(maxsize=16)
def content_span(plain_text: str) -> tuple[int, int]:
    """Return the slice of a plain abstract without a leading label and a publisher's notices."""
    start = _after_label(plain_text, 0)
    if led := notices.end_of_leading(plain_text[start:]):
        start = _after_label(plain_text, start + led)
    end = start + notice_start(plain_text[start:])
    if mark := _mark_of_cut(plain_text[start:end]):
        end = start + mark.start()
    while start < end and plain_text[start] == " ":
        start += 1
    return (start, end) if start < end else (0, end)


def notice_start(plain_text: str) -> int:
    """Return where a publisher's notice begins at the end, or the length of the text.

    What stands before it, in a label or at the beginning, is :func:`content_span`'s matter.
    """
    return notices.start_of_notices(plain_text)


def _after_label(text: str, start: int) -> int:
    """Return where the text goes on behind a label at ``start``, if there is one."""
    for _ in range(2):  # "Abstract ABSTRACT: …"
        found = _LABEL.match(text[start : start + 80])
        if not found or start + found.end() >= len(text):
            break
        head = text[start : start + 40]
        bare = found.group()[-1:].isspace() or found.group()[-1:].isalpha()
        if bare and (_TERM.match(head) or _again(text, start, found.end())):
            break
        start += found.end()
    return start


def _again(text: str, start: int, size: int) -> bool:
    """Tell whether a label and the word behind it stand in the text again, as a term does."""
    word = re.match(r"[\w-]+", text[start + size :])
    if not word:
        return False
    term = f"{text[start : start + size].strip()} {word.group().removesuffix('s')}".lower()
    return term in text[start + size :].lower()


def _mark_of_cut(text: str) -> re.Match[str] | None:
    """Return the words at the end by which a source says that it cut the text off."""
    base = max(0, len(text) - 80)
    return _CUT_MARK.search(text, base)


def _is_cut(plain: str, said: str) -> bool:
    if _mark_of_cut(plain) or (_DOTS.search(said[-12:]) and not _ON.search(said[-30:])):
        return True
    if len(said) < _LEAST_CUT:
        return False
    last = said[said.rfind(" ") + 1 :]
    in_word = last.replace("-", "").isalpha() or last.endswith((",", "-"))
    at_limit = len(plain) in _LIMITS and in_word
    return at_limit or bool(_CUT_BEFORE.match(said) or _IN_A_CLAUSE.search(said[-12:]))


def _placeholder(text: str) -> bool:
    bare = text.strip(_BRACKETS)
    if not any(map(str.isalpha, bare)) or _is_none(bare):
        return True
    return len(text) < _LONGEST_ALONE and notice_start(text) == 0


def _is_none(text: str) -> bool:
    """Tell whether a text says that there is no abstract, or is an address alone."""
    if len(text) > _LONGEST_NONE:
        return False
    bare = text.strip(_BRACKETS)
    if "/" in bare:
        bare = _ADDRESS.sub("", bare).strip(_BRACKETS)
    return not bare or _NONE.fullmatch(bare) is not None


def _only_title(text: str, title: str) -> bool:
    if not title or len(text) > 2 * len(title) + 20:
        return False
    bare = _bare(text)
    return bare == _bare(title) or bare == ""


def _bare(text: str) -> str:
    folded = cleaning.normalized(text)
    return "".join(char for char in folded if char.isalnum())
