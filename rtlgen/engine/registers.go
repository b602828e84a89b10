package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersPorts are the ports of a law's register block. An access acts in the cycle of its strobe.
type registersPorts struct {
	axil.Access

	Done vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the answer is there from the next cycle on"`

	axil.Answer

	Table    vgen.Stream[tableWrite]   `stream:"tw" dir:"out" doc:"table writes"`
	Write    vgen.Stream[contextWrite] `stream:"cw" dir:"out" doc:"context writes"`
	Read     vgen.Stream[contextRead]  `stream:"cr" dir:"out" doc:"context reads"`
	Data     vgen.Stream[contextData]  `stream:"cd" dir:"in" doc:"answers to context reads"`
	Count    any                       `port:"n_" dir:"in"`
	InitDone vgen.Signal               `port:"init_done" dir:"in" width:"1" doc:"contexts and tables are cleared"`
	IRQ      vgen.Signal               `port:"irq" dir:"out" width:"1" doc:"an event that is enabled has happened, a register"`
}

// frontPorts is the port list of an engine with registers.
type frontPorts struct {
	Ack    vgen.Stream[event]  `stream:"s" dir:"in" doc:"acknowledgements"`
	Result vgen.Stream[result] `stream:"m" dir:"out" doc:"decisions"`

	axil.Ports

	IRQ vgen.Signal `port:"irq" dir:"out" width:"1" doc:"an event that is enabled has happened; high until software clears it"`
}

// front puts the registers of software before an engine, which keeps its ports inside.
func front(engine *vgen.Module, f Frame, l *Law, t *Timing) *vgen.Module {
	m := vgen.NewModule(engine.Name()+"_axil", l.Title+" "+l.Purpose+", with registers")
	m.Doc(fmt.Sprintf("The engine is %s; software reaches its tables, contexts and counters over AXI4-Lite.", engine.Name()),
		"Write the tables and open flows first; ACKs of flows that are not open are counted and change nothing.")
	m.SetTiming(engine.Latency(), engine.Interval())
	w := busWidths(f, l)
	var like frontPorts
	like.Ack.Payload.Law, like.Result.Payload.Law = l.Event, l.Decision
	p := vgen.PortsLike(m, &like, w)
	m.Describe(p.Result.Payload.Kind, l.kinds())

	in := vgen.Instantiate[Ports](m, "u_engine", engine)
	vgen.Forward(m, &p.Ack, &in.Ack)
	vgen.Forward(m, &p.Result, &in.Result)
	block := Registers(f, l)
	regs := vgen.Instantiate[registersPorts](m, "u_registers", block)
	vgen.Settled(m, regs)
	axil.Connect(m, l.Name+"_axil", &p.Ports, &regs.Access, &regs.Answer, regs.Done, vgen.Const(1, 0))
	connect(m, &in.Table, &regs.Table)
	connect(m, &in.Write, &regs.Write)
	connect(m, &in.Read, &regs.Read)
	connect(m, &regs.Data, &in.Data)
	vgen.Connect(m, &regs.Count, &in.Count)
	m.Assign(regs.InitDone, in.InitDone)
	m.Assign(p.IRQ, regs.IRQ)
	t.Bus = &timing.EngineBus{Act: axil.ChosenToBus, Answer: block.Latency(), Taken: block.Latency()}
	return m
}

// connect leads a stream of one instance to another.
func connect[T any](m *vgen.Module, to, from *vgen.Stream[T]) {
	m.Assign(to.Valid, from.Valid)
	m.Assign(from.Ready, to.Ready)
	vgen.Connect(m, &to.Payload, &from.Payload)
}

// busWidths are the width keys of an engine with registers.
func busWidths(f Frame, l *Law) vgen.Widths {
	w := l.widths(f)
	maps.Copy(w, axil.Widths)
	return w
}

// Registers builds the registers of a law's engine: the map is that of package registers; what a register does is here.
func Registers(f Frame, l *Law) *vgen.Module {
	m := vgen.NewModule(l.Name+"_registers", "Register file: what software stages, commands and reads of an engine")
	m.Doc("cycle  what",
		"x      an access acts: what it changes is seen in x + 1, what it reads is as of x",
		"x + 1  the answer; a command is offered to the engine until it takes it, and is answered in the cycle after",
		"       that, a read of a context after it has come")
	m.SetTiming(2, 1)
	var like registersPorts
	like.Write.Payload.Law, like.Data.Payload.Law, like.Count = l.Write, l.Context, l.Counters
	b := &block{Law: l, p: vgen.PortsLike(m, &like, busWidths(f, l))}
	b.File = axil.NewFile(m, &b.p.Access, registers.NewNIC(&f, l.Software), registers.NICPageBits, false)
	b.Decode()

	m.Section("Registers that software reads as it has written them")
	for i := range b.Map.Registers {
		r := &b.Map.Registers[i]
		b.Hit(r)
		switch {
		case r.Volatile:
		case r.Access == registers.ReadWrite:
			b.Stage(r, r.Mask())
		case r.Access == registers.ReadOnly:
			b.Constant(r)
		}
	}
	b.Reads[registers.NICStatus] = b.p.InitDone.Zext(axil.BusBits)
	b.commands(f)
	b.context()
	b.counters()
	b.answers()
	m.Ignore(b.WData, "bits that no register has")
	return m
}

// block is a register block under construction.
type block struct {
	*Law
	*axil.File
	p *registersPorts

	done []vgen.Signal // commands that the engine has done
}

// commands offers the engine what software commands, one at a time: an access is answered before the next one.
func (b *block) commands(f Frame) {
	m, p := b.Module, b.p
	m.Section("Commands")
	offer := func(name string, offset uint32, valid, ready vgen.Signal, checks ...vgen.Signal) (taken vgen.Signal) {
		act := b.Commit(offset, name, append(checks, p.InitDone)...)
		q := m.State(name+"_q", 1)
		m.Next(q, act.Or(q.And(ready.Not())))
		m.Assign(valid, q)
		return q.And(ready).Named(name + "_taken")
	}
	low := func(name string, limit, bits int) vgen.Signal {
		return b.WData.Trunc(bits).Zext(bits + 1).Lt(vgen.Const(bits+1, uint64(limit))).Named(name)
	}
	table := b.WData.Slice(registers.TableWriteTable+TableBits-1, registers.TableWriteTable)
	bySize := map[int][]vgen.Signal{}
	for i, t := range b.Software.Tables {
		bySize[t.Entries] = append(bySize[t.Entries], table.Is(uint64(i)))
	}
	var entries []vgen.Signal
	for _, n := range slices.Sorted(maps.Keys(bySize)) {
		below := low(fmt.Sprintf("index_below_%d", n), n, registers.TableWriteTable)
		entries = append(entries, vgen.AnyOf(bySize[n]...).And(below))
	}
	write, read := &p.Write.Payload, &p.Read.Payload
	b.done = append(b.done,
		offer("table_write", registers.TableWrite, p.Table.Valid, p.Table.Ready,
			vgen.AnyOf(entries...).Named("entry_exists")))
	flow := low("flow_exists", f.Flows, registers.ContextWriteMask)
	b.done = append(b.done, offer("context_write", registers.ContextWrite, p.Write.Valid, p.Write.Ready, flow))
	asked := offer("context_read", registers.ContextRead, p.Read.Valid, p.Read.Ready, flow)
	m.Ignore(asked, "a read is done when its context has come")

	// Word and staged registers hold until the answer has been taken.
	m.Assign(p.Table.Payload.Table, table)
	if index := p.Table.Payload.Index; index.Exists() {
		m.Assign(index, b.WData.Trunc(index.Width()))
	}
	m.Assign(p.Table.Payload.Data, b.number(registers.TableData, p.Table.Payload.Data.Width()))
	m.Assign(write.Flow, b.WData.Trunc(write.Flow.Width()))
	m.Assign(read.Flow, b.WData.Trunc(read.Flow.Width()))
	m.Assign(write.Mask, b.WData.Slice(registers.ContextWriteMask+write.Mask.Width()-1, registers.ContextWriteMask))
	ports := vgen.Leaves(&write.Law)
	if write.Generation.Exists() {
		ports = append(ports, &write.Generation)
	}
	for i, field := range registers.WrittenFields(&f, b.Software) {
		if field.Bits > 0 && len(ports) > 0 {
			m.Assign(*ports[0], b.number(registers.WriteField(i), field.Bits))
			ports = ports[1:]
		}
	}
}

// number is a number that software has staged in one or two registers.
func (b *block) number(offset uint32, bits int) vgen.Signal {
	if bits <= axil.BusBits {
		return b.Staged[offset].Trunc(bits)
	}
	return vgen.Cat(b.Staged[offset+4].Trunc(bits-axil.BusBits), b.Staged[offset])
}

// shows gives the registers of a number what they read.
func (b *block) shows(offset uint32, v vgen.Signal) {
	b.Reads[offset] = v.Fit(axil.BusBits)
	if v.Width() > axil.BusBits {
		b.Reads[offset+4] = v.Slice(v.Width()-1, axil.BusBits).Zext(axil.BusBits)
	}
}

// context keeps the context that was read last.
func (b *block) context() {
	m, p := b.Module, b.p
	m.Section("The context that was read last")
	m.Assign(p.Data.Ready, vgen.Const(1, 1))
	m.Ignore(p.Data.Payload.Flow, "it is the one that was asked for")
	ports := vgen.Leaves(&p.Data.Payload.Law)
	for i, field := range b.Software.Read {
		if field.Bits > 0 && len(ports) > 0 {
			q := m.RegNext("read_"+field.Name+"_q", *ports[0], vgen.Enable(p.Data.Valid), vgen.Reset(0))
			b.shows(registers.ReadField(i), q)
			ports = ports[1:]
		}
	}
	b.done = append(b.done, p.Data.Valid)
}

// counters keeps a snapshot of the counters, and what has happened since software looked. A counter counts one event a
// cycle at most, so its lowest bit changes with each.
func (b *block) counters() {
	m, p := b.Module, b.p
	m.Section("Counters and events")
	taken := b.Commit(registers.Snapshot, "snapshot")
	list := vgen.Leaves(&p.Count)
	events := []vgen.Signal{p.InitDone.And(m.StateNext("init_done_q", p.InitDone).Not()).Named("init_done_rises")}
	for i, n := range b.Software.Counters {
		if i < len(list) {
			b.shows(registers.NICCount(i), m.RegNext("count_"+n.Name+"_q", *list[i], vgen.Enable(taken), vgen.Reset(0)))
			last := list[i].Bit(0)
			events = append(events, last.Ne(m.StateNext(n.Name+"_last_q", last)).Named(n.Name+"_counts"))
		}
	}
	clear := b.Commit(registers.Event, "clear_events")
	event := m.State("event_q", len(events))
	slices.Reverse(events)
	kept := event.And(b.WData.Trunc(len(events)).Where(clear).Not())
	m.Next(event, kept.Or(vgen.Cat(events...)))
	b.Reads[registers.Event] = event.Zext(axil.BusBits)
	m.Assign(p.IRQ, m.StateNext("irq_q", event.And(b.Staged[registers.EventEnable].Trunc(len(events))).AnyBit()))
}

// answers answers accesses.
func (b *block) answers() {
	m, p := b.Module, b.p
	m.Section("Answers")
	var hits, words []vgen.Signal
	for _, offset := range slices.Sorted(maps.Keys(b.Reads)) {
		hits = append(hits, b.Hits[offset])
		words = append(words, b.Reads[offset].Where(b.Hits[offset]))
	}
	acts := p.Access.Write.Or(p.Access.Read).Named("acts")
	wrong := vgen.Mux(p.Access.Read, vgen.AnyOf(hits...).Not(), vgen.AnyOf(b.Done...).Not()).Named("wrong")
	m.Assign(p.Error, m.RegNext("error_q", wrong, vgen.Enable(acts)))
	m.Assign(p.RData, m.RegNext("rdata_q", vgen.AnyOf(words...), vgen.Enable(acts)))
	// A command that is in order is answered when it is done.
	commands := vgen.AllOf(p.Access.Write, wrong.Not(), vgen.AnyOf(b.Hits[registers.TableWrite],
		b.Hits[registers.ContextWrite], b.Hits[registers.ContextRead])).Named("commands")
	m.Assign(p.Done, m.StateNext("done_q", vgen.AnyOf(append(b.done, acts.And(commands.Not()))...)))
}

// agrees holds the ports of a law to what software sees of it.
func (l *Law) agrees(m *vgen.Module, p *Ports) {
	check := func(prefix string, ports any, fields []config.ContextField) {
		var want, got []string
		for _, f := range fields {
			if f.Bits > 0 {
				want = append(want, fmt.Sprintf("%s%s %d", prefix, f.Name, f.Bits))
			}
		}
		for _, s := range vgen.Leaves(ports) {
			got = append(got, fmt.Sprintf("%s %d", s.Name(), s.Width()))
		}
		if !slices.Equal(got, want) {
			m.Fail(fmt.Sprintf("law %s: ports %v where software sees %v", l.Name, got, want), "correct one of them")
		}
	}
	check("cw_", &p.Write.Payload.Law, l.Software.Write)
	check("cd_", &p.Data.Payload.Law, l.Software.Read)
	var counters []config.ContextField
	for i, c := range l.Software.Counters {
		bits := 0
		if list := vgen.Leaves(&p.Count); i < len(list) {
			bits = list[i].Width()
		}
		counters = append(counters, config.ContextField{Name: c.Name, Bits: bits})
	}
	check("n_", &p.Count, counters)
}
