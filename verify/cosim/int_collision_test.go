package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/inband"
)

// The table of ports is read while software writes it, so that a promise that this never happens would not hold.
// With such a promise the comparison fails, although the memory by itself is right.
func TestBrokenPromiseOfAnINTSourceIsSeen(t *testing.T) {
	c := intDesign(config.INTHPCC, 64, 1)
	for _, promise := range []bool{false, true} {
		s, err := inband.NewSubject(&c, false)
		require.NoError(t, err)
		found := false
		for _, mem := range vgen.Memories(s.Frame().Design.Top) {
			if mem.Name() == "port_table" {
				found = true
				if promise {
					mem.NoCollision()
				}
			}
		}
		require.True(t, found)
		rep, err := drive.Compare(s, c.Name, c.Hash, Options{Engine: "go", Cycles: 400_000, Seed: 5, NoShrink: true})
		require.NoError(t, err)
		assert.Equal(t, promise, rep.Mismatches > 0)
	}
}
