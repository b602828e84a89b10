package cosim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

// The traffic of a seed reaches every row of the coverage of each format in the model, the widest stream with the
// most ports among them.
func TestINTTrafficReachesAll(t *testing.T) {
	for i, c := range intDesigns() {
		if i%7 > 3 { // of each format the four widths
			continue
		}
		t.Run(fmt.Sprintf("%d %s %d", i, c.Format, c.DataBits), func(t *testing.T) {
			s, err := inband.NewSubject(&c, false)
			require.NoError(t, err)
			side, err := s.Random(1)
			require.NoError(t, err)
			leg := drive.NewLeg(s.Frame(), side, "")
			var rep Report
			for leg.Cycle() == 0 || len(rep.Holes) > 0 && leg.Cycle() < 3_000_000 {
				leg.RunTo(leg.Cycle()+300_000, nil)
				s.Report(&rep, []drive.Side{side})
			}
			t.Logf("%d cycles", leg.Cycle())
			assert.Empty(t, rep.Holes, "\n%s", cover.Table(rep.Coverage))
		})
	}
}
