"""Copies of files handed to the page: named as they were, and gone when they are not needed."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect

from assistant.errors import AssistantError, QuestionError
from assistant.interfaces.web import uploads
from assistant.interfaces.web.uploads import Uploads, file_name


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


async def stream(*chunks):
    for chunk in chunks:
        if isinstance(chunk, BaseException):
            raise chunk
        yield chunk


def receive(desk, batch, name, *chunks):
    # on a thread of its own: in the tests' own one, the browser's loop may be running
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, desk.receive(batch, name, stream(*chunks))).result()


def copies(root):
    return [path for path in root.rglob("*") if path.is_file()]


def test_files_are_copied_under_their_own_names():
    desk = Uploads()
    batch = desk.begin()
    receive(desk, batch, "refs.bib", b"@misc", b"{a}")
    receive(desk, batch, "refs.bib", b"another of this name")
    receive(desk, batch, "empty.txt")
    taken = desk.take(batch)
    assert [path.name for path in taken.paths] == ["refs.bib", "refs.bib", "empty.txt"]
    texts = [path.read_bytes() for path in taken.paths]
    assert texts == [b"@misc{a}", b"another of this name", b""]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("refs.bib", "refs.bib"),
        ("文献 (1): résumé.ris", "文献 (1): résumé.ris"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\refs.bib", "refs.bib"),
        ("a\x00b\n\u202ec.csv", "ab c.csv"),
        ("", "file"),
        ("..", "file"),
        ("dir/", "file"),
        ("  spaced.txt  ", "spaced.txt"),
    ],
)
def test_names_stay_inside_their_folder(said, name):
    assert file_name(said) == name


def test_long_names_keep_their_ending():
    name = file_name("文" * 300 + ".bib")
    assert name.endswith("文.bib")
    assert len(name.encode()) <= 200
    assert len(file_name("." + "x" * 900).encode()) <= 200


def test_a_copy_that_breaks_off_leaves_nothing(root):
    desk = Uploads()
    batch = desk.begin()
    receive(desk, batch, "whole.bib", b"whole")
    with pytest.raises(ClientDisconnect):
        receive(desk, batch, "half.bib", b"half", ClientDisconnect())
    assert copies(root) == []
    with pytest.raises(QuestionError, match="no longer here"):
        desk.take(batch)


def test_a_full_disk_is_told(root, monkeypatch):
    desk = Uploads()
    batch = desk.begin()

    def full(*_args, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(AssistantError, match="No space left"):
        receive(desk, batch, "refs.bib", b"text")
    assert copies(root) == []


def test_what_is_discarded_or_taken_is_no_longer_there(root):
    desk = Uploads()
    one, other = desk.begin(), desk.begin()
    receive(desk, one, "a.txt", b"a")
    receive(desk, other, "b.txt", b"b")
    desk.discard(one)
    desk.discard("never there")
    assert [path.name for path in copies(root)] == ["b.txt"]
    desk.take(other).remove()
    assert copies(root) == []
    with pytest.raises(QuestionError):
        desk.take(other)


def test_what_lies_there_for_an_hour_is_thrown_away(root, monkeypatch):
    desk = Uploads()
    old = desk.begin()
    receive(desk, old, "old.txt", b"old")
    monkeypatch.setattr(uploads, "_LEFT_LYING", -1.0)
    desk.begin()
    assert copies(root) == []


def test_too_many_files_are_refused(monkeypatch):
    monkeypatch.setattr(uploads, "_MOST_FILES", 1)
    desk = Uploads()
    batch = desk.begin()
    receive(desk, batch, "a.txt", b"a")
    with pytest.raises(QuestionError, match="too many"):
        receive(desk, batch, "b.txt", b"b")
