package nic

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// flowState is the first word of a flow's context.
type flowState struct {
	Open         vgen.Signal `port:"open" width:"1" doc:"the flow is open"`
	HasTelemetry vgen.Signal `port:"has_telemetry" width:"1" doc:"records are stored"`
	Profile      vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	PathID       vgen.Signal `port:"path_id" width:"path" doc:"path of the stored records"`
	Nhop         vgen.Signal `port:"nhop" width:"nhop" doc:"number of stored records"`
}

type serialFlowPorts struct {
	Phase    vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear    clearing
	Ack      vgen.Signal `port:"op_ack" dir:"in" width:"1" doc:"an ACK passes"`
	Write    vgen.Signal `port:"op_write" dir:"in" width:"1" doc:"a context write passes"`
	Table    vgen.Signal `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index    vgen.Signal `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	TWFast   fastWrite   `port:"tw_fast_" dir:"in"`
	TWRTT    rttWrite    `port:"tw_rtt_" dir:"in"`
	CWStart  vgen.Signal `port:"cw_start" dir:"in" width:"1" doc:"a context write opens the flow, held"`
	CWClose  vgen.Signal `port:"cw_close" dir:"in" width:"1" doc:"a context write closes the flow, held"`
	CWSetPr  vgen.Signal `port:"cw_set_profile" dir:"in" width:"profileset" doc:"a context write sets the profile, held"`
	CWSetSq  vgen.Signal `port:"cw_set_seq" dir:"in" width:"1" doc:"a context write sets lastUpdateSeq, held"`
	CWProf   vgen.Signal `port:"cw_profile" dir:"in" width:"profile" doc:"profile, held"`
	CWSeq    vgen.Signal `port:"cw_seq" dir:"in" width:"seq" doc:"lastUpdateSeq, held"`
	Header   AckHeader   `port:"s_" dir:"in"`
	Stale    vgen.Signal `port:"any_stale" dir:"in" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime   vgen.Signal `port:"no_time" dir:"in" width:"1" doc:"no hop's timestamp has moved"`
	BadRate  vgen.Signal `port:"bad_rate" dir:"in" width:"1" doc:"a hop's rate code is unknown"`
	LinkDiff vgen.Signal `port:"link_differs" dir:"in" width:"link1" doc:"a hop's link is not the stored one"`

	State   flowState   `port:"cd_" dir:"out"`
	Seq     vgen.Signal `port:"cd_seq" dir:"out" width:"seq" doc:"lastUpdateSeq (lastUpdateTime in receiver mode), in stage 2"`
	Verdict flowVerdict
}

// serialFlow builds hpcc_flow: classification of an ACK, whose fields are read at the input port.
func serialFlow(pl *serialPlan) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_flow", "Classification of an ACK against the stored context of its flow")
	m.Doc("docs/numeric.md, table of classification. The context is two words of one memory, lastUpdateSeq and the time of the",
		"last records, and one of another. The word of the flags stays at the memory's output until the next operation.")
	w := pl.widths()
	w["link1"] = min(c.Telemetry.LinkIDBits, 1)
	if !c.CommitByTime {
		w["rtt"], w["rttsel"], w["rttindex"] = 0, 0, 0
	}
	ports := vgen.Ports[serialFlowPorts](m, w)
	ops := pl.operations(m, ports.Phase)
	m.SetTiming(pl.verdict, pl.interval)
	last := pl.verdict - 1

	// Stored context.
	const state, seqOut, timeOut = 2, 2, 3
	fb := c.FlowBits()
	states := newSerialMemory(m, "flow_context", fb, vgen.Pack(&ports.State).Width(), "flags, profile, path")
	stored := vgen.Unpack(&ports.State, states.read("flow_context_q", access{when: ops.at(state - 1), addr: ports.Index}))
	vgen.Connect(m, &ports.State, stored)
	tw := max(seqBits(c), c.ClockBits)
	times := newSerialMemory(m, "flow_times", fb+1, tw, "lastUpdateSeq; time of the stored records")
	time := times.read("flow_times_q", access{when: ops.at(seqOut - 1), addr: vgen.Cat(ports.Index, vgen.Const(1, 0))},
		access{when: ops.at(timeOut - 1), addr: vgen.Cat(ports.Index, vgen.Const(1, 1))})
	seq := time.Trunc(seqBits(c))
	m.Assign(ports.Seq, seq)

	// Is the flow there, is the ACK well formed, does it compare with what is stored?
	head := ports.Header
	take := func(name string, stage int, s vgen.Signal) vgen.Signal { return ops.get(ops.reg(name, stage, s), last) }
	missing := take("missing", state, stored.Open.Not())
	tooMany := take("too_many_hops", state, head.Nhop.Gt(vgen.Const(config.NhopBits, uint64(c.MaxHops))))
	noHops := take("no_hops", state, head.Nhop.AnyBit().Not())
	hasNone := take("has_none", state, stored.HasTelemetry.Not())
	other := head.Nhop.Ne(stored.Nhop)
	if head.PathID.Exists() {
		other = other.Or(head.PathID.Ne(stored.PathID))
	}
	changed := take("other_path", state, other)
	if ports.LinkDiff.Exists() {
		changed = changed.Or(ports.LinkDiff)
	}
	changed = changed.Named("path_changed")
	away := ops.reg("away", timeOut, head.Now.Sub(time.Trunc(c.ClockBits)))
	half := vgen.Const(c.ClockBits, 1<<(c.Telemetry.TSBits-1))
	idle := take("idle", timeOut+1, away.sig.Gt(half))

	fast, rtt := serialReaction(pl, m, ops, ports, stored.Profile)
	var commit vgen.Signal
	if c.CommitByTime {
		since := ops.reg("since_update", seqOut, head.Now.Sub(seq))
		w := max(c.ClockBits, c.RTTBits)
		commit = take("commit", seqOut+1, since.sig.Zext(w).Gt(rtt.Zext(w)))
	} else {
		ahead := ops.reg("ahead", seqOut, head.AckSeq.Sub(seq))
		commit = take("commit", seqOut+1, ahead.sig.AnyBit().And(ahead.sig.Top().Not()))
	}

	// Verdict.
	code := func(v uint64) vgen.Signal { return vgen.Const(statusBits, v) }
	late := commit.Not().And(fast.Not()).Named("no_commit")
	status := firstOf(code(statusOK),
		choice{missing, code(statusRejectedFlow)},
		choice{tooMany, code(statusRejectedHops)},
		choice{noHops, code(statusNoTelemetry)},
		choice{ports.BadRate, code(statusRejectedRate)},
		choice{hasNone, code(statusFirst)},
		choice{changed, code(statusPathChanged)},
		choice{idle, code(statusIdle)},
		choice{ports.Stale, code(statusStale)},
		choice{ports.NoTime, code(statusNoTime)},
		choice{late, code(statusNoCommit)},
	)
	reject := missing.Or(tooMany).Or(noHops).Or(ports.BadRate).Named("reject")
	like := hasNone.Or(changed).Or(idle).Named("first_like")
	begin := reject.Not().And(like).Named("store_only")
	react := reject.Not().And(like.Not()).And(ports.Stale.Or(ports.NoTime).Or(late).Not()).Named("react_now")
	statusQ := ops.reg("status", last, status).sig
	kindQ := ops.reg("kind", last, vgen.Cat(react, begin.Or(react.And(commit.Not())))).sig
	reactQ := ops.flag("react", last, react.And(ports.Ack)).sig
	commitQ := ops.flag("commit_react", last, react.And(commit).And(ports.Ack)).sig
	storeQ := ops.flag("store", last, begin.Or(react).And(ports.Ack)).sig
	renewQ := ops.flag("renew", last, begin.Or(react.And(commit)).And(ports.Ack)).sig
	unknownQ := ops.flag("unknown", last, missing.And(ports.Ack)).sig
	m.Assign(ports.Verdict.Status, statusQ)
	m.Assign(ports.Verdict.Kind, kindQ)
	m.Assign(ports.Verdict.React, reactQ)
	m.Assign(ports.Verdict.Commit, commitQ)
	m.Assign(ports.Verdict.Store, storeQ)
	m.Assign(ports.Verdict.Unknown, unknownQ)

	// Write back.
	write := ifInRange(ports.Write, ports.Index, c.Flows).Named("write_context")
	start, stop := write.And(ports.CWStart).Named("start"), write.And(ports.CWClose).Named("stop")
	next := vgen.Clone(stored)
	next.Open = stored.Open.Or(start).And(stop.Not())
	next.HasTelemetry = stored.HasTelemetry.Or(storeQ).And(start.Or(stop).Not())
	next.Nhop = vgen.Mux(storeQ, head.Nhop, stored.Nhop)
	if stored.Profile.Exists() {
		next.Profile = vgen.Mux(write.And(ports.CWSetPr), ports.CWProf, stored.Profile)
	}
	if stored.PathID.Exists() {
		next.PathID = vgen.Mux(storeQ, head.PathID, stored.PathID)
	}
	at, then := ops.at(pl.verdict), ops.at(pl.verdict+1)
	states.write(ports.Clear, access{at.And(storeQ.Or(write)), ports.Index, vgen.Pack(next)})
	mark := head.SndNxt
	if c.CommitByTime {
		mark = head.Now
	}
	times.write(ports.Clear,
		access{at.And(renewQ.Or(write.And(ports.CWSetSq))), vgen.Cat(ports.Index, vgen.Const(1, 0)), vgen.Mux(renewQ, mark, ports.CWSeq).Zext(tw)},
		access{then.And(storeQ), vgen.Cat(ports.Index, vgen.Const(1, 1)), head.Now.Zext(tw)})
	return m
}

// serialReaction holds what commits depend on for each profile: fast reaction and, in receiver mode, T.
func serialReaction(pl *serialPlan, m *vgen.Module, ops *holder, ports *serialFlowPorts, profile vgen.Signal) (fast, rtt vgen.Signal) {
	const read = 2 // the profile is there
	c := pl.c
	entry := func(name, doc string, sel, index, data vgen.Signal) vgen.Signal {
		write := ops.at(pl.verdict).And(ports.Table).And(sel).Named(name + "_write")
		if c.Profiles == 1 {
			clear := ports.Clear.Now
			return m.RegNext(name+"_entry", data.And(clear.Not().Repeat(data.Width())), vgen.Enable(write.Or(clear)))
		}
		mem := newSerialMemory(m, name+"_table", c.ProfileBits(), data.Width(), doc)
		mem.write(ports.Clear, access{write, index, data})
		return mem.read(name+"_q", access{when: ops.at(read), addr: profile})
	}
	fast = entry("fast", "fast reaction of each profile", ports.TWFast.Select, ports.TWFast.Index, ports.TWFast.Data)
	if c.CommitByTime {
		rtt = entry("rtt", "T of each profile", ports.TWRTT.Select, ports.TWRTT.Index, ports.TWRTT.Data)
	}
	return fast, rtt
}
