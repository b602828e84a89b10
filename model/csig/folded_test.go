package csig_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
)

var foldedTiming = folded(timed(
	csig.Timing{Lookup: 2, Meter: 5, Scale: 11, Code: 35, Count: 42, Decision: 44}, 44+8, 1,
))

// folded is timing of a folded pipeline.
func folded(g csig.Timing) csig.Timing {
	g.Spacing, g.Stacked, g.Commit, g.CommitAnswer = 8, g.Count+2, 18, 28
	return g
}

func foldedDesign() *config.CSIG {
	c := design(2, 64)
	c.Folded = true
	return c
}

// refusals counts the cycles in which a beat that is offered is not taken, until all are.
func refusals(r *rig) (n int) {
	for len(r.source) > 0 {
		r.cycle()
		if r.offered != nil && !r.out.Ready {
			n++
		}
	}
	return n
}

// Frames of 60 bytes and more are never held back; runts take the cycles of one, whatever was before them.
func TestFoldedRate(t *testing.T) {
	r := newRig(t, foldedDesign(), foldedTiming).program()
	frames := 0
	for _, payload := range []int{46, 46, 47, 46, 54, 46, 200, 46, 46, 1500, 1500, 46} {
		r.send(packet("", payload), csig.Meta{})
		frames++
	}
	assert.Zero(t, refusals(r))
	r.drain(frames)

	for bytes, held := range map[int]int{1: 7, 8: 7, 9: 6, 55: 1, 57: 0} {
		r := newRig(t, foldedDesign(), foldedTiming).program()
		for range 11 {
			r.send(make([]byte, bytes), csig.Meta{})
		}
		assert.Equal(t, 10*held, refusals(r), "packets of %d bytes", bytes)
		r.drain(11)
	}
}

// As many credits as the contract asks for, and one less.
func TestFoldedCredits(t *testing.T) {
	for missing := range 2 {
		g := foldedTiming
		g.Credits = g.Decision + 8 - missing
		r := newRig(t, foldedDesign(), g).program()
		for range 3 {
			r.send(packet("", 2000), csig.Meta{})
		}
		assert.Equal(t, missing == 0, refusals(r) == 0, "%d credits", g.Credits)
	}
}

// A commit is in force as of 18 cycles after it acts, for a packet that is looked up then, whatever its length, and
// answers in 28.
func TestFoldedCommit(t *testing.T) {
	for bytes, start := range map[int]int64{18: 7, 60: 7, 1000: 7} { // after the first beat
		for _, late := range []int64{17, 18} {
			t.Run(fmt.Sprintf("%d bytes, %d", bytes, late), func(t *testing.T) {
				r := newRig(t, foldedDesign(), foldedTiming).program()
				r.must(registers.PortTrust, 0)
				var got csig.Event
				r.m.OnDecision = func(_ int64, ev *csig.Event) { got = *ev }
				now := r.m.Now()
				acts := now + 2 // the access is chosen in this cycle
				first := acts + late - start - int64(foldedTiming.Lookup)
				r.startWrite(registers.PortCommit, 0)
				for r.m.Now() < first {
					r.cycle()
				}
				r.send(compactPacket(t, 0, bytes-18), csig.Meta{})
				r.drain(1)
				for len(r.answers) == 0 || r.answers[len(r.answers)-1].acted != acts {
					r.cycle()
				}
				require.Equal(t, acts+28, r.answers[len(r.answers)-1].at)
				assert.Equal(t, late == 18, got.Status == csig.Distrusted, "%s", describe(got))
			})
		}
	}
}
