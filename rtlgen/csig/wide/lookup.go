package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type lookupPorts struct {
	Port      portWrite   `dir:"in"`
	Estimate  vgen.Signal `port:"estimate_ok" dir:"in" width:"1" doc:"the estimate has been committed"`
	Buckets   vgen.Signal `port:"bucket_ok" dir:"in" width:"perbucket" doc:"by signal type: there is a bucket table"`
	Quantizer vgen.Signal `port:"quantizer_ok" dir:"in" width:"quantizers" doc:"by signal type: there is a quantizer"`
	Ingress   vgen.Signal `port:"s_ingress" dir:"in" width:"port" doc:"ingress port"`
	Egress    vgen.Signal `port:"s_egress" dir:"in" width:"port" doc:"egress port"`
	Tag       block.Tag   `port:"s_" dir:"in"`

	block.Verdicts

	Locator  vgen.Signal `port:"m_locator" dir:"out" width:"low" doc:"LM of the egress port for the tag's type and size, at its position in the tag"`
	Capacity vgen.Signal `port:"m_capacity" dir:"out" width:"value" doc:"capacity of the egress port, kbit/s"`
	Factor   vgen.Signal `port:"m_factor" dir:"out" width:"recip" doc:"mantissa of the port's factor for the signal type, but for type 0"`
	Shift    vgen.Signal `port:"m_shift" dir:"out" width:"shift" doc:"its shift"`
}

// lookupBlock builds csig_lookup: what is to happen to a packet, by ports, type and what software has written
// (docs/csig.md, What happens to it). A packet a cycle; all tables are read in the packet's first cycle here.
func lookupBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_lookup",
		"Decides what happens to a packet, by port and signal type, and reads the port's factors")
	m.Doc("A port that has not been committed since reset is trusted and passes all tags. Tables are read in stage 0.")
	ports := vgen.Ports[lookupPorts](m, c.RegistersWidths())
	p := lib.NewPipe(m)
	in := ports.Tag

	// What has been committed.
	write := ports.Port
	index := c.IndexBits()
	egress, ingress := ports.Egress.Trunc(index), ports.Ingress.Trunc(index)
	noPort := or(block.Beyond(c, ports.Egress), block.Beyond(c, ports.Ingress)).Named("no_port")
	written := lib.OneHot(c.Ports, write.Index)
	if c.At.Lookup {
		written = oneHotEarly(m, c.Ports, write.Index)
	}
	committed, trusted := block.Committed(m, written.And(write.Write.Repeat(c.Ports)).Named("commit"), write.Trust)
	fields := vgen.Leaves(&write)[portFields:]
	joined := vgen.Join(fields)
	table := m.Memory("port_table", c.Ports, joined.Width(), "registers of the egress ports")
	var stored vgen.Signal
	at := 1 // stage at which it is at hand
	if c.At.Lookup {
		stored, at = readWhileWritten(m, p, table, write, joined, egress)
	} else {
		table.Write(write.Write, write.Index, joined)
		stored = table.Read("port_q", egress)
	}
	word := write
	word.Locator = append([]portLocator(nil), write.Locator...)
	vgen.Split(vgen.Leaves(&word)[portFields:], stored)
	word.Actions = word.Actions.Named("actions")
	for i, l := range word.Locator {
		if l.Compact.Exists() {
			word.Locator[i].Compact = l.Compact.Named(fmt.Sprintf("locator%d_compact", i))
		}
		if l.Expanded.Exists() {
			word.Locator[i].Expanded = l.Expanded.Named(fmt.Sprintf("locator%d_expanded", i))
		}
	}

	// Stage 0: the tag's fields, and the tables by type.
	size := block.SizeOf(c, in.Size)
	tagType := block.TypeOf(c, size, in)
	type1 := p.Reg("type", 0, tagType)
	var ok1 lib.Value
	if c.At.Lookup {
		ok1 = tablesLater(c, m, p, ports, type1)
	} else {
		ok1 = p.Reg("tables_ok", 0, tablesOK(c, size, tagType.Trunc(block.KindBits), ports.Estimate, ports.Buckets,
			ports.Quantizer))
	}
	noPort1 := p.Reg("no_port", 0, noPort)
	step := index // bits of a port's number that are made use of in a cycle
	if c.At.Lookup {
		step = portStep
	}
	trusts := block.Selected(p, "trust", step, p.Value("ingress", 0, ingress), trusted, flag(true))
	opens := block.Selected(p, "egress_committed", step, p.Value("egress", 0, egress), committed, flag(false))
	tag1, find1, ambiguous1 := p.Reg("tag", 0, in.Whole), p.Reg("find", 0, in.Status), p.Reg("ambiguous", 0, in.Ambiguous)
	held := func(int) vgen.Signal { return flag(false) }
	if c.UEC {
		hold := p.Reg("hold", 0, in.Low.Bit(0))
		held = func(stage int) vgen.Signal { return p.At(hold, stage) }
	}
	sizeThen := size
	var expandedTag lib.Value
	if in.Size.Exists() {
		expandedTag = p.Reg("expanded", 0, size)
		sizeThen = p.At(expandedTag, at)
	}

	// The action, and what follows from it.
	var actions []vgen.Signal
	for t := range config.CSIGTagTypes {
		actions = append(actions, word.Actions.Slice(block.ActionBits*t+1, block.ActionBits*t))
	}
	typeThen := p.At(type1, at)
	to := at // stage of the decision
	var action, stripsAny vgen.Signal
	if c.At.Lookup {
		const lowBits = 2
		var groups, strips []vgen.Signal
		for i := 0; i < len(actions); i += 1 << lowBits {
			strips = append(strips, p.Reg(fmt.Sprintf("strips_any_from%d", i), at,
				block.AnyStrip(actions[i:i+1<<lowBits])).Signal)
			group := vgen.Select(typeThen.Trunc(lowBits), actions[i:i+1<<lowBits],
				vgen.Const(block.ActionBits, block.ActionPass))
			groups = append(groups, p.Reg(fmt.Sprintf("action_from%d", i), at, group).Signal)
		}
		chosen := vgen.Select(p.At(type1, at+1).Slice(block.TypeBits-1, lowBits), groups,
			vgen.Const(block.ActionBits, block.ActionPass)).Named("action_of_type")
		action = p.Reg("action", at+1, chosen.And(p.At(opens, at+1).Repeat(block.ActionBits))).Signal
		stripsAny = p.Reg("strips_any", at+1, or(strips...).And(p.At(opens, at+1))).Signal
		to = at + 2
	} else {
		chosen := vgen.Select(typeThen, actions, vgen.Const(block.ActionBits, block.ActionPass)).Named("action_of_type")
		action = chosen.And(p.At(opens, at).Repeat(block.ActionBits)).Named("action")
		stripsAny = block.AnyStrip(actions).And(p.At(opens, at)).Named("strips_any")
	}
	before := to // stage of what does not depend on the action
	if c.At.Lookup {
		before--
	}
	standing := block.Stand(p.At(tag1, before), p.At(ambiguous1, before), p.At(noPort1, before), p.At(trusts, before),
		p.At(find1, before))
	transit.Stage(p, c.At.Lookup, before, "acts distrusted drops ambiguous_here standing", &standing.Acts,
		&standing.Distrusted, &standing.Drops, &standing.Ambiguous, &standing.Status)
	d := block.DecideBy(c, standing, action, stripsAny, p.At(ok1, to), p.At(tag1, to), held(to))
	end := to + 1
	kept := func(name string, s vgen.Signal) vgen.Signal { return p.At(p.Reg(name, at, s), end) } // made of what is stored
	signalThen := typeThen.Trunc(block.KindBits)
	out := block.Verdicts{
		Status: p.Reg("status", to, d.Status).Signal, Compare: p.Reg("compare", to, d.Compare).Signal,
		Remove: p.Reg("remove", to, d.Remove).Signal,
		Drop:   p.Reg("drop", to, d.Drop).Signal, NoPort: p.At(noPort1, end), Type: kept("signal", signalThen),
	}
	var located vgen.Signal
	if c.At.Lookup && c.Compact() && c.Expanded() {
		// By type, and then by size.
		small := p.Reg("locator_compact", at, placedCompact(c, signalThen, held(at), word.Locator))
		large := p.Reg("locator_expanded", at, placedExpanded(c, signalThen, held(at), word.Locator))
		sizeNext := p.At(expandedTag, at+1)
		located = p.At(p.Reg("locator", at+1, vgen.Mux(sizeNext, large.Signal, small.Signal)), end)
	} else {
		located = kept("locator", placed(c, sizeThen, signalThen, held(at), word.Locator))
	}
	vgen.Connect(m, &ports.Verdicts, &out)
	m.Assign(ports.Locator, located)
	queue := block.OfDepth(signalThen)
	m.Assign(ports.Capacity, kept("capacity", word.Capacity))
	m.Assign(ports.Factor, kept("factor", vgen.Mux(queue, word.Depth, word.Ratio)))
	m.Assign(ports.Shift, kept("factor_shift", vgen.Mux(queue, word.DepthShift, word.RatioShift)))
	m.Ignore(in.Low, "value and locator are compared later")
	if in.High.Exists() {
		m.Ignore(in.High, "the value is compared later")
	}
	m.SetTiming(end, 1)
	lookupDocs(m, c, at, to)
	return m
}

// lookupDocs are the headings of the stages: at is that in which the port's word is there, to that of the decision.
func lookupDocs(m *vgen.Module, c *block.Shape, at, to int) {
	if c.At.Lookup {
		m.StageDoc(1, "the type of the tag; the lowest bits of the ports' numbers choose among the flags of all ports")
		m.StageDoc(2, "is there a table for the type? Commits of software take effect, the port's word is read")
		m.StageDoc(3, "the port's word, or the one being written to it; is the port trusted, and committed?")
		m.StageDoc(at+1, "the action, chosen within each group of four types; the locator of each size")
		m.StageDoc(at+2, "the action of the type")
	}
	m.StageDoc(to+1, "decision on the packet")
}

// tablesOK reports whether there is what a signal of a type takes, for a tag of the size.
func tablesOK(c *block.Shape, size, signal, estimate, buckets, quantizers vgen.Signal) vgen.Signal {
	switch {
	case !c.Expanded():
		return and(estimate, block.PickBit("buckets_ok", buckets, signal))
	case !c.Compact():
		return and(estimate, block.PickBit("quantizers_ok", quantizers, signal))
	}
	return and(estimate, vgen.Mux(size, block.PickBit("quantizers_ok", quantizers, signal),
		block.PickBit("buckets_ok", buckets, signal)))
}

// tablesLater is tablesOK of stage 0, looked at in stage 1.
func tablesLater(c *block.Shape, m *vgen.Module, p *lib.Pipe, ports *lookupPorts, tagType lib.Value) lib.Value {
	was := func(name string, s vgen.Signal) vgen.Signal {
		if !s.Exists() {
			return s
		}
		return m.RegNext(name, s)
	}
	size := block.SizeOf(c, ports.Tag.Size)
	if ports.Tag.Size.Exists() {
		size = was("expanded_then", size)
	}
	return p.Reg("tables_ok", 1, tablesOK(c, size, tagType.Trunc(block.KindBits), was("estimate_then", ports.Estimate),
		was("buckets_then", ports.Buckets), was("quantizers_then", ports.Quantizer)))
}

// oneHotEarly is lib.OneHot for an index that holds since the cycle before, by registers for its lower and its upper
// bits.
func oneHotEarly(m *vgen.Module, n int, index vgen.Signal) vgen.Signal {
	const lowBits = 3
	if index.Width() <= lowBits {
		return m.RegNext("index_is", lib.OneHot(n, index))
	}
	groups := (n + 1<<lowBits - 1) >> lowBits
	low := m.RegNext("index_low_is", lib.OneHot(1<<lowBits, index.Trunc(lowBits)))
	high := m.RegNext("index_high_is", lib.OneHot(groups, index.Slice(index.Width()-1, lowBits)))
	var all []vgen.Signal
	for g := groups - 1; g >= 0; g-- {
		all = append(all, low.And(high.Bit(g).Repeat(low.Width())))
	}
	return vgen.Cat(all...).Named("index_is").Trunc(n)
}

// portStep is how many bits of a port's number choose in a cycle, where registers stand between the steps.
const portStep = 2

// placed is LM for a type and size, with UEC's d bit in place: bits 6:0 of a compact tag's low half, all of an expanded
// one's.
func placed(c *block.Shape, size, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	switch {
	case !c.Expanded():
		return placedCompact(c, signal, hold, list)
	case !c.Compact():
		return placedExpanded(c, signal, hold, list)
	}
	return vgen.Mux(size, placedExpanded(c, signal, hold, list), placedCompact(c, signal, hold, list))
}

func placedCompact(c *block.Shape, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	get := func(l portLocator) vgen.Signal { return l.Compact }
	return placedAs("locator_of_compact", c, signal, hold, list, get)
}

func placedExpanded(c *block.Shape, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	get := func(l portLocator) vgen.Signal { return l.Expanded }
	return placedAs("locator_of_expanded", c, signal, hold, list, get)
}

func placedAs(name string, c *block.Shape, signal, hold vgen.Signal, list []portLocator,
	get func(l portLocator) vgen.Signal) vgen.Signal {
	var all []vgen.Signal
	for _, l := range list {
		all = append(all, get(l))
	}
	lm := vgen.Select(signal, all, vgen.Const(all[0].Width(), 0)).Named(name)
	if c.UEC {
		lm = vgen.Cat(lm, hold)
	}
	return lm.Zext(16)
}

// readWhileWritten is the table's word for a port, and the stage at which it is at hand, with Places.Lookup. What a
// memory reads where it is written is not defined. So the table is written a cycle after what software commits is in
// force, and what is read in that cycle comes from what is written, which stays for longer.
func readWhileWritten(m *vgen.Module, p *lib.Pipe, table *vgen.Memory, write portWrite, written,
	port vgen.Signal) (vgen.Signal, int) {
	writes := m.StateNext("table_write", write.Write)
	index := m.RegNext("table_index", write.Index)
	table.NoCollision().Write(writes, index, written)
	same := p.Reg("same_port", 0, writes.And(index.Eq(port)))
	stored := p.Reg("port_q2", 1, table.Read("port_q", port))
	return p.Reg("port_word", 2, vgen.Mux(p.At(same, 2), written, stored.Signal)).Signal, 3
}

// portFields is the number of fields of portWrite that are not stored in the table of egress ports.
const portFields = 3
