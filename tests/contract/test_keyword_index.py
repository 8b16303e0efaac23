"""One suite for every keyword index: the plain one in memory and tantivy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assistant.errors import DerivedIndexError, LibraryBusy
from assistant.retrieval.fakes import PlainKeywordIndex
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.ports import KeywordIndex
from assistant.types import Passage

TEXTS = {
    "binder": "We introduce PPDiff, a diffusion model. PPDiff reaches 706,360 complexes at 50.00%.",
    "rna": "RNA-BAnG generates RNA sequences by Bidirectional Anchored Generation.",
    "lasso": "MA-DT and MA-LASSO reduce the reliance on missing values.",
    "bits": "A model with an effective precision of 2.05-bit improves further with OmniQuant.",
    "code": "Code is available at https://github.com/metadriverse/AIM.",
    "opinions": "Opinions follow the classical Friedkin-Johnsen model.",
    "algebra": "Non-commutative C*-algebras of continuous functions.",
    "chinese": "本文提出一种用于蛋白质设计的扩散模型。",
    "common": "A model for a model of a model, with results on a model.",
}


def passage(key: str) -> Passage:
    return Passage(f"{key}:0-9:00", f"paper-{key}", 0, 9, TEXTS[key])


def fill(index: KeywordIndex) -> KeywordIndex:
    index.add([(passage(key), f"The {key} paper") for key in TEXTS])
    return index


@pytest.fixture(params=["plain", "tantivy"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> KeywordIndex:
    return PlainKeywordIndex() if request.param == "plain" else TantivyIndex(tmp_path / "words")


@pytest.fixture
def index(empty: KeywordIndex) -> KeywordIndex:
    return fill(empty)


def best(index: KeywordIndex, query: str) -> str:
    found = index.search(query, 5)
    return found[0][1] if found else ""


def test_a_term_is_found_by_those_that_are_spelt_like_it(index: KeywordIndex):
    opinions = [("opinions:0-9:00", "paper-opinions")]
    assert index.spelt_like("friedkin", 0, 5) == opinions
    assert index.spelt_like("freidkin", 1, 5) == opinions
    assert index.spelt_like("fridkim", 1, 5) == []
    assert index.spelt_like("fridkim", 2, 5) == opinions
    assert index.spelt_like("lassso", 1, 5) == [("lasso:0-9:00", "paper-lasso")], "in the name"
    assert len(index.spelt_like("papor", 1, 3)) == 3
    assert index.spelt_like("", 1, 5) == []
    assert index.spelt_like("paper", 1, 0) == []


def test_it_says_which_terms_it_holds(index: KeywordIndex):
    assert index.held(["friedkin", "nowhere", "common"]) == ["friedkin", "common"]


def test_an_empty_index_finds_nothing(empty: KeywordIndex):
    assert empty.ids() == set()
    assert empty.names() == {}
    assert empty.search("PPDiff", 5) == []
    empty.delete(["unknown"])
    assert empty.term_stats().n_docs == 0
    assert empty.held(["model"]) == []
    assert empty.spelt_like("model", 1, 5) == []


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("PPDiff", "binder"),
        ("ppdiff?", "binder"),
        ("706360 complexes", "binder"),
        ("50 %", "binder"),
        ("RNA-BAnG", "rna"),
        ("rnabang", "rna"),
        ("What does RNA BAnG generate?", "rna"),
        ("MA-LASSO", "lasso"),
        ("2.05-bit", "bits"),
        ("2.05 bit", "bits"),
        ("https://github.com/metadriverse/AIM", "code"),
        ("github.com/metadriverse/aim", "code"),
        ("metadriverse", "code"),
        ("Friedkin-Johnsen", "opinions"),
        ("the Friedkin–Johnsen model's opinions", "opinions"),
        ("C*-algebra", "algebra"),
        ("C^*-algebra", "algebra"),
        ("蛋白质", "chinese"),
        ("扩散模型是什么", "chinese"),
        ("generating sequences", "rna"),
    ],
)
def test_names_numbers_and_other_scripts_are_found(index: KeywordIndex, query: str, key: str):
    assert best(index, query) == f"paper-{key}"


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "?!",
        "🙂🙂",
        "the of and",
        '"',
        "*",
        "AND",
        "OR NOT",
        "+-",
        "\x00",
        "(",
        "^~",
        "\ud800",
    ],
)
def test_a_query_without_words_finds_nothing(index: KeywordIndex, query: str):
    assert index.search(query, 5) == []


@pytest.mark.parametrize(
    "query",
    [
        '"PPDiff" AND NOT title:foo',
        "title:PPDiff^3 (",
        "PPDiff~2 [a TO b]",
        "<b>PPDiff</b>; DROP TABLE papers; --",
        "PPDiff \\",
        "🙂 PPDiff 🙂",
        "PPDiff " + "lorem ipsum dolor " * 1_200,
        "PPDiff " + " ".join(f"word{i}" for i in range(3_000)),
        "x" * 20_000 + " PPDiff",
    ],
)
def test_any_text_is_a_query(index: KeywordIndex, query: str):
    assert best(index, query) == "paper-binder"


def test_scores_fall_and_k_is_kept(index: KeywordIndex):
    scores = [score for _, _, score in index.search("model diffusion opinions", 10)]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert len(index.search("model", 2)) == 2
    assert index.search("model", 0) == []


def test_a_rare_word_counts_more_than_a_common_one(index: KeywordIndex):
    assert best(index, "model OmniQuant") == "paper-bits"


def test_the_name_of_the_paper_is_searched_too(empty: KeywordIndex):
    empty.add([(passage("common"), "Zebrafish"), (passage("lasso"), "Something else")])
    assert best(empty, "zebrafish") == "paper-common"


def test_a_restriction_keeps_scores_and_order(index: KeywordIndex):
    everywhere = index.search("model", 10)
    allowed = {"paper-opinions", "paper-common", "paper-elsewhere"}
    found = index.search("model", 10, allowed)
    expected = [hit for hit in everywhere if hit[1] in allowed]
    assert [hit[:2] for hit in found] == [hit[:2] for hit in expected]
    assert [hit[2] for hit in found] == pytest.approx([hit[2] for hit in expected], rel=1e-4)
    assert index.search("model", 10, set()) == []


@pytest.mark.parametrize("allowed", [1, 20, 150, 290])
def test_all_of_a_restriction_come_however_many_it_lets_through(
    empty: KeywordIndex, monkeypatch: pytest.MonkeyPatch, allowed: int
):
    monkeypatch.setattr("assistant.retrieval.keywords._FEW", 0)
    pairs = [(Passage(f"p{i}:0", f"p{i}", 0, 9, "moss " + "fern " * i), "") for i in range(300)]
    empty.add(pairs)
    everywhere = [hit[:2] for hit in empty.search("moss", 300)]
    for chosen in (everywhere[-allowed:], everywhere[::-2][:allowed]):
        ids = frozenset(paper_id for _, paper_id in chosen)
        for k in (5, 300):
            found = {hit[:2] for hit in empty.search("moss", k, ids)}
            assert len(found) == min(k, len(ids))
            assert found <= set(chosen)


def test_adding_again_replaces_text_and_name(index: KeywordIndex):
    changed = Passage(passage("rna").id, "paper-rna", 0, 9, "Something about zebrafish.")
    index.add([(changed, "New name")])
    assert len(index.ids()) == len(TEXTS)
    assert best(index, "RNA-BAnG") == ""
    assert best(index, "zebrafish") == "paper-rna"
    assert index.names()[changed.id] == "New name"


def test_deleted_passages_are_not_found(index: KeywordIndex):
    index.delete({passage("rna").id, "unknown"})
    assert passage("rna").id not in index.ids()
    assert best(index, "RNA-BAnG") == ""


def test_cleared_and_filled_again(index: KeywordIndex):
    index.clear()
    assert index.ids() == set()
    assert index.search("PPDiff", 5) == []
    fill(index)
    assert best(index, "PPDiff") == "paper-binder"


def test_terms_are_counted_by_paper(empty: KeywordIndex):
    first = Passage("a:0", "a", 0, 9, "diffusion of proteins")
    second = Passage("a:9", "a", 9, 18, "diffusion again")
    other = Passage("b:0", "b", 0, 9, "graphs")
    empty.add([(first, "diffusion"), (second, "diffusion"), (other, "trees")])
    stats = empty.term_stats()
    assert stats.n_docs == 2
    assert [stats.df(term) for term in ("diffus", "graph", "tree", "nowhere")] == [1, 1, 1, 0]
    assert stats.idf("nowhere") > stats.idf("graph") > 0


def test_counts_follow_the_newest_state(index: KeywordIndex):
    assert index.term_stats().df("ppdiff") == 1
    index.delete({passage("binder").id})
    assert index.term_stats().df("ppdiff") == 0
    assert index.term_stats().n_docs == len(TEXTS) - 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(TantivyIndex(tmp_path / "words"))
    return tmp_path / "words"


def test_what_was_written_is_there_after_opening_again(folder: Path):
    assert best(TantivyIndex(folder), "PPDiff") == "paper-binder"


@pytest.mark.parametrize("broken", ["meta.json", "scheme"])
def test_a_broken_folder_is_told_and_can_be_cleared(folder: Path, broken: str):
    (folder / broken).write_text("junk", encoding="utf-8")
    index = TantivyIndex(folder)
    with pytest.raises(DerivedIndexError) as refused:
        index.ids()
    assert "assistant reindex" in refused.value.hint
    index.clear()
    assert index.ids() == set()
    assert best(fill(index), "PPDiff") == "paper-binder"


def test_broken_segments_are_told_and_can_be_cleared(folder: Path):
    for file in folder.iterdir():
        if file.suffix in {".idx", ".term", ".store", ".fast"}:
            file.write_bytes(b"junk")
    index = TantivyIndex(folder)
    with pytest.raises(DerivedIndexError):
        index.search("PPDiff", 5)
    index.clear()
    assert best(fill(index), "PPDiff") == "paper-binder"


def test_a_folder_without_its_head_is_told(folder: Path):
    (folder / "meta.json").unlink()
    with pytest.raises(DerivedIndexError):
        TantivyIndex(folder).ids()


def test_a_reader_sees_what_another_process_writes(folder: Path):
    reader = TantivyIndex(folder)
    assert len(reader.ids()) == len(TEXTS)
    script = (
        "from tests.contract.test_keyword_index import *\n"
        f"index = TantivyIndex(Path({str(folder)!r}))\n"
        "index.add([(Passage('new', 'paper-new', 0, 9, 'zebrafish'), 'New')])\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script], check=True, cwd=root)
    assert best(reader, "zebrafish") == "paper-new"
    assert reader.term_stats().df("zebrafish") == 1


def test_a_second_writer_is_told_to_wait(folder: Path):
    first, second = TantivyIndex(folder), TantivyIndex(folder)

    def slowly():
        yield passage("rna"), "The rna paper"
        with pytest.raises(LibraryBusy):
            second.delete(["unknown"])

    first.add(slowly())
    second.delete([passage("binder").id])
    assert best(first, "PPDiff") == ""


def test_a_failed_write_changes_nothing(folder: Path):
    index = TantivyIndex(folder)

    def failing():
        yield Passage("new", "paper-new", 0, 9, "zebrafish"), "New"
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        index.add(failing())
    assert best(index, "zebrafish") == ""
    index.add([(Passage("new", "paper-new", 0, 9, "zebrafish"), "New")])
    assert best(index, "zebrafish") == "paper-new"


def test_nothing_is_created_by_looking(tmp_path: Path):
    index = TantivyIndex(tmp_path / "words")
    assert index.ids() == set()
    index.clear()
    assert not (tmp_path / "words").exists()
