"""Find papers by what a reader has at hand: an id, a DOI, a title, a file, a few words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from assistant.errors import LibraryError
from assistant.library import cleaning, keys, titles
from assistant.library.outlining import Outline
from assistant.library.readers.common import arxiv_of, doi_of
from assistant.library.store import Store
from assistant.types import Filters, Paper

_LEAST_OF_ID = 4
_PAGE = 500
_DRESS = re.compile(r"[\\&<{}$*_`^\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff]")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which papers are meant; empty fields restrict nothing.

    ``words`` must all stand in title or abstract. ``abstract`` asks for papers that have one, or
    with false for those that have none.
    """

    collection: str = ""
    source: str = ""
    year_from: int | None = None
    year_to: int | None = None
    words: str = ""
    abstract: bool | None = None


def paper_named(store: Store, text: str) -> Paper:
    """Return the paper with this id, or the beginning of it, DOI, PubMed or arXiv number or title.

    Raise ``LibraryError`` where there is none, or more than one.
    """
    wanted = text.strip()
    if not wanted:  # or papers without a title would go by it
        raise LibraryError("No paper is named.", "Give its id, its DOI or its title.")
    found = _by_id(store, wanted)
    for kind, value in (
        ("doi", keys.bare_doi(doi_of(wanted))),
        ("arxiv_id", arxiv_of(wanted)),
        ("pmid", wanted.lower().removeprefix("pmid").strip(": ")),
        ("title", titles.key(wanted)),
    ):
        found = found or (store.sharing([keys.of(kind, value)]) if value else [])
    found = found or store.titled(wanted)
    if len(found) == 1:
        return store.paper(found[0])
    if found:
        listed = "; ".join(f"{p.id} {p.name[:60]}" for p in store.papers(found[:5]))
        raise LibraryError(f"Several papers go by {wanted!r}: {listed}.", "Name one by its id.")
    raise LibraryError(
        f"The library holds no paper {wanted!r}.",
        "Name it by its id, the beginning of its id, its DOI or its title; see `assistant list`.",
    )


def papers_of_file(store: Store, file: str) -> list[str]:
    """Return the ids of what a file brought; raise ``LibraryError`` where that is nothing."""
    if ids := store.papers_of(file):
        return ids
    raise LibraryError(
        f"No paper came from a file {file!r}.", "See `assistant sources` for the files."
    )


def papers_of_collection(store: Store, name: str) -> list[str]:
    """Return the ids of a collection; raise ``LibraryError`` where there is none."""
    if ids := store.paper_ids(Filters(collections=(name,))):
        return sorted(ids)
    raise LibraryError(
        f"There is no collection {name!r}.", "See `assistant collections` for their names."
    )


def _by_id(store: Store, wanted: str) -> list[str]:
    try:
        return [store.resolve(wanted)]
    except LibraryError:
        if len(wanted) < _LEAST_OF_ID or not wanted.isalnum():
            return []
        return store.ids_beginning(wanted)


def chosen(store: Store, choice: Choice) -> Iterator[Paper]:
    """Yield the papers that are meant, in order of import, some at a time."""
    ids = (outline.id for outline in outlines(store, choice))
    while batch := list(islice(ids, _PAGE)):
        yield from store.papers(batch)


def outlines(store: Store, choice: Choice) -> Iterator[Outline]:
    """Yield what is meant in outline: without loading the papers."""
    filters = Filters(
        collections=(choice.collection,) if choice.collection else (),
        year_from=choice.year_from,
        year_to=choice.year_to,
    )
    allowed = store.paper_ids(filters)
    if choice.source:
        of_file = frozenset(store.papers_of(choice.source))
        allowed = of_file if allowed is None else allowed & of_file
    words = cleaning.normalized(choice.words).split()
    for outline in store.outlines(texts=bool(words)):
        if allowed is not None and outline.id not in allowed:
            continue
        if choice.abstract is not None and outline.has_abstract != choice.abstract:
            continue
        if says(f"{outline.name} {outline.abstract}", words):
            yield outline


def says(text: str, words: Sequence[str]) -> bool:
    """Tell whether all words, normalised, stand in the normalised ``text``.

    Normalising costs a thousand times what looking costs, so it is left for texts in which a
    word may hide behind accents or markup.
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    missing = [word for word in words if word not in low]
    if not missing or not _DRESS.search(text):
        return not missing
    if "<" not in text and "&" not in text:  # tags and entities may stand inside a word
        letters = _NO_LETTERS.sub("", low)
        if any(word.isascii() and _NO_LETTERS.sub("", word) not in letters for word in missing):
            return False
    plain = cleaning.normalized(text)
    return all(word in plain for word in words)
