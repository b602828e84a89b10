package hpcc

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// TestNetlistGivesTheSameBytes replays on the cells that synthesis makes: part of a trace on nic-serial for an HX8K;
// with HPCCGEN_LONG=1 every trace on nic-line for an ECP5, and what fits on nic-serial for each family. One step at a
// time a row takes a hundred cycles of a netlist, so no more than 2,000 rows of a trace are replayed so.
func TestNetlistGivesTheSameBytes(t *testing.T) {
	needs(t, "yosys", "verilator", "g++")
	compare := func(t *testing.T, name, family, trace string, limit int) {
		cfg := preset(t, name)
		for _, resync := range []bool{false, true} {
			m := replay.Options{Trace: tracePath(trace), Limit: limit, Resync: resync}
			if resync && (limit == 0 || limit > 2000) {
				m.Limit = 2000
			}
			o := m
			o.Engine, o.Hardware = "netlist", engine.Hardware{Family: family}
			assert.True(t, output(t, cfg, m) == output(t, cfg, o), "resync %v", resync)
		}
	}
	t.Run("nic-serial, ice40", func(t *testing.T) { compare(t, "nic-serial", "ice40", "a_incast2_mi5", 150) })
	if os.Getenv("HPCCGEN_LONG") != "1" {
		return
	}
	for _, family := range engine.Families() {
		t.Run("nic-serial, "+family, func(t *testing.T) { compare(t, "nic-serial", family, "a_incast2_mi5", 5000) })
	}
	for _, trace := range allTraces {
		t.Run("nic-line, ecp5, "+trace, func(t *testing.T) { compare(t, "nic-line", "ecp5", trace, 0) })
	}
}
