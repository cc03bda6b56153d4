# One command each; all of them make the virtual environment when it is missing.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
# usual, or full: how much random tests draw and how large their memories are; fast leaves out
# the slow ones.
SIZE ?= usual
PYTEST := $(BIN)/python -m pytest -n $(or $(WORKERS),2)

.PHONY: help demo test test-fast lint bench venv clean

help:
	@echo 'make demo       show it working'
	@echo 'make test       every test on PostgreSQL 18, the quick ones on 16 (SIZE=full: larger)'
	@echo 'make test-fast  the quick ones, on PostgreSQL 18'
	@echo 'make lint       style and types'
	@echo 'make bench      measure, some minutes'

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed: set PYTHON=' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[embedded]'
	@touch $@

$(VENV)/.develop: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	@touch $@

venv: $(VENV)/.develop

demo: $(VENV)/.demo
	$(BIN)/taisce-pg demo

test: venv
	TAISCE_TEST_SIZE=$(SIZE) $(PYTEST)
	TAISCE_TEST_SIZE=$(SIZE:usual=fast) $(PYTEST) --pg=16 tests/database tests/upgrade db/tests

test-fast: venv
	TAISCE_TEST_SIZE=fast $(PYTEST) -q tests/unit db/tests

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint --processes 2 --disable-progress-bar db/migrations db/functions db/views
	$(BIN)/squawk db/migrations/*.sql

bench: venv
	$(BIN)/taisce-pg bench --short

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
