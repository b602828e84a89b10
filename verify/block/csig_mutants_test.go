package block_test

import (
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/mutate"
)

var registerMutants = flag.Int("register-mutants", 30, "mutants of the register block, and of the counters")

// registerDevice has all that the register block can have.
func registerDevice(ports int) *config.CSIG {
	return &config.CSIG{
		Name: "device", Hash: "0123456789abcdef", Ports: ports, DataBits: 64, TimeBits: 40, ByteBits: 24, RecipBits: 18,
		RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100}, Method: config.CSIGRaw,
	}
}

// registerUnit is a fresh unit of the register block, or of the counters alone.
func registerUnit(ports int, counters bool) *block.Unit {
	if counters {
		return block.CSIGCounters("counters", registerDevice(ports))
	}
	u, _ := block.CSIGRegisters("registers", registerDevice(ports))
	return u
}

func skipWithout(t *testing.T, err error) {
	t.Helper()
	var missing toolchain.Missing
	if errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skipf("skipped: %v", err)
	}
}

// fault is a fault with a name in a module.
func fault(name, module, at string, change vgen.Change) vgen.Fault {
	return vgen.Fault{Name: name, Module: module, At: at, Change: change}
}

// firstBitSet sets the lowest bit.
func firstBitSet(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(was.Like(1)) }

// Faults that a designer could make are noticed.
func TestCSIGRegisterFaults(t *testing.T) {
	for _, f := range []vgen.Fault{
		fault("reads always go first", "registers_axil", "read_first", vgen.With("write_waits", vgen.StuckAt(0))),
		fault("writes always go first", "registers_axil", "read_first", vgen.With("reading_q", vgen.StuckAt(1))),
		fault("the sweep is not waited for", "registers_axil", "free", vgen.With("hold", vgen.StuckAt(0))),
		fault("strobes do not matter", "registers_registers", "write", vgen.With("bus_strobes_full", vgen.StuckAt(1))),
		fault("an address too many", "registers_registers", "first_page", vgen.With("bus_addr", vgen.Without(8))),
		fault("a table one bound too long", "registers_registers", "in_order", vgen.With("table_full",
			func(n *vgen.Nets, _ vgen.Signal) vgen.Signal { return n.Net("bound_count").Is(33) })),
		fault("equal bounds refused", "registers_registers", "bound_rises", vgen.Operator(vgen.Signal.Gt)),
		fault("the bank changes too early", "registers_registers", "change_bank",
			vgen.With("bound_count", vgen.Off(1))),
		fault("the answer comes too early", "registers_registers", "drained", vgen.With("bound_count", vgen.Off(1))),
		fault("bounds go to the bank in use", "registers_registers", "w_bank", vgen.Inverted),
		fault("a void table goes on", "registers_registers", "table_open_q", vgen.With("in_order", vgen.StuckAt(1))),
		fault("a port too many", "registers_registers", "port_exists", vgen.With("bus_wdata", vgen.Without(2))),
		fault("the window's limit", "registers_registers", "estimate_fits_q", vgen.With("estimate_window_q",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal {
				return vgen.Mux(was.Is(1_000_000_001), was.Like(1_000_000_000), was)
			})),
		fault("an error reads something", "registers_registers", "word_q", func(n *vgen.Nets, _ vgen.Signal) vgen.Signal {
			return n.Net("word").Or(n.Net("at_port_commit").Zext(32))
		}),
		fault("the packet before is forgotten", "registers_counters", "status_before",
			vgen.With("status_first_s*", vgen.StuckAt(0))),
		fault("the packet before the last is forgotten", "registers_counters", "status_word_s2",
			vgen.With("status_second_s*", vgen.StuckAt(0))),
		fault("a read misses the packet before it", "registers_counters", "status_read",
			vgen.With("status_read_hit", vgen.StuckAt(0))),
		fault("the last counter is not cleared", "registers_counters", "sweeping_q",
			vgen.With("sweep_addr", firstBitSet)),
	} {
		t.Run(f.Name, func(t *testing.T) {
			err := block.Run([]*block.Unit{registerUnit(4, false)}, block.Options{Engine: "icarus", Cycles: 60_000,
				Seed: 1, Resets: true, Open: engine.Faulty([]vgen.Fault{f}, 1)})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			t.Logf("cycle %d: %s%s", mismatch.Cycle, mismatch.Port, mismatch.Rule)
		})
	}
}

// The rules of AXI4-Lite, and those of bucket tables, find faults without the reference.
func TestCSIGRegisterRules(t *testing.T) {
	for _, f := range []vgen.Fault{ // the name states the rule
		fault("bvalid falls", "registers_axil", "bvalid_q", vgen.With("s_axil_bready", vgen.StuckAt(1))),
		fault("rvalid falls", "registers_axil", "rvalid_q", vgen.With("s_axil_rready", vgen.StuckAt(1))),
		fault("bresp changes", "registers_axil", "s_axil_bresp", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
			return was.Xor(n.Net("s_axil_arvalid").Zext(2).Shl(1))
		}),
		fault("the answer to a read changes", "registers_axil", "s_axil_rdata",
			func(n *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Xor(n.Net("s_axil_awvalid").Zext(32)) }),
		fault("an answer to no write", "registers_axil", "bvalid_q", vgen.With("reading_q", vgen.StuckAt(0))),
		fault("an answer to no read", "registers_axil", "rvalid_q", vgen.With("reading_q", vgen.StuckAt(1))),
		fault("an answer that AXI4-Lite does not have", "registers_axil", "s_axil_bresp",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(was.Shr(1)) }),
		fault("a bank that is in use", "registers_registers", "w_bank", vgen.Inverted),
		fault("is there, the table has", "registers_registers", "w_present", vgen.StuckAt(1)),
		fault("bound ", "registers_registers", "w_bound", vgen.Without(0)),
	} {
		t.Run(f.Name, func(t *testing.T) {
			u := registerUnit(4, false)
			play := u.Play
			u.Play = func(c *block.Cycle) {
				play(c)
				clear(c.Care)
			}
			err := block.Run([]*block.Unit{u}, block.Options{Engine: "icarus", Cycles: 60_000, Seed: 1, Resets: true,
				Open: engine.Faulty([]vgen.Fault{f}, 1)})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			assert.Contains(t, mismatch.Rule, f.Name)
		})
	}
}

// Most random changes of a bit are detected. The others change nothing, or are in parts that a short run does not
// reach, such as higher bits of counters, which are proven in verify/formal.
func TestCSIGRegisterMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds netlists with all mutants")
	}
	for _, s := range []struct {
		name     string
		ports    int
		counters bool
		cycles   int64
	}{
		{"registers", 4, false, 40_000},
		{"counters", 8, true, 20_000},
	} {
		t.Run(s.name, func(t *testing.T) {
			subject := mutate.Subject{Name: s.name, Top: block.Bench([]*block.Unit{registerUnit(s.ports, s.counters)}),
				Scope: "u0"}
			m, err := mutate.New(subject, *registerMutants, 1)
			skipWithout(t, err)
			require.NoError(t, err)
			tally, err := m.Run(func(open mutate.Opener) (string, error) {
				err := block.Run([]*block.Unit{registerUnit(s.ports, s.counters)}, block.Options{Engine: "verilator",
					Cycles: s.cycles, Seed: 3, Resets: true, Open: open})
				var mismatch *block.Mismatch
				if errors.As(err, &mismatch) {
					return mismatch.Port + mismatch.Rule, nil
				}
				return "", err
			}, nil)
			skipWithout(t, err)
			require.NoError(t, err)
			t.Log(tally)
			total, caught, _ := tally.Counts()
			assert.GreaterOrEqual(t, caught*100, 65*total, "too few mutants are caught")
		})
	}
}
