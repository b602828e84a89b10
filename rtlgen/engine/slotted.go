package engine

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

func (b Slotted) build(f Frame, l *Law) (*vgen.Module, Timing) {
	t := Timing{Latency: b.Latency, Interval: b.Interval, Sweep: 1 << b.ClearBits, Hold: b.Verdict, HoldRead: readHold,
		Count: b.Verdict}
	t.Output = b.results(f, l, 1).Latency() - 1
	// Enough credits to keep the engine busy while the first result waits to be taken.
	t.Credits = 1 << bits.Len(uint((t.Latency+3)/t.Interval))
	return b.top(f, l, t), t
}

func (b Slotted) top(f Frame, l *Law, t Timing) *vgen.Module {
	m, ports := newTop(f, l, fmt.Sprintf("%d flows, %d profiles%s.", f.Flows, f.Profiles, l.Capacity),
		fmt.Sprintf(
			"An ACK every %d cycles; it stays at the port for %d cycles from its issue, and its decision is valid %d cycles after.",
			t.Interval, t.Hold, t.Latency+1+t.Output))
	m.SetTiming(t.Latency+1+t.Output, t.Interval)
	issue := vgen.Instantiate[slotIssuePorts](m, "u_issue", b.issue(f, l))
	k := vgen.Instantiate[slotCorePorts](m, "u_core", b.core(f, l))
	fifo := vgen.Instantiate[slotResultsPorts](m, "u_fifo", b.results(f, l, t.Credits))

	// Issue.
	m.Assign(issue.AckValid, ports.Ack.Valid)
	m.Assign(issue.AckFlow, ports.Ack.Payload.Flow)
	m.Assign(ports.Ack.Ready, issue.AckReady)
	m.Assign(issue.CWValid, ports.Write.Valid)
	m.Assign(issue.CWFlow, ports.Write.Payload.Flow)
	m.Assign(ports.Write.Ready, issue.CWReady)
	m.Assign(issue.CRValid, ports.Read.Valid)
	m.Assign(issue.CRFlow, ports.Read.Payload.Flow)
	m.Assign(ports.Read.Ready, issue.CRReady)
	m.Assign(issue.TWValid, ports.Table.Valid)
	m.Assign(ports.Table.Ready, issue.TWReady)
	m.Assign(issue.WroteCW, k.WroteCW)
	m.Assign(issue.WroteTW, k.WroteTW)
	m.Assign(issue.Credit, fifo.Credit)
	m.Assign(ports.InitDone, issue.InitDone)

	// Core.
	m.Assign(k.Phase, issue.Phase)
	m.Assign(k.Clear.Now, issue.Clear)
	m.Assign(k.Clear.Addr, issue.ClearAddr)
	vgen.Connect(m, &k.Op, &issue.Op)
	ack, cw, tw := &ports.Ack.Payload, &ports.Write.Payload, &ports.Table.Payload
	m.AssignIf(k.Generation, ack.Generation)
	m.AssignIf(k.Tag, ack.Tag)
	vgen.Connect(m, &k.Event, &ack.Law)
	m.Assign(k.TW.Table, tw.Table)
	m.AssignIf(k.TW.Index, tw.Index)
	m.Assign(k.TW.Data, tw.Data)
	m.Assign(k.CW.Mask, cw.Mask) // the flow goes with the operation
	vgen.Connect(m, &k.CW.Law, &cw.Law)
	m.AssignIf(k.CW.Generation, cw.Generation)

	// Results.
	m.Assign(fifo.Take, issue.AckTake)
	m.Assign(fifo.VerdictIn, k.VerdictOut)
	vgen.Connect(m, &fifo.Verdict, &k.Verdict)
	vgen.Connect(m, &fifo.Parts, &k.Parts)
	m.Assign(fifo.OutReady, ports.Result.Ready)
	m.Assign(ports.Result.Valid, fifo.OutValid)
	vgen.Connect(m, &ports.Result.Payload, &fifo.Out)

	ports.answers(m, k.Read, &k.Context, issue.CDTaken)
	ports.counters(m, f, l, k.VerdictOut, k.Verdict.Status, false)
	m.Tap("kind", k.Verdict.Kind, t.Hold, "kind of the result")
	for _, tap := range b.Taps(k.Parts) {
		m.Tap(tap.Name, tap.Sig, tap.Stage, tap.Doc)
	}
	return m
}
