# What a reader and a contributor type; `make help` lists it.
#
# Everything is installed into .venv. The stamps in it are newer than pyproject.toml and
# constraints.txt once that is done, so a second run installs nothing.

PYTHON ?= python3
PIP ?= $(VENV)/bin/python -m pip
ARGS ?=
PYTEST_ARGS ?=

VENV := .venv
RUN := $(VENV)/bin/python
ASSISTANT := $(RUN) -m assistant
INSTALL = $(PIP) install --disable-pip-version-check --constraint constraints.txt
MADE := $(VENV)/.made
INSTALLED := $(VENV)/.installed
TESTABLE := $(VENV)/.installed-test

.DEFAULT_GOAL := help
.PHONY: help chat install test check clean
.DELETE_ON_ERROR:

help:
	@echo "make chat     install, fetch the model, import the seed papers, open the page"
	@echo "              (with options: make chat ARGS=\"--no-browser --port 7861\")"
	@echo "make test     check, then run every test (some: make test PYTEST_ARGS=\"-k doctor\")"
	@echo "make check    ruff, mypy and the import rules"
	@echo "make install  only install into $(VENV); then $(VENV)/bin/assistant --help"
	@echo "make clean    remove $(VENV) and caches; your library and the models stay"
	@echo
	@echo "PYTHON=python3.12 chooses the Python (3.11, 3.12 or 3.13) that $(VENV) is made with."

chat: $(INSTALLED)
	@$(ASSISTANT) models pull || { [ $$? -ne 130 ] && echo "No model for now, so the page answers" \
	  "with quotes only. '$(VENV)/bin/assistant models pull' tries again." >&2; }
	@$(ASSISTANT) ingest --seeds --first-time
	@$(ASSISTANT) chat $(ARGS)

install: $(INSTALLED)

test: check
	$(RUN) -m pytest $(PYTEST_ARGS)

check: $(TESTABLE)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# A .venv that works is kept, whoever made it; one whose making was broken off is made again.
$(MADE):
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "There is no '$(PYTHON)' here. Install Python 3.11, 3.12 or 3.13," \
	    "or name one: make chat PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "Python 3.11, 3.12 or 3.13 is needed, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1)." \
	    "Name another: make chat PYTHON=python3.12" >&2; exit 1; }
	@$(RUN) -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear $(VENV) || { \
	  echo "Python could not make a virtual environment." \
	    "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

# llama-cpp-python is compiled where no wheel of it is cached: a step of its own, in full view.
$(INSTALLED): pyproject.toml constraints.txt | $(MADE)
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || \
	  echo "There is no C++ compiler in sight. If the next step fails, install one" \
	    "(Debian and Ubuntu: apt install g++; macOS: xcode-select --install)." >&2
	@echo "Installing llama.cpp. The first time it is compiled: about ten minutes on two cores."
	$(INSTALL) --verbose "llama-cpp-python>=0.3.36,<0.4"
	@echo "Installing the rest, with PyTorch: a gigabyte or more the first time."
	$(INSTALL) --editable .
	@touch $@

$(TESTABLE): $(INSTALLED)
	$(INSTALL) --editable ".[test]"
	@touch $@
