package drive_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// What is left of a stimulus shows the mismatch, and nothing of it can be left out.
func TestShrunkIsMinimal(t *testing.T) {
	cfg, err := config.ParseDesign("small.yaml", []byte(`
design: nic
name: nic_small
hops: {max: 2}
flows: 6
profiles: 2
precision: {max_error: 1e-2}
`))
	require.NoError(t, err)
	e, err := law.Of(cfg)
	require.NoError(t, err)
	s, err := e.Subject(true)
	require.NoError(t, err)
	for _, f := range []vgen.Fault{
		{Name: "long sleep not seen", Module: "hpcc_flow", At: "idle_s*", Change: vgen.With("away_long", vgen.StuckAt(0))},
		{Name: "stale context", Module: "hpcc_issue", At: "second_sees",
			Change: vgen.With("second_follows", vgen.StuckAt(0))},
	} {
		t.Run(f.Name, func(t *testing.T) {
			o := drive.Options{Engine: "go", Cycles: 60_000, Seed: 5, Open: engine.Faulty([]vgen.Fault{f}, 1)}
			rep, err := drive.Compare(s, "nic_small", cfg.DesignHash(), o)
			require.NoError(t, err)
			d := rep.Divergence
			require.NotNil(t, d)
			t.Logf("%d operations to %d, %d tries", d.Operations[0], d.Operations[1], d.ShrinkTries)
			require.True(t, d.Minimal)
			assert.Less(t, d.Operations[1], 12)
			script := d.Shrunk.(timeline.Script)
			shows, err := drive.Shows(s, o, script)
			require.NoError(t, err)
			require.True(t, shows)
			for list, elements := range script.Parts().Elements() {
				for i := range elements.Len() {
					c := script.Copy()
					c.Parts().Elements()[list].Remove(i, i+1)
					shows, err := drive.Shows(s, o, c)
					require.NoError(t, err)
					assert.False(t, shows, "without element %d of list %d:\n%s", i, list, c)
				}
			}
		})
	}
}

// Without tries nothing is claimed.
func TestShrinkingGivesUp(t *testing.T) {
	cfg, err := config.LoadDesign("nic-serial")
	require.NoError(t, err)
	e, err := law.Of(cfg)
	require.NoError(t, err)
	s, err := e.Subject(true)
	require.NoError(t, err)
	f := vgen.Fault{Name: "rounding dropped", Module: "hpcc_average", At: "step_sum",
		Change: vgen.Operand(1, vgen.StuckAt(0))}
	rep, err := drive.Compare(s, "nic_serial", cfg.DesignHash(), drive.Options{Engine: "go", Cycles: 60_000, Seed: 5,
		ShrinkFor: 1, Open: engine.Faulty([]vgen.Fault{f}, 1)})
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	assert.False(t, rep.Divergence.Minimal)
	assert.Equal(t, rep.Divergence.Operations[0], rep.Divergence.Operations[1])
}
