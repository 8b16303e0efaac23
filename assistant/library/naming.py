"""Find what a paper calls its own method, and what the name stands for.

Names of others (baselines, data sets of the field, background acronyms) are told apart by
where they stand: a name counts when the authors introduce it, not when they mention it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.library import names, phrases
from assistant.library.contribution import LESS, MAKING, Clause
from assistant.library.names import KINDS, TOKEN

_MADE, _STANDS, _CALLED_BY_US, _CALLED, _OURS, _SUBJECT = 5.0, 5.0, 5.5, 2.5, 4.0, 3.0
_FIRST = 1.5
_ORDER = 0.1
_USE = 0.5
_MOST_USES = 6
_IN_LINK = 3.0
_BEFORE = 5.0
_ENOUGH = 2.5
_MAX_HEAD = 10
_REACH = 260

_ARTICLE = re.compile(r"^(?:an?|the|our|its|two|three|both)\s+", re.IGNORECASE)
_LINKS = re.compile(
    r"\b(?:of|for|to|in|on|with|by|via|from|that|which|into|as|at|towards?|through|under|over"
    r"|between|among|about|and|using|utili[sz]ing|leveraging|employing|combining|based|where)\b"
)
_GLOSS = re.compile(r"\s?\((?P<gloss>[^()]{2,150})\)")
_ACRONYM = re.compile(r"\s?\((?:or\s+|i\.e\.,?\s+)?[\"“'‘]?(?P<name>[^\s()\"”'’]{2,20})[\"”'’]?\)")
_NAMED = (
    r"namely|called|named|termed|dubbed|coined|entitled|titled|codenamed|designated as"
    r"|abbreviated(?: as)?|referred to as|known as|denoted(?: as| by)?"
)
_BY_US = re.compile(
    r"\b(?:namely|dubbed|termed|coined|designated as"
    r"|we (?:call|term|name|dub|refer to as)(?: (?:it|this|them|our \w+))?)\s*,?:?\s+"
)
_BY_ANYONE = re.compile(rf"\b(?:{_NAMED})\s*:?\s+")
_APART = re.compile(
    rf"(?:{KINDS})s?(?:\b[^,:]*)?[,:—–]\s+(?:namely\s+)?$|(?:development|introduction) of\s+$"
)
_ENDS_IN_KIND = re.compile(rf"\b(?:{KINDS})s?[:,]?\s+$")
_ENDS_IN_NAMED = re.compile(rf".*(?:{_NAMED})\s+$")
_QUOTED = re.compile(rf"(?<![\w-])[\"“'‘]?(?P<name>{TOKEN})[\"”'’]?")
_SINGLE = re.compile(rf"(?P<name>{TOKEN})[\"”'’]?(?:\s\((?P<gloss>[^()]{{3,150}})\))?")
_WORDS = re.compile(r"(?:[^\s,;:.()\"”]+\s+){1,6}[^\s,;:.()\"”]+(?=[,;:.\"”]|\s\(|$)")
_LONG_FIRST = re.compile(r"(?P<long>[^(),;:]{3,120}?)\s?\((?P<name>[^\s()]{2,20})\)")
_EXPLAINED = re.compile(rf"(?P<name>{TOKEN})(?:, an?\s|\s+is (?:an?|the)\s+(?:new|novel|first)\b)")
_LONGER_NAME = re.compile(r"\s+[A-Z](?!\w*\s?\()")
_ALONE = re.compile(r",\s|\s+[—–]\s|:\s|\.?$")
_TOO_FAR = re.compile(r"[;()]|,.*,")
_BROKEN = re.compile(r"[;:()]")
_SHORT_FOR = re.compile(r"^(?:short |standing )?for\s+")
_OPENING = re.compile(r"^(?:the\s+|as\s+)?[\"“'‘]?")
_WHICH = re.compile(r"[\s,(]*(?:which|that|and)?\s*$")
_BEFORE_NAME = re.compile(r"[\s,:—–]*(?:namely)?\s*$")
_LAST_NOUN = re.compile(r"(?:^|.*\s)(?P<what>an?\s.*)$")
_REPOSITORY = re.compile(r"(?=.*[A-Z])\w{3,15}")
_BOUNDARY = re.compile(
    r"\s*(?:$|[,.;:)”\"—–]|-{1,2}\s|\((?:$|[^)])"
    r"|(?:that|which|to|for|is|are|was|and|as|in|with|by|on|based|where|using|an?|designed|built)\b)"
)
_NOUN_TAIL = re.compile(rf"\s+(?P<noun>(?:[a-z][a-z-]*\s+){{0,3}}?(?:{KINDS}|learning)s?)\b")
_APPOSED = re.compile(
    r"^(?:,\s+|\s*[—–-]+\s+|\s*:\s+|\s+)(?:which (?:is|are)\s+)?"
    r"(?P<what>(?:an?|the|our|one of)\s.*)",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOWED = re.compile(
    r"^,?\s+(?P<what>(?:that|which|to|for|based on|with|in which|where|by|designed|built|trained)"
    r"\s.*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Name:
    """A method's name, what it stands for and what it is; the last two may be empty."""

    name: str
    expansion: str
    what: str


@dataclass(frozen=True, slots=True)
class _Find:
    """A name with what stands before it in its clause and behind it in its sentence."""

    weight: float
    sentence: int
    name: str
    expansion: str
    head: str
    after: str


def own_name(
    sentences: Sequence[str], clauses: Sequence[Clause], links: Sequence[str]
) -> Name | None:
    """Return the name that the authors introduce, or None where there seems to be none."""
    text = " ".join(sentences)
    repositories = [link.rstrip("/").rsplit("/", 1)[-1] for link in links]
    making = {clause.sentence for clause in clauses if clause.weight >= MAKING - LESS}
    first = min((clause.sentence for clause in clauses if clause.makes), default=-1)
    best: tuple[float, _Find] | None = None
    for find in _finds(sentences, clauses, making):
        score = find.weight - _ORDER * find.sentence
        score += _FIRST * (find.sentence == first)
        score += _USE * min(names.uses(find.name, text), _MOST_USES)
        score += _IN_LINK * any(names.same(find.name, other) for other in repositories)
        score -= _BEFORE * any(
            names.uses(find.name, sentence) for sentence in sentences[: find.sentence]
        )
        if score >= _ENOUGH and (best is None or score > best[0]):
            best = score, find
    if best:
        find = best[1]
        return Name(find.name, phrases.spelled(_long_form(find)), _what(find))
    for other in repositories:
        # the repository speaks where the abstract does not: ".../ESPFormer"
        if _REPOSITORY.fullmatch(other) and names.is_coined(other):
            return Name(other, "", "")
    return None


def _finds(
    sentences: Sequence[str], clauses: Sequence[Clause], making: set[int]
) -> Iterator[_Find]:
    for clause in clauses:
        if clause.makes:
            yield from _made(clause)
            yield from _standing(clause)
    for index, sentence in enumerate(sentences):
        yield from _called(index, sentence, in_making=index in making)
        yield from _ours(index, sentence)
        yield from _subject(index, sentence)


# Where names stand


def _made(clause: Clause) -> Iterator[_Find]:
    """Yield names behind "we propose": "NAME, a …", "a method, NAME, that …", "a NAME layer"."""
    tail = clause.tail[:_REACH]
    for match in _QUOTED.finditer(tail):
        before = tail[: match.start()]
        if len(before.split()) > _MAX_HEAD or _TOO_FAR.search(before):
            return
        head = _ARTICLE.sub("", before)
        name, after = match["name"], clause.tail[match.end() :]
        gloss = _GLOSS.match(after)
        rest = after[gloss.end() :] if gloss else after
        if not _introduced(name, head, rest, alone=not before.strip()):
            continue
        if gloss and head and names.expansion(before + name, gloss["gloss"]):
            continue  # the acronym behind it is the name
        yield _Find(_MADE, clause.sentence, name, _spelled(gloss), _head_of(before), rest)


def _spelled(gloss: re.Match[str] | None) -> str:
    """Return what stands in parentheses behind a name, if it is what the name stands for."""
    text = _SHORT_FOR.sub("", gloss["gloss"]) if gloss else ""
    other = text.startswith(("abbrev", "e.g", "i.e", "see ", "or ", "http"))
    return "" if other or " " not in text else text


def _introduced(name: str, head: str, rest: str, *, alone: bool) -> bool:
    """Tell whether a word at this place is the name of what is made."""
    if _LONGER_NAME.match(rest):
        return False  # the first word of a longer name
    if alone and not names.is_coined(name):
        return names.is_proper(name) and bool(_ALONE.match(rest))
    if not names.is_coined(name) and not (head.rstrip().endswith(",") and name[0].isupper()):
        return False
    if _APART.search(head):
        return bool(_BOUNDARY.match(rest))
    if "," in head or _LINKS.search(head):
        return False
    behind_kind = not head or _ENDS_IN_KIND.search(head)
    before_kind = _NOUN_TAIL.match(rest) and head == head.lower()
    if names.BACKGROUND_KINDS.match(rest) and not alone:
        return False
    return bool((behind_kind and _BOUNDARY.match(rest)) or before_kind)


def _standing(clause: Clause) -> Iterator[_Find]:
    """Yield acronyms of what is made: "an Adaptive Intervention Mechanism (AIM)"."""
    for match in _ACRONYM.finditer(clause.tail[:_REACH]):
        before = clause.tail[: match.start()]
        long_form = names.expansion(before, match["name"])
        lead = before[: len(before) - len(long_form)]
        after = clause.tail[match.end() :]
        field = names.BACKGROUND_KINDS.match(after) and not before.startswith("the ")
        if not long_form or field or _BROKEN.search(lead):
            continue
        lead = _ARTICLE.sub("", lead)
        lead = _ENDS_IN_NAMED.sub("", lead)
        if not _LINKS.search(lead) and "," not in lead.rstrip(", "):
            long_form = phrases.unpraised(f"the {lead}{long_form}")[4:].strip(", ")
            yield _Find(_STANDS, clause.sentence, match["name"], long_form, "", after)


def _called(index: int, sentence: str, *, in_making: bool) -> Iterator[_Find]:
    """Yield names behind "called", "named", "which we term"."""
    for pattern, weight in ((_BY_US, _CALLED_BY_US), (_BY_ANYONE, _CALLED)):
        for match in pattern.finditer(sentence):
            surely = _CALLED_BY_US if in_making else weight
            head = _WHICH.sub("", sentence[: match.start()])
            yield from _name_at(surely, index, head, sentence[match.end() :], coined=not in_making)


def _name_at(weight: float, index: int, head: str, rest: str, *, coined: bool) -> Iterator[_Find]:
    rest = _OPENING.sub("", rest)
    long = _LONG_FIRST.match(rest)
    if long and names.expansion(long["long"], long["name"]):
        yield _Find(weight, index, long["name"], long["long"], _object(head), rest[long.end() :])
        return
    single = _SINGLE.match(rest)
    if single and _BOUNDARY.match(rest[single.end() :]):
        name = single["name"]
        if names.is_coined(name) or (name[0].isupper() and not names.is_shared(name)):
            gloss = _spelled(single) if single["gloss"] else ""
            yield _Find(weight, index, name, gloss, _object(head), rest[single.end() :])
        return
    words = _WORDS.match(rest)
    if coined or not words or not _OBJECT.match(head) or _LINKS.search(words.group()):
        return
    if not phrases.is_weak(words.group().split()[0]):
        yield _Find(weight, index, words.group(), "", _object(head), rest[words.end() :])


_OURS_PATTERN = re.compile(
    r"\b(?:[Oo]ur|[Tt]he proposed|[Tt]his)\s+(?:(?:proposed|new|novel|final|full|overall)\s+)?"
    rf"(?:[a-z-]+\s+){{0,2}}?(?:(?:{KINDS})\b,?\s+)?(?:{_NAMED})?\s*[\"“]?(?P<name>{TOKEN})[\"”]?"
)


def _ours(index: int, sentence: str) -> Iterator[_Find]:
    """Yield names behind "our method", "the proposed model"."""
    for match in _OURS_PATTERN.finditer(sentence):
        after = sentence[match.end() :]
        gloss = _GLOSS.match(after)
        rest = after[gloss.end() :] if gloss else after
        if names.is_coined(match["name"]) and not match.group().startswith("This"):
            yield _Find(_OURS, index, match["name"], _spelled(gloss), "", rest)


def _subject(index: int, sentence: str) -> Iterator[_Find]:
    """Yield names that a sentence explains: "NAME, a pipeline for …, is", "NAME is a new …"."""
    match = _EXPLAINED.match(sentence)
    if match and names.is_coined(match["name"]):
        yield _Find(_SUBJECT, index, match["name"], "", "", sentence[match.end("name") :])


# What the thing is

_OBJECT = re.compile(
    r".*\b(?:propose|introduce|present|develop|design|devise|describe|provide|derive|build|define"
    r"|create|construct|release|offer)(?:s|d|ed)?\s+(?P<what>.*)",
    re.DOTALL,
)


def _object(head: str) -> str:
    """Return the noun phrase before "called": what is made, else the last noun phrase."""
    if made := _OBJECT.match(head):
        return made["what"].removeprefix("the existence of ")
    noun = _LAST_NOUN.search(head)
    return noun["what"] if noun else ""


def _head_of(before: str) -> str:
    return _BEFORE_NAME.sub("", before)


def _long_form(find: _Find) -> str:
    """Return what the name stands for, with the noun that follows: "… Orthogonal layer"."""
    tail = _NOUN_TAIL.match(find.after)
    if not find.expansion or not tail or find.head:
        return find.expansion
    noun = tail["noun"]
    return find.expansion if find.expansion.lower().endswith(noun) else f"{find.expansion} {noun}"


def _what(find: _Find) -> str:
    """Return what the authors say that the thing is: behind its name, or in front of it."""
    after = find.after.lstrip(")\"”'’")
    tail = _NOUN_TAIL.match(after)
    if tail:
        after = after[tail.end() :]
    if match := _APPOSED.match(after):
        return phrases.unpraised(match["what"])
    followed = _FOLLOWED.match(after)
    more = f" {followed['what']}" if followed else ""
    if _ARTICLE.sub("", f"{find.head} ").strip():
        noun = f" {tail['noun']}" if tail else ""
        return phrases.unpraised(f"{find.head}{noun}{more}")
    if tail and not find.expansion:
        return phrases.with_article(tail["noun"]) + more
    return more.strip()
