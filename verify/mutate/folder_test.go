package mutate

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// folders are the presets, with the cycles in which most mutants are noticed.
var folders = []struct {
	preset string
	cycles int64
	quick  bool // builds in seconds; the others are left to HPCCGEN_LONG=1
	gates  bool // its gates are soon made, so that proofs are tried
}{
	{"csig-4p", 8000, true, true}, {"nic-aimd", 6000, true, false}, {"nic-serial", 20_000, false, false},
	{"int-switch", 8000, false, false}, {"nic-table", 8000, false, false}, {"nic-line", 8000, false, false},
	{"csig-64p", 12_000, false, false},
}

// Mutants of every preset are noticed as files in a folder (cosim --rtl), or change nothing as far as can be proven: ten
// of each with HPCCGEN_LONG=1, else the first two of those that are built in seconds.
func TestMutantsInFolders(t *testing.T) {
	needTools(t)
	n, long := 2, os.Getenv("HPCCGEN_LONG") != ""
	if long {
		n = 10
	}
	for _, f := range folders {
		if !f.quick && !long {
			continue
		}
		t.Run(f.preset, func(t *testing.T) {
			t.Parallel()
			text, err := config.PresetYAML(f.preset)
			require.NoError(t, err)
			c, err := DesignCase(f.preset, string(text), "*", f.cycles)
			require.NoError(t, err)
			m, err := New(c.Subject, n, 1)
			require.NoError(t, err)
			assert.Empty(t, inFolder(t, m, f.preset, 0, "icarus", f.cycles), "without a change")
			tally := Tally{Name: f.preset}
			for _, one := range m.List {
				tally.Outcomes = append(tally.Outcomes, Outcome{Mutation: one,
					Caught: inFolder(t, m, f.preset, one.Number, "icarus", f.cycles)})
			}
			t.Logf("in Icarus Verilog: %v", tally)
			for i := range tally.Outcomes {
				o := &tally.Outcomes[i]
				if !long || o.Caught != "" {
					continue
				}
				o.Caught, err = c.Longer(m.Open(o.Number)) // in one build of all, which is soon done
				require.NoError(t, err)
				if o.Caught != "" {
					o.Caught = inFolder(t, m, f.preset, o.Number, "verilator", longerTimes*f.cycles)
					assert.NotEmpty(t, o.Caught, o.Mutation)
				}
			}
			if long && f.gates {
				require.NoError(t, m.Explain(&tally, c.Longer, *limit))
			}
			t.Log(tally)
			total, caught, _ := tally.Counts()
			assert.GreaterOrEqual(t, caught*100, 70*total, "too few mutants are caught")
		})
	}
}

// inFolder compares a mutant as the Verilog of a folder, and returns where it differs.
func inFolder(t *testing.T, m *Mutants, preset string, number int, simulator string, cycles int64) string {
	dir := t.TempDir()
	require.NoError(t, m.WriteTo(dir, number))
	d, err := config.LoadDesign(preset)
	require.NoError(t, err)
	rep, err := cosim.RunDesign(d, cosim.Options{Engine: simulator, Hardware: engine.Hardware{RTL: dir}, Cycles: cycles,
		Seed: 1, NoShrink: true})
	var unknown engine.UnknownBits
	if errors.As(err, &unknown) {
		return unknown.Port + " unknown"
	}
	require.NoError(t, err)
	if rep.Divergence == nil {
		return ""
	}
	return rep.Divergence.Signal
}
