"""Saying: the language model, prompts, verification and the ways of answering."""
