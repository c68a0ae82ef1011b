# The commands of this checkout. `make app` and `make test` set up what they need.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup app test bench reference

help:
	@echo "make app        start the page (sets up .venv first when needed)"
	@echo "make test       run every check: ruff, mypy, ESLint, tsc, pytest"
	@echo "make bench      measure speed; BENCH_JSON=FILE writes the figures too"
	@echo "make reference  write the reference of the public names as HTML"
	@echo "make setup      make .venv with everything in it"

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "aptamr needs Python 3.11 or newer; name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet --editable '.[dev]'
	touch $(READY)

app: $(READY)
	$(VENV)/bin/aptamr app

test: $(READY)
	scripts/check

bench: $(READY)
	$(VENV)/bin/python -m benchmarks.run

reference: $(READY)
	$(VENV)/bin/python -m sphinx -W --keep-going -q -b html docs/reference build/reference
	@echo build/reference/index.html
