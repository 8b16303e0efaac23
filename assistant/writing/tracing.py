"""Hold a statement against the sentences it was written from, word after word.

Content words only, by their stems: what is said between them is the reader's own grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.retrieval.lexical import is_stop_term, tokenise
from assistant.retrieval.stem import stem
from assistant.writing.wording import FREE_TERMS, names_of, squeeze

_WORD = re.compile(r"[^\W_][\w.\-/×%]*")
# A sentence ends where a full stop is followed by a blank and a capital, but not after "e.g.".
_SENTENCE = re.compile(r"\S.*?(?:(?<!e\.g)(?<!i\.e)(?<!et al)(?<!vs)[.!?]+(?=\s+[A-Z“\"(])|$)")
_SHORT_STATEMENT = 40  # words
_CAUSE = re.compile(
    r"\b(because|since|therefore|due to|so that|the reason|by \w+ing)\b", re.IGNORECASE
)
_AFTER_A_TIE = 2  # words
_SCOPE = re.compile(
    r"(?:[\w ]{2,25}, )?(?:on|in|for|under|when|if|given|among|within|across)\s"
    r"(?P<scope>[^,;:]{3,120}),",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(we|our|us|it|its|this|these|they|the (proposed|model|method|framework|approach))\b",
    re.IGNORECASE,
)
_NO_SCOPE = {
    stem(word)
    for word in """
    paper work article study contrast addition particular end order practice general fact summary
    experiment experiments evaluation evaluations example instance first time recent years
    """.split()  # noqa: SIM905
}
_TIE = re.compile(r"\b(which|that) (is|are|was|were)\b|, (which|that)\b|\bis an?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Trace:
    """How a sentence follows the text it follows most.

    ``share`` of its words stand there in the same order, with ``leaps`` over words of the text;
    ``left`` are those that do not.
    """

    share: float
    leaps: int
    left: tuple[str, ...]

    def foreign_to(self, question: str) -> list[str]:
        """Return the words that come neither from the text nor from the question."""
        asked = set(_words(question)) | set(tokenise(question)) | FREE_TERMS
        return [word for word in self.left if word not in asked]


def traced(sentence: str, texts: Sequence[str]) -> Trace:
    """Return how a sentence follows the text that it follows most."""
    said = _words(sentence)
    if not said:
        return Trace(0.0, 0, ())
    held = _words(most_followed(sentence, texts))
    pairs = _alignment(said, held)
    leaps = sum(later != earlier + 1 for (_, earlier), (_, later) in pairwise(pairs))
    matched = {i for i, _ in pairs}
    left = tuple(word for i, word in enumerate(said) if i not in matched)
    return Trace(len(pairs) / len(said), leaps, left)


def unheld_tie(statement: str, texts: Sequence[str]) -> str:
    """Return the "which is" or the like that ties two things where no text does, or nothing."""
    spaced = [" ".join(text.split()).casefold() for text in texts]
    for tie in _TIE.finditer(statement):
        after = " ".join(statement[tie.end() :].split()[:_AFTER_A_TIE])
        if not any(f"{tie.group()} {after}".strip(" .").casefold() in text for text in spaced):
            return tie.group().strip(" ,")
    return ""


def lost_scope(sentence: str, texts: Sequence[str]) -> str:
    """Return the opening of the followed text that bounds what it says, if it was left out.

    "On CIFAR-10, A beats B" does not say that A beats B.
    """
    opening = _SCOPE.match(most_followed(sentence, texts))
    if opening is None:
        return ""
    bounds = [word for word in _words(opening["scope"]) if word not in FREE_TERMS | _NO_SCOPE]
    said = set(_words(sentence))
    return opening["scope"] if bounds and not any(word in said for word in bounds) else ""


def gives_cause(statement: str) -> bool:
    """Tell whether a statement says that one thing is so because of another."""
    return _CAUSE.search(statement) is not None


def sentences(statement: str) -> list[str]:
    """Return the sentences of a statement."""
    return _SENTENCE.findall(statement) or [statement]


def followed(sentence: str, texts: Sequence[str]) -> float:
    """Return the share of a sentence's words that one text holds in the same order."""
    return traced(sentence, texts).share


def _words(text: str) -> list[str]:
    """Return one term a word, stop words left out."""
    words = (word.rstrip(".").lower() for word in _WORD.findall(text))
    return [stem(word) for word in words if not is_stop_term(word)]


def _alignment(said: Sequence[str], held: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence, in both."""
    table = [[0] * (len(held) + 1) for _ in range(len(said) + 1)]
    for i, word in enumerate(said):
        for j, other in enumerate(held):
            better = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if word == other else better
    pairs = []
    i, j = len(said), len(held)
    while i and j:
        if said[i - 1] == held[j - 1] and table[i][j] == table[i - 1][j - 1] + 1:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def most_followed(sentence: str, texts: Sequence[str]) -> str:
    """Return the text that holds most of a sentence's words in their order."""
    said = _words(sentence)
    return max(texts, key=lambda text: len(_alignment(said, _words(text))), default="")


def said_twice(statement: str) -> str:
    """Return three words in a row that a short statement says twice, or nothing."""
    words = _words(statement)
    if len(words) > _SHORT_STATEMENT:
        return ""
    runs = list(zip(words, words[1:], words[2:], strict=False))
    return next((" ".join(run) for i, run in enumerate(runs) if run in runs[i + 1 :]), "")


def said_of_another(sentence: str, texts: Sequence[str]) -> str:
    """Return the name that the followed text speaks of while the sentence speaks of another.

    A text that refers to the paper itself ("our method", "it") may be told with the method's name.
    """
    basis = most_followed(sentence, texts)
    if _SELF.search(basis):
        return ""
    here, there = set(map(squeeze, names_of(sentence))), set(map(squeeze, names_of(basis)))
    held, said = squeeze(basis), squeeze(sentence)
    stolen = [name for name in here if name not in held]
    others = [name for name in there if name not in said]
    return others[0] if stolen and others else ""
