"""Put the rooms together: the only place that constructs anything.

``build`` opens the library; models are loaded at the first use, or by ``warm``.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from assistant import checkup, chosen
from assistant.checkup import Finding
from assistant.config import Settings
from assistant.errors import LibraryError, ModelError, QuestionError
from assistant.jobs import never
from assistant.keeping import Keeper
from assistant.library.store import Store
from assistant.retrieval.embedder import AbsentEmbedder, SentenceTransformerEmbedder
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.ports import Embedder, Reranker
from assistant.retrieval.search import Searcher
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.retrieval.vectors import ChromaVectorStore
from assistant.threads import yield_while_waiting
from assistant.types import Event, Filters, Findings, Idea, SavedSearch, Turn
from assistant.weights.catalog import QUOTES_ONLY, Catalog
from assistant.writing import prompts
from assistant.writing.ask import Asker
from assistant.writing.find import CLOSE, WITHIN_REACH, Finder
from assistant.writing.ports import CancelCheck, ChatModel
from assistant.writing.verify import Verifier

LOOKED_AT = 5_000  # papers that example questions are made of
LONGEST_TITLE = 90
_METHOD = re.compile(r"(?=.*[A-Z0-9].*[A-Z0-9]|.*[-^])[A-Z]\S{1,30}")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Status:
    """What a reader wants to know at a glance; ``model`` is empty for quotes only."""

    papers: int
    collections: dict[str, int]
    model: str
    model_hint: str
    embedder: str
    notes: tuple[str, ...] = ()
    quotes_only_chosen: bool = False


class Assistant(Keeper):
    """The assistant over one library; safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        indexes: Indexes,
        catalog: Catalog,
        model: ChatModel | None,
        model_hint: str,
        reranker: Reranker | None = None,
    ) -> None:
        super().__init__(store, indexes)
        self.settings = settings
        self.catalog = catalog
        self._model = model
        self._model_hint = model_hint
        self._reranker = reranker

    def ask(
        self,
        question: str,
        history: Sequence[Turn] = (),
        *,
        cancelled: CancelCheck | None = None,
        filters: Filters | None = None,
        literal: bool = False,
    ) -> Iterator[Event]:
        """Yield the events of an answer; see :class:`assistant.writing.ask.Asker`."""
        self.ready()
        if self.store.is_empty():
            raise LibraryError("The library is empty.", "Run: assistant ingest FILE")
        asker = Asker(
            self.searcher,
            Verifier(self.indexes.embedder),
            self._model,
            index_version=self.indexes.version(),
            seed=self.settings.seed,
            max_papers=self.settings.max_papers,
        )
        yield from asker.ask(
            question, history, cancelled=cancelled or never, filters=filters, literal=literal
        )

    def find(self, idea: Idea) -> Findings:
        """Return papers for an idea; see :class:`assistant.writing.find.Finder`.

        Raise ``LibraryError`` for an empty library, or for papers that it does not hold.
        """
        self.ready()
        if self.store.is_empty():
            raise LibraryError("The library is empty.", "Run: assistant ingest FILE")
        finder = Finder(self.searcher, index_version=self.indexes.version())
        return finder.find(self._of_known_papers(idea))

    def saved_searches(self, *, count: bool = False) -> list[SavedSearch]:
        """Return the kept searches; with ``count``, look for what is new for each of them."""
        kept = self.store.searches()
        if not count:
            return kept
        return [replace(search, new=self._count(search)) for search in kept]

    def news(self, name: str) -> Findings:
        """Return the close matches that came since a search was last looked at, best first.

        They are seen then, and no news any more. Raise ``LibraryError`` for an unknown name.
        """
        newest = self.store.newest()
        found = self._unseen(self.store.search(name))
        # papers that are not indexed yet could not be found: they stay news
        if not self.indexes.check():
            with self.store.transaction():
                self.store.note_seen(name, newest)
        return found

    def _count(self, search: SavedSearch) -> int:
        """Return how many matches are new; none for a search whose papers have been removed."""
        try:
            return self._unseen(search).total
        except (LibraryError, QuestionError) as error:
            logger.info("saved search %r: %s", search.name, error.message)
            return 0

    def _unseen(self, search: SavedSearch) -> Findings:
        """Return all close matches that came since a search was last looked at."""
        filters = search.idea.filters or Filters()
        unseen = self.store.unseen(search.name)
        if filters.paper_ids:
            unseen = [paper_id for paper_id in unseen if paper_id in filters.paper_ids]
        if not unseen:
            return Findings(search.idea.text, (), (), 0, close=False)
        within = replace(filters, paper_ids=tuple(unseen))
        found = self.find(replace(search.idea, filters=within, limit=WITHIN_REACH, offset=0))
        near = tuple(match for match in found.matches if match.score >= CLOSE)
        return replace(found, matches=near, total=len(near), close=bool(near))

    def _of_known_papers(self, idea: Idea) -> Idea:
        """Return an idea whose papers go by the ids that they have now; raise for unknown ones."""
        if not idea.like and not idea.unlike:
            return idea
        like = tuple(map(self.store.resolve, idea.like))
        return replace(idea, like=like, unlike=tuple(map(self.store.resolve, idea.unlike)))

    def status(self) -> Status:
        """Return what a reader wants to know at a glance."""
        counts = self.store.counts()
        return Status(
            papers=counts.papers,
            collections=counts.collections,
            model=self._model.name if self._model else "",
            model_hint=self._model_hint,
            embedder=self.indexes.embedder.name,
            quotes_only_chosen=self.catalog.selected_llm() == QUOTES_ONLY,
        )

    def doctor(self, *, deep: bool = False) -> list[Finding]:
        """Look at the library, its indexes and the models; load nothing.

        With ``deep``, compare every paper with what was made from it as well.
        """
        parts = (self.store, self.indexes, self.catalog, self.settings)
        return [*checkup.findings(*parts, deep=deep), self._model_finding()]

    def examples(self, n: int) -> list[str]:
        """Return up to ``n`` questions that the library can answer, spread over its papers."""
        names = [name for _, name in islice(self.store.names(), LOOKED_AT)]
        # "PPDiff: …" names a method; "Erratum: …" and "Large language models: …" name none
        begins = (name.partition(": ") for name in names)
        named = [name for name, colon, _ in begins if colon and _METHOD.fullmatch(name)]
        forms: tuple[str, ...] = ("What does {} do?", "How does {} work?", "What is {}?")
        if not named:
            named = [name for name in names if len(name) <= LONGEST_TITLE]
            forms = ("What is known from “{}”?",)
        step = max(1, len(named) // max(1, n))
        return [forms[i % len(forms)].format(name) for i, name in enumerate(named[::step][:n])]

    def warm(self) -> None:
        """Load the models now, and let the language model read the fixed part of its prompt."""
        self.ready()
        self.indexes.embedder.embed_query("warm")
        with suppress(ModelError):  # search says so, and goes on without it
            if self._reranker is not None:
                self._reranker.scores("warm", ["warm"])
        if self._model is None:
            return
        messages = [*prompts.fixed_part("answer"), *prompts.answer_messages("?", ["-"])[-1:]]
        for _ in self._model.stream(
            messages, max_tokens=1, seed=self.settings.seed, cancelled=never
        ):
            break

    def close(self) -> None:
        """Close the library."""
        self.store.close()

    @cached_property
    def searcher(self) -> Searcher:
        """Return what finds papers in the library, as far as its indexes go."""
        parts = self.indexes
        return Searcher(
            self.store,
            parts.embedder,
            parts.vectors,
            parts.keywords,
            parts.sentence_vectors,
            self._reranker,
        )

    def _model_finding(self) -> Finding:
        if self._model is None:
            chosen = self.catalog.selected_llm() == QUOTES_ONLY
            return Finding(
                "model",
                ok=chosen,
                message="none: answers are quotes only",
                hint=self._model_hint,
            )
        return Finding("model", ok=True, message=self._model.name)


def build(
    settings: Settings,
    *,
    create: bool = False,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
) -> Assistant:
    """Open the library and what reads it; raise ``LibraryError`` where there is none.

    ``embedder`` and ``reranker`` take the place of those that the settings name.
    """
    yield_while_waiting()
    catalog = Catalog(settings)
    store = Store.open(settings.data_dir, create=create)
    try:
        embedder = embedder or _embedder_or_none(settings)
        dimension = 0 if isinstance(embedder, AbsentEmbedder) else embedder.dimension
        indexes = Indexes(
            store,
            embedder,
            ChromaVectorStore(settings.data_dir / "chroma", embedder.name, dimension),
            TantivyIndex(settings.data_dir / "tantivy"),
            SentenceVectors(settings.data_dir / "sentences", embedder),
        )
        model, hint = chosen.language_model(settings, catalog)
        reranker = reranker or chosen.reranker_or_none(catalog)
    except BaseException:
        store.close()
        raise
    return Assistant(settings, store, indexes, catalog, model, hint, reranker)


def _embedder_or_none(settings: Settings) -> Embedder:
    """Return the embedder, or one that says what is missing: a list of papers needs none."""
    try:
        return embedder_of(settings)
    except ModelError as error:
        return AbsentEmbedder(settings.embedder, error)


def embedder_of(settings: Settings) -> Embedder:
    """Return the embedder that the settings name; raise ``ModelError`` where it is none or away."""
    found = Catalog(settings).resolve(settings.embedder)
    if found.entry.role != "embedder":
        raise ModelError(
            f"{found.name} is not an embedder.", "'assistant models list' shows those that are."
        )
    return SentenceTransformerEmbedder(
        found.path,
        found.name,
        found.entry.query_prefix,
        found.entry.document_prefix,
        limit=found.context,
    )
