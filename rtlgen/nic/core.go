package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// coreResult is the decision on an ACK.
type coreResult struct {
	Flow   vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Kind   vgen.Signal `port:"kind" width:"kind" doc:"0 none, 1 first, 2 update, 3 fast"`
	Status vgen.Signal `port:"status" width:"status" doc:"what was unusual, 0 for nothing"`
	U      vgen.Signal `port:"u" width:"u" doc:"U"`
	W      vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Wc     vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	Rate   vgen.Signal `port:"rate" width:"rate" doc:"pacing rate, bytes a tick"`
	Stage  vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
}

// heldTable is a table write, held while it passes the pipeline.
type heldTable struct {
	Table vgen.Signal `port:"table" width:"table" doc:"table written, held"`
	Index vgen.Signal `port:"index" width:"tindex" doc:"entry written, held"`
	Data  vgen.Signal `port:"data" width:"tdata" doc:"value written, held"`
}

// CorePorts is the fixed port list of hpcc_core. Stage 0 is the cycle in which op_valid is high; behind a
// front the header and the records of an ACK come one cycle later.
type CorePorts struct {
	Op     OpPorts
	Header AckHeader         `port:"s_" dir:"in"`
	Hop    []HopRecord       `port:"s_hop%d_" count:"hops" dir:"in"`
	TW     heldTable         `port:"tw_" dir:"in"`
	CW     ContextWritePorts // held while the write passes the pipeline

	FlowMem   flowMemory    `port:"fc_"`
	RecordMem recordMemory  `port:"rc_"`
	UMem      averageMemory `port:"uc_"`
	WindowMem windowMemory  `port:"wc_"`

	Valid   vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"the decision on an ACK is out"`
	Result  coreResult  `port:"m_" dir:"out"`
	WroteCW vgen.Signal `port:"cw_done" dir:"out" width:"1" doc:"a context write has passed"`
	WroteTW vgen.Signal `port:"tw_done" dir:"out" width:"1" doc:"a table write has passed"`
	Read    vgen.Signal `port:"cd_valid" dir:"out" width:"1" role:"valid" doc:"a context read has passed; its answer is in the cd registers from the next cycle on"`
	Context ContextData `port:"cd_" dir:"out"`
}

// Timing is when the engine does what, in cycles; docs/architecture.md defines each figure.
type Timing struct {
	Latency    int `json:"latency"`
	Interval   int `json:"interval"`
	Hazard     int `json:"hazard"`
	Credits    int `json:"credits"`
	Sweep      int `json:"sweep"`
	InputDepth int `json:"input_depth"`
	Hold       int `json:"hold,omitempty"`
	Count      int `json:"count"`
	Front      int `json:"front"`
	Output     int `json:"output"`
}

// Slotted tells whether input elements are issued from their ports, in cycles that are multiples of the
// interval.
func (t Timing) Slotted() bool { return t.InputDepth == 0 }

// Through is the number of cycles from an ACK in its slice to its decision on m, when neither waits.
func (t Timing) Through() int { return 1 + t.Front + t.Latency + 1 + t.Output }

// Clearing is the number of cycles after reset in which contexts and tables are cleared.
func (t Timing) Clearing() int {
	if t.Slotted() {
		return t.Sweep
	}
	return t.Sweep * t.Interval
}

// coreBlock builds hpcc_core. hazard is the distance, in cycles, that two operations of a flow must
// exceed: the longest way from the reading of a part of the context to its writing.
func coreBlock(c *config.NIC) (m *vgen.Module, hazard int) {
	hop, hopDivider := hopBlock(c)
	quotient := quotientDivider(c)
	interval := max(hopDivider.Interval(), quotient.Interval())
	average, averageAt := averageBlock(c, interval)
	window, windowAt := windowBlock(c, interval, quotient)
	records, recordsAt := recordsBlock(c, payloadStage(interval))
	flow, flowAt := flowBlock(c, interval, recordsAt.verdict)
	largest := maxBlock(c, interval)

	m = vgen.NewModule("hpcc_core", "HPCC++ per-ACK logic: from telemetry and context to context and decision")
	w := widths(c)
	ports := vgen.Ports[CorePorts](m, w)
	p := lib.NewPipe(m)
	o := newOp(p, ports.Op, interval)

	hopOut := recordsAt.delta + hop.Latency()
	averageStart := hopOut + largest.Latency()
	windowStart := averageStart + average.Latency()
	end := windowStart + window.Latency()
	verdict := flow.Latency()
	m.Doc("Stages: context and records from 0, verdict in "+fmt.Sprint(verdict)+fmt.Sprintf(", u' of the hops in %d, U from %d, W from %d, decision in %d.", hopOut, averageStart, windowStart, end),
		"The payloads of context and table writes are held outside until cw_done or tw_done.")
	m.SetTiming(end, interval)

	tw := decodeTable(m, ports.TW, o.dense)
	cw := ports.CW
	if o.dense {
		for _, s := range vgen.Leaves(&cw) {
			*s = m.RegNext(s.Name()+"_held", *s)
		}
	}

	// Classification.
	f := vgen.Instantiate[flowPorts](m, "u_flow", flow)
	r := vgen.Instantiate[recordsPorts](m, "u_records", records)
	o.into(m, 0, f.Op)
	vgen.Connect(m, &f.Header, &ports.Header)
	for i, h := range ports.Hop {
		if f.Hop[i].LinkID.Exists() {
			m.Assign(f.Hop[i].LinkID, h.LinkID)
		}
		m.Assign(f.Hop[i].RateCode, h.RateCode)
		to := r.Hop[i]
		m.Assign(to.RateCode, h.RateCode)
		m.Assign(to.TS, h.TS)
		m.Assign(to.Tx, h.Tx)
		m.Assign(to.Qlen, h.Qlen)
	}
	vgen.Forward(m, &ports.FlowMem, &f.Mem)
	m.Assign(r.Valid, o.validAt(0))
	m.Assign(r.React, f.Verdict.React)
	m.Assign(r.Store, f.Verdict.Store)
	m.Assign(r.Index, p.At(o.index, 0).Trunc(c.FlowBits()))
	m.Assign(r.Nhop, ports.Header.Nhop)
	vgen.Forward(m, &ports.RecordMem, &r.Mem)
	m.Assign(f.Stale, r.Stale)
	m.Assign(f.NoTime, r.NoTime)
	m.Assign(f.CWStart, cw.Mask.Bit(maskStart))
	m.Assign(f.CWClose, cw.Mask.Bit(maskClose))
	m.Assign(f.CWSetSq, cw.Mask.Bit(maskSeq))
	m.Assign(f.CWSeq, cw.Seq)
	if f.CWProf.Exists() {
		m.Assign(f.CWProf, cw.Profile)
		m.Assign(f.CWSetPr, cw.Mask.Bit(maskProfile))
	} else {
		m.Ignore(cw.Mask.Bit(maskProfile), "there is one profile")
	}
	connectTables(m, c, tw, f)

	kind, status := p.Value("kind", verdict, f.Verdict.Kind), p.Value("status", verdict, f.Verdict.Status)
	react, commit := p.Value("react", verdict, f.Verdict.React), p.Value("commit", verdict, f.Verdict.Commit)
	unknown := p.Value("unknown", verdict, f.Verdict.Unknown)
	var profile lib.Value
	if f.Context.Profile.Exists() {
		profile = p.Value("profile", flowContextStage, f.Context.Profile)
	}

	// Hops.
	big := vgen.Instantiate[maxPorts](m, "u_max", largest)
	for i := range c.MaxHops {
		h := vgen.Instantiate[hopPorts](m, fmt.Sprintf("u_hop%d", i), hop)
		o.into(m, recordsAt.delta, h.Op)
		vgen.Connect(m, &h.Delta, &r.Delta[i])
		if h.Start.Exists() {
			m.Assign(h.Start, r.Start)
		}
		if h.Profile.Exists() {
			m.Assign(h.Profile, p.At(profile, recordsAt.delta))
		}
		connectTables(m, c, tw, h)
		m.Assign(big.Hop[i].U, h.U)
		m.Assign(big.Hop[i].DTS, h.DTS)
		m.Tap(fmt.Sprintf("u_hop%d", i), h.U, hopOut, fmt.Sprintf("u' of hop %d", i))
	}
	m.Ignore(r.Start, "the stage of the operation tells")

	// Average.
	waiting := []lib.Value{o.code, o.index, profile, kind, status, react, commit, unknown}
	p.Hold("hops", averageStart-1, waiting...) // a register behind: the code is decoded at once
	a := vgen.Instantiate[averagePorts](m, "u_average", average)
	o.into(m, averageStart, a.Op)
	m.Assign(a.React, p.At(react, averageStart))
	m.Assign(a.Unknown, p.At(unknown, averageStart))
	if a.Profile.Exists() {
		m.Assign(a.Profile, p.At(profile, averageStart))
	}
	m.Assign(a.UMax, big.U)
	m.Assign(a.Tau, big.Tau)
	m.Assign(a.CWSelect, cw.Mask.Bit(maskU))
	m.Assign(a.CWU, cw.U)
	vgen.Forward(m, &ports.UMem, &a.Mem)
	connectTables(m, c, tw, a)
	m.Tap("u_max", big.U, averageStart, "largest u' of the path")
	m.Tap("tau", big.Tau, averageStart, "time difference of that hop before min(tau, T)")

	// Window.
	u := p.Value("u", windowStart, a.U)
	p.Hold("average", windowStart-1, waiting...)
	win := vgen.Instantiate[windowPorts](m, "u_window", window)
	o.into(m, windowStart, win.Op)
	m.Assign(win.React, p.At(react, windowStart))
	m.Assign(win.Commit, p.At(commit, windowStart))
	m.Assign(win.Unknown, p.At(unknown, windowStart))
	if win.Profile.Exists() {
		m.Assign(win.Profile, p.At(profile, windowStart))
	}
	m.Assign(win.U, u.Signal)
	m.Assign(win.CWSetWc, cw.Mask.Bit(maskWc))
	m.Assign(win.CWSetW, cw.Mask.Bit(maskW))
	m.Assign(win.CWSetSt, cw.Mask.Bit(maskStage))
	m.Assign(win.CW.Wc, cw.Wc)
	m.Assign(win.CW.W, cw.W)
	m.Assign(win.CW.Stage, cw.Stage)
	vgen.Forward(m, &ports.WindowMem, &win.Mem)
	connectTables(m, c, tw, win)

	// Decision.
	p.Hold("window", end-1, o.code, o.index, kind, status, u)
	m.Assign(ports.Valid, o.is(opAck, end))
	m.Assign(ports.WroteCW, o.is(opWrite, end))
	m.Assign(ports.WroteTW, o.is(opTable, end))
	m.Assign(ports.Read, o.is(opRead, end))
	code := func(v uint64) vgen.Signal { return vgen.Const(statusBits, v) }
	m.Assign(ports.Result.Status, p.Reg("final_status", end-1, firstOf(p.At(status, end-1),
		choice{win.Below, code(statusClampedMin)}, choice{win.Above, code(statusClampedMax)})).Signal)
	m.Assign(ports.Result.Flow, p.At(o.index, end).Trunc(c.FlowBits()))
	m.Assign(ports.Result.Kind, p.At(kind, end))
	m.Assign(ports.Result.U, p.At(u, end))
	m.Assign(ports.Result.W, win.Out.W)
	m.Assign(ports.Result.Wc, win.Out.Wc)
	m.Assign(ports.Result.Rate, win.Rate)
	m.Assign(ports.Result.Stage, win.Out.Stage)

	// A context read leaves its parts in registers as it passes the memories.
	seen := o.is(opRead, flowContextStage)
	catch := func(name string, s vgen.Signal, when vgen.Signal) vgen.Signal {
		return m.RegNext("read_"+name, s, vgen.Enable(when))
	}
	cd := ports.Context
	m.Assign(cd.Flow, catch("flow", p.At(o.index, flowContextStage).Trunc(c.FlowBits()), seen))
	m.Assign(cd.Open, catch("open", f.Context.Open, seen))
	m.Assign(cd.HasTelemetry, catch("has_telemetry", f.Context.HasTelemetry, seen))
	if cd.Profile.Exists() {
		m.Assign(cd.Profile, catch("profile", f.Context.Profile, seen))
	}
	m.Assign(cd.Seq, catch("seq", f.Context.Seq, seen))
	if cd.PathID.Exists() {
		m.Assign(cd.PathID, catch("path_id", f.Context.PathID, seen))
	}
	m.Assign(cd.Nhop, catch("nhop", f.Context.Nhop, seen))
	m.Assign(cd.U, catch("u", u.Signal, o.is(opRead, windowStart)))
	done := o.is(opRead, end)
	m.Assign(cd.Wc, catch("wc", win.Out.Wc, done))
	m.Assign(cd.W, catch("w", win.Out.W, done))
	m.Assign(cd.Stage, catch("stage", win.Out.Stage, done))

	hazard = max(flowAt.write-flowAt.read, recordsAt.write-recordsAt.read, averageAt.write-averageAt.read, windowAt.write-windowAt.read)
	return m, hazard
}

// hasFront tells whether operations pass a front on their way to the core: where one can come every cycle.
func hasFront(interval int) bool { return interval == 1 }

// payloadStage is the stage at which the payload of an ACK is there.
func payloadStage(interval int) int {
	if hasFront(interval) {
		return 1
	}
	return 0
}

// into connects the operation at stage to a block that starts there.
func (o op) into(m *vgen.Module, stage int, in OpPorts) {
	m.Assign(in.Valid, o.validAt(stage))
	m.Assign(in.Code, o.p.At(o.code, stage))
	m.Assign(in.Index, o.p.At(o.index, stage).Trunc(in.Index.Width()))
}
