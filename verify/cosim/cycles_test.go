package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/drive"
)

// TestEachCycleIsCompared puts one wrong bit into one cycle: the first and the last of a run, those around the ends of
// batches, odd and even ones, of an output and of taps. The difference is found there and nowhere else.
func TestEachCycleIsCompared(t *testing.T) {
	const batch = drive.BatchCycles
	const cycles = 2*batch + 101
	cfg := smallConfig(t)
	// first is the first difference when a signal is wrong in some cycles; negative when it is not detected.
	first := func(name string, wrong func(cycle int64) bool) int64 {
		open := openFaulty(func(c int64, at map[string]int, out []uint64) {
			if wrong(c) {
				out[at[name]] ^= 1
			}
		})
		rep, err := Run(cfg, Options{Engine: "go", Cycles: cycles, Seed: 5, NoShrink: true, Open: open})
		require.NoError(t, err)
		if rep.Divergence == nil {
			require.EqualValues(t, cycles, rep.Cycles)
			return -1
		}
		return rep.Divergence.Cycle
	}
	require.EqualValues(t, -1, first("s_ready", func(int64) bool { return false }))
	for _, c := range []int64{2, 3, 1000, 1001, batch - 2, batch - 1, batch, batch + 1, 2*batch - 1, 2 * batch,
		cycles - 2, cycles - 1} {
		assert.Equal(t, c, first("s_ready", func(cycle int64) bool { return cycle == c }), "nobody noticed a wrong bit")
	}
	parity := [2]int{}
	for i, tap := range mustNIC(t, cfg, true).Frame().Layout.Taps {
		from := int64(900 + 31*i)
		c := first(tap.Name, func(cycle int64) bool { return cycle >= from }) // a cycle in which the tap says something
		require.Positive(t, c, tap.Name)
		assert.Equal(t, c, first(tap.Name, func(cycle int64) bool { return cycle == c }), tap.Name)
		parity[c%2]++
	}
	require.Positive(t, min(parity[0], parity[1]))
}
