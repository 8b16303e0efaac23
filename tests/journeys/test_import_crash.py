"""An import that is killed at any point is carried on by the next one, to the same end."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from assistant.library import inspecting
from assistant.library.importing import Importer
from assistant.library.store import Store

RECORDS = 300
KILLS = 5
LIMIT = 24

# Runs in a process of its own; the batches are small so that many points lie between them.
IMPORT = """
import sys
from pathlib import Path
from assistant.library import importing
from assistant.library.store import Store

importing._BATCH = 7
with Store.open(Path(sys.argv[1]), create=True) as store:
    print("open", flush=True)
    importing.Importer(store, lambda text: len(text.split()), 24).run(
        [Path(sys.argv[2])], on_progress=lambda _file, records: print(records, flush=True)
    )
"""


def write_file(path: Path) -> None:
    chance = random.Random(4)
    words = [
        "moss",
        "lichen",
        "fern",
        "alga",
        "wall",
        "roof",
        "stone",
        "water",
        "light",
        "growth",
        "decay",
        "method",
        "model",
    ]
    paragraphs = []
    for number in range(RECORDS):
        sentences = [
            f"In case {number} we propose {chance.choice(words)}-{number}, a {chance.choice(words)} of "
            f"{' '.join(chance.choices(words, k=9))} with $\\mathcal{{M}}^{{{number}}}$."
            for _ in range(chance.randint(2, 8))
        ]
        paragraphs.append(" ".join(sentences))
    paragraphs[100] = paragraphs[7]  # one to be merged
    paragraphs[200] = "Short."  # one to be rejected
    path.write_text("\n\n".join(["Generated", *paragraphs]), encoding="utf-8")


def start(data: Path, file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(data), str(file)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )


def content(store: Store) -> tuple[object, ...]:
    return store.papers(), list(store.all_sentences()), list(store.passages()), store.version()


def test_killed_imports_end_as_an_undisturbed_one(tmp_path: Path) -> None:
    file, data = tmp_path / "generated.txt", tmp_path / "data"
    write_file(file)
    chance = random.Random(11)
    progress = []
    for _ in range(KILLS):
        process = start(data, file)
        assert process.stdout is not None
        process.stdout.readline()
        wanted = chance.randint(1, RECORDS - 50)
        reached = 0
        while reached < wanted and (line := process.stdout.readline()):
            reached = int(line)
        time.sleep(chance.random() / 100)  # somewhere inside the next batch
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        with Store.open(data, create=False) as store:
            assert store.check() == []
            assert inspecting.faults(store) == []
            progress.append(store.counts().papers)
    assert progress == sorted(progress)
    assert 0 < progress[-1] < RECORDS

    last = start(data, file)
    last.communicate()
    assert last.returncode == 0
    with Store.open(data, create=False) as disturbed, Store.in_memory() as whole:
        assert disturbed.check() == []
        assert inspecting.faults(disturbed) == []
        report = Importer(whole, lambda text: len(text.split()), LIMIT).run([file])
        assert (report.files[0].added, report.files[0].merged) == (RECORDS - 2, 1)
        assert len(report.files[0].rejected) == 1
        assert content(disturbed) == content(whole)
