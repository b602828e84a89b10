package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// build builds hpcc_core for one lane.
func (pl *serialPlan) build(k *engine.SlotCore) {
	c, m, n := pl.c, k.M, pl.interval
	event, write, out := k.Event.(*Event), k.Write.(*HeldWrite), k.Parts.(*parts)
	m.Doc(
		fmt.Sprintf(
			"Operations are issued in cycles that are multiples of %d apart, hops follow each other every %d cycles.",
			pl.interval, pl.gap),
		fmt.Sprintf("Stages: verdict in %d, u' of the first hop in %d, largest u' in %d, U in %d, W in %d, R in %d.",
			pl.verdict, pl.hopOut+1, pl.average, pl.window, pl.decide, pl.end))
	flow := vgen.Instantiate[serialFlowPorts](m, "u_flow", serialFlow(pl))
	rec := vgen.Instantiate[serialRecordsPorts](m, "u_records", serialRecords(pl))
	hop := vgen.Instantiate[serialHopPorts](m, "u_hop", serialHop(pl))
	big := vgen.Instantiate[serialMaxPorts](m, "u_max", serialMax(pl))
	avg := vgen.Instantiate[serialAveragePorts](m, "u_average", serialAverage(pl))
	win := vgen.Instantiate[serialWindowPorts](m, "u_window", serialWindow(pl))
	for _, p := range []vgen.Signal{flow.Phase, rec.Phase, hop.Phase, big.Phase, avg.Phase, win.Phase} {
		m.Assign(p, k.Phase)
	}
	for _, cl := range []*engine.Clearing{&flow.Clear, &hop.Clear, &avg.Clear, &win.Clear} {
		vgen.Connect(m, cl, k.Clear)
	}

	m.Section("Classification")
	m.Assign(flow.Ack, k.Op.Ack)
	m.Assign(flow.Taken, k.Op.Taken)
	m.Assign(flow.Write, k.Op.Write)
	m.Assign(flow.Table, k.Op.Table)
	m.Assign(flow.Index, k.Op.Index)
	m.AssignIf(flow.Generation, k.Generation)
	vgen.Connect(m, &flow.Header, &event.Header)
	m.Assign(flow.CWStart, k.Life.Start)
	m.Assign(flow.CWClose, k.Life.Close)
	m.Assign(flow.CWSetSq, k.Sets(setSeq))
	m.Assign(flow.CWSeq, write.Seq)
	m.AssignIf(flow.CWGen, k.Life.Generation)
	m.AssignIf(flow.CWProf, write.Profile)
	m.AssignIf(flow.CWSetPr, k.Sets(setProfile))
	if !flow.CWProf.Exists() {
		m.Ignore(k.Sets(setProfile), "there is one profile")
	}
	tw := k.Tables()
	leadVerdict(c, tw, &flow.TWFast, &flow.TWRTT)
	m.Assign(rec.Table, k.Op.Table)
	m.Assign(rec.Index, k.Op.Index)
	m.Assign(rec.Nhop, event.Header.Nhop)
	for i := range event.Hop {
		vgen.Connect(m, &rec.Hop[i], &event.Hop[i])
	}
	tw.To(tableRate, c.RateEntryBits()-1, &rec.TW)
	m.Assign(flow.Stale, rec.Stale)
	m.Assign(flow.NoTime, rec.NoTime)
	m.Assign(flow.BadRate, rec.BadRate)
	m.AssignIf(flow.LinkDiff, rec.LinkDiff)
	m.Assign(rec.React, flow.Verdict.React)
	// After the cycle of its transfer, an operation that has not been withdrawn is transferred.
	m.Assign(rec.Store, flow.Verdict.Store.And(k.Op.Ack).Named("store_records"))
	v := pl.verdict
	verdict := func(name string, s vgen.Signal) *engine.Held { return k.Control(name, s, v, v+n-1) }
	react, commit, unknown := verdict("react", flow.Verdict.React), verdict("commit", flow.Verdict.Commit),
		verdict("unknown", flow.Verdict.Unknown)
	profile := k.Value("profile", flow.State.Profile, 2, n+1)
	k.Decide(flow.Verdict.Kind, flow.Verdict.Status)

	m.Section("Hops")
	vgen.Connect(m, &hop.Delta, &rec.Delta)
	m.Assign(hop.Table, k.Op.Table)
	leadRates(tw, &hop.TWRate, &hop.TWQueue)
	m.AssignIf(hop.Profile, flow.State.Profile)
	m.Assign(big.Live, hop.Live)
	m.Assign(big.U, hop.U)
	m.Assign(big.DTS, hop.DTS)
	for j := range c.MaxHops {
		m.Tap(fmt.Sprintf("u_hop%d", j), hop.U, pl.hopOut+1+j*pl.gap, fmt.Sprintf("u' of hop %d", j))
	}

	m.Section("Average")
	s := pl.average
	m.Assign(avg.Ack, k.Get(k.IsAck, s))
	m.Assign(avg.Write, k.Get(k.IsWrite, s))
	m.Assign(avg.Table, k.Get(k.IsTable, s))
	m.Assign(avg.Index, k.Get(k.Index, s))
	m.Assign(avg.React, k.Get(react, s))
	m.AssignIf(avg.Profile, k.Get(profile, s))
	vgen.Connect(m, &avg.TW, k.Table)
	m.Assign(avg.CWSelect, k.Sets(setU))
	m.Assign(avg.CWU, write.U)
	m.Assign(avg.UMax, big.UMax)
	m.Assign(avg.Tau, big.Tau)
	m.Tap("u_max", big.UMax, s, "largest u' of the path")
	m.Tap("tau", big.Tau, s, "time difference of that hop before min(tau, T)")

	m.Section("Window")
	s = pl.window
	m.Assign(win.Ack, k.Get(k.IsAck, s))
	m.Assign(win.Write, k.Get(k.IsWrite, s))
	m.Assign(win.Table, k.Get(k.IsTable, s))
	m.Assign(win.Index, k.Get(k.Index, s))
	m.Assign(win.React, k.Get(react, s))
	m.Assign(win.Commit, k.Get(commit, s))
	m.Assign(win.Unknown, k.Get(unknown, s))
	m.AssignIf(win.Profile, k.Get(profile, s-1))
	vgen.Connect(m, &win.TW, k.Table)
	m.Assign(win.CWSetWc, k.Sets(setWc))
	m.Assign(win.CWSetW, k.Sets(setW))
	m.Assign(win.CWSetSt, k.Sets(setStage))
	m.Assign(win.CW.Wc, write.Wc)
	m.Assign(win.CW.W, write.W)
	m.Assign(win.CW.Stage, write.Stage)
	m.Assign(win.U, avg.U)

	m.Section("Decision")
	u := avg.U.Where(k.Get(unknown, s).Not())
	m.Assign(out.AverageOut, k.At(s).And(k.Get(k.IsAck, s)))
	m.Assign(out.Average.U, u)
	m.Assign(out.WindowOut, k.At(pl.decide).And(k.Get(k.IsAck, pl.decide)))
	m.Assign(out.Window.W, win.Out.W)
	m.Assign(out.Window.Wc, win.Out.Wc)
	m.Assign(out.Window.Stage, win.Out.Stage)
	m.Assign(out.Window.Below, win.Below)
	m.Assign(out.Window.Above, win.Above)
	end := pl.end
	m.Assign(out.RateOut, k.At(end).And(k.Get(k.IsAck, end)))
	m.Assign(out.Rate.Rate, win.Rate)
	k.End()

	m.Section("Answer to a context read: its parts, as they pass")
	cd := k.Context.(*Context)
	k.Answer(cd.Open, flow.State.Open, 2)
	k.Answer(cd.HasTelemetry, flow.State.HasTelemetry, 2)
	k.Answer(cd.Profile, flow.State.Profile, 2)
	if seq := flow.Mark.Trunc(min(seqBits(c), flow.Mark.Width())); c.CommitByTime {
		high := k.Catch("seq_high", flow.Mark.Trunc(c.ClockBits-seq.Width()), 3)
		m.Assign(cd.Seq, vgen.Cat(high, k.Catch("seq", seq, 2)))
	} else {
		k.Answer(cd.Seq, seq, 2)
	}
	k.Answer(cd.PathID, flow.State.PathID, 2)
	k.Answer(cd.Nhop, flow.State.Nhop, 2)
	k.Answer(cd.Generation, flow.State.Generation, 2)
	k.Answer(cd.U, avg.U, s)
	k.Answer(cd.Wc, win.Out.Wc, pl.decide)
	k.Answer(cd.W, win.Out.W, pl.decide)
	k.Answer(cd.Stage, win.Out.Stage, pl.decide)
}
