package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is an episode of an engine.
type Episode = episode.Episode[Plan]

// Plan holds the random choices of an episode.
type Plan struct {
	Size   int  // of the tables at the start, as the law's Setup has drawn it
	Flows  int  // opened at the start
	Brief  bool // over soon
	Sparse bool // some entries of tables are never written
}

// Leaves reports whether an episode leaves an entry unwritten, one in so many: such an entry is zero, whatever it was
// before the reset.
func Leaves(e *Episode, w config.TableWrite, one int) bool {
	if !e.Plan.Sparse {
		return false
	}
	r := random.New(e.Seed ^ uint64(w.Table)<<32 ^ uint64(w.Index+1)*0xa0761d6478bd642f)
	if e.Plan.Brief {
		one = one/2 + 1
	}
	return r.OneIn(one)
}

// WriteCycles is about how long a write of a table or a context takes: the length of the pipeline, and with registers
// their accesses.
func WriteCycles(t engine.Timing) int {
	if t.Bus == nil {
		return t.Latency + 3
	}
	const accesses = 10
	return t.Latency + accesses*(t.Bus.Act+t.Bus.Answer+4)
}

// Setup draws how much of the tables an episode writes at its start, and returns the number of writes.
type Setup func(r *random.Rand) (size, writes int)

// Episodes are those of a seed, for an engine of so many flows.
func Episodes(flows int, t engine.Timing, setup Setup, seed uint64) episode.Series[Plan] {
	return episode.Series[Plan]{Seed: seed, Draw: func(r *random.Rand, e *Episode) (held int) {
		p := &e.Plan
		var writes int
		p.Size, writes = setup(r)
		p.Flows = min(1+r.N(24), flows)
		if wide := e.Index%4 == 1; wide { // enough flows to issue in every cycle
			p.Flows = min(t.Hazard+8, flows)
		}
		// Programming takes the pipeline's length per write; what follows takes longer than that.
		setUp := t.Clearing() + max(writes, p.Flows)*WriteCycles(t)
		e.Length = int64(setUp) + int64(8000*min(t.Interval, 4)) + int64(r.N(24000))
		// Most errors of a reset show early. The first is long, for short runs.
		if e.Index > 0 && !r.OneIn(3) {
			p.Brief = true
			e.Length = int64(setUp) + int64((1000+r.N(2000))*min(t.Interval, 4))
		}
		switch {
		case e.Index%8 == 7: // reset before anything works
			e.Length = 1 + int64(r.N(t.Clearing()+4*t.Latency))
		case r.OneIn(8): // reset while the writes are under way
			e.Length = int64(t.Clearing()) + int64(r.N(setUp))
		}
		p.Sparse = r.OneIn(6) || p.Brief && !r.OneIn(4)
		return 2 * t.Latency
	}}
}
