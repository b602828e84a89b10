package transit

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/episode"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Episode is an episode of a switch; its plan says what software writes first.
type Episode = episode.Episode[plan]

// writeCycles is about what a write takes.
const writeCycles = 6

// Episodes are those of a seed.
func Episodes(cfg *config.CSIG, t csig.Timing, seed uint64) episode.Series[plan] {
	return episode.Series[plan]{Seed: seed, Draw: func(r *random.Rand, e *Episode) (held int) {
		e.Plan = [...]plan{whole, drawn, drawn, drawn, partial, nothing}[r.N(6)]
		setUp := t.Sweep
		switch e.Plan {
		case whole:
			setUp += writeCycles * (12*cfg.Ports + 160)
		case drawn:
			setUp += writeCycles * (12*min(cfg.Ports, 24) + 160)
		}
		e.Length = int64(setUp) + 4000 + int64(r.N(20000))
		switch {
		case e.Index%8 == 7: // reset before anything works
			e.Length = 1 + int64(r.N(t.Sweep+4*t.Decision))
		case e.Plan == nothing:
			e.Length = int64(t.Sweep) + int64(r.N(6000))
		case r.OneIn(8): // reset while the writes are under way
			e.Length = int64(t.Sweep) + int64(r.N(setUp))
		}
		return 2*t.Decision + t.Credits
	}}
}
