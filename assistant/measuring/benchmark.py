"""Judged queries: a corpus, queries over it, and which documents answer each.

Two layouts are read: our own (``id``, ``qrels.tsv``) and BEIR's (``_id``, ``qrels/test.tsv``).
Judgments are a table with a header, or TREC's four columns. Documents are not read here but
imported like any file of a reader's; only their ids are, to find them again among the papers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.errors import ReadError
from assistant.library import decode, readers
from assistant.library.documents import Document, documents, unreadable
from assistant.library.store import Store
from assistant.measuring.judgments import Judgments, judgments

DOCUMENT_HINT = "Each line is an object with _id (or id), title and text."
_QUERY_HINT = "Each line is an object with _id (or id) and text."


@dataclass(frozen=True, slots=True)
class Files:
    """Where the three parts of a benchmark are."""

    corpus: Path
    queries: Path
    qrels: Path


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Judged queries over a corpus.

    ``ids`` are the documents' by the line that they begin in. ``queries`` are the texts of those
    that are judged, ``qrels`` their documents with how relevant each is.
    """

    path: Path
    corpus: Document
    ids: Mapping[int, str]
    queries: Mapping[str, str]
    qrels: Judgments

    def ids_of_papers(self, store: Store) -> dict[str, tuple[str, ...]]:
        """Return the documents that each paper of a library came from, by the paper's id.

        The library holds this corpus and nothing else. A document that was imported as the
        duplicate of another is one paper with it.
        """
        records = {item.source.record_no: item.line for item in readers.read(self.corpus)}
        papers = {}
        for paper in store.papers():
            lines = (records.get(source.record_no, 0) for source in paper.sources)
            papers[paper.id] = tuple(dict.fromkeys(self.ids[n] for n in lines if n in self.ids))
        return papers


def located(
    corpus: Path, queries: Path | None = None, qrels: Path | None = None, split: str = "test"
) -> Files:
    """Return the files of a benchmark; those not named are looked for where the corpus is.

    ``corpus`` is a file, or the folder of a benchmark. Raise ``ReadError`` where one is missing.
    """
    if not corpus.exists():
        raise unreadable(str(corpus), FileNotFoundError())
    folder = corpus if corpus.is_dir() else corpus.parent
    return Files(
        _first(folder, "corpus.jsonl", "corpus.jsonl.gz") if corpus.is_dir() else corpus,
        queries or _first(folder, "queries.jsonl", "queries.jsonl.gz"),
        qrels or _first(folder, f"qrels/{split}.tsv", "qrels.tsv"),
    )


def _first(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise ReadError(
        f"There is no {' or '.join(names)} in {folder}.",
        "Name the files with --corpus, --queries and --qrels, or another part with --split.",
    )


def load(files: Files) -> Benchmark:
    """Read queries, judgments and the ids of the documents; raise ``ReadError`` for bad ones."""
    corpus = one_document(files.corpus)
    texts = _queries(files.queries)
    qrels = judgments(one_document(files.qrels))
    judged = {query: qrels[query] for query in texts if query in qrels}
    if not judged:
        raise ReadError(
            f"No query of {files.queries.name} is judged in {files.qrels.name}.",
            f"The ids must be the same: the first query is {next(iter(texts))!r}, "
            f"the first that is judged {next(iter(qrels))!r}.",
        )
    ids = _document_ids(corpus)
    wanted = [document for of_query in judged.values() for document in of_query]
    if set(ids.values()).isdisjoint(wanted):
        raise ReadError(
            f"No document that is judged in {files.qrels.name} stands in {corpus.name}.",
            f"The ids must be the same: the first document is {next(iter(ids.values()))!r}, "
            f"the first that is judged {wanted[0]!r}.",
        )
    return Benchmark(files.corpus, corpus, ids, {query: texts[query] for query in judged}, judged)


def one_document(path: Path) -> Document:
    """Return what is in a file, packed or not; raise ``ReadError`` where it is several."""
    found = list(documents(path))
    if len(found) != 1:
        raise ReadError(f"{path.name} holds {len(found)} files.", "Unpack it, and name one.")
    return found[0]


def _objects(document: Document) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line that is not blank, and its object, empty where it is none."""
    for line in decode.lines(document):
        if not (text := line.text.strip("\ufeff \t\r")):
            continue
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        yield line.number, value if isinstance(value, dict) else {}


def _id_of(row: Mapping[str, Any]) -> str:
    value = row.get("_id", row.get("id"))
    return str(value).strip() if isinstance(value, (str, int)) else ""


def _document_ids(corpus: Document) -> dict[int, str]:
    """Return the ids by line; what is wrong with the other lines is for the import to say."""
    ids = {number: id_ for number, row in _objects(corpus) if (id_ := _id_of(row))}
    if not ids:
        raise ReadError(f"No line of {corpus.name} is a document with an id.", DOCUMENT_HINT)
    return ids


def _queries(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, row in _objects(one_document(path)):
        id_, text = _id_of(row), row.get("text")
        if not id_ or not isinstance(text, str):
            raise ReadError(f"Line {number} of {path.name} is not a query.", _QUERY_HINT)
        if id_ in found:
            raise ReadError(
                f"Line {number} of {path.name} is a second query {id_!r}.",
                "Give each query an id of its own.",
            )
        found[id_] = text.strip()
    return found
