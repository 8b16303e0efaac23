"""A chat model without weights, for tests and for looking at the page: it quotes its prompt.

It carries signal: its reply is the sentence of the prompt that shares most words with the question,
so a test that expects the right answer fails when the right evidence is not handed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.errors import ModelError
from assistant.retrieval.lexical import content_terms, tokenise
from assistant.writing.ports import CancelCheck, Message


class QuotingChatModel:
    """Replies with the best sentence of the last message, or with ``replies`` in their order."""

    def __init__(
        self, replies: Sequence[str] = (), *, context: int = 2048, name: str = "quoting"
    ) -> None:
        self._replies = list(replies)
        self._context = context
        self._name = name
        self.prompts: list[list[Message]] = []

    @property
    def name(self) -> str:
        """Return the name for receipts."""
        return self._name

    @property
    def context(self) -> int:
        """Return the context size in tokens; a token is a word here."""
        return self._context

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the number of words, and one more a message for its role."""
        return sum(1 + len(message["content"].split()) for message in messages)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        cancelled: CancelCheck,
    ) -> Iterator[str]:
        """Yield the reply word by word."""
        del seed
        if self.count_tokens(messages) + max_tokens > self._context:
            raise ModelError("The prompt does not fit the context.", "Ask a shorter question.")
        self.prompts.append(list(messages))
        reply = self._replies.pop(0) if self._replies else _best(messages[-1]["content"])
        for word in re.findall(r"\S+\s*", reply)[:max_tokens]:
            if cancelled():
                return
            yield word


def _best(prompt: str) -> str:
    sentences = re.findall(r"^- (.+)$", prompt, flags=re.MULTILINE)
    question = prompt.rsplit("Question:", 1)[-1]
    asked = set(content_terms(question))
    return max(sentences, key=lambda text: len(asked & set(tokenise(text))), default="")
