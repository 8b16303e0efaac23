"""The catalogue: which models are here, which could be, and which one is in use."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from assistant.config import DEFAULT_LLM, Settings
from assistant.errors import ModelError
from assistant.resources import checkout_root
from assistant.weights import packages
from assistant.weights.download import pull
from assistant.weights.files import Report, disk_errors, is_gguf
from assistant.weights.manifest import (
    HubSource,
    ModelEntry,
    PackageSource,
    PromptStyle,
    Role,
    file_entry,
    hub_entry,
    load_manifest,
)

QUOTES_ONLY = NO_RERANKER = "none"
_CHOICE = "selected.toml"

Reason: TypeAlias = Literal["setting", "chosen", "default", "only one here", "none here"]


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model that is here: ``path`` is its file, or its folder for an embedder."""

    name: str
    path: Path
    entry: ModelEntry

    @property
    def context(self) -> int:
        """Return the context to run it with, in tokens."""
        return self.entry.context

    @property
    def prompt_style(self) -> PromptStyle:
        """Return whether it is shown one paper a call or may write across papers."""
        return self.entry.prompt_style


@dataclass(frozen=True, slots=True)
class Listing:
    """A line of ``assistant models list``; ``path`` is None when the model is not here."""

    entry: ModelEntry
    path: Path | None
    in_use: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The model in use for a role, and why this one."""

    name: str
    reason: Reason
    role: Role = "llm"


class Catalog:
    """Look models up by manifest name, file name, path, or ``hf:owner/repo/file.gguf``.

    Nothing is read before a method is called, and nothing written but by ``use`` and ``pull``.
    """

    def __init__(
        self, settings: Settings, manifest: Mapping[str, ModelEntry] | None = None
    ) -> None:
        self._settings = settings
        self._given = manifest

    def list(self) -> tuple[Listing, ...]:
        """Return the manifest's models in its order, then the GGUF files that it does not name."""
        used = self._path_in_use()
        others = {self._settings.embedder, self.selected_reranker()}
        listed = []
        for name, entry in self._manifest().items():
            path = self._find(entry)
            in_use = name in others or path == used
            listed.append(Listing(entry, path, in_use=path is not None and in_use))
        files = list(self._own_files())
        if used and used not in [*files, *(line.path for line in listed)]:
            files.append(used)
        return (*listed, *(Listing(file_entry(f), f, in_use=f == used) for f in files))

    def resolve(self, name: str) -> ResolvedModel:
        """Return the model of that name; raise ``ModelError`` with the command that fetches it."""
        entry = self._manifest().get(name)
        if entry is not None:
            return self._resolve_entry(entry, name)
        if name.startswith("hf:"):
            return self._resolve_entry(self._hub_entry(name), name)
        named = [path for path in self._own_files() if path.name == name]
        path = named[0] if named else Path(name).expanduser()
        if not path.is_file():
            raise ModelError(
                f"There is no model {name}.",
                "'assistant models list' shows those that there are; the path of a GGUF file and "
                "hf:owner/repo/file.gguf work too.",
            )
        if not is_gguf(path):
            raise ModelError(f"{path} is not a GGUF file.", "Choose a file in the GGUF format.")
        return ResolvedModel(path.name, path, file_entry(path))

    def selected_llm(self) -> str:
        """Return the name of the language model in use; ``none`` means quotes only.

        It need not be here: ``resolve`` says so, and what mends it.
        """
        return self.selection().name

    def selection(self) -> Selection:
        """Return the language model in use and why: setting, choice, default, or what there is."""
        if self._settings.llm:
            return Selection(self._settings.llm, "setting")
        chosen = self._choices().get("llm", "")
        if chosen:
            return Selection(chosen, "chosen")
        manifest = self._manifest()
        if DEFAULT_LLM in manifest and self._find(manifest[DEFAULT_LLM]):
            return Selection(DEFAULT_LLM, "default")
        # Only what the reader fetched himself: a tiny model that came along with some package
        # should not answer unasked.
        for name, entry in manifest.items():
            if entry.role == "llm" and self._find(entry, in_packages=False):
                return Selection(name, "only one here")
        for path in self._own_files():
            return Selection(path.name, "only one here")
        return Selection(DEFAULT_LLM, "none here")

    def selected_reranker(self) -> str:
        """Return the name of the reranker in use, empty for none; it need not be here."""
        name = self._settings.reranker or self._choices().get("reranker", "")
        return "" if name == NO_RERANKER else name

    def use(self, name: str) -> Selection:
        """Make a model that is here the one in use for its role; ``none`` for quotes only.

        A setting wins over the choice: compare what is returned with ``name``.
        """
        if name == QUOTES_ONLY:
            self._choose("llm", name)
            return self.selection()
        model = self.resolve(name)
        if model.entry.role == "embedder":
            raise ModelError(
                f"{name} is not a language model but an embedder: the indexes depend on it.",
                f"Set ASSISTANT_EMBEDDER={name} and run: assistant reindex",
            )
        self._choose(model.entry.role, self._stored_name(model))
        return self.selection() if model.entry.role == "llm" else self._reranker_selection()

    def use_no_reranker(self) -> Selection:
        """Search without a reranker from now on, unless a setting says otherwise."""
        self._choose("reranker", NO_RERANKER)
        return self._reranker_selection()

    def _reranker_selection(self) -> Selection:
        reason: Reason = "setting" if self._settings.reranker else "chosen"
        return Selection(self.selected_reranker() or NO_RERANKER, reason, "reranker")

    def _choose(self, role: Role, stored: str) -> None:
        """Keep a choice beside that for the other role."""
        try:
            choices = self._choices()
        except ModelError:
            choices = {}  # broken: this mends it
        choices[role] = stored
        folder = self._settings.models_dir
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            temporary = folder / f"{_CHOICE}.{os.getpid()}"
            # A JSON string is a TOML string too.
            lines = (f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in choices.items())
            temporary.write_text("".join(lines), "utf-8")
            temporary.replace(folder / _CHOICE)

    def pull(self, name: str = DEFAULT_LLM, progress: Report | None = None) -> ResolvedModel:
        """Fetch a model unless it is here; raise ``DownloadError`` when no source has it."""
        entry = self._manifest().get(name)
        if entry is None and not name.startswith("hf:"):
            return self.resolve(name)
        entry = entry or self._hub_entry(name)
        path = pull(entry, self._settings.models_dir, progress, elsewhere=self._in_checkout(entry))
        return ResolvedModel(entry.name, path, entry)

    def _manifest(self) -> Mapping[str, ModelEntry]:
        if self._given is None:
            self._given = load_manifest()
        return self._given

    def _hub_entry(self, name: str) -> ModelEntry:
        """Return the entry of ``hf:…``: the manifest's own where it names the same file."""
        entry = hub_entry(name)
        known = self._manifest().get(entry.name.removesuffix(".gguf"))
        if known is None:
            return entry
        hubs = {(s.repo, s.files) for s in known.sources if isinstance(s, HubSource)}
        if not hubs & {(s.repo, s.files) for s in entry.sources if isinstance(s, HubSource)}:
            raise ModelError(
                f"{entry.name} is the name of another model in the manifest.",
                f"Run: assistant models pull {known.name}",
            )
        return known

    def _resolve_entry(self, entry: ModelEntry, name: str) -> ResolvedModel:
        path = self._find(entry)
        if path is not None:
            return ResolvedModel(entry.name, path, entry)
        spoilt = entry.main_file(self._settings.models_dir / entry.file_name)
        state = "is damaged" if spoilt.exists() else "is not here"
        raise ModelError(f"The model {name} {state}.", f"Run: assistant models pull {name}")

    def _path_in_use(self) -> Path | None:
        """Return where the language model in use lies; None when it is not here, or none is."""
        try:
            return self.resolve(self.selected_llm()).path
        except ModelError:
            return None

    def _find(self, entry: ModelEntry, *, in_packages: bool = True) -> Path | None:
        """Return where a model lies, going by its size; None when it is not here."""
        places = []
        if in_packages:
            sources = (s for s in entry.sources if isinstance(s, PackageSource))
            places += [path for source in sources if (path := packages.installed(source))]
        places += [self._settings.models_dir / entry.file_name, *self._in_checkout(entry)]
        for path in places:
            main = entry.main_file(path)
            if main.is_file() and entry.size in {0, main.stat().st_size}:
                return path
        return None

    @staticmethod
    def _in_checkout(entry: ModelEntry) -> tuple[Path, ...]:
        root = checkout_root()
        path = root / "models" / entry.file_name if root else None
        return (path,) if path is not None and path.exists() else ()

    def _own_files(self) -> tuple[Path, ...]:
        """Return the GGUF files in the weights folder and the checkout that no entry names."""
        known = {entry.file_name for entry in self._manifest().values()}
        root = checkout_root()
        found: dict[str, Path] = {}
        for folder in (self._settings.models_dir, *((root / "models",) if root else ())):
            for path in sorted(folder.glob("*.gguf")):
                if path.name not in known and path.is_file():
                    found.setdefault(path.name, path)
        return tuple(found.values())

    def _stored_name(self, model: ResolvedModel) -> str:
        """Return a name that means the same model from every working directory."""
        if model.name in self._manifest() or model.path in self._own_files():
            return model.name
        return str(model.path.resolve())

    def _choices(self) -> dict[str, str]:
        """Return what was chosen, by role."""
        path = self._settings.models_dir / _CHOICE
        try:
            chosen = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{path} cannot be read: {error}.", "Run: assistant models use NAME"
            ) from error
        roles = ("llm", "reranker")
        return {role: chosen[role] for role in roles if isinstance(chosen.get(role), str)}
