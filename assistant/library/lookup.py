"""Find papers by what a reader has at hand: an id, a DOI, a title, a file, a few words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.errors import LibraryError
from assistant.library import cleaning
from assistant.library.readers.common import arxiv_of, doi_of
from assistant.library.schema import title_key
from assistant.library.store import Store
from assistant.types import Filters, Paper

_LEAST_OF_ID = 4
_PAGE = 500


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
    found = _by_id(store, wanted)
    if not found:
        for column, value in (
            ("doi", doi_of(wanted)),
            ("arxiv_id", arxiv_of(wanted)),
            ("pmid", wanted.lower().removeprefix("pmid").strip(": ")),
            ("title_key", title_key(wanted)),
        ):
            found = found or store.find(column, value)
    if len(found) == 1:
        return store.paper(found[0])
    if found:
        listed = "; ".join(f"{p.id} {p.name[:60]}" for p in store.papers(found[:5]))
        raise LibraryError(f"Several papers go by {wanted!r}: {listed}.", "Name one by its id.")
    raise LibraryError(
        f"The library holds no paper {wanted!r}.",
        "Name it by its id, the beginning of its id, its DOI or its title; see `assistant list`.",
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
    filters = Filters(
        collections=(choice.collection,) if choice.collection else (),
        year_from=choice.year_from,
        year_to=choice.year_to,
    )
    allowed = store.paper_ids(filters)
    if choice.source:
        of_file = set(store.papers_of(choice.source))
        allowed = of_file if allowed is None else allowed & of_file
    words = cleaning.normalized(choice.words).split()
    batch: list[str] = []
    for paper_id, _ in store.names():
        if allowed is None or paper_id in allowed:
            batch.append(paper_id)
        if len(batch) >= _PAGE:
            yield from _kept(store.papers(batch), words, choice.abstract)
            batch = []
    yield from _kept(store.papers(batch), words, choice.abstract)


def _kept(papers: list[Paper], words: list[str], abstract: bool | None) -> Iterator[Paper]:
    for paper in papers:
        if abstract is not None and bool(paper.abstract) != abstract:
            continue
        if words:
            said = cleaning.normalized(f"{paper.name} {paper.abstract}")
            if not all(word in said for word in words):
                continue
        yield paper
