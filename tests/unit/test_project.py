"""What holds for the project as a whole, so that no reviewer has to look for it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from assistant.config import Settings

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = sorted((ROOT / "assistant").rglob("*.py"))
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if path.name != "__main__.py"
]
HEAVY = ("torch", "chromadb", "sentence_transformers", "llama_cpp", "tantivy", "gradio", "sklearn")
LONGEST = 330  # lines: about 300, and room for docstrings

IMPORT_ALL = """
import importlib, json, socket, sys
def refuse(*_args, **_more):
    raise SystemExit("an import reached for the network")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted({name.split(".")[0] for name in sys.modules})))
"""


WEB = [name for name in MODULES if name.startswith("assistant.interfaces.web.")]


@pytest.mark.parametrize(
    ("modules", "allowed"),
    [([name for name in MODULES if name not in WEB], set()), (WEB, {"gradio"})],
    ids=["all but the page", "the page"],
)
def test_importing_loads_nothing_heavy_touches_no_network_and_creates_nothing(
    tmp_path: Path, modules: list[str], allowed: set[str]
):
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *modules], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert set(HEAVY).intersection(json.loads(done.stdout)) <= allowed
    assert list(tmp_path.iterdir()) == []


def test_help_loads_nothing_heavy_nor_the_settings():
    code = "import sys; from assistant.interfaces.cli.main import main\ntry: main()\nfinally: print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], check=False, capture_output=True, text=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "typer" in loaded
    assert not loaded & {*HEAVY, "pydantic_settings", "numpy"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_can_be_read_in_one_sitting_and_says_what_it_is(path: Path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert text.startswith(('"""', 'r"""'))


def pins() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


def requirements() -> list[Requirement]:
    extras = chain.from_iterable(PROJECT["optional-dependencies"].values())
    return [Requirement(line) for line in chain(PROJECT["dependencies"], extras)]


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_every_dependency_is_pinned_to_a_version_that_it_allows(requirement: Requirement):
    for pin in pins()[canonicalize_name(requirement.name)]:
        (exact,) = pin.specifier
        assert exact.operator == "=="
        assert requirement.specifier.contains(exact.version)


def test_the_pins_name_no_place_to_fetch_from():
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert " @ " not in text


def test_the_readme_names_every_setting():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    settings = {f"ASSISTANT_{name.upper()}" for name in Settings.model_fields if name != "debug"}
    assert settings - set(re.findall(r"`(ASSISTANT_\w+)`", readme)) == set()


def test_the_readme_names_only_commands_and_options_that_exist(run_cli):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    used = set(re.findall(r"assistant ((?:models |eval )?[a-z]+)\b(?= |`|\n)", readme))
    commands = {
        tuple(words.split())
        for words in used
        if words.split()[0] in run_cli("--help").out and words != "COMMAND"
    }
    assert ("ask",) in commands
    assert ("models", "pull") in commands
    for command in commands:
        assert run_cli(*command, "--help").code == 0, command


def test_links_of_the_documents_lead_to_files():
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert "://" in target or (ROOT / target).is_file(), f"{name}: {target}"


def test_makefile_readme_and_metadata_agree_on_the_pythons():
    assert PROJECT["requires-python"] == ">=3.11,<3.14"
    for name in ("Makefile", "README.md"):
        assert "3.11, 3.12 or 3.13" in (ROOT / name).read_text(encoding="utf-8")
