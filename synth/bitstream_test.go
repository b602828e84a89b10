package synth

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

// The presets that are promised for a board fit it, reach its clock, and give a bitstream: two at a time, in a minute
// or two each. Those for an ECP5 take 10 minutes or more each, too long for whoever runs the tests beside work: make
// bitstreams-ecp5 builds them, which continuous integration runs too, and reports what is missing where their tools are
// not.
func TestPresetBitstreams(t *testing.T) {
	for _, c := range []struct{ preset, board string }{
		{"nic-serial", "hx8k"}, {"csig-4p", "hx8k"}, {"nic-serial", "icebreaker"}, {"csig-4p", "icebreaker"},
		{"nic-line", "ulx3s"}, {"csig-64p", "ulx3s"},
	} {
		t.Run(c.preset+" "+c.board, func(t *testing.T) {
			b, err := BoardByName(c.board)
			require.NoError(t, err)
			if b.Part.Family != ICE40 && os.Getenv("HPCCGEN_LONG") == "" {
				t.Skip("skipped: many minutes; make bitstreams-ecp5")
			}
			needs(t, b.Part.Family)
			if testing.Short() {
				t.Skip("skipped: minutes; without -short")
			}
			t.Parallel()
			cfg, err := config.LoadDesign(c.preset)
			require.NoError(t, err)
			rep, err := RunBoard(context.Background(), cfg, b, BoardOptions{Dir: t.TempDir()})
			require.NoError(t, err)
			info, err := os.Stat(rep.Bitstream)
			require.NoError(t, err)
			assert.Greater(t, info.Size(), int64(50_000), "a whole part")
			for _, clock := range []string{"clk", "dut_clk"} {
				assert.Contains(t, rep.Fmax, clock)
			}
			assert.Equal(t, cfg.DesignHash(), rep.ConfigHash)
			t.Logf("%d of %d logic cells, %v", rep.Cells.Logic.Used, rep.Cells.Logic.Available, rep.Fmax)
		})
	}
}
