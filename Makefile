# SPDX-License-Identifier: Apache-2.0
# Every target is one script in Scripts/; read those for what happens.

.DEFAULT_GOAL := help
.PHONY: help try try-sync test busy faults damage simulate secret-service circle bench bench-circle fuzz coverage api check format release install uninstall deb deb-test dist dist-test tag docs docs-test pictures clean

PREFIX ?= /usr/local

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

try: ## install what is missing, build, and show the main job on a throw-away keychain
	@Scripts/try.sh

try-sync: ## three machines share items over a throw-away PostgreSQL: join, change, lock, lose one, recover by words
	@Scripts/try-sync.sh

test: ## everything CI runs: gates, tests, examples, a short benchmark
	@Scripts/test.sh

busy: ## the tests alone, beside thirty busy loops and, as root, a llaverod of the system: an hour
	@Scripts/busy-test.sh

faults: ## each call fails, is cut short or torn, or is the last before a kill or a power cut, in every operation: an hour or two
	@Scripts/faults.sh

damage: ## every byte of a keychain's files is damaged in turn; what it answers then, and what a repair brings back: a quarter of an hour
	@Scripts/damage.sh

simulate: ## ten thousand circles of devices in memory, by seeds (SEEDS=), with an honest server and lying ones, and a hundred on PostgreSQL: half an hour
	@Scripts/simulate.sh

secret-service: ## programs that use the Secret Service, and their libraries' suites, long forms, speed beside gnome-keyring, Chromium and Seahorse on a screen: a quarter of an hour
	@Scripts/secret-service.sh --long
	@Scripts/secret-service.sh --bus dbus-broker
	@Scripts/secret-service-programs.sh

circle: ## machines that share a circle over PostgreSQL, with all that a server, a stolen role, a clone or a kill can do to them: a quarter of an hour
	@Scripts/circle-test.sh --long

bench: ## full benchmark in release, beside the peers; writes results.json
	@Scripts/bench.sh

bench-circle: ## what a circle of a thousand machines and a hundred thousand items costs, over PostgreSQL: ten minutes
	@Scripts/bench.sh --circle 1000 100000

fuzz: ## feed every parser of untrusted bytes for five minutes each
	@Scripts/fuzz.sh

coverage: ## lines of each target that tests reach, in .build/coverage.txt; make coverage ONE=KeychainStoreTests FILTER=Check
	@Scripts/coverage.sh "$(ONE)" "$(FILTER)"

api: ## what would break programs that use the public modules, against the last release
	@Scripts/api.sh

check: ## the gates only: strict build, format, rules of the sources, documents that say what the code does
	@Scripts/check.sh

format: ## rewrite the sources in the house format
	@Scripts/format.sh

release: ## build the programs as they are installed, with Swift's runtime inside them
	@Scripts/install.sh --build

install: export PREFIX := $(PREFIX)
install: export DESTDIR := $(DESTDIR)
install: ## install programs, units and documents below PREFIX (/usr/local), in DESTDIR
	@Scripts/install.sh

uninstall: export PREFIX := $(PREFIX)
uninstall: export DESTDIR := $(DESTDIR)
uninstall: ## remove what was installed, but for what somebody changed; keychains stay
	@Scripts/uninstall.sh

deb: ## build a package for this Debian, in .build/deb
	@Scripts/deb.sh

deb-test: ## install the packages in a fresh Debian, compile clients in C, upgrade under daemons, remove; as root, with debootstrap
	@Scripts/deb-test.sh

dist: ## all files of a release, in .build/dist: sources, packages, repository for apt (SIGNING_KEY), SBOM, sums
	@Scripts/install-packages.sh build tpm release
	@Scripts/dist.sh

dist-test: ## make the archive and the packages twice, compare, validate the SBOM, build the container
	@Scripts/install-packages.sh build tpm release
	@Scripts/dist-test.sh

tag: ## give this commit the signed tag of its version, if all tests passed on it here
	@Scripts/tag.sh

docs: ## the documents as a site of files in .build/site: guide, API, commands, plots, a search
	@Scripts/docs.sh

docs-test: ## make that site, open it and the page of `llavero report` in a headless Chromium; look at links, accessibility, search
	@Scripts/docs.sh
	@Scripts/pages-test.sh --site .build/site
	@Scripts/pages-test.sh

pictures: ## draw the pictures of `llavero browse` in the documents anew, by tmux
	@Scripts/browse-test.sh --pictures Docs/Pictures

clean: ## remove what the builds left
	rm -rf .build Benchmarks/.build results.json
