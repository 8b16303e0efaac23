"""Take the teeth out of characters that would act on a terminal or a page instead of being seen."""

from __future__ import annotations

import re

# C0 and C1 controls (escape sequences start with one), the zero-width characters and the bidi
# controls that reorder what follows, tags, and lone surrogates, which no encoder can write.
_BREAKS = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def shown_as(character: str) -> str:
    """Return what stands for one character on screen: itself, a space for a break, or nothing."""
    if character in _BREAKS:
        return " "
    return "" if UNSEEN.match(character) else character


def neutralised(text: str) -> str:
    """Return ``text`` on one line, without characters that act instead of being seen."""
    return UNSEEN.sub(lambda found: shown_as(found.group()), text)
