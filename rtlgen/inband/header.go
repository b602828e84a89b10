package inband

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type headerPorts struct {
	Valid  vgen.Signal   `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data   vgen.Signal   `port:"s_data" dir:"in" width:"data" doc:"its bytes, the first one lowest"`
	Keep   vgen.Signal   `port:"s_keep" dir:"in" width:"keep" doc:"its bytes that are part of the packet; matters on the last beat"`
	Last   vgen.Signal   `port:"s_last" dir:"in" width:"1" doc:"it is the packet's last"`
	User   vgen.Signal   `port:"s_user" dir:"in" width:"user" doc:"what is known of the packet; matters on the first beat"`
	Header vgen.Signal   `port:"m_header" dir:"out" width:"1" role:"valid" doc:"a header is complete (latency 1)"`
	Whole  vgen.Signal   `port:"m_whole" dir:"out" width:"1" doc:"with m_header: the packet has ended (latency 1)"`
	End    vgen.Signal   `port:"m_end" dir:"out" width:"1" role:"valid" doc:"a packet has ended (latency 1)"`
	Half   []vgen.Signal `port:"m_half%d" count:"halves" dir:"out" width:"half" doc:"16-bit words of the header, first byte on top; the first is that at byte 12"`
	OutUse vgen.Signal   `port:"m_user" dir:"out" width:"user" doc:"what is known of the packet (latency 1)"`
	Length vgen.Signal   `port:"m_length" dir:"out" width:"length" doc:"bytes of the packet, at most 65,535; belongs to m_end, two cycles later (latency 3)"`
}

// lengthStage is the stage of m_length.
const lengthStage = 3

// headerBlock builds int_header: it gathers the part of a packet that the walk reads, and counts its bytes. Stage 0 is the cycle in
// which a beat is accepted.
func headerBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_header", "Gathers the header of each packet and counts its bytes")
	m.Doc(fmt.Sprintf("m_header comes with the beat that has byte %d, or with the last beat of a shorter packet.", s.window-1),
		"Words hold until the next packet's beats replace them; of those beyond the end of a packet nothing is known.")
	m.SetTiming(1, 1)
	p := vgen.Ports[headerPorts](m, s.widths())
	l, head := s.lanes(), s.headerBeat()

	// Number of the beat, up to the one behind the header.
	width := bits.Len(uint(head + 1))
	beat := m.Reg("beat", width, vgen.Reset(0), vgen.Control())
	inHeader := beat.Le(vgen.Const(width, uint64(head))).Named("in_header")
	next := vgen.Mux(inHeader, plus(beat, 1), beat)
	m.Next(beat, vgen.Mux(p.Valid, vgen.Mux(p.Last, vgen.Const(width, 0), next), beat))
	first := p.Valid.And(is(beat, 0)).Named("first")
	complete := p.Valid.And(is(beat, uint64(head)).Or(p.Last.And(inHeader))).Named("complete")
	m.Assign(p.Header, later(m, "header_q", complete))
	m.Assign(p.Whole, m.RegNext("whole_q", p.Last))
	m.Assign(p.End, later(m, "end_q", p.Valid.And(p.Last)))
	m.Assign(p.OutUse, m.RegNext("user_q", p.User, vgen.Enable(first)))
	for i, out := range p.Half {
		h := firstHalf + i
		load := p.Valid.And(is(beat, uint64(h/l))).Named(fmt.Sprintf("load%d", h))
		at := halfBits * (h % l)
		opts := []vgen.RegOption{vgen.Enable(load)}
		if i < 2*maxVLANs && i%2 == 0 {
			// Tags are counted before it is known that a packet has them: what registers hold at power-up must not show in simulation.
			opts = append(opts, vgen.Reset(0))
		}
		m.Assign(out, m.RegNext(fmt.Sprintf("half%d_q", h), swapped(p.Data.Slice(at+15, at)), opts...))
	}
	m.Ignore(p.Data, "addresses, and what is behind the header")
	m.Assign(p.Length, lengthOf(s, m, p))
	return m
}

// lengthOf counts bytes: full beats as they pass, then those of the last one.
func lengthOf(s *shape, m *vgen.Module, p *headerPorts) vgen.Signal {
	byteBits := bits.Len(uint(s.beatBytes() - 1))
	fullBits := lengthBits + 1 - byteBits // its top bit says that the length does not fit
	full := m.Reg("full_beats", fullBits, vgen.Reset(0), vgen.Control())
	more := vgen.Mux(full.Top(), full, plus(full, 1))
	m.Next(full, vgen.Mux(p.Valid, vgen.Mux(p.Last, vgen.Const(fullBits, 0), more), full))

	pipe := lib.NewPipe(m)
	before := pipe.Reg("full", 0, full)
	keep := pipe.Reg("keep", 0, p.Keep)
	m.Ignore(keep.Bit(0), "a beat has at least one byte")
	// The number of the last byte kept, bit by bit.
	list := make([]vgen.Signal, byteBits)
	for b := range list {
		var hits []vgen.Signal
		for i := range s.beatBytes() {
			if i>>b&1 == 0 {
				continue
			}
			hit := keep.Bit(i)
			if i+1 < s.beatBytes() {
				hit = hit.And(keep.Bit(i + 1).Not())
			}
			hits = append(hits, hit)
		}
		list[b] = anyOf(hits...)
	}
	tail := pipe.Reg("last_byte", 1, vector(list))
	sum := plus(vgen.Cat(pipe.At(before, 2), tail.Signal), 1).Named("length_sum")
	return pipe.Reg("length", 2, lib.Saturate("length_saturated", sum, lengthBits)).Signal
}
