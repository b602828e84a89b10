package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// macsecType is the EtherType of the SecTAG (IEEE 802.1AE).
const macsecType = 0x88e5

// tag is the CSIG tag of a packet.
type tag struct {
	Whole  vgen.Signal `port:"tag" width:"1" doc:"there is a whole CSIG tag"`
	Status vgen.Signal `port:"status" width:"2" doc:"when not: 0 untagged, 1 short, 2 hidden, 3 truncated"`
	Size   vgen.Signal `port:"expanded" width:"size" doc:"the tag is an expanded one"`
	Low    vgen.Signal `port:"low" width:"low" doc:"bytes 2 and 3 of the tag: T, R, S, LM of a compact one, LM of an expanded one"`
	High   vgen.Signal `port:"high" width:"high" doc:"bytes 4 to 7 of an expanded tag: T, S, R"`
}

// found is what csig_walk says of a packet.
type found struct {
	Tag     tag
	Place   vgen.Signal `port:"place" width:"place" doc:"word of the packet that the tag starts at"`
	Stacked vgen.Signal `port:"stacked" width:"1" doc:"the tag is followed by another CSIG TPID"`
}

type walkPorts struct {
	Word []headerWord `port:"s_word%d" count:"words" dir:"in"`
	Out  found        `port:"m_" dir:"out"`
}

// kind says what a word starts, were it the next one to be looked at.
type kind struct {
	vlan, compact, expanded, sectag vgen.Signal // by its TPID, when the packet has both bytes of it
	hides, sci                      vgen.Signal // bits of a SecTAG
	has2, has3, has4                vgen.Signal
	ends, cut                       vgen.Signal // the packet ends before its TPID, or a SecTAG before its TCI
	data                            vgen.Signal
}

// csig tells whether the word starts with a CSIG TPID.
func (k kind) csig() vgen.Signal { return k.compact.Or(k.expanded) }

// walkState is how far the walk has come before a word.
type walkState struct {
	searching vgen.Signal // not ended yet
	skip      vgen.Signal // words that belong to a SecTAG
	vlans     vgen.Signal // VLAN tags seen
	sectag    vgen.Signal // a SecTAG has been seen
	found     found
}

// wordsPerStage is the number of words looked at between two registers.
func wordsPerStage(c *config.CSIG) int {
	if deep(c) {
		return 1
	}
	return 2
}

// walkBlock builds csig_walk: from the header of a packet to its CSIG tag (docs/csig.md, The walk). A header a cycle.
func walkBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_walk", "Finds the CSIG tag of a packet behind up to four VLAN tags and a SecTAG")
	m.Doc(fmt.Sprintf("Every tag starts at a multiple of four bytes, so the walk looks at words 3 to 11 in turn, %d a stage.", wordsPerStage(c)))
	ports := vgen.Ports[walkPorts](m, widths(c))
	p := lib.NewPipe(m)

	kinds := make([]map[string]lib.Value, len(ports.Word))
	for i, w := range ports.Word {
		kinds[i] = classify(c, p, i, w)
		if i+firstWord >= lastStart {
			for _, s := range leaves(&w) {
				m.Ignore(*s, "no SecTAG can start so late, and words behind the last place of a tag matter in part")
			}
		}
	}
	if !compact(c) {
		m.Ignore(ports.Word[0].Has4, "an expanded tag ends in the word behind")
	}
	get := func(i, stage int, name string, read bool) vgen.Signal {
		v, ok := kinds[i][name]
		if !ok || !read {
			return flag(false)
		}
		return p.At(v, stage)
	}
	at := func(i, stage int) kind {
		is := func(name string) vgen.Signal { return get(i, stage, name, true) }
		return kind{
			vlan: is("vlan"), compact: is("compact"), expanded: is("expanded"), sectag: is("sectag"), hides: is("hides"), sci: is("sci"),
			has2: is("has2"), has3: is("has3"), has4: get(i, stage, "has4", compact(c)), data: is("data"),
		}
	}
	// Of the words behind, what matters is whether another tag follows, and the end of an expanded one.
	after := func(i, stage int, follows, ends bool) kind {
		return kind{
			compact: get(i, stage, "compact", follows), expanded: get(i, stage, "expanded", follows),
			has4: get(i, stage, "has4", ends), data: get(i, stage, "data", ends),
		}
	}

	s := walkState{
		searching: flag(true), skip: vgen.Const(2, 0), vlans: vgen.Const(3, 0), sectag: flag(false),
		found: found{tag{Whole: flag(false), Status: vgen.Const(2, statusUntagged), Low: vgen.Const(16, 0)}, vgen.Const(placeBits, 0), flag(false)},
	}
	if ports.Out.Tag.Size.Exists() {
		s.found.Tag.Size = flag(false)
	}
	if ports.Out.Tag.High.Exists() {
		s.found.Tag.High = vgen.Const(32, 0)
	}
	stage := 1
	for w := firstWord; w <= lastStart; w++ {
		i := w - firstWord
		if i > 0 && i%wordsPerStage(c) == 0 {
			s = s.register(p, stage, w)
			stage++
		}
		var behind [2]kind
		behind[0], behind[1] = after(i+1, stage, compact(c), expanded(c)), after(i+2, stage, expanded(c), false)
		s = s.step(c, w, at(i, stage), behind)
	}
	f := s.register(p, stage, lastStart+1).found
	stage++
	m.Ignore(s.skip, "nothing follows the last word")
	m.Ignore(s.vlans, "nothing follows the last word")
	m.Ignore(s.sectag, "nothing follows the last word")
	m.Ignore(s.searching, "the walk has ended")
	assign(m, &ports.Out, &f)
	m.SetTiming(stage, 1)
	return m
}

// classify compares a word with all TPIDs.
func classify(c *config.CSIG, p *lib.Pipe, i int, w headerWord) map[string]lib.Value {
	k := map[string]lib.Value{}
	tpid := w.Data.Slice(31, 16)
	word := i + firstWord
	reg := func(name string, s vgen.Signal) {
		k[name] = p.Reg(fmt.Sprintf("word%d_%s", word, name), 0, s)
	}
	if word > lastStart+1 && !expanded(c) { // not even behind a tag
		return k
	}
	if compact(c) {
		reg("compact", w.Has2.And(equals(tpid, uint64(c.CompactTPID))))
	}
	if expanded(c) {
		reg("expanded", w.Has2.And(equals(tpid, uint64(c.ExpandedTPID))))
	}
	switch {
	case expanded(c) && word <= lastStart+1:
		reg("data", w.Data)
		if compact(c) || word > firstWord {
			reg("has4", w.Has4)
		}
	case word <= lastStart:
		reg("data", w.Data.Trunc(16))
		reg("has4", w.Has4)
	}
	if word > lastStart {
		return k
	}
	reg("has2", w.Has2)
	if word < lastStart { // four VLAN tags and a SecTAG lie before the last place
		var vlan []vgen.Signal
		for _, v := range c.VLANTPIDs {
			vlan = append(vlan, equals(tpid, uint64(v)))
		}
		reg("vlan", w.Has2.And(or(vlan...)))
		reg("sectag", w.Has2.And(equals(tpid, macsecType)))
		reg("has3", w.Has3)
		hides := w.Data.Bit(15)
		if !c.Decrypted {
			hides = or(hides, w.Data.Bit(11), w.Data.Bit(10))
		}
		reg("hides", hides)
		reg("sci", w.Data.Bit(13))
	}
	return k
}

// step looks at one word. behind are the two words after it.
func (s walkState) step(c *config.CSIG, word int, k kind, behind [2]kind) walkState {
	name := func(v vgen.Signal, what string) vgen.Signal { return v.Named(fmt.Sprintf("word%d_%s", word, what)) }
	n := s
	active := s.searching
	if _, none := s.skip.IsConst(); !none {
		active = name(s.searching.And(equals(s.skip, 0)), "active")
	}
	tagged := name(and(active, k.csig()), "is_tag")
	short, hidden := and(active, k.has2.Not()), flag(false)
	if word < lastStart {
		vlan := name(and(active, k.vlan, underLimit(s.vlans)), "is_vlan")
		mac := name(and(active, k.sectag, s.sectag.Not()), "is_sectag")
		opened := name(mac.And(k.has3).And(k.hides.Not()), "is_opened")
		short, hidden = short.Or(mac.And(k.has3.Not())), mac.And(k.has3).And(k.hides)
		n.searching = vlan.Or(opened)
		n.skip = vgen.Cat(k.sci, flag(true)).And(opened.Repeat(2)) // words of the SecTAG still to come: 3 or 1
		if _, none := s.skip.IsConst(); !none {
			n.searching = s.searching.And(active.Not().Or(n.searching))
			n.skip = vgen.Mux(equals(s.skip, 0), n.skip, s.skip.Sub(vgen.Const(2, 1)))
		}
		n.vlans = s.vlans.Add(vlan.Zext(3))
		if _, none := s.vlans.IsConst(); none {
			n.vlans = vlan.Zext(3)
		}
		n.sectag = or(s.sectag, opened)
	}

	whole, stacked := k.has4, behind[0].csig()
	if expanded(c) {
		whole, stacked = behind[0].has4, behind[1].csig()
	}
	if compact(c) && expanded(c) {
		whole = vgen.Mux(k.expanded, behind[0].has4, k.has4)
		stacked = vgen.Mux(k.expanded, behind[1].csig(), behind[0].csig())
		n.found.Tag.Size = or(s.found.Tag.Size, tagged.And(k.expanded))
	}
	n.found.Tag.Whole = or(s.found.Tag.Whole, tagged.And(whole))
	truncated := tagged.And(whole.Not())
	n.found.Tag.Status = or(s.found.Tag.Status, vgen.Cat(or(hidden, truncated), short.Or(truncated)))
	n.found.Place = or(s.found.Place, and(tagged.Repeat(placeBits), vgen.Const(placeBits, uint64(word))))
	n.found.Tag.Low = or(s.found.Tag.Low, k.data.Trunc(16).And(tagged.Repeat(16)))
	if expanded(c) {
		n.found.Tag.High = or(s.found.Tag.High, behind[0].data.And(tagged.Repeat(32)))
	}
	n.found.Stacked = or(s.found.Stacked, tagged.And(stacked))
	return n
}

// underLimit tells whether another VLAN tag may follow so many.
func underLimit(vlans vgen.Signal) vgen.Signal {
	if _, none := vlans.IsConst(); none {
		return flag(true)
	}
	return equals(vlans, maxVLANs).Not()
}

// register puts registers behind a stage of the walk.
func (s walkState) register(p *lib.Pipe, stage, word int) walkState {
	reg := func(name string, d vgen.Signal) vgen.Signal {
		if !d.Exists() {
			return d
		}
		if _, fixed := d.IsConst(); fixed {
			return d
		}
		return p.Reg(fmt.Sprintf("%s_before%d", name, word), stage, d).Signal
	}
	t := s.found.Tag
	n := walkState{found: found{
		tag{reg("tag", t.Whole), reg("status", t.Status), reg("expanded", t.Size), reg("low", t.Low), reg("high", t.High)},
		reg("place", s.found.Place), reg("stacked", s.found.Stacked),
	}}
	if word <= lastStart {
		n.searching, n.skip = reg("searching", s.searching), reg("skip", s.skip)
		n.vlans, n.sectag = reg("vlans", s.vlans), reg("sectag_seen", s.sectag)
	}
	return n
}
