# The main commands are `make run`, `make test` and `make check`; each installs what it needs and reuses it next time.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# The first of these that is Python 3.11 or later and can make virtual environments; `make run PYTHON=…` overrules it. The
# system's own comes first: distributions optimize theirs by profiles of its use, and pyenv does not unless told to, whose
# takes a fifth longer for the suite.
PYTHONS := /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11 python
PYTHON ?=
BIN := .venv/bin

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Twice quiet: print errors alone.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --quiet --no-input --require-hashes

.PHONY: help
help:  ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: install
install: .venv/runtime .venv/development  ## Make .venv with all dependencies

.venv/made:
	@set -e; chosen="$(PYTHON)"; \
	if [ -z "$$chosen" ]; then for python in $(PYTHONS); do \
	    if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	    then chosen="$$python"; break; fi; done; fi; \
	if [ -z "$$chosen" ]; then \
	    echo "No Python 3.11 or later with its venv module was found (tried: $(PYTHONS))." >&2; \
	    echo "Install one: on Debian or Ubuntu 'apt-get install python3 python3-venv', on macOS 'brew install python@3.12'," >&2; \
	    echo "or name yours: make run PYTHON=/path/to/python3.12" >&2; exit 1; fi; \
	if ! "$$chosen" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; then \
	    echo "$$chosen is no Python 3.11 or later with its venv module." >&2; exit 1; fi; \
	echo "Making .venv with $$("$$chosen" --version)"; \
	rm -rf .venv; "$$chosen" -m venv .venv; touch $@

.venv/runtime: requirements.txt .venv/made
	@echo "Installing what the site runs on (requirements.txt)"
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

.venv/development: requirements-dev.txt requirements-parquet.txt requirements.txt .venv/runtime
	@echo "Installing what tests and checks need (requirements-dev.txt, and requirements-parquet.txt for exports)"
	@$(PIP_INSTALL) -r requirements.txt -r requirements-parquet.txt -r requirements-dev.txt
	@touch $@

.PHONY: run
run: .venv/runtime  ## Run the site with its two demo rooms on http://127.0.0.1:8000/ (CARDROOM_PORT=… for another port)
	@$(BIN)/python -m cardroom.ops.supervisor --demo

# --- Tests and checks -----------------------------------------------------------------------------------------------

# Write .pyc files even if the environment disables them: otherwise each of the suite's processes compiles all modules
# again (37 seconds instead of 8 to collect the tests).
unexport PYTHONDONTWRITEBYTECODE

# Tests run in as many processes as this; the suite's servers are started and stopped by the suite. Those that leave the
# process run in one more: they wait for half of their time.
WORKERS ?= 2
# Each process begins with its share of the tests in their order, so that what a folder sets up once is set up in one of
# them, and takes from the other when it is done.
PYTEST := $(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal
# For checks that load the settings without an installation: a throwaway key, and a state directory that does not exist.
THROWAWAY := CARDROOM_SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')

.PHONY: test
test: .venv/development  ## Check style, import contracts and migrations, and run the suite on SQLite, but for what leaves the process (minutes)
	@$(BIN)/python -m tests.stages lint contracts migrations -- test-inside

# The pages of clauses are checked by collecting all tests, which compiles them: the processes of the suite, which begin
# together, would each do that for itself.
.PHONY: check
check: .venv/development  ## Run all other checks: browsers, sites as processes, backups, PostgreSQL, types, pages of clauses (half an hour)
	@$(BIN)/python -m tests.stages clauses-fresh -- wheels then types -- test-postgres -- test-outside test-shuffled

.PHONY: lint
lint: .venv/development  ## Check style and format (ruff)
	@status=0; $(BIN)/ruff check . || status=1; $(BIN)/ruff format --check --output-format concise . || status=1; exit $$status

.PHONY: types
types: .venv/development  ## Check types (mypy --strict, with Django's)
	@$(THROWAWAY) $(BIN)/mypy

.PHONY: contracts
contracts: .venv/development  ## Check import contracts (import-linter)
	@$(BIN)/lint-imports --no-logo

.PHONY: migrations
migrations: .venv/development  ## Check that the migrations match the models
	@$(THROWAWAY) CARDROOM_DATABASE_URL=sqlite:////dev/null $(BIN)/python manage.py makemigrations --check --dry-run

.PHONY: test-inside
test-inside: .venv/development  ## Run the suite on SQLite, but for what leaves the process
	@$(PYTEST) -m "not outside and not slow"

# Of the next two, modules without the mark are not even collected: that would take each worker ten seconds of the processor.
.PHONY: test-outside
test-outside: .venv/development  ## Run on SQLite what leaves the process (mark: outside)
	@$(PYTEST) --numprocesses=$$(($(WORKERS) + 1)) -m "outside and not slow" \
	    $$(grep -rlF --include='test_*.py' mark.outside tests)

.PHONY: test-postgres
test-postgres: .venv/development  ## Run what depends on the database (mark: postgresql) again, on a throwaway PostgreSQL
	@status=0; \
	$(BIN)/python -m tests.servers postgres -- $(PYTEST) -m "postgresql and not slow and not alone" \
	    $$(grep -rlF --include='test_*.py' mark.postgresql tests) || status=1; \
	$(BIN)/python -m tests.servers postgres -- $(BIN)/python -m pytest --numprocesses=0 -m "postgresql and alone" \
	    $$(grep -rlF --include='test_*.py' mark.alone tests) || status=1; \
	exit $$status

.PHONY: test-shuffled
test-shuffled: .venv/development  ## Run what `make test` runs in another order each time (ORDER=… for a given one)
	@order="$(ORDER)"; [ -n "$$order" ] || order=$$(date +%s); echo "The order of make test-shuffled ORDER=$$order"; \
	$(PYTEST) -m "not outside and not slow" --random-order-bucket=module --random-order-seed="$$order"

.PHONY: wheels
wheels: .venv/development  ## Name each locked package that would have to be compiled on a platform the README promises (asks the package index)
	@$(BIN)/python -m tests.wheels

.PHONY: bench
bench: .venv/development  ## Time the rules engine against its goals, write docs/measured/benchmarks.md (some minutes; SEED=… for given sheets)
	@$(BIN)/python -m tests.measure.bench $(if $(SEED),--seed $(SEED))

.PHONY: bench-floor
bench-floor: .venv/development  ## Time commands, pages and the board on both databases, at the peak and five times it, write docs/measured/benchmarks-floor.md (some minutes)
	@$(BIN)/python -m tests.measure.bench.floor

.PHONY: bench-posting
bench-posting: .venv/development  ## Time sheets posted over HTTP at five times the peak on PostgreSQL, write docs/measured/benchmarks-posting.md (some minutes)
	@$(BIN)/python -m tests.measure.bench.posting

.PHONY: bench-reports
bench-reports: .venv/development  ## Time the reports with many rounds stored on both databases, write docs/measured/benchmarks-reports.md (an hour; KEPT=directory keeps the rooms)
	@$(BIN)/python -m tests.measure.bench.reports $(if $(KEPT),--kept "$(KEPT)")

.PHONY: growth
growth: .venv/development  ## Name the pages and SQL views that read more for a million rounds of history (PostgreSQL, some minutes)
	@$(BIN)/python -m tests.measure.growth

.PHONY: load
load: .venv/development  ## Play a full room on PostgreSQL for half an hour, a shift closing in the middle, write docs/measured/load.md (LOAD="--minutes 2" and others)
	@$(BIN)/python -m tests.measure.load $(LOAD)

.PHONY: faults
faults: .venv/development  ## Kill what runs while shifts close and commands are posted, write docs/measured/faults-*.md (an hour a database)
	@$(BIN)/python -m tests.measure.faults
	@$(BIN)/python -m tests.measure.faults.commands

.PHONY: hosts
hosts: .venv/development  ## Cut, kill and fill seven hosts (network namespaces) under commands, write docs/measured/hosts.md (root, Linux, a quarter of an hour)
	@$(BIN)/python -m tests.measure.hosts

.PHONY: sizes
sizes: .venv/development  ## Measure bytes, statements and processor time of a round on PostgreSQL, write docs/measured/sizes.md (some minutes)
	@$(BIN)/python -m tests.measure.sizes

.PHONY: drills
drills: .venv/development  ## Recover, fail over and move on throwaway servers, write docs/measured/drills.md (some minutes; DRILL=name for one)
	@$(BIN)/python -m tests.measure.drills $(DRILL)

.PHONY: pieces
pieces: .venv/development  ## Verify a simulated room by one process and in pieces, write docs/measured/verify-pieces.md (some minutes; PIECES="--days 5 --tables 12")
	@$(BIN)/python -m tests.measure.pieces $(PIECES)

.PHONY: races
races: .venv/development  ## Give every pair of commands at the same moment on PostgreSQL, write docs/measured/races.md (half an hour; KEPT=directory goes on with a run)
	@set -e; kept="$(KEPT)"; [ -n "$$kept" ] || kept=$$(mktemp -d); echo "What is found is kept in $$kept"; export RACES_KEPT="$$kept"; \
	$(BIN)/python -m pytest -q -n 0 -m slow tests/races/test_states.py; \
	$(BIN)/python -m tests.servers postgres -- $(BIN)/python -m pytest -q -n 2 -m slow tests/races/test_pairs.py

.PHONY: attacks
attacks: .venv/development  ## Attack every column of every table on both databases, write docs/measured/verify-attacks.md (some minutes)
	@$(BIN)/python -m tests.servers postgres -- $(BIN)/python -m pytest -q -m slow tests/verify
	@ATTACKS_WRITTEN_TO=docs/measured/verify-attacks.md $(BIN)/python -m pytest -q -m slow tests/verify

# As many mutants of each module: MOST=0 makes all of them (hours); MODULES=… names some, and writes no page.
.PHONY: mutants
mutants: .venv/development  ## Break settlement, coverage, rotation, quotes, transfers, tips, rights and verification, write docs/measured/mutants.md (some minutes; MOST=…, SEED=…)
	@$(BIN)/python -m tests.measure.mutation $(if $(MOST),--most $(MOST)) $(if $(SEED),--seed $(SEED)) $(MODULES)

.PHONY: machine
machine: .venv/development  ## Play every declared command in any order from many starts, write docs/measured/commands-played.md (some minutes)
	@MACHINE_WRITTEN_TO=docs/measured/commands-played.md $(BIN)/python -m pytest -q -n 0 -m slow tests/machine

.PHONY: fuzz-api
fuzz-api: .venv/development  ## Send made-up requests of every role to every operation of the API, write docs/measured/fuzz-api.md (some minutes; REQUESTS=…)
	@FUZZ_WRITTEN_TO=docs/measured/fuzz-api.md $(if $(REQUESTS),FUZZ_REQUESTS=$(REQUESTS)) $(BIN)/python -m pytest -q -m slow tests/api/test_fuzz.py

.PHONY: clauses
clauses: .venv/development  ## Prove every clause of the rule documents: run their tests, write docs/traceability
	@$(BIN)/python -m tests.traceability

.PHONY: clauses-fresh
clauses-fresh: .venv/development  ## Check that docs/traceability is what docs/clauses and the tests' marks say
	@$(BIN)/python -m tests.traceability --check

.PHONY: screenshots
screenshots: .venv/development  ## Take the pictures of README, docs and guides from a demo room (needs Chromium)
	@$(BIN)/python docs/screenshots.py

.PHONY: translations
translations: .venv/development  ## Collect texts for translators into cardroom/locale, and compile what they wrote (needs gettext)
	@$(THROWAWAY) CARDROOM_DATABASE_URL=sqlite:////dev/null $(BIN)/python manage.py makemessages --all \
	    --ignore '.venv/*' --ignore 'tests/*' --ignore 'docs/*' --no-location --no-wrap
	@$(THROWAWAY) CARDROOM_DATABASE_URL=sqlite:////dev/null $(BIN)/python manage.py compilemessages --ignore '.venv/*'

.PHONY: migration
migration: .venv/development  ## Write the migration of a change of models (APP=floor NAME=what_it_does); those of a release stay as they are
	@[ -n "$(APP)" ] && [ -n "$(NAME)" ] || { echo "Name both: make migration APP=floor NAME=what_it_does" >&2; exit 2; }
	@$(THROWAWAY) CARDROOM_DATABASE_URL=sqlite:////dev/null $(BIN)/python manage.py makemigrations "$(APP)" --name "$(NAME)" --no-header
	@$(BIN)/ruff check --fix --quiet cardroom/$(APP)/migrations; $(BIN)/ruff format --quiet cardroom/$(APP)/migrations

.PHONY: release-database
release-database: .venv/development  ## Keep a database of this version, or of a past one (OF=0.1.0), in tests/upgrades, which later versions are upgraded from (some minutes; once a release)
	@$(BIN)/python -m tests.upgrades $(OF)

.PHONY: format
format: .venv/development  ## Format the code, and apply ruff's safe fixes
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .

.PHONY: lock
lock: .venv/development  ## Compile requirements*.in into requirements*.txt, newest versions first
	@for name in requirements requirements-parquet requirements-dev; do \
	    $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url \
	        --python-version 3.11 --custom-compile-command "make lock" $$name.in --output-file $$name.txt || exit 1; done
