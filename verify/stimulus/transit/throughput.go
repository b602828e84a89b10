package transit

import (
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Throughput is what a mix of packets came to, in beats a cycle.
type Throughput struct {
	Mix     string `json:"mix"`
	Packets int64  `json:"packets"`
	// Free: the sink was always ready, and the source had a beat in every cycle. Idle: the sink was always ready, the source idled.
	// Blocked: the sink was not always ready.
	Free    Flow `json:"free"`
	Idle    Flow `json:"idle"`
	Blocked Flow `json:"blocked"`
}

// Flow counts cycles, and what moved in them.
type Flow struct {
	Cycles  int64 `json:"cycles"`
	Offered int64 `json:"offered"` // cycles in which there was a beat at the input
	In      int64 `json:"in"`      // beats accepted
	Ready   int64 `json:"ready"`   // cycles in which the sink was ready
	Out     int64 `json:"out"`     // beats that left
	Gone    int64 `json:"gone"`    // beats that a packet has less than before, of packets that left: what a removed tag leaves fits into the beats before
}

func (f *Flow) add(o *Flow) {
	f.Cycles += o.Cycles
	f.Offered += o.Offered
	f.In += o.In
	f.Ready += o.Ready
	f.Out += o.Out
	f.Gone += o.Gone
}

// Add adds what was counted elsewhere, but for the packets.
func (t *Throughput) Add(o *Throughput) {
	t.Free.add(&o.Free)
	t.Idle.add(&o.Idle)
	t.Blocked.add(&o.Blocked)
}

// throughputs has a row for each mix.
type throughputs [mixes]Throughput

// measure counts a cycle, once the phase is settled: what was under way before has left (behind a long packet, whose last beats wait for no decision
// of its own, the next one's wait for theirs: the pipeline fills), and for the mix whose tags are removed that has been configured. gone is the beats that the packet has lost which ends at the output.
func (t *throughputs) measure(g *Generator, in *csig.Inputs, out *csig.Outputs, gone int64) {
	settled := int64(2 * (g.timing.Decision + g.timing.Credits))
	begun := max(g.mixStart, g.episode.Start+int64(g.episode.reset+g.timing.Sweep))
	if g.mixStart < g.phaseStart || g.cycle < begun+settled || g.cycle >= g.episode.Start+g.episode.Length-int64(g.episode.held) {
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
			f.Gone += gone
		}
	}
}
