package csig_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hdlpkg/hpccgen/model/csig"
)

// headerBeats are the beats before the header beat by the width of the stream.
var headerBeats = map[int]int{64: 6, 128: 3, 256: 1, 512: 0}

// longestStay is how many cycles a beat is inside until the editor takes it, at the most, while m_axis_tready is high.
func longestStay(dataBits, decision, offer int) int {
	return max(headerBeats[dataBits]+decision, offer) + 1
}

// fullRate are the credits with which s_axis_tready never falls while m_axis_tready is high.
func fullRate(dataBits int, g csig.Timing) int {
	return longestStay(dataBits, g.Decision, g.Offer) + g.Return - 1
}

// Full rate: with enough credits every beat is accepted in the cycle in which it is offered, whatever the packets, the
// gaps and what is stripped, and the last beat leaves no later than if it were the first of a packet whose decision is
// the latest there is.
func TestFullRate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := anyDesign(rt)
		g := anyTiming(rt)
		g.Credits = fullRate(c.DataBits, g)
		r := newRig(t, c, g).program()
		r.idle = sometimes(rt, "idle")
		traffic := anyTraffic(rt, c, rapid.IntRange(1, 60).Draw(rt, "packets"))
		for _, p := range traffic {
			r.send(p.bytes, p.meta)
		}
		last := r.m.Now()
		for len(r.source) > 0 {
			r.cycle()
			require.True(rt, r.offered == nil || r.out.Ready, "a beat is refused")
			last = r.m.Now() - 1
		}
		r.settle()
		if len(r.got) == 0 {
			return // all were dropped
		}
		latest := last + int64(longestStay(c.DataBits, g.Decision, g.Offer)+g.Edit()-1)
		require.LessOrEqual(rt, r.got[len(r.got)-1].at, latest)
	})
}

// One credit less is too few: a packet of one beat and a long one make the stream fall behind as much as possible.
func TestCreditsForFullRate(t *testing.T) {
	for _, dataBits := range []int{64, 128, 256, 512} {
		for _, decision := range []int{2, 9} {
			for i := range 4 {
				missing, room := i%2, i/2*16
				g := timed(csig.Timing{Lookup: 1, Meter: 1, Scale: 1, Code: 1, Count: 1, Decision: decision}, 0, 1)
				if room > 0 {
					g = roomy(g, room)
				}
				g.Credits = fullRate(dataBits, g) - missing
				if 8*g.Credits < 54*64/dataBits {
					continue
				}
				r := newRig(t, design(2, dataBits), g).program()
				r.send(packet("", 0), csig.Meta{})
				r.send(packet("", 2000), csig.Meta{})
				refused := 0
				for len(r.source) > 0 {
					r.cycle()
					if !r.out.Ready {
						refused++
					}
				}
				assert.Equal(t, missing == 1, refused > 0, "%d bits, decision %d, room %d, %d credits", dataBits,
					decision, room, g.Credits)
			}
		}
	}
}
