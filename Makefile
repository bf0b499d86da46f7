# make            build/dragoman, with the flags inside
# make run        demo data, keys and a server on 127.0.0.1:8080
# make run-cluster   PostgreSQL with a standby, three servers and HAProxy on 127.0.0.1:8080; PORT=... takes another
# make test       what must hold before a commit, in minutes
# make test-core  the part of it that needs no PostgreSQL, Chromium or npm
# make test-all   the rest: sanitizers, every test on SQLite and PostgreSQL, all pages, simulation, faults, several servers
# make fault      the faults of `make test-all` with 200 kills and longer attacks
# make test-cluster  three servers on one PostgreSQL in earnest, an hour: SECONDS=300 for each scenario, AWAY=600 without the
#                 database, FAILOVERS=20 of Patroni; and what is heavy on PostgreSQL
# make pace       a curator's pace in the browser, thirty decisions a minute: MINUTES=10
# make fuzz       fuzzes what reads bytes from outside, TIME seconds for each target (60), and says which lines it reaches
# make seams      unit tests of http, server, matching and store with delays where threads meet: SEEDS=200
# make static     clang-tidy, gcc -fanalyzer and cppcheck over src/
# make campaign   what is promised put to the test for HOURS: simulator, fuzzing, kills, every nth failure, leaks, a soak, several servers
# make mutate     a hundred slips of one line each, and which of them no test finds: an hour or two
# make bench      the figures of docs/performance.md
# make install    to PREFIX (/usr/local)
# make dist       a tarball that builds without git and npm, in BUILD/dist
# make deb        the Debian packages of it, in BUILD/deb
# make test-package  builds, installs, upgrades and purges them in clean roots of RELEASES (bookworm trixie); needs root, takes half an hour
#
# DATA=no builds without the demo data (and the npm registry it comes from): no flags, a small base for synth,
# no viewer of /docs.

BUILD  ?= build
PREFIX ?= /usr/local
PORT   ?= 8080
DEMO   ?= demo
DATA   ?= yes
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

# A tarball of `make dist` brings what is made of npm's packages.
MADE := $(if $(wildcard prebuilt/data/done),prebuilt,$(BUILD))
MESON_DATA := $(if $(filter yes,$(DATA)),-Ddata=$(abspath $(MADE)/data) -Dviewer=$(abspath $(MADE)/viewer))
DATA_STAMP := $(if $(filter yes,$(DATA)),$(MADE)/data/done $(MADE)/viewer/done)
NPM        := $(if $(filter yes,$(DATA)),$(if $(filter $(BUILD),$(MADE)),npm))
VERSION    := $(shell tools/version)
RELEASES   ?= bookworm trixie

TIME   ?= 60
HOURS  ?= 1
SECONDS   ?= 300
AWAY      ?= 600
FAILOVERS ?= 20
MINUTES   ?= 10
SEEDS     ?= 200

.PHONY: all deps run run-cluster test test-core test-all test-cluster fault pace fuzz seams static campaign mutate bench install dist deb test-package lint format clean
all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) programs

deps:
	@tools/install-deps build $(NPM) $(PACKAGES)

$(BUILD)/data/done: $(wildcard data/*.js data/*/*.js data/package-lock.json) | deps
	@tools/build-data $(BUILD)/data
	@touch $@

$(BUILD)/viewer/done: tools/build-viewer web/viewer/package-lock.json | deps
	@tools/build-viewer $(BUILD)/viewer
	@touch $@

$(BUILD)/build.ninja: meson.build meson_options.txt $(DATA_STAMP) | deps
	@if [ -f $@ ]; then meson configure $(BUILD) $(MESON_DATA) && touch $@; \
	else meson setup $(BUILD) --prefix $(PREFIX) $(MESON_DATA); fi

run:
	@tools/demo check $(DEMO) $(PORT)
	@[ -f $(BUILD)/dragoman ] || echo "The first time takes three to four minutes on two cores: Debian packages, demo data, compiling."
	@$(MAKE) --no-print-directory all PACKAGES=run
	@tools/demo $(BUILD)/dragoman $(DEMO) $(PORT) $(MADE)/data/reference.ndjson

run-cluster: PACKAGES = run cluster
run-cluster: all
	@tools/run-cluster $(BUILD)/dragoman $(PORT) $(MADE)/data/reference.ndjson

test: $(DATA_STAMP)
	@tools/install-deps build test-core test
	@tools/test quick $(BUILD) $(JOBS)

test-core:
	@tools/install-deps build test-core
	@tools/test core $(BUILD) $(JOBS)

test-all: $(DATA_STAMP)
	@tools/install-deps build test-core test test-all cluster
	@tools/test all $(BUILD) $(JOBS)

fault: all
	@tools/install-deps build test-core test test-all
	@DRG_KILLS=200 DRG_PULLS=10 DRG_ATTACK_SECONDS=20 DRG_BIN=$(abspath $(BUILD))/dragoman /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider tests/fault

test-cluster: all
	@tools/install-deps build test-core test test-all cluster patroni
	@DRG_CLUSTER_SECONDS=$(SECONDS) DRG_CLUSTER_AWAY=$(AWAY) DRG_CLUSTER_FAILOVERS=$(FAILOVERS) DRG_BIN=$(abspath $(BUILD))/dragoman /usr/bin/python3 -m pytest -q -s -rs -p no:cacheprovider tests/cluster
	@DRG_BIN=$(abspath $(BUILD))/dragoman tests/pg_cluster /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/api -m "store and heavy" --own-once

pace: all
	@tools/install-deps build test-core test test-all
	@DRG_PACE_SECONDS=$$(($(MINUTES) * 60)) DRG_BIN=$(abspath $(BUILD))/dragoman tests/web/run pace

fuzz:
	@tools/install-deps build test-core test test-all
	@tests/fuzz/run $(TIME) $(JOBS)
	@JOBS=$(JOBS) tests/fuzz/coverage --least 90

seams: $(DATA_STAMP)
	@tools/install-deps build test-core
	@BUILD=$(BUILD) tests/seams/run $(SEEDS) --jobs $(JOBS)

static: $(DATA_STAMP)
	@tools/install-deps build test-core static
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-static programs gcc -Dunity=off
	@tools/static build-static $(JOBS)

campaign: $(DATA_STAMP)
	@tools/install-deps build test-core test test-all cluster
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-gcc all gcc
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-asan programs clang -Db_sanitize=address,undefined
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-leaks programs gcc -Dc_args=-fsanitize=leak -Dc_link_args=-fsanitize=leak
	@tools/campaign $(HOURS) --jobs $(JOBS)

mutate:
	@tools/install-deps build test-core
	@tools/reach.py --jobs $(JOBS)
	@tools/mutate --jobs $(JOBS)

bench: all
	@tools/install-deps build bench
	@bench/run $(BUILD)

install: PACKAGES = install
install: all
	@meson setup --reconfigure $(BUILD) --prefix $(abspath $(PREFIX)) >/dev/null
	@ninja -C $(BUILD) programs
	@meson install -C $(BUILD) --no-rebuild

dist: $(DATA_STAMP)
	@tools/make-dist $(BUILD) $(VERSION) $(BUILD)/dist

deb: dist
	@tools/install-deps build deb
	@tools/make-deb $(BUILD)/dist/dragoman-$(VERSION).tar.gz $(BUILD)/deb

test-package: dist
	@tools/test-package $(BUILD)/dist/dragoman-$(VERSION).tar.gz $(RELEASES)

lint:
	@tools/lint

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf $(BUILD) build-gcc build-static build-asan build-tsan build-seams
