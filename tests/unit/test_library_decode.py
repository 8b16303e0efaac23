"""Bytes of any encoding become lines, and what is no text is refused with a way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.errors import ReadError
from assistant.library import decode
from assistant.library.documents import Document

WESTERN = "Über naïve Schätzer: Größe, café – “done” and 50 % of all cases. " * 3
CHINESE = "我们提出了一种新的方法来设计蛋白质。实验表明该方法有效。" * 20
RUSSIAN = "Мы предлагаем новый метод обучения нейронных сетей без учителя. " * 20


def write(folder: Path, content: bytes, name: str = "a.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def text_of(path: Path) -> str:
    return "\n".join(line.text for line in decode.lines(Document.of(path)))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (WESTERN, "utf-8"),
        (WESTERN, "utf-8-sig"),
        (WESTERN, "utf-16"),
        (WESTERN, "utf-16-le"),
        (WESTERN, "utf-16-be"),
        (WESTERN, "utf-32"),
        (WESTERN, "cp1252"),
        (CHINESE, "utf-8"),
        (CHINESE, "utf-16"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "utf-16-le"),
        (RUSSIAN, "cp1251"),
    ],
)
def test_text_reads_the_same_in_every_encoding(tmp_path: Path, text: str, encoding: str) -> None:
    assert text_of(write(tmp_path, text.encode(encoding))) == text


def test_one_accent_in_a_long_english_text_is_cp1252(tmp_path: Path) -> None:
    text = "We study plain things at length. " * 400 + "Crédit"
    assert text_of(write(tmp_path, text.encode("cp1252"))).endswith("Crédit")


def test_a_few_broken_bytes_do_not_spoil_utf8(tmp_path: Path) -> None:
    content = ("é" * 100).encode() + b"\xff" + b" sound"
    assert text_of(write(tmp_path, content)) == "é" * 100 + "\ufffd sound"


def test_invalid_bytes_far_behind_the_beginning_are_noticed(tmp_path: Path) -> None:
    content = b"plain words\n" * 200_000 + "naïve café".encode("cp1252")
    assert text_of(write(tmp_path, content)).endswith("naïve café")


def test_a_character_on_the_border_of_two_blocks_is_no_error(tmp_path: Path) -> None:
    content = b"x" * ((1 << 20) - 1) + "é and more".encode()
    assert decode.detect(Document.of(write(tmp_path, content))) == "utf-8"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems_are_one(tmp_path: Path, end: str) -> None:
    path = write(tmp_path, end.join(["one", "", "two"]).encode())
    assert [(line.number, line.text) for line in decode.lines(Document.of(path))] == [
        (1, "one"),
        (2, ""),
        (3, "two"),
    ]


def test_stray_nul_and_control_characters_are_text(tmp_path: Path) -> None:
    content = b"A sentence with a \x00 stray \x07 thing in it. " * 30
    assert "stray" in text_of(write(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b" \r\n\t ", "blank"),
        (b"%PDF-1.7 \xe2\xe3\xcf\xd3", "a PDF"),
        (b"PK\x03\x04\x14\x00", "ZIP"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\xff\xd8\xff\xe0", "image"),
        (b"GGUF\x03\x00", "language model"),
        (bytes(range(256)) * 20, "binary"),
        (os.urandom(1 << 15) + b"\x00\xff", "binary"),
    ],
)
def test_what_is_no_text_is_refused_with_a_hint(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said) as told:
        list(decode.lines(Document.of(write(tmp_path, content, "odd.bin"))))
    assert "odd.bin" in told.value.message
    assert told.value.hint


def test_a_missing_file_is_named_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nowhere\.txt does not exist"):
        list(decode.lines(Document.of(tmp_path / "nowhere.txt")))


def test_permission_is_spoken_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, b"text")
    monkeypatch.setattr(Path, "open", refuse)  # the tests may run as root, who may read all
    with pytest.raises(ReadError, match=r"a\.txt may not be read") as told:
        list(decode.lines(Document.of(path)))
    assert "permissions" in told.value.hint


def test_only_the_beginning_of_an_endless_line_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, b"x" * (2 * decode.MAX_LINE + 5) + b"\nnext\n")
    first, second = decode.lines(Document.of(path))
    assert (len(first.text), first.cut) == (decode.MAX_LINE, True)
    assert (second.text, second.cut) == ("next", False)
