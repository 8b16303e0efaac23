"""The port of the language model, with a real adapter and a fake under one contract suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypedDict


class Message(TypedDict):
    """One message of a chat prompt."""

    role: str
    content: str


class ChatModel(Protocol):
    """A chat model with a bounded context."""

    @property
    def name(self) -> str:
        """Return the name for receipts."""
        ...

    @property
    def context(self) -> int:
        """Return the context size in tokens, prompt and reply together."""
        ...

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the tokens of the whole rendered prompt, by the model's own tokenizer."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        cancelled: CancelCheck,
    ) -> Iterator[str]:
        """Yield pieces of the reply; end early, with the engine free, once ``cancelled()``.

        Raise ``ModelError`` when prompt and reply do not fit the context.
        """
        ...


class CancelCheck(Protocol):
    """Tells whether the reader has pressed Stop."""

    def __call__(self) -> bool:
        """Return True once the work is to end."""
        ...
