"""The keyword index: BM25 by tantivy over texts, each with the name of its paper before it.

Terms come from :mod:`assistant.retrieval.lexical` and are laid into the index as they are; a query
is built from terms and never parsed, so there is no text that is not a query.
It does not hold what readers see: only ids, and the name that each passage was indexed under.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from assistant.errors import DerivedIndexError, LibraryBusy, LibraryError
from assistant.retrieval.lexical import TermStats, content_terms, tokenise
from assistant.types import Passage

SCHEME = "2"  # goes up when terms or fields change, so that an older index is built again
MAX_QUERY_TERMS = 64

_REINDEX = "Run `assistant reindex`."
_TOKENIZER = "terms"
_FEW = 200  # papers that are looked for one by one, whatever else
_MOST_SIFTED = 6_000  # hits
_WRITER_BYTES = 30_000_000


class TantivyIndex:
    """BM25 over a folder; the folder is made at the first write."""

    def __init__(self, path: Path) -> None:
        """Take the folder of the index; a missing one is an empty index."""
        self._path = path
        self._lock = threading.RLock()  # over the fields below, held briefly
        self._writing = threading.Lock()
        self._index: Any = None
        self._searcher: Any = None
        self._stats: TermStats | None = None
        self._seen = -1
        # the paper of each address that was looked up, for one searcher
        self._owners: tuple[Any, dict[tuple[int, int], str]] = (None, {})

    def ids(self) -> set[str]:
        """Return the ids of all stored passages."""
        return set(self.names())

    def names(self) -> dict[str, str]:
        """Return the name of its paper that each passage was stored with."""
        searcher = self._reader()
        if searcher is None or not searcher.num_docs:
            return {}
        with self._told("read"):
            query = _tantivy().Query.all_query()
            hits = searcher.search(query, limit=searcher.num_docs, count=False).hits
            documents = [searcher.doc(address) for _, address in hits]
            return {doc["id"][0]: doc["label"][0] for doc in documents}

    def add(self, passages: Iterable[tuple[Passage, str]]) -> None:
        """Store (passage, name of its paper) pairs; replace those whose id is known."""
        tantivy = _tantivy()
        with self._writer() as writer:
            for passage, name in passages:
                writer.delete_documents_by_term("id", passage.id)
                writer.add_document(
                    tantivy.Document(
                        id=passage.id,
                        paper=passage.paper_id,
                        label=name,
                        body=" ".join(tokenise(name) + tokenise(passage.text)),
                    )
                )

    def delete(self, ids: Collection[str]) -> None:
        """Forget passages; unknown ids are ignored."""
        if not ids or self._reader() is None:
            return
        with self._writer() as writer:
            for passage_id in ids:
                writer.delete_documents_by_term("id", passage_id)

    def search(
        self, query: str, k: int, paper_ids: Collection[str] | None = None
    ) -> list[tuple[str, str, float]]:
        """Return up to ``k`` (passage id, paper id, BM25 score), best first; any text will do."""
        searcher = self._reader()
        terms = content_terms(query)
        if searcher is None or not terms or k < 1 or (paper_ids is not None and not paper_ids):
            return []
        with self._told("read"):
            hits = self._sifted(searcher, terms, k, paper_ids) if paper_ids else None
            if hits is None:
                wanted = self._query(searcher, terms, paper_ids)
                hits = searcher.search(wanted, limit=k, count=False).hits
            found = []
            for score, address in hits:
                doc = searcher.doc(address)
                found.append((doc["id"][0], doc["paper"][0], float(score)))
        return sorted(found, key=lambda hit: (-hit[2], hit[0]))

    def _sifted(
        self, searcher: Any, terms: list[str], k: int, paper_ids: Collection[str]
    ) -> list[Any] | None:
        """Return the best hits among many papers, None where looking for each is quicker.

        Listing papers costs more the more there are; sorting out costs less the more there are.
        """
        if len(paper_ids) <= _FEW:
            return None
        limit = k + int(1.5 * k * searcher.num_docs / len(paper_ids))
        if limit > _MOST_SIFTED:
            return None
        hits = searcher.search(self._query(searcher, terms, None), limit=limit, count=False).hits
        allowed = paper_ids if isinstance(paper_ids, frozenset | set) else frozenset(paper_ids)
        owner = self._owner_in(searcher)
        among = (hit for hit in hits if owner(hit[1]) in allowed)
        found = list(islice(among, k))
        return found if len(found) == k or len(hits) < limit else None

    def _owner_in(self, searcher: Any) -> Callable[[Any], str]:
        """Return what tells the paper of an address, and remembers: to read it is slow."""
        of, known = self._owners
        if of is not searcher:
            known = {}
            self._owners = (searcher, known)

        def owner(address: Any) -> str:
            key = (address.segment_ord, address.doc)
            paper = known.get(key)
            if paper is None:
                paper = known[key] = searcher.doc(address)["paper"][0]
            return paper

        return owner

    def held(self, terms: Collection[str]) -> list[str]:
        """Return those of the terms that stand anywhere."""
        searcher = self._reader()
        if searcher is None:
            return []
        with self._told("read"):
            return [term for term in terms if searcher.doc_freq("body", term)]

    def spelt_like(self, term: str, slips: int, k: int) -> list[tuple[str, str]]:
        """Return up to ``k`` (passage id, paper id) that hold a term ``slips`` letters off it."""
        searcher = self._reader()
        if searcher is None or not term or k < 1:
            return []
        query_of, schema = _tantivy().Query, self._index_schema()
        with self._told("read"):
            near = query_of.fuzzy_term_query(schema, "body", term, slips)
            hits = searcher.search(near, limit=k, count=False).hits
            found = [searcher.doc(address) for _, address in hits]
            return [(doc["id"][0], doc["paper"][0]) for doc in found]

    def term_stats(self) -> TermStats:
        """Return how many papers hold each term, counted when first asked for."""
        searcher = self._reader()
        if searcher is None:
            return TermStats(0, lambda _: 0)
        with self._lock, self._told("read"):
            if self._stats is None:
                papers = searcher.cardinality(_tantivy().Query.all_query(), "paper")
                self._stats = TermStats(round(papers), lambda term: self._papers(searcher, term))
            return self._stats

    def clear(self) -> None:
        """Forget everything, a corrupt folder included."""
        with self._lock:
            self._forget_handles()
            self._index = None
            try:
                if self._path.exists():
                    shutil.rmtree(self._path)
            except OSError as error:
                raise LibraryError(
                    f"The keyword index {self._path} cannot be removed: {error}.",
                    "Close other programs that use it.",
                ) from error

    def _papers(self, searcher: Any, term: str) -> int:
        holding = _tantivy().Query.term_query(self._index_schema(), "body", term)
        papers: float = searcher.cardinality(holding, "paper")
        return round(papers)

    def _query(self, searcher: Any, terms: list[str], paper_ids: Collection[str] | None) -> Any:
        query_of, occur = _tantivy().Query, _tantivy().Occur
        schema = self._index_schema()
        if len(terms) > MAX_QUERY_TERMS:
            rare = {term: searcher.doc_freq("body", term) for term in terms}
            known = [term for term in terms if rare[term]]
            terms = sorted(known, key=lambda term: rare[term])[:MAX_QUERY_TERMS]
        parts = [query_of.term_query(schema, "body", term, "freq") for term in terms]
        if paper_ids is None:
            return _any(parts)
        among = query_of.term_set_query(schema, "paper", list(paper_ids))
        return query_of.boolean_query(
            [(occur.Must, query_of.const_score_query(among, 0.0)), (occur.Must, _any(parts))]
        )

    def _index_schema(self) -> Any:
        return self._index.schema

    def _reader(self) -> Any:
        """Return a searcher over the newest commit, of whichever process; None where none is."""
        with self._lock, self._told("opened"):
            if self._index is None:
                self._index = self._open()
            if self._index is None:
                return None
            commit = self._commit_stamp()
            if self._searcher is None or commit != self._seen:
                self._index.reload()
                self._searcher = self._index.searcher()
                self._owners = (None, {})
                self._seen = commit
                self._stats = None
            return self._searcher

    def _commit_stamp(self) -> int:
        return int((self._path / "meta.json").stat().st_mtime_ns)

    def _open(self) -> Any:
        tantivy = _tantivy()
        if not (self._path / "meta.json").is_file():
            if self._path.is_dir() and any(self._path.iterdir()):
                raise DerivedIndexError("The keyword index is incomplete.", _REINDEX)
            return None
        if self._read_scheme() != SCHEME:
            raise DerivedIndexError("The keyword index is of another version.", _REINDEX)
        index = tantivy.Index.open(str(self._path))
        _register(index)
        return index

    def _read_scheme(self) -> str:
        file = self._path / "scheme"
        return file.read_text(encoding="utf-8").strip() if file.is_file() else ""

    def _create(self) -> Any:
        self._path.mkdir(parents=True, exist_ok=True)
        index = _tantivy().Index(_schema(), path=str(self._path), reuse=False)
        (self._path / "scheme").write_text(SCHEME, encoding="utf-8")
        _register(index)
        return index

    @contextmanager
    def _writer(self) -> Iterator[Any]:
        """Hold the only writer; commit at the end, or leave everything as it was on an error."""
        with self._writing, self._told("written"):
            self._reader()
            with self._lock:
                if self._index is None:
                    self._index = self._create()
                writer = self._index.writer(heap_size=_WRITER_BYTES, num_threads=1)
            try:
                yield writer
                writer.commit()
            except BaseException:
                writer.rollback()
                raise
            finally:
                writer.wait_merging_threads()  # lets go of the lock
                self._forget_handles()

    def _forget_handles(self) -> None:
        with self._lock:
            self._searcher = None
            self._owners = (None, {})
            self._stats = None

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Turn what the library raises into what a reader can use."""
        try:
            yield
        except (ValueError, OSError) as error:
            if "LockBusy" in str(error):
                raise LibraryBusy(
                    "Another process is writing to the keyword index.", "Try again in a moment."
                ) from error
            raise DerivedIndexError(
                f"The keyword index cannot be {what}: {error}", _REINDEX
            ) from error
        except BaseException as error:
            # Damage that the library does not expect ends in a panic, which is no Exception.
            if type(error).__name__ != "PanicException":
                raise
            raise DerivedIndexError("The keyword index is damaged.", _REINDEX) from error


def _tantivy() -> Any:
    import tantivy

    return tantivy


def _schema() -> Any:
    builder = _tantivy().SchemaBuilder()
    for name in ("id", "paper"):
        builder.add_text_field(
            name, stored=True, fast=True, tokenizer_name="raw", index_option="basic"
        )
    builder.add_text_field("label", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name=_TOKENIZER, index_option="freq")
    return builder.build()


def _register(index: Any) -> None:
    tantivy = _tantivy()
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_TOKENIZER, analyzer)


def _any(queries: list[Any]) -> Any:
    tantivy = _tantivy()
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])
