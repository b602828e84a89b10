package nic

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// buildSerial generates the engine with one lane for all hops. It is the smallest there is: one operation
// an interval, whose blocks take turns that a counter gives; input elements are read where they are offered.
func buildSerial(c *config.NIC) (*Engine, error) {
	pl := planSerial(c)
	t := Timing{Latency: pl.end, Interval: pl.interval, Sweep: 1 << clearBits(c), Hold: pl.hold, Count: pl.verdict, Output: 1}
	// Enough credits to keep the engine busy while the first result waits to be taken.
	t.Credits = 1 << bits.Len(uint((t.Latency+3)/t.Interval))
	top := serialEngine(pl, t)
	top.Prefix(c.Prefix)
	if err := vgen.Check(top); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return &Engine{Top: top, Timing: t}, nil
}

func serialEngine(pl *serialPlan, t Timing) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_nic", "HPCC++ engine: from the telemetry of acknowledgements to windows and pacing rates")
	m.Doc(fmt.Sprintf("%d flows, %d profiles, up to %d hops, which are taken one after the other.", c.Flows, c.Profiles, c.MaxHops),
		fmt.Sprintf("An ACK every %d cycles; it stays at the port for %d cycles from its issue on, a decision is out %d cycles after.", t.Interval, t.Hold, t.Latency+2),
		"Write the tables and open flows by context writes first; ACKs of flows that are not open are counted and change nothing.")
	m.SetTiming(t.Latency+2, t.Interval)
	ports := vgen.Ports[Ports](m, widths(c))
	issue := vgen.Instantiate[serialIssuePorts](m, "u_issue", serialIssue(pl))
	k := vgen.Instantiate[serialCorePorts](m, "u_core", serialCore(pl))
	fifo := vgen.Instantiate[serialResultsPorts](m, "u_fifo", serialResults(pl, t.Credits))

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

	// Core.
	m.Assign(k.Phase, issue.Phase)
	m.Assign(k.Clear.Now, issue.Clear)
	m.Assign(k.Clear.Addr, issue.ClearAddr)
	vgen.Connect(m, &k.Op, &issue.Op)
	vgen.Connect(m, &k.Header, &ports.Ack.Payload.Header)
	for i := range ports.Ack.Payload.Hop {
		vgen.Connect(m, &k.Hop[i], &ports.Ack.Payload.Hop[i])
	}
	tw := ports.Table.Payload
	m.Assign(k.TW.Table, tw.Table)
	m.Assign(k.TW.Index, tw.Index)
	m.Assign(k.TW.Data, tw.Data)
	held := vgen.Leaves(&k.CW)
	for i, s := range vgen.Leaves(&ports.Write.Payload)[1:] { // all but the flow, which goes with the operation
		m.Assign(*held[i], *s)
	}

	// Results.
	m.Assign(fifo.Take, issue.AckTake)
	m.Assign(fifo.VerdictIn, k.VerdictOut)
	vgen.Connect(m, &fifo.Verdict, &k.Verdict)
	m.Assign(fifo.AverageIn, k.AverageOut)
	vgen.Connect(m, &fifo.Average, &k.Average)
	m.Assign(fifo.WindowIn, k.WindowOut)
	vgen.Connect(m, &fifo.Window, &k.Window)
	m.Assign(fifo.RateIn, k.RateOut)
	vgen.Connect(m, &fifo.Rate, &k.Rate)
	m.Assign(fifo.OutReady, ports.Result.Ready)
	m.Assign(ports.Result.Valid, fifo.OutValid)
	vgen.Connect(m, &ports.Result.Payload, &fifo.Out)

	// Answers to context reads.
	valid := m.Reg("cd_valid_q", 1, vgen.Reset(0), vgen.Control())
	taken := valid.And(ports.Data.Ready).Named("cd_taken")
	m.Next(valid, k.Read.Or(valid.And(ports.Data.Ready.Not())))
	m.Assign(issue.CDTaken, taken)
	m.Assign(ports.Data.Valid, valid)
	vgen.Connect(m, &ports.Data.Payload, &k.Context)

	count := func(port vgen.Signal, name string, status uint64) {
		hit := k.VerdictOut.And(k.Verdict.Status.Eq(vgen.Const(statusBits, status)))
		q := m.Reg(name, c.CountBits, vgen.Reset(0), vgen.Control())
		m.Next(q, vgen.Mux(hit, q.Add(vgen.Const(c.CountBits, 1)), q))
		m.Assign(port, q)
	}
	n := ports.Count
	count(n.RejectedHops, "rejected_hops_q", statusRejectedHops)
	count(n.RejectedRate, "rejected_rate_q", statusRejectedRate)
	count(n.RejectedFlow, "rejected_flow_q", statusRejectedFlow)
	count(n.Stale, "stale_q", statusStale)
	count(n.NoTelemetry, "no_telemetry_q", statusNoTelemetry)
	count(n.PathChanged, "path_changed_q", statusPathChanged)
	m.Tap("kind", k.Verdict.Kind, pl.verdict, "kind of the result")
	m.Tap("rate", k.Rate.Rate, t.Latency, "R, "+c.Formats.Rate.String())
	m.Tap("stage", k.Window.Stage, pl.decide, "incStage")
	return m
}
