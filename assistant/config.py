"""Settings: plain data from the environment (``ASSISTANT_*``) and a TOML file.

Nothing here builds, opens or creates anything; :mod:`assistant.app` does.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from assistant.errors import ConfigError

APP_NAME = "abstract-assistant"
DEFAULT_LLM = "qwen2.5-coder-0.5b-instruct-q4_k_m"
DEFAULT_EMBEDDER = "all-minilm-l6-v2"


class Settings(BaseSettings):
    """What a reader may set; the environment wins over the file, the file over the defaults."""

    model_config = SettingsConfigDict(
        env_prefix="ASSISTANT_", extra="forbid", frozen=True, protected_namespaces=()
    )

    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir(APP_NAME)),
        description="the library and its indexes",
    )
    models_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(APP_NAME)) / "models",
        description="downloaded weights",
    )
    cache_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(APP_NAME)),
        description="what is only kept to save time",
    )
    llm: str = Field("", description="a manifest name or GGUF path; 'none' for quotes only")
    embedder: str = Field(DEFAULT_EMBEDDER, description="a manifest name")
    reranker: str = Field("", description="a manifest name; 'none' for none")
    seed: int = Field(7, description="seed of the language model")
    threads: int = Field(0, ge=0, description="CPU threads of the language model; 0 chooses")
    gpu_layers: int = Field(0, ge=-1, description="layers of the language model on a GPU; -1: all")
    context: int = Field(0, ge=0, description="context in tokens; 0 takes the manifest's")
    max_papers: int = Field(4, ge=1, le=12, description="most papers one answer draws on")
    debug: bool = Field(False, description="show tracebacks in the terminal")

    @property
    def log_file(self) -> Path:
        """Return the file that tracebacks go to."""
        return self.data_dir / "assistant.log"


def config_file() -> Path:
    """Return the path of the TOML file, which need not exist."""
    named = os.environ.get("ASSISTANT_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir(APP_NAME)) / "config.toml"


def load_settings(**overrides: Any) -> Settings:
    """Read the settings; raise ``ConfigError`` naming the setting that is wrong."""
    from_file = _read_toml(config_file())
    fields = set(Settings.model_fields)
    for key in from_file:
        if key not in fields:
            raise ConfigError(
                f"{config_file()} has an unknown setting {key!r}.",
                f"Known settings: {', '.join(sorted(fields))}.",
            )
    in_env = {k for k in from_file if f"ASSISTANT_{k.upper()}" in os.environ}
    values = {k: v for k, v in from_file.items() if k not in in_env}
    values.update({k: v for k, v in overrides.items() if v is not None})
    try:
        settings = Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"The setting {where} is not usable: {first['msg']}.",
            f"Set ASSISTANT_{where.upper()} or {where} in {config_file()}.",
        ) from error
    return settings.model_copy(
        update={
            "data_dir": settings.data_dir.expanduser(),
            "models_dir": settings.models_dir.expanduser(),
            "cache_dir": settings.cache_dir.expanduser(),
        }
    )


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as handle:
            return tomllib.load(handle)
    except FileNotFoundError as error:
        if os.environ.get("ASSISTANT_CONFIG"):
            raise ConfigError(
                f"ASSISTANT_CONFIG names {path}, which is not there.",
                "Mend the name, make the file, or unset ASSISTANT_CONFIG.",
            ) from error
        return {}
    except (OSError, ValueError) as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{path} cannot be read: {error}.", "Mend or remove the file.") from error
