package transit

import (
	"slices"

	"github.com/hdlpkg/hpccgen/model/axil"
	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Recorder records the actions of a source.
type Recorder struct {
	Source
	Script Script

	cycle    int64
	inPacket bool // beats of the last packet were taken, and more follow
	offered  bool // a beat was offered before
	reading  bool
	aw, w    int64 // since when address and data of a write are on offer; negative: they are not
}

// Record starts a script with the next cycle of the source; width is the number of bytes of a beat.
func Record(s Source, width int) *Recorder {
	return &Recorder{Source: s, Script: Script{Width: width}, aw: -1, w: -1}
}

// Seen records the cycle and passes it on.
func (r *Recorder) Seen(in *model.Inputs, out *model.Outputs) {
	s := &r.Script
	timeline.Note(&s.Resets, r.cycle, in.Rst)
	if in.Rst {
		r.inPacket, r.offered, r.reading, r.aw, r.w = false, false, false, -1, -1
	} else {
		timeline.Note(&s.MStall, r.cycle, !in.MReady)
		timeline.Note(&s.BStall, r.cycle, !in.Bus.BReady)
		timeline.Note(&s.RStall, r.cycle, !in.Bus.RReady)
		r.packet(in, out)
		r.access(&in.Bus, &out.Bus)
	}
	r.cycle++
	s.Cycles = r.cycle
	r.Source.Seen(in, out)
}

// packet takes a beat down when it is offered first. Until its last beat a packet is open.
func (r *Recorder) packet(in *model.Inputs, out *model.Outputs) {
	s := &r.Script
	timeline.Note(&s.Pauses, r.cycle, r.inPacket && !in.Valid)
	if !in.Valid {
		return
	}
	if !r.offered {
		data := in.Beat.Data[:in.Beat.Len]
		if !r.inPacket {
			s.Packets = append(s.Packets, timeline.At[Packet]{Cycle: r.cycle, Op: Packet{Meta: in.Meta}})
		}
		p := &s.Packets[len(s.Packets)-1].Op
		p.Bytes, p.Open = append(p.Bytes, data...), !in.Beat.Last
		p.Behind = slices.Clone(in.Beat.Data[in.Beat.Len:r.Script.Width])
	}
	r.offered = !out.Ready
	if out.Ready {
		r.inPacket = !in.Beat.Last
	}
}

func (r *Recorder) access(in *axil.Inputs, out *axil.Outputs) {
	s := &r.Script
	timeline.Offered(&s.Reads, r.cycle, in.ARValid, out.ARReady, &r.reading, &in.ARAddr)
	if r.aw < 0 && in.AWValid {
		r.aw = r.cycle
	}
	if r.w < 0 && in.WValid {
		r.w = r.cycle
	}
	if r.aw >= 0 && r.w >= 0 && max(r.aw, r.w) == r.cycle { // both are known now; the end of a script may come before
		s.Writes = append(s.Writes, timeline.At[Write]{Cycle: min(r.aw, r.w), Op: Write{in.AWAddr, in.WData, in.WStrb,
			int(r.w - r.aw)}})
	}
	if out.AWReady {
		r.aw, r.w = -1, -1
	}
}
