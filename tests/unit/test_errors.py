from __future__ import annotations

import inspect

import pytest

from assistant import errors
from assistant.errors import AssistantError

PUBLIC = {
    "AssistantError": (Exception, 1),
    "ConfigError": (AssistantError, 2),
    "LibraryError": (AssistantError, 1),
    "LibraryBusy": (errors.LibraryError, 1),
    "ReadError": (errors.LibraryError, 1),
    "DerivedIndexError": (AssistantError, 1),
    "ModelError": (AssistantError, 1),
    "DownloadError": (errors.ModelError, 1),
    "QuestionError": (AssistantError, 2),
}


def test_the_tree_is_what_readers_of_the_code_rely_on():
    defined = {
        name: (kind.__base__, kind.exit_code)
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and kind.__module__ == errors.__name__
    }
    assert defined == PUBLIC


def test_the_docstring_that_opens_the_module_draws_every_error():
    assert errors.__doc__ is not None
    assert all(name in errors.__doc__ for name in PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_message_and_hint_are_kept_apart_and_read_as_one(name: str):
    error = getattr(errors, name)("It broke.", "Mend it.")
    assert (error.message, error.hint) == ("It broke.", "Mend it.")
    assert str(error) == "It broke. Mend it."


def test_an_error_without_a_hint_reads_as_its_message():
    assert str(AssistantError("It broke.")) == "It broke."
