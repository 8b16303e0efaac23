"""Put the rooms together: the only place that constructs anything.

``build`` opens the library; models are loaded at the first use, or by ``warm``.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TextIO

from assistant import checkup
from assistant.checkup import Finding
from assistant.config import Settings
from assistant.errors import AssistantError, LibraryBusy, LibraryError
from assistant.jobs import ImportJob, Step, Tell
from assistant.library import exporting, lookup, removing
from assistant.library.importing import Importer
from assistant.library.lookup import Choice
from assistant.library.removing import Removal
from assistant.library.store import Store
from assistant.retrieval.embedder import SentenceTransformerEmbedder
from assistant.retrieval.indexes import Indexes, SyncReport
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.ports import Embedder
from assistant.retrieval.search import Searcher
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.retrieval.vectors import ChromaVectorStore
from assistant.threads import yield_while_waiting
from assistant.types import Event, Filters, ImportReport, Paper, Turn
from assistant.weights.catalog import QUOTES_ONLY, Catalog
from assistant.writing import prompts
from assistant.writing.ask import Asker
from assistant.writing.llama import LlamaChatModel
from assistant.writing.ports import CancelCheck, ChatModel
from assistant.writing.verify import Verifier

LOOK_AGAIN = 30.0  # seconds until indexes that another process was writing are looked at again
CONTEXT = 4096  # tokens: one paper a call never needs more, and memory grows with it

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


class Assistant:
    """The assistant over one library; safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        indexes: Indexes,
        catalog: Catalog,
        model: ChatModel | None,
        model_hint: str,
    ) -> None:
        self.settings = settings
        self.store = store
        self.indexes = indexes
        self.catalog = catalog
        self._model = model
        self._model_hint = model_hint
        self._maintenance = threading.Lock()
        self._checked = False
        self._look_again_at = 0.0
        self._job: ImportJob | None = None
        self._starting = threading.Lock()

    def ask(
        self,
        question: str,
        history: Sequence[Turn] = (),
        *,
        cancelled: CancelCheck | None = None,
        filters: Filters | None = None,
    ) -> Iterator[Event]:
        """Yield the events of an answer; see :class:`assistant.writing.ask.Asker`."""
        self.ready()
        if self.store.is_empty():
            raise LibraryError("The library is empty.", "Run: assistant ingest FILE")
        asker = Asker(
            self._searcher,
            Verifier(self.indexes.embedder),
            self._model,
            index_version=self.indexes.version(),
            seed=self.settings.seed,
            max_papers=self.settings.max_papers,
        )
        yield from asker.ask(question, history, cancelled=cancelled or _never, filters=filters)

    def ready(self, on_progress: Callable[[str, int], None] | None = None) -> None:
        """Mend the derived indexes once a start, if they are not those of the library.

        While an import is under way, here or in another process, do nothing: questions are
        answered from what is there. Raise ``DerivedIndexError`` for another embedder's library.
        """
        self.indexes.require_own_embedder()
        if self._checked or time.monotonic() < self._look_again_at:
            return
        if not self._maintenance.acquire(blocking=not self._importing()):
            return
        try:
            if not self._checked:
                self._mend(on_progress)
                self._checked = True
        except LibraryBusy:
            self._look_again_at = time.monotonic() + LOOK_AGAIN
        finally:
            self._maintenance.release()

    def _mend(self, on_progress: Callable[[str, int], None] | None) -> None:
        if self._importer.stale():
            self._importer.derive_again()
        if self.indexes.check():
            self.indexes.sync(_counted(on_progress))

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        dry_run: bool = False,
        columns: Mapping[str, str] | None = None,
        on_progress: Callable[[str, int], None] | None = None,
        cancelled: CancelCheck | None = None,
    ) -> ImportReport:
        """Import files, then bring the indexes up to date with what changed.

        ``columns`` says which columns of tables hold which field. ``on_progress`` gets a file's
        name or a stage, and how many records or texts are done.
        """
        if dry_run:
            return self._importer.run(
                paths, dry_run=True, columns=columns, on_progress=on_progress, cancelled=cancelled
            )
        reports: list[ImportReport] = []

        def tell(step: Step) -> None:
            if on_progress:
                on_progress(step.file or step.stage, step.done)

        self._ingest(paths, columns, tell, cancelled or _never, reports.append)
        return reports[0]

    def import_in_background(
        self, paths: Sequence[Path], *, columns: Mapping[str, str] | None = None
    ) -> ImportJob:
        """Start an import on a thread; raise ``LibraryBusy`` while another one is running."""
        with self._starting:
            if self._importing():
                raise LibraryBusy(
                    "An import is under way.", "Wait until it has ended, or cancel it first."
                )
            files = tuple(paths)
            self._job = ImportJob(
                lambda tell, cancelled, reported: self._ingest(
                    files, columns, tell, cancelled, reported
                )
            )
            return self._job

    @property
    def import_job(self) -> ImportJob | None:
        """Return the import under way in the background, or the last one."""
        return self._job

    def _importing(self) -> bool:
        return self._job is not None and self._job.state == "running"

    def _ingest(
        self,
        paths: Sequence[Path],
        columns: Mapping[str, str] | None,
        tell: Tell,
        cancelled: CancelCheck,
        reported: Callable[[ImportReport], None],
    ) -> None:
        self.indexes.require_own_embedder()
        report = self._importer.run(
            paths,
            columns=columns,
            on_progress=lambda file, records: tell(Step("reading", file, records)),
            cancelled=cancelled,
        )
        reported(report)
        with self._maintenance:
            done = self.indexes.sync(
                lambda stage, count, total: tell(Step(stage, "", count, total)), cancelled
            )
            # what a stopped import leaves to do is done at the next start, not at a question
            self._checked = self._checked or not done.stopped

    def remove(self, paper_ids: Collection[str]) -> int:
        """Forget papers; return how many there were."""
        with self.store.transaction():
            removed = self.store.remove(paper_ids)
        self._sync()
        return removed

    def remove_source(self, file: str, *, rehearse: bool = False) -> Removal:
        """Forget a file: papers that other files bring as well stay, without what it said.

        With ``rehearse``, only count.
        """
        deriver = self._importer.deriver
        removal = removing.remove_source(self.store, deriver, file, keep=not rehearse)
        if not rehearse:
            self._sync()
        return removal

    def paper(self, name: str) -> Paper:
        """Return the paper that a reader names by id, DOI or title; raise ``LibraryError``."""
        return lookup.paper_named(self.store, name)

    def choose(self, choice: Choice) -> Iterator[Paper]:
        """Yield the papers that a reader chooses, in order of import."""
        return lookup.chosen(self.store, choice)

    def rename_collection(self, old: str, new: str) -> int:
        """Give a collection another name; return how many papers it holds."""
        with self.store.transaction():
            return self.store.rename_collection(old, new)

    def export(self, papers: Iterable[Paper], format: str, out: TextIO) -> int:  # noqa: A002
        """Write papers in one of ``exporting.FORMATS``; return how many."""
        return exporting.write(papers, format, out)

    def _sync(self) -> None:
        with self._maintenance:
            self.indexes.sync()

    def reindex(self, on_progress: Callable[[str, int], None] | None = None) -> SyncReport:
        """Make every derived index again from the library, with the embedder in use."""
        with self._maintenance:
            if self._importer.stale():
                self._importer.derive_again()
            return self.indexes.rebuild(_counted(on_progress))

    def papers(self) -> list[Paper]:
        """Return the papers in order of import."""
        return self.store.papers()

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
        return checkup.findings(
            self.store, self.indexes, self.catalog, self.settings, deep=deep
        ) + [self._model_finding()]

    def examples(self, n: int) -> list[str]:
        """Return up to ``n`` questions that the library can answer, spread over its papers."""
        named = [
            (paper, paper.handle.partition(": ")[0])
            for paper in self.store.papers()
            if ": " in paper.handle
        ]
        step = max(1, len(named) // max(1, n))
        forms = ("What does {} do?", "How does {} work?", "What is {}?")
        return [forms[i % len(forms)].format(name) for i, (_, name) in enumerate(named[::step][:n])]

    def warm(self) -> None:
        """Load the models now, and let the language model read the fixed part of its prompt."""
        self.ready()
        self.indexes.embedder.embed_query("warm")
        if self._model is None:
            return
        messages = [*prompts.fixed_part("answer"), *prompts.answer_messages("?", ["-"])[-1:]]
        for _ in self._model.stream(
            messages, max_tokens=1, seed=self.settings.seed, cancelled=_never
        ):
            break

    def close(self) -> None:
        """Close the library."""
        self.store.close()

    @cached_property
    def _searcher(self) -> Searcher:
        parts = self.indexes
        return Searcher(
            self.store, parts.embedder, parts.vectors, parts.keywords, parts.sentence_vectors
        )

    @property
    def _importer(self) -> Importer:
        embedder = self.indexes.embedder
        return Importer(self.store, embedder.count_tokens, embedder.max_tokens)

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


def build(settings: Settings, *, create: bool = False) -> Assistant:
    """Open the library and what reads it; raise ``LibraryError`` where there is none."""
    yield_while_waiting()
    catalog = Catalog(settings)
    store = Store.open(settings.data_dir, create=create)
    try:
        embedder = _embedder(settings, catalog)
        indexes = Indexes(
            store,
            embedder,
            ChromaVectorStore(settings.data_dir / "chroma", embedder.name, embedder.dimension),
            TantivyIndex(settings.data_dir / "tantivy"),
            SentenceVectors(settings.data_dir / "sentences", embedder),
        )
        model, hint = _language_model(settings, catalog)
    except BaseException:
        store.close()
        raise
    return Assistant(settings, store, indexes, catalog, model, hint)


def _embedder(settings: Settings, catalog: Catalog) -> Embedder:
    found = catalog.resolve(settings.embedder)
    return SentenceTransformerEmbedder(
        found.path, found.name, found.entry.query_prefix, found.entry.document_prefix
    )


def _language_model(settings: Settings, catalog: Catalog) -> tuple[ChatModel | None, str]:
    """Return the model in use, or None with the command that mends it."""
    name = catalog.selected_llm()
    if name == QUOTES_ONLY:
        return None, "Quotes only, as set. To let a model write: assistant models use NAME"
    try:
        found = catalog.resolve(name)
    except AssistantError as error:
        logger.info("no language model: %s", error.message)
        return None, f"{error.message} {error.hint}".strip()
    context = settings.context or min(found.context, CONTEXT)
    return (
        LlamaChatModel(
            found.path,
            found.name,
            context=context,
            threads=settings.threads,
            gpu_layers=settings.gpu_layers,
        ),
        "",
    )


def _counted(
    on_progress: Callable[[str, int], None] | None,
) -> Callable[[str, int, int], None] | None:
    if on_progress is None:
        return None
    return lambda stage, done, _total: on_progress(stage, done)


def _never() -> bool:
    return False
