# `make run` plays, `make test` checks everything. Both set up what is missing in .venv first.

.PHONY: run test check lint docs quick slow torture wheel release lock audit pin-images check-images bench numbers coverage load lighthouse chromium clean
.DEFAULT_GOAL := run

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
VENDOR := src/readyroom/web/static/vendor/htmx.min.js
NPM    := browser/node_modules/.bin
FROM_NPM := browser/node_modules/.package-lock.json
OUR_SCRIPTS := $(shell find src/readyroom -name '*.js' -not -path '*/vendor/*')
UV     := VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv --quiet --system-certs pip
PLACES := src tests docs examples
SCRIPTS := "src/**/*.js" "examples/**/*.js" "tests/js/*.mjs"
LOCK    = --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --upgrade
COVERED := $(addprefix tests/,engine games examples properties records bots \
             cli/test_lookups.py web/test_game_pages.py web/test_tutorials.py)

# The tests start hundreds of processes, which share compiled files.
unexport PYTHONDONTWRITEBYTECODE

# -- commands --------------------------------------------------------------------------------------------------------

run: $(VENV)/.ready-to-play
	@$(BIN)/readyroom serve

# Set-up, linters, pages and tests all run at once, so that no core waits.
test:
	@$(MAKE) --no-print-directory -j 4 lint docs check

check: $(VENV)/.ready-to-test chromium
	$(NODE_TESTS)
	$(PYTEST) -m "not torture"

lint: $(VENV)/.ready-to-test
	$(BIN)/ruff check $(PLACES)
	$(BIN)/ruff format --check $(PLACES)
	MYPYPATH=docs/example:examples/tokyo-express $(BIN)/mypy src tests docs/*.py docs/claims docs/example examples/tokyo-express
	$(BIN)/lint-imports --no-cache
	$(NPM)/tsc --project browser
	$(NPM)/tsc --project browser/tsconfig.worker.json
	$(NPM)/eslint --config browser/eslint.config.mjs $(SCRIPTS)
	$(NPM)/prettier --config browser/.prettierrc.json --check --log-level warn $(SCRIPTS)

docs: $(VENV)/.ready-to-test
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

NODE_TESTS = node --import ./tests/js/imports.mjs --test --test-reporter=dot tests/js/*.test.mjs
# Two more than there are cores, because many tests wait for servers and browsers.
PYTEST = $(BIN)/pytest -n $$(($$(nproc) + 2)) --maxprocesses 8 --dist worksteal

quick: $(VENV)/.ready-to-test
	$(NODE_TESTS)
	$(PYTEST) -m "not slow and not torture"

# Exit code 5 is pytest's "no such tests".
slow: $(VENV)/.ready-to-test chromium
	$(PYTEST) -m "slow and not torture" tests || [ $$? -eq 5 ]

# The long checks: thousands of playouts, hundreds of kills, full matches in the browser.
torture: $(VENV)/.ready-to-test chromium
	$(PYTEST) -m "torture and not alone" --table docs/torture.md tests
	$(BIN)/pytest -m "torture and alone" --table docs/torture.md --add-rows tests

# The wheel contains the browser's files, so that users need no npm.
wheel: $(VENV)/.ready-to-test
	$(BIN)/python -m hatchling build

# Wheel, source archive, bill of materials (CycloneDX) and checksums, in dist/.
release: $(VENV)/.ready-to-test
	rm -rf dist
	$(BIN)/python -m hatchling build
	@$(UV) install cyclonedx-bom
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible --output-file dist/readyroom.cdx.json requirements.lock
	cd dist && sha256sum * > SHA256SUMS

# Pin the newest versions that pyproject.toml allows, with their hashes.
lock: $(VENV)/.ready-to-play
	$(UV) compile $(LOCK) --output-file requirements.lock pyproject.toml
	$(UV) compile $(LOCK) --group dev --output-file requirements-dev.lock pyproject.toml

# Known vulnerabilities of the locked packages, from the advisory databases of PyPI and npm. Needs a network.
audit: $(BIN)/python $(VENV)/.packages
	@for lock in requirements.lock requirements-dev.lock; do \
	  $(BIN)/uv --quiet --system-certs tool run pip-audit --disable-pip --require-hashes --requirement $$lock || \
	  { echo "$$lock: see above; if no package is listed, PyPI could not be reached."; exit 1; }; done
	@cd browser && npm audit || { echo "browser: see above; if no package is listed, npm could not be reached."; exit 1; }

# Pin the container images by digest, or list those that are not pinned.
IMAGES := node:22-slim python:3.12-slim postgres:17
pin-images:
	@for image in $(IMAGES); do \
	  digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' $$image) && [ -n "$$digest" ] || \
	  { echo "make pin-images needs docker and a network; nothing is known of $$image."; exit 2; }; \
	  sed -i -E "s#$$image(@sha256:[0-9a-f]+)?#$$image@$$digest#" Containerfile compose.yaml; done

check-images:
	@for image in $(IMAGES); do grep -qE "$$image@sha256:[0-9a-f]{64}$$" Containerfile compose.yaml || \
	  { echo "$$image is not pinned; run: make pin-images"; bad=1; }; done; exit $${bad:-0}

bench: $(VENV)/.ready-to-test
	$(BIN)/python -m readyroom.study.bench
	$(BIN)/python -m readyroom.env.bench

# Measure every figure that the pages claim: about half an hour. `make docs` then shows them.
numbers: $(VENV)/.ready-to-test
	$(BIN)/python -m docs.claims --write

# Branch coverage of the engine and the games; `python -m docs.claims --only covered` prints it.
coverage: $(VENV)/.ready-to-test
	$(BIN)/coverage run -m pytest -m "not torture" -p no:cacheprovider $(COVERED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet

# Two hundred matches at once over HTTP, then at full speed; on SQLite, and on PostgreSQL with two processes.
load: $(VENV)/.ready-to-test
	$(BIN)/python -m tests.load.load

# Lighthouse scores of the pages on a phone and on a desktop; none may be below 95. Some minutes.
lighthouse: $(VENV)/.ready-to-test chromium
	@cd tests/lighthouse && npm ci --silent --no-audit --no-fund
	$(BIN)/python -m tests.lighthouse.measure

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis

# -- setup -----------------------------------------------------------------------------------------------------------

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Ready Room needs Python 3.11 or newer; choose one with: make PYTHON=python3.12 run"; exit 2; }
	@$(PYTHON) -m venv --clear $(VENV) || \
	  { rm -rf $(VENV); echo "Python cannot make a virtual environment here; on Debian: apt install python3-venv"; exit 2; }

$(VENV)/.packages: requirements.lock | $(BIN)/python
	@echo "Setting up Ready Room in $(VENV) ..."
	@$(BIN)/python -m pip --quiet --disable-pip-version-check install 'uv>=0.13,<1'
	@$(UV) install --require-hashes --requirements requirements.lock
	@touch $@

$(VENV)/.ready-to-play: pyproject.toml $(VENV)/.packages $(VENDOR)
	@$(UV) install --no-deps --editable .
	@touch $@

# Fonts and scripts of the browser, from npm, pinned in browser/package-lock.json; and our own scripts, minified.
$(VENDOR): browser/package-lock.json browser/copy.py $(OUR_SCRIPTS) | $(BIN)/python $(FROM_NPM)
	@$(BIN)/python browser/copy.py && touch $@

$(FROM_NPM): browser/package-lock.json browser/fonts.mjs
	@command -v npm > /dev/null || { echo "The browser files need npm; on Debian: apt install npm"; exit 2; }
	@cd browser && npm ci --silent --omit=dev && node fonts.mjs
	@touch $@

# Packages for checks and tests: of Python, and from npm TypeScript, ESLint, Prettier and axe-core.
$(VENV)/.dev-packages: requirements-dev.lock $(VENV)/.packages
	@$(UV) install --require-hashes --requirements requirements-dev.lock
	@touch $@

$(VENV)/.node-packages: browser/package-lock.json | $(VENDOR)
	@cd browser && npm ci --silent
	@touch $@

$(VENV)/.ready-to-test: $(VENV)/.ready-to-play $(VENV)/.dev-packages $(VENV)/.node-packages
	@touch $@

# Browser tests need Chromium; if it is missing, install Debian's, headless if available.
chromium:
	@command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || \
	command -v google-chrome > /dev/null || { \
	  root=$$([ "$$(id -u)" = 0 ] || echo sudo); get="$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq"; \
	  $$root apt-get update -qq && { $$get chromium-headless-shell || $$get chromium; } \
	} || { echo "Browser tests need Chromium; on Debian: apt install chromium-headless-shell"; exit 2; }
