"""Prompts are files: one Markdown/Jinja template a task, split into messages by its headings.

A template that names a variable nobody gives is an error, not an empty string.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import jinja2

from assistant.errors import ModelError
from assistant.resources import resource_dir
from assistant.writing.ports import ChatModel, Message

_HEADING = re.compile(r"^## (system|user|assistant)\n", re.MULTILINE)
LONGEST_QUESTION = 1200  # characters: reading more holds the model up for other readers
_SHORTEST_CUT = 200  # characters


@lru_cache(maxsize=16)
def _parts(task: str) -> tuple[tuple[str, jinja2.Template], ...]:
    """Return the roles and templates of a task.

    The file is split before rendering, so that no text that is filled in can open a message.
    """
    source = _source(task)
    environment = jinja2.Environment(  # noqa: S701 - the output is a prompt, not HTML
        undefined=jinja2.StrictUndefined, keep_trailing_newline=False
    )
    pieces = _HEADING.split(re.sub(r"\{#.*?#\}\n?", "", source, flags=re.DOTALL))
    return tuple(
        (role, environment.from_string(body.strip()))
        for role, body in zip(pieces[1::2], pieces[2::2], strict=True)
    )


@lru_cache(maxsize=16)
def _source(task: str) -> str:
    return (resource_dir("prompts") / f"{task}.md").read_text(encoding="utf-8")


def prompt_hash(task: str) -> str:
    """Return a short hash of a task's template."""
    return hashlib.sha256(_source(task).encode()).hexdigest()[:12]


def fixed_part(task: str) -> list[Message]:
    """Return the messages before the last one, which are the same in every call."""
    return [Message(role=role, content=part.render()) for role, part in _parts(task)[:-1]]


def answer_messages(question: str, sentences: Sequence[str]) -> list[Message]:
    """Return the prompt for one paper's answer."""
    role, last = _parts("answer")[-1]
    filled = last.render(question=_one_line(question), sentences=[_one_line(s) for s in sentences])
    return [*fixed_part("answer"), Message(role=role, content=filled)]


def fitted_answer(
    model: ChatModel, question: str, sentences: Sequence[str], max_tokens: int
) -> list[Message]:
    """Return the prompt cut to the model's context, counted with the model's own tokenizer.

    The question loses its middle first (its start and its end say what is asked), then the first
    sentences go, which are the weakest. Raise ``ModelError`` when not even one sentence fits.
    """
    room = model.context - max_tokens
    asked, kept = _without_middle(question, LONGEST_QUESTION), list(sentences)
    while True:
        messages = answer_messages(asked, kept)
        tokens = model.count_tokens(messages)
        if tokens <= room:
            return messages
        if len(asked) > _SHORTEST_CUT:
            asked = _without_middle(asked, max(_SHORTEST_CUT, len(asked) // 2))
        elif len(kept) > 1:
            kept.pop(0)
        elif kept and len(kept[0]) > _SHORTEST_CUT:
            kept[0] = _without_middle(kept[0], len(kept[0]) // 2)
        else:
            raise ModelError(
                f"The context of {model.name}, {model.context} tokens, is too small.",
                "Choose another model: assistant models list",
            )


def _without_middle(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    half = (length - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def _one_line(text: str) -> str:
    """Keep quoted text on its line, so that it cannot pretend to be another part of the prompt."""
    return " ".join(text.split())
