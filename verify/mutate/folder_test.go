package mutate

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// folders are the presets, with the cycles in Icarus Verilog that notice most mutants. A design that takes long to
// build is left to HPCCGEN_LONG=1.
var folders = []struct {
	preset string
	cycles int64
	quick  bool
}{
	{"csig-4p", 8000, true}, {"nic-aimd", 6000, true}, {"nic-serial", 20_000, false}, {"int-switch", 8000, false},
	{"nic-table", 8000, false}, {"nic-line", 8000, false}, {"csig-64p", 12_000, false},
}

// Mutants of every preset that are files in a folder are caught there (cosim --rtl), or change nothing: ten of each
// with HPCCGEN_LONG=1, else two of those that are built in seconds.
func TestMutantsInFolders(t *testing.T) {
	needTools(t)
	long := os.Getenv("HPCCGEN_LONG") != ""
	for _, f := range folders {
		if !f.quick && !long {
			continue
		}
		n := 2
		if long {
			n = 10
		}
		t.Run(f.preset, func(t *testing.T) {
			t.Parallel()
			d, err := config.LoadDesign(f.preset)
			require.NoError(t, err)
			top, err := output.Module(d)
			require.NoError(t, err)
			m, err := New(Subject{Name: f.preset, Top: top, Scope: "*"}, n, 1)
			require.NoError(t, err)
			judge := func(number int, engineName string, cycles int64) string {
				dir := t.TempDir()
				require.NoError(t, m.WriteTo(dir, number))
				rep, err := cosim.RunDesign(d, cosim.Options{Engine: engineName, Hardware: engine.Hardware{RTL: dir},
					Cycles: cycles, Seed: 1, NoShrink: true})
				require.NoError(t, err)
				if rep.Divergence == nil {
					return ""
				}
				return rep.Divergence.Signal
			}
			require.Empty(t, judge(0, "icarus", f.cycles), "without a change")
			tally := Tally{Name: f.preset}
			for _, one := range m.List {
				o := Outcome{Mutation: one, Caught: judge(one.Number, "icarus", f.cycles)}
				if o.Caught == "" && long {
					o.Caught = judge(one.Number, "verilator", 50*f.cycles)
				}
				if o.Caught == "" {
					o.Proven, err = m.Unreached(one.Number)
					require.NoError(t, err)
				}
				tally.Outcomes = append(tally.Outcomes, o)
			}
			t.Log(tally)
			for _, o := range tally.Outcomes {
				t.Logf("%d %s: %s %s", o.Number, o.Source, o.Caught, o.Proven)
			}
			assert.Empty(t, tally.Holes(), "neither caught nor proven to change nothing")
		})
	}
}
