package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// serialLanes is the number of words of a beat with which the walk goes along with the beats, instead of waiting for
// the whole header: then it needs no copy of it.
const serialLanes = 2

// alongBeats reports whether the walk goes along with the beats.
func (c *Shape) alongBeats() bool { return c.lanes() <= serialLanes }

type walkSerialPorts struct {
	Valid vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a beat is accepted"`
	Data  vgen.Signal `port:"s_data" dir:"in" width:"data" doc:"its bytes, first byte in the low bits"`
	Keep  vgen.Signal `port:"s_keep" dir:"in" width:"keep" doc:"which bytes are part of the packet; all, except on the last beat"`
	Last  vgen.Signal `port:"s_last" dir:"in" width:"1" doc:"last beat of the packet"`
	Out   found       `port:"m_" dir:"out"`
}

// serialWalk is what csig_walk has found before a word.
type serialWalk struct {
	Searching, Skip, VLANs, SecTAG, Hidden, Found, Whole, Place, Low, Age, Stacked, Ambiguous, High, Size vgen.Signal
}

// walkSerialBlock builds csig_walk for narrow streams (docs/csig.md, The walk). Stage 0 is the cycle in which a beat is
// accepted; what has been found is out two cycles after that of the header's last beat, for one cycle.
func walkSerialBlock(c *Shape) *vgen.Module {
	m := vgen.NewModule("csig_walk", "Finds the CSIG tag of a packet after up to four VLAN tags and a SecTAG")
	m.Doc("Every tag starts at a multiple of four bytes. The walk follows the beats, two words in each.",
		"m_* are those of a packet in the second cycle after its header is complete, before its successor's first beat.")
	m.SetTiming(2, 1)
	m.StageDoc(1, "class of each word of the beat: a CSIG tag, a VLAN tag, a SecTAG")
	m.StageDoc(2, "the walk over the words of the beat, from the state that the beat before left")
	ports := vgen.Ports[walkSerialPorts](m, c.PortWidths())
	p := lib.NewPipe(m)

	// Stage 1: the beat, and what its words are.
	valid := p.Reg("valid", 0, ports.Valid, vgen.Reset(0), vgen.Control()).Signal
	count := m.State("beat", placeBits)
	last := p.Reg("last", 0, ports.Last).Signal
	full := count.Is(uint64(c.HeaderBeat() + 1)).Named("behind_header")
	step := vgen.Mux(full, count, count.Add(vgen.Const(placeBits, 1)))
	m.Next(count, vgen.Mux(valid, vgen.Mux(last, vgen.Const(placeBits, 0), step), count))
	kinds := make([]kind, serialLanes)
	for i := range kinds {
		kinds[i] = classifyNow(c, p, i, ports)
	}

	m.Ignore(ports.Keep, "a word has its first byte when it has any")

	// State between beats.
	reg := func(name string, width int) vgen.Signal { return m.Reg(name, width) }
	q := serialWalk{
		Searching: reg("searching", 1), Skip: reg("skip", 2), VLANs: reg("vlans", 3), SecTAG: reg("sectag_seen", 1),
		Hidden: reg("hidden", 1), Found: reg("found", 1), Whole: reg("whole", 1), Place: reg("place", placeBits),
		Low: reg("low", 16), Age: reg("age", 2), Stacked: reg("stacked", 1), Ambiguous: reg("ambiguous", 1),
	}
	if c.Expanded() {
		q.High = reg("high", 32)
	}
	if ports.Out.Tag.Size.Exists() {
		q.Size = reg("expanded", 1)
	}
	first := count.Is(0).Named("first")
	s := q
	s.Searching, s.SecTAG = q.Searching.Or(first).Named("searching_now"), clearIf(first, q.SecTAG)
	s.Skip, s.VLANs = clearIf(first, q.Skip), clearIf(first, q.VLANs)
	s.Hidden = clearIf(first, q.Hidden)
	s.Found, s.Age, s.Stacked, s.Whole = clearIf(first, q.Found), clearIf(first, q.Age), clearIf(first, q.Stacked),
		clearIf(first, q.Whole)
	s.Ambiguous = clearIf(first, q.Ambiguous)
	for i, k := range kinds {
		s = s.step(c, i, count, k)
	}
	next := vgen.Leaves(&s)
	for i, r := range vgen.Leaves(&q) {
		m.Next(*r, vgen.Mux(valid, *next[i], *r))
	}

	// Stage 2: where the search has not ended, the packet has.
	out := ports.Out
	truncated := q.Found.And(q.Whole.Not()).Named("truncated")
	m.Assign(out.Tag.Whole, q.Found.And(q.Whole))
	m.Assign(out.Tag.Status, vgen.Cat(q.Hidden.Or(truncated), q.Searching.Or(truncated)))
	m.Assign(out.Tag.Ambiguous, q.Ambiguous.Or(truncated))
	m.Assign(out.Tag.Low, q.Low)
	if q.High.Exists() {
		m.Assign(out.Tag.High, q.High)
	}
	if q.Size.Exists() {
		m.Assign(out.Tag.Size, q.Size)
	}
	m.Assign(out.Place, q.Place)
	m.Assign(out.Stacked, q.Stacked)
	return m
}

// clearIf is s, or 0 when off.
func clearIf(off, s vgen.Signal) vgen.Signal { return s.Where(off.Not()).Named(s.Name() + "_now") }

// kind says what a word starts, were it the next one to be looked at.
type kind struct {
	vlan, compact, expanded, sectag vgen.Signal // by its TPID, when the packet has both bytes of it
	hides, sci                      vgen.Signal // bits of a SecTAG
	has4                            vgen.Signal
	ends, cut                       vgen.Signal // the packet ends before its TPID, or a SecTAG before its TCI
	padded                          vgen.Signal // the packet ends in the middle of a TPID that padding would complete
	data                            vgen.Signal
}

// classifyNow compares a word of a beat with all TPIDs.
func classifyNow(c *Shape, p *lib.Pipe, lane int, in *walkSerialPorts) kind {
	var order []vgen.Signal
	for b := range WordBytes {
		at := 32*lane + 8*b
		order = append(order, in.Data.Slice(at+7, at))
	}
	word := vgen.Cat(order...)
	bytes := map[int]vgen.Signal{}
	has := func(b int) vgen.Signal { // the packet has a byte of the word
		if _, made := bytes[b]; !made {
			bytes[b] = in.Keep.Bit(WordBytes*lane + b).Or(in.Last.Not()).Named(fmt.Sprintf("lane%d_has_byte%d", lane, b))
		}
		return bytes[b]
	}
	reg := func(name string, s vgen.Signal) vgen.Signal {
		return p.Reg(fmt.Sprintf("lane%d_%s", lane, name), 0, s).Signal
	}
	tpid := word.Slice(31, 16)
	is := func(v uint64) vgen.Signal { return has(1).And(tpid.IsHex(v)) }
	k := kind{compact: flag(false), expanded: flag(false)}
	if c.Compact() {
		k.compact = reg("compact", is(uint64(c.CompactTPID)))
	}
	if c.Expanded() {
		k.expanded = reg("expanded", is(uint64(c.ExpandedTPID)))
	}
	var vlan []vgen.Signal
	for _, v := range c.VLANTPIDs {
		vlan = append(vlan, tpid.IsHex(uint64(v)))
	}
	k.vlan = reg("vlan", has(1).And(or(vlan...)))
	macsec := is(macsecType).Named(fmt.Sprintf("lane%d_is_macsec", lane))
	k.sectag = reg("sectag", macsec.And(has(2))) // without the byte that says what it hides, the packet is short
	hides := word.Bit(15)
	if !c.Decrypted {
		hides = or(hides, word.Bit(11), word.Bit(10))
	}
	k.hides, k.sci = reg("hides", hides), reg("sci", word.Bit(13))
	k.ends, k.cut = reg("ends", has(1).Not()), reg("cut", macsec.And(has(2).Not()))
	k.has4, k.data = reg("has4", has(3)), reg("data", word)
	k.padded = flag(false)
	if len(c.paddedTPIDs()) > 0 {
		k.padded = reg("padded", and(has(0), has(1).Not(), c.paddedTPID(word)))
	}
	return k
}

// step looks at one word of the beat of a number.
func (s serialWalk) step(c *Shape, lane int, beat vgen.Signal, k kind) serialWalk {
	name := func(v vgen.Signal, what string) vgen.Signal { return v.Named(fmt.Sprintf("lane%d_%s", lane, what)) }
	n := s
	// The first word that can start a tag is word 3.
	from := uint64((firstWord + serialLanes - 1 - lane) / serialLanes)
	reached := beat.Ge(vgen.Const(placeBits, from))
	active := name(and(s.Searching, s.Skip.Is(0), reached), "active")
	csig := or(k.compact, k.expanded)
	tagged := name(active.And(csig), "is_tag")
	vlan := name(and(active, k.vlan, s.VLANs.Is(maxVLANs).Not()), "is_vlan")
	mac := name(and(active, k.sectag, s.SecTAG.Not()), "is_sectag")
	opened := name(mac.And(k.hides.Not()), "is_opened")
	short := active.And(k.ends.Or(k.cut.And(s.SecTAG.Not()))) // the search does not end, and is found unfinished

	n.Searching = name(s.Searching.And(or(active.Not(), vlan, opened, short)), "leaves_search")
	n.Hidden = s.Hidden.Or(mac.And(k.hides))
	passed := vgen.Cat(k.sci, flag(true)).And(opened.Repeat(2))
	waiting := s.Skip.Is(0).Not().And(s.Searching).Named(fmt.Sprintf("lane%d_inside_sectag", lane))
	n.Skip = name(vgen.Mux(waiting, s.Skip.Sub(vgen.Const(2, 1)), passed), "skip")
	n.VLANs = name(s.VLANs.Add(vlan.Zext(3)), "vlans")
	n.SecTAG = name(s.SecTAG.Or(opened), "sectag_seen")

	word := vgen.Cat(beat.Trunc(placeBits-1), vgen.Const(1, uint64(lane)))
	n.Found = s.Found.Or(tagged)
	n.Place = vgen.Mux(tagged, word, s.Place)
	n.Low = vgen.Mux(tagged, k.data.Trunc(16), s.Low)
	behind := name(s.Age.Is(1), "behind_tag")
	n.Age = name(vgen.Mux(tagged, vgen.Const(2, 1), vgen.Mux(behind, vgen.Const(2, 2), vgen.Const(2, 0))), "age")
	whole, follows := tagged.And(k.has4), behind
	if c.Expanded() {
		n.High = vgen.Mux(behind, k.data, s.High)
		whole, follows = behind.And(k.has4), s.Age.Is(2)
	}
	if s.Size.Exists() {
		n.Size = name(vgen.Mux(tagged, k.expanded, s.Size), "expanded")
		whole = or(and(tagged, k.compact, k.has4), and(behind, s.Size, k.has4))
		follows = vgen.Mux(s.Size, s.Age.Is(2), behind)
	}
	follows = name(follows, "follows_tag")
	n.Whole, n.Stacked = s.Whole.Or(whole), s.Stacked.Or(follows.And(csig))
	anySecTAG := name(k.sectag.Or(k.cut), "any_sectag")
	beyond := or(and(k.vlan, s.VLANs.Is(maxVLANs)), and(anySecTAG, s.SecTAG))
	n.Ambiguous = or(s.Ambiguous, and(follows, or(csig, k.vlan, anySecTAG, k.padded)),
		and(active, or(beyond, k.padded)))
	return n
}
