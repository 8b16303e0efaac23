"""Weights from a model hub, over plain HTTP, so that a dead network is noticed within seconds.

``HF_ENDPOINT``, ``HF_TOKEN`` and ``HF_HUB_OFFLINE`` are read at call time. The hub answers a HEAD
of ``/{repo}/resolve/{revision}/{file}`` with size and hash, and a GET with a redirect to its store.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from assistant.weights import web
from assistant.weights.files import Report, SourceFailed, remove, require_space, sha256_of
from assistant.weights.manifest import HubSource, ModelEntry

_DEFAULT_ENDPOINT = "https://huggingface.co"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Remote:
    """What the hub says of a file; empty and 0 where it does not say."""

    url: str
    size: int
    sha256: str
    git_sha1: str


def fetch(source: HubSource, entry: ModelEntry, folder: Path, report: Report) -> Path:
    """Fetch the file, or the files of a folder; return a temporary path in ``folder``.

    Each is checked against the hub's own hash; an interrupted file goes on where it stopped.
    Raise ``SourceFailed`` when the hub cannot be reached or offers something else.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").strip().lower() in {"1", "true", "yes", "on"}:
        raise SourceFailed("HF_HUB_OFFLINE is set")
    report(0, entry.size, f"asking the {source.label}")
    remotes = {file: _look_up(source, file) for file in source.files}
    for file in source.optional:
        with suppress(web.NoSuchFile):
            remotes[file] = _look_up(source, file)
    for file, remote in remotes.items():
        if not entry.is_folder or file == entry.weights:
            _refuse_other(entry, remote)
    if not entry.sha256:
        report(0, entry.size, "its hash is not pinned: checking against the hub's own")
    target = folder / f"{entry.file_name}.hub.partial"
    total = sum(remote.size for remote in remotes.values())
    done = 0
    for file, remote in remotes.items():
        path = target / file if entry.is_folder else target
        _fetch_file(remote, path, _shifted(report, done, total, f"fetching {file}"))
        done += path.stat().st_size
    return target


def _refuse_other(entry: ModelEntry, remote: Remote) -> None:
    """Raise before half a gigabyte is fetched in vain."""
    if entry.sha256 and remote.sha256 and remote.sha256 != entry.sha256:
        raise SourceFailed(
            f"the hub's file is another one: expected SHA-256 {entry.sha256}, got {remote.sha256}"
        )
    if entry.size and remote.size and remote.size != entry.size:
        raise SourceFailed(
            f"the hub's file is another one: expected {entry.size:,} bytes, got {remote.size:,}"
        )


def _shifted(report: Report, before: int, total: int, note: str) -> Callable[[int], None]:
    return lambda done: report(before + done, total, note)


def _look_up(source: HubSource, file: str) -> Remote:
    """Ask the hub for the size and the hash of a file, following renamed repositories."""
    endpoint = os.environ.get("HF_ENDPOINT", "").strip().rstrip("/") or _DEFAULT_ENDPOINT
    if urlsplit(endpoint).scheme not in {"http", "https"}:
        raise SourceFailed(f"HF_ENDPOINT is not a web address: {endpoint}")
    url = f"{endpoint}/{source.repo}/resolve/{quote(source.revision, safe='')}/{quote(file)}"
    for _ in range(web.MOST_REDIRECTS):
        code, headers = web.head(url)
        moved = code in web.REDIRECT_CODES
        onward = urljoin(url, headers.get("Location", ""))
        if moved and "X-Linked-Etag" not in headers and web.same_host(onward, url):
            url = onward
            continue
        etag = (headers.get("X-Linked-Etag") or headers.get("ETag") or "").removeprefix("W/")
        etag = etag.strip('"').lower()
        # A redirect's own length says nothing of the file.
        length = "" if moved else headers.get("Content-Length", "")
        size = str(headers.get("X-Linked-Size", length))
        return Remote(
            url=url,
            size=int(size) if size.isdigit() else 0,
            sha256=etag if re.fullmatch(r"[0-9a-f]{64}", etag) else "",
            git_sha1=etag if re.fullmatch(r"[0-9a-f]{40}", etag) else "",
        )
    raise SourceFailed("the hub redirects without end")


def _fetch_file(remote: Remote, path: Path, progress: Callable[[int], None]) -> None:
    """Bring ``path`` to its full length and check it; an earlier piece of it is used."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = remote.sha256 or remote.git_sha1
    if known and path.exists() and _is_whole(path, remote):
        return
    # The hash is part of the name, so that a piece of an older file is not gone on with.
    piece = path.with_name(f"{path.name}.{known[:12] or 'piece'}")
    if not known:
        remove(piece)
    require_space(path.parent, max(0, remote.size - _length(piece)))
    for attempt in range(1, _TRIES + 1):
        before = _length(piece)
        try:
            _append(remote, piece, progress)
            break
        except web.LineBroken as error:
            # A line that drops now and then is worth another try; one that brings nothing is not.
            if attempt == _TRIES or _length(piece) <= before:
                raise SourceFailed(f"the transfer broke off: {error}") from error
    if not _is_whole(piece, remote):
        size, sha256 = _length(piece), sha256_of(piece)
        remove(piece)
        raise SourceFailed(
            f"{path.name} is not what the hub promised: expected {remote.size:,} bytes and "
            f"{known or 'no hash'}, got {size:,} bytes and SHA-256 {sha256}"
        )
    piece.replace(path)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _append(remote: Remote, piece: Path, progress: Callable[[int], None]) -> None:
    """Fetch what lacks of a piece, or all of it where the server cannot start in the middle."""
    have = _length(piece)
    if remote.size and have == remote.size:
        return
    if remote.size and have > remote.size:
        have = 0
    with web.get(remote.url, have) as answer:
        if answer.status == web.RANGE_UNUSABLE:
            remove(piece)
            raise SourceFailed("the hub's file is shorter than what came before")
        ranged = answer.headers.get("Content-Range", "")
        if answer.status != web.PARTIAL_CONTENT or not ranged.startswith(f"bytes {have}-"):
            have = 0
        with piece.open("rb+" if have else "wb") as writer:
            writer.seek(have)
            while block := web.read(answer):
                writer.write(block)
                have += len(block)
                progress(have)
    if remote.size and have < remote.size:
        raise web.LineBroken(f"{remote.size - have:,} bytes are missing")


def _is_whole(path: Path, remote: Remote) -> bool:
    if remote.size and path.stat().st_size != remote.size:
        return False
    if remote.sha256:
        return sha256_of(path) == remote.sha256
    if remote.git_sha1:
        # How git names a file; the hub gives it for those that are not in its large store.
        data = path.read_bytes()
        blob = b"blob %d\0" % len(data) + data
        return hashlib.sha1(blob, usedforsecurity=False).hexdigest() == remote.git_sha1
    return True
