"""What a question asks for, read from its words: a number, an address, names, a reason.

English only; a question in another language asks for nothing in particular here.
"""

from __future__ import annotations

import re

from assistant.retrieval.stem import stem

# Words of the asking, not of what is asked about: "what does X stand for", "what kind of".
ASKING_TERMS = frozenset(
    stem(word)
    for word in """
    stand stands short mean means meaning called name named kind kinds sort type types way ways know
    happen happens happened drawback problem problems idea ideas point reason reasons role purpose
    aim goal difference compared compare according respect tell learn understand think say says
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
    r"\b(which|what|on what|on which)\b(?! (?:do|does|did|can|could|makes?|happens)\b)"
    r"(?: [\w-]+){0,4}? (models|datasets?|data sets?|benchmarks?"
    r"|algorithms|networks|baselines?|architectures|libraries|languages|corpora|environments|suites?"
    r"|drugs?|genes?|proteins?|species|countries|cohorts?|databases?)\b",
    re.IGNORECASE,
)
_SEVERAL_ASKED = re.compile(
    r"\b(papers|abstracts|studies|works|articles|approaches|methods|techniques|ways|researchers"
    r"|people|anyone|authors|compare|comparison|differences?|differ|versus|vs\.?|overview|survey"
    r"|summari[sz]e|what is known|state of the art|library|collection)\b",
    re.IGNORECASE,
)


def asks_for_number(question: str) -> bool:
    """Tell whether a right answer must hold a number."""
    return _NUMBER_ASKED.search(question) is not None


def asks_for_address(question: str) -> bool:
    """Tell whether a right answer must hold an address."""
    return _ADDRESS_ASKED.search(question) is not None


def asks_for_several(question: str) -> bool:
    """Tell whether a question is about what several papers do: "which papers", "what methods"."""
    return _SEVERAL_ASKED.search(question) is not None


def asks_for_reason(question: str) -> bool:
    """Tell whether a question asks for more than one thing by its name or number."""
    return _REASON_ASKED.search(question) is not None and not asks_for_number(question)


def names_asked_for(question: str) -> bool:
    """Tell whether a question asks for things that have names: "which models", "what datasets"."""
    return _NAMED_ASKED.search(question) is not None
