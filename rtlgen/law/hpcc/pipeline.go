package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// groups are the context groups of the pipeline.
type groups struct {
	Flow    engine.GroupPorts[FlowContext]   `port:"fc_"`
	Records recordMemory                     `port:"rc_"`
	Average averageMemory                    `port:"uc_"`
	Window  engine.GroupPorts[WindowContext] `port:"wc_"`
}

// memories are those of the groups.
func memories(ports any) []engine.Memory {
	g := ports.(*groups)
	list := []engine.Memory{g.Flow.Memory("flow_context", "classification: flags, profile, sequence, time, path")}
	for i := range g.Records.Lane {
		lane := &g.Records.Lane[i]
		list = append(list, engine.Memory{
			Name: fmt.Sprintf("hop%d_records", i), Doc: "telemetry records", ReadAddr: g.Records.ReadAddr, Read: &lane.Read,
			WriteEn: lane.WriteEn, WriteAddr: g.Records.WriteAddr, Write: &lane.Write,
		})
	}
	return append(list, g.Average.Memory("average_context", "U"), g.Window.Memory("window_context", "Wc, W, incStage"))
}

// pipelined is HPCC++ with a lane for each hop, up to an ACK a cycle.
func pipelined(c *config.NIC) engine.Pipelined {
	hop, hopDivider := hopBlock(c)
	quotient := quotientDivider(c)
	b := engine.Pipelined{Interval: max(hopDivider.Interval(), quotient.Interval()), Groups: new(groups),
		Memories: memories}
	b.Build = func(k *engine.Core) {
		records, recordsAt := recordsBlock(c, k.EventStage)
		flow, flowAt := flowBlock(c, b.Interval, k.EventStage, recordsAt.verdict)
		largest := maxBlock(c, b.Interval)
		average, averageAt := averageBlock(c, b.Interval)
		window, windowAt := windowBlock(c, b.Interval, quotient)
		k.Loops(flowAt, recordsAt.group, averageAt, windowAt)
		pipe{
			Core: k, c: c, event: k.Event.(*Event), groups: k.Groups.(*groups), write: k.Write.(*HeldWrite),
			flow: flow, records: records, hop: hop, largest: largest, average: average, window: window, delta: recordsAt.delta,
		}.build()
	}
	return b
}

// pipe is the pipeline of blocks.
type pipe struct {
	*engine.Core
	c      *config.NIC
	event  *Event
	groups *groups
	write  *HeldWrite
	delta  int // stage at which the differences of the hops are there

	flow, records, hop, largest, average, window *vgen.Module
}

func (b pipe) build() {
	m, p, o, c := b.M, b.P, b.Op, b.c
	hopOut := b.delta + b.hop.Latency()
	averageStart := hopOut + b.largest.Latency()
	windowStart := averageStart + b.average.Latency()
	end := windowStart + b.window.Latency()
	m.Doc(
		fmt.Sprintf(
			"Stages: context and records from 0, verdict in %d, u' of the hops in %d, U from %d, W from %d, decision in %d.",
			b.flow.Latency(), hopOut, averageStart, windowStart, end))
	m.Describe(b.groups.Average.Write.U, toStore)
	f, r := b.classify()
	verdict := b.flow.Latency()
	m.StageDoc(1, "u_flow classifies the ACK against the context of its flow, u_records gives the differences of its "+
		"telemetry; table that a table write selects")
	m.StageDoc(b.delta+1, "u' = min(qlen, L.qlen) / (B T) + txRate / B of each hop (draft Figure 4)")
	m.StageDoc(hopOut+1, "u = max u', and tau of that hop (draft Figure 4)")
	m.StageDoc(averageStart+1, "U = (1 - tau/T) U + tau/T u (draft Figure 4)")
	m.StageDoc(windowStart+1, "W = Wc eta/U + W_ai or Wc + W_ai, R = W/T (draft Figure 5)")
	m.StageDoc(end, "the decision")
	kind, status := p.Value("kind", verdict, f.Verdict.Kind), p.Value("status", verdict, f.Verdict.Status)
	react, commit := p.Value("react", verdict, f.Verdict.React), p.Value("commit", verdict, f.Verdict.Commit)
	unknown := p.Value("unknown", verdict, f.Verdict.Unknown)
	profile := p.Value("profile", flowContextStage, f.Context.Profile)

	// Hops.
	big := vgen.Instantiate[maxPorts](m, "u_max", b.largest)
	for i := range c.MaxHops {
		h := vgen.Instantiate[hopPorts](m, fmt.Sprintf("u_hop%d", i), b.hop)
		o.Into(m, b.delta, h.Op)
		vgen.Connect(m, &h.Delta, &r.Delta[i])
		m.AssignIf(h.Start, r.Start)
		m.AssignIf(h.Profile, p.At(profile, b.delta))
		leadRates(b.Tables, &h.TWRate, &h.TWQueue)
		if i == 0 {
			m.Begin(big.Hop[i].Live, hopOut)
		}
		m.Assign(big.Hop[i].Live, h.Live)
		m.Assign(big.Hop[i].U, h.U)
		m.Assign(big.Hop[i].DTS, h.DTS)
		m.Tap(fmt.Sprintf("u_hop%d", i), h.U, hopOut, fmt.Sprintf("u' of hop %d", i))
	}
	m.Ignore(r.Start, "the stage of the operation tells")

	// Average.
	waiting := []lib.Value{profile, kind, status, react, commit, unknown}
	b.Hold("hops", averageStart-1, waiting...) // a register after: the code is decoded at once
	a := vgen.Instantiate[averagePorts](m, "u_average", b.average)
	o.Into(m, averageStart, a.Op)
	m.Assign(a.React, p.At(react, averageStart))
	m.Assign(a.Unknown, p.At(unknown, averageStart))
	m.AssignIf(a.Profile, p.At(profile, averageStart))
	m.Assign(a.UMax, big.U)
	m.Assign(a.Tau, big.Tau)
	m.Assign(a.CWSelect, b.Sets(setU))
	m.Assign(a.CWU, b.write.U)
	vgen.Forward(m, &b.groups.Average, &a.Mem)
	b.Tables.To(tableRTT, 0, &a.TWRTT)
	b.Tables.To(tableInvRTT, 0, &a.TWInvRTT)
	m.Tap("u_max", big.U, averageStart, "largest u' of the path")
	m.Tap("tau", big.Tau, averageStart, "time difference of that hop before min(tau, T)")

	// Window.
	u := p.Value("u", windowStart, a.U)
	b.Hold("average", windowStart-1, waiting...)
	win := vgen.Instantiate[windowPorts](m, "u_window", b.window)
	o.Into(m, windowStart, win.Op)
	m.Assign(win.React, p.At(react, windowStart))
	m.Assign(win.Commit, p.At(commit, windowStart))
	m.Assign(win.Unknown, p.At(unknown, windowStart))
	m.AssignIf(win.Profile, p.At(profile, windowStart))
	m.Assign(win.U, u.Signal)
	b.leadWindow(win)

	// Decision, and the result of a context read.
	b.Hold("window", end-1, kind, status, u)
	b.Decide(end, kind, status, vgen.When(win.Below, code(engine.StatusClampedMin)),
		vgen.When(win.Above, code(engine.StatusClampedMax)))
	d := b.Decision.(*Decision)
	m.Assign(d.U, p.At(u, end))
	m.Assign(d.W, win.Out.W)
	m.Assign(d.Wc, win.Out.Wc)
	m.Assign(d.Rate, win.Rate)
	m.Assign(d.Stage, win.Out.Stage)
	cd := b.Context.(*Context)
	b.Answer(cd.Open, f.Context.Open, flowContextStage)
	b.Answer(cd.HasTelemetry, f.Context.HasTelemetry, flowContextStage)
	b.Answer(cd.Profile, f.Context.Profile, flowContextStage)
	b.Answer(cd.Seq, f.Context.Seq, flowContextStage)
	b.Answer(cd.PathID, f.Context.PathID, flowContextStage)
	b.Answer(cd.Nhop, f.Context.Nhop, flowContextStage)
	b.Answer(cd.Generation, f.Context.Generation, flowContextStage)
	b.Answer(cd.U, u.Signal, windowStart)
	b.Answer(cd.Wc, win.Out.Wc, end)
	b.Answer(cd.W, win.Out.W, end)
	b.Answer(cd.Stage, win.Out.Stage, end)
}

// classify places the blocks that compare an ACK with its stored context.
func (b pipe) classify() (*flowPorts, *recordsPorts) {
	m, o := b.M, b.Op
	f := vgen.Instantiate[flowPorts](m, "u_flow", b.flow)
	r := vgen.Instantiate[recordsPorts](m, "u_records", b.records)
	o.Into(m, 0, f.Op)
	m.AssignIf(f.Generation, b.Generation)
	vgen.Connect(m, &f.Header, &b.event.Header)
	for i, h := range b.event.Hop {
		m.AssignIf(f.Hop[i].LinkID, h.LinkID)
		m.Assign(f.Hop[i].RateCode, h.RateCode)
		to := r.Hop[i]
		m.Assign(to.RateCode, h.RateCode)
		m.Assign(to.TS, h.TS)
		m.Assign(to.Tx, h.Tx)
		m.Assign(to.Qlen, h.Qlen)
	}
	vgen.Forward(m, &b.groups.Flow, &f.Mem)
	m.Begin(r.Valid, 0)
	m.Assign(r.Valid, o.Valid(0))
	m.Assign(r.React, f.Verdict.React)
	m.Assign(r.Store, f.Verdict.Store)
	m.Assign(r.Index, o.Flow(0))
	m.Assign(r.Nhop, b.event.Header.Nhop)
	vgen.Forward(m, &b.groups.Records, &r.Mem)
	m.Assign(f.Stale, r.Stale)
	m.Assign(f.NoTime, r.NoTime)
	m.Assign(f.CWStart, b.Life.Start)
	m.Assign(f.CWClose, b.Life.Close)
	m.Assign(f.CWSetSq, b.Sets(setSeq))
	m.Assign(f.CWSeq, b.write.Seq)
	m.AssignIf(f.CWGen, b.Life.Generation)
	m.AssignIf(f.CWProf, b.write.Profile)
	m.AssignIf(f.CWSetPr, b.Sets(setProfile))
	if !f.CWProf.Exists() {
		m.Ignore(b.Sets(setProfile), "there is one profile")
	}
	b.Tables.To(tableRate, b.c.RateEntryBits()-1, &f.TWKnown)
	leadVerdict(b.c, b.Tables, &f.TWFast, &f.TWRTT)
	return f, r
}

// leadWindow leads context and table writes to the window, and the window to its memory.
func (b pipe) leadWindow(win *windowPorts) {
	m, tw := b.M, b.Tables
	m.Assign(win.CWSetWc, b.Sets(setWc))
	m.Assign(win.CWSetW, b.Sets(setW))
	m.Assign(win.CWSetSt, b.Sets(setStage))
	m.Assign(win.CW.Wc, b.write.Wc)
	m.Assign(win.CW.W, b.write.W)
	m.Assign(win.CW.Stage, b.write.Stage)
	vgen.Forward(m, &b.groups.Window, &win.Mem)
	tw.To(tableInvRTT, 0, &win.TWInvRTT)
	tw.To(tableEta, 0, &win.TWEta)
	tw.To(tableStage, 0, &win.TWStage)
	tw.To(tableWAI, 0, &win.TWWai)
	tw.To(tableWMin, 0, &win.TWWmin)
	tw.To(tableWMax, 0, &win.TWWmax)
}
