package transit

import (
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// throughputs has a row for each mix.
type throughputs [mixes]cover.Throughput

// measure counts a cycle, once the phase is settled: what was under way before has left (behind a long packet, whose
// last beats wait for no decision of its own, the next one's wait for theirs: the pipeline fills), and for the mix
// whose tags are removed that has been configured. gone is the beats that the packet has lost which ends at the
// output.
func (t *throughputs) measure(g *Generator, in *csig.Inputs, out *csig.Outputs, gone int64) {
	settled := int64(2 * (g.timing.Decision + g.timing.Credits))
	begun := max(g.mixStart, g.episode.Start+int64(g.episode.Resets+g.timing.Sweep))
	if g.mixStart < g.phaseStart || g.cycle < begun+settled || g.episode.Ending(g.cycle) {
		return
	}
	if g.mix == Stripped && (len(g.writes) > 0 || g.writing) {
		return
	}
	row := &t[g.mix]
	f := &row.Blocked
	if g.sink.Kind() == random.Always {
		f = &row.Idle
		if g.idle.Kind() == random.Always && g.gap.Kind() == random.Always {
			f = &row.Free
		}
	}
	f.Cycles++
	if in.Valid {
		f.Offered++
		if out.Ready {
			f.In++
		}
	}
	if in.MReady {
		f.Ready++
		if out.Valid {
			f.Out++
		}
	}
	f.Gone += gone
}
