"""The manifest: which models can be used, and where each may be had."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.errors import ModelError
from assistant.resources import resource_dir

Role: TypeAlias = Literal["llm", "embedder", "reranker"]
PromptStyle: TypeAlias = Literal["per_paper", "joint"]

DEFAULT_CONTEXT = 4096  # for a GGUF that the manifest does not know
_MIB = 1 << 20
_HUB_NAME = re.compile(r"hf:([\w.-]+)/([\w.-]+)/((?:[\w.+-]+/)*[\w.+-]+\.gguf)", re.ASCII)
_SPLIT_GGUF = re.compile(r"-\d{5}-of-\d{5}\.gguf$")


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PackageSource(_Plain):
    """Inside a package: ``path`` is its file or folder, below the folder of installed packages."""

    kind: Literal["package"] = "package"
    package: str
    version: str
    path: str = Field(pattern=r"^[\w-]+/")

    @property
    def label(self) -> str:
        """Name the source for readers."""
        return f"package {self.package}"


class HubSource(_Plain):
    """A repository of a model hub; several files make a folder.

    The ``optional`` ones of a folder are fetched where the repository has them.
    """

    kind: Literal["hub"] = "hub"
    repo: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    files: tuple[str, ...] = Field(min_length=1)
    optional: tuple[str, ...] = ()
    revision: str = "main"

    @property
    def label(self) -> str:
        """Name the source for readers."""
        return f"hub {self.repo}"


class WheelsSource(_Plain):
    """Wheels whose members, joined in the order of their numbers, are the file.

    ``package`` and ``member`` hold ``{n}``; a member's number may have leading zeros.
    """

    kind: Literal["wheels"] = "wheels"
    package: str = Field(pattern=r"\{n\}")
    count: int = Field(ge=1)
    version: str
    member: str = Field(pattern=r"\{n\}")

    @property
    def label(self) -> str:
        """Name the source for readers."""
        name = self.package.replace("{n}", "N")
        return f"wheels {name} (N = 1 to {self.count})"


Source: TypeAlias = Annotated[PackageSource | HubSource | WheelsSource, Field(discriminator="kind")]


class ModelEntry(_Plain):
    """One usable model.

    ``size`` (bytes, 0 unknown) and ``sha256`` (empty: not pinned) are those of the file with the
    weights; ``megabytes`` is what is told where the size is unknown; ``context`` is in tokens,
    ``ram`` in MiB.
    """

    name: str = Field(pattern=r"^[\w.+-]+$")
    role: Role
    licence: str
    size: int = Field(default=0, ge=0)
    megabytes: int = Field(default=0, ge=0)
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    context: int = Field(gt=0)
    ram: int = Field(default=0, ge=0)
    prompt_style: PromptStyle = "per_paper"
    summary: str = ""
    weights: str = ""
    query_prefix: str = ""
    document_prefix: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def is_folder(self) -> bool:
        """Tell whether the model is a folder, of which ``weights`` names the main file."""
        return bool(self.weights)

    @property
    def file_name(self) -> str:
        """Return the name under which the model is kept."""
        if self.is_folder or self.name.endswith(".gguf"):
            return self.name
        return f"{self.name}.gguf"

    def main_file(self, path: Path) -> Path:
        """Return the file with the weights of a model kept at ``path``."""
        return path / self.weights if self.is_folder else path


def manifest_path() -> Path:
    """Return where the manifest lies."""
    return resource_dir("models") / "manifest.toml"


def load_manifest(path: Path | None = None) -> dict[str, ModelEntry]:
    """Read the manifest, in its own order; raise ``ModelError`` naming the entry that is wrong."""
    path = path or manifest_path()
    try:
        tables: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8")).get("model", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(
            f"The model manifest {path} cannot be read: {error}.", "Install the package again."
        ) from error
    entries: dict[str, ModelEntry] = {}
    for number, table in enumerate(tables, start=1):
        try:
            entry = ModelEntry.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ModelError(
                f"Entry {number} ({table.get('name', 'without a name')}) of {path} is wrong: "
                f"{where}: {first['msg']}."
            ) from error
        if entry.name in entries:
            raise ModelError(f"{path} names {entry.name} twice.")
        entries[entry.name] = entry
    return entries


def hub_entry(name: str) -> ModelEntry:
    """Make an entry of ``hf:owner/repo/file.gguf``; raise ``ModelError`` when it is not one."""
    match = _HUB_NAME.fullmatch(name)
    if match is None or ".." in name[3:].split("/"):
        raise ModelError(
            f"{name} does not name a file of the hub.", "Write hf:owner/repo/file.gguf."
        )
    owner, repo, file = match.groups()
    if _SPLIT_GGUF.search(file):
        raise ModelError(
            f"{file} is one piece of a split model.", "Choose a file that is not split."
        )
    return ModelEntry(
        name=file.rsplit("/", 1)[-1],
        role="llm",
        licence=f"see {owner}/{repo}",
        context=DEFAULT_CONTEXT,
        sources=(HubSource(repo=f"{owner}/{repo}", files=(file,)),),
    )


def file_entry(path: Path) -> ModelEntry:
    """Make an entry for a GGUF file that the manifest does not know; its RAM is an estimate."""
    size = path.stat().st_size
    values: dict[str, Any] = {
        "name": path.name,
        "role": "llm",
        "licence": "unknown",
        "size": size,
        "context": DEFAULT_CONTEXT,
        "ram": size // _MIB * 11 // 10 + 400,
    }
    # Not validated: a file of the reader's own may be named in any way.
    return ModelEntry.model_construct(**values)
