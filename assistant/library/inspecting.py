"""Compare everything that is stored of the papers with what it was made from."""

from __future__ import annotations

from dataclasses import replace

from assistant.library import cleaning, merging, schema
from assistant.library.schema import Entry
from assistant.library.store import Store

MOST_TOLD = 5
_MODULUS = 1 << 128


def faults(store: Store) -> list[str]:
    """Return what is wrong with papers, the first few of them by name; empty for a sound library.

    Every passage and sentence must be a slice of its abstract, every paper what its records
    make, and the library's version the sum of its papers.
    """
    found: list[str] = []
    total = count = 0
    for paper_id, _ in store.names():
        entry = store.entry(paper_id)
        digest = schema.digest(entry)
        total = (total + int.from_bytes(digest, "big")) % _MODULUS
        if said := _fault(entry):
            count += 1
            if len(found) < MOST_TOLD:
                found.append(f"{paper_id}: {said}")
    if count > len(found):
        found.append(f"and {count - len(found)} more papers")
    if f"{total:032x}" != store.version():
        found.append("the library's version is not that of its papers")
    return found


def _fault(entry: Entry) -> str:
    paper = entry.paper
    size = len(paper.abstract)
    plain = cleaning.plain(paper.abstract)
    spans = [(part.start, part.end) for part in entry.sentences]
    spans += [(part.start, part.end) for part in entry.passages]
    for start, end in spans:
        if not 0 <= start < end <= size:
            return f"[{start}, {end}) is no slice of its abstract"
    for passage in entry.passages:
        first = plain.plain_start(passage.start)
        if _squeezed(plain.text[max(0, first - 1) :]).find(_squeezed(passage.text)) not in {0, 1}:
            return f"the passage at {passage.start} is not what stands there"
    if len(entry.records) != len(paper.sources) or len(entry.fingerprints) != len(paper.sources):
        return "a source lacks its record"
    again = merging.paper_of(paper.id, entry.records)
    if replace(again, handle=paper.handle, code_links=paper.code_links) != paper:
        return "it is not what its records say"
    return ""


def _squeezed(text: str) -> str:
    return "".join(text.split())
