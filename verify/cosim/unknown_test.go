package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Memories and registers without a reset start unknown in a four-state simulator. What the engine says
// with a valid high must be known nonetheless: after its sweep it depends on nothing from before.
func TestNothingDependsOnWhatMemoriesHeldAtPowerUp(t *testing.T) {
	needs(t, "iverilog", "vvp")
	for _, preset := range []string{"nic-line", "nic-serial", "nic-table", "nic-aimd"} {
		t.Run(preset, func(t *testing.T) {
			cfg, err := config.LoadDesign(preset)
			require.NoError(t, err)
			open := func(name string, d engine.Design, o engine.Options) (engine.Engine, error) {
				o.Start = engine.StartUnknown
				return engine.Open(name, d, o)
			}
			rep, err := RunDesign(cfg, Options{Engine: "icarus", Cycles: 6_000, Seed: 3, NoShrink: true, Open: open})
			require.NoError(t, err)
			require.Zero(t, rep.Mismatches)
			require.Positive(t, rep.Acks)
		})
	}
}
