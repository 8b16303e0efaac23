"""The language model: llama.cpp through llama-cpp-python, one engine, one lock.

What this file does not know: what the prompts say, and whether a reply is true.

A llama.cpp context is not thread-safe, so every use of it holds ``_lock``. A reader's Stop reaches
the engine through llama.cpp's abort callback, which is asked between the nodes of the compute
graph: even the reading of a long prompt ends within a fraction of a second.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from assistant.errors import ModelError
from assistant.threads import physical_cores, yield_while_waiting
from assistant.writing.ports import CancelCheck, Message
from assistant.writing.thinking import VisibleText

_FALLBACK_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# Anything that a vocabulary may read as a control token, so that a text cannot end its own turn.
_CONTROL = re.compile(r"<\|[^<>|\s]{1,60}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>")
_BATCH = 256


class LlamaChatModel:
    """A GGUF model; loaded at the first use, shared by all readers of this process."""

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        context: int = 4096,
        threads: int = 0,
        gpu_layers: int = 0,
    ) -> None:
        self._path = path
        self._name = name
        self._context = context
        self._threads = threads or physical_cores()
        self._gpu_layers = gpu_layers
        self._lock = threading.Lock()
        self._llama: Any = None
        self._formatter: Any = None
        self._abort: Any = None
        self._cancelled: CancelCheck = _never

    @property
    def name(self) -> str:
        """Return the name for receipts."""
        return self._name

    @property
    def context(self) -> int:
        """Return the context size in tokens."""
        return self._context

    def warm(self) -> None:
        """Load the weights; raise ``ModelError`` when the file is not a usable model."""
        with self._lock:
            self._load()

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the tokens of the whole rendered prompt."""
        with self._lock:
            self._load()
            return len(self._tokens(messages))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        seed: int,
        cancelled: CancelCheck,
    ) -> Iterator[str]:
        """Yield visible pieces of the reply; end early once ``cancelled()``.

        Raise ``ModelError`` when prompt and reply together exceed the context.
        """
        if not self._acquire(cancelled):
            return
        try:
            self._load()
            tokens = self._tokens(messages)
            if len(tokens) + max_tokens > self._context:
                raise ModelError(
                    f"The prompt ({len(tokens)} tokens) and its answer do not fit the model's "
                    f"context of {self._context} tokens.",
                    "Ask a shorter question, or choose a model with a larger context.",
                )
            self._cancelled = cancelled
            visible = VisibleText(inside=self._opens_thought(messages))
            for piece in self._generate(tokens, max_tokens, seed):
                if text := visible.feed(piece):
                    yield text
                if cancelled():
                    return
            if text := visible.close():
                yield text
        finally:
            self._cancelled = _never
            self._lock.release()

    def _acquire(self, cancelled: CancelCheck) -> bool:
        """Wait for the engine, but not longer than the reader does."""
        while not self._lock.acquire(timeout=0.1):
            if cancelled():
                return False
        if cancelled():
            self._lock.release()
            return False
        return True

    def _load(self) -> None:
        if self._llama is not None:
            return
        if not self._path.is_file():
            raise ModelError(
                f"The model file {self._path} is not there.",
                "Run: assistant models list, then: assistant models pull NAME",
            )
        llama_cpp = _import_llama()
        try:
            _silence(llama_cpp)
            self._llama = llama_cpp.Llama(
                model_path=str(self._path),
                n_ctx=self._context,
                n_batch=_BATCH,
                n_threads=self._threads,
                n_threads_batch=self._threads,
                n_gpu_layers=self._gpu_layers,
                verbose=False,
            )
        except (ValueError, RuntimeError, OSError) as error:
            raise ModelError(
                f"{self._path.name} cannot be loaded: {error}",
                "The file may be damaged or too new for this llama.cpp. "
                "Run: assistant models pull NAME",
            ) from error
        self._context = min(self._context, int(self._llama.n_ctx()))
        self._formatter = self._make_formatter(llama_cpp)
        self._watch_for_stop(llama_cpp)

    def _make_formatter(self, llama_cpp: Any) -> Any:
        template = self._llama.metadata.get("tokenizer.chat_template") or _FALLBACK_TEMPLATE
        return llama_cpp.llama_chat_format.Jinja2ChatFormatter(
            template=template,
            eos_token=self._piece(self._llama.token_eos()),
            bos_token=self._piece(self._llama.token_bos()),
            stop_token_ids=[self._llama.token_eos()],
        )

    def _piece(self, token: int) -> str:
        if token < 0:
            return ""
        text: bytes = self._llama.detokenize([token], special=True)
        return text.decode("utf-8", errors="ignore")

    def _watch_for_stop(self, llama_cpp: Any) -> None:
        # The callback object must outlive the context, hence the attribute.
        self._abort = llama_cpp.ggml_abort_callback(lambda _data: bool(self._cancelled()))
        llama_cpp.llama_set_abort_callback(self._llama._ctx.ctx, self._abort, None)  # noqa: SLF001

    def _opens_thought(self, messages: Sequence[Message]) -> bool:
        """Tell whether the template itself opens the thought, so that the reply starts inside it."""
        prompt = self._render(messages).rstrip()
        return prompt.endswith(("<think>", "<thinking>"))

    def _render(self, messages: Sequence[Message]) -> str:
        safe = [
            {"role": message["role"], "content": defuse(message["content"])} for message in messages
        ]
        prompt: str = self._formatter(messages=safe).prompt
        return prompt

    def _tokens(self, messages: Sequence[Message]) -> list[int]:
        prompt = self._render(messages)
        bos = self._piece(self._llama.token_bos())
        add_bos = not (bos and prompt.startswith(bos))
        tokens: list[int] = self._llama.tokenize(
            prompt.encode("utf-8", errors="ignore"), add_bos=add_bos, special=True
        )
        return tokens

    def _generate(self, tokens: list[int], max_tokens: int, seed: int) -> Iterator[str]:
        """Yield raw pieces of text; a multi-byte character is yielded when it is whole."""
        llama = self._llama
        llama.set_seed(seed)
        pending = b""
        made = 0
        generator = llama.generate(tokens, temp=0.0, top_k=1, repeat_penalty=1.0)
        try:
            for token in generator:
                if made >= max_tokens or self._ends(token):
                    break
                made += 1
                pending += llama.detokenize([token])
                text = pending.decode("utf-8", errors="ignore")
                if text.encode("utf-8") == pending:
                    pending = b""
                    yield text
        except RuntimeError:
            # llama_decode reports an aborted graph as a failure; a real one is passed on.
            llama.reset()
            if not self._cancelled():
                raise
        finally:
            generator.close()

    def _ends(self, token: int) -> bool:
        llama_cpp = _import_llama()
        vocab = llama_cpp.llama_model_get_vocab(self._llama._model.model)  # noqa: SLF001
        return bool(llama_cpp.llama_vocab_is_eog(vocab, token))


def defuse(text: str) -> str:
    """Break up anything in ``text`` that a vocabulary may read as a control token."""
    return _CONTROL.sub(lambda match: match.group()[0] + " " + match.group()[1:], text)


def _import_llama() -> Any:
    yield_while_waiting()
    try:
        import llama_cpp
    except (ImportError, OSError, RuntimeError) as error:
        raise ModelError(
            f"llama-cpp-python cannot be used: {error}", "Install it again: make chat"
        ) from error
    return llama_cpp


def _never() -> bool:
    return False


def _silence(llama_cpp: Any) -> None:
    """Keep llama.cpp's own notes off the terminal."""
    global _log_callback  # noqa: PLW0603 - the C library keeps a pointer to it for good
    if _log_callback is None:
        _log_callback = llama_cpp.llama_log_callback(lambda _level, _text, _data: None)
        llama_cpp.llama_log_set(_log_callback, None)


_log_callback: Any = None
