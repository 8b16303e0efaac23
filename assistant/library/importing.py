"""Import files: every record that is read is added, updated, merged, unchanged or rejected.

Records are written a batch a transaction, and every batch is idempotent: a killed import is
carried on by importing the same files again. What a batch decides depends on the records before
it and on the library only, never on where the batches are cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from assistant.errors import ReadError
from assistant.library import cleaning, decode, dedupe, handles, passages, readers, sentences
from assistant.library.dedupe import Keyed, Outcome, Seen
from assistant.library.schema import Entry, Place
from assistant.library.store import Store
from assistant.types import FileReport, ImportReport, Paper, Passage, Record, Rejected, Sentence

_BATCH = 500
_DERIVATION = "1"
"""Counts changes of cleaning, handles, sentences and passages; a new one derives all again."""

_DERIVED_KEY = "derived_by"
_ID_DIGITS = 12


@dataclass(slots=True)
class _Ledger:
    """The counts of one file so far."""

    format: str = ""
    read: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)

    def report(self, file: str, error: str = "", hint: str = "") -> FileReport:
        return FileReport(
            file,
            self.format,
            read=self.read,
            added=self.outcomes["added"],
            updated=self.outcomes["updated"],
            merged=self.outcomes["merged"],
            unchanged=self.outcomes["unchanged"],
            rejected=tuple(self.rejected),
            error=error,
            hint=hint,
        )


class Importer:
    """Brings files into a store; ``count_tokens`` and ``max_tokens`` bound the passages."""

    def __init__(self, store: Store, count_tokens: Callable[[str], int], max_tokens: int) -> None:
        self._store = store
        self._count_tokens = count_tokens
        self._max_tokens = max_tokens

    def run(
        self,
        paths: Sequence[Path],
        *,
        dry_run: bool = False,
        on_progress: Callable[[str, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> ImportReport:
        """Import files and the files of folders; a file that cannot be read leaves the others be.

        ``on_progress`` gets a file's name and the number of its records read so far. Once
        ``cancelled`` returns true, what was read is kept and nothing more is read.
        """
        reports: list[FileReport] = []
        stop = cancelled or (lambda: False)
        tell = on_progress or (lambda _file, _records: None)

        def work(*, rehearsal: bool) -> None:
            for path in expand(paths):
                if stop():
                    return
                reports.append(
                    path
                    if isinstance(path, FileReport)
                    else self._file(path, tell, stop, rehearsal=rehearsal)
                )

        if dry_run:
            with self._store.transaction(keep=False):
                work(rehearsal=True)
        else:
            work(rehearsal=False)
        return ImportReport(tuple(reports))

    def stale(self) -> bool:
        """Tell whether the stored parts were made in another way than this importer's."""
        made_by = self._store.get_meta(_DERIVED_KEY)
        return bool(made_by) and made_by != self._way

    def derive_again(self, on_progress: Callable[[int, int], None] | None = None) -> None:
        """Make handles, sentences and passages of all papers again, ids and texts as they are.

        ``on_progress`` gets the number of papers done and their total.
        """
        papers = self._store.papers()
        for start in range(0, len(papers), _BATCH):
            with self._store.transaction():
                for paper in papers[start : start + _BATCH]:
                    entry = self._store.entry(paper.id)
                    self._store.save(self._derived(entry, entry.paper))
            if on_progress:
                on_progress(min(start + _BATCH, len(papers)), len(papers))
        with self._store.transaction():
            self._store.set_meta(_DERIVED_KEY, self._way)

    @property
    def _way(self) -> str:
        return f"{_DERIVATION}:{self._max_tokens}"

    def _file(
        self,
        path: Path,
        tell: Callable[[str, int], None],
        stop: Callable[[], bool],
        *,
        rehearsal: bool,
    ) -> FileReport:
        ledger, seen = _Ledger(), Seen()
        items = iter(readers.read(path))
        while True:
            if stop():
                return ledger.report(
                    path.name,
                    "The import was stopped before the end of this file.",
                    "Import it again; what was read is kept.",
                )
            batch: list[Record | Rejected] = []
            failure = None
            try:
                batch.extend(islice(items, _BATCH))
            except ReadError as error:
                failure = error
            if batch and not rehearsal:
                with self._store.transaction():
                    self._batch(batch, ledger, seen)
            elif batch:
                self._batch(batch, ledger, seen, rehearsal=True)
            tell(path.name, ledger.read)
            if failure:
                return ledger.report(path.name, failure.message, failure.hint)
            if len(batch) < _BATCH:
                return ledger.report(path.name)

    def _batch(
        self,
        batch: Sequence[Record | Rejected],
        ledger: _Ledger,
        seen: Seen,
        *,
        rehearsal: bool = False,
    ) -> None:
        for item in batch:
            ledger.read += 1
            ledger.format = item.source.format
            if isinstance(item, Rejected):
                ledger.rejected.append(item)
            else:
                ledger.outcomes[self._record(dedupe.keyed(item), seen, rehearsal)] += 1
        if not rehearsal and not self._store.get_meta(_DERIVED_KEY):
            self._store.set_meta(_DERIVED_KEY, self._way)

    # One record

    def _record(self, item: Keyed, seen: Seen, rehearsal: bool) -> Outcome:
        """Store a record as what it is; the order of these questions is the meaning of the ledger."""
        source = item.record.source
        if place := dedupe.unchanged_place(self._store, item):
            seen.add(place.paper_id, source.record_no)
            return "unchanged"
        paper_id = dedupe.same_paper(self._store, item)
        outcome: Outcome = "merged"
        if not paper_id:
            paper_id = dedupe.earlier_version(self._store, item, seen)
        if paper_id:
            outcome = self._known(item, self._store.entry(paper_id), seen, rehearsal)
        else:
            paper_id = self._new_id(item.text_key)
            outcome = "added"
            self._store.save(self._new(item, paper_id, rehearsal))
        seen.add(paper_id, source.record_no)
        return outcome

    def _known(self, item: Keyed, entry: Entry, seen: Seen, rehearsal: bool) -> Outcome:
        """Bring a record to the paper that it belongs to."""
        places = [
            Place(entry.paper.id, source, mark)
            for source, mark in zip(entry.paper.sources, entry.fingerprints, strict=True)
        ]
        own = dedupe.own_place(places, item.record.source, seen)
        if own is None:
            # another source of the same paper: keep the text, fill in what was not known
            paper = _filled(entry.paper, item.record)
            changed = replace(
                entry,
                paper=replace(paper, sources=(*paper.sources, item.record.source)),
                fingerprints=(*entry.fingerprints, item.fingerprint),
            )
            self._store.save(changed)
            return "merged"
        # the same record again, changed or moved to another place in its file
        position = places.index(own)
        sources, marks = list(entry.paper.sources), list(entry.fingerprints)
        sources[position], marks[position] = item.record.source, item.fingerprint
        moved = own.fingerprint == item.fingerprint
        paper = entry.paper if moved else _overwritten(entry.paper, item.record)
        content_changed = paper != entry.paper
        changed = replace(
            entry,
            paper=replace(paper, sources=tuple(sources)),
            fingerprints=tuple(marks),
            text_key=entry.text_key if moved else item.text_key,
        )
        if paper.abstract != entry.paper.abstract:
            changed = self._derived(changed, changed.paper, rehearsal=rehearsal)
        self._store.save(changed)
        return "updated" if content_changed else "unchanged"

    def _new(self, item: Keyed, paper_id: str, rehearsal: bool) -> Entry:
        record = item.record
        paper = Paper(
            paper_id,
            handle="-",
            abstract=record.abstract,
            title=record.title,
            authors=record.authors,
            year=record.year,
            venue=record.venue,
            doi=record.doi,
            url=record.url,
            keywords=record.keywords,
            sources=(record.source,),
        )
        bare = Entry(paper, item.text_key, (item.fingerprint,), (), ())
        return self._derived(bare, paper, rehearsal=rehearsal)

    def _derived(self, entry: Entry, paper: Paper, *, rehearsal: bool = False) -> Entry:
        """Return the entry with everything that is made from the abstract."""
        if rehearsal:  # a rehearsal only counts
            return replace(entry, paper=paper)
        plain = cleaning.plain(paper.abstract)
        parts: tuple[Sentence, ...] = sentences.split(plain, paper.id)
        cut: tuple[Passage, ...] = passages.make(parts, self._count_tokens, self._max_tokens, plain)
        paper = replace(
            paper,
            handle=handles.handle(plain.text),
            code_links=handles.code_links(paper.abstract),
        )
        return replace(entry, paper=paper, sentences=parts, passages=cut)

    def _new_id(self, text_key: bytes) -> str:
        """Return "p" and the first digits of the text's hash, more of them where they are taken."""
        digits = _ID_DIGITS
        while self._store.has_paper(f"p{text_key.hex()[:digits]}"):
            digits += 4
        return f"p{text_key.hex()[:digits]}"


def expand(paths: Sequence[Path]) -> Iterator[Path | FileReport]:
    """Yield the files that ``paths`` name: a folder stands for its files, hidden ones left out."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        try:
            inside = sorted(
                item for item in path.iterdir() if item.is_file() and item.name[0] != "."
            )
        except OSError as error:
            told = decode.unreadable(path, error)
            yield FileReport(path.name, "", error=told.message, hint=told.hint)
            continue
        if not inside:
            yield FileReport(
                path.name,
                "",
                error=f"The folder {path} holds no files.",
                hint="Name the files, or a folder that has them directly inside.",
            )
        yield from inside


def _filled(paper: Paper, record: Record) -> Paper:
    """Return the paper with what it lacked taken from a record of it."""
    return replace(
        paper,
        title=paper.title or record.title,
        authors=paper.authors or record.authors,
        year=paper.year if paper.year is not None else record.year,
        venue=paper.venue or record.venue,
        doi=paper.doi or record.doi,
        url=paper.url or record.url,
        keywords=paper.keywords or record.keywords,
    )


def _overwritten(paper: Paper, record: Record) -> Paper:
    """Return the paper as a newer version of its record has it; what that lacks stays."""
    return replace(
        paper,
        abstract=record.abstract,
        title=record.title or paper.title,
        authors=record.authors or paper.authors,
        year=record.year if record.year is not None else paper.year,
        venue=record.venue or paper.venue,
        doi=record.doi or paper.doi,
        url=record.url or paper.url,
        keywords=record.keywords or paper.keywords,
    )
