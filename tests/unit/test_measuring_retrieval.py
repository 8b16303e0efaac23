"""The search measured as readers get it: worked out by hand, merged, rejected, cached."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import judged_squirrels as squirrels
import pytest
from weights_kit import entry

from assistant import chosen
from assistant.config import Settings, load_settings
from assistant.errors import ModelError, ReadError
from assistant.measuring.benchmark import Benchmark, load, located
from assistant.measuring.retrieval import Outcome, as_lines, evaluate_retrieval
from assistant.retrieval.fakes import HashEmbedder, SharedWordsReranker
from assistant.retrieval.parts import Baseline
from assistant.weights import catalog


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    embedder = HashEmbedder()
    monkeypatch.setattr("assistant.app.embedder_of", lambda _settings: embedder)
    return embedder


@pytest.fixture
def settings(embedder: HashEmbedder) -> Settings:
    return load_settings()


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return load(located(squirrels.write(tmp_path)))


def by_id(outcomes: list[Outcome]) -> dict[str, Outcome]:
    return {outcome.id: outcome for outcome in outcomes}


def test_the_measures_are_those_worked_out_by_hand(benchmark: Benchmark, settings: Settings):
    report, outcomes = evaluate_retrieval(benchmark, settings, baseline=Baseline.BM25)
    assert set(by_id(outcomes)) == set(squirrels.BY_HAND)
    for query, expected in squirrels.BY_HAND.items():
        assert by_id(outcomes)[query].measures == pytest.approx(expected), query
    for name, measure in report.measures.items():
        values = [expected[name] for expected in squirrels.BY_HAND.values()]
        assert measure.value == pytest.approx(sum(values) / 4)
        assert measure.n == 4
        assert min(values) <= measure.low < measure.value < measure.high <= max(values)
    assert list(report.measures) == ["nDCG@10", "Recall@10", "Recall@100", "MRR"]


def test_the_documents_of_one_paper_share_its_place_and_the_rejected_are_not_found(
    benchmark: Benchmark, settings: Settings
):
    report, outcomes = evaluate_retrieval(benchmark, settings, baseline=Baseline.BM25)
    found = by_id(outcomes)
    assert found["twice"].found[:2] == ("otters", "again")
    assert found["twice"].ranks == {"otters": 1, "again": 2}
    assert found["whistle"].ranks == {"marmots": 1, "empty": None}
    assert found["nothing"].found == ()
    assert report.about["documents"] == 6
    assert report.about["papers"] == 4
    assert report.about["documents_rejected"] == 1
    assert report.about["judged_documents_not_there"] == 0


def test_what_is_rejected_in_between_moves_no_other_document(tmp_path: Path, settings: Settings):
    squirrels.write(tmp_path)
    corpus = tmp_path / "corpus.jsonl"
    first, *rest = corpus.read_text(encoding="utf-8").splitlines()
    corpus.write_text("\n".join([first, "", "{broken", "# a comment", *rest]), encoding="utf-8")
    _, outcomes = evaluate_retrieval(load(located(tmp_path)), settings, baseline=Baseline.BM25)
    for query, expected in squirrels.BY_HAND.items():
        assert by_id(outcomes)[query].measures == pytest.approx(expected), query


@pytest.mark.parametrize("baseline", [None, Baseline.DENSE, Baseline.RRF])
def test_the_search_and_each_part_find_the_one_that_is_meant(
    benchmark: Benchmark, settings: Settings, baseline: Baseline | None
):
    report, outcomes = evaluate_retrieval(benchmark, settings, baseline=baseline)
    assert by_id(outcomes)["whistle"].found[0] == "marmots"
    assert report.about["baseline"] == (baseline.value if baseline else None)


def test_the_search_of_the_assistant_is_what_is_measured(
    benchmark: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    asked = []

    def search(_self, query, *, k, evidence_limit):
        asked.append((query, k))
        return []

    monkeypatch.setattr("assistant.retrieval.search.Searcher.search", search)
    report, _ = evaluate_retrieval(benchmark, settings)
    assert asked == [(text, 100) for text in benchmark.queries.values()]
    assert {measure.value for measure in report.measures.values()} == {0.0}


def test_beir_is_measured_alike(tmp_path: Path, benchmark: Benchmark, settings: Settings):
    (tmp_path / "beir").mkdir()
    other = load(located(squirrels.write(tmp_path / "beir", beir=True)))
    results = [evaluate_retrieval(it, settings)[0].measures for it in (benchmark, other)]
    assert results[0] == results[1]


def test_a_second_run_embeds_nothing_and_measures_the_same(
    benchmark: Benchmark, settings: Settings, embedder: HashEmbedder
):
    first, _ = evaluate_retrieval(benchmark, settings)
    calls = embedder.calls
    assert calls > 0
    second, _ = evaluate_retrieval(benchmark, settings)
    assert embedder.calls == calls
    assert second.measures == first.measures
    assert second.about["index"] == first.about["index"]


def test_the_readers_library_is_left_alone_and_nothing_is_left_behind(
    benchmark: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    evaluate_retrieval(benchmark, settings)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not settings.data_dir.exists()


def test_progress_is_told(benchmark: Benchmark, settings: Settings):
    told: list[tuple[str, int]] = []
    evaluate_retrieval(benchmark, settings, on_progress=lambda *step: told.append(step))
    assert ("corpus.jsonl", 6) in told
    assert told[-1] == ("queries", 4)


def test_a_row_a_query_can_be_read_by_eye(benchmark: Benchmark, settings: Settings):
    _, outcomes = evaluate_retrieval(benchmark, settings, baseline=Baseline.BM25)
    rows = [json.loads(line) for line in as_lines(outcomes).splitlines()]
    assert [row["id"] for row in rows] == ["fish", "whistle", "nothing", "twice"]
    assert rows[0]["text"] == "zebrafish"
    assert rows[0]["first"] == ["short", "long"]
    assert rows[0]["relevant"] == {"long": 2}
    assert rows[0]["measures"]["MRR"] == 0.5


@pytest.mark.parametrize(
    ("corpus", "told"),
    [
        ('{"id": "long"}\n' * 3, "corpus.jsonl"),
        ('{"id": "long", "title": "", "text": ""}\n' * 2, "corpus.jsonl"),
    ],
)
def test_a_corpus_that_holds_no_papers_is_told(
    tmp_path: Path, settings: Settings, corpus: str, told: str
):
    squirrels.write(tmp_path)
    (tmp_path / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    with pytest.raises(ReadError) as error:
        evaluate_retrieval(load(located(tmp_path)), settings)
    assert told in error.value.message
    assert error.value.hint


def test_a_reranker_is_measured_with_all_the_time_that_it_needs(
    tmp_path: Path, benchmark: Benchmark, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    entries = {"tiny": entry(b"", name="tiny", role="reranker", weights="w", size=0, sha256="")}
    monkeypatch.setattr(catalog, "load_manifest", lambda: entries)
    patience = []

    class Contrary(SharedWordsReranker):
        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            return [-9 * score for score in super().scores(query, texts)]

    def made(_path: Path, name: str, **options: float) -> SharedWordsReranker:
        patience.append(options["patience"])
        return Contrary(name)

    monkeypatch.setattr(chosen, "CrossEncoderReranker", made)
    wanted = settings.model_copy(update={"reranker": "tiny"})
    with pytest.raises(ModelError, match="tiny is not here"):
        evaluate_retrieval(benchmark, wanted)
    (tmp_path / "weights" / "tiny").mkdir(parents=True)
    (tmp_path / "weights" / "tiny" / "w").touch()
    report, outcomes = evaluate_retrieval(benchmark, wanted)
    assert (report.about["reranker"], patience) == ("tiny", [math.inf])
    plain, others = evaluate_retrieval(benchmark, settings)
    assert plain.about["reranker"] is None
    assert {o.id: set(o.found) for o in outcomes} == {o.id: set(o.found) for o in others}
    assert [o.found for o in outcomes] != [o.found for o in others]
    part, _ = evaluate_retrieval(benchmark, wanted, baseline=Baseline.BM25)
    assert part.about["reranker"] is None


def test_a_language_model_is_no_reranker(tmp_path: Path, benchmark: Benchmark, settings: Settings):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF" + b"\x00" * 100)
    with pytest.raises(ModelError, match="is not a reranker"):
        evaluate_retrieval(benchmark, settings.model_copy(update={"reranker": str(model)}))
