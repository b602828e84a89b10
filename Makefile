# make demo        generate the default preset and replay real traces on all engines
# make test        what to run before a change is sent: setup, format, vet, staticcheck, build, tests, committed RTL
# make test-long   what takes longest: proofs, synthesis, linters on random designs, mutants, builds for other systems.
#                  CI runs both
# make rtl         regenerate rtl/
# make bench       benchmarks; cells of the presets beside their budgets
# make budgets     write the budgets of cells anew (ROUTE=1: of the presets' frequencies too, about an hour; ROUTE=modules: of each module's, hours)
# make mutate      200 one-bit changes of hpcc_core, of csig_switch (full, folded) and of each divider: how many the comparison notices; directed mutants of other pipelines
# make cosim-long  10^7 cycles of random stimulus for each preset
# make traces-long every row of every trace on every engine, in both ways
# make cosim-random 200 random designs of every kind against the golden model, and the pairs of choices that they leave out
# make lint-long   all random designs through the three linters, not a tenth of them
# make board-long  boards in simulation: every trace, packets, noise on the line
# make netlist-long the netlist of every preset for every family against the golden model, all traces and packets on netlists (hours on two cores)
# make dividers    place and route every divider, write the tables of docs/performance.md
# make prove-long  all proofs, those that take minutes too (about half an hour)
# make tools       what Debian has for boards; on Debian 12 the tools for ECP5 and Gowin from Debian 13, in a directory of their own
# make explore     the picture of docs/explore.md (minutes)
# make explore-long an exploration with place and route, and what comes of it
# make bitstreams  out/bitstreams: nic-serial and csig-4p for hx8k and icebreaker, nic-line and csig-64p for ulx3s, two at a time
# make bitstreams-ecp5 those for ulx3s, as a test: where the tools for the ECP5 are; CI runs it (20 to 30 minutes of processor time when nothing is cached)
# make tables      the tables of modules in docs/cells.md
# make cells       cells of each module of a preset (CELLS=nic-line, FAMILY=ecp5)
.PHONY: demo tools explore explore-long test test-long setup build format vet staticcheck unit long portable rtl check-rtl bench budgets cosim-long cosim-random mutate traces-long bitstreams bitstreams-ecp5 board-long netlist-long dividers lint-long prove-long tables cells clean

GO ?= go
PRESETS := nic-line nic-serial nic-table nic-aimd csig-64p csig-4p int-switch
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The surroundings must not decide what is built: no flags of the user, no workspace, no stamp that needs a working git.
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

# Packages whose tests take longest: proofs, synthesis, linters on random designs, mutants. They are left to make
# test-long.
LONG := synth synth/budget verify/formal verify/lint verify/mutate

# A tool that is missing is a failure here, not a reason to skip.
test: ; @scripts/parts setup format vet staticcheck build unit check-rtl
test-long: ; @scripts/parts setup long portable bitstreams-ecp5

format:
	@files=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$files" ]; then echo "not formatted; run gofmt -w on:"; echo "$$files"; exit 1; fi

# A collector that runs less often takes a quarter of the processor time off tests that are Go alone, for tens of megabytes.
vet staticcheck unit long: export GOGC := 400

vet: setup
	$(GO) vet ./...

staticcheck: setup
	$(GO) run $(STATICCHECK) ./...

# The target vet has all that go test would look at again.
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
