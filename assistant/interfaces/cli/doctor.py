"""``assistant doctor``: what is there, what is missing, and the command that mends it."""

from __future__ import annotations

import importlib.util
import json
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from assistant.errors import AssistantError
from assistant.interfaces.cli.shell import Shell, shell_of, stdout
from assistant.interfaces.safe_text import neutralised

if TYPE_CHECKING:
    from assistant.checkup import Finding
    from assistant.config import Settings

ENOUGH_DISK = 1_000_000_000  # bytes: the default model and room for a library
PYTHONS = ((3, 11), (3, 13))


def doctor(
    context: typer.Context,
    deep: Annotated[
        bool, typer.Option("--deep", help="Compare every paper with what was made from it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Look at every part, and say what mends those that are broken or missing.

    Leaves with 1 if one is.
    """
    shell = shell_of(context)
    findings = [*_machine(shell.settings()), *_assistant(shell, deep=deep)]
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        _print_findings(findings)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _assistant(shell: Shell, *, deep: bool) -> Iterator[Finding]:
    """Yield what the library and the models say of themselves, or why they cannot be asked."""
    from assistant.checkup import Finding

    try:
        with shell.opened() as assistant:
            yield from assistant.doctor(deep=deep)
    except AssistantError as error:
        yield Finding("library", ok=False, message=error.message, hint=error.hint)


def _machine(settings: Settings) -> Iterator[Finding]:
    from assistant.checkup import Finding
    from assistant.config import config_file

    lowest, highest = PYTHONS
    yield Finding(
        "python",
        ok=lowest <= sys.version_info[:2] <= highest,
        message=f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
        hint="Python 3.11, 3.12 or 3.13 is needed: make chat PYTHON=/path/to/python3.12",
    )
    for part, folder in (("data", settings.data_dir), ("weights", settings.models_dir)):
        yield _disk(part, folder)
    there = config_file().is_file()
    yield Finding(
        "settings",
        ok=True,
        message=f"{config_file()}{'' if there else ' (not there; the defaults hold)'}",
        hint="",
    )
    yield Finding(
        "page",
        ok=importlib.util.find_spec("gradio") is not None,
        message="the chat page needs the package gradio",
        hint="make install",
    )


def _disk(part: str, folder: Path) -> Finding:
    from assistant.checkup import Finding

    standing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(standing).free
    return Finding(
        part,
        ok=free >= ENOUGH_DISK,
        message=f"{folder}: {free / 1e9:.1f} GB free",
        hint="Make room, or name another place with "
        + ("ASSISTANT_DATA_DIR." if part == "data" else "ASSISTANT_MODELS_DIR."),
    )


def _print_findings(findings: list[Finding]) -> None:
    console = stdout()
    width = max(len(finding.part) for finding in findings)
    for finding in findings:
        mark = Text("ok    ", style="green") if finding.ok else Text("broken", style="bold red")
        line = Text(f" {finding.part:<{width}} ") + Text(neutralised(finding.message))
        console.print(mark + line, soft_wrap=True)
        if finding.hint and not finding.ok:
            console.print(Text(f"{'':6} {'':{width}} {neutralised(finding.hint)}"), soft_wrap=True)
