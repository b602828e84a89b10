package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// serialCorePorts is the fixed port list of hpcc_core in serial order. Stage 0 is the cycle of issue; the
// payloads are those of the input ports, whose elements stay there until the last look at them.
type serialCorePorts struct {
	Phase  vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear  clearing
	Op     serialOp          `port:"" dir:"in"`
	Header AckHeader         `port:"s_" dir:"in"`
	Hop    []HopRecord       `port:"s_hop%d_" count:"hops" dir:"in"`
	TW     heldTable         `port:"tw_" dir:"in"`
	CW     ContextWritePorts // held while the write passes

	VerdictOut vgen.Signal `port:"verdict_valid" dir:"out" width:"1" role:"valid" doc:"the verdict on an ACK is out"`
	Verdict    verdictPart `port:"verdict_" dir:"out"`
	AverageOut vgen.Signal `port:"average_valid" dir:"out" width:"1" role:"valid" doc:"U after an ACK is out"`
	Average    averagePart `port:"average_" dir:"out"`
	WindowOut  vgen.Signal `port:"window_valid" dir:"out" width:"1" role:"valid" doc:"W after an ACK is out"`
	Window     windowPart  `port:"window_" dir:"out"`
	RateOut    vgen.Signal `port:"rate_valid" dir:"out" width:"1" role:"valid" doc:"R after an ACK is out: the decision is complete"`
	Rate       ratePart    `port:"rate_" dir:"out"`
	WroteCW    vgen.Signal `port:"cw_done" dir:"out" width:"1" doc:"a context write passes its last stage but one"`
	WroteTW    vgen.Signal `port:"tw_done" dir:"out" width:"1" doc:"a table write passes its last stage but one"`
	Read       vgen.Signal `port:"cd_valid" dir:"out" width:"1" role:"valid" doc:"a context read has passed; its answer is in the cd registers from the next cycle on"`
	Context    ContextData `port:"cd_" dir:"out"`
}

// serialCore builds hpcc_core for one lane. The memories are inside: their words are shared by stages that
// the plan keeps apart.
func serialCore(pl *serialPlan) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_core", "HPCC++ per-ACK logic: from telemetry and context to context and decision, one hop after the other")
	m.Doc(fmt.Sprintf("Operations are issued in cycles that are multiples of %d apart, hops follow each other every %d cycles.", pl.interval, pl.gap),
		fmt.Sprintf("Stages: verdict in %d, u' of the first hop in %d, largest u' in %d, U in %d, W in %d, R in %d.",
			pl.verdict, pl.hopOut+1, pl.average, pl.window, pl.decide, pl.end))
	w := pl.widths()
	ports := vgen.Ports[serialCorePorts](m, w)
	ops := pl.operations(m, ports.Phase)
	m.SetTiming(pl.end, pl.interval)
	n := pl.interval

	control := func(name string, s vgen.Signal) *held { return &held{name: name, sig: s, from: 1, to: n, reset: true} }
	isAck, isRead, isWrite, isTable := control("is_ack", ports.Op.Ack), control("is_read", ports.Op.Read), control("is_write", ports.Op.Write), control("is_table", ports.Op.Table)
	index := ops.value("op_index", ports.Op.Index, 1, n)

	flow := vgen.Instantiate[serialFlowPorts](m, "u_flow", serialFlow(pl))
	rec := vgen.Instantiate[serialRecordsPorts](m, "u_records", serialRecords(pl))
	hop := vgen.Instantiate[serialHopPorts](m, "u_hop", serialHop(pl))
	big := vgen.Instantiate[serialMaxPorts](m, "u_max", serialMax(pl))
	avg := vgen.Instantiate[serialAveragePorts](m, "u_average", serialAverage(pl))
	win := vgen.Instantiate[serialWindowPorts](m, "u_window", serialWindow(pl))
	for _, p := range []vgen.Signal{flow.Phase, rec.Phase, hop.Phase, big.Phase, avg.Phase, win.Phase} {
		m.Assign(p, ports.Phase)
	}
	for _, cl := range []*clearing{&flow.Clear, &hop.Clear, &avg.Clear, &win.Clear} {
		vgen.Connect(m, cl, &ports.Clear)
	}

	// Classification.
	m.Assign(flow.Ack, ports.Op.Ack)
	m.Assign(flow.Write, ports.Op.Write)
	m.Assign(flow.Table, ports.Op.Table)
	m.Assign(flow.Index, ports.Op.Index)
	vgen.Connect(m, &flow.Header, &ports.Header)
	m.Assign(flow.CWStart, ports.CW.Mask.Bit(maskStart))
	m.Assign(flow.CWClose, ports.CW.Mask.Bit(maskClose))
	m.Assign(flow.CWSetSq, ports.CW.Mask.Bit(maskSeq))
	m.Assign(flow.CWSeq, ports.CW.Seq)
	if flow.CWProf.Exists() {
		m.Assign(flow.CWProf, ports.CW.Profile)
		m.Assign(flow.CWSetPr, ports.CW.Mask.Bit(maskProfile))
	} else {
		m.Ignore(ports.CW.Mask.Bit(maskProfile), "there is one profile")
	}
	tw := decodeTable(m, ports.TW, false)
	connectTables(m, c, tw, flow)
	m.Assign(rec.Table, ports.Op.Table)
	m.Assign(rec.Index, ports.Op.Index)
	m.Assign(rec.Nhop, ports.Header.Nhop)
	for i := range ports.Hop {
		vgen.Connect(m, &rec.Hop[i], &ports.Hop[i])
	}
	connectTables(m, c, tw, rec)
	m.Assign(flow.Stale, rec.Stale)
	m.Assign(flow.NoTime, rec.NoTime)
	m.Assign(flow.BadRate, rec.BadRate)
	if flow.LinkDiff.Exists() {
		m.Assign(flow.LinkDiff, rec.LinkDiff)
	}
	m.Assign(rec.React, flow.Verdict.React)
	m.Assign(rec.Store, flow.Verdict.Store)
	v := pl.verdict
	verdict := func(name string, s vgen.Signal) *held {
		return &held{name: name, sig: s, from: v, to: v + n - 1, reset: true}
	}
	react, commit, unknown := verdict("react", flow.Verdict.React), verdict("commit", flow.Verdict.Commit), verdict("unknown", flow.Verdict.Unknown)
	profile := ops.value("profile", flow.State.Profile, 2, n+1)
	m.Assign(ports.VerdictOut, ops.at(v).And(ops.get(isAck, v)))
	m.Assign(ports.Verdict.Flow, ops.get(index, v))
	m.Assign(ports.Verdict.Kind, flow.Verdict.Kind)
	m.Assign(ports.Verdict.Status, flow.Verdict.Status)

	// Hops.
	vgen.Connect(m, &hop.Delta, &rec.Delta)
	m.Assign(hop.Table, ports.Op.Table)
	connectTables(m, c, tw, hop)
	if hop.Profile.Exists() {
		m.Assign(hop.Profile, flow.State.Profile)
	}
	m.Assign(big.U, hop.U)
	m.Assign(big.DTS, hop.DTS)
	for j := range c.MaxHops {
		m.Tap(fmt.Sprintf("u_hop%d", j), hop.U, pl.hopOut+1+j*pl.gap, fmt.Sprintf("u' of hop %d", j))
	}

	// Average.
	s := pl.average
	m.Assign(avg.Ack, ops.get(isAck, s))
	m.Assign(avg.Write, ops.get(isWrite, s))
	m.Assign(avg.Table, ops.get(isTable, s))
	m.Assign(avg.Index, ops.get(index, s))
	m.Assign(avg.React, ops.get(react, s))
	if avg.Profile.Exists() {
		m.Assign(avg.Profile, ops.get(profile, s))
	}
	vgen.Connect(m, &avg.TW, &ports.TW)
	m.Assign(avg.CWSelect, ports.CW.Mask.Bit(maskU))
	m.Assign(avg.CWU, ports.CW.U)
	m.Assign(avg.UMax, big.UMax)
	m.Assign(avg.Tau, big.Tau)
	m.Tap("u_max", big.UMax, s, "largest u' of the path")
	m.Tap("tau", big.Tau, s, "time difference of that hop before min(tau, T)")

	// Window.
	s = pl.window
	m.Assign(win.Ack, ops.get(isAck, s))
	m.Assign(win.Write, ops.get(isWrite, s))
	m.Assign(win.Table, ops.get(isTable, s))
	m.Assign(win.Index, ops.get(index, s))
	m.Assign(win.React, ops.get(react, s))
	m.Assign(win.Commit, ops.get(commit, s))
	m.Assign(win.Unknown, ops.get(unknown, s))
	if win.Profile.Exists() {
		m.Assign(win.Profile, ops.get(profile, s-1))
	}
	vgen.Connect(m, &win.TW, &ports.TW)
	m.Assign(win.CWSetWc, ports.CW.Mask.Bit(maskWc))
	m.Assign(win.CWSetW, ports.CW.Mask.Bit(maskW))
	m.Assign(win.CWSetSt, ports.CW.Mask.Bit(maskStage))
	m.Assign(win.CW.Wc, ports.CW.Wc)
	m.Assign(win.CW.W, ports.CW.W)
	m.Assign(win.CW.Stage, ports.CW.Stage)
	m.Assign(win.U, avg.U)

	// Decision.
	u := avg.U.And(ops.get(unknown, s).Not().Repeat(avg.U.Width()))
	m.Assign(ports.AverageOut, ops.at(s).And(ops.get(isAck, s)))
	m.Assign(ports.Average.U, u)
	m.Assign(ports.WindowOut, ops.at(pl.decide).And(ops.get(isAck, pl.decide)))
	m.Assign(ports.Window.W, win.Out.W)
	m.Assign(ports.Window.Wc, win.Out.Wc)
	m.Assign(ports.Window.Stage, win.Out.Stage)
	m.Assign(ports.Window.Below, win.Below)
	m.Assign(ports.Window.Above, win.Above)
	end := pl.end
	m.Assign(ports.RateOut, ops.at(end).And(ops.get(isAck, end)))
	m.Assign(ports.Rate.Rate, win.Rate)
	m.Assign(ports.WroteCW, ops.at(end-1).And(ops.get(isWrite, end-1)))
	m.Assign(ports.WroteTW, ops.at(end-1).And(ops.get(isTable, end-1)))
	m.Assign(ports.Read, ops.at(end).And(ops.get(isRead, end)))

	// A context read leaves its parts in registers as it passes.
	catch := func(name string, stage int, s vgen.Signal) vgen.Signal {
		return m.RegNext("read_"+name, s, vgen.Enable(ops.at(stage).And(ops.get(isRead, stage))))
	}
	cd := ports.Context
	m.Assign(cd.Flow, catch("flow", 2, ops.get(index, 2)))
	m.Assign(cd.Open, catch("open", 2, flow.State.Open))
	m.Assign(cd.HasTelemetry, catch("has_telemetry", 2, flow.State.HasTelemetry))
	if cd.Profile.Exists() {
		m.Assign(cd.Profile, catch("profile", 2, flow.State.Profile))
	}
	m.Assign(cd.Seq, catch("seq", 2, flow.Seq))
	if cd.PathID.Exists() {
		m.Assign(cd.PathID, catch("path_id", 2, flow.State.PathID))
	}
	m.Assign(cd.Nhop, catch("nhop", 2, flow.State.Nhop))
	m.Assign(cd.U, catch("u", s, avg.U))
	m.Assign(cd.Wc, catch("wc", pl.decide, win.Out.Wc))
	m.Assign(cd.W, catch("w", pl.decide, win.Out.W))
	m.Assign(cd.Stage, catch("stage", pl.decide, win.Out.Stage))
	return m
}
