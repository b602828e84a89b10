# Every day
#   make demo            generate the default preset and replay recorded traces on all engines
#   make test            before sending a change: setup, format, vet, staticcheck, build, tests, committed RTL
#   make test-long       the longest tests: proofs, synthesis, linters on random designs, mutants, builds for other
#                        systems. CI runs both
#   make rtl             regenerate rtl/
#   make clean           remove bin/ and out/
#
# Tools
#   make setup           install missing Debian packages
#   make tools           Debian's packages for boards; on Debian 12 the ECP5 and Gowin tools from Debian 13, in a
#                        directory of their own
#
# Long checks (minutes to hours)
#   make cosim-long      10^7 cycles of random stimulus for each preset
#   make cosim-random    200 random designs of every kind against the golden model; pairs of choices that they miss
#   make traces-long     every row of every trace on every engine, in both modes
#   make lint-long       all random designs through the three linters instead of a tenth
#   make board-long      simulated boards: every trace, packets, noise on the line
#   make netlist-long    netlists of every preset and family against the golden model; traces and packets on netlists
#                        (hours on two cores)
#   make prove-long      all proofs (about half an hour)
#   make mutate          200 one-bit mutants each of hpcc_core, csig_switch (full, folded) and every divider; directed
#                        mutants of other pipelines
#   make explore-long    an exploration with place and route, and checks of its results
#   make bitstreams-ecp5 the ulx3s bitstreams as a test, if the ECP5 tools are installed (20 to 30 minutes of processor
#                        time when nothing is cached)
#
# Measurements and the files made from them
#   make bench           benchmarks; cells of the presets beside their budgets
#   make budgets         rewrite the budgets: cells; ROUTE=1: also the presets' frequencies (about an hour);
#                        ROUTE=modules: also every module's (hours)
#   make cells           cells of each module of a preset (CELLS=nic-line, FAMILY=ecp5)
#   make tables          the tables of docs/cells.md
#   make dividers        place and route every divider; the tables of docs/performance.md
#   make explore         the picture of docs/explore.md (minutes)
#   make bitstreams      out/bitstreams: nic-serial and csig-4p for hx8k and icebreaker, nic-line and csig-64p for
#                        ulx3s, two at a time
.PHONY: demo tools explore explore-long test test-long setup build format vet staticcheck unit long portable rtl \
	check-rtl bench budgets cosim-long cosim-random mutate traces-long bitstreams bitstreams-ecp5 board-long \
	netlist-long dividers lint-long prove-long tables cells clean

GO ?= go
PRESETS := nic-line nic-serial nic-table nic-aimd csig-64p csig-4p int-switch
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The build must not depend on the environment: no user flags, no workspace, no stamp that needs a working git.
export GOFLAGS := -buildvcs=false -mod=readonly
export GOWORK := off

setup:
	@scripts/setup

build: setup
	@$(GO) build -o bin/hpccgen ./cmd/hpccgen

tools: setup
	@scripts/tools

demo: build
	@$(GO) run ./scripts/demo

# The packages with the longest tests, run by make test-long: proofs, synthesis, linters on random designs, mutants, test
# benches, packets on every engine, and the constants of vgen in every tool.
LONG := synth synth/budget verify/formal verify/lint verify/mutate verify/testbench verify/packets rtlgen/vgen

# With CI=true a missing tool is a failure, not a reason to skip.
test: ; @scripts/parts setup format vet staticcheck build unit check-rtl
test-long: ; @scripts/parts setup long portable bitstreams-ecp5

format:
	@files=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$files" ]; then echo "not formatted; run gofmt -w on:"; echo "$$files"; exit 1; fi

# Less frequent garbage collection saves a quarter of the processor time of pure Go tests, for tens of megabytes.
vet staticcheck unit long: export GOGC := 400

vet: setup
	$(GO) vet ./...

staticcheck: setup
	$(GO) run $(STATICCHECK) ./...

# The target vet includes the checks of go test.
unit: setup
	CI=true $(GO) test -vet=off -timeout 20m $$($(GO) list ./... | grep -vxF "$$(printf 'github.com/hdlpkg/hpccgen/%s\n' $(LONG))")

long: setup
	CI=true $(GO) test -vet=off -timeout 40m $(addprefix ./,$(LONG))

# What has no CI of its own is built: nothing is run.
portable: setup
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/hpccgen
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/hpccgen

rtl: setup
	@$(GO) build -o bin/hpccgen ./cmd/hpccgen
	@for p in $(PRESETS); do bin/hpccgen generate --config $$p --out rtl/$$p >/dev/null || exit 1; echo "rtl/$$p"; done

check-rtl: build
	@for p in $(PRESETS); do bin/hpccgen generate --config $$p --check rtl/$$p || { echo "run: make rtl"; exit 1; }; done

mutate: setup
	$(GO) run ./scripts/mutate
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 120m -run SwitchMutationsInOtherPipelines ./verify/cosim

bench: setup
	$(GO) run ./scripts/bench
	$(GO) run ./scripts/budgets
	$(GO) test -run '^$$' -bench . -benchtime 1s ./model/... ./rtlgen/... ./verify/...

budgets: setup
	$(GO) run ./scripts/budgets -write $(if $(ROUTE),-route) $(if $(filter modules,$(ROUTE)),-modules)

bitstreams: build
	@printf '%s\n' nic-serial hx8k csig-4p hx8k nic-serial icebreaker csig-4p icebreaker nic-line ulx3s csig-64p ulx3s | \
	xargs -P 2 -n 2 sh -c 'd=out/bitstreams/$$1-$$0; mkdir -p $$d && bin/hpccgen synth --config $$0 --board $$1 --out $$d --json $$d/report.json >$$d/report.txt 2>&1; s=$$?; cat $$d/report.txt; exit $$s'

bitstreams-ecp5: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 120m -run 'TestPresetBitstreams/.*_ulx3s' ./synth

cosim-long: build
	@for p in $(PRESETS); do bin/hpccgen cosim --config $$p --cycles 1e7 --jobs 2 --seed 1 || exit 1; done

cosim-random: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 240m -run 'RandomDesigns|PairsOfLongSets' ./verify/cosim ./config/configtest

traces-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 60m ./verify/law/...

lint-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 60m ./verify/lint ./rtlgen/vgen

board-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 90m ./verify/link ./verify/boardsim

netlist-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 240m -run Netlist ./verify/engine ./verify/cosim ./verify/law/... ./verify/packets

dividers: setup
	@$(GO) run ./scripts/dividers -write

prove-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 90m ./verify/formal

explore: build
	@bin/hpccgen explore --config docs/explore/nic_25g.yaml --out out/explore --part hx8k --quick --orders serial \
		--dividers base,restoring_serial,restoring_pipelined,reciprocal_table --precisions 1e-2,1e-3
	@cp out/explore/pareto.svg docs/explore/pareto.svg

explore-long: setup
	HPCCGEN_LONG=1 CI=true $(GO) test -count=1 -v -timeout 60m -run Explore ./cmd/hpccgen

tables: setup
	@$(GO) run ./scripts/cells --rewrite docs/cells.md

CELLS ?= nic-line
FAMILY ?= ecp5
cells: build
	@$(GO) run ./scripts/cells --config $(CELLS) --family $(FAMILY)

clean:
	rm -rf bin out
