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

// editorPorts are the ports of csig_editor. Where it never stops there is nothing to be ready for: the decision comes with a packet's first
// beat.
type editorPorts struct {
	BeatValid     vgen.Signal `port:"s_beat_valid" dir:"in" width:"1" role:"valid" doc:"packets: valid"`
	BeatReady     vgen.Signal `port:"s_beat_ready" dir:"out" width:"stops" role:"ready" doc:"packets: ready"`
	Beat          beat        `port:"s_beat_" dir:"in"`
	DecisionValid vgen.Signal `port:"s_decision_valid" dir:"in" width:"stops" role:"valid" doc:"one a packet: valid"`
	DecisionReady vgen.Signal `port:"s_decision_ready" dir:"out" width:"stops" role:"ready" doc:"one a packet: ready"`
	Decision      decision    `port:"s_decision_" dir:"in"`
	First         vgen.Signal `port:"s_first" dir:"in" width:"flows" doc:"the beat that comes is a packet's first, and brings its decision"`
	OutValid      vgen.Signal `port:"m_axis_tvalid" dir:"out" width:"1" role:"valid" doc:"packets, edited: valid"`
	OutReady      vgen.Signal `port:"m_axis_tready" dir:"in" width:"stops" role:"ready" doc:"packets, edited: ready"`
	Out           axisOut     `port:"m_axis_t" dir:"out"`
	Absorbed      vgen.Signal `port:"m_absorbed" dir:"out" width:"flows" doc:"a beat came that does not leave: the one before it takes it in"`
}

// editorBlock builds csig_editor: it updates or removes the tag of each packet as decided, and touches nothing else. A beat a
// cycle; registers a, b and c hold a beat each (docs/csig.md, Cycles of a packet). In a deep pipeline it never stops.
func editorBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_editor", "Updates or removes the tag of each packet as decided")
	m.Doc("Registers a, b and c hold a beat each; what is decided travels with it. Removal moves what follows the tag up by one or two",
		"words, out of b and of a behind it. A last beat that moves up into b as a whole is absorbed.")
	m.SetTiming(3, 1)
	w := widths(c)
	w["stops"], w["flows"] = bit(!deep(c)), bit(deep(c))
	e := editor{c: c, m: m, ports: vgen.Ports[editorPorts](m, w)}
	if deep(c) {
		e.flow()
	} else {
		e.handshake()
	}
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
	aEmpty                        vgen.Signal // aValid, inverted, for what takes a's beat
}

// stage is what registers a and b hold.
type stage struct {
	beat     beat
	decision decision
	tag      vgen.Signal // lane by lane: the tag's first word
	next     vgen.Signal // its second word, of expanded tags
	moved    vgen.Signal // what comes from later when the tag is removed: from the tag on
}

// states makes the registers of control that editors with handshakes and without have in common, and c's, which it gives.
func (e *editor) states() (cValid vgen.Signal) {
	m := e.m
	e.aValid, e.bValid = state(m, "a_valid"), state(m, "b_valid")
	cValid = state(m, "c_valid")
	if !deep(e.c) {
		e.inPacket = state(m, "in_packet") // the next beat is not a packet's first
	}
	e.aLast, e.aShort, e.bLast, e.bStrip = m.Reg("a_last", 1), m.Reg("a_short", 1), m.Reg("b_last", 1), m.Reg("b_strip", 1)
	return cValid
}

// handshake decides what moves.
func (e *editor) handshake() {
	m, p := e.m, e.ports
	cValid := e.states()
	cFree := cValid.Not().Or(p.OutReady).Named("c_free")
	e.bLeaves = and(e.bValid, cFree, or(e.bStrip.Not(), e.bLast, e.aValid)).Named("b_leaves")
	e.absorb = and(e.bStrip, e.bLast.Not(), e.aShort).Named("absorb")
	aLeaves := e.aValid.And(e.bValid.Not().Or(e.bLeaves)).Named("a_leaves")
	aFree := e.aValid.Not().Or(aLeaves).Named("a_free")
	known := e.inPacket.Or(p.DecisionValid).Named("decision_known")
	e.take = and(p.BeatValid, known, aFree).Named("take")
	m.Assign(p.BeatReady, known.And(aFree))
	e.first = e.take.And(e.inPacket.Not()).Named("take_first")
	m.Assign(p.DecisionReady, e.first)
	e.aToB = aLeaves.And(e.bValid.And(e.absorb).Not()).Named("a_to_b")
	m.Assign(p.OutValid, cValid)

	m.Next(e.inPacket, vgen.Mux(e.take, p.Beat.Last.Not(), e.inPacket))
	m.Next(e.aValid, or(e.take, and(e.aValid, aLeaves.Not())))
	m.Next(e.bValid, e.aToB.Or(e.bValid.And(e.bLeaves.Not())))
	m.Next(cValid, or(e.bLeaves, cFree.Not()))
}

// loads says when registers take what comes: into a, b and c.
func (e *editor) loads() (a, b, c []vgen.RegOption) {
	if deep(e.c) {
		return e.loadsDeep()
	}
	return []vgen.RegOption{vgen.Enable(e.take)}, []vgen.RegOption{vgen.Enable(e.aToB)}, []vgen.RegOption{vgen.Enable(e.bLeaves)}
}

// fill loads a: a beat, the decision of its packet, and where the tag is in the beat.
func (e *editor) fill() stage {
	m, c, in := e.m, e.c, e.ports.Beat
	load, _, _ := e.loads()
	a := stage{
		beat: beat{
			Data: m.RegNext("a_data", in.Data, load...),
			Keep: m.RegNext("a_keep", in.Keep.Or(in.Last.Not().Repeat(beatBytes(c))), load...),
			Last: e.aLast,
		},
		decision: e.ports.Decision,
	}
	stays := func(q, next vgen.Signal) { // a's bits of control
		if !deep(c) {
			next = vgen.Mux(e.take, next, q)
		}
		m.Next(q, next)
	}
	stays(e.aLast, in.Last)
	// The decision stays for all beats of its packet.
	place := a.decision.Place
	for _, s := range vgen.Leaves(&a.decision) {
		if *s == place && e.inFirstBeat() { // nobody asks for it later
			continue
		}
		*s = m.RegNext("a_"+s.Name()[len("s_decision_"):], *s, vgen.Enable(e.first))
	}
	now := e.ports.Decision
	if !deep(c) {
		place = vgen.Mux(e.inPacket, a.decision.Place, now.Place).Named("place")
	}
	wide := flag(expanded(c))
	if now.Size.Exists() {
		wide = vgen.Mux(e.inPacket, a.decision.Size, now.Size).Named("wide")
	}
	short := vgen.Mux(wide, endsWithin(in.Keep, 2), endsWithin(in.Keep, 1))
	stays(e.aShort, in.Last.And(short))
	if deep(c) {
		e.markApart(&a)
	} else {
		e.mark(&a, place)
	}
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
	number := e.count(e.inPacket)
	lane, tagBeat := e.laneOf(place), e.beatOf(place, number.Width()).Named("tag_beat")
	here := number.Eq(tagBeat).Named("tag_starts_here")
	past := number.Gt(tagBeat).Named("tag_started_before")
	var tag, next, moved []vgen.Signal
	for i := range l {
		at := vgen.Const(lane.Width(), uint64(i))
		tag = append(tag, here.And(lane.Eq(at)))
		moved = append(moved, past.Or(and(here, lane.Le(at))))
		if i > 0 {
			next = append(next, tag[i-1])
		} else {
			behind := number.Eq(tagBeat.Add(vgen.Const(tagBeat.Width(), 1)))
			next = append(next, behind.And(equals(lane, uint64(l-1))))
		}
	}
	load, _, _ := e.loads()
	a.tag = m.RegNext("a_is_tag", vector(tag), load...)
	if expanded(e.c) {
		a.next = m.RegNext("a_is_next", vector(next), load...)
	}
	a.moved = m.RegNext("a_is_moved", vector(moved), load...)
}

// count is the number, in its packet, of the beat that a takes, up to those behind the tag: 0 unless goesOn says that it is not the first.
func (e *editor) count(goesOn vgen.Signal) vgen.Signal {
	m, last := e.m, (lastStart+1)/lanes(e.c)+2
	width := bits.Len(uint(last))
	count := m.Reg("beats_taken", width)
	n := count.And(goesOn.Repeat(width)).Named("beat_number")
	full := n.Eq(vgen.Const(width, uint64(last)))
	m.Next(count, vgen.Mux(e.take, vgen.Mux(full, n, n.Add(vgen.Const(width, 1))), count))
	return n
}

// laneOf and beatOf are where a word of the packet is.
func (e *editor) laneOf(place vgen.Signal) vgen.Signal {
	return place.Trunc(bits.Len(uint(lanes(e.c) - 1)))
}

func (e *editor) beatOf(place vgen.Signal, width int) vgen.Signal {
	if low := bits.Len(uint(lanes(e.c) - 1)); low < placeBits {
		return fit(place.Slice(placeBits-1, low), width)
	}
	return vgen.Const(width, 0)
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
	_, load, leave := e.loads()
	comes := e.aToB
	if deep(c) {
		comes = e.aValid
	}
	b := a
	b.beat.Data, b.beat.Keep = m.RegNext("b_data", a.beat.Data, load...), m.RegNext("b_keep", a.beat.Keep, load...)
	m.Next(e.bLast, vgen.Mux(comes, a.beat.Last, e.bLast))
	m.Next(e.bStrip, vgen.Mux(comes, a.decision.Strip, e.bStrip))
	if !deep(c) {
		b.decision.Update = m.RegNext("b_update", a.decision.Update, load...)
	}
	b.decision.User = m.RegNext("b_user", a.decision.User, load...)
	b.decision.Low = m.RegNext("b_low", a.decision.Low, load...)
	if expanded(c) {
		b.decision.High = m.RegNext("b_high", a.decision.High, load...)
	}
	choose := e.choose
	if deep(c) {
		choose = e.chooseDeep
	}
	choice := choose(a, &b)

	// What lies behind b: nothing after a packet's last beat.
	data := vgen.Cat(a.beat.Data.Trunc(64), b.beat.Data)
	behind := a.beat.Keep.Trunc(2 * wordBytes).And(e.bLast.Not().Repeat(2 * wordBytes)).Named("keep_behind")
	keep := vgen.Cat(behind, b.beat.Keep)
	var words, keeps []vgen.Signal
	for i := range l {
		own, kept := wordOf(data, i), keepOf(keep, i)
		of := choice(i)
		low := reversed(b.decision.Low)
		word := vgen.Cat(vgen.Mux(of.low, low, own.Slice(31, 16)), own.Slice(15, 0))
		if expanded(c) {
			word = vgen.Mux(of.high, reversed(b.decision.High), word)
		}
		later, keptLater := wordOf(data, i+1), keepOf(keep, i+1)
		if expanded(c) {
			later, keptLater = wordOf(data, i+2), keepOf(keep, i+2)
		}
		if compact(c) && expanded(c) {
			later = vgen.Mux(of.two, later, wordOf(data, i+1))
			keptLater = vgen.Mux(of.two, keptLater, keepOf(keep, i+1))
		}
		words = append(words, vgen.Mux(of.move, later, word))
		keeps = append(keeps, vgen.Mux(of.move, keptLater, kept))
	}
	out := e.ports.Out
	m.Assign(out.Data, m.RegNext("c_data", vector(words), leave...))
	m.Assign(out.Keep, m.RegNext("c_keep", vector(keeps), leave...))
	m.Assign(out.Last, m.RegNext("c_last", e.bLast.Or(e.absorb), leave...))
	m.Assign(out.User, m.RegNext("c_user", b.decision.User, leave...))
}

// laneChoice is what becomes of a lane of b: new words in the place of the tag's, or what comes later, by one word or by two.
type laneChoice struct{ low, high, move, two vgen.Signal }

// choose says what becomes of each lane of b.
func (e *editor) choose(a stage, b *stage) func(lane int) laneChoice {
	m, c := e.m, e.c
	_, load, _ := e.loads()
	kept := func(name string, s vgen.Signal) vgen.Signal { return m.RegNext("b_"+name, s, load...) }
	wide := flag(expanded(c))
	if a.decision.Size.Exists() {
		wide = kept("expanded", a.decision.Size)
	}
	b.tag, b.moved = kept("is_tag", a.tag), kept("is_moved", a.moved)
	if expanded(c) {
		b.next = kept("is_next", a.next)
	}
	return func(i int) laneChoice {
		l := laneChoice{low: b.decision.Update.And(b.tag.Bit(i)), two: wide}
		l.move = e.bStrip.And(b.moved.Bit(i)).Named(fmt.Sprintf("move%d", i))
		if expanded(c) {
			l.high = and(b.decision.Update, wide, b.next.Bit(i))
		}
		return l
	}
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
