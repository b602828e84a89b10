package stimulus

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is an episode of an engine.
type Episode = episode.Episode[plan]

// plan is what is drawn for an episode.
type plan struct {
	rates, flows int  // known at the start
	brief        bool // over soon
	sparse       bool // some entries of tables are never written
}

// leaves reports whether an episode leaves an entry unwritten: such an entry is zero, whatever it was before the reset.
// Rates are not left, as the telemetry of an unknown rate decides nothing.
func leaves(e *Episode, w config.TableWrite) bool {
	if !e.Plan.sparse || w.Table == config.TableRate {
		return false
	}
	r := random.New(e.Seed ^ uint64(w.Table)<<32 ^ uint64(w.Index+1)*0xa0761d6478bd642f)
	one := 12 // of the seven entries of each profile: more would leave few profiles whole
	if w.Table == config.TableQueue {
		one = 3
	}
	if e.Plan.brief {
		one = one/2 + 1
	}
	return r.OneIn(one)
}

// Episodes are those of a seed.
func Episodes(cfg *config.NIC, t hpcc.Timing, seed uint64) episode.Series[plan] {
	return episode.Series[plan]{Seed: seed, Draw: func(r *random.Rand, e *Episode) (held int) {
		p := &e.Plan
		p.rates = 1 + r.N(min(cfg.RateCodes()-1, 6))
		if r.OneIn(8) {
			p.rates = cfg.RateCodes() // none unknown
		}
		p.flows = min(1+r.N(24), cfg.Flows)
		if wide := e.Index%4 == 1; wide { // enough flows to issue in every cycle
			p.flows = min(t.Hazard+8, cfg.Flows)
		}
		// Programming takes the pipeline's length per write; what follows takes longer than that.
		writes := max(3*(p.rates+7)+p.rates, p.flows)
		setUp := t.Clearing() + writes*(t.Latency+3)
		e.Length = int64(setUp) + int64(8000*min(t.Interval, 4)) + int64(r.N(24000))
		// Most of what a reset can leave undone shows early. The first is long, for short runs.
		if e.Index > 0 && !r.OneIn(3) {
			p.brief = true
			e.Length = int64(setUp) + int64((1000+r.N(2000))*min(t.Interval, 4))
		}
		switch {
		case e.Index%8 == 7: // reset before anything works
			e.Length = 1 + int64(r.N(t.Clearing()+4*t.Latency))
		case r.OneIn(8): // reset while the writes are under way
			e.Length = int64(t.Clearing()) + int64(r.N(setUp))
		}
		p.sparse = r.OneIn(6) || p.brief && !r.OneIn(4)
		return 2 * t.Latency
	}}
}
