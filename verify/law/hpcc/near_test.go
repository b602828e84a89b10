package hpcc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/model/law/hpcc"
)

// TestNearTieThreshold checks the threshold of a near tie from both sides: two hops whose u' differ by multiples of
// 2^-17, on links where a unit of tx takes a nanosecond.
func TestNearTieThreshold(t *testing.T) {
	for distance, want := range map[uint64]bool{0: true, 1: true, 2: false, 3: false, 1 << 5: false, 1 << 10: false,
		1 << 11: false} {
		for _, swapped := range []bool{false, true} {
			near := newNearTies(&Trace{Flows: make([]Flow, 1)}, false)
			near.tr.Flows[0] = Flow{BDPBytes: 1000, MaxRateBps: 1e9, UnitMultiplier: 1}
			hop := func(ts, tx uint64) Hop { return Hop{RateBps: 8e9 * traceTxUnit, TS: ts, Tx: tx} }
			require.False(t, near.row(&Row{Hops: []Hop{hop(5, 0), hop(5, 0)}}, hpcc.KindFirst))
			hops := []Hop{hop(5+1<<17, 40_000), hop(5+1<<17, 40_000+distance)}
			if swapped {
				hops[0], hops[1] = hops[1], hops[0]
			}
			assert.Equal(t, want, near.row(&Row{Hops: hops}, hpcc.KindFast), "u' differ by %d 2^-17", distance)
		}
	}
}

// TestIgnoredRowsAreNoNearTies checks that a row that the engine ignores neither counts as a near tie nor changes the
// reference of later ones.
func TestIgnoredRowsAreNoNearTies(t *testing.T) {
	near := newNearTies(&Trace{Flows: []Flow{{BDPBytes: 1000, MaxRateBps: 1e9, UnitMultiplier: 1}}}, false)
	hop := func(ts, tx uint64) Hop { return Hop{RateBps: 8e9 * traceTxUnit, TS: ts, Tx: tx} }
	for i, r := range []struct {
		kind hpcc.Kind
		a, b Hop
		want bool
	}{
		{hpcc.KindFirst, hop(1000, 0), hop(1000, 0), false},
		{hpcc.KindNone, hop(500, 7), hop(500, 7), false},
		{hpcc.KindFast, hop(2000, 100), hop(2000, 100), true},
		{hpcc.KindFast, hop(2000, 100), hop(3000, 100), false}, // only one hop has new telemetry
		{hpcc.KindFast, hop(3000, 300), hop(4000, 290), false},
	} {
		assert.Equal(t, r.want, near.row(&Row{Hops: []Hop{r.a, r.b}}, r.kind), fmt.Sprint("row ", i+1))
	}
}
