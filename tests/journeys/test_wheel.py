"""The wheel in an environment of its own: what a reader without a checkout gets."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from assistant import __version__

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import hashlib, json, assistant
from assistant.resources import checkout_root, resource_dir
found = {
    f"{name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
    for name in ("seeds", "prompts", "models")
    for path in resource_dir(name).rglob("*") if path.is_file()
}
print(json.dumps({"found": found, "checkout": str(checkout_root()), "file": assistant.__file__}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    subprocess.run(build, check=True, capture_output=True, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment with the wheel in it, and the dependencies of this one in sight."""
    folder = tmp_path_factory.mktemp("an environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps"]
    subprocess.run([*install, "--no-index", wheel], check=True, capture_output=True, cwd=folder)
    # A line of a .pth file brings packages into sight, and not the checkout, which an editable
    # installation names in a .pth file of its own.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(environment: Path, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = environment / "bin" / command[0]
    return subprocess.run(
        [program, *command[1:]], check=False, capture_output=True, text=True, cwd=cwd, env=clean
    )


def test_the_wheel_brings_seeds_prompts_and_manifest_byte_for_byte(environment, tmp_path):
    done = run(environment, "python", "-c", ASK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["checkout"] == "None"
    assert Path(told["file"]).is_relative_to(environment)
    files = [*(ROOT / "seeds").iterdir(), *(ROOT / "prompts").iterdir()]
    expected = {
        f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in [*files, ROOT / "models" / "manifest.toml"]
    }
    assert told["found"] == expected
    assert {name.split("/")[0] for name in expected} == {"seeds", "prompts", "models"}


def test_the_wheel_holds_no_weights_no_tests_and_no_strays(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    info = f"abstract_assistant-{__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"assistant", info}
    assert not [name for name in names if name.endswith((".gguf", ".pyc"))]
    assert f"{info}/licenses/LICENSE" in names


def test_the_console_script_of_the_wheel_runs(environment, tmp_path):
    done = run(environment, "assistant", "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"assistant {__version__}\n"), done.stderr


def test_the_wheel_reads_its_seeds_without_storing_anything(environment, tmp_path):
    done = run(environment, "assistant", "ingest", "--seeds", "--dry-run", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    assert sum(file["read"] for file in files) == 38
    assert not any(file["rejected"] for file in files)
