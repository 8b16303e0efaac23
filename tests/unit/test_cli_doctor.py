from __future__ import annotations

import json
import shutil
import sys
from typing import NamedTuple

import pytest
from fake_assistant import FakeAssistant

from assistant.app import Finding
from assistant.errors import LibraryError


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAssistant:
    assistant = FakeAssistant()
    assistant.findings = [Finding("model", ok=True, message="fake-model", hint="")]
    monkeypatch.setattr("assistant.app.build", lambda _settings, create=False: assistant)
    return assistant


def parts(text: str) -> dict[str, dict]:
    return {finding["part"]: finding for finding in json.loads(text)}


def test_all_well_leaves_with_0_and_names_every_part(run_cli, fake, tmp_path):
    ran = run_cli("doctor")
    assert ran.code == 0, ran.out
    for part in ("python", "data", "weights", "settings", "page", "model"):
        assert f"ok     {part}" in ran.out
    assert str(tmp_path / "data") in ran.out
    assert "GB free" in ran.out


def test_a_broken_part_leaves_with_1_and_shows_what_mends_it(run_cli, fake):
    fake.findings.append(
        Finding("indexes", ok=False, message="3 passages are missing.", hint="assistant reindex")
    )
    ran = run_cli("doctor")
    assert ran.code == 1
    assert "broken indexes" in ran.out
    assert "assistant reindex" in ran.out


def test_a_library_that_cannot_be_opened_is_one_finding_among_others(run_cli, monkeypatch):
    def build(_settings, create=False):
        raise LibraryError("There is no library yet.", "assistant ingest --seeds")

    monkeypatch.setattr("assistant.app.build", build)
    ran = run_cli("doctor", "--json")
    found = parts(ran.out)
    assert ran.code == 1
    assert found["library"]["ok"] is False
    assert found["library"]["hint"] == "assistant ingest --seeds"
    assert found["python"]["ok"] is True


def test_a_full_disk_is_told_with_the_setting_that_moves_the_folder(run_cli, fake, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10, 10, 5_000_000))
    ran = run_cli("doctor", "--json")
    found = parts(ran.out)
    assert ran.code == 1
    assert "ASSISTANT_DATA_DIR" in found["data"]["hint"]
    assert "ASSISTANT_MODELS_DIR" in found["weights"]["hint"]


def test_a_python_too_old_is_told(run_cli, fake, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1, "final", 0))
    assert parts(run_cli("doctor", "--json").out)["python"]["ok"] is False


def test_a_missing_page_is_told(run_cli, fake, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert parts(run_cli("doctor", "--json").out)["page"]["ok"] is False
