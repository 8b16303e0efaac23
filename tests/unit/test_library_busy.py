"""Two processes on one library: one imports, the other is told so and reads meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.errors import DerivedIndexError, LibraryBusy, LibraryError
from assistant.keeping import Keeper
from assistant.library import importing
from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.retrieval.fakes import ExactVectorStore, HashEmbedder, PlainKeywordIndex
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.locks import exclusive
from assistant.retrieval.sentence_vectors import SentenceVectors

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys
from pathlib import Path
from assistant.retrieval.locks import exclusive

with exclusive(Path(sys.argv[1]), "importing"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(data: Path) -> Iterator[subprocess.Popen[str]]:
    """Let another process import into the library; it dies when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(data / "import.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def keeper(data: Path) -> Keeper:
    embedder = HashEmbedder()
    store = Store.open(data, create=True)
    vectors = SentenceVectors(data / "sentences", embedder)
    return Keeper(store, Indexes(store, embedder, ExactVectorStore(), PlainKeywordIndex(), vectors))


def list_of(folder: Path, *titles: str) -> Path:
    path = folder / "list.jsonl"
    path.write_text("\n".join(json.dumps({"title": title}) for title in titles), encoding="utf-8")
    return path


def test_a_second_import_is_told_at_once_who_is_at_it_and_readers_read(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = keeper(data)
    kept.ingest([list_of(tmp_path, "Moss on northern walls")])
    newer = list_of(tmp_path, "Moss on northern walls", "Lichens of the roofs")
    with another_process(data) as other:
        with pytest.raises(LibraryBusy) as told:
            kept.ingest([newer])
        assert str(other.pid) in told.value.message
        assert told.value.hint
        assert [paper.title for paper in kept.papers()] == ["Moss on northern walls"]
        rehearsal = kept.ingest([newer], dry_run=True)
        assert (rehearsal.files[0].added, rehearsal.files[0].unchanged) == (1, 1)
    # a process that died holds nothing
    assert kept.ingest([newer]).files[0].added == 1
    kept.store.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda kept: kept.remove([kept.papers()[0].id]),
        lambda kept: kept.remove_source("list.jsonl"),
        lambda kept: kept.remove_collection("list"),
        lambda kept: kept.rename_collection("list", "Walls"),
        lambda kept: kept.reindex(),
    ],
    ids=["remove", "remove_source", "remove_collection", "rename", "reindex"],
)
def test_a_change_while_another_process_imports_is_told_before_anything_is_changed(
    tmp_path: Path, change: Callable[[Keeper], object]
) -> None:
    data = tmp_path / "data"
    kept = keeper(data)
    kept.ingest([list_of(tmp_path, "Moss on northern walls")])
    before = kept.store.version(), kept.indexes.counts()
    with another_process(data) as other:
        with pytest.raises(LibraryBusy, match=str(other.pid)):
            change(kept)
        assert (kept.store.version(), kept.indexes.counts()) == before
        assert kept.remove_source("list.jsonl", rehearse=True).removed == 1
    change(kept)
    kept.store.close()


def test_what_an_import_left_is_finished_before_a_question_and_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = keeper(data)
    told: list[tuple[str, int]] = []
    kept._importer.run(
        [list_of(tmp_path, "Moss on northern walls", "Lichens of the roofs")]
    )  # and killed before the indexes were made
    with another_process(data):
        kept.ready(lambda *step: told.append(step))
        assert (told, kept.indexes.counts()["vectors"]) == ([], 0)
    kept._look_again_at = 0.0
    kept.ready(lambda *step: told.append(step))
    assert told[0] == ("indexes", 0)
    assert ("passages", 2) in told
    assert kept.indexes.check() == []
    told.clear()
    again = Keeper(kept.store, kept.indexes)
    again.ready(lambda *step: told.append(step))
    assert told == []
    kept.store.close()


def test_a_change_that_the_indexes_could_not_follow_is_told_before_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = keeper(data)
    kept.ingest([list_of(tmp_path, "Moss on northern walls")])
    with kept.store.transaction():
        kept.store.set_meta("embedded_by", "another")
    with pytest.raises(DerivedIndexError):
        kept.remove_source("list.jsonl")
    assert kept.store.counts().papers == 1
    kept.store.close()


def test_a_folder_that_takes_no_lock_is_told_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder was to be", encoding="utf-8")
    with pytest.raises(LibraryError) as told, exclusive(tmp_path / "data" / "import.lock"):
        pass
    assert not isinstance(told.value, LibraryBusy)
    assert "ASSISTANT_DATA_DIR" in told.value.hint


def test_an_import_lets_go_when_it_fails(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = keeper(data)

    def fail(_name: str, _records: int) -> None:
        raise RuntimeError("the shell is gone")

    with pytest.raises(RuntimeError):
        kept.ingest([list_of(tmp_path, "Moss on northern walls")], on_progress=fail)
    with another_process(data):
        pass
    assert kept.ingest([list_of(tmp_path, "Moss on northern walls")]).files[0].unchanged == 1
    kept.store.close()


def test_of_very_many_rejections_only_some_are_kept_but_all_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_REJECTED_KEPT", 3)
    path = tmp_path / "list.jsonl"
    path.write_text(
        json.dumps({"title": "Moss on walls"}) + "\n" + '{"x": 1}\n' * 10, encoding="utf-8"
    )
    with Store.in_memory() as store:
        (report,) = Importer(store, lambda text: len(text.split()), 20).run([path]).files
        assert (report.read, report.added, report.rejected_count) == (11, 1, 10)
        assert [item.source.record_no for item in report.rejected] == [2, 3, 4]
        assert report.references == 1
