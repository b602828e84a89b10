package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// serialLanes is the number of words of a beat with which the walk goes along with the beats, instead of waiting for the whole
// header: then it needs no copy of it.
const serialLanes = 2

// alongBeats tells whether the walk goes along with the beats.
func alongBeats(c *config.CSIG) bool { return lanes(c) <= serialLanes }

type walkSerialPorts struct {
	Valid vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data  vgen.Signal `port:"s_data" dir:"in" width:"data" doc:"its bytes, the first one lowest"`
	Keep  vgen.Signal `port:"s_keep" dir:"in" width:"keep" doc:"its bytes that are part of the packet; matters on the last beat"`
	Last  vgen.Signal `port:"s_last" dir:"in" width:"1" doc:"it is the packet's last"`
	Out   found       `port:"m_" dir:"out"`
}

// serialWalk is what csig_walk has found before a word.
type serialWalk struct {
	searching, skip, vlans, sectag, hidden vgen.Signal
	found, whole, size, place, low, high   vgen.Signal
	age, stacked                           vgen.Signal
}

// walkSerialBlock builds csig_walk for narrow streams (docs/csig.md, The walk). Stage 0 is the cycle in which a beat is accepted; what has been
// found is out two cycles after that of the header's last beat, for one cycle.
func walkSerialBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_walk", "Finds the CSIG tag of a packet behind up to four VLAN tags and a SecTAG")
	m.Doc("Every tag starts at a multiple of four bytes. The walk goes along with the beats, two words in each.",
		"m_* speak of a packet in the second cycle after its header is complete, before its successor's first beat has come through.")
	m.SetTiming(2, 1)
	ports := vgen.Ports[walkSerialPorts](m, widths(c))
	p := lib.NewPipe(m)

	// Stage 1: the beat, and what its words are.
	valid := p.Reg("valid", 0, ports.Valid, vgen.Reset(0), vgen.Control()).Signal
	count := m.Reg("beat", placeBits, vgen.Reset(0), vgen.Control())
	last := p.Reg("last", 0, ports.Last).Signal
	full := equals(count, uint64(headerBeat(c)+1)).Named("behind_header")
	step := vgen.Mux(full, count, count.Add(vgen.Const(placeBits, 1)))
	m.Next(count, vgen.Mux(valid, vgen.Mux(last, vgen.Const(placeBits, 0), step), count))
	kinds := make([]kind, serialLanes)
	for i := range kinds {
		kinds[i] = classifyNow(c, p, i, ports)
	}

	m.Ignore(ports.Keep, "a word has its first byte when it has any")

	// State between beats.
	var q serialWalk
	reg := func(name string, width int) vgen.Signal { return m.Reg(name, width) }
	q = serialWalk{
		searching: reg("searching", 1), skip: reg("skip", 2), vlans: reg("vlans", 3), sectag: reg("sectag_seen", 1), hidden: reg("hidden", 1),
		found: reg("found", 1), whole: reg("whole", 1), place: reg("place", placeBits), low: reg("low", 16), age: reg("age", 2), stacked: reg("stacked", 1),
	}
	if expanded(c) {
		q.high = reg("high", 32)
	}
	if ports.Out.Tag.Size.Exists() {
		q.size = reg("expanded", 1)
	}
	first := equals(count, 0).Named("first")
	s := q
	s.searching, s.sectag, s.hidden = q.searching.Or(first), clearIf(first, q.sectag), clearIf(first, q.hidden)
	s.skip, s.vlans = clearIf(first, q.skip), clearIf(first, q.vlans)
	s.found, s.age, s.stacked, s.whole = clearIf(first, q.found), clearIf(first, q.age), clearIf(first, q.stacked), clearIf(first, q.whole)
	for i, k := range kinds {
		s = s.step(c, i, count, k)
	}
	next := []struct{ q, d vgen.Signal }{
		{q.searching, s.searching}, {q.skip, s.skip}, {q.vlans, s.vlans}, {q.sectag, s.sectag}, {q.hidden, s.hidden}, {q.found, s.found},
		{q.whole, s.whole}, {q.place, s.place}, {q.low, s.low}, {q.age, s.age}, {q.stacked, s.stacked}, {q.high, s.high}, {q.size, s.size},
	}
	for _, n := range next {
		if n.q.Exists() {
			m.Next(n.q, vgen.Mux(valid, n.d, n.q))
		}
	}

	// Stage 2: where the search has not ended, the packet has.
	out := ports.Out
	truncated := q.found.And(q.whole.Not())
	m.Assign(out.Tag.Whole, q.found.And(q.whole))
	m.Assign(out.Tag.Status, vgen.Cat(q.hidden.Or(truncated), q.searching.Or(truncated)))
	m.Assign(out.Tag.Low, q.low)
	if q.high.Exists() {
		m.Assign(out.Tag.High, q.high)
	}
	if q.size.Exists() {
		m.Assign(out.Tag.Size, q.size)
	}
	m.Assign(out.Place, q.place)
	m.Assign(out.Stacked, q.stacked)
	return m
}

// clearIf is s, or 0 when off.
func clearIf(off, s vgen.Signal) vgen.Signal { return s.And(off.Not().Repeat(s.Width())) }

// kind says what a word starts, were it the next one to be looked at.
type kind struct {
	vlan, compact, expanded, sectag vgen.Signal // by its TPID, when the packet has both bytes of it
	hides, sci                      vgen.Signal // bits of a SecTAG
	has4                            vgen.Signal
	ends, cut                       vgen.Signal // the packet ends before its TPID, or a SecTAG before its TCI
	data                            vgen.Signal
}

// classifyNow compares a word of a beat with all TPIDs.
func classifyNow(c *config.CSIG, p *lib.Pipe, lane int, in *walkSerialPorts) kind {
	var order []vgen.Signal
	for b := range wordBytes {
		at := 32*lane + 8*b
		order = append(order, in.Data.Slice(at+7, at))
	}
	word := vgen.Cat(order...)
	has := func(b int) vgen.Signal { return in.Keep.Bit(wordBytes*lane + b).Or(in.Last.Not()) }
	reg := func(name string, s vgen.Signal) vgen.Signal {
		return p.Reg(fmt.Sprintf("lane%d_%s", lane, name), 0, s).Signal
	}
	tpid := word.Slice(31, 16)
	is := func(v uint64) vgen.Signal { return has(1).And(equals(tpid, v)) }
	k := kind{compact: flag(false), expanded: flag(false)}
	if compact(c) {
		k.compact = reg("compact", is(uint64(c.CompactTPID)))
	}
	if expanded(c) {
		k.expanded = reg("expanded", is(uint64(c.ExpandedTPID)))
	}
	var vlan []vgen.Signal
	for _, v := range c.VLANTPIDs {
		vlan = append(vlan, equals(tpid, uint64(v)))
	}
	k.vlan = reg("vlan", has(1).And(or(vlan...)))
	k.sectag = reg("sectag", is(macsecType).And(has(2))) // without the byte that says what it hides, the packet is short
	hides := word.Bit(15)
	if !c.Decrypted {
		hides = or(hides, word.Bit(11), word.Bit(10))
	}
	k.hides, k.sci = reg("hides", hides), reg("sci", word.Bit(13))
	k.ends, k.cut = reg("ends", has(1).Not()), reg("cut", is(macsecType).And(has(2).Not()))
	k.has4, k.data = reg("has4", has(3)), reg("data", word)
	return k
}

// step looks at one word of the beat of a number.
func (s serialWalk) step(c *config.CSIG, lane int, beat vgen.Signal, k kind) serialWalk {
	name := func(v vgen.Signal, what string) vgen.Signal { return v.Named(fmt.Sprintf("lane%d_%s", lane, what)) }
	n := s
	// The first word that can start a tag is word 3.
	from := uint64((firstWord + serialLanes - 1 - lane) / serialLanes)
	reached := beat.Ge(vgen.Const(placeBits, from))
	active := name(and(s.searching, equals(s.skip, 0), reached), "active")
	csig := or(k.compact, k.expanded)
	tagged := name(active.And(csig), "is_tag")
	vlan := name(and(active, k.vlan, equals(s.vlans, maxVLANs).Not()), "is_vlan")
	mac := name(and(active, k.sectag, s.sectag.Not()), "is_sectag")
	opened := name(mac.And(k.hides.Not()), "is_opened")
	short := active.And(k.ends.Or(k.cut.And(s.sectag.Not()))) // the search does not end, and is found unfinished

	n.searching = s.searching.And(or(active.Not(), vlan, opened, short))
	n.hidden = s.hidden.Or(mac.And(k.hides))
	passed := vgen.Cat(k.sci, flag(true)).And(opened.Repeat(2))
	waiting := equals(s.skip, 0).Not().And(s.searching).Named(fmt.Sprintf("lane%d_inside_sectag", lane))
	n.skip = vgen.Mux(waiting, s.skip.Sub(vgen.Const(2, 1)), passed)
	n.vlans = s.vlans.Add(vlan.Zext(3))
	n.sectag = s.sectag.Or(opened)

	word := vgen.Cat(beat.Trunc(placeBits-1), vgen.Const(1, uint64(lane)))
	n.found = s.found.Or(tagged)
	n.place = vgen.Mux(tagged, word, s.place)
	n.low = vgen.Mux(tagged, k.data.Trunc(16), s.low)
	behind := name(equals(s.age, 1), "behind_tag")
	n.age = vgen.Mux(tagged, vgen.Const(2, 1), vgen.Mux(behind, vgen.Const(2, 2), vgen.Const(2, 0)))
	whole, stacked := tagged.And(k.has4), behind.And(csig)
	if expanded(c) {
		n.high = vgen.Mux(behind, k.data, s.high)
		whole, stacked = behind.And(k.has4), equals(s.age, 2).And(csig)
	}
	if s.size.Exists() {
		n.size = vgen.Mux(tagged, k.expanded, s.size)
		whole = or(and(tagged, k.compact, k.has4), and(behind, s.size, k.has4))
		stacked = csig.And(vgen.Mux(s.size, equals(s.age, 2), behind))
	}
	n.whole, n.stacked = s.whole.Or(whole), s.stacked.Or(stacked)
	return n
}
