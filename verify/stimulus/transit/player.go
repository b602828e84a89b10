package transit

import (
	"github.com/hdlpkg/hpccgen/model/axil"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Player is the Source that plays a script. Behind its end all streams are idle.
type Player struct {
	// Taken, when set, gets the script with each packet and access at the cycle in which the device took it, so that
	// leaving one out does not move those after it.
	Taken *Script

	s     *Script
	cycle int64

	packets, writes, reads               int   // taken; of packets, to their last beat
	sent                                 int   // bytes of the packet under way
	offered                              bool  // a beat is on offer
	since                                int64 // the write is under way since; negative: it is not
	reset, pause, mStall, bStall, rStall int   // spans passed
}

// NewPlayer plays a script from its first cycle.
func NewPlayer(s *Script) *Player { return &Player{s: s, since: -1} }

// Next sets the inputs of the next cycle.
func (p *Player) Next(in *model.Inputs) {
	s, c := p.s, p.cycle
	*in = model.Inputs{MReady: true, Bus: axil.Inputs{BReady: true, RReady: true}}
	in.Beat.Len = s.Width
	in.Rst = timeline.Within(s.Resets, &p.reset, c)
	pause := timeline.Within(s.Pauses, &p.pause, c)
	if in.Rst {
		return
	}
	in.MReady = !timeline.Within(s.MStall, &p.mStall, c)
	in.Bus.BReady = !timeline.Within(s.BStall, &p.bStall, c)
	in.Bus.RReady = !timeline.Within(s.RStall, &p.rStall, c)
	if p.packets < len(s.Packets) && s.Packets[p.packets].Cycle <= c {
		next := &s.Packets[p.packets].Op
		ready := p.sent == 0 || !pause && p.sent < len(next.Bytes)
		if p.offered = p.offered || ready; p.offered {
			next.beat(in, p.sent, s.Width)
		}
	}
	if p.reads < len(s.Reads) && s.Reads[p.reads].Cycle <= c {
		in.Bus.ARValid, in.Bus.ARAddr = true, s.Reads[p.reads].Op
	}
	if p.writes < len(s.Writes) && s.Writes[p.writes].Cycle <= c {
		if p.since < 0 {
			p.since = c
		}
		w := &s.Writes[p.writes].Op
		in.Bus.AWValid, in.Bus.WValid = c >= p.since-int64(w.Lag), c >= p.since+int64(w.Lag)
		in.Bus.AWAddr, in.Bus.WData, in.Bus.WStrb = w.Addr, w.Data, w.Strb
	}
}

// Seen advances the streams whose element the device took. An element offered when a reset came is lost.
func (p *Player) Seen(in *model.Inputs, out *model.Outputs) {
	s, c := p.s, p.cycle
	p.cycle++
	if in.Rst {
		if p.sent > 0 {
			p.packets++
		}
		p.sent, p.offered, p.since = 0, false, -1
		p.packets = timeline.Skip(s.Packets, p.packets, c)
		p.writes = timeline.Skip(s.Writes, p.writes, c)
		p.reads = timeline.Skip(s.Reads, p.reads, c)
		return
	}
	taken := p.Taken
	if taken == nil {
		taken = new(Script)
	}
	if in.Valid && out.Ready {
		first := p.packets
		if p.sent == 0 {
			timeline.Take(&first, true, s.Packets, &taken.Packets, c)
		}
		p.sent += in.Beat.Len
		p.offered = false
		if in.Beat.Last {
			p.packets++
			p.sent = 0
		}
	}
	timeline.Take(&p.reads, in.Bus.ARValid && out.Bus.ARReady, s.Reads, &taken.Reads, c-1)
	if in.Bus.AWValid && out.Bus.AWReady {
		lag := s.Writes[p.writes].Op.Lag
		timeline.Take(&p.writes, true, s.Writes, &taken.Writes, c-1-int64(max(lag, -lag)))
		p.since = -1
	}
}
