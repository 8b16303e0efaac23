"""Kill an import at random moments, start it again, and compare the end with an undisturbed one.

    python tests/kill_import.py corpus.jsonl --times 50

Each life runs in a process of its own, with SQLite, Chroma and tantivy as readers have them and a
fake embedder. After each death the library is opened and looked through as ``assistant doctor
--deep`` does. Leaves with 1 where anything is wrong; prints a line a death.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LIFE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from tests.kill_import import opened
from assistant.keeping import Keeper

keeper = Keeper(*opened(Path(sys.argv[1])))
print("open", flush=True)
keeper.ingest([Path(sys.argv[2])])
print("done", flush=True)
"""


def opened(data: Path):
    """Return the store and the indexes in a folder, with a fake embedder."""
    from assistant.library.store import Store
    from assistant.retrieval.fakes import HashEmbedder
    from assistant.retrieval.indexes import Indexes
    from assistant.retrieval.keywords import TantivyIndex
    from assistant.retrieval.sentence_vectors import SentenceVectors
    from assistant.retrieval.vectors import ChromaVectorStore

    embedder = HashEmbedder(dimension=32, max_tokens=120)
    store = Store.open(data, create=True)
    return store, Indexes(
        store,
        embedder,
        ChromaVectorStore(data / "chroma", embedder.name, embedder.dimension),
        TantivyIndex(data / "tantivy"),
        SentenceVectors(data / "sentences", embedder),
    )


def start(data: Path, file: Path) -> subprocess.Popen[str]:
    """Start a life of the import."""
    return subprocess.Popen(
        [sys.executable, "-c", LIFE, str(data), str(file), str(ROOT)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def content(data: Path) -> tuple[object, ...]:
    """Return everything that a library holds, and what its indexes hold."""
    store, indexes = opened(data)
    with store:
        indexes.sync()
        return (
            store.papers(),
            list(store.all_sentences()),
            list(store.passages()),
            store.version(),
            indexes.vectors.ids(),
            indexes.keywords.names(),
        )


def faults(data: Path) -> list[str]:
    """Return what is wrong with a library after a death, once its indexes have been mended."""
    from assistant.library import inspecting

    store, indexes = opened(data)
    with store:
        found = store.check() + inspecting.faults(store)
        indexes.sync()
        found += [problem.message for problem in indexes.check()]
        counts = indexes.counts()
        if (counts["vectors"], counts["keywords"]) != (counts["passages"], counts["texts"]):
            found.append(f"the counts differ: {counts}")
        return found


def killed_imports(file: Path, folder: Path, times: int, seed: int = 1) -> list[str]:
    """Import undisturbed, then with ``times`` deaths; return what is wrong, empty for nothing."""
    whole, data = folder / "whole", folder / "killed"
    begun = time.monotonic()
    if start(whole, file).wait() != 0:
        return ["the undisturbed import failed"]
    length = time.monotonic() - begun
    expected = content(whole)
    chance, wrong, deaths, lives = random.Random(seed), list[str](), 0, 0
    while deaths < times and lives < 10 * times:
        lives += 1
        life = start(data, file)
        assert life.stdout is not None
        life.stdout.readline()
        time.sleep(chance.uniform(0, 0.8 * length))
        life.send_signal(signal.SIGKILL)
        said = life.stdout.read()
        life.wait()
        deaths += "done" not in said
        found = faults(data)
        wrong += found
        print(  # noqa: T201 - what the script is run for
            f"life {lives}, death {deaths}: {'; '.join(found) or 'sound'}", flush=True
        )
        if "done" in said:  # it got through: the next one begins anew
            data = folder / f"killed-{lives}"
    if start(data, file).wait() != 0:
        wrong.append("the last import failed")
    if content(data) != expected:
        wrong.append("the end differs from that of an undisturbed import")
    return wrong


def main() -> None:
    """Run it over a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--times", type=int, default=50)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = killed_imports(asked.file, Path(folder), asked.times)
    print(  # noqa: T201 - the same
        "\n".join(wrong) or f"{asked.times} deaths, and the end is that of an undisturbed import"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
