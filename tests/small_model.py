"""The small language model that tests run: fetched once, kept with the reader's other models.

``ASSISTANT_TEST_MODELS_DIR`` names another folder for it. Both places are found out when this file
is imported, before the tests get a world of their own.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from assistant.config import APP_NAME, Settings
from assistant.weights.catalog import Catalog
from assistant.writing.llama import LlamaChatModel

SMALL = "smollm2-135m-instruct-q4_1"
FOLDER = Path(
    os.environ.get("ASSISTANT_TEST_MODELS_DIR")
    or Path(platformdirs.user_cache_dir(APP_NAME), "models")
)


@pytest.fixture(scope="session")
def small_model_path() -> Path:
    """Return the file of the small model; fetch it if it is not here, and fail if that fails."""
    return Catalog(Settings(models_dir=FOLDER)).pull(SMALL).path


@pytest.fixture(scope="session")
def small_model(small_model_path: Path) -> LlamaChatModel:
    """Return the small model, loaded once for all tests that leave it as they found it."""
    return LlamaChatModel(small_model_path, SMALL, context=4096)
