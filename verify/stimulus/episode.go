package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is a stretch of cycles that begins with a reset and depends on nothing before it.
type Episode struct {
	Index         int
	Start, Length int64 // cycles of the run
	seed          uint64
	reset         int  // cycles of reset
	deaf          bool // nothing is taken from the engine during the reset, so that what it does not clear stays
	held          int  // cycles at the end in which nothing is taken, so that the next reset finds results waiting
	rates, flows  int  // known at the start
	brief         bool // over soon
	sparse        bool // some entries of tables are never written
}

// leaves tells whether the episode leaves an entry unwritten: such an entry is zero, whatever it was before the reset. Rates are not left, as
// the telemetry of an unknown rate decides nothing.
func (e Episode) leaves(w config.TableWrite) bool {
	if !e.sparse || w.Table == config.TableRate {
		return false
	}
	r := random.New(e.seed ^ uint64(w.Table)<<32 ^ uint64(w.Index+1)*0xa0761d6478bd642f)
	one := 12 // of the seven entries of each profile: more would leave few profiles whole
	if w.Table == config.TableQueue {
		one = 3
	}
	if e.brief {
		one = one/2 + 1
	}
	return r.OneIn(one)
}

// EpisodeAt gives the nth episode of a seed.
func EpisodeAt(cfg *config.NIC, t hpcc.Timing, seed uint64, n int) Episode {
	e := newEpisode(cfg, t, seed, 0, 0)
	for range n {
		e = e.next(cfg, t, seed)
	}
	return e
}

func (e Episode) next(cfg *config.NIC, t hpcc.Timing, seed uint64) Episode {
	return newEpisode(cfg, t, seed, e.Index+1, e.Start+e.Length)
}

func newEpisode(cfg *config.NIC, t hpcc.Timing, seed uint64, index int, start int64) Episode {
	r := random.New(seed ^ uint64(index)*0xa0761d6478bd642f)
	e := Episode{Index: index, Start: start, seed: r.Next(), reset: 1 + r.N(4)}
	e.rates = 1 + r.N(min(cfg.RateCodes()-1, 6))
	if r.OneIn(8) {
		e.rates = cfg.RateCodes() // none unknown
	}
	e.flows = min(1+r.N(24), cfg.Flows)
	wide := index%4 == 1 // enough flows to issue in every cycle
	if wide {
		e.flows = min(t.Hazard+8, cfg.Flows)
	}
	// Programming takes the pipeline's length per write; what follows takes longer than that.
	writes := max(3*(e.rates+7)+e.rates, e.flows)
	setUp := t.Clearing() + writes*(t.Latency+3)
	e.Length = int64(setUp) + int64(8000*min(t.Interval, 4)) + int64(r.N(24000))
	if index > 0 && !r.OneIn(3) { // most of what a reset can leave undone shows early; the first is long, for short runs
		e.brief = true
		e.Length = int64(setUp) + int64((1000+r.N(2000))*min(t.Interval, 4))
	}
	switch {
	case index%8 == 7: // reset before anything works
		e.Length = 1 + int64(r.N(t.Clearing()+4*t.Latency))
	case r.OneIn(8): // reset while the writes are under way
		e.Length = int64(t.Clearing()) + int64(r.N(setUp))
	}
	e.Length = max(e.Length, int64(e.reset)+1)
	e.sparse = r.OneIn(6) || e.brief && !r.OneIn(4)
	e.deaf = !r.OneIn(4)
	if !r.OneIn(4) {
		e.held = 1 + r.N(2*t.Latency)
	}
	return e
}
