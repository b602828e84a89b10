package engine

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func (b Pipelined) build(f Frame, l *Law) (*vgen.Module, Timing) {
	core, hazard := b.core(f, l)
	t := Timing{Latency: core.Latency(), Interval: core.Interval(), Hazard: hazard, InputDepth: 2, Told: 1, ToldRead: 1,
		Count: core.Latency() + 1}
	buffer := lib.CreditFIFO
	if hasFront(t.Interval) {
		t.Front, buffer = frontRegisters, lib.FastCreditFIFO
		t.Told, t.ToldRead = t.Told+cameRegisters, t.ToldRead+1 // what waits is in a register
	}
	t.Output = buffer(2, 1).Latency() - 1
	// Enough credits to keep the pipeline full while the first result waits to be taken.
	t.Credits = 1 << bits.Len(uint(t.Through()/t.Interval))
	t.Sweep = max(f.Flows, l.largest())
	return b.top(f, l, core, buffer, t), t
}

func (b Pipelined) top(
	f Frame, l *Law, core *vgen.Module, buffer func(depth, width int) *vgen.Module, t Timing,
) *vgen.Module {
	m, ports := newTop(f, l, fmt.Sprintf("%d flows, %d profiles%s.", f.Flows, f.Profiles, l.Capacity),
		fmt.Sprintf("ACKs %s apart, those of one flow %s; a decision is valid %d cycles after the transfer of its ACK.",
			atLeast(t.Interval), atLeast(max(t.Interval, t.Hazard+1)), t.Through()))
	m.SetTiming(t.Through(), t.Interval)

	slice := func(name string, valid, ready, word vgen.Signal, skid bool) *lib.SlicePorts {
		build := lib.HoldBuffer
		if skid {
			build = lib.SkidBuffer
		}
		s := vgen.Instantiate[lib.SlicePorts](m, "u_"+name, build(word.Width()))
		m.Assign(s.InValid, valid)
		m.Assign(s.InData, word)
		m.Assign(ready, s.InReady)
		return s
	}
	var sIn *lib.SlicePorts
	var ack *event
	var payload *payloadPorts
	if t.Front > 0 {
		sIn, payload = ackInput(m, ports)
		ack = vgen.Unpack(&ports.Ack.Payload, vgen.Cat(sIn.OutData, payload.Out))
	} else {
		sIn = slice("s_slice", ports.Ack.Valid, ports.Ack.Ready, vgen.Pack(&ports.Ack.Payload), t.InputDepth == 2)
		ack = vgen.Unpack(&ports.Ack.Payload, sIn.OutData)
	}
	cwIn := slice("cw_slice", ports.Write.Valid, ports.Write.Ready, vgen.Pack(&ports.Write.Payload), false)
	crIn := slice("cr_slice", ports.Read.Valid, ports.Read.Ready, vgen.Pack(&ports.Read.Payload), false)
	twIn := slice("tw_slice", ports.Table.Valid, ports.Table.Ready, vgen.Pack(&ports.Table.Payload), false)
	cw := vgen.Unpack(&ports.Write.Payload, cwIn.OutData)
	cr := vgen.Unpack(&ports.Read.Payload, crIn.OutData)
	tw := vgen.Unpack(&ports.Table.Payload, twIn.OutData)

	choose := issueBlock
	if t.Front > 0 {
		choose = frontBlock
	}
	issue := vgen.Instantiate[issuePorts](m, "u_issue", choose(f, l, t))
	if payload != nil {
		m.Assign(payload.Pop, issue.AckIssue)
	}
	k := vgen.Instantiate[corePorts](m, "u_core", core)

	// Output FIFO.
	fifo := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_fifo", buffer(t.Credits, vgen.Pack(&k.Result).Width()))
	m.Assign(fifo.Push, k.Valid)
	m.Assign(fifo.Data, vgen.Pack(&k.Result))
	m.Assign(fifo.Take, issue.AckTake)
	m.Assign(fifo.OutReady, ports.Result.Ready)
	m.Assign(ports.Result.Valid, fifo.OutValid)
	vgen.Connect(m, &ports.Result.Payload, vgen.Unpack(&k.Result, fifo.OutData))

	// Issue.
	m.Assign(issue.AckValid, sIn.OutValid)
	m.Assign(issue.AckFlow, ack.Flow)
	m.Assign(sIn.OutReady, issue.AckTake)
	m.Assign(issue.CWFlow, cw.Flow)
	m.Assign(cwIn.OutReady, k.WroteCW)
	m.Assign(issue.CRValid, crIn.OutValid)
	m.Assign(issue.CRFlow, cr.Flow)
	m.Assign(crIn.OutReady, issue.CRTake)
	m.Assign(twIn.OutReady, k.WroteTW)
	if t.Front > 0 {
		// What enters a slice is told a cycle later: the slices are large, and may be far from the choice.
		came := func(name string, enters vgen.Signal) vgen.Signal {
			return m.Delay(name, enters, cameRegisters, vgen.Reset(0), vgen.Control())
		}
		m.Assign(issue.CWCame, came("cw_came", ports.Write.Valid.And(cwIn.InReady)))
		m.Assign(issue.TWCame, came("tw_came", ports.Table.Valid.And(twIn.InReady)))
		for _, slice := range []*lib.SlicePorts{cwIn, twIn} {
			m.Ignore(slice.OutValid, "the front is told what has entered")
		}
	} else {
		m.Assign(issue.CWValid, cwIn.OutValid)
		m.Assign(issue.CWDone, k.WroteCW)
		m.Assign(issue.TWValid, twIn.OutValid)
		m.Assign(issue.TWDone, k.WroteTW)
	}
	m.Assign(issue.Credit, fifo.Credit)
	m.Assign(ports.InitDone, issue.InitDone)

	// Core.
	m.Assign(k.Op.Valid, issue.Valid)
	m.Assign(k.Op.Code, issue.Code)
	m.Assign(k.Op.Index, issue.Index)
	m.AssignIf(k.Generation, ack.Generation)
	vgen.Connect(m, &k.Event, &ack.Law)
	m.AssignIf(k.Tag, ack.Tag)
	m.Assign(k.TW.Table, tw.Table)
	m.AssignIf(k.TW.Index, tw.Index)
	m.Assign(k.TW.Data, tw.Data)
	m.Assign(k.CW.Mask, cw.Mask) // the flow goes with the operation
	vgen.Connect(m, &k.CW.Law, &cw.Law)
	m.AssignIf(k.CW.Generation, cw.Generation)
	for _, mem := range b.Memories(k.Groups) {
		mem.build(m, f.Flows)
	}
	ports.answers(m, k.Read, &k.Context, issue.CDTaken)
	ports.counters(m, f, l, k.Valid, k.Result.Status, true)
	m.Tap("kind", k.Result.Kind, t.Latency, "kind of the result")
	m.Tap("status", k.Result.Status, t.Latency, "status of the result")
	for _, tap := range l.Taps {
		m.Tap(tap.Field, ports.decision(&k.Result.Law, tap.Field), t.Latency, tap.Doc)
	}
	return m
}

func atLeast(cycles int) string {
	if cycles == 1 {
		return "at least 1 cycle"
	}
	return fmt.Sprintf("at least %d cycles", cycles)
}
