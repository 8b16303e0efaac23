"""Find the folders that ship beside the code: ``prompts/``, ``seeds/`` and ``models/``.

In a checkout they lie at the top level; a built wheel carries them inside the package.
"""

from __future__ import annotations

from pathlib import Path

from assistant.errors import AssistantError

_PACKAGE = Path(__file__).resolve().parent


def checkout_root() -> Path | None:
    """Return the root of the checkout that this code runs from, or None for an installed wheel."""
    root = _PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and (root / "prompts").is_dir() else None


def resource_dir(name: str) -> Path:
    """Return the folder ``name`` (prompts, seeds or models); raise ``AssistantError`` if absent."""
    root = checkout_root()
    folder = (root / name) if root else (_PACKAGE / "_resources" / name)
    if not folder.is_dir():
        raise AssistantError(
            f"The installation is incomplete: {name}/ is missing.",
            "Install the package again.",
        )
    return folder
