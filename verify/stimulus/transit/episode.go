package transit

import (
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is an episode of a packet pipeline; its plan selects what software writes first.
type Episode = episode.Episode[Plan]

// writeCycles is about the duration of a write.
const writeCycles = 6

// Episodes are those of a seed.
func (d *Design) Episodes(seed uint64) episode.Series[Plan] {
	return episode.Series[Plan]{Seed: seed, Draw: func(r *random.Rand, e *Episode) (held int) {
		e.Plan = [...]Plan{Whole, Drawn, Drawn, Drawn, Partial, Nothing}[r.N(6)]
		setUp := d.Sweep
		if e.Plan == Whole || e.Plan == Drawn {
			setUp += writeCycles * d.Writes(e.Plan)
		}
		e.Length = int64(setUp) + 4000 + int64(r.N(20000))
		switch {
		case e.Index%8 == 7: // reset before anything works
			e.Length = 1 + int64(r.N(d.Sweep+4*d.Decision))
		case e.Plan == Nothing:
			e.Length = int64(d.Sweep) + int64(r.N(6000))
		case r.OneIn(8): // reset while the writes are under way
			e.Length = int64(d.Sweep) + int64(r.N(setUp))
		}
		return 2*d.Decision + d.Credits
	}}
}
