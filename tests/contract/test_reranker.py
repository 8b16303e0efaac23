"""One suite for every reranker: the share of words, and a cross-encoder drawn by chance."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import pytest
from tiny_models import POSITIONS, tiny_reranker

from assistant.errors import ModelError
from assistant.retrieval.fakes import SharedWordsReranker
from assistant.retrieval.ports import Reranker
from assistant.retrieval.reranker import CrossEncoderReranker

QUERY = "protein binder design"
TEXTS = ["design of a protein binder", "moss", "a graph model of the fish", "binder", "zebra fish"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_reranker(tmp_path_factory.mktemp("reranker") / "model")


@pytest.fixture(params=["words", "cross-encoder"])
def reranker(request: pytest.FixtureRequest, weights: Path) -> Reranker:
    if request.param == "words":
        return SharedWordsReranker()
    return CrossEncoderReranker(weights, "tiny", patience=math.inf)


@pytest.fixture(params=["words", "cross-encoder"])
def hurried(request: pytest.FixtureRequest, weights: Path) -> Reranker:
    """Return a reranker whose time is up after the first texts."""
    if request.param == "words":
        return SharedWordsReranker(most=4)
    return CrossEncoderReranker(weights, "tiny", patience=0.0)


def test_it_has_a_name(reranker: Reranker):
    assert reranker.name in {"tiny", "shared-words"}


def test_every_text_has_a_finite_score(reranker: Reranker):
    scores = reranker.scores(QUERY, TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(isinstance(score, float) and math.isfinite(score) for score in scores)
    assert len(set(scores)) > 1


def test_no_texts_have_no_scores(reranker: Reranker):
    assert reranker.scores(QUERY, []) == []


def test_order_and_company_do_not_change_a_score(reranker: Reranker):
    together = reranker.scores(QUERY, TEXTS)
    for text, score in zip(TEXTS, together, strict=True):
        assert reranker.scores(QUERY, [text]) == [pytest.approx(score, abs=1e-4)]
    assert reranker.scores(QUERY, TEXTS[::-1]) == pytest.approx(together[::-1], abs=1e-4)


def test_the_query_counts(reranker: Reranker):
    other = reranker.scores("a zebra fish", TEXTS)
    assert other != pytest.approx(reranker.scores(QUERY, TEXTS), abs=1e-3)


@pytest.mark.parametrize(
    "text", ["", "\x00", "🙂", "蛋白质", "\ud800", "x" * 30_000, "word " * 999]
)
def test_any_text_has_a_score(reranker: Reranker, text: str):
    for scores in (reranker.scores(text, TEXTS[:1]), reranker.scores(QUERY, [text])):
        assert len(scores) == 1
        assert math.isfinite(scores[0])


def test_scores_end_early_when_the_time_is_up(hurried: Reranker):
    assert hurried.scores(QUERY, TEXTS[:1]) != []
    assert len(hurried.scores(QUERY, TEXTS * 4)) == 4


def test_threads_share_one_model(reranker: Reranker):
    expected = reranker.scores(QUERY, TEXTS)
    found: list[list[float]] = []
    threads = [
        threading.Thread(target=lambda: found.append(reranker.scores(QUERY, TEXTS)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [scores == pytest.approx(expected, abs=1e-5) for scores in found] == [True] * 4


# ------------------------------------------------------------------ the cross-encoder alone


def test_more_than_its_limit_is_not_read(weights: Path):
    reranker = CrossEncoderReranker(weights, "tiny", limit=16)
    # [CLS] query [SEP] text [SEP], the longer one cut
    kept = "moss " * 10
    one, same, other = reranker.scores(QUERY, [kept, kept + "fish", "moss " * 9 + "fish"])
    assert one == pytest.approx(same, abs=1e-5)
    assert one != pytest.approx(other, abs=1e-3)
    assert CrossEncoderReranker(weights, "tiny", limit=99 * POSITIONS).scores("moss " * 99, [kept])


def test_a_missing_folder_is_told_with_what_mends_it(tmp_path: Path):
    reranker = CrossEncoderReranker(tmp_path / "nowhere", "some-reranker")
    for _ in range(2):
        with pytest.raises(ModelError, match="some-reranker") as told:
            reranker.scores(QUERY, TEXTS)
        assert "assistant models pull" in told.value.hint


def test_broken_weights_are_told_and_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tiny_reranker(tmp_path / "model")
    (folder / "model.safetensors").write_bytes(b"junk")
    reranker = CrossEncoderReranker(folder, "some-reranker")
    loads = []
    load = reranker._load
    monkeypatch.setattr(reranker, "_load", lambda: loads.append(1) or load())
    for _ in range(2):
        with pytest.raises(ModelError, match="cannot be loaded"):
            reranker.scores(QUERY, TEXTS)
    assert loads == [1]


def test_a_classifier_is_refused(tmp_path: Path):
    folder = tiny_reranker(tmp_path / "model", labels=3)
    with pytest.raises(ModelError, match="no reranker"):
        CrossEncoderReranker(folder, "classes").scores(QUERY, TEXTS)


@pytest.mark.parametrize(
    ("answer", "told"), [([float("nan")], "no numbers"), (RuntimeError("memory"), "not answer")]
)
def test_a_model_that_does_not_answer_is_told(weights: Path, answer: Any, told: str):
    class Failing:
        def predict(self, *_args: Any, **_options: Any) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    reranker = CrossEncoderReranker(weights, "tiny")
    reranker._loaded = Failing()
    with pytest.raises(ModelError, match=told):
        reranker.scores(QUERY, TEXTS[:1])
