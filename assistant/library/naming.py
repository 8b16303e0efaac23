"""Find what a paper calls its own method, and what the name stands for.

Names of others (baselines, data sets of the field, background acronyms) are told apart by
where they stand: a name counts when the authors introduce it, not when they mention it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.library import phrases
from assistant.library.contribution import MAKING, Clause

_TOKEN = r"[A-Za-zΑ-ω0-9][\w^+.'’/*-]*[\w+*]|[A-Z]"
_KIND = (
    "method|methods|model|models|approach|framework|algorithm|system|dataset|data set|benchmark"
    "|architecture|network|technique|strategy|scheme|tool|toolkit|library|package|pipeline|module"
    "|protocol|mechanism|paradigm|loss|layer|agent|corpus|score|metric|measure|attack|defense"
    "|estimator|procedure|platform|software|suite|solution|design|implementation|principle"
    "|regularizer|optimizer|sampler|theory|task|challenge|instrument|trial|study"
)
_CALLED = (
    r"(?:called|named|termed|dubbed|coined|entitled|titled|codenamed|abbreviated(?: as)?"
    r"|referred to as|known as|denoted(?: as| by)?|(?:which|that) we (?:call|term|name|dub)"
    r"|we (?:call|term|name|dub|refer to as)|we (?:call|term|name|dub) (?:it|this|them|our \w+))"
)
_MENTIONED = re.compile(
    r"(?:than|over|with|to|outperform(?:s|ing)?|like|as|including|and|of|by|from|on|using|via)\s+$"
)
_DESCRIBED = re.compile(
    r"^(?:,\s+|\s+[—–-]+\s+|\s*:\s+)(?:which (?:is|are)\s+)?(?P<what>(?:an?|the|our|one|two)\s.*)",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOWED = re.compile(
    r"^(?P<kind>\s+(?:[a-z-]+\s+){0,2}?(?:" + _KIND + r")s?)?"
    r"(?:,)?\s+(?P<what>(?:that|which|to|for|based on|with|in which|where|by)\s.*)",
    re.DOTALL,
)
_WEIGHTS = {"made": 5.0, "called": 5.5, "ours": 4.0, "stands": 5.0, "glossed": 3.0}
_FIRST = 1.5
_ORDER = 0.1
_IN_LINK = 3.0
_MOST_USES = 5


@dataclass(frozen=True, slots=True)
class Name:
    """A method's name, what it stands for and what it is; the last two may be empty."""

    name: str
    expansion: str
    what: str
    score: float


@dataclass(frozen=True, slots=True)
class _Find:
    kind: str
    sentence: int
    name: str
    expansion: str
    before: str
    after: str


def own_name(
    sentences: Sequence[str], clauses: Sequence[Clause], links: Sequence[str]
) -> Name | None:
    """Return the name that the authors introduce, or None where there seems to be none."""
    text = " ".join(sentences)
    repositories = [link.rstrip("/").rsplit("/", 1)[-1].lower() for link in links]
    first = min((clause.sentence for clause in clauses), default=0)
    best: Name | None = None
    for find in _finds(sentences, clauses):
        if not _is_name(find):
            continue
        score = _WEIGHTS[find.kind] - _ORDER * find.sentence
        score += _FIRST if find.sentence == first else 0
        score += 0.5 * min(_uses(find.name, text), _MOST_USES)
        score += _IN_LINK * any(_same(find.name, repository) for repository in repositories)
        score -= 4.0 * _is_background(find, sentences)
        if best is None or score > best.score:
            best = Name(find.name, phrases.spelled(find.expansion), _what(find), score)
    return best


# Where names stand


def _finds(sentences: Sequence[str], clauses: Sequence[Clause]) -> Iterator[_Find]:
    for clause in clauses:
        if clause.weight == MAKING:
            yield from _made(clause)
    for index, sentence in enumerate(sentences):
        yield from _called(index, sentence)
        yield from _ours(index, sentence)


_HEAD = re.compile(
    r"^(?:for the first time,?\s+)?(?P<article>(?:an?|the|our|two|three|its)\s+)?"
    r"(?P<words>(?:[^\s,;:()—–.]+\.?\s+){0,9}?)"
    rf"(?P<name>{_TOKEN})(?:\s+\((?P<gloss>[^()]{{2,150}})\))?(?=[\s,;:.—–)]|$)"
)
_GLOSS = re.compile(r"\s*\((?P<gloss>[^()]{2,150})\)")
_PREPOSITION = re.compile(
    r"\b(?:of|for|to|in|on|with|by|via|from|that|which|using|based|into|as|at|towards?|through"
    r"|under|over|between|among|about|and)\b"
)
_DEVELOPMENT = re.compile(
    rf"\b(?:development|introduction|design|construction|release) of (?P<name>{_TOKEN})"
)


def _made(clause: Clause) -> Iterator[_Find]:
    """Yield names right behind "we propose": NAME, a …; EXPANSION (NAME) …; a method NAME …"""
    tail = clause.tail
    for match in re.finditer(rf"(?P<name>{_TOKEN})", tail[:200]):
        before = tail[: match.start()]
        if len(before.split()) > 9 or re.search(r"[,;:(]", before):
            break
        after = tail[match.end() :]
        head = re.sub(r"^(?:an?|the|our)\s+", "", before)
        if _PREPOSITION.search(head) and not re.search(r"\b(?:named|called|namely)\s+$", head):
            break
        gloss = _GLOSS.match(after)
        rest = after[gloss.end() :] if gloss else after
        if _shaped(match["name"]) or (not head and _proper(match["name"], after)):
            stands = gloss["gloss"] if gloss and " " in gloss["gloss"] else ""
            kind = "made"
            ok = not head or re.search(rf"(?:{_KIND})\s+$", head) or stands or _ends(rest)
            if ok and not _is_compound(rest):
                yield _Find(kind, clause.sentence, match["name"], stands, before, rest)
    for match in re.finditer(r"\s\((?P<name>[^\s()]{2,20})\)", tail[:260]):
        expansion = _expansion(tail[: match.start()], match["name"])
        before = tail[: match.start() - len(expansion)] if expansion else ""
        head = re.sub(r"^(?:an?|the|our)\s+", "", before)
        if expansion and not _PREPOSITION.search(head) and not re.search(r"[;:]", before):
            yield _Find(
                "stands", clause.sentence, match["name"], expansion, before, tail[match.end() :]
            )
    if match := _DEVELOPMENT.search(tail):
        gloss = _GLOSS.match(tail[match.end() :])
        stands = gloss["gloss"] if gloss else ""
        after = tail[match.end() + (gloss.end() if gloss else 0) :]
        if _shaped(match["name"]):
            yield _Find("made", clause.sentence, match["name"], stands, tail[: match.start()], after)


_CALLS = re.compile(
    rf"(?P<before>.*?)[,\s(]*\b{_CALLED}\s*:?\s+(?:as\s+|the\s+)?[\"“'‘]?(?P<rest>.+)", re.DOTALL
)


def _called(index: int, sentence: str) -> Iterator[_Find]:
    """Yield names behind "called", "named", "which we term"."""
    match = _CALLS.match(sentence)
    if not match:
        return
    rest = match["rest"]
    acronym = re.match(r"(?P<long>[^(),;:]{3,120}?)\s+\((?P<name>[^\s()]{2,20})\)", rest)
    if acronym and _expansion(acronym["long"], acronym["name"]):
        after = rest[acronym.end() :]
        yield _Find("called", index, acronym["name"], acronym["long"], match["before"], after)
        return
    single = re.match(rf"(?P<name>{_TOKEN})(?:\s+\((?P<gloss>[^()]{{3,150}})\))?", rest)
    words = re.match(r"(?P<name>(?:[^\s,;:.()\"”]+\s+){0,6}[^\s,;:.()\"”]+)(?=[,;:.\"”]|\s+\(|$)", rest)
    if single and (_shaped(single["name"]) or (single["name"][0].isupper() and _ends(rest[single.end() :]))):
        after = rest[single.end() :]
        yield _Find("called", index, single["name"], single["gloss"] or "", match["before"], after)
    elif words and not _PREPOSITION.search(words["name"]) and not phrases.is_weak(words["name"].split()[0]):
        yield _Find("called", index, words["name"], "", match["before"], rest[words.end() :])


_OURS = re.compile(
    rf"\b(?:[Oo]ur|[Tt]he|[Tt]his)\s+(?:(?:proposed|new|novel|resulting|final|full|overall)\s+)?(?:{_KIND})?"
    rf"(?:,\s+|\s+)(?:namely,?\s+|called\s+)?(?P<name>{_TOKEN})(?P<after>.*)",
    re.DOTALL,
)


def _ours(index: int, sentence: str) -> Iterator[_Find]:
    """Yield names behind "our method", "the proposed model"."""
    for match in _OURS.finditer(sentence):
        said = match.group()[: match.start("name") - match.start()].lower()
        if "our" not in said and "proposed" not in said:
            continue
        if not _shaped(match["name"]):
            continue
        gloss = _GLOSS.match(match["after"])
        after = match["after"][gloss.end() :] if gloss else match["after"]
        stands = gloss["gloss"] if gloss else ""
        yield _Find("ours", index, match["name"], stands, "", after)


# What is a name


def _shaped(token: str) -> bool:
    """Tell whether a token looks like a coined name: capitals inside, digits with capitals."""
    core = token.split("/")[0]
    if re.fullmatch(r"[A-Z]?[a-z]+(?:[-'’][a-z]+)*|[A-Z]|[\d.,%×]+[a-zA-Z]?|\d+(?:-[a-z]+)+", core):
        return False
    if re.fullmatch(r"[A-Za-z]+(?:-[a-z]+)+", core) and not re.search(r"[A-Z]{2}|[a-z][A-Z]", core):
        return False
    if re.search(r"(?:^|[A-Z0-9])[A-Z0-9]*[a-z]*-(?:based|style|like|free|aware|driven|specific)", core):
        return False
    return bool(re.search(r"[A-Z].*[A-Z]|[a-z][A-Z0-9]|[A-Z].*\d|\d.*[A-Z]|\^", core))


def _proper(token: str, after: str) -> bool:
    """Tell whether a plain capitalised word is used as a name: "we introduce Mamba, a …"."""
    return token[:1].isupper() and len(token) > 2 and bool(re.match(r",\s+an?\s|\s+\(|\s+[—–]\s|:\s", after))


def _ends(after: str) -> bool:
    return bool(re.match(r"\s*(?:$|[,.;:)”\"—–]|(?:that|which|to|for|is|and|as|in|with|by|on)\b)", after.lstrip(" ")))


def _is_compound(after: str) -> bool:
    """Tell whether the name only describes the noun behind it: "LLM agents", "CNN-based"."""
    return bool(re.match(r"-|\s+[a-z]+(?:s|ing|ed|al|ic|ion)\b", after)) and not _ends(after)


def _is_name(find: _Find) -> bool:
    name = find.name
    plural = re.fullmatch(r"[A-Z]{2,}s", name) is not None and find.kind != "called"
    return len(name) > 1 and not plural and not name.lower().startswith("http")


def _is_background(find: _Find, sentences: Sequence[str]) -> bool:
    """Tell whether the name was there before the authors brought it in."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(find.name)}(?![\w-])")
    return any(pattern.search(sentence) for sentence in sentences[: find.sentence])


def _uses(name: str, text: str) -> int:
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?!\w)", text)) - 1


def _same(name: str, repository: str) -> bool:
    plain, other = (re.sub(r"[\W_]", "", word.lower()) for word in (name, repository))
    return len(plain) > 1 and (plain == other or other.startswith(plain) or plain.startswith(other))


def _expansion(before: str, acronym: str) -> str:
    """Return the words before "(ACRONYM)" that it stands for, or an empty string.

    The letters of the acronym must stand in the words in order, and its first letter must
    begin the first of them; the shortest such stretch is taken.
    """
    letters = [char.lower() for char in re.sub(r"s$", "", acronym) if char.isalnum()]
    if not letters or not any(char.isupper() for char in acronym):
        return ""
    position = len(before) - 1
    for number, letter in enumerate(reversed(letters)):
        is_first = number == len(letters) - 1
        while position >= 0 and (
            before[position].lower() != letter
            or (is_first and position > 0 and before[position - 1].isalnum())
        ):
            position -= 1
        if position < 0:
            return ""
        position -= 1
    stretch = before[position + 1 :]
    too_long = len(stretch.split()) > 2 * len(letters) + 2 or len(stretch) < 2 * len(letters)
    return "" if too_long or re.search(r"[;:(]", stretch) else stretch.strip()


# What the thing is


def _what(find: _Find) -> str:
    """Return what the authors say that the thing is: behind its name, or in front of it."""
    if match := _DESCRIBED.match(find.after):
        return phrases.unpraised(match["what"])
    head = re.sub(r"[\s,]+$", "", find.before)
    if find.kind == "called" and (noun := re.search(r"(?:^|.*\s)((?:an?|the)\s+.*)$", head)):
        cue = re.search(r".*\b(?:propose|introduce|present|develop|design|devise|describe|provide|derive|build)s?\s+(.*)", head)
        return phrases.unpraised(cue[1] if cue else noun[1])
    followed = _FOLLOWED.match(find.after)
    if find.kind == "made" and head and followed:
        return phrases.unpraised(f"{head} {followed['what']}")
    if find.kind == "made" and len(head.split()) > 1:
        return phrases.unpraised(head)
    if followed:
        return f"{(followed['kind'] or '').strip()} {followed['what']}".strip()
    kind = re.match(r"\s+((?:[a-z-]+\s+){0,2}[a-z-]+)", find.after)
    return kind[1] if kind and re.search(rf"(?:{_KIND})$", kind[1]) else ""
