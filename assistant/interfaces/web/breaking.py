"""Where a long name may break on a narrow page."""

from __future__ import annotations

import re

_BEFORE_BREAK = re.compile(r"([_./-])(?=\w)")


def breakable(escaped: str) -> str:
    """Return a file's name, escaped already, that breaks where a reader would break it."""
    return _BEFORE_BREAK.sub(r"\1<wbr>", escaped)
