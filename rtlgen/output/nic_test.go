package output

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// What the documents say of decisions and writes is what a design in the interpreter takes.
func TestTimingOfStreams(t *testing.T) {
	for name, d := range map[string]*Design{
		"nic-line": build(t, "nic-line"), "nic-table": build(t, "nic-table"), "nic-serial": build(t, "nic-serial"),
		"two hops in serial order": variant(t, "nic-serial", "max: 5", "max: 2"),
		"no front":                 variant(t, "nic-line", "kind: restoring_pipelined", "kind: restoring_serial"),
	} {
		t.Run(name, func(t *testing.T) {
			e, err := law.Build(d.Config.(*config.NIC))
			require.NoError(t, err)
			sim, err := vgen.NewSim(e.Top)
			require.NoError(t, err)
			step := func(cycles int) {
				for range cycles {
					sim.Step()
				}
				require.NoError(t, sim.Err())
			}
			// until gives the number of cycles to that in which an output is high.
			until := func(output string) int {
				for n := range 3 * e.Timing.Latency {
					if sim.Eval(); sim.Get(output) == 1 {
						return n
					}
					step(1)
				}
				require.Fail(t, output+" stays low")
				return 0
			}
			sim.Set("rst", 1)
			step(1)
			sim.Set("rst", 0)
			sim.Set("m_ready", 1)
			step(e.Timing.Clearing() + 10)

			sim.Set("s_valid", 1)
			until("s_ready")
			step(1)
			sim.Set("s_valid", 0)
			assert.Equal(t, d.rows[0].cycles, 1+until("m_valid"))

			for _, stream := range []string{"cw", "tw"} {
				sim.Set(stream+"_valid", 1)
				until(stream + "_ready")
				step(1)
				assert.Equal(t, e.Timing.Write(), 1+until(stream+"_ready"), stream)
				sim.Set(stream+"_valid", 0)
				step(2 * e.Timing.Latency)
			}
		})
	}
}

// The latency in the table of modules is one of those in the table of the timing, which says what each is.
func TestOneLatency(t *testing.T) {
	for _, preset := range []string{"nic-line", "nic-table", "nic-serial"} {
		d := build(t, preset)
		top := d.Modules[len(d.Modules)-1]
		require.Equal(t, d.Top, top.Module)
		found := false
		for _, r := range d.rows[:3] {
			found = found || r.cycles == top.Latency
		}
		assert.True(t, found, "%s: %d is not in %v", preset, top.Latency, d.rows)
	}
}
