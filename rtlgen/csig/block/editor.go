package block

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Decision is what happens to a packet.
type Decision struct {
	Drop   vgen.Signal `port:"drop" width:"1" doc:"the packet does not leave"`
	Strip  vgen.Signal `port:"strip" width:"1" doc:"remove the tag"`
	Update vgen.Signal `port:"update" width:"1" doc:"replace the tag's fields"`
	Size   vgen.Signal `port:"expanded" width:"size" doc:"the tag is an expanded one"`
	Place  vgen.Signal `port:"place" width:"place" doc:"word of the packet that the tag starts at"`
	Low    vgen.Signal `port:"low" width:"low" doc:"new bytes 2 and 3 of the tag"`
	High   vgen.Signal `port:"high" width:"high" doc:"new bytes 4 to 7 of an expanded tag"`
	User   vgen.Signal `port:"user" width:"muser" doc:"m_axis_tuser: egress port, status"`
}

// EditorPorts are the ports of csig_editor. Where it never stops there is nothing to be ready for: the decision comes
// with a packet's first beat.
type EditorPorts struct {
	BeatValid     vgen.Signal     `port:"s_beat_valid" dir:"in" width:"1" role:"valid" doc:"packets: valid"`
	BeatReady     vgen.Signal     `port:"s_beat_ready" dir:"out" width:"stops" role:"ready" doc:"packets: ready"`
	Beat          transit.Beat    `port:"s_beat_" dir:"in"`
	DecisionValid vgen.Signal     `port:"s_decision_valid" dir:"in" width:"stops" role:"valid" doc:"one a packet: valid"`
	DecisionReady vgen.Signal     `port:"s_decision_ready" dir:"out" width:"stops" role:"ready" doc:"one a packet: ready"`
	Decision      Decision        `port:"s_decision_" dir:"in"`
	First         vgen.Signal     `port:"s_first" dir:"in" width:"flows" doc:"the next beat is the first of a packet and carries its decision"`
	OutValid      vgen.Signal     `port:"m_axis_tvalid" dir:"out" width:"1" role:"valid" doc:"packets, edited: valid"`
	OutReady      vgen.Signal     `port:"m_axis_tready" dir:"in" width:"stops" role:"ready" doc:"packets, edited: ready"`
	Out           transit.AxisOut `port:"m_axis_t" dir:"out"`
	Absorbed      vgen.Signal     `port:"m_absorbed" dir:"out" width:"flows" doc:"a beat was removed: absorbed by the one before it, or of a dropped packet"`
}

// Editor builds csig_editor: it updates or removes the tag of each packet as decided, or drops the packet, and touches
// nothing else. A beat a cycle; registers a, b and c hold a beat each (docs/csig.md, Cycles of a packet). With
// Places.Flow it never stops.
func Editor(c *Shape) *vgen.Module {
	m := vgen.NewModule("csig_editor", "Updates or removes the tag of each packet, or drops the packet, as decided")
	m.Doc(
		"Registers a, b and c hold a beat each, with its decision. Removal moves the words after the tag up by one or two: c takes them",
		"from b and its successor a. A last beat that moves up into b as a whole is absorbed. A dropped packet does not leave a.")
	m.SetTiming(3, 1)
	w := c.PortWidths()
	w["stops"], w["flows"] = bit(!c.At.Flow), bit(c.At.Flow)
	e := editor{c: c, m: m, ports: vgen.Ports[EditorPorts](m, w)}
	e.moves()
	e.empty(e.fill())
	return m
}

// editor is csig_editor under construction.
type editor struct {
	c     *Shape
	m     *vgen.Module
	ports *EditorPorts

	inPacket, take, first         vgen.Signal // of what a takes
	aValid, bValid, bLeaves, aToB vgen.Signal
	aLast, aShort, bStrip, bLast  vgen.Signal
	absorb                        vgen.Signal
	aStays                        vgen.Signal // a keeps its beat; does not exist where it never does
	aEmpty                        vgen.Signal // aValid, inverted, for what takes a's beat

	loadA, loadC []vgen.RegOption // when a and c take what comes; where nothing stops in each cycle, be it a beat or not
}

// Stage is what registers a and b hold.
type stage struct {
	beat     transit.Beat
	decision Decision
	tag      vgen.Signal // lane by lane: the tag's first word
	next     vgen.Signal // its second word, of expanded tags
	moved    vgen.Signal // what comes from later when the tag is removed: from the tag on
}

// moves decides what moves. Where nothing stops, c is free in each cycle, and a leaves in the cycle in which it is
// full; csig_pace tells which beat is a packet's first.
func (e *editor) moves() {
	m, p, flow := e.m, e.ports, e.c.At.Flow
	m.Section("Handshake")
	e.aValid, e.bValid = m.State("a_valid", 1), m.State("b_valid", 1)
	cValid := m.State("c_valid", 1)
	if !flow {
		e.inPacket = m.State("in_packet", 1) // the next beat is not a packet's first
	}
	e.aLast, e.aShort, e.bLast, e.bStrip = m.Reg("a_last", 1), m.Reg("a_short", 1), m.Reg("b_last", 1), m.Reg("b_strip", 1)
	cFree := flag(true)
	if flow {
		e.aEmpty = m.Reg("a_empty", 1, vgen.Reset(1), vgen.Control()) // so that what decides has a register of its own
		e.take, e.first, e.inPacket = p.BeatValid, p.First, p.First.Not()
	} else {
		cFree = cValid.Not().Or(p.OutReady).Named("c_free")
	}
	e.bLeaves = and(e.bValid, cFree, or(e.bStrip.Not(), e.bLast, e.aValid)).Named("b_leaves")
	e.absorb = and(e.bStrip, e.bLast.Not(), e.aShort).Named("absorb")
	aLeaves := e.aValid
	var in transit.Intake
	if !flow {
		aLeaves = e.aValid.And(e.bValid.Not().Or(e.bLeaves)).Named("a_leaves")
		aFree := e.aValid.Not().Or(aLeaves).Named("a_free")
		in = transit.NewIntake(e.inPacket, p.BeatValid, p.DecisionValid, aFree)
		e.take = in.Take
		m.Assign(p.BeatReady, in.Ready)
		e.first = in.First()
		m.Assign(p.DecisionReady, e.first)
	}
	e.aToB = aLeaves.And(e.bValid.And(e.absorb).Not()).Named("a_to_b")
	m.Assign(p.OutValid, cValid)
	if !flow {
		in.Next(m, p.Beat.Last)
		e.aStays = and(e.aValid, aLeaves.Not())
		e.loadA, e.loadC = enable(e.take), enable(e.bLeaves)
	}
	m.Next(e.bValid, e.aToB.Or(e.bValid.And(e.bLeaves.Not())))
	m.Next(cValid, or(e.bLeaves, cFree.Not()))
}

// loadB tells when b takes what a has.
func (e *editor) loadB() []vgen.RegOption {
	if e.c.At.Flow {
		return enable(e.aEmpty.Not())
	}
	return enable(e.aToB)
}

func enable(s vgen.Signal) []vgen.RegOption { return []vgen.RegOption{vgen.Enable(s)} }

// fill loads a: a beat, the decision of its packet, and where the tag is in the beat.
func (e *editor) fill() stage {
	m, c, in := e.m, e.c, e.ports.Beat
	m.Section("Register a")
	load := e.loadA
	a := stage{
		beat: transit.Beat{
			Data: m.RegNext("a_data", in.Data, load...),
			Keep: m.RegNext("a_keep", in.Keep.Or(in.Last.Not().Repeat(c.BeatBytes())), load...),
			Last: e.aLast,
		},
		decision: e.ports.Decision,
	}
	stays := func(q, next vgen.Signal) { // a's bits of control
		if !e.c.At.Flow {
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
	e.drop(vgen.Mux(e.inPacket, a.decision.Drop, now.Drop).Named("drops"))
	if !e.c.At.Flow {
		place = vgen.Mux(e.inPacket, a.decision.Place, now.Place).Named("place")
	}
	wide := flag(c.Expanded())
	if now.Size.Exists() {
		wide = vgen.Mux(e.inPacket, a.decision.Size, now.Size).Named("wide")
	}
	short := vgen.Mux(wide, endsWithin(in.Keep, 2), endsWithin(in.Keep, 1))
	stays(e.aShort, in.Last.And(short))
	if e.c.At.Flow {
		e.markApart(&a)
	} else {
		e.mark(&a, place)
	}
	return a
}

// Drop fills a with what is taken, but for beats of packets that are dropped.
func (e *editor) drop(drops vgen.Signal) {
	m, fills := e.m, e.take.And(drops.Not()).Named("fills_a")
	if !e.c.At.Flow {
		m.Next(e.aValid, fills.Or(e.aStays))
		return
	}
	m.Next(e.aValid, fills)
	m.Next(e.aEmpty, fills.Not())
	gone := m.StateNext("a_dropped", e.take.And(drops))
	m.Assign(e.ports.Absorbed, gone.Or(e.bLeaves.And(e.absorb)))
}

// endsWithin reports whether a last beat has no more than so many words.
func endsWithin(keep vgen.Signal, words int) vgen.Signal {
	if WordBytes*words >= keep.Width() {
		return flag(true)
	}
	return keep.Bit(WordBytes * words).Not()
}

// mark finds the lanes of the tag in the beat that a takes: of the packet's beat number n, lane i is word n * lanes +
// i.
func (e *editor) mark(a *stage, place vgen.Signal) {
	m, l := e.m, e.c.lanes()
	number := e.count(e.inPacket)
	lane, tagBeat := e.laneOf(place), e.beatOf(place, number.Width()).Named("tag_beat")
	here := number.Eq(tagBeat).Named("tag_starts_here")
	past := number.Gt(tagBeat).Named("tag_started_before")
	var tag, next, moved []vgen.Signal
	for i := range l {
		at := vgen.Const(lane.Width(), uint64(i))
		tag = append(tag, here.And(lane.Eq(at)).Named(fmt.Sprintf("word%d_is_tag", i)))
		moved = append(moved, past.Or(and(here, lane.Le(at))))
		if i > 0 {
			next = append(next, tag[i-1])
		} else {
			behind := number.Eq(tagBeat.Plus(1))
			next = append(next, behind.And(lane.Is(uint64(l-1))))
		}
	}
	load := e.loadA
	a.tag = m.RegNext("a_is_tag", vector(tag), load...)
	if e.c.Expanded() {
		a.next = m.RegNext("a_is_next", vector(next), load...)
	}
	a.moved = m.RegNext("a_is_moved", vector(moved), load...)
}

// count is the number, in its packet, of the beat that a takes, up to those behind the tag: 0 unless goesOn says that
// it is not the first.
func (e *editor) count(goesOn vgen.Signal) vgen.Signal {
	m, last := e.m, (lastStart+1)/e.c.lanes()+2
	width := bits.Len(uint(last))
	count := m.Reg("beats_taken", width)
	n := count.And(goesOn.Repeat(width)).Named("beat_number")
	full := n.Eq(vgen.Const(width, uint64(last)))
	m.Next(count, vgen.Mux(e.take, vgen.Mux(full, n, n.Add(vgen.Const(width, 1))), count))
	return n
}

// laneOf and beatOf are where a word of the packet is.
func (e *editor) laneOf(place vgen.Signal) vgen.Signal {
	return place.Trunc(bits.Len(uint(e.c.lanes() - 1)))
}

func (e *editor) beatOf(place vgen.Signal, width int) vgen.Signal {
	if low := bits.Len(uint(e.c.lanes() - 1)); low < placeBits {
		return place.Slice(placeBits-1, low).Fit(width)
	}
	return vgen.Const(width, 0)
}

// empty moves a to b, and what becomes of b, with a behind it, to c.
func (e *editor) empty(a stage) {
	m, c, l := e.m, e.c, e.c.lanes()
	m.Section("Register b")
	load, leave := e.loadB(), e.loadC
	comes := e.aToB
	if e.c.At.Flow {
		comes = e.aValid
	}
	b := a
	b.beat.Data, b.beat.Keep = m.RegNext("b_data", a.beat.Data, load...), m.RegNext("b_keep", a.beat.Keep, load...)
	m.Next(e.bLast, vgen.Mux(comes, a.beat.Last, e.bLast))
	m.Next(e.bStrip, vgen.Mux(comes, a.decision.Strip, e.bStrip))
	if !e.c.At.Flow {
		b.decision.Update = m.RegNext("b_update", a.decision.Update, load...)
	}
	b.decision.User = m.RegNext("b_user", a.decision.User, load...)
	b.decision.Low = m.RegNext("b_low", a.decision.Low, load...)
	if c.Expanded() {
		b.decision.High = m.RegNext("b_high", a.decision.High, load...)
	}
	choose := e.choose
	if e.c.At.Flow {
		choose = e.chooseEarly
	}
	choice := choose(a, &b)

	m.Section("Register c: the words of b with the tag updated, or moved up over a removed tag")
	// What follows b: nothing after a packet's last beat.
	data := vgen.Cat(a.beat.Data.Trunc(64), b.beat.Data)
	behind := a.beat.Keep.Trunc(2 * WordBytes).And(e.bLast.Not().Repeat(2 * WordBytes)).Named("keep_behind")
	keep := vgen.Cat(behind, b.beat.Keep)
	var words, keeps []vgen.Signal
	for i := range l {
		own, kept := wordOf(data, i), keepOf(keep, i)
		of := choice(i)
		low := reversed(b.decision.Low)
		word := vgen.Cat(vgen.Mux(of.low, low, own.Slice(31, 16)), own.Slice(15, 0))
		if c.Expanded() {
			word = vgen.Mux(of.high, reversed(b.decision.High), word)
		}
		later, keptLater := wordOf(data, i+1), keepOf(keep, i+1)
		if c.Expanded() {
			later, keptLater = wordOf(data, i+2), keepOf(keep, i+2)
		}
		if c.Compact() && c.Expanded() {
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

// laneChoice is what becomes of a lane of b: new words in the place of the tag's, or what comes later, by one word or
// by two.
type laneChoice struct{ low, high, move, two vgen.Signal }

// choose says what becomes of each lane of b.
func (e *editor) choose(a stage, b *stage) func(lane int) laneChoice {
	m, c := e.m, e.c
	load := e.loadB()
	kept := func(name string, s vgen.Signal) vgen.Signal { return m.RegNext("b_"+name, s, load...) }
	wide := flag(c.Expanded())
	if a.decision.Size.Exists() {
		wide = kept("expanded", a.decision.Size)
	}
	b.tag, b.moved = kept("is_tag", a.tag), kept("is_moved", a.moved)
	if c.Expanded() {
		b.next = kept("is_next", a.next)
	}
	return func(i int) laneChoice {
		l := laneChoice{low: b.decision.Update.And(b.tag.Bit(i)), two: wide}
		l.move = e.bStrip.And(b.moved.Bit(i)).Named(fmt.Sprintf("move%d", i))
		if c.Expanded() {
			l.high = and(b.decision.Update, wide, b.next.Bit(i))
		}
		return l
	}
}

func wordOf(data vgen.Signal, i int) vgen.Signal { return data.Slice(32*i+31, 32*i) }
func keepOf(keep vgen.Signal, i int) vgen.Signal {
	return keep.Slice(WordBytes*i+WordBytes-1, WordBytes*i)
}

// reversed puts bytes whose first is on top into the order of the stream, whose first is lowest.
func reversed(s vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for at := 0; at < s.Width(); at += 8 {
		list = append(list, s.Slice(at+7, at))
	}
	return vgen.Cat(list...)
}
