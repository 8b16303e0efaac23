"""The entries of arXiv's feeds (Atom)."""

from __future__ import annotations

from typing import Any

from assistant.library.readers.common import Fields
from assistant.library.readers.xml_text import all_of, text, texts


def fields(entry: Any) -> Fields:
    """Return the raw fields of an ``entry``; lines wrapped by the feed are joined."""
    address = text(entry, "id")
    return Fields(
        abstract=" ".join((text(entry, "summary") or text(entry, "content")).split()),
        title=text(entry, "title"),
        authors=texts(entry, "author", "name"),
        year=text(entry, "published") or text(entry, "updated"),
        venue=text(entry, "journal_ref"),
        doi=text(entry, "doi"),
        url=address or next((link.get("href") or "" for link in all_of(entry, "link")), ""),
        arxiv_id=address if "arxiv" in address.lower() else "",
        keywords=[category.get("term") or "" for category in all_of(entry, "category")],
        details={"type": "article"},
    )
