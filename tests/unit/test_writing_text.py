"""Text into and out of a chat model: control tokens, bytes, roles, and replies as statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.writing.ask import tidy
from assistant.writing.chat_text import decoded, defuse, without_system
from assistant.writing.ports import Message


@pytest.mark.parametrize(
    "token",
    ["<|im_end|>", "<|im_start|>", "<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<end_of_turn>"],
)
def test_a_control_token_is_broken_up_and_stays_readable(token: str):
    safe = defuse(f"a {token}{token} b")
    assert token not in safe
    assert safe.replace(" ", "") == f"a{token}{token}b"


@pytest.mark.parametrize(
    "text", ["a < b |> c", "x<|y", "[INS]", "p<0.05>s", "1 <| 2 |> 3", "", "C*-algebra"]
)
def test_other_text_stays_as_it_is(text: str):
    assert defuse(text) == text


@given(st.text(), st.integers(1, 5))
def test_text_cut_anywhere_comes_out_whole(text: str, size: int):
    raw = text.encode("utf-8", "ignore")
    pieces = [raw[i : i + size] for i in range(0, len(raw), size)]
    assert "".join(decoded(pieces)) == raw.decode("utf-8")


def test_bytes_that_are_no_text_hold_nothing_back():
    assert "".join(decoded([b"a\xff", b"b\xe2\x82", b"c", "é".encode()[:1]])) == "abc"
    assert next(decoded([b"\xff", b"b", b"c"])) == "b"


def test_what_the_system_says_opens_the_first_message():
    messages = [
        Message(role="system", content="Be brief."),
        Message(role="user", content="Hi"),
        Message(role="assistant", content="Ho"),
    ]
    assert without_system(messages) == [
        Message(role="user", content="Be brief.\n\nHi"),
        messages[2],
    ]
    assert without_system(messages[1:]) == messages[1:]


@pytest.mark.parametrize(
    ("reply", "statement"),
    [
        ("Answer:  It is\n\nfast. ", "It is fast."),
        ("- It is fast [1] and small [2, 3].", "It is fast and small."),
        ("It is fast. It is sma", "It is fast."),
        ("It is fast", "It is fast."),
        ("One is so. Two is so. Three is so.", "One is so. Two is so."),
        ("Du et al. (2023) did it, e.g. in Paris.", "Du et al. (2023) did it, e.g. in Paris."),
        ("", ""),
    ],
)
def test_a_reply_becomes_a_statement(reply: str, statement: str):
    assert tidy(reply) == statement
