"""Real weights for the contracts that need them."""

from __future__ import annotations

from small_model import small_model, small_model_path

__all__ = ["small_model", "small_model_path"]
