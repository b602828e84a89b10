package block

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/lint"
)

// registerDevices are configurations with different register blocks.
func registerDevices() []*config.CSIG {
	both := config.CSIG{
		Name: "both", Hash: "0123456789abcdef", Ports: 4, DataBits: 64, TimeBits: 40, ByteBits: 24, RecipBits: 18,
		RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100}, Method: config.CSIGRaw,
	}
	compact, expanded, large, odd := both, both, both, both
	compact.Name, compact.ExpandedTPID, compact.Method, compact.Ports, compact.UEC = "compact", 0, config.CSIGEWMA, 1, true
	expanded.Name, expanded.CompactTPID, expanded.Method, expanded.UEC, expanded.RecipBits = "expanded", 0, config.CSIGDRE, true, 32
	large.Name, large.Ports, large.DataBits, large.Deep = "large", 64, 512, true
	large.RecipBits, large.RatioBits = 32, 24
	odd.Name, odd.Ports, odd.DataBits, odd.Deep, odd.RecipBits, odd.UEC = "odd", 100, 256, true, 25, true
	return []*config.CSIG{&both, &compact, &expanded, &large, &odd}
}

func registerUnits() (units []*Unit, tallies []map[string]int) {
	for _, c := range registerDevices() {
		u, tally := CSIGRegisters("registers_"+c.Name, c)
		units, tallies = append(units, u), append(tallies, tally)
	}
	return units, tallies
}

// Registers, counters and bus follow docs/csig.md in every cycle, with concurrent packets and resets in between; and
// every rule has been exercised.
func TestCSIGRegisters(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			cycles := int64(300_000)
			if e == "go" || testing.Short() {
				cycles = 60_000
			}
			units, tallies := registerUnits()
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 1, Resets: true})
			for _, rule := range []string{
				noRegister, readOnly, writeOnly, badStrobes, badPort, badCapacity, badMantissa, badAction, badWindow,
				badType, badStep,
				noTable, notZero, decreases, tooMany, emptyTable, "in order", "table of 1 bounds", "table of 31 bounds",
				"table of 32 bounds",
			} {
				if testing.Short() {
					break
				}
				assert.Positive(t, tallies[0][rule], rule)
			}
			t.Logf("%d accesses in order, %d not", tallies[0]["in order"], tallies[0][noRegister]+tallies[0][noTable])
		})
	}
}

// With an asynchronous reset, too; all valid and ready fall in its first cycle.
func TestCSIGRegistersAsyncReset(t *testing.T) {
	c := registerDevices()[0]
	c.AsyncReset = true
	u, tally := CSIGRegisters("registers_async", c)
	open := func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
		d.Reset = vgen.AsyncLow
		return engine.Open(name, d, o)
	}
	run(t, []*Unit{u}, Options{Engine: "verilator", Cycles: 60_000, Seed: 4, Resets: true, Open: open})
	assert.Positive(t, tally["in order"])
}

// Each counter counts each of its packets, and a read sees those before it.
func TestCSIGCounters(t *testing.T) {
	for _, e := range engines {
		t.Run(e, func(t *testing.T) {
			cycles := int64(300_000)
			if e == "go" || testing.Short() {
				cycles = 60_000
			}
			var units []*Unit
			for _, c := range registerDevices() {
				units = append(units, CSIGCounters("counters_"+c.Name, c))
			}
			run(t, units, Options{Engine: e, Cycles: cycles, Seed: 2, Resets: true})
		})
	}
}

// No lint tool reports anything about the registers, whatever a device has.
func TestCSIGRegistersLint(t *testing.T) {
	for _, c := range registerDevices() {
		for _, reset := range []vgen.ResetStyle{vgen.SyncHigh, vgen.AsyncLow} {
			u, _ := CSIGRegisters("registers", c)
			files, err := vgen.Emit(u.Module, vgen.EmitOptions{Reset: reset})
			require.NoError(t, err)
			messages, err := lint.Check("registers", files)
			var missing toolchain.Missing
			if errors.As(err, &missing) && os.Getenv("CI") != "true" {
				t.Skipf("skipped: %v", err)
			}
			require.NoError(t, err)
			assert.Empty(t, messages, c.Name)
		}
	}
}

// No input moves an output of the AXI4-Lite interface within a cycle.
func TestAXILiteOutputsAreRegistered(t *testing.T) {
	u, _ := CSIGRegisters("registers", registerDevices()[0])
	sim, err := vgen.NewSim(u.Module)
	require.NoError(t, err)
	var axi []string
	for _, p := range outputs(u.Module) {
		if strings.HasPrefix(p.Name, "s_axil_") {
			axi = append(axi, p.Name)
		}
	}
	require.Len(t, axi, 8)
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for cycle := range 3000 {
		before := map[string]uint64{}
		for try := range 4 {
			for _, p := range inputs(u.Module) {
				sim.Set(p.Name, draw(r, p.Width).Lo)
			}
			sim.Set("rst", uint64(bit(cycle < 2).Lo))
			sim.Eval()
			for _, name := range axi {
				v := sim.Get(name)
				if try > 0 {
					require.Equal(t, before[name], v, "%s in cycle %d", name, cycle)
				}
				before[name] = v
				seen[name] = seen[name] || v != 0
			}
		}
		sim.Step()
	}
	require.NoError(t, sim.Err())
	for _, name := range axi {
		assert.True(t, seen[name], "%s is always 0", name)
	}
}
