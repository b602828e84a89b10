package block_test

import (
	"errors"
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/verify/block"
	"github.com/hdlpkg/hpccgen/verify/cosim"
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

// Faults that a designer could make are noticed.
func TestCSIGRegisterFaults(t *testing.T) {
	for _, f := range []struct {
		name, module, pattern, replace string
	}{
		{"reads always go first", "registers_axil", `s_axil_arvalid & ~\(write_waits & reading_q\)`, `s_axil_arvalid`},
		{"writes always go first", "registers_axil", `~\(write_waits & reading_q\)`, `~write_waits`},
		{"the sweep is not waited for", "registers_axil", `idle_q & ~hold`, `idle_q`},
		{"strobes do not matter", "registers_registers", `wire write = bus_write & bus_strobes_full`,
			`wire write = bus_write | (bus_write & bus_strobes_full)`},
		{"an address too many", "registers_registers", `\(bus_addr\[15:8\] == 8'd0\)`, `(bus_addr[15:9] == 7'd0)`},
		{"a table one bound too long", "registers_registers", `bound_rises & ~table_full`,
			`bound_rises & (bound_count != 7'd33)`},
		{"equal bounds refused", "registers_registers", `bus_wdata >= bound_before_q`, `bus_wdata > bound_before_q`},
		{"the bank changes too early", "registers_registers", `committing_q & \(bound_count == 7'd31\)`,
			`committing_q & (bound_count == 7'd30)`},
		{"the answer comes too early", "registers_registers", `drained = bound_count == 7'd65`,
			`drained = bound_count == 7'd64`},
		{"bounds go to the bank in use", "registers_registers", `w_bank = ~bank_in_use`, `w_bank = bank_in_use`},
		{"a void table goes on", "registers_registers", `\(push & ~in_order\)`, `(push & ~in_order & 1'b0)`},
		{"a port too many", "registers_registers", `port_exists = ~\(\|bus_wdata\[31:2\]\)`,
			`port_exists = ~(|bus_wdata[31:3])`},
		{"the window's limit", "registers_registers", `30'h3b9aca01`, `30'h3b9aca02`},
		{"an error reads something", "registers_registers", `word_q <= at_word \? word : 32'd0`,
			`word_q <= word | {31'd0, at_port_commit}`},
		{"the packet before is forgotten", "registers_counters", `status_first_s2 \? status_sum_s3 : status_word_s2`,
			`status_word_s2`},
		{"the packet before the last is forgotten", "registers_counters",
			`status_second_s1 \? status_sum_s3 : status_word_s1`, `status_word_s1`},
		{"a read misses the packet before it", "registers_counters", `status_read_hit \? status_sum_s3 : status_read_q`,
			`status_read_q`},
		{"the last counter is not cleared", "registers_counters", `sweeping_q & ~\(&sweep_addr\)`,
			`sweeping_q & ~(&sweep_addr[5:1])`},
	} {
		t.Run(f.name, func(t *testing.T) {
			m := cosim.Mutation{Name: f.name, Module: f.module, Pattern: regexp.MustCompile(f.pattern), Replace: f.replace}
			err := block.Run([]*block.Unit{registerUnit(4, false)}, block.Options{Engine: "icarus", Cycles: 60_000,
				Seed: 1, Resets: true, Open: m.Open})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			t.Logf("cycle %d: %s%s", mismatch.Cycle, mismatch.Port, mismatch.Rule)
		})
	}
}

// The rules of AXI4-Lite, and those of bucket tables, find faults without the reference.
func TestCSIGRegisterRules(t *testing.T) {
	for _, f := range []struct {
		module, pattern, replace, rule string
	}{
		{"registers_axil", `bvalid_q \? ~s_axil_bready`, `bvalid_q ? 1'b0`, "bvalid falls"},
		{"registers_axil", `rvalid_q \? ~s_axil_rready`, `rvalid_q ? 1'b0`, "rvalid falls"},
		{"registers_axil", `s_axil_bresp = resp`, `s_axil_bresp = resp ^ {s_axil_arvalid, 1'b0}`, "bresp changes"},
		{"registers_axil", `s_axil_rdata = bus_rdata`, `s_axil_rdata = bus_rdata ^ {31'd0, s_axil_awvalid}`,
			"the answer to a read changes"},
		{"registers_axil", `bus_done & ~reading_q`, `bus_done`, "an answer to no write"},
		{"registers_axil", `bus_done & reading_q`, `bus_done`, "an answer to no read"},
		{"registers_axil", `2'd2 : 2'd0`, `2'd3 : 2'd0`, "an answer that AXI4-Lite does not have"},
		{"registers_registers", `w_bank = ~bank_in_use`, `w_bank = bank_in_use`, "a bank that is in use"},
		{"registers_registers", `w_present = ~committing_q`, `w_present = 1'b1`, "is there, the table has"},
		{"registers_registers", `w_bound = bus_wdata`, `w_bound = bus_wdata & 32'hfffffffe`, "bound "},
	} {
		t.Run(f.rule, func(t *testing.T) {
			u := registerUnit(4, false)
			play := u.Play
			u.Play = func(c *block.Cycle) {
				play(c)
				clear(c.Care)
			}
			m := cosim.Mutation{Name: f.rule, Module: f.module, Pattern: regexp.MustCompile(f.pattern), Replace: f.replace}
			err := block.Run([]*block.Unit{u}, block.Options{Engine: "icarus", Cycles: 60_000, Seed: 1, Resets: true,
				Open: m.Open})
			skipWithout(t, err)
			var mismatch *block.Mismatch
			require.ErrorAs(t, err, &mismatch)
			assert.Contains(t, mismatch.Rule, f.rule)
		})
	}
}

// Of random changes of a bit most are noticed. The others are in what a short run does not reach, such as higher bits
// of counters, which are proven in verify/formal, or change nothing.
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
