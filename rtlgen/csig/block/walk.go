package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// macsecType is the EtherType of the SecTAG (IEEE 802.1AE).
const macsecType = 0x88e5

// Tag is the CSIG tag of a packet.
type Tag struct {
	Whole  vgen.Signal `port:"tag" width:"1" doc:"the packet has a whole CSIG tag"`
	Status vgen.Signal `port:"status" width:"2" doc:"status without a whole tag: 0 untagged, 1 short, 2 hidden, 3 truncated"`
	Size   vgen.Signal `port:"expanded" width:"size" doc:"the tag is an expanded one"`
	Low    vgen.Signal `port:"low" width:"low" doc:"bytes 2 and 3 of the tag: T, R, S, LM of a compact one, LM of an expanded one"`
	High   vgen.Signal `port:"high" width:"high" doc:"bytes 4 to 7 of an expanded tag: T, S, R"`
	// Once the tag is removed, the packet may still hold one.
	Ambiguous vgen.Signal `port:"ambiguous" width:"1" doc:"another layer-2 tag follows the CSIG tag or the words walked, or the packet ends inside the tag or its TPID"`
}

// found is the result of csig_walk for a packet.
type found struct {
	Tag     Tag
	Place   vgen.Signal `port:"place" width:"place" doc:"word of the packet that the tag starts at"`
	Stacked vgen.Signal `port:"stacked" width:"1" doc:"the tag is followed by another CSIG TPID"`
}

type walkPorts struct {
	Word []headerWord `port:"s_word%d" count:"words" dir:"in"`
	Out  found        `port:"m_" dir:"out"`
}

// wordKind is the effect of a word on a walk that reads it, with the TPIDs of the registers.
type wordKind struct {
	vlan             vgen.Signal // a VLAN tag
	opens, opensLong vgen.Signal // a SecTAG that does not hide what follows, without and with SCI
	hides            vgen.Signal // a SecTAG that does
	cutSecTAG        vgen.Signal // a SecTAG of which the packet has no TCI
	short            vgen.Signal // the packet ends before, or inside of a CSIG tag
	csig, whole, cut vgen.Signal // a CSIG tag; all of it, or not
	expanded         vgen.Signal // an expanded one
}

// walkState is the state of the walk before a word. Signals that no longer matter are constants or do not exist.
type walkState struct {
	active vgen.Signal           // it reads this word
	skip   [3]vgen.Signal        // skip[i]: it skips i+1 words, this one included
	vlans  [maxVLANs]vgen.Signal // there has been a VLAN tag; two; and so on
	sectag vgen.Signal           // there has been a SecTAG
	found  found
}

// Up to which word what a state holds can matter: what is skipped must end before the last place of a tag, and VLAN
// tags and SecTAGs lie before it.
const (
	lastSkip   = lastStart - 1
	lastVLAN   = lastStart - 1
	lastSecTAG = lastStart - 1
)

// Walk is csig_walk.
func Walk(c *Shape) *vgen.Module {
	if c.alongBeats() {
		return walkSerialBlock(c)
	}
	return walkBlock(c)
}

// walkBlock builds csig_walk: from the header of a packet to its CSIG tag (docs/csig.md, The walk). A header a cycle.
func walkBlock(c *Shape) *vgen.Module {
	m := vgen.NewModule("csig_walk", "Finds the CSIG tag of a packet after up to four VLAN tags and a SecTAG")
	m.Doc(
		"Every tag starts at a multiple of four bytes, so the walk looks at words 3 to 11 in turn, one a stage. Before that,",
		"two stages classify each word as if the walk came to it.")
	m.StageDoc(1, "each word is compared with all TPIDs")
	m.StageDoc(2, "class of each word: a tag, whole or cut, a VLAN tag, a SecTAG that hides what follows or opens it")
	ports := vgen.Ports[walkPorts](m, c.PortWidths())
	p := lib.NewPipe(m)
	p.Fast()

	w := walker{c: c, p: p, tpids: map[string]vgen.Signal{}}
	for i, word := range ports.Word {
		w.raw = append(w.raw, classify(c, p, i, word))
		if i+firstWord >= lastStart {
			for _, s := range vgen.Leaves(&word) {
				m.Ignore(*s, "no SecTAG can start so late, and of words after the last place of a tag only parts matter")
			}
		}
	}
	if !c.Compact() {
		m.Ignore(ports.Word[0].Has4, "an expanded tag ends in the word behind")
	}

	no := flag(false)
	s := walkState{
		active: flag(true), skip: [3]vgen.Signal{no, no, no}, vlans: [maxVLANs]vgen.Signal{no, no, no, no}, sectag: no,
		found: found{Tag{Whole: no, Status: vgen.Const(2, statusUntagged), Low: vgen.Const(16, 0), Ambiguous: no},
			vgen.Const(placeBits, 0), no},
	}
	if ports.Out.Tag.Size.Exists() {
		s.found.Tag.Size = no
	}
	if ports.Out.Tag.High.Exists() {
		s.found.Tag.High = vgen.Const(32, 0)
	}
	stage := 2
	for word := firstWord; word <= lastStart; word++ {
		s = w.step(s, word, stage).register(p, stage, word+1)
		stage++
		m.StageDoc(stage, fmt.Sprintf("state of the walk after word %d", word))
	}
	vgen.Connect(m, &ports.Out, &s.found)
	m.SetTiming(stage, 1)
	return m
}

// walker is what the steps of a walk have in common.
type walker struct {
	c   *Shape
	p   *lib.Pipe
	raw []map[string]lib.Value // of each word, at stage 1

	tpids map[string]vgen.Signal // by name, at stage 1
}

// get is a bit of a word, counted from the first one that can be a tag, at a stage; 0 where there is none.
func (w *walker) get(i int, name string, stage int) vgen.Signal {
	if v, ok := w.raw[i][name]; ok {
		return w.p.At(v, stage)
	}
	return flag(false)
}

// tpid tells, at stage 1, whether a word begins with a TPID; 0 where it is not looked for.
func (w *walker) tpid(i int, name string) vgen.Signal {
	if _, ok := w.raw[i][name+"_high"]; !ok {
		return flag(false)
	}
	wire := fmt.Sprintf("word%d_begins_%s", i+firstWord, name)
	if _, made := w.tpids[wire]; !made {
		w.tpids[wire] = and(w.get(i, name+"_high", 1), w.get(i, name+"_low", 1)).Named(wire)
	}
	return w.tpids[wire]
}

// known is what follows from a word's TPID, at a stage from 2 on; a register has it.
func (w *walker) known(i int, name string, is vgen.Signal, stage int) vgen.Signal {
	if _, fixed := is.IsConst(); fixed {
		return is
	}
	if _, made := w.raw[i][name]; !made {
		w.raw[i][name] = w.p.Reg(fmt.Sprintf("word%d_%s", i+firstWord, name), 1, is)
	}
	return w.get(i, name, stage)
}

// csig and expanded tell at a stage, from 2 on, whether a word begins with a TPID of CSIG, and with that of expanded
// tags.
func (w *walker) csig(i, stage int) vgen.Signal {
	return w.known(i, "is_csig", or(w.tpid(i, "compact"), w.tpid(i, "expanded")), stage)
}

func (w *walker) expanded(i, stage int) vgen.Signal {
	return w.known(i, "is_expanded", w.tpid(i, "expanded"), stage)
}

// layer2 tells at a stage, from 2 on, whether a word begins with a TPID of any kind, or will when it is padded.
func (w *walker) layer2(i, stage int) vgen.Signal {
	list := []vgen.Signal{w.tpid(i, "compact"), w.tpid(i, "expanded"), w.tpid(i, "sectag"), w.get(i, "padded", 1)}
	for n := range w.c.VLANTPIDs {
		list = append(list, w.tpid(i, vlanName(n)))
	}
	return w.known(i, "is_layer2", or(list...), stage)
}

// behind tells at a stage, from 3 on, whether a word begins a CSIG tag with a word of a kind right behind it.
func (w *walker) behind(i int, name string, is func(i, stage int) vgen.Signal, stage int) vgen.Signal {
	name = fmt.Sprintf("word%d_is_%s", i+firstWord, name)
	if v, ok := w.raw[i][name]; ok {
		return w.p.At(v, stage)
	}
	var next vgen.Signal
	switch c := w.c; {
	case !c.Expanded():
		next = is(i+1, 2)
	case !c.Compact():
		next = is(i+2, 2)
	default:
		next = vgen.Mux(w.expanded(i, 2), is(i+2, 2), is(i+1, 2))
	}
	w.raw[i][name] = w.p.Reg(name, 2, w.csig(i, 2).And(next))
	return w.p.At(w.raw[i][name], stage)
}

// kind is what a word does, at a stage.
func (w *walker) kind(word, stage int) wordKind {
	i, c := word-firstWord, w.c
	raw := func(name string) vgen.Signal { return w.get(i, name, 1) }
	reg := func(name string, s vgen.Signal) vgen.Signal {
		if _, fixed := s.IsConst(); fixed {
			return s
		}
		return w.p.At(w.p.Reg(fmt.Sprintf("word%d_%s", word, name), 1, s), stage)
	}
	small, large := w.tpid(i, "compact"), w.tpid(i, "expanded")
	var wholes, cuts []vgen.Signal
	if c.Compact() {
		has4 := raw("has4")
		wholes, cuts = append(wholes, small.And(has4)), append(cuts, small.And(has4.Not()))
	}
	if c.Expanded() {
		has4 := w.get(i+1, "has4", 1)
		wholes, cuts = append(wholes, large.And(has4)), append(cuts, large.And(has4.Not()))
	}
	cut := or(cuts...)
	k := wordKind{
		csig: w.csig(i, stage), whole: reg("is_whole", or(wholes...)), cut: reg("is_cut", cut),
		short: reg("is_short", raw("has2").Not()),
	}
	if c.Compact() && c.Expanded() {
		k.expanded = w.expanded(i, stage)
	}
	vlans := []vgen.Signal{flag(false)}
	for n := range c.VLANTPIDs {
		vlans = append(vlans, w.tpid(i, vlanName(n)))
	}
	k.vlan = reg("is_vlan_tpid", or(vlans...))
	if word <= lastSecTAG {
		sectag := w.tpid(i, "sectag")
		whole := sectag.And(raw("has3")).Named(fmt.Sprintf("word%d_is_sectag", word))
		k.hides, k.cutSecTAG = reg("is_hiding", whole.And(raw("hides"))), reg("is_cut_sectag", sectag.And(raw("has3").Not()))
		open := whole.And(raw("hides").Not())
		if word+1 <= lastSkip {
			k.opens = reg("opens", open.And(raw("sci").Not()))
		}
		if word+3 <= lastSkip {
			k.opensLong = reg("opens_long", open.And(raw("sci")))
		}
	}
	return k
}

// step looks at one word.
func (w *walker) step(s walkState, word, stage int) walkState {
	c, k, n := w.c, w.kind(word, stage), s
	name := func(v vgen.Signal, what string) vgen.Signal { return v.Named(fmt.Sprintf("word%d_%s", word, what)) }
	// A second SecTAG ends the walk like any word that is no tag: whether it hides what follows, or is cut, does not
	// count.
	first := s.sectag.Not()
	if v, fixed := s.sectag.IsConst(); fixed {
		first = flag(v.Sign() == 0)
	}
	hidden, short := k.cut, or(k.short, k.cut)
	if word <= lastSecTAG {
		hidden, short = or(hidden, and(k.hides, first)), or(short, and(k.cutSecTAG, first))
	}
	n.found.Tag.Status = or(s.found.Tag.Status, vgen.Cat(and(s.active, hidden), and(s.active, short)))

	beyond := k.vlan // at the last place of a tag all others have been
	if word <= lastVLAN {
		beyond = and(k.vlan, s.vlans[maxVLANs-1])
	}
	if _, fixed := s.sectag.IsConst(); !fixed || word > lastSecTAG {
		again := w.known(word-firstWord, "is_sectag_tpid", w.tpid(word-firstWord, "sectag"), stage)
		if word <= lastSecTAG {
			again = and(again, s.sectag)
		}
		beyond = or(beyond, again)
	}
	if _, some := w.raw[word-firstWord]["padded"]; some {
		beyond = or(beyond, w.get(word-firstWord, "padded", stage))
	}
	vlan := flag(false)
	if word <= lastVLAN {
		many := s.vlans[maxVLANs-1]
		vlan = and(s.active, k.vlan)
		if _, fixed := many.IsConst(); !fixed {
			vlan = and(vlan, many.Not())
		}
		vlan = name(vlan, "is_vlan")
	}
	n.active = or(vlan, s.skip[0])
	for i := range n.vlans {
		before := flag(true)
		if i > 0 {
			before = s.vlans[i-1]
		}
		n.vlans[i] = or(s.vlans[i], and(vlan, before))
	}
	opens, opensLong := flag(false), flag(false)
	if k.opens.Exists() {
		opens = name(and(s.active, first, k.opens), "opens_now")
	}
	if k.opensLong.Exists() {
		opensLong = name(and(s.active, first, k.opensLong), "opens_long_now")
	}
	n.skip = [3]vgen.Signal{or(opens, s.skip[1]), s.skip[2], opensLong}
	n.sectag = or(s.sectag, opens, opensLong)

	tagged := name(and(s.active, k.csig), "is_tag")
	if c.Compact() && c.Expanded() {
		n.found.Tag.Size = or(s.found.Tag.Size, and(s.active, k.expanded))
	}
	n.found.Tag.Whole = or(s.found.Tag.Whole, and(s.active, k.whole))
	// The first word, which the walk always looks at, is known to be stacked only when it looks at the next.
	follows := func(name string, is func(i, stage int) vgen.Signal) vgen.Signal {
		switch i := word - firstWord; i {
		case 0:
			return flag(false)
		case 1:
			return or(w.behind(0, name, is, stage), and(s.active, w.behind(1, name, is, stage)))
		default:
			return and(s.active, w.behind(i, name, is, stage))
		}
	}
	n.found.Stacked = or(s.found.Stacked, follows("stacked", w.csig))
	n.found.Tag.Ambiguous = or(s.found.Tag.Ambiguous, and(s.active, or(k.cut, beyond)), follows("ambiguous", w.layer2))
	n.found.Place = or(s.found.Place, and(tagged.Repeat(placeBits), vgen.Const(placeBits, uint64(word))))
	i := word - firstWord
	n.found.Tag.Low = or(s.found.Tag.Low, w.get(i, "data", stage).Trunc(16).And(tagged.Repeat(16)))
	if c.Expanded() {
		n.found.Tag.High = or(s.found.Tag.High, w.get(i+1, "data", stage).And(tagged.Repeat(32)))
	}
	return n
}

// register puts registers behind a stage of the walk, in front of a word.
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
	until := func(last int, name string, d vgen.Signal) vgen.Signal {
		if word > last {
			return flag(false)
		}
		return reg(name, d)
	}
	t := s.found.Tag
	n := walkState{found: found{
		Tag{reg("tag", t.Whole), reg("status", t.Status), reg("expanded", t.Size), reg("low", t.Low), reg("high", t.High),
			reg("ambiguous", t.Ambiguous)},
		reg("place", s.found.Place), reg("stacked", s.found.Stacked),
	}}
	n.active, n.sectag = until(lastStart, "active", s.active), until(lastSecTAG, "sectag_seen", s.sectag)
	for i := range n.skip {
		n.skip[i] = until(lastSkip-i, fmt.Sprintf("skip%d", i+1), s.skip[i])
	}
	for i := range n.vlans {
		n.vlans[i] = until(lastVLAN-(maxVLANs-1-i), fmt.Sprintf("vlans%d", i+1), s.vlans[i])
	}
	return n
}

// vlanName is the name of a VLAN TPID.
func vlanName(i int) string { return fmt.Sprintf("vlan%d", i) }

// classify compares a word with all TPIDs.
func classify(c *Shape, p *lib.Pipe, i int, w headerWord) map[string]lib.Value {
	k := map[string]lib.Value{}
	tpid := w.Data.Slice(31, 16)
	word := i + firstWord
	reg := func(name string, s vgen.Signal) {
		k[name] = p.Reg(fmt.Sprintf("word%d_%s", word, name), 0, s)
	}
	if word > lastStart+1 && !c.Expanded() { // not even behind a tag
		return k
	}
	// Each half of a TPID by itself.
	half := func(name string, v uint64) {
		reg(name+"_high", tpid.Slice(15, 8).IsHex(v>>8))
		reg(name+"_low", w.Has2.And(tpid.Trunc(8).IsHex(v&0xff)))
	}
	if c.Compact() {
		half("compact", uint64(c.CompactTPID))
	}
	if c.Expanded() {
		half("expanded", uint64(c.ExpandedTPID))
	}
	for i, v := range c.VLANTPIDs {
		half(vlanName(i), uint64(v))
	}
	half("sectag", macsecType)
	if w.Has1.Exists() {
		reg("padded", and(w.Has1, w.Has2.Not(), c.paddedTPID(w.Data)))
	}
	switch {
	case c.Expanded() && word <= lastStart+1:
		reg("data", w.Data)
		if c.Compact() || word > firstWord {
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
		reg("has3", w.Has3)
		hides := w.Data.Bit(15)
		if !c.Decrypted {
			hides = or(hides, w.Data.Bit(11), w.Data.Bit(10))
		}
		reg("hides", hides)
		if word+1 <= lastSkip {
			reg("sci", w.Data.Bit(13))
		}
	}
	return k
}
