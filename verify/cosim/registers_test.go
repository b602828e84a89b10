package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Engines with registers, in both forms and of both laws.
const (
	smallRegisters = "design: nic\nlaw: aimd\nname: registers\nflows: 100\nprofiles: 2\nsequence_bits: 24\n" +
		"counter_bits: 40\nformats: {window: UQ24.10, inv_t: UQ-3.12, rate: UQ8.4}\nbus: axi_lite\n"
	serialRegisters = "design: nic\nname: registers\nflows: 6\nprofiles: 2\nhops: {max: 2, order: serial}\nmode: receiver\n" +
		"reset: async_low\nbus: axi_lite\n"
	parallelRegisters = "design: nic\nname: registers\nflows: 12\nhops: {max: 2}\nreset: async_low\nbus: axi_lite\n"
)

// Lockstep on the bus: what a source offers on tw, cw and cr comes as accesses, between others.
func TestEnginesWithRegisters(t *testing.T) {
	needs(t, "verilator", "g++", "iverilog")
	for _, c := range []struct {
		name, yaml, engine string
		cycles             int64
	}{
		{"aimd", smallRegisters, "go", 60_000},
		{"aimd", smallRegisters, "verilator", 2_000_000},
		{"aimd", smallRegisters, "icarus", 10_000},
		{"serial", serialRegisters, "go", 20_000},
		{"serial", serialRegisters, "verilator", 500_000},
		{"parallel", parallelRegisters, "go", 12_000},
	} {
		t.Run(c.name+" on "+c.engine, func(t *testing.T) {
			t.Parallel()
			d, err := config.ParseDesign("registers", []byte(c.yaml))
			require.NoError(t, err)
			rep, err := RunDesign(d, Options{Engine: c.engine, Cycles: c.cycles, Seed: 3, NoShrink: true})
			require.NoError(t, err)
			assert.Nil(t, rep.Divergence)
			assert.Greater(t, rep.Acks, c.cycles/200)
			if c.engine == "verilator" && c.name == "aimd" {
				assert.Empty(t, rep.Holes)
			}
		})
	}
}

// Faults of the registers are seen, whichever part they are in.
func TestRegisterFaultsAreSeen(t *testing.T) {
	list := []vgen.Fault{
		fault("another table", "aimd_registers", "tw_table", vgen.With("bus_wdata", flipped(17))),
		fault("half of an entry", "aimd_registers", "tw_data", vgen.With("table_data_hi_q", vgen.StuckAt(0))),
		fault("another field is written", "aimd_registers", "cw_mask", vgen.With("bus_wdata", flipped(16))),
		fault("a staged word is not kept", "aimd_registers", "set_w_q", vgen.With("bus_wdata", flipped(3))),
		fault("the context of another read", "aimd_registers", "read_w_q", vgen.With("cd_w", vgen.StuckAt(0))),
		fault("no snapshot", "aimd_registers", "count_rejected_flow_q", vgen.With("n_rejected_flow", vgen.StuckAt(1))),
		fault("an event is lost", "aimd_registers", "event_q", vgen.With("rejected_flow_counts", vgen.StuckAt(0))),
		fault("no interrupt", "aimd_registers", "irq_q", vgen.StuckAt(0)),
		fault("what is refused is accepted", "aimd_registers", "error_q", vgen.StuckAt(0)),
		fault("commands before the memories are cleared", "aimd_registers", "table_write", vgen.With("init_done", vgen.StuckAt(1))),
		fault("another hash", "aimd_registers", "rdata_q", vgen.With("hash_lo", vgen.StuckAt(7))),
	}
	d, err := config.ParseDesign("registers", []byte(smallRegisters))
	require.NoError(t, err)
	for n := range len(list) + 1 {
		name := "none"
		if n > 0 {
			name = list[n-1].Name
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rep, err := RunDesign(d, Options{Engine: "go", Cycles: 100_000, Seed: 5, NoShrink: true,
				Open: engine.Faulty(list, n)})
			require.NoError(t, err)
			assert.Equal(t, n > 0, rep.Divergence != nil)
		})
	}
}

// flipped is a signal with a bit turned round.
func flipped(bit int) vgen.Change {
	return func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Xor(was.Like(1 << bit)) }
}
