"""The labels of a structured abstract: "OBJECTIVE: …", "Methods - …", "【目的】".

Knows the usual names in a dozen languages, and any heading in capitals with a colon. A label
stands at the beginning of the text, of a line or of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["", "background", "aim", "methods", "results", "conclusions", "other"]

_NAMES: dict[Kind, str] = {
    "background": (
        "background|introduction|context|rationale|importance|motivation|problem|premise"
        "|hintergrund|einleitung|introducción|introdução|contexte|contexto|antecedentes|fundamento"
        "|введение|актуальность|giriş|背景|研究背景|はじめに|緒言|배경|서론"
    ),
    "aim": (
        "objectives?|aims?|purposes?|goals?|questions?|hypothes[ie]s|research questions?"
        "|study objectives?|specific aims?|scope|ziel(?:e|setzung)?|fragestellung|zweck|objetivos?"
        "|objectifs?|obiettiv[oi]|scopo|doel|cel|цель|amaç|目的|研究目的|目标|목적|연구목적"
    ),
    "methods": (
        "methods?|methodology|(?:materials?|patients?|subjects?|participants?)\\s(?:and"
        "|&)\\smethods?"
        "|methods?\\s(?:and|&)\\smaterials?|(?:study |research )?designs?|settings?|participants?"
        "|patients?|subjects"
        "|interventions?|exposures?|main outcomes?(?: measures?| and measures)?|outcome measures?"
        "|measure(?:ment)?s|data sources?|data|data extraction|study selection|data synthesis"
        "|approach"
        "|design/methodology/approach|procedures?|analysis|search methods?|selection criteria"
        "|eligibility criteria"
        "|material und methoden|methoden?|methodik|métodos?|materiales? y métodos"
        "|material e métodos"
        "|méthodes?|matériels? et méthodes|metodi|materiali e metodi|методы|материалы и методы"
        "|yöntem"
        "|gereç ve yöntem|方法|研究方法|材料与方法|対象と方法|방법|대상 및 방법"
    ),
    "results": (
        "(?:main |key )?(?:results?|findings?)|results?\\s(?:and|&)\\sdiscussions?|main results"
        "|methods?\\s(?:and|&)\\sresults|observations?|ergebnisse?|resultados|résultats|risultati"
        "|resultaten"
        "|wyniki|результаты|bulgular|结果|研究结果|結果|결과"
    ),
    "conclusions": (
        "(?:authors['’]?s? )?(?:conclusions?|interpretations?)|conclusions?\\s(?:and"
        "|&)\\s(?:relevance"
        "|implications?|inferences?|discussions?|recommendations?|significance)|discussions?"
        "|implications?|significance|summary"
        "|impact(?: statement)?|practical implications|originality/value"
        "|research limitations/implications"
        "|social implications|limitations?|clinical (?:significance|implications|relevance)"
        "|relevance"
        "|schlussfolgerung(?:en)?|fazit|conclusiones|conclusión|conclusões|conclusão|conclusioni"
        "|conclusie"
        "|wnioski|выводы|заключение|sonuç|结论|研究结论|結論|考察|결론"
    ),
    "other": (
        "(?:clinical )?trial registrations?(?: numbers?)?|registration|funding|level of evidence"
        "|key\\s?words|availability(?: and implementation)?|supplementary information|contact"
        "|关键词|キーワード"
    ),
}  # fmt: skip
_ANY = "|".join(_NAMES.values())
_NAME = rf"(?:{_ANY})(?:(?:\s?[,/&]\s?|,?\s(?:and|&|y|et|und|e)\s)(?:{_ANY})){{0,3}}"
_MARKED = re.compile(
    rf"(?:[【〔\[](?P<boxed>{_NAME})[】〕\]][:：]?"
    rf"|(?:\(?[0-9ivIV]{{1,3}}[.)]\s)?(?P<known>{_NAME})(?:\s?[:：]|\s[-\u2013\u2014](?=\s))"
    # run in: "Results. The …", "Methods We …" is left alone
    rf"|(?P<run>{_NAME})\.(?=\s+(?-i:[A-Z0-9\"“(]))"
    r"|(?P<loud>(?-i:[A-Z][A-Z ,/&()'-]{2,60}[A-Z)])):(?=\s))(?:\s*\**)",
    re.IGNORECASE,
)
_ONLY = re.compile(rf"\W{{0,3}}(?:{_NAME})\W{{0,2}}", re.IGNORECASE)
_PLACE = re.compile(r"(?:^|\n|(?<=[.!?。！？;；)%\]])\s|(?<=[。！？；]))[ \t*_#]{0,6}")
_LONGEST = 80
_LEAST_LOUD = 2  # headings of no known name count where there are as many, or a known one


@dataclass(frozen=True, slots=True)
class Label:
    """A label at ``[start, end)`` of a text, its mark included."""

    start: int
    end: int
    kind: Kind


def labels(text: str) -> list[Label]:
    """Return the labels of a text in order; one that is alone and of no known name is none."""
    found = list(_labels(text))
    known = [label for label in found if label.kind not in {"", "other"}]
    return found if known or len(found) >= _LEAST_LOUD else []


def _labels(text: str) -> Iterator[Label]:
    last = 0
    for place in _PLACE.finditer(text):
        found = _label_at(text, place.end()) if place.end() >= last else None
        if found:
            yield found
            last = found.end


def _label_at(text: str, start: int) -> Label | None:
    if text[start : start + 1].islower():
        return None
    match = _MARKED.match(text, start, start + _LONGEST)
    if not match:
        return None
    name = match["boxed"] or match["known"] or match["run"] or match["loud"]
    return Label(start, start + len(match.group().rstrip()), _kind(name.lower()))


def kinds(sentences: Sequence[str]) -> list[Kind]:
    """Return of each sentence the kind of section that it is in; "" before the first label."""
    current: Kind = ""
    found: list[Kind] = []
    for sentence in sentences:
        if label := _label_at(sentence, 0):
            current = label.kind
        found.append(current)
    return found


def is_only_label(sentence: str) -> bool:
    """Tell whether a sentence is a label and nothing else."""
    return len(sentence) < _LONGEST and _ONLY.fullmatch(sentence) is not None


def without_label(sentence: str) -> str:
    """Return a sentence without the label that it begins with."""
    label = _label_at(sentence, 0)
    return sentence[label.end :].lstrip() if label and label.end < len(sentence) else sentence


@lru_cache(maxsize=256)
def _kind(name: str) -> Kind:
    """Return the kind of a name; of several names the first that says most."""
    for kind in ("aim", "conclusions", "results", "methods", "background", "other"):
        if re.search(rf"(?:^|[\s,/&])(?:{_NAMES[kind]})(?:$|[\s,/&])", name, re.IGNORECASE):
            return kind
    return ""
