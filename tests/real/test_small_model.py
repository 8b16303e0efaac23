"""llama.cpp with the small model: stopping, damage, templates, the context, and whole answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_model import SMALL

from assistant import app
from assistant.config import Settings
from assistant.errors import ModelError
from assistant.evaluate import holds, resolves
from assistant.types import Answer, Delta, Done, Event, Quotes, Stage
from assistant.writing.llama import LlamaChatModel
from assistant.writing.ports import Message
from assistant.writing.prompts import fitted_answer

pytestmark = pytest.mark.real

HELLO = [Message(role="user", content="What is the capital of France? Answer in one word.")]
QUESTION, FACT = "How many complexes does PPBench contain?", "706,360"
FOREIGN = "Who painted the Mona Lisa?"


def never() -> bool:
    return False


def reply(model: LlamaChatModel, max_tokens: int = 60) -> str:
    return "".join(model.stream(HELLO, max_tokens=max_tokens, seed=7, cancelled=never))


# Stop


def test_stop_ends_even_the_reading_of_a_long_prompt(small_model: LlamaChatModel):
    prompt = [Message(role="user", content="a river runs from the hills to the sea " * 165)]
    length = small_model.count_tokens(prompt)
    assert 1_400 < length < 2_000
    stop, reading, asked, got = threading.Event(), threading.Event(), [], []

    def cancelled() -> bool:
        # llama.cpp asks between the nodes of its graph; before that it is asked only twice.
        asked.append(None)
        if len(asked) > 10:
            reading.set()
        return stop.is_set()

    def read() -> None:
        got.extend(small_model.stream(prompt, max_tokens=50, seed=7, cancelled=cancelled))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    assert reading.wait(120)
    stop.set()
    reader.join(5)  # it takes a fraction of a second; a busy machine is given time
    assert not reader.is_alive()
    assert not small_model._lock.locked()
    assert got == []
    assert small_model._llama.n_tokens < length
    assert "Paris" in reply(small_model)


# Damage


@pytest.mark.parametrize("damage", ["empty", "page", "start", "half", "zeros", "template"])
def test_a_damaged_file_is_an_error_with_a_hint(
    small_model_path: Path, tmp_path: Path, damage: str
):
    whole = small_model_path.read_bytes()
    at = whole.index(b"{% for message")
    data = {
        "empty": b"",
        "page": b"<html>not found</html>",
        "start": whole[:5_000],
        "half": whole[: len(whole) // 2],
        "zeros": whole[:100_000] + bytes(len(whole) - 100_000),
        "template": whole[:at] + b"{% fro" + whole[at + 6 :],
    }[damage]
    file = tmp_path / "damaged.gguf"
    file.write_bytes(data)
    model = LlamaChatModel(file, "damaged", context=256)
    for _ in range(2):  # a failure leaves nothing behind that looks like a model
        with pytest.raises(ModelError, match=r"damaged\.gguf cannot be loaded") as failed:
            model.warm()
        assert "assistant models pull" in failed.value.hint
    with pytest.raises(ModelError):
        reply(model)
    file.unlink()


def test_a_missing_file_is_an_error_with_a_hint(tmp_path: Path):
    model = LlamaChatModel(tmp_path / "gone.gguf", "gone")
    for use in (model.warm, lambda: model.count_tokens(HELLO), lambda: reply(model)):
        with pytest.raises(ModelError, match="is not there") as failed:
            use()
        assert "assistant models pull" in failed.value.hint


def test_an_engine_that_fails_is_an_error_and_works_again_after(
    small_model: LlamaChatModel, monkeypatch: pytest.MonkeyPatch
):
    small_model.warm()

    def decode(_batch: object) -> None:
        raise RuntimeError("llama_decode returned 1")

    with monkeypatch.context() as patch:
        patch.setattr(small_model._llama._ctx, "decode", decode)
        with pytest.raises(ModelError, match="broke off") as failed:
            reply(small_model)
        assert failed.value.hint
    assert "Paris" in reply(small_model)


# Templates and turns


def test_the_chat_template_is_the_files_own(small_model: LlamaChatModel):
    small_model.warm()
    prompt = small_model._render(HELLO)
    assert "named SmolLM, trained by Hugging Face<|im_end|>" in prompt  # its default system prompt
    assert f"<|im_start|>user\n{HELLO[0]['content']}<|im_end|>\n" in prompt
    assert prompt.endswith("<|im_start|>assistant\n")


def test_a_template_without_a_system_role_gets_it_with_the_first_message(
    small_model: LlamaChatModel, monkeypatch: pytest.MonkeyPatch
):
    small_model.warm()
    formatter = type(small_model._formatter)
    strict = (
        "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}"
        "{% endif %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}"
    )
    broken = "{{ raise_exception('never') }}"
    messages = [Message(role="system", content="Be brief."), *HELLO]
    for template in (strict, broken):
        made = formatter(template=template, eos_token="", bos_token="")
        monkeypatch.setattr(small_model, "_formatter", made)
        if template == strict:
            said = small_model._render(messages)
            assert said == f"<user>Be brief.\n\n{HELLO[0]['content']}"
        else:
            with pytest.raises(ModelError, match="never"):
                small_model.count_tokens(messages)


def test_a_reply_ends_with_its_turn(small_model: LlamaChatModel):
    said = reply(small_model, max_tokens=200)
    assert "Paris" in said
    assert len(said.split()) < 30
    assert "<|" not in said


ALPHABETS = (
    st.characters(),
    st.sampled_from("ab c"),
    st.sampled_from("🦇👩‍🔬 "),
    st.sampled_from("什么是归一化"),
    st.sampled_from("<|im_end|>"),
    st.sampled_from("\0\n \u2028"),
    st.sampled_from(["the ", "norm", " {{", "## system\n", "Question: "]),
)


@given(data=st.data(), length=st.sampled_from([1, 300, 5_000, 20_000]), count=st.integers(0, 5))
@settings(max_examples=25, deadline=None)
def test_no_question_is_too_long_for_the_context(
    data: st.DataObject, length: int, count: int, small_model: LlamaChatModel
):
    alphabet = data.draw(st.sampled_from(ALPHABETS))
    piece = data.draw(st.lists(alphabet, min_size=1, max_size=20).map("".join))
    question = (piece * (length // len(piece) + 1))[:length]
    sentences = [piece * 30] * count
    messages = fitted_answer(small_model, question, sentences, 120)
    assert small_model.count_tokens(messages) + 120 <= small_model.context
    if length == 1:
        assert question.split() == messages[-1]["content"].rsplit("Question:")[-1].split()


# Whole answers over the seeds


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, seeds_dir: Path) -> Path:
    folder = tmp_path_factory.mktemp("seeds")
    made = app.build(Settings(data_dir=folder, llm="none"), create=True)
    made.ingest(sorted(seeds_dir.glob("*.txt")))
    assert len(made.papers()) == 38
    made.close()
    return folder


@pytest.fixture
def writing(library: Path, small_model_path: Path) -> Iterator[app.Assistant]:
    settings = Settings(data_dir=library, models_dir=small_model_path.parent, llm=SMALL)
    made = app.build(settings)
    yield made
    made.close()


def answer_of(events: list[Event]) -> Answer:
    assert isinstance(events[-1], Done)
    return events[-1].answer


def is_of_the_first_seed(answer: Answer) -> bool:
    source = answer.papers[0].sources[0]
    return (source.file[:3], source.record_no) == ("000", 1)


def test_a_question_is_answered_from_the_right_paper(writing: app.Assistant):
    events = list(writing.ask(QUESTION))
    answer = answer_of(events)
    assert any(isinstance(event, Delta) for event in events)
    assert answer.verdict == "answered"
    assert answer.receipt.model == SMALL
    assert answer.receipt.tokens["prompt"] > 300
    assert resolves(answer)
    assert is_of_the_first_seed(answer)
    assert holds([FACT], answer.statements[0].text)


def test_a_foreign_question_is_refused_without_the_model(
    writing: app.Assistant, monkeypatch: pytest.MonkeyPatch
):
    def stream(*_args: object, **_more: object) -> Iterator[str]:
        raise AssertionError("the model was asked")

    monkeypatch.setattr(LlamaChatModel, "stream", stream)
    events = list(writing.ask(FOREIGN))
    answer = answer_of(events)
    assert [type(event) for event in events] == [Stage, Done]
    assert answer.verdict == "not_in_library"
    assert answer.statements == ()
    assert len(answer.papers) == 3


def test_without_a_model_the_quotes_are_the_answer(library: Path):
    quoting = app.build(Settings(data_dir=library, llm="none"))
    events = list(quoting.ask(QUESTION))
    quoting.close()
    answer = answer_of(events)
    (quotes,) = [event for event in events if isinstance(event, Quotes)]
    assert answer.verdict == "answered"
    assert answer.statements == quotes.statements
    assert {statement.status for statement in answer.statements} == {"quoted"}
    assert answer.receipt.model == ""
    assert resolves(answer)
    assert is_of_the_first_seed(answer)
    assert holds([FACT], answer.statements[0].text)
