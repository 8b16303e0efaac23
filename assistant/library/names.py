"""Tell coined names from ordinary words, and match acronyms with what they stand for."""

from __future__ import annotations

import re

from assistant.library.wordlists import listed

KINDS = (
    "method|methodology|model|approach|framework|algorithm|system|dataset|data set|benchmark"
    "|architecture|network|technique|strategy|scheme|tool|toolkit|library|package|pipeline|module"
    "|protocol|mechanism|paradigm|loss|layer|agent|corpus|score|metric|measure|attack|defense"
    "|defence|estimator|procedure|platform|software|suite|solution|design|implementation|principle"
    "|regulari[sz]er|optimi[sz]er|sampler|task|challenge|instrument|tokenizer|transformer|decoder"
    "|encoder|policy|prior|kernel|simulator|environment|interface|index|assay|program|intervention"
    "|formulation|objective|operator|language|engine|assistant|application|plugin|planner|parser"
    "|classifier|detector|generator|predictor|retriever|reranker|variant|extension|family|sensor"
)
TOKEN = r"[A-Za-zΑ-ω0-9][\w^+.'’/*-]*[\w+*]"  # noqa: S105 - no secret
BACKGROUND_KINDS = re.compile(r"\s+(?:data|datasets?|tasks?|models|benchmarks|problems?|systems)\b")

_ORDINARY = re.compile(
    r"[A-Z]?[a-z]+(?:[-'’][a-z]+)*"  # a word, capitalised or hyphenated
    r"|[A-Z]"
    r"|[\d.,%×]+[a-zA-Z]?"  # a number, perhaps with a unit
    r"|\d+(?:-[a-z]+)+"  # 3-dimensional
)
_LOWER_TAIL = re.compile(r"[A-Za-z]+(?:-[a-z]+)+")
_TWO_CAPITALS = re.compile(r"[A-Z]{2}|[a-z][A-Z]")
_COMPOUND = re.compile(
    r"-(?:based|style|like|free|aware|driven|specific|type|scale|level|trained|tuned|enhanced"
    r"|augmented|guided|powered|agnostic|related|induced|dependent|independent|order|oriented"
    r"|centric|only|ready|[a-z]+ed)\b"
)
_COINED = re.compile(r"[A-Z].*[A-Z]|[a-z][A-Z0-9]|[A-Z].*\d|\d.*[A-Z]|[A-Za-z]\^|\+\+$")
_PLURAL = re.compile(r"[A-Z][A-Z-]+s")
_COMMON_END = re.compile(r"(?:tion|ing|ity|ism|ogy|ics|ment|ness|ance|ence|al|ed|ly|ory)$")
_BROKEN = re.compile(r"[;:()]")
_MARKS = re.compile(r"[\W_]")
_LEAST = 2
_EVERYBODYS = frozenset(
    listed("""
    github gitlab huggingface zenodo arxiv chatgpt gpt-2 gpt-3 gpt-3.5 gpt-4 gpt-4o bert llama
    imagenet mnist cifar-10 cifar-100 pytorch tensorflow python wikipedia pubmed medline
    covid-19 sars-cov-2 dna rna mrna hiv mri pcr em mcmc mcts svm gan vae cnn rnn lstm gnn gcn
    llm nlp rl pca sgd ode pde qa admm
""")
)


def is_coined(token: str) -> bool:
    """Tell whether a word looks made up: capitals inside, digits among capitals."""
    if _ORDINARY.fullmatch(token) or _COMPOUND.search(token) or len(token) < _LEAST:
        return False
    if _LOWER_TAIL.fullmatch(token) and not _TWO_CAPITALS.search(token):
        return False
    return bool(_COINED.search(token)) and not is_shared(token)


def is_shared(token: str) -> bool:
    """Tell whether a word is a plural acronym or a name that nobody makes anew."""
    return bool(_PLURAL.fullmatch(token)) or token.lower() in _EVERYBODYS


def is_proper(token: str) -> bool:
    """Tell whether a word could be a name if it stands where names stand."""
    if token[:1].isupper():
        return len(token) > _LEAST
    return token.isalpha() and len(token) > _LEAST and not _COMMON_END.search(token)


def expansion(before: str, acronym: str) -> str:
    """Return the words before "(ACRONYM)" that it stands for, or an empty string.

    The letters of the acronym must stand in the words in order, and its first letter must
    begin the first of them; the shortest such stretch is taken.
    """
    letters = [char.lower() for char in acronym.removesuffix("s") if char.isalpha()]
    if len(letters) < _LEAST or not any(char.isupper() for char in acronym):
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
    stretch = before[position + 1 :].strip()
    too_long = len(stretch.split()) > 2 * len(letters) + 2
    too_short = len(stretch) < 2 * len(letters)
    return "" if too_long or too_short or _BROKEN.search(stretch) else stretch


def same(name: str, other: str) -> bool:
    """Tell whether two spellings are of one name, as a method's and its repository's."""
    one, two = (_MARKS.sub("", word.lower()) for word in (name, other))
    return len(one) >= _LEAST and (one == two or two.startswith(one) or one.startswith(two))


def uses(name: str, text: str) -> int:
    """Return how often a text uses a name, parts of longer names left out."""
    count, position = 0, text.find(name)
    while position >= 0:
        before, end = text[position - 1 : position], position + len(name)
        count += not (_is_part(before) or before == "-" or _is_part(text[end : end + 1]))
        position = text.find(name, end)
    return count


def _is_part(char: str) -> bool:
    return char.isalnum() or char == "_"
