package transit

import (
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// measure counts a cycle for the mix of the phase, once the phase is settled: what was in flight before has left
// (after a long packet, whose last beats wait for no decision of its own, the next one's wait for theirs: the pipeline
// fills), and what the mix wants has been configured. gone is the beats that the packet has lost which ends at the
// output.
func (c *Coverage) measure(g *Generator, in *model.Inputs, out *model.Outputs, gone int64) {
	settled := int64(2 * (g.Decision + g.Credits))
	begun := max(g.mixStart, g.episode.Start+int64(g.episode.Resets+g.Sweep))
	if g.mixStart < g.phaseStart || g.cycle < begun+settled || g.episode.Ending(g.cycle) {
		return
	}
	if g.Late && (len(g.Queue) > 0 || g.writing) {
		return
	}
	f := &c.Throughput[g.Mix].Blocked
	if g.sink.Kind() == random.Always {
		f = &c.Throughput[g.Mix].Idle
		if !g.Pauses() {
			f = &c.Throughput[g.Mix].Free
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
