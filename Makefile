# Each target sets up what it needs in .venv; only python3 (3.11 or later), its venv module and make are required.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
GAME ?= zong-heng
RELEASE ?= bookworm
# The programs that tests start would otherwise compile all that they import, each time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play demo test tests test-whole test-examples quick sweep crash fuzz test-systemd test-pi test-cuts card test-card test-home test-deb lint lint-page lint-firmware hooks accuracy accuracy-examples mutants endure helpers memory bench bench-page bench-engine bench-club bench-crowd bench-linked calibrate puzzles words man types lock architecture figures picture pictures firmware flash site dist compiled-wheel deb clean scheduler worker reading sensitivity

help:        ## list the targets
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.venv/run: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or later is needed: install it, or say make PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv (once) ..."
	@$(PIP) .
	@touch $@

.venv/dev: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or later is needed: install it, or say make PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv (once) ..."
	@$(PIP) '.[dev,pi,ws281x]' 2>.venv/pip.log || { $(PIP) '.[dev]' && \
		echo "No compiler or no Python headers: the tests of the real strip libraries will be skipped."; }
	@touch .venv/run $@

play: .venv/run        ## play in a browser, without any hardware: make play GAME=zig-zag; hands may also be piped in
	@if [ -t 0 ]; then $(BIN)/tablelight play $(GAME) --page; else $(BIN)/tablelight play $(GAME); fi

demo: .venv/run        ## watch simulated hands play a game: make demo GAME=zhizhu
	@$(BIN)/tablelight demo $(GAME)

test: .venv/dev        ## lint, types and the tests, but for those of the program as a whole; some minutes
	@$(MAKE) --no-print-directory -j 2 lint tests

tests: .venv/dev
	$(BIN)/pytest -n 3 --dist worksteal -m "not whole and not long"

test-whole: .venv/dev        ## the tests of the program as a whole: pages in browsers, evenings of hands, linked tables
	$(BIN)/pytest -n 3 --dist worksteal -m "whole and not long"

quick: .venv/dev        ## the tests without the slow ones
	$(BIN)/pytest -n 2 -m "not whole and not slow and not long"

test-examples: .venv/examples        ## the tests of the games of examples/
	cd examples/more-games && ../../$(BIN)/pytest
	$(BIN)/pytest examples/chess/tests

sweep: .venv/dev        ## the longest tests: every illegal doing 200 times in each game, deepest perft, lines that fail
	$(BIN)/pytest -n 2 -m long

crash: .venv/dev        ## kill the program at every system call of the record, and cut its power
	$(BIN)/pytest -s -m long tests/records/test_record_crash.py tests/records/test_record_power.py

.venv/fuzz .venv/peers .venv/site: .venv/%: .venv/dev
	@$(PIP) '.[$*]'
	@touch $@

fuzz: .venv/fuzz        ## let a fuzzer invent all that is read: make fuzz [TARGET=config] [SECONDS=60]
	$(BIN)/python -m tests.fuzz $(or $(TARGET),all) $(or $(SECONDS),60)

test-systemd: .venv/dev        ## an evening under the real systemd, in a container; needs root
	sh tests/systemd/boot.sh

test-pi: .venv/dev        ## an evening in a virtual Raspberry Pi of arm64, quarter of an hour: sudo make test-pi [SHORT=1]; needs QEMU
	@sh tests/pi/build.sh
	@PYTHONPATH=. $(BIN)/python -m tests.pi.run $(if $(SHORT),short,whole)

test-cuts: .venv/dev        ## cut the virtual Pi's power in mid-game: sudo make test-cuts [CUTS=200] [UNSAFE=1]; goes on where it was stopped
	@sh tests/pi/build.sh
	@PYTHONPATH=. $(BIN)/python -m tests.pi.run $(if $(UNSAFE),unsafe,cuts) $(CUTS)

card: .venv/dev        ## make a memory card for a Raspberry Pi, build/pi/card.img; not tried on one: sudo make card
	@sh tests/pi/build.sh card

test-card: card        ## start a copy of it in QEMU's Raspberry Pi 3B, and see that it is set up by its file
	@PYTHONPATH=. $(BIN)/python -m tests.pi.card

HOMEASSISTANT := build/homeassistant/bin/python
$(HOMEASSISTANT):
	$(PYTHON) -m venv build/homeassistant
	$@ -m pip install --quiet --disable-pip-version-check homeassistant==2024.3.3 \
		paho-mqtt==1.6.1 janus==1.0.0 || { rm -r build/homeassistant; exit 1; }

test-home: .venv/dev $(HOMEASSISTANT)        ## Home Assistant, installed under build/, judges what a table tells it; needs mosquitto
	HOMEASSISTANT=$(HOMEASSISTANT) $(BIN)/pytest tests/home/by_homeassistant.py

firmware:        ## build the micro-controller's firmware (avr-gcc): both kinds of table
	@$(MAKE) --no-print-directory -C hardware/mcu

flash:        ## put it on a board: make flash PORT=/dev/ttyUSB0 [FIRMWARE=pits]
	@$(MAKE) --no-print-directory -C hardware/mcu flash

lint: .venv/dev        ## ruff and mypy; the page by tsc and eslint, the firmware by cppcheck, where npm and cppcheck are
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=examples/more-games $(BIN)/mypy --explicit-package-bases examples/more-games/more_games
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-page; else $(call skipped,npm,page); fi
	@if command -v cppcheck >/dev/null; then $(MAKE) --no-print-directory lint-firmware; else $(call skipped,cppcheck,firmware); fi

# A tool that is missing is no fault, but where nothing may be skipped: STRICT=1.
skipped = echo "$(1) is missing: the $(2) is not checked"$(if $(STRICT),; exit 1)

lint-page: node_modules/.package-lock.json
	npm run --silent lint

lint-firmware:
	$(MAKE) --no-print-directory -C hardware/mcu check
	$(MAKE) --no-print-directory -C tests/firmware/chip check

hooks: .venv/dev        ## let git check each commit as make lint does
	$(BIN)/pre-commit install

node_modules/.package-lock.json: package.json package-lock.json
	@npm ci --silent --no-audit --no-fund
	@touch $@

# They go on where they were cut off. With RESULTS, a folder of one's own, nothing is published; with CLUSTER, the
# address of a Dask scheduler, its workers play.
published = $(if $(SHARE),--share $(SHARE)) $(if $(RESULTS),--results $(RESULTS)) $(cluster)
cluster = $(if $(CLUSTER),--cluster $(CLUSTER))

scheduler: .venv/dev        ## let the computers of a long run find each other, at port 8786
	@PYTHONPATH=. $(BIN)/dask scheduler --no-dashboard

worker: .venv/dev        ## play for the long runs of a Dask scheduler, on any number of computers: make worker CLUSTER=tcp://HOST:8786
	@test -n "$(CLUSTER)" || { echo "Say where the scheduler is: make worker CLUSTER=tcp://HOST:8786"; exit 1; }
	@PYTHONPATH=. $(BIN)/dask worker $(CLUSTER) --nthreads 1 --nworkers -1

reading: .venv/dev        ## how people with habits are read at the physical table: make reading [SHARE=0.05] [RESULTS=folder]
	@$(BIN)/python -m benchmarks.reading $(published)
	@$(BIN)/python -m benchmarks.reading --fault $(published)
	@$(if $(RESULTS),,$(MAKE) --no-print-directory figures)

sensitivity: .venv/dev        ## how much hangs on each constant, at half and at double: make sensitivity [SHARE=0.02] [RESULTS=folder]
	@$(BIN)/python -m benchmarks.sensitivity $(published)
	@$(if $(RESULTS),,$(MAKE) --no-print-directory figures)

accuracy: .venv/dev        ## how often the table is right, beside two other ways of reading: make accuracy [GAMES=24] [TURNS=100]
	@$(BIN)/python -m benchmarks.accuracy $(if $(GAMES),--games $(GAMES)) $(if $(TURNS),--turns $(TURNS))

.venv/examples: .venv/dev examples/more-games/pyproject.toml examples/chess/pyproject.toml
	@$(PIP) examples/more-games --editable examples/chess
	@touch $@

accuracy-examples: .venv/examples        ## the same for the games of examples/: make accuracy-examples [TURNS=300]
	@$(BIN)/python -m benchmarks.accuracy --others $(or $(TURNS),300)

mutants: .venv/dev        ## change the code where no test may notice: make mutants [AREA=games] [COUNT=20] [SEED=1]
	$(BIN)/python -m tests.mutants $(AREA) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

endure: .venv/dev        ## a month of evenings and 10,000 losses of the serial line: nothing may grow; half an hour
	@$(BIN)/python -m benchmarks.endurance

helpers: .venv/dev        ## kill and stop page, engine, speech and report in mid-game: make helpers [LOSSES=500]; half an hour
	@$(BIN)/python -m benchmarks.helpers $(if $(LOSSES),--losses $(LOSSES))

memory: .venv/dev        ## what daemon, page, engine and report hold together; ten minutes
	@$(BIN)/python -m benchmarks.memory

bench: .venv/dev        ## from sensor level to finished picture; what sensors and lights cost
	$(BIN)/python -m benchmarks.latency
	@echo
	$(BIN)/python -m benchmarks.hardware
	@echo
	$(BIN)/python -m benchmarks.mcu
	@echo
	$(BIN)/python -m benchmarks.page

bench-page: .venv/dev        ## what somebody at the page sees: light after a touch, motion, first paint, weight; two minutes
	@$(BIN)/python -m benchmarks.browser

bench-engine: .venv/peers        ## the engine: speed beside python-chess and OpenSpiel, forced wins, strength (an hour)
	$(BIN)/python -m benchmarks.engine
	@echo
	$(BIN)/python -m benchmarks.thinking
	@echo
	$(BIN)/python -m benchmarks.forced
	@echo
	$(BIN)/python -m benchmarks.strength $(cluster)

calibrate: .venv/dev        ## whether the engine's values come true: make calibrate [SHARE=0.1] [RESULTS=folder]; six minutes, compiled
	@$(BIN)/python -m benchmarks.calibration $(published)

bench-club: .venv/dev        ## two tables play through a broker that dies now and then: make bench-club [TURNS=40] [KILLS=1000] [MINUTES=25]
	@$(BIN)/python -m benchmarks.club $(if $(TURNS),--turns $(TURNS)) $(if $(KILLS),--kills $(KILLS) --every 1.5) $(if $(MINUTES),--minutes $(MINUTES))

bench-crowd: .venv/dev        ## what a broker bears: ten whole tables and up to a thousand light ones; ten minutes: make bench-crowd [SECONDS=5]
	@$(BIN)/python -m benchmarks.crowd $(if $(SECONDS),--seconds $(SECONDS))

bench-linked: .venv/dev        ## what a line to another table costs this one, in time and memory; seven minutes: make bench-linked [ROUNDS=2]
	@$(BIN)/python -m benchmarks.linked $(if $(ROUNDS),--rounds $(ROUNDS))

puzzles: .venv/dev        ## find the puzzles of the games anew and write them beside the rules; ten minutes
	$(BIN)/python -m benchmarks.puzzles --write

figures: .venv/dev        ## write the figures of README and docs from the results that the benchmarks have saved
	$(BIN)/python -m docs.figures
	$(BIN)/python -m docs.package_readme

words: .venv/dev        ## bring the catalogues of all languages up to date
	$(BIN)/python -m docs.catalogues

man: .venv/dev        ## write the man page from the commands themselves: docs/tablelight.1
	$(BIN)/python -m docs.manual

types: .venv/dev        ## write the types of what passes between the server and browsers, and the schemas for programs
	$(BIN)/python -m docs.page_types
	$(BIN)/python -m docs.api_schema

lock: .venv/dev        ## pin what the service's installer and Debian's package bring, with hashes: systemd/requirements*.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCK) $(foreach extra,pi club completion picture print,--extra $(extra)) --no-emit-package lgpio --no-emit-package spidev -o systemd/requirements.txt pyproject.toml
	@for each in lgpio spidev rpi_ws281x; do sed -n "s/.*\"\($$each>=[^;\"]*\).*/\1/p" pyproject.toml | \
		$(LOCK) --no-deps -o systemd/requirements-$$each.txt - || exit 1; done

LOCK = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

architecture: .venv/dev        ## draw which room of the program knows which into docs/architecture.svg
	$(BIN)/python -m docs.architecture

picture: .venv/dev        ## draw the pictures of README and docs from real scenes
	$(BIN)/python docs/picture.py
	$(BIN)/python -m docs.moving
	$(BIN)/python docs/overlays.py
	$(BIN)/python -m docs.wirings
	$(BIN)/python -m docs.steps
	TABLELIGHT_PICTURES=docs $(BIN)/pytest -m long tests/browser/test_pictures.py

pictures: .venv/dev        ## take the pictures anew with which tests compare the page: tests/browser/looks/
	@rm -f tests/browser/looks/*.webp
	TABLELIGHT_RENEW=1 $(BIN)/pytest -n 2 tests/browser/test_views.py

site: .venv/site        ## build the documentation as a site into build/site, every link checked
	@$(BIN)/python -m docs.site

dist: .venv/dev        ## build what is published into build/dist, see that it is whole, install it and run it; two minutes
	@$(BIN)/python -m tests.packages.distribution build/dist
	@TABLELIGHT_DIST=build/dist $(BIN)/pytest -m "long or not long" tests/packages

compiled-wheel: .venv/dev        ## of the wheel in build/dist one for this kind of computer, the engine compiled: build/wheels; two minutes
	@$(BIN)/python -m tests.packages.compiled_wheel $(wildcard build/dist/*.whl) build/wheels

deb: .venv/dev        ## build the Debian package into build/deb: make deb [RELEASE=bookworm] [ARCH=amd64]; needs root
	@sh debian/build.sh $(RELEASE) $(ARCH)

test-deb: deb        ## install, use and remove it in a small Debian: make test-deb [RELEASE=trixie] [ARCH=arm64]; needs root
	@sh tests/packages/deb.sh $(RELEASE) $(ARCH)

clean:        ## remove what the targets made
	rm -rf .venv node_modules build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
