package inband

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

// covered is what the traffic of a seed reaches in the model.
func covered(t *testing.T, c *config.INT, cycles int) []cover.Row {
	target, err := NewTarget(c)
	require.NoError(t, err)
	model, err := inband.NewClocked(c, target.Timing)
	require.NoError(t, err)
	s := NewSource(c, target.Timing, 1)
	var in csig.Inputs
	var to inband.Outputs
	for range cycles {
		s.Next(&in)
		model.Cycle(&s.in, &to)
		s.Seen(&in, outputs(&to))
	}
	return Count(c, []*Source{s}).Coverage
}

// The traffic reaches every row of the coverage of each format, the widest stream with the most ports among them.
func TestTrafficReachesAll(t *testing.T) {
	for i, c := range designs() {
		if i%7 > 3 { // of each format the four widths
			continue
		}
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			rows := covered(t, &c, 300_000)
			assert.Empty(t, cover.Holes(rows), "\n%s", cover.Table(rows))
			if i%7 == 0 {
				t.Logf("\n%s", cover.Table(rows))
			}
		})
	}
}
