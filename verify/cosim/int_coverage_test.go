package cosim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/drive"
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
			s, err := newINT(&c, false)
			require.NoError(t, err)
			side, err := s.Random(1, true)
			require.NoError(t, err)
			drive.NewLeg(s.Frame(), side, "").RunTo(300_000, nil)
			var rep Report
			s.Report(&rep, []drive.Side{side})
			assert.Empty(t, rep.Holes, "\n%s", cover.Table(rep.Coverage))
		})
	}
}
