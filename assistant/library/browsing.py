"""A library to look through: papers chosen and sorted, some at a time."""

from __future__ import annotations

import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from assistant.errors import QuestionError
from assistant.library import lookup
from assistant.library.lookup import Choice
from assistant.library.outlining import Outline
from assistant.library.store import Store
from assistant.types import Paper

Order: TypeAlias = Literal["latest", "import", "newest", "oldest", "title"]
ORDERS: tuple[Order, ...] = get_args(Order)
_KEPT = 8  # choices whose order is remembered: turning a page must not search again
_NO_YEAR = 10_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Some of the chosen papers: those from place ``start``, counted from 0, of ``total``."""

    papers: tuple[Paper, ...]
    start: int
    total: int


class Browser:
    """Looks through one library; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[tuple[str, Choice, str], tuple[str, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def listing(self, choice: Choice, order: str, start: int, size: int) -> Listing:
        """Return up to ``size`` of the papers that ``choice`` means, sorted by one of ``ORDERS``.

        A ``start`` behind the last paper gives the last page. Raise ``QuestionError`` for
        another order.
        """
        if order not in ORDERS:
            raise QuestionError(f"There is no order {order!r}.", f"Known are {', '.join(ORDERS)}.")
        ids = self._ids(choice, order)
        last = max(0, len(ids) - 1) // size * size
        begin = min(max(0, start), last)
        papers = self._store.papers(ids[begin : begin + size])
        return Listing(tuple(papers), begin, len(ids))

    def _ids(self, choice: Choice, order: str) -> tuple[str, ...]:
        key = (self._store.version(), choice, order)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = sorted(lookup.outlines(self._store, choice), key=cast("Any", _SORTED[order]))
        ids = tuple(outline.id for outline in found)
        if order == "latest":
            ids = ids[::-1]
        with self._lock:
            self._known[key] = ids
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return ids


def _as_it_came(_: Outline) -> int:
    return 0


def _title(outline: Outline) -> tuple[bool, str]:
    """Return what sorts titles as a reader expects: no case, no accents, no opening marks."""
    spread = unicodedata.normalize("NFKD", outline.name.casefold())
    key = "".join(char for char in spread if char.isalnum() or char == " ").strip()
    return not key[:1].isalpha(), key


_SORTED: dict[str, Callable[[Outline], int | tuple[bool, str]]] = {
    "latest": _as_it_came,
    "import": _as_it_came,
    "newest": lambda outline: -(outline.year or -_NO_YEAR),
    "oldest": lambda outline: outline.year or _NO_YEAR,
    "title": _title,
}
