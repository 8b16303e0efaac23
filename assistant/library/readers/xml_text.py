"""Texts out of XML elements, whatever is marked up inside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def local(element: Any) -> str:
    """Return an element's name without its name space."""
    return str(element.tag).rpartition("}")[2]


def all_of(element: Any, *path: str) -> Iterator[Any]:
    """Yield the elements under ``element`` along a path of local names."""
    if not path:
        yield element
        return
    for child in element:
        if local(child) == path[0]:
            yield from all_of(child, *path[1:])


def text(element: Any, *path: str) -> str:
    """Return the text of the first element along a path that has one, marks inside it left out."""
    for found in all_of(element, *path):
        if said := "".join(found.itertext()).strip():
            return said
    return ""


def texts(element: Any, *path: str) -> list[str]:
    """Return the texts of all elements along a path."""
    return [said for found in all_of(element, *path) if (said := "".join(found.itertext()).strip())]
