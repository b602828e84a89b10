package csig

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// beat is one transfer of the packet stream.
type beat struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, the first one lowest"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
}

// decision is what happens to a packet.
type decision struct {
	Strip  vgen.Signal `port:"strip" width:"1" doc:"remove the tag"`
	Update vgen.Signal `port:"update" width:"1" doc:"replace the tag's fields"`
	Size   vgen.Signal `port:"expanded" width:"size" doc:"the tag is an expanded one"`
	Place  vgen.Signal `port:"place" width:"place" doc:"word of the packet that the tag starts at"`
	Low    vgen.Signal `port:"low" width:"low" doc:"new bytes 2 and 3 of the tag"`
	High   vgen.Signal `port:"high" width:"high" doc:"new bytes 4 to 7 of an expanded tag"`
	User   vgen.Signal `port:"user" width:"muser" doc:"m_axis_tuser: egress port, status"`
}

// axis is a beat on the outer stream.
type axisOut struct {
	Data vgen.Signal `port:"data" width:"data" doc:"bytes, the first one lowest"`
	Keep vgen.Signal `port:"keep" width:"keep" doc:"which bytes are part of the packet"`
	Last vgen.Signal `port:"last" width:"1" doc:"end of the packet"`
	User vgen.Signal `port:"user" width:"muser" doc:"from bit 0: egress port, status (4 bits)"`
}

type editorPorts struct {
	Beat     vgen.Stream[beat]     `stream:"s_beat" dir:"in" doc:"packets"`
	Decision vgen.Stream[decision] `stream:"s_decision" dir:"in" doc:"one a packet"`
	Out      vgen.Stream[axisOut]  `stream:"m_axis_t%s" dir:"out" doc:"packets, edited"`
}

// editorBlock builds csig_editor: it updates or removes the tag of each packet as decided, and touches nothing else. A beat a
// cycle; registers a, b and c hold a beat each (docs/csig.md, Cycles of a packet).
func editorBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_editor", "Updates or removes the tag of each packet as decided")
	m.Doc("Registers a, b and c hold a beat each; what is decided travels with it. Removal moves what follows the tag up by one or two",
		"words, out of b and of a behind it. A last beat that moves up into b as a whole is absorbed.")
	m.SetTiming(3, 1)
	e := editor{c: c, m: m, ports: vgen.Ports[editorPorts](m, widths(c))}
	e.handshake()
	a := e.fill()
	e.empty(a)
	return m
}

// editor is csig_editor under construction.
type editor struct {
	c     *config.CSIG
	m     *vgen.Module
	ports *editorPorts

	inPacket, take, first         vgen.Signal // of what a takes
	aValid, bValid, bLeaves, aToB vgen.Signal
	aLast, aShort, bStrip, bLast  vgen.Signal
	absorb                        vgen.Signal
}

// stage is what registers a and b hold.
type stage struct {
	beat     beat
	decision decision
	tag      vgen.Signal // lane by lane: the tag's first word
	next     vgen.Signal // its second word, of expanded tags
	moved    vgen.Signal // what comes from later when the tag is removed: from the tag on
}

// handshake decides what moves.
func (e *editor) handshake() {
	m, in, dec := e.m, e.ports.Beat, e.ports.Decision
	e.aValid, e.bValid = state(m, "a_valid"), state(m, "b_valid")
	cValid := state(m, "c_valid")
	e.inPacket = state(m, "in_packet") // the next beat is not a packet's first
	e.aLast, e.aShort, e.bLast, e.bStrip = m.Reg("a_last", 1), m.Reg("a_short", 1), m.Reg("b_last", 1), m.Reg("b_strip", 1)

	cFree := cValid.Not().Or(e.ports.Out.Ready).Named("c_free")
	e.bLeaves = e.bValid.And(cFree).And(or(e.bStrip.Not(), e.bLast, e.aValid)).Named("b_leaves")
	e.absorb = and(e.bStrip, e.bLast.Not(), e.aShort).Named("absorb")
	aLeaves := e.aValid.And(e.bValid.Not().Or(e.bLeaves)).Named("a_leaves")
	aFree := e.aValid.Not().Or(aLeaves).Named("a_free")
	known := e.inPacket.Or(dec.Valid).Named("decision_known")
	e.take = and(in.Valid, known, aFree).Named("take")
	e.first = e.take.And(e.inPacket.Not()).Named("take_first")
	e.aToB = aLeaves.And(e.bValid.And(e.absorb).Not()).Named("a_to_b")
	m.Assign(in.Ready, known.And(aFree))
	m.Assign(dec.Ready, e.first)
	m.Assign(e.ports.Out.Valid, cValid)

	m.Next(e.inPacket, vgen.Mux(e.take, in.Payload.Last.Not(), e.inPacket))
	m.Next(e.aValid, e.take.Or(e.aValid.And(aLeaves.Not())))
	m.Next(e.bValid, e.aToB.Or(e.bValid.And(e.bLeaves.Not())))
	m.Next(cValid, e.bLeaves.Or(cFree.Not()))
}

// fill loads a: a beat, the decision of its packet, and where the tag is in the beat.
func (e *editor) fill() stage {
	m, c, in := e.m, e.c, e.ports.Beat.Payload
	load := vgen.Enable(e.take)
	a := stage{
		beat: beat{
			Data: m.RegNext("a_data", in.Data, load),
			Keep: m.RegNext("a_keep", in.Keep.Or(in.Last.Not().Repeat(beatBytes(c))), load),
			Last: e.aLast,
		},
		decision: e.ports.Decision.Payload,
	}
	m.Next(e.aLast, vgen.Mux(e.take, in.Last, e.aLast))
	// The decision stays for all beats of its packet.
	for _, s := range leaves(&a.decision) {
		*s = m.RegNext("a_"+s.Name()[len("s_decision_"):], *s, vgen.Enable(e.first))
	}
	now := e.ports.Decision.Payload
	place := vgen.Mux(e.inPacket, a.decision.Place, now.Place).Named("place")
	wide := flag(expanded(c))
	if now.Size.Exists() {
		wide = vgen.Mux(e.inPacket, a.decision.Size, now.Size).Named("wide")
	}
	short := vgen.Mux(wide, endsWithin(in.Keep, 2), endsWithin(in.Keep, 1))
	m.Next(e.aShort, vgen.Mux(e.take, in.Last.And(short), e.aShort))
	e.mark(&a, place)
	return a
}

// endsWithin tells whether a last beat has no more than so many words.
func endsWithin(keep vgen.Signal, words int) vgen.Signal {
	if wordBytes*words >= keep.Width() {
		return flag(true)
	}
	return keep.Bit(wordBytes * words).Not()
}

// mark finds the lanes of the tag in the beat that a takes: of the packet's beat number n, lane i is word n * lanes + i.
func (e *editor) mark(a *stage, place vgen.Signal) {
	m, l := e.m, lanes(e.c)
	laneBits := bits.Len(uint(l - 1))
	lastBeat := (lastStart + 1) / l // with a word of a tag
	width := bits.Len(uint(lastBeat + 2))
	count := m.Reg("beats_taken", width)
	number := count.And(e.inPacket.Repeat(width)).Named("beat_number")
	full := number.Eq(vgen.Const(width, uint64(lastBeat+2)))
	m.Next(count, vgen.Mux(e.take, vgen.Mux(full, number, number.Add(vgen.Const(width, 1))), count))

	lane := place.Trunc(laneBits)
	tagBeat := vgen.Const(width, 0)
	if laneBits < placeBits {
		tagBeat = fit(place.Slice(placeBits-1, laneBits), width).Named("tag_beat")
	}
	here := number.Eq(tagBeat).Named("tag_starts_here")
	past := number.Gt(tagBeat).Named("tag_started_before")
	var tag, next, moved []vgen.Signal
	for i := range l {
		at := vgen.Const(laneBits, uint64(i))
		tag = append(tag, here.And(lane.Eq(at)))
		moved = append(moved, past.Or(and(here, lane.Le(at))))
		switch {
		case i > 0:
			next = append(next, tag[i-1])
		case l > lastStart+1: // all of the tag is in the first beat
			next = append(next, flag(false))
		default:
			behind := number.Eq(tagBeat.Add(vgen.Const(width, 1)))
			next = append(next, behind.And(equals(lane, uint64(l-1))))
		}
	}
	load := vgen.Enable(e.take)
	a.tag = m.RegNext("a_is_tag", vector(tag), load)
	if expanded(e.c) {
		a.next = m.RegNext("a_is_next", vector(next), load)
	}
	a.moved = m.RegNext("a_is_moved", vector(moved), load)
}

// vector joins bits, the first one lowest.
func vector(list []vgen.Signal) vgen.Signal {
	out := make([]vgen.Signal, len(list))
	for i, s := range list {
		out[len(list)-1-i] = s
	}
	return vgen.Cat(out...)
}

// empty moves a to b, and what becomes of b, with a behind it, to c.
func (e *editor) empty(a stage) {
	m, c, l := e.m, e.c, lanes(e.c)
	load := vgen.Enable(e.aToB)
	b := a
	b.beat.Data, b.beat.Keep = m.RegNext("b_data", a.beat.Data, load), m.RegNext("b_keep", a.beat.Keep, load)
	m.Next(e.bLast, vgen.Mux(e.aToB, a.beat.Last, e.bLast))
	m.Next(e.bStrip, vgen.Mux(e.aToB, a.decision.Strip, e.bStrip))
	b.decision.Update = m.RegNext("b_update", a.decision.Update, load)
	b.decision.User = m.RegNext("b_user", a.decision.User, load)
	wide := flag(expanded(c))
	if a.decision.Size.Exists() {
		wide = m.RegNext("b_expanded", a.decision.Size, load)
	}
	b.decision.Low = m.RegNext("b_low", a.decision.Low, load)
	b.tag, b.moved = m.RegNext("b_is_tag", a.tag, load), m.RegNext("b_is_moved", a.moved, load)
	if expanded(c) {
		b.decision.High = m.RegNext("b_high", a.decision.High, load)
		b.next = m.RegNext("b_is_next", a.next, load)
	}

	// What lies behind b: nothing after a packet's last beat.
	data := vgen.Cat(a.beat.Data.Trunc(64), b.beat.Data)
	behind := a.beat.Keep.Trunc(2 * wordBytes).And(e.bLast.Not().Repeat(2 * wordBytes)).Named("keep_behind")
	keep := vgen.Cat(behind, b.beat.Keep)
	var words, keeps []vgen.Signal
	for i := range l {
		own, kept := wordOf(data, i), keepOf(keep, i)
		isTag := b.decision.Update.And(b.tag.Bit(i))
		low := reversed(b.decision.Low)
		word := vgen.Cat(vgen.Mux(isTag, low, own.Slice(31, 16)), own.Slice(15, 0))
		if expanded(c) {
			isNext := and(b.decision.Update, wide, b.next.Bit(i))
			word = vgen.Mux(isNext, reversed(b.decision.High), word)
		}
		later, keptLater := wordOf(data, i+1), keepOf(keep, i+1)
		if expanded(c) {
			later, keptLater = wordOf(data, i+2), keepOf(keep, i+2)
		}
		if compact(c) && expanded(c) {
			later = vgen.Mux(wide, later, wordOf(data, i+1))
			keptLater = vgen.Mux(wide, keptLater, keepOf(keep, i+1))
		}
		move := e.bStrip.And(b.moved.Bit(i)).Named(fmt.Sprintf("move%d", i))
		words = append(words, vgen.Mux(move, later, word))
		keeps = append(keeps, vgen.Mux(move, keptLater, kept))
	}
	out := e.ports.Out.Payload
	leave := vgen.Enable(e.bLeaves)
	m.Assign(out.Data, m.RegNext("c_data", vector(words), leave))
	m.Assign(out.Keep, m.RegNext("c_keep", vector(keeps), leave))
	m.Assign(out.Last, m.RegNext("c_last", e.bLast.Or(e.absorb), leave))
	m.Assign(out.User, m.RegNext("c_user", b.decision.User, leave))
}

func wordOf(data vgen.Signal, i int) vgen.Signal { return data.Slice(32*i+31, 32*i) }
func keepOf(keep vgen.Signal, i int) vgen.Signal {
	return keep.Slice(wordBytes*i+wordBytes-1, wordBytes*i)
}

// reversed puts bytes whose first is on top into the order of the stream, whose first is lowest.
func reversed(s vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for at := 0; at < s.Width(); at += 8 {
		list = append(list, s.Slice(at+7, at))
	}
	return vgen.Cat(list...)
}

// state is a bit of control state, 0 after reset.
func state(m *vgen.Module, name string) vgen.Signal {
	return m.Reg(name, 1, vgen.Reset(0), vgen.Control())
}
