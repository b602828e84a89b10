package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type lookupPorts struct {
	Port      portWrite   `dir:"in"`
	Estimate  vgen.Signal `port:"estimate_ok" dir:"in" width:"1" doc:"the estimate has been committed"`
	Buckets   vgen.Signal `port:"bucket_ok" dir:"in" width:"perbucket" doc:"by signal type: there is a bucket table"`
	Quantizer vgen.Signal `port:"quantizer_ok" dir:"in" width:"quantizers" doc:"by signal type: there is a quantizer"`
	Ingress   vgen.Signal `port:"s_ingress" dir:"in" width:"port" doc:"ingress port"`
	Egress    vgen.Signal `port:"s_egress" dir:"in" width:"port" doc:"egress port"`
	Tag       tag         `port:"s_" dir:"in"`

	Status   vgen.Signal `port:"m_status" dir:"out" width:"status" doc:"status, as far as it does not depend on the code"`
	Compare  vgen.Signal `port:"m_compare" dir:"out" width:"1" doc:"it does: the code decides between updated and kept"`
	Remove   vgen.Signal `port:"m_remove" dir:"out" width:"1" doc:"the tag is removed"`
	NoPort   vgen.Signal `port:"m_no_port" dir:"out" width:"1" doc:"from or to a port that does not exist"`
	Type     vgen.Signal `port:"m_type" dir:"out" width:"2" doc:"signal type, when compared"`
	Locator  vgen.Signal `port:"m_locator" dir:"out" width:"low" doc:"LM of the egress port for the tag's type and size, in the place that it has in the tag"`
	Capacity vgen.Signal `port:"m_capacity" dir:"out" width:"value" doc:"capacity of the egress port, kbit/s"`
	Factor   vgen.Signal `port:"m_factor" dir:"out" width:"recip" doc:"mantissa of the port's factor for the signal type, but for type 0"`
	Shift    vgen.Signal `port:"m_shift" dir:"out" width:"shift" doc:"its shift"`
}

// lookupBlock builds csig_lookup: what is to happen to a packet, by ports, type and what software has written (docs/csig.md, What
// happens to it). A packet a cycle; all tables are read in the packet's first cycle here. A deep pipeline has registers behind the memory,
// and chooses action and locator in two steps.
func lookupBlock(c *config.CSIG) *vgen.Module {
	m := vgen.NewModule("csig_lookup", "Decides by port and signal type what happens to a packet, and reads the port's factors")
	m.Doc("A port that has not been committed since reset is trusted and passes all tags. Tables are read in stage 0.")
	ports := vgen.Ports[lookupPorts](m, registersWidths(c))
	p := lib.NewPipe(m)
	in := ports.Tag

	// What has been committed.
	write := ports.Port
	index := portIndexBits(c)
	egress, ingress := ports.Egress.Trunc(index), ports.Ingress.Trunc(index)
	noPort := or(beyond(c, ports.Egress), beyond(c, ports.Ingress)).Named("no_port")
	committed, trusted := make([]vgen.Signal, c.Ports), make([]vgen.Signal, c.Ports)
	names := func(i int) vgen.Signal { return equals(write.Index, uint64(i)) }
	if deep(c) {
		names = namesEarly(m, write.Index)
	}
	for i := range c.Ports {
		hit := write.Write.And(names(i)).Named(fmt.Sprintf("commit%d", i))
		committed[i] = m.Reg(fmt.Sprintf("committed%d", i), 1, vgen.Reset(0), vgen.Control())
		m.Next(committed[i], committed[i].Or(hit))
		trusted[i] = m.Reg(fmt.Sprintf("trusted%d", i), 1, vgen.Reset(1), vgen.Control())
		m.Next(trusted[i], vgen.Mux(hit, write.Trust, trusted[i]))
	}
	fields := vgen.Leaves(&write)[portFields:]
	written := vgen.Join(fields)
	table := m.Memory("port_table", c.Ports, written.Width(), "what software has written for each egress port")
	var stored vgen.Signal
	at := 1 // stage at which it is at hand
	if deep(c) {
		stored, at = readWhileWritten(m, p, table, write, written, egress)
	} else {
		table.Write(write.Write, write.Index, written)
		stored = table.Read("port_q", egress)
	}
	word := write
	word.Locator = append([]portLocator(nil), write.Locator...)
	vgen.Split(vgen.Leaves(&word)[portFields:], stored)

	// Stage 0: the tag's fields, and the tables by type.
	size := sizeOf(c, in.Size)
	tagType := typeOf(c, size, in)
	type1 := p.Reg("type", 0, tagType)
	var ok1 lib.Value
	if deep(c) {
		ok1 = tablesLater(c, m, p, ports, type1)
	} else {
		ok1 = p.Reg("tables_ok", 0, tablesOK(c, size, tagType.Trunc(2), ports.Estimate, ports.Buckets, ports.Quantizer))
	}
	noPort1 := p.Reg("no_port", 0, noPort)
	trusts := selected(c, p, "trust", 0, portStep, ingress, trusted, flag(true))
	opens := selected(c, p, "egress_committed", 0, portStep, egress, committed, flag(false))
	tag1, find1 := p.Reg("tag", 0, in.Whole), p.Reg("find", 0, in.Status)
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
		actions = append(actions, word.Actions.Slice(actionBits*t+1, actionBits*t))
	}
	typeThen := p.At(type1, at)
	to := at // stage of the decision
	var action vgen.Signal
	if deep(c) {
		const lowBits = 2
		var groups []vgen.Signal
		for i := 0; i < len(actions); i += 1 << lowBits {
			group := vgen.Select(typeThen.Trunc(lowBits), actions[i:i+1<<lowBits], vgen.Const(actionBits, actionPass))
			groups = append(groups, p.Reg(fmt.Sprintf("action_from%d", i), at, group).Signal)
		}
		chosen := vgen.Select(p.At(type1, at+1).Slice(typeBits-1, lowBits), groups, vgen.Const(actionBits, actionPass))
		action = p.Reg("action", at+1, chosen.And(p.At(opens, at+1).Repeat(actionBits))).Signal
		to = at + 2
	} else {
		chosen := vgen.Select(typeThen, actions, vgen.Const(actionBits, actionPass))
		action = chosen.And(p.At(opens, at).Repeat(actionBits)).Named("action")
	}
	tagged, none, trust := p.At(tag1, to), p.At(noPort1, to), p.At(trusts, to)
	strip := equals(action, actionStrip).Named("strip")
	update := equals(action, actionUpdate).And(p.At(ok1, to)).Named("update")
	present := tagged.And(none.Not()).Named("tag_present")
	remove := present.And(trust.Not().Or(strip))
	compare := present.And(trust).And(update)
	if c.UEC {
		compare = compare.And(held(to).Not())
	}
	code := func(s uint64) vgen.Signal { return vgen.Const(statusBits, s) }
	status := vgen.Mux(update, code(statusHeld), code(statusPassed))
	status = vgen.Mux(strip, code(statusStripped), status)
	status = vgen.Mux(trust, status, code(statusDistrusted))
	status = vgen.Mux(tagged, status, p.At(find1, to).Zext(statusBits))
	status = vgen.Mux(none, code(statusNoPort), status)
	end := to + 1
	kept := func(name string, s vgen.Signal) vgen.Signal { return p.At(p.Reg(name, at, s), end) } // made of what is stored
	signalThen := typeThen.Trunc(2)
	out := lookupPorts{
		Status: p.Reg("status", to, status).Signal, Compare: p.Reg("compare", to, compare).Signal, Remove: p.Reg("remove", to, remove).Signal,
		NoPort: p.At(noPort1, end), Type: kept("signal", signalThen),
	}
	if deep(c) && compact(c) && expanded(c) {
		// By type, and then by size.
		small := p.Reg("locator_compact", at, placedCompact(c, signalThen, held(at), word.Locator))
		large := p.Reg("locator_expanded", at, placedExpanded(c, signalThen, held(at), word.Locator))
		sizeNext := p.At(expandedTag, at+1)
		out.Locator = p.At(p.Reg("locator", at+1, vgen.Mux(sizeNext, large.Signal, small.Signal)), end)
	} else {
		out.Locator = kept("locator", placed(c, sizeThen, signalThen, held(at), word.Locator))
	}
	m.Assign(ports.Status, out.Status)
	m.Assign(ports.Compare, out.Compare)
	m.Assign(ports.Remove, out.Remove)
	m.Assign(ports.NoPort, out.NoPort)
	m.Assign(ports.Type, out.Type)
	m.Assign(ports.Locator, out.Locator)
	queue := signalThen.Bit(1) // type 3; type 1 takes the other, and the rest none
	m.Assign(ports.Capacity, kept("capacity", word.Capacity))
	m.Assign(ports.Factor, kept("factor", vgen.Mux(queue, word.Depth, word.Ratio)))
	m.Assign(ports.Shift, kept("factor_shift", vgen.Mux(queue, word.DepthShift, word.RatioShift)))
	m.Ignore(in.Low, "value and locator are compared later")
	if in.High.Exists() {
		m.Ignore(in.High, "the value is compared later")
	}
	m.SetTiming(end, 1)
	return m
}

// tablesOK tells whether there is what a signal of a type takes, for a tag of the size.
func tablesOK(c *config.CSIG, size, signal, estimate, buckets, quantizers vgen.Signal) vgen.Signal {
	switch {
	case !expanded(c):
		return and(estimate, pickBit(buckets, signal))
	case !compact(c):
		return and(estimate, pickBit(quantizers, signal))
	}
	return and(estimate, vgen.Mux(size, pickBit(quantizers, signal), pickBit(buckets, signal)))
}

// tablesLater is tablesOK of stage 0, looked at in stage 1.
func tablesLater(c *config.CSIG, m *vgen.Module, p *lib.Pipe, ports *lookupPorts, tagType lib.Value) lib.Value {
	was := func(name string, s vgen.Signal) vgen.Signal {
		if !s.Exists() {
			return s
		}
		return m.RegNext(name, s)
	}
	size := sizeOf(c, ports.Tag.Size)
	if ports.Tag.Size.Exists() {
		size = was("expanded_then", size)
	}
	return p.Reg("tables_ok", 1, tablesOK(c, size, tagType.Trunc(2), was("estimate_then", ports.Estimate), was("buckets_then", ports.Buckets), was("quantizers_then", ports.Quantizer)))
}

// namesEarly tells whether an index that holds since the cycle before is a number, by registers for its lower and its upper bits.
func namesEarly(m *vgen.Module, index vgen.Signal) func(i int) vgen.Signal {
	const lowBits = 3
	if index.Width() <= lowBits {
		return func(i int) vgen.Signal { return m.RegNext(fmt.Sprintf("names_port%d", i), equals(index, uint64(i))) }
	}
	low, high := index.Trunc(lowBits), index.Slice(index.Width()-1, lowBits)
	known := map[string]vgen.Signal{}
	is := func(what string, s vgen.Signal, v int) vgen.Signal {
		name := fmt.Sprintf("%s_is%d", what, v)
		if _, ok := known[name]; !ok {
			known[name] = m.RegNext(name, equals(s, uint64(v)))
		}
		return known[name]
	}
	return func(i int) vgen.Signal {
		return is("index_low", low, i%(1<<lowBits)).And(is("index_high", high, i>>lowBits))
	}
}

// portStep is of how many bits of a port's number a deep pipeline makes use in a cycle, where there is time for it.
const portStep = 2

// selected is the entry of list that an index names at a stage, one stage later. A deep pipeline chooses by some bits of the index in a stage.
func selected(c *config.CSIG, p *lib.Pipe, name string, stage, step int, index vgen.Signal, list []vgen.Signal, none vgen.Signal) lib.Value {
	if !deep(c) {
		step = index.Width()
	}
	at := p.Value(name+"_index", stage, index)
	low := 0
	for ; index.Width()-low > step; low += step {
		by := p.At(at, stage).Slice(low+step-1, low)
		var groups []vgen.Signal
		for i := 0; i < len(list); i += 1 << step {
			group := vgen.Select(by, list[i:min(i+1<<step, len(list))], none)
			groups = append(groups, p.Reg(fmt.Sprintf("%s_from%d", name, i<<low), stage, group).Signal)
		}
		list = groups
		stage++
	}
	return p.Reg(name, stage, vgen.Select(p.At(at, stage).Slice(index.Width()-1, low), list, none))
}

// beyond tells whether a port number names no port.
func beyond(c *config.CSIG, port vgen.Signal) vgen.Signal {
	return port.Ge(vgen.Const(port.Width(), uint64(c.Ports)))
}

// sizeOf is 1 for expanded tags; without a bit for it, all tags have the one size.
func sizeOf(c *config.CSIG, size vgen.Signal) vgen.Signal {
	if size.Exists() {
		return size
	}
	return flag(expanded(c))
}

// typeOf is T, with 4 bits.
func typeOf(c *config.CSIG, size vgen.Signal, f tag) vgen.Signal {
	small := f.Low.Slice(15, 13).Zext(typeBits)
	switch {
	case !expanded(c):
		return small
	case !compact(c):
		return f.High.Slice(31, 28)
	}
	return vgen.Mux(size, f.High.Slice(31, 28), small).Named("tag_type")
}

// pickBit is the bit of a vector that an index names; the vector may be absent.
func pickBit(vector, index vgen.Signal) vgen.Signal {
	if !vector.Exists() {
		return flag(false)
	}
	var list []vgen.Signal
	for i := range vector.Width() {
		list = append(list, vector.Bit(i))
	}
	return vgen.Select(index, list, flag(false))
}

// placed is LM for a type and size, with UEC's d bit in place: bits 6:0 of a compact tag's low half, all of an expanded one's.
func placed(c *config.CSIG, size, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	switch {
	case !expanded(c):
		return placedCompact(c, signal, hold, list)
	case !compact(c):
		return placedExpanded(c, signal, hold, list)
	}
	return vgen.Mux(size, placedExpanded(c, signal, hold, list), placedCompact(c, signal, hold, list))
}

func placedCompact(c *config.CSIG, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	return placedAs(c, signal, hold, list, func(l portLocator) vgen.Signal { return l.Compact })
}

func placedExpanded(c *config.CSIG, signal, hold vgen.Signal, list []portLocator) vgen.Signal {
	return placedAs(c, signal, hold, list, func(l portLocator) vgen.Signal { return l.Expanded })
}

func placedAs(c *config.CSIG, signal, hold vgen.Signal, list []portLocator, get func(l portLocator) vgen.Signal) vgen.Signal {
	var all []vgen.Signal
	for _, l := range list {
		all = append(all, get(l))
	}
	lm := vgen.Select(signal, all, vgen.Const(all[0].Width(), 0))
	if c.UEC {
		lm = vgen.Cat(lm, hold)
	}
	return lm.Zext(16)
}

// readWhileWritten is the table's word for a port, and the stage at which it is at hand, of a deep pipeline. A memory does not say what is read
// where it is written: it is written a cycle later than what software commits is in force, and what is read in that cycle comes from what is
// written, which stays for longer than that.
func readWhileWritten(m *vgen.Module, p *lib.Pipe, table *vgen.Memory, write portWrite, written, port vgen.Signal) (vgen.Signal, int) {
	writes := later(m, "table_write", write.Write)
	index := m.RegNext("table_index", write.Index)
	table.NoCollision().Write(writes, index, written)
	same := p.Reg("same_port", 0, writes.And(index.Eq(port)))
	stored := p.Reg("port_q2", 1, table.Read("port_q", port))
	return p.Reg("port_word", 2, vgen.Mux(p.At(same, 2), written, stored.Signal)).Signal, 3
}

// portFields is the number of fields of portWrite that are not stored in the table of egress ports.
const portFields = 3
