"""What a question names and asks for, read from its words: a number, an address, a reason.

English only; a question in another language asks for nothing in particular here.
"""

from __future__ import annotations

import re

from assistant.retrieval.lexical import is_stop_term
from assistant.retrieval.stem import stem
from assistant.writing import wording
from assistant.writing.chat_text import without_control

# Words of the asking, not of what is asked about: "what does X stand for", "what kind of".
ASKING_TERMS = frozenset(
    stem(word)
    for word in """
    stand stands short mean means meaning called name named kind kinds sort type types way ways know
    happen happens happened drawback problem problems idea ideas point reason reasons role purpose
    aim goal difference compared compare according respect tell learn understand think say says
    work works discuss discusses discussed study studies studied report reports reported mention
    mentions cover covers concern concerns deal deals propose proposes address addresses introduce
    present presents investigate investigates explore explores approach approaches method methods
    thing things look looked done go goes going come take takes much many exactly actually
    """.split()  # noqa: SIM905
)
_NUMBER_ASKED = re.compile(
    r"\bhow (many|much|fast|large|big|long|often|far|high)\b(?! (does|do|is) \w+ (matter|care))"
    r"|\bby how\b|\bwhat (percent\w*|number|fraction|share|accuracy|speed-?up|size|score|precision"
    r"|rate|value|ratio|factor)\b|\bby what\b",
    re.IGNORECASE,
)
_ADDRESS_ASKED = re.compile(
    r"\bwhere\b.*(?<![-\w])(code|implementation|repo(sitory)?|demo)\b"
    r"|(?<![-\w])(code|implementation|repo(sitory)?)\b.*\b(where|link|url|address|find|found|download"
    r"|available)\b|\b(link|url|address)\b.*(?<![-\w])(code|implementation|repo(sitory)?)\b"
    r"|\bgithub\b|\burl\b",
    re.IGNORECASE,
)
_REASON_ASKED = re.compile(
    r"\b(why|how|explain|in what way|what happens|describe|reasons?|problem|drawback|idea)\b"
    r"|\band (what|how|why|which)\b|^(does|do|is|are|can|could|did|was|were)\b",
    re.IGNORECASE,
)
_NAMED_ASKED = re.compile(
    r"\b(which|what|on what|on which)\b(?! (?:do|does|did|can|could|makes?|happens|is an?)\b)"
    r"(?: [\w-]+){0,4}? (models|datasets?|data sets?|benchmarks?"
    r"|algorithms|networks|baselines?|architectures|libraries|languages|corpora|environments|suites?"
    r"|drugs?|genes?|proteins?|species|countries|cohorts?|databases?)\b",
    re.IGNORECASE,
)
_PAPERS_ASKED = re.compile(
    r"\b(which|what|any|find|list|show)\b(?: [\w-]+){0,3}?"
    r" (papers|abstracts|studies|works|articles)\b"
    r"|^(papers|abstracts|studies|works|articles) (on|about|that|which)\b|\banything (on|about)\b",
    re.IGNORECASE,
)
_PAPERS = r"(?:papers?|abstracts?|studies|works?|articles?)"
_ASKING_FOR_PAPERS = re.compile(
    rf"^\s*(?:(?:please|can you|could you)\s+)?(?:"
    rf"(?:find|list|show|give)(?:\s+me)?(?:\s+(?:all|any|some|the))?\s+{_PAPERS}"
    rf"|(?:which|what|any)(?:\s+of the)?\s+{_PAPERS}(?:\s+(?:are|is) there)?|(?:are|is) there\s+any"
    rf"(?:\s+{_PAPERS}|thing)|(?:is there\s+)?anything|{_PAPERS}"
    r")(?:\s+(?:are|is))?(?:\s+(?:about|on|that|which))?\s+",
    re.IGNORECASE,
)
_SEVERAL_ASKED = re.compile(
    r"\b(papers|abstracts|studies|works|articles|approaches|methods|techniques|ways|researchers"
    r"|people|anyone|authors|compare|comparison|differences?|differ|versus|vs\.?|overview|survey"
    r"|summari[sz]e|what is known|state of the art|library|collection)\b",
    re.IGNORECASE,
)
_OPERATORS = {"AND", "OR", "NOT", "NEAR", "XOR", "ANDNOT"}
_A_FEW_NAMES = 2  # words in capitals that are a look-up of names, not a question that shouts


def names_in(question: str) -> tuple[str, ...]:
    """Return what is written like a name in a question, each once, in order.

    Operators of search engines, control tokens of chat models and words that are only shouted are
    no names. Where all of a question is in capitals, only what holds a digit is surely one.
    """
    bare = without_control(question)
    found = dict.fromkeys(wording.names_of(bare))
    names = [name for name in found if name not in _OPERATORS and not _shouted_stop_word(name)]
    if _shouts(bare):
        names = [name for name in names if any(character.isdigit() for character in name)]
    return tuple(names)


def _shouts(question: str) -> bool:
    """Tell whether a question is written in capitals throughout, and is more than a few names."""
    words = [word.strip("?!.,;:") for word in question.split()]
    words = [word for word in words if word not in _OPERATORS and re.search(r"\w", word)]
    if question.upper() != question or question.lower() == question:
        return False
    return len(words) > _A_FEW_NAMES or any(is_stop_term(word.lower()) for word in words)


def _shouted_stop_word(name: str) -> bool:
    return name.isupper() and is_stop_term(name.lower())


def asks_for_number(question: str) -> bool:
    """Tell whether a right answer must hold a number."""
    return _NUMBER_ASKED.search(question) is not None


def asks_for_address(question: str) -> bool:
    """Tell whether a right answer must hold an address."""
    return _ADDRESS_ASKED.search(question) is not None


def asks_for_papers(question: str) -> bool:
    """Tell whether a question wants papers named: "which papers …", "anything on …"."""
    return _PAPERS_ASKED.search(question) is not None


def idea_in(question: str) -> str:
    """Return what the papers asked for should do: the question without its asking."""
    idea = _ASKING_FOR_PAPERS.sub("", question, count=1).strip().rstrip("?").rstrip()
    return idea or question


def asks_for_several(question: str) -> bool:
    """Tell whether a question is about what several papers do: "which papers", "what methods"."""
    return _SEVERAL_ASKED.search(question) is not None


def asks_for_reason(question: str) -> bool:
    """Tell whether a question asks for more than one thing by its name or number."""
    return _REASON_ASKED.search(question) is not None and not asks_for_number(question)


def names_asked_for(question: str) -> bool:
    """Tell whether a question asks for things that have names: "which models", "what datasets"."""
    return _NAMED_ASKED.search(question) is not None
