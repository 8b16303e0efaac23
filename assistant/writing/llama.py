"""The language model: llama.cpp through llama-cpp-python, one engine, one lock.

What this file does not know: what the prompts say, and whether a reply is true.

A llama.cpp context is not thread-safe, so every use of it holds ``_lock``; the vocabulary is
read-only and needs none. A reader's Stop reaches the engine through llama.cpp's abort callback,
which is asked between the nodes of the compute graph: even the reading of a long prompt ends within
a fraction of a second.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2

from assistant.errors import ModelError
from assistant.jobs import never
from assistant.threads import physical_cores, yield_while_waiting
from assistant.writing.chat_text import broken, decoded, defuse, without_system
from assistant.writing.ports import CancelCheck, Message
from assistant.writing.thinking import VisibleText, is_tag, opens_thought

_FALLBACK_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_ROUNDS = 5  # of breaking control tokens up: a broken one may leave another
_LONGEST_PIECE = 64  # bytes; a longer token is asked for again
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
        self._loading = threading.Lock()
        self._llama: Any = None
        self._api: Any = None  # the module of the C functions
        self._vocab: Any = None
        self._formatter: Any = None
        self._abort: Any = None
        self._cancelled: CancelCheck = never

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
        self._load()

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return the tokens of the whole rendered prompt; do not wait for a reply under way."""
        self._load()
        return len(self._tokens(self._render(messages)))

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
            if cancelled():
                return
            prompt = self._render(messages)
            tokens = self._tokens(prompt)
            if len(tokens) + max_tokens > self._context:
                raise ModelError(
                    f"The prompt ({len(tokens)} tokens) and its answer do not fit the model's "
                    f"context of {self._context} tokens.",
                    "Ask a shorter question, or choose a model with a larger context.",
                )
            self._cancelled = cancelled
            visible = VisibleText(inside=opens_thought(prompt))
            for piece in self._generate(tokens, max_tokens, seed):
                if text := visible.feed(piece):
                    yield text
                if cancelled():
                    return
            if text := visible.close():
                yield text
        finally:
            self._cancelled = never
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
        with self._loading:
            if self._llama is None:
                self._open(_import_llama())

    def _open(self, llama_cpp: Any) -> None:
        """Load the weights and make what is made from them; leave nothing half done."""
        if not self._path.is_file():
            raise ModelError(
                f"The model file {self._path} is not there.",
                "Run: assistant models list, then: assistant models pull NAME",
            )
        try:
            _silence(llama_cpp)
            llama = llama_cpp.Llama(
                model_path=str(self._path),
                n_ctx=self._context,
                n_batch=_BATCH,
                n_threads=self._threads,
                n_threads_batch=self._threads,
                n_gpu_layers=self._gpu_layers,
                verbose=False,
            )
        except (ValueError, RuntimeError, OSError, jinja2.TemplateError) as error:
            raise ModelError(
                f"{self._path.name} cannot be loaded: {error}",
                "The file may be damaged or too new for this llama.cpp. "
                "Run: assistant models pull NAME",
            ) from error
        self._context = min(self._context, int(llama.n_ctx()))
        self._api = llama_cpp
        self._vocab = llama_cpp.llama_model_get_vocab(llama._model.model)  # noqa: SLF001
        self._formatter = self._make_formatter(llama_cpp, llama)
        # The callback object must outlive the context, hence the attribute.
        self._abort = llama_cpp.ggml_abort_callback(lambda _data: bool(self._cancelled()))
        llama_cpp.llama_set_abort_callback(llama._ctx.ctx, self._abort, None)  # noqa: SLF001
        self._llama = llama

    def _make_formatter(self, llama_cpp: Any, llama: Any) -> Any:
        return llama_cpp.llama_chat_format.Jinja2ChatFormatter(
            template=llama.metadata.get("tokenizer.chat_template") or _FALLBACK_TEMPLATE,
            eos_token=self._piece(llama.token_eos()),
            bos_token=self._piece(llama.token_bos()),
            stop_token_ids=[llama.token_eos()],
        )

    def _piece(self, token: int) -> str:
        return self._bytes(token, special=True).decode("utf-8", errors="ignore")

    def _bytes(self, token: int, *, special: bool = False) -> bytes:
        """Return the text of one token; that of a control token only where ``special``."""
        if token < 0:
            return b""
        size = _LONGEST_PIECE
        while True:
            buffer = ctypes.create_string_buffer(size)
            length = self._api.llama_token_to_piece(self._vocab, token, buffer, size, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            size = -length

    def _is_control(self, token: int) -> bool:
        return bool(self._api.llama_vocab_is_control(self._vocab, token))

    def _render(self, messages: Sequence[Message]) -> str:
        safe = [
            Message(role=message["role"], content=self._safe(message["content"]))
            for message in messages
        ]
        try:
            prompt: str = self._formatter(messages=safe).prompt
        except Exception:  # noqa: BLE001 - a template is a program of whoever made the file
            # Some know no system role: what it says then opens the first user message.
            try:
                prompt = self._formatter(messages=without_system(safe)).prompt
            except Exception as error:
                raise ModelError(
                    f"The chat template of {self._path.name} cannot be used: {error}",
                    "Choose another model: assistant models list",
                ) from error
        return prompt

    def _safe(self, text: str) -> str:
        """Break up what any vocabulary, and what this one, reads as a control token."""
        text = defuse(text)
        for _ in range(_ROUNDS):
            tokens = self._tokenise(text, add_bos=False)
            found = {self._piece(token) for token in tokens if self._is_control(token)}
            if not found:
                break
            for piece in found - {""}:
                text = text.replace(piece, broken(piece))
        return text

    def _tokens(self, prompt: str) -> list[int]:
        bos = self._piece(self._llama.token_bos())
        return self._tokenise(prompt, add_bos=not (bos and prompt.startswith(bos)))

    def _tokenise(self, text: str, *, add_bos: bool) -> list[int]:
        tokens: list[int] = self._llama.tokenize(
            text.encode("utf-8", errors="ignore"), add_bos=add_bos, special=True
        )
        return tokens

    def _generate(self, tokens: list[int], max_tokens: int, seed: int) -> Iterator[str]:
        """Yield raw pieces of text; a multi-byte character is yielded when it is whole."""
        self._llama.set_seed(seed)
        generator = self._llama.generate(tokens, temp=0.0, top_k=1, repeat_penalty=1.0)
        try:
            yield from decoded(self._reply(generator, max_tokens))
        except RuntimeError as error:
            # llama_decode reports an aborted graph as a failure too.
            self._llama.reset()
            if not self._cancelled():
                raise ModelError(
                    f"{self._name} broke off: {error}",
                    "Ask again. If that does not help: assistant models list",
                ) from error
        finally:
            generator.close()

    def _reply(self, generator: Iterable[int], max_tokens: int) -> Iterator[bytes]:
        """Yield the text of each token, up to the one that ends the turn."""
        if max_tokens < 1:
            return
        is_end = self._api.llama_vocab_is_eog
        for made, token in enumerate(generator, start=1):
            if is_end(self._vocab, token):
                return
            if not self._is_control(token):
                yield self._bytes(token)
            elif is_tag(self._piece(token)):  # some vocabularies hold <think> as a control token
                yield self._bytes(token, special=True)
            if made >= max_tokens:
                return


def _import_llama() -> Any:
    yield_while_waiting()
    try:
        import llama_cpp
    except (ImportError, OSError, RuntimeError) as error:
        raise ModelError(
            f"llama-cpp-python cannot be used: {error}", "Install it again: make chat"
        ) from error
    return llama_cpp


def _silence(llama_cpp: Any) -> None:
    """Keep llama.cpp's own notes off the terminal."""
    global _log_callback  # noqa: PLW0603 - the C library keeps a pointer to it for good
    if _log_callback is None:
        _log_callback = llama_cpp.llama_log_callback(lambda _level, _text, _data: None)
        llama_cpp.llama_log_set(_log_callback, None)


_log_callback: Any = None
