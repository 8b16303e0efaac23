"""The abstract of a paper as HTML: its sections apart, notices small, what it lacks said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from assistant.interfaces.markup_html import Highlight, text_html
from assistant.interfaces.safe_text import neutralised
from assistant.library import abstracts, cleaning, sections
from assistant.types import OtherAbstract, Paper

LONGEST = 12_000  # characters of a second abstract that are shown
NO_ABSTRACT = "The library holds no abstract of this paper: it is found by its title, never quoted."
CUT_OFF = "Its source cut this abstract off; what is here is its beginning."
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?")
_LANGUAGES = {
    "en": "English", "eng": "English", "es": "Spanish", "spa": "Spanish", "fr": "French",
    "fre": "French", "fra": "French", "de": "German", "ger": "German", "deu": "German",
    "it": "Italian", "ita": "Italian", "pt": "Portuguese", "por": "Portuguese", "zh": "Chinese",
    "chi": "Chinese", "zho": "Chinese", "ja": "Japanese", "jpn": "Japanese", "ko": "Korean",
    "kor": "Korean", "ru": "Russian", "rus": "Russian", "tr": "Turkish", "tur": "Turkish",
    "pl": "Polish", "pol": "Polish", "nl": "Dutch", "dut": "Dutch", "nld": "Dutch",
    "ar": "Arabic", "ara": "Arabic", "fa": "Persian", "per": "Persian", "uk": "Ukrainian",
}  # fmt: skip


def marks(paper: Paper) -> tuple[str, ...]:
    """Return what a reader should know of a paper at a glance, in a word or two each."""
    return (
        *(() if paper.abstract else ("no abstract",)),
        *(("cut off by its source",) if paper.truncated else ()),
    )


def abstract_html(
    text: str, highlights: Sequence[Highlight] = (), start: int = 0, end: int | None = None
) -> str:
    """Return ``text[start:end]`` as HTML; labels of sections are bold, each on a new line.

    A publisher's notice, and a label or notice before the text, are small print.
    """
    stop = len(text) if end is None else end
    first, last = _content(text)
    labels = [item for item in sections.labels(text) if first <= item.start and item.end <= last]
    edges = {
        start,
        stop,
        first,
        last,
        *(edge for item in labels for edge in (item.start, item.end)),
    }
    begins = {item.start for item in labels}
    parts: list[str] = []
    for one, two in pairwise(sorted(edge for edge in edges if start <= edge <= stop)):
        inner = text_html(text, highlights, one, two)
        if one < first or one >= last:
            inner = f'<small class="notice">{inner}</small>' if inner.strip() else inner
        elif one in begins:
            apart = one > first and not text[:one].rstrip(" \t*_#").endswith("\n")
            inner = f"{'<br>' if apart else ''}<strong>{inner}</strong>"
        parts.append(inner)
    return "".join(parts)


def _content(text: str) -> tuple[int, int]:
    """Return the slice of a text as it came that is the abstract."""
    plain = cleaning.plain(text)
    start, end = abstracts.content_span(plain.text)
    first = plain.offsets[start] if start else 0
    last = plain.offsets[end] if end < len(plain.text) else len(text)
    return first, max(first, last)


def notes_html(paper: Paper) -> str:
    """Return what an abstract lacks, or nothing."""
    said = NO_ABSTRACT if not paper.abstract else CUT_OFF if paper.truncated else ""
    return f'<p class="note">{said}</p>' if said else ""


def others_html(paper: Paper) -> str:
    """Return the second abstracts, each under a fold."""
    return "".join(map(_other, paper.other_abstracts))


def _other(other: OtherAbstract) -> str:
    lang = f' lang="{other.language}"' if _TAG.fullmatch(other.language) else ""
    rest = len(other.text) - LONGEST
    more = f" … <em>({rest:,} more characters)</em>" if rest > 0 else ""
    inner = abstract_html(other.text, end=min(len(other.text), LONGEST))
    return (
        f'<details class="other"><summary>{escape(other_name(other))}</summary>'
        f'<div class="abstract" dir="auto"{lang}>{inner}{more}</div></details>'
    )


def other_name(other: OtherAbstract) -> str:
    """Return what to call a second abstract: "Abstract in Spanish", "Plain language summary"."""
    kind = neutralised(other.kind.replace("-", " ").replace("_", " ")).strip()
    name = kind[:1].upper() + kind[1:] if kind else "Abstract"
    code = other.language.strip().lower()
    language = _LANGUAGES.get(code, neutralised(other.language.strip()))
    if language and not (kind and language == "English"):
        return f"{name} in {language}"
    return name if kind else "Another abstract"
