package inband

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// replacement is a word that takes the place of another.
type replacement struct {
	Enable vgen.Signal `port:"enable" width:"1" doc:"the word is replaced"`
	At     vgen.Signal `port:"at" width:"offset" doc:"its number"`
	Value  vgen.Signal `port:"value" width:"half" doc:"its replacement"`
}

// decision is what happens to a packet.
type decision struct {
	Insert vgen.Signal   `port:"insert" width:"1" doc:"the packet gets the record"`
	Place  vgen.Signal   `port:"place" width:"offset" doc:"number of the word at which the record begins"`
	Record vgen.Signal   `port:"record" width:"record" doc:"the record, first byte in the top bits"`
	Word   []replacement `port:"word%d_" count:"words"`
	User   vgen.Signal   `port:"user" width:"muser" doc:"m_axis_tuser: egress port, status"`
}

type editorPorts struct {
	Beat     vgen.Stream[transit.BeatIn]  `stream:"s_beat" dir:"in" doc:"packets"`
	Decision vgen.Stream[decision]        `stream:"s_decision" dir:"in" doc:"one a packet"`
	Out      vgen.Stream[transit.AxisOut] `stream:"m_axis_t%s" dir:"out" doc:"packets with their records"`
}

// editorWidths are the width keys of int_editor.
func (s *shape) editorWidths() vgen.Widths {
	w := s.widths()
	w["words"] = len(s.words())
	return w
}

// editor is int_editor under construction.
type editor struct {
	s     *shape
	m     *vgen.Module
	ports *editorPorts

	inPacket, take, first, number  vgen.Signal // of what a takes
	aToB, emits, stays             vgen.Signal
	aLast, bLast, bInsert, lastOut vgen.Signal
}

// editorBlock builds int_editor: it replaces words of each packet and works its record in, as decided. A beat a cycle
// leaves; registers a, b and c hold a beat each (docs/int.md, Cycles of a packet).
func editorBlock(s *shape) *vgen.Module {
	var names []string
	for i, w := range s.words() {
		names = append(names, fmt.Sprintf("%d %s", i, w.name))
	}
	m := vgen.NewModule("int_editor", "Replaces words of each packet and writes or inserts its record, as decided")
	m.Doc(
		"Register a has the beat as it came, with marks at the words that are replaced. Register b has it with these words; an output beat is made",
		"of it, the record, and the bytes before it that the record displaces. The last beat stays in b until all of it has left.",
		"Words of a decision: "+strings.Join(names, ", ")+".")
	m.SetTiming(3, 1)
	e := &editor{s: s, m: m, ports: vgen.Ports[editorPorts](m, s.editorWidths())}
	e.handshake()
	e.empty(e.fill())
	return m
}

// handshake decides what moves.
func (e *editor) handshake() {
	m, in, dec := e.m, e.ports.Beat, e.ports.Decision
	m.Section("Handshake")
	aValid, bValid, cValid := m.State("a_valid", 1), m.State("b_valid", 1), m.State("c_valid", 1)
	e.inPacket = m.State("in_packet", 1) // the next beat is not a packet's first
	e.bLast = m.Reg("b_last", 1)
	e.lastOut = m.Wire("last_out", 1) // what b emits is the packet's last output beat

	cFree := cValid.Not().Or(e.ports.Out.Ready).Named("c_free")
	e.emits = bValid.And(cFree).Named("b_emits")
	e.stays = vgen.AllOf(e.emits, e.bLast, e.lastOut.Not()).Named("b_stays")
	leaves := e.emits.And(e.stays.Not()).Named("b_leaves")
	e.aToB = aValid.And(bValid.Not().Or(leaves)).Named("a_to_b")
	aFree := aValid.Not().Or(e.aToB).Named("a_free")
	intake := transit.NewIntake(e.inPacket, in.Valid, dec.Valid, aFree)
	e.take, e.first = intake.Take, intake.First()
	m.Assign(in.Ready, intake.Ready)
	m.Assign(dec.Ready, e.first)
	m.Assign(e.ports.Out.Valid, cValid)

	intake.Next(m, in.Payload.Last)
	m.Next(aValid, e.take.Or(aValid.And(e.aToB.Not())))
	m.Next(bValid, e.aToB.Or(bValid.And(leaves.Not())))
	m.Next(cValid, e.emits.Or(cFree.Not()))
}

// aBeat is what register a has besides the decision.
type aBeat struct {
	data, keep vgen.Signal
	marks      []vgen.Signal // by replacement: the lanes that it concerns
	lead       vgen.Signal   // halves from the record's place to the first lane, signed
	dec        decision
}

// laneBits is the width of the number of a half within its beat.
func (e *editor) laneBits() int { return bits.Len(uint(e.s.lanes() - 1)) }

// leadBits is the width of lead: records are in the first 2^offsetBits halves; further behind, all that counts is that
// it is behind.
const leadBits = offsetBits + 2

// fill loads a.
func (e *editor) fill() aBeat {
	m, s, in := e.m, e.s, e.ports.Beat.Payload
	m.Section("Register a")
	load := vgen.Enable(e.take)
	a := aBeat{data: m.RegNext("a_data", in.Data, load), dec: e.ports.Decision.Payload}
	a.keep = m.RegNext("a_keep", in.Keep.Or(in.Last.Not().Repeat(s.BeatBytes())), load)
	e.aLast = m.RegNext("a_last", in.Last, load)

	// Number of the beat; it stays at the one after all that changes.
	width := offsetBits + 1 - e.laneBits()
	count := m.Reg("beats_taken", width)
	e.number = count.Where(e.inPacket).Named("beat_number")
	m.Next(count, vgen.Mux(e.take, vgen.Mux(e.number.Top(), e.number, e.number.Plus(1)), count))

	// The decision stays for all beats of its packet.
	now := e.ports.Decision.Payload
	kept := func(name string, v vgen.Signal) (here, reg vgen.Signal) {
		q := m.RegNext("a_"+name, v, vgen.Enable(e.first))
		return vgen.Mux(e.inPacket, q, v).Named(name + "_now"), q
	}
	var place vgen.Signal
	place, _ = kept("place", now.Place)
	start := vgen.Cat(vgen.Const(leadBits-offsetBits-1, 0), e.number, vgen.Const(e.laneBits(), 0)).Named("first_half")
	a.lead = m.RegNext("a_lead", start.Sub(place.Zext(leadBits)), load)
	_, a.dec.Insert = kept("insert", now.Insert)
	a.dec.Record = m.RegNext("a_record", now.Record, vgen.Enable(e.first))
	a.dec.User = m.RegNext("a_user", now.User, vgen.Enable(e.first))
	a.dec.Word = append([]replacement(nil), now.Word...)
	words := s.words()
	for i := range a.dec.Word {
		w := &a.dec.Word[i]
		name := words[i].name
		on, _ := kept(name+"_on", w.Enable)
		at, _ := kept(name+"_at", w.At)
		w.Value = m.RegNext("a_"+name, w.Value, vgen.Enable(e.first))
		here := on.And(at.Slice(offsetBits-1, e.laneBits()).Zext(width).Eq(e.number)).Named(name + "_here")
		lane := at.Slice(e.laneBits()-1, 1) // among those with its parity
		a.marks = append(a.marks, m.RegNext("a_is_"+name, lib.OneHot(s.lanes()/2, lane).Where(here), load))
	}
	return a
}

// empty moves a to b, and what b emits to c.
func (e *editor) empty(a aBeat) {
	m, s := e.m, e.s
	load := vgen.Enable(e.aToB)

	// b: the beat with its words replaced.
	m.Section("Register b")
	var halves, values []vgen.Signal
	words := s.words()
	for i, w := range words {
		values = append(values, swapped(a.dec.Word[i].Value).Named(w.name+"_bytes"))
	}
	var hits [2]vgen.Signal // the even lanes, and the odd ones, in which a word is replaced
	for i, w := range words {
		hits[w.parity] = vgen.AnyOf(hits[w.parity], a.marks[i])
	}
	for parity, name := range [...]string{"replaces_even", "replaces_odd"} {
		if hits[parity].Exists() {
			hits[parity] = hits[parity].Named(name)
		}
	}
	for h := range s.lanes() {
		own := a.data.Slice(16*h+15, 16*h)
		var value vgen.Signal
		for i, w := range words {
			if h%2 == w.parity {
				value = vgen.AnyOf(value, values[i].Where(a.marks[i].Bit(h/2)))
			}
		}
		if value.Exists() {
			own = vgen.Mux(hits[h%2].Bit(h/2), value.Named(fmt.Sprintf("replacement%d", h)), own)
		}
		halves = append(halves, own)
	}
	data := m.RegNext("b_data", vector(halves), load)
	m.Next(e.bLast, vgen.Mux(e.aToB, e.aLast, e.bLast))
	if s.grows {
		e.bInsert = m.RegNext("b_insert", a.dec.Insert, load)
	}
	record := m.RegNext("b_record", a.dec.Record, load)
	user := m.RegNext("b_user", a.dec.User, load)

	keep := m.Reg("b_keep", s.BeatBytes())
	none := vgen.Const(s.BeatBytes(), 0)
	if s.grows {
		// While the last beat stays, what is in it has gone.
		m.Next(keep, vgen.Mux(e.aToB, a.keep, vgen.Mux(e.stays, none, keep)))
	} else {
		m.Next(keep, vgen.Mux(e.aToB, a.keep, keep))
	}

	// Where the lanes of the next output beat are: in front of the record, in it, or behind it.
	m.Section("The record, and register c")
	lead := m.Reg("b_lead", leadBits)
	next := a.lead
	move := e.aToB
	if s.grows {
		next = vgen.Mux(e.stays, lead.Plus(uint64(s.lanes())), a.lead).Named("next_lead")
		move = e.aToB.Or(e.stays).Named("move_lead")
	}
	m.Next(lead, vgen.Mux(move, next, lead))
	insert := a.dec.Insert
	if s.grows {
		insert = vgen.Mux(e.stays, e.bInsert, insert).Named("inserts")
	}
	// Bit i: lane i is after the record, and so lane i - size is in it or after it.
	size := s.recBytes / 2
	var past []vgen.Signal
	for i := range s.lanes() + size {
		past = append(past, next.GeS(vgen.ConstBig(leadBits, big.NewInt(int64(size-i)))))
	}
	reached := vector(past).Named("past_record")
	behind := reached.Trunc(s.lanes())
	inRecord := m.RegNext("b_in_record",
		reached.Slice(s.lanes()+size-1, size).And(behind.Not()).Where(insert), vgen.Enable(move))

	// What b emits: the input L bytes before, where the record has been passed.
	n := 8 * s.recBytes
	shifted, shiftedKeep := data, keep
	if s.grows {
		isBehind := m.RegNext("b_behind", behind.Where(insert), vgen.Enable(move))
		history := m.Reg("history", n)
		keepHistory := m.Reg("keep_history", s.recBytes, vgen.ResetBig(ones(s.recBytes)))
		long := vgen.Cat(data, history).Named("data_with_history")
		longKeep := vgen.Cat(keep, keepHistory).Named("keep_with_history")
		m.Next(history, vgen.Mux(e.emits, long.Slice(s.DataBits+n-1, s.DataBits), history))
		// In front of a packet all is taken for bytes of it: what comes first is in front of the record.
		rest := longKeep.Slice(s.BeatBytes()+s.recBytes-1, s.BeatBytes())
		full := vgen.ConstBig(s.recBytes, ones(s.recBytes))
		m.Next(keepHistory, vgen.Mux(e.emits, vgen.Mux(e.lastOut, full, rest), keepHistory))
		var list []vgen.Signal
		for h := range s.lanes() {
			list = append(list, vgen.Mux(isBehind.Bit(h), long.Slice(16*h+15, 16*h), data.Slice(16*h+15, 16*h)))
		}
		shifted = vector(list).Named("packet_out")
		shiftedKeep = vgen.Mux(e.bInsert, longKeep.Trunc(s.BeatBytes()), keep).Named("keep_out")
		m.Assign(e.lastOut, vgen.Mux(e.bInsert, longKeep.Bit(s.BeatBytes()).Not(), e.bLast))
	} else {
		m.Assign(e.lastOut, e.bLast)
	}
	wordsOfRecord := s.recBytes / 4
	indexBits := bits.Len(uint(wordsOfRecord - 1))
	var out, parts []vgen.Signal
	for i := range 2 * wordsOfRecord {
		parts = append(parts, swapped(halfOf(record, i)).Named(fmt.Sprintf("record_bytes%d", 2*i)))
	}
	shown := make([]vgen.Signal, min(s.lanes(), 2<<indexBits)) // of the record, in lanes that so many are apart
	for h := range shown {
		// A lane's distance from the place has one parity only, so that it shows only first or only second halves.
		second := h % 2
		if s.oddPlace {
			second = 1 - second
		}
		from := lead.Trunc(indexBits + 1)
		if h > 0 {
			from = from.Plus(uint64(h)).Named(fmt.Sprintf("lead%d", h))
		}
		index := from.Slice(indexBits, 1).Named(fmt.Sprintf("record_index%d", h))
		var cases []vgen.Signal
		for w := range wordsOfRecord {
			cases = append(cases, parts[2*w+second])
		}
		shown[h] = vgen.Select(index, cases, cases[len(cases)-1]).Named(fmt.Sprintf("record_lane%d", h))
	}
	for h := range s.lanes() {
		out = append(out, vgen.Mux(inRecord.Bit(h), shown[h%len(shown)], shifted.Slice(16*h+15, 16*h)))
	}
	c := e.ports.Out.Payload
	leave := vgen.Enable(e.emits)
	m.Assign(c.Data, m.RegNext("c_data", vector(out), leave))
	m.Assign(c.Keep, m.RegNext("c_keep", shiftedKeep, leave))
	m.Assign(c.Last, m.RegNext("c_last", e.lastOut, leave))
	m.Assign(c.User, m.RegNext("c_user", user, leave))
}
