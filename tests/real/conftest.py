"""What the tests with real weights share."""

from __future__ import annotations

from small_model import small_model, small_model_path

__all__ = ["small_model", "small_model_path"]
