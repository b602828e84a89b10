package transit

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is a stretch of cycles that begins with a reset and depends on nothing before it.
type Episode struct {
	Index         int
	Start, Length int64 // cycles of the run
	seed          uint64
	reset         int  // cycles of reset
	deaf          bool // nothing is taken from the device during the reset, so that what it does not clear stays
	held          int  // cycles at the end in which nothing is taken, so that the next reset finds everything full
	plan          plan
}

// writeCycles is about what a write takes.
const writeCycles = 6

// EpisodeAt gives the nth episode of a seed.
func EpisodeAt(cfg *config.CSIG, t csig.Timing, seed uint64, n int) Episode {
	e := newEpisode(cfg, t, seed, 0, 0)
	for range n {
		e = e.next(cfg, t, seed)
	}
	return e
}

func (e Episode) next(cfg *config.CSIG, t csig.Timing, seed uint64) Episode {
	return newEpisode(cfg, t, seed, e.Index+1, e.Start+e.Length)
}

func newEpisode(cfg *config.CSIG, t csig.Timing, seed uint64, index int, start int64) Episode {
	r := random.New(seed ^ uint64(index)*0xa0761d6478bd642f)
	e := Episode{Index: index, Start: start, seed: r.Next(), reset: 1 + r.N(4)}
	e.plan = [...]plan{whole, drawn, drawn, drawn, partial, nothing}[r.N(6)]
	setUp := t.Sweep
	switch e.plan {
	case whole:
		setUp += writeCycles * (12*cfg.Ports + 160)
	case drawn:
		setUp += writeCycles * (12*min(cfg.Ports, 24) + 160)
	}
	e.Length = int64(setUp) + 4000 + int64(r.N(20000))
	switch {
	case index%8 == 7: // reset before anything works
		e.Length = 1 + int64(r.N(t.Sweep+4*t.Decision))
	case e.plan == nothing:
		e.Length = int64(t.Sweep) + int64(r.N(6000))
	case r.OneIn(8): // reset while the writes are under way
		e.Length = int64(t.Sweep) + int64(r.N(setUp))
	}
	e.Length = max(e.Length, int64(e.reset)+1)
	e.deaf = !r.OneIn(4)
	if !r.OneIn(4) {
		e.held = 1 + r.N(2*t.Decision+t.Credits)
	}
	return e
}
