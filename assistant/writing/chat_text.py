"""Text on its way into a chat model and out of it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence

from assistant.writing.ports import Message

# Anything that a vocabulary may read as a control token, so that a text cannot end its own turn.
_CONTROL = re.compile(r"<\|[^<>|\s]{1,60}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>")


def defuse(text: str) -> str:
    """Break up anything in ``text`` that a vocabulary may read as a control token."""
    return _CONTROL.sub(lambda match: broken(match.group()), text)


def without_control(text: str) -> str:
    """Return ``text`` with a blank for anything that a vocabulary may read as a control token."""
    return _CONTROL.sub(" ", text)


def broken(token: str) -> str:
    """Return the text of a token so that it is that token no more, and readable still."""
    return f"{token[:1]} {token[1:]}"


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with the system's words at the head of the first other message."""
    words = [message["content"] for message in messages if message["role"] == "system"]
    first, *rest = [message for message in messages if message["role"] != "system"]
    opened = Message(role=first["role"], content="\n\n".join([*words, first["content"]]))
    return [opened, *rest]


def decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield text from bytes whose characters may be split over pieces; drop what is no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
    for piece in pieces:
        if text := decoder.decode(piece):
            yield text
