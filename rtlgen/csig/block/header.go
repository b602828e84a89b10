package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// headerWord is one word of a packet's header. The bits say that the packet has the second, third and fourth byte of
// it, and the first where that can be half of a TPID.
type headerWord struct {
	Data vgen.Signal `port:"_data" width:"32" doc:"word, first byte in the top bits"`
	Has1 vgen.Signal `port:"_has1" width:"padded" doc:"byte 0 of the word is part of the packet"`
	Has2 vgen.Signal `port:"_has2" width:"1" doc:"byte 1 of the word is part of the packet"`
	Has3 vgen.Signal `port:"_has3" width:"1" doc:"byte 2 of the word is part of the packet"`
	Has4 vgen.Signal `port:"_has4" width:"1" doc:"byte 3 of the word is part of the packet"`
}

// HeaderPorts are the ports of csig_header.
type HeaderPorts struct {
	Valid  vgen.Signal  `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data   vgen.Signal  `port:"s_data" dir:"in" width:"data" doc:"its bytes, first byte in the low bits"`
	Keep   vgen.Signal  `port:"s_keep" dir:"in" width:"keep" doc:"which bytes are part of the packet; all, except on the last beat"`
	Last   vgen.Signal  `port:"s_last" dir:"in" width:"1" doc:"last beat of the packet"`
	User   vgen.Signal  `port:"s_user" dir:"in" width:"user" doc:"metadata of the packet, with its first beat"`
	Open   vgen.Signal  `port:"m_open" dir:"out" width:"fold" role:"ready" doc:"a beat may be accepted: it is not the first of a packet, or the packet before has had its cycles"`
	Header vgen.Signal  `port:"m_header" dir:"out" width:"1" role:"valid" doc:"a header is complete (latency 1)"`
	End    vgen.Signal  `port:"m_end" dir:"out" width:"1" role:"valid" doc:"a packet has ended (latency 1)"`
	Word   []headerWord `port:"m_word%d" count:"words" dir:"out"`
	OutUse vgen.Signal  `port:"m_user" dir:"out" width:"user" doc:"metadata of the packet (latency 1)"`
	Length vgen.Signal  `port:"m_length" dir:"out" width:"16" doc:"length of the packet, at most 65,535 bytes; belongs to m_end"`
}

// Header builds csig_header: it gathers the words of a packet's header that can hold tags, and counts the packet's
// bytes. Stage 0 is the cycle in which a beat is accepted.
func Header(c *Shape) *vgen.Module {
	m := vgen.NewModule("csig_header", "Collects the header of each packet and counts its bytes")
	if !c.alongBeats() {
		m.Doc("m_word0 is word 3 of the packet, the first after the addresses; m_word10 is word 13. They are valid with m_header.")
	}
	m.Doc(
		fmt.Sprintf(
			"m_header comes with the beat that has byte 53, or with the last beat of a shorter packet. m_length has latency %d.", c.LengthStage()))
	if c.Spacing > 1 {
		m.Doc(
			fmt.Sprintf(
				"It comes %d cycles after the first beat at the earliest, and m_end not before it. m_length stays until the next packet has ended.", c.Spacing-1))
	}
	m.SetTiming(1, 1)
	p := vgen.Ports[HeaderPorts](m, c.PortWidths())
	l, head := c.lanes(), c.HeaderBeat()

	at := transit.NewCapture(m, p.Valid, p.Last, head)
	beat, first, complete := at.Beat, at.First, at.Complete
	starts, ends := complete, p.Valid.And(p.Last)
	if c.Spacing > 1 {
		starts, ends = spacedStart(m, p, beat.AnyBit(), first, complete)
	}
	m.Assign(p.Header, m.StateNext("header_q", starts))
	m.Assign(p.End, m.StateNext("end_q", ends))
	takes := first
	if c.At.Seen { // what it has between two packets nobody reads
		takes = beat.Is(0).Named("between")
	}
	m.Assign(p.OutUse, m.RegNext("user_q", p.User, vgen.Enable(takes)))

	for i, out := range p.Word {
		w := firstWord + i
		lane := w % l
		var hold []vgen.RegOption
		load := flag(true)
		if l <= lastWord { // else the header is one beat, and is used in the cycle after it
			load = p.Valid.And(beat.Is(uint64(w / l))).Named(fmt.Sprintf("load%d", w))
			hold = append(hold, vgen.Enable(load))
		}
		at := 32 * lane
		var order []vgen.Signal
		for b := range WordBytes {
			order = append(order, p.Data.Slice(at+8*b+7, at+8*b))
		}
		m.Assign(out.Data, m.RegNext(fmt.Sprintf("word%d_q", w), vgen.Cat(order...), hold...))
		for b, port := range []vgen.Signal{out.Has1, out.Has2, out.Has3, out.Has4} {
			if !port.Exists() {
				continue
			}
			q := m.Reg(fmt.Sprintf("word%d_has%d", w, b+1), 1)
			has := p.Keep.Bit(WordBytes*lane + b).Or(p.Last.Not())
			switch {
			case l > lastWord:
				m.Next(q, has)
			case w/l == 0:
				m.Next(q, vgen.Mux(load, has, q))
			default:
				// A packet that ends before this word does not load it.
				m.Next(q, vgen.Mux(load, has, q.And(first.Not())))
			}
			m.Assign(port, q)
		}
	}
	m.Assign(p.Length, lengthOf(c, m, p))
	m.Ignore(p.Data, "only words 3 to 13 can belong to a tag")
	return m
}

// lengthOf is the length of a packet, at most 65,535.
func lengthOf(c *Shape, m *vgen.Module, p *HeaderPorts) vgen.Signal {
	pipe := lib.NewPipe(m)
	sum := transit.LengthSum(m, pipe, p.Valid, p.Last, p.Keep)
	at := transit.Stage(pipe, c.At.Length, sum.Stage, "length_sum", &sum.Signal)
	length := lib.Saturate("length_saturated", sum.Signal, transit.LengthBits)
	if c.Spacing > 1 { // the packet may start later than it ends
		ended := pipe.Reg("ended", 0, p.Valid.And(p.Last))
		return m.RegNext("length_q", length, vgen.Enable(pipe.At(ended, 2)))
	}
	return pipe.Reg("length", at, length).Signal
}
