package cosim

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config/configtest"
)

// Random engines with one lane: their plan (which stage uses a memory when) follows from the widths, the number of hops and
// the dividers. Seeds 244 and 275 once wrote two words of a memory in one cycle.
func TestRandomSerialEngines(t *testing.T) {
	seeds := []uint64{0, 9, 10, 11, 15, 33, 244, 275}
	if os.Getenv("HPCCGEN_LONG") != "" {
		for s := uint64(1000); s < 1300; s++ {
			if configtest.Random(s).Serial {
				seeds = append(seeds, s)
			}
		}
	}
	for _, s := range seeds {
		c := configtest.Random(s)
		require.True(t, c.Serial, "seed %d gives an engine with a lane for each hop", s)
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			t.Parallel()
			check(t, c, Options{Engine: "go", Cycles: 25_000, Seed: 7, NoShrink: true})
		})
	}
}
