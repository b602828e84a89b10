package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// headerWord is one word of a packet's header. The bits say that the packet has the second, third and fourth byte of it.
type headerWord struct {
	Data vgen.Signal `port:"_data" width:"32" doc:"word, first byte on top"`
	Has2 vgen.Signal `port:"_has2" width:"1" doc:"the packet goes on to its byte 1"`
	Has3 vgen.Signal `port:"_has3" width:"1" doc:"the packet goes on to its byte 2"`
	Has4 vgen.Signal `port:"_has4" width:"1" doc:"the packet goes on to its byte 3"`
}

type headerPorts struct {
	Valid  vgen.Signal  `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data   vgen.Signal  `port:"s_data" dir:"in" width:"data" doc:"its bytes, the first one lowest"`
	Keep   vgen.Signal  `port:"s_keep" dir:"in" width:"keep" doc:"its bytes that are part of the packet; matters on the last beat"`
	Last   vgen.Signal  `port:"s_last" dir:"in" width:"1" doc:"it is the packet's last"`
	User   vgen.Signal  `port:"s_user" dir:"in" width:"user" doc:"what is known of the packet; matters on the first beat"`
	Open   vgen.Signal  `port:"m_open" dir:"out" width:"fold" role:"ready" doc:"a beat may be accepted: it is not a packet's first, or the packet before has had its cycles"`
	Header vgen.Signal  `port:"m_header" dir:"out" width:"1" role:"valid" doc:"a header is complete (latency 1)"`
	End    vgen.Signal  `port:"m_end" dir:"out" width:"1" role:"valid" doc:"a packet has ended (latency 1)"`
	Word   []headerWord `port:"m_word%d" count:"words" dir:"out"`
	OutUse vgen.Signal  `port:"m_user" dir:"out" width:"user" doc:"what is known of the packet (latency 1)"`
	Length vgen.Signal  `port:"m_length" dir:"out" width:"16" doc:"its bytes, at most 65,535; valid with m_end, some cycles later"`
}

// lengthStage is the stage of m_length.
func lengthStage(c *config.CSIG) int {
	if deep(c) {
		return 4
	}
	return 3
}

// headerBlock builds csig_header: it gathers the words of a packet's header that can hold tags, and counts the packet's bytes.
// Stage 0 is the cycle in which a beat is accepted.
func headerBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_header", "Gathers the header of each packet and counts its bytes")
	if !alongBeats(c) {
		m.Doc("m_word0 is word 3 of the packet, behind the addresses; m_word10 is word 13. They are valid with m_header.")
	}
	m.Doc(fmt.Sprintf("m_header comes with the beat that has byte 53, or with the last beat of a shorter packet. m_length has latency %d.", lengthStage(c)))
	if c.Folded {
		m.Doc(fmt.Sprintf("It comes %d cycles after the first beat at the earliest, and m_end not before it. m_length stays until the next packet has ended.", foldedCycles-1))
	}
	m.SetTiming(1, 1)
	p := vgen.Ports[headerPorts](m, widths(c))
	l, head := lanes(c), headerBeat(c)

	// Number of the beat, up to the one behind the header.
	beatBits := bits.Len(uint(head + 1))
	beat := m.Reg("beat", beatBits, vgen.Reset(0), vgen.Control())
	inHeader := beat.Le(vgen.Const(beatBits, uint64(head))).Named("in_header")
	next := vgen.Mux(inHeader, beat.Add(vgen.Const(beatBits, 1)), beat)
	m.Next(beat, vgen.Mux(p.Valid, vgen.Mux(p.Last, vgen.Const(beatBits, 0), next), beat))
	first := p.Valid.And(equals(beat, 0)).Named("first")
	complete := p.Valid.And(equals(beat, uint64(head)).Or(p.Last.And(inHeader))).Named("complete")
	starts, ends := complete, p.Valid.And(p.Last)
	if c.Folded {
		starts, ends = foldedStart(m, p, beat.AnyBit(), first, complete)
	}
	m.Assign(p.Header, m.RegNext("header_q", starts, vgen.Reset(0), vgen.Control()))
	m.Assign(p.End, m.RegNext("end_q", ends, vgen.Reset(0), vgen.Control()))
	takes := first
	if deep(c) { // what it has between two packets nobody reads
		takes = equals(beat, 0).Named("between")
	}
	m.Assign(p.OutUse, m.RegNext("user_q", p.User, vgen.Enable(takes)))

	for i, out := range p.Word {
		w := firstWord + i
		lane := w % l
		var hold []vgen.RegOption
		load := flag(true)
		if l <= lastWord { // else the header is one beat, and is used in the cycle after it
			load = p.Valid.And(equals(beat, uint64(w/l))).Named(fmt.Sprintf("load%d", w))
			hold = append(hold, vgen.Enable(load))
		}
		at := 32 * lane
		var order []vgen.Signal
		for b := range wordBytes {
			order = append(order, p.Data.Slice(at+8*b+7, at+8*b))
		}
		m.Assign(out.Data, m.RegNext(fmt.Sprintf("word%d_q", w), vgen.Cat(order...), hold...))
		for b, port := range []vgen.Signal{out.Has2, out.Has3, out.Has4} {
			q := m.Reg(fmt.Sprintf("word%d_has%d", w, b+2), 1)
			has := p.Keep.Bit(wordBytes*lane + b + 1).Or(p.Last.Not())
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

// lengthOf counts bytes: full beats as they pass, then those of the last one.
func lengthOf(c *config.CSIG, m *vgen.Module, p *headerPorts) vgen.Signal {
	byteBits := bits.Len(uint(beatBytes(c) - 1))
	fullBits := lengthBits - byteBits // its top bit says that the length does not fit
	full := m.Reg("full_beats", fullBits, vgen.Reset(0), vgen.Control())
	more := vgen.Mux(full.Top(), full, full.Add(vgen.Const(fullBits, 1)))
	m.Next(full, vgen.Mux(p.Valid, vgen.Mux(p.Last, vgen.Const(fullBits, 0), more), full))

	pipe := lib.NewPipe(m)
	before := pipe.Reg("full", 0, full)
	keep := pipe.Reg("keep", 0, p.Keep)
	// The last byte kept, as a number.
	last := make([]vgen.Signal, byteBits)
	for b := range last {
		var hits []vgen.Signal
		for i := range beatBytes(c) {
			if i>>b&1 == 0 {
				continue
			}
			hit := keep.Bit(i)
			if i+1 < beatBytes(c) {
				hit = hit.And(keep.Bit(i + 1).Not())
			}
			hits = append(hits, hit)
		}
		last[byteBits-1-b] = or(hits...)
	}
	tail := pipe.Reg("last_byte", 1, vgen.Cat(last...))
	sum := vgen.Cat(pipe.At(before, 2), tail.Signal).Add(vgen.Const(lengthBits, 1)).Named("length_sum")
	at := 2
	if deep(c) {
		sum = pipe.Reg("length_sum", 2, sum).Signal
		at++
	}
	saturated := lib.Saturate("length_saturated", sum, 16)
	if c.Folded { // the packet may start later than it ends
		ended := pipe.Reg("ended", 0, p.Valid.And(p.Last))
		return m.RegNext("length_q", saturated, vgen.Enable(pipe.At(ended, 2)))
	}
	length := pipe.Reg("length", at, saturated)
	return length.Signal
}
