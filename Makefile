# make            build/dragoman, with the flags inside
# make run        demo data, keys and a server on 127.0.0.1:8080
# make run-cluster   PostgreSQL with a standby, three servers and HAProxy on 127.0.0.1:8080; PORT=... takes another
# make test       what must hold before a commit, in minutes
# make test-core  the part of it that needs no PostgreSQL, Chromium or npm
# make test-all   the rest: sanitizers, every test on SQLite and PostgreSQL, all pages, simulation, faults, several servers
# make long       the tests that take hours, for HOURS (4), a share for each part; ONLY="fuzz soak" takes these: tools/long --help
# make static     clang-tidy, gcc -fanalyzer and cppcheck over src/
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

HOURS  ?= 4

.PHONY: all deps run run-cluster test test-core test-all long static bench install dist deb test-package lint format clean
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

static: $(DATA_STAMP)
	@tools/install-deps build test-core static
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-static programs gcc -Dunity=off
	@tools/static build-static $(JOBS)

long: all
	@tools/install-deps build test-core test test-all cluster patroni
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-gcc all gcc
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-asan programs clang -Db_sanitize=address,undefined
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/test-build build-leaks programs gcc -Dc_args=-fsanitize=leak -Dc_link_args=-fsanitize=leak
	@BUILD=$(BUILD) REFERENCE=$(abspath $(MADE))/data/reference.ndjson tools/long $(HOURS) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

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
