# Two targets do everything: `make site` and `make test`. The rest is for those who work on it.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.installed
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check

.PHONY: site test setup setup-test serve format lint matrix soak benchmarks pins clean help

site: setup ## set up, build the notes, publish public/
	$(RUN) -m generator build
	@mkdir -p build && $(VENV)/bin/hugo --cleanDestinationDir > build/hugo.log 2>&1 || { cat build/hugo.log; exit 1; }
	@echo "published: public/index.html"

test: setup-test ## set up, run the tests
	$(RUN) -m pytest -q

setup: $(STAMP) ## make .venv, and install into it
	@$(RUN) tools/fetch_katex.py

$(STAMP): pyproject.toml requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r requirements.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

setup-test: setup $(VENV)/.tested
$(VENV)/.tested: requirements-test.txt tests/js/package.json
	$(INSTALL) --require-hashes -r requirements.txt -r requirements-test.txt
	@if command -v npm >/dev/null; then cd tests/js && npm install --silent --no-audit --no-fund --no-package-lock; fi
	@touch $@

serve: setup ## preview with live reload
	$(RUN) -m generator serve

format: setup-test ## format and mend
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

lint: setup-test ## formatter, linter, types
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

matrix: ## test each Python with the lowest and the newest dependencies
	$(PYTHON) tools/matrix.py

soak: setup-test ## long trials: kills, edits, fuzzing
	$(RUN) -m pytest -q -m soak

benchmarks: setup-test ## measure, beside other tools, and write docs/benchmarks.md
	$(RUN) -m benchmarks.scale
	$(RUN) -m benchmarks.cluster
	$(RUN) -m benchmarks.peers

pins: setup-test ## pin the newest versions, with the digests of their files
	$(RUN) tools/pin.py --upgrade

clean: ## remove what was installed and published, not the notes
	rm -rf $(VENV) public resources build .generator

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'
