"""Import files: every record that is read is added, updated, merged, unchanged or rejected.

Records are written a batch a transaction, and every batch is idempotent: a killed import is
carried on by importing the same files again. What a batch decides depends on the records before
it and on the library only, never on where the batches are cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from pathlib import Path

from assistant.errors import ReadError
from assistant.jobs import never
from assistant.library import abstracts, cleaning, dedupe, merging, readers
from assistant.library.dedupe import Keyed, Outcome, Seen
from assistant.library.derive import Derive, Deriver, underived
from assistant.library.documents import Document, documents, unreadable
from assistant.library.schema import Entry
from assistant.library.store import Store
from assistant.types import FileReport, ImportReport, Record, Rejected

_BATCH = 500
_DERIVED_KEY = "derived_by"
_ID_DIGITS = 12
MOST_REJECTED_KEPT = 100_000
"""Rejections of one file that are told one by one; the rest are counted."""


@dataclass(slots=True)
class _Ledger:
    """The counts of one file so far."""

    format: str = ""
    read: int = 0
    with_abstract: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)
    rejected_count: int = 0

    def report(self, file: str, error: str = "", hint: str = "") -> FileReport:
        return FileReport(
            file,
            self.format,
            read=self.read,
            with_abstract=self.with_abstract,
            added=self.outcomes["added"],
            updated=self.outcomes["updated"],
            merged=self.outcomes["merged"],
            unchanged=self.outcomes["unchanged"],
            rejected=tuple(self.rejected),
            error=error,
            hint=hint,
            rejected_count=self.rejected_count,
        )

    def reject(self, item: Rejected) -> None:
        """Count a rejection, and keep it while there is room."""
        self.rejected_count += 1
        if len(self.rejected) < MOST_REJECTED_KEPT:
            self.rejected.append(item)


class Importer:
    """Brings files into a store; ``count_tokens`` and ``max_tokens`` bound the passages."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int], max_tokens: int) -> None:
        self._store = store
        self._derive = Deriver(count_tokens, max_tokens)

    @property
    def deriver(self) -> Deriver:
        """Return what makes the parts of papers."""
        return self._derive

    def run(
        self,
        paths: Sequence[Path],
        *,
        dry_run: bool = False,
        columns: Mapping[str, str] | None = None,
        on_progress: Callable[[str, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> ImportReport:
        """Import files and the files of folders; one that cannot be read leaves the others be.

        ``columns`` names the columns of tables that do not name themselves.
        ``on_progress`` gets a file's name and the number of its records read so far. Once
        ``cancelled`` returns true, what was read is kept and nothing more is read. A dry run
        counts what an import would do and keeps nothing.
        """
        stop = cancelled or never
        tell = on_progress or (lambda _file, _records: None)
        files = takewhile(lambda _: not stop(), expand(paths, columns or {}))
        if not dry_run:
            self.refresh()
            work = _Run(self._store, self._derive, self._store.transaction, tell, stop)
            return ImportReport(tuple(map(work.file, files)))
        with self._store.transaction(keep=False):
            # one transaction round it all, so that files see what those before them brought
            work = _Run(self._store, underived, nullcontext, tell, stop)
            return ImportReport(tuple(map(work.file, files)))

    def stale(self) -> bool:
        """Tell whether the stored parts were made in another way than this importer's."""
        made_by = self._store.get_meta(_DERIVED_KEY)
        return bool(made_by) and made_by != self._derive.way

    def refresh(self, on_progress: Callable[[int, int], None] | None = None) -> None:
        """Make all parts again where they were made in another way."""
        if self.stale():
            self.derive_again(on_progress)

    def derive_again(self, on_progress: Callable[[int, int], None] | None = None) -> None:
        """Make all papers again from what their records say, and all parts; ids stay.

        ``on_progress`` gets the number of papers done and their total.
        """
        ids = [paper_id for paper_id, _ in self._store.names()]
        for start in range(0, len(ids), _BATCH):
            with self._store.transaction():
                for paper_id in ids[start : start + _BATCH]:
                    entry = merging.made_anew(self._store.entry(paper_id))
                    self._store.save(self._derive(entry, cleaning.plain(entry.paper.abstract)))
            if on_progress:
                on_progress(min(start + _BATCH, len(ids)), len(ids))
        with self._store.transaction():
            self._store.set_meta(_DERIVED_KEY, self._derive.way)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of an import; a rehearsal derives nothing and has one transaction round it."""

    store: Store
    derive: Derive
    transaction: Callable[[], AbstractContextManager[None]]
    tell: Callable[[str, int], None]
    stop: Callable[[], bool]

    def file(self, document: Document | FileReport) -> FileReport:
        """Import one file and return its ledger."""
        if isinstance(document, FileReport):
            return document
        ledger, seen = _Ledger(), Seen()
        items = readers.read(document)
        while not self.stop():
            batch, failure = _take(items)
            if batch:
                with self.transaction():
                    self._batch(batch, ledger, seen)
                self.tell(document.name, ledger.read)
            if failure:
                return ledger.report(document.name, failure.message, failure.hint)
            if len(batch) < _BATCH:
                return ledger.report(document.name)
        return ledger.report(
            document.name,
            "The import was stopped before the end of this file.",
            "Import it again; what was read is kept.",
        )

    def _batch(self, batch: Sequence[Record | Rejected], ledger: _Ledger, seen: Seen) -> None:
        if isinstance(self.derive, Deriver) and not self.store.get_meta(_DERIVED_KEY):
            self.store.set_meta(_DERIVED_KEY, self.derive.way)
        names = self.store.collection_names()
        for item in batch:
            ledger.read += 1
            ledger.format = item.source.format
            if isinstance(item, Rejected):
                ledger.reject(item)
                continue
            if item.source.collection not in names:
                self.store.note_collection(item.source.collection)
                names[item.source.collection] = item.source.collection
            record = _filed(abstracts.settled(item), names[item.source.collection])
            ledger.with_abstract += bool(record.abstract)
            ledger.outcomes[self._record(dedupe.keyed(record), seen)] += 1

    def _record(self, item: Keyed, seen: Seen) -> Outcome:
        """Store a record as what it is; the order of the questions is the ledger's meaning."""
        number = item.record.source.record_no
        if place := dedupe.unchanged_place(self.store, item):
            seen.add(place.paper_id, number)
            return "unchanged"
        same = dedupe.same_papers(self.store, item)
        paper_id = self._joined(same, seen) if same else ""
        paper_id = paper_id or dedupe.earlier_version(self.store, item, seen)
        if paper_id:
            outcome = self._known(item, self.store.entry(paper_id), seen)
        else:
            paper_id, outcome = self._new_id(item.text_key), "added"
            self.store.save(self.derive(merging.fresh(item, paper_id), item.plain))
        seen.add(paper_id, number)
        return outcome

    def _joined(self, ids: Sequence[str], seen: Seen) -> str:
        """Make one paper of those that a record has shown to be one; return its id."""
        first, *others = ids
        for other_id in others:
            entry = self.store.entry(first)
            changed = merging.joined(entry, self.store.entry(other_id))
            self.store.join(first, other_id)
            self.store.save(self._fresh_parts(changed, entry))
            seen.joined(first, other_id)
        return first

    def _known(self, item: Keyed, entry: Entry, seen: Seen) -> Outcome:
        """Bring a record to the paper that it belongs to."""
        position = dedupe.own_source(entry, item.record.source, seen)
        if position is None:
            self.store.save(self._fresh_parts(merging.with_source(entry, item), entry))
            return "merged"
        changed = merging.again(entry, item, position)
        self.store.save(self._fresh_parts(changed, entry))
        same = replace(changed.paper, sources=entry.paper.sources) == entry.paper
        return "unchanged" if same else "updated"

    def _fresh_parts(self, changed: Entry, before: Entry) -> Entry:
        """Return the entry, its parts made anew where what they are made from has changed."""
        new, old = changed.paper, before.paper
        if (new.abstract, new.title) == (old.abstract, old.title):
            return changed
        return self.derive(changed, cleaning.plain(new.abstract))

    def _new_id(self, text_key: bytes) -> str:
        """Return "p" and the first digits of the text's hash, more of them where they are taken."""
        digits = _ID_DIGITS
        while self.store.has_paper(f"p{text_key.hex()[:digits]}"):
            digits += 4
        return f"p{text_key.hex()[:digits]}"


def _filed(record: Record, collection: str) -> Record:
    """Return the record under the name that its collection was given since."""
    if record.source.collection == collection:
        return record
    return replace(record, source=replace(record.source, collection=collection))


def _take(items: Iterator[Record | Rejected]) -> tuple[list[Record | Rejected], ReadError | None]:
    """Return the next records, and what went wrong after the last of them."""
    batch: list[Record | Rejected] = []
    try:
        batch.extend(islice(items, _BATCH))
    except ReadError as error:
        return batch, error
    return batch, None


def expand(
    paths: Sequence[Path], columns: Mapping[str, str] | None = None
) -> Iterator[Document | FileReport]:
    """Yield the documents that ``paths`` name.

    A folder stands for its files, hidden ones left out; an archive for what is packed inside.
    """
    for path in paths:
        if not path.is_dir():
            yield from _unpacked(path, columns or {})
            continue
        try:
            inside = sorted(
                item for item in path.iterdir() if item.is_file() and item.name[0] != "."
            )
        except OSError as error:
            told = unreadable(str(path), error)
            yield FileReport(path.name, "", error=told.message, hint=told.hint)
            continue
        if not inside:
            yield FileReport(
                path.name,
                "",
                error=f"The folder {path} holds no files.",
                hint="Name the files, or a folder that has them directly inside.",
            )
        for item in inside:
            yield from _unpacked(item, columns or {})


def _unpacked(path: Path, columns: Mapping[str, str]) -> Iterator[Document | FileReport]:
    try:
        for document in documents(path):
            yield replace(document, columns=columns)
    except ReadError as error:
        yield FileReport(path.name, "", error=error.message, hint=error.hint)
