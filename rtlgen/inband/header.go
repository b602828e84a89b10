package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type headerPorts struct {
	Valid  vgen.Signal   `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data   vgen.Signal   `port:"s_data" dir:"in" width:"data" doc:"its bytes, first byte in the low bits"`
	Keep   vgen.Signal   `port:"s_keep" dir:"in" width:"keep" doc:"which bytes are part of the packet; all, except on the last beat"`
	Last   vgen.Signal   `port:"s_last" dir:"in" width:"1" doc:"last beat of the packet"`
	User   vgen.Signal   `port:"s_user" dir:"in" width:"user" doc:"metadata of the packet, with its first beat"`
	Header vgen.Signal   `port:"m_header" dir:"out" width:"1" role:"valid" doc:"a header is complete (latency 1)"`
	Whole  vgen.Signal   `port:"m_whole" dir:"out" width:"1" doc:"with m_header: the packet has ended (latency 1)"`
	End    vgen.Signal   `port:"m_end" dir:"out" width:"1" role:"valid" doc:"a packet has ended (latency 1)"`
	Half   []vgen.Signal `port:"m_half%d" count:"halves" dir:"out" width:"half" doc:"16-bit words of the header, first byte in the top bits; the first is that at byte 12"`
	OutUse vgen.Signal   `port:"m_user" dir:"out" width:"user" doc:"metadata of the packet (latency 1)"`
	Length vgen.Signal   `port:"m_length" dir:"out" width:"length" doc:"bytes of the packet, at most 65,535; belongs to m_end, two cycles later (latency 3)"`
}

// lengthStage is the stage of m_length.
const lengthStage = 3

// headerBlock builds int_header: it gathers the part of a packet that the walk reads, and counts its bytes. Stage 0 is
// the cycle in which a beat is accepted.
func headerBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_header", "Collects the header of each packet and counts its bytes")
	m.Doc(fmt.Sprintf("m_header comes with the beat that has byte %d, or with the last beat of a shorter packet.",
		s.window-1),
		"Words hold until the beats of the next packet replace them; those beyond the end of a packet are undefined.")
	m.SetTiming(1, 1)
	p := vgen.Ports[headerPorts](m, s.widths())
	l, head := s.lanes(), s.headerBeat()

	c := transit.NewCapture(m, p.Valid, p.Last, head)
	m.Assign(p.Header, m.StateNext("header_q", c.Complete))
	m.Assign(p.Whole, m.RegNext("whole_q", p.Last))
	m.Assign(p.End, m.StateNext("end_q", p.Valid.And(p.Last)))
	m.Assign(p.OutUse, m.RegNext("user_q", p.User, vgen.Enable(c.First)))
	loads := make([]vgen.Signal, head+1)
	for i := range loads {
		loads[i] = p.Valid.And(c.Beat.Is(uint64(i))).Named(fmt.Sprintf("load_beat%d", i))
	}
	for i, out := range p.Half {
		h := firstHalf + i
		at := halfBits * (h % l)
		opts := []vgen.RegOption{vgen.Enable(loads[h/l])}
		if i < 2*maxVLANs && i%2 == 0 {
			// Tags are counted before it is known that a packet has them: what registers hold at power-up must not show in
			// simulation.
			opts = append(opts, vgen.Reset(0))
		}
		m.Assign(out, m.RegNext(fmt.Sprintf("half%d_q", h), swapped(p.Data.Slice(at+15, at)), opts...))
	}
	m.Ignore(p.Data, "addresses, and what follows the header")
	pipe := lib.NewPipe(m)
	sum := transit.LengthSum(m, pipe, p.Valid, p.Last, p.Keep)
	m.Assign(p.Length, pipe.Reg("length", sum.Stage,
		lib.Saturate("length_saturated", sum.Signal, transit.LengthBits)).Signal)
	return m
}
