package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// flowState is the first word of a flow's context.
type flowState struct {
	Open         vgen.Signal `port:"open" width:"1" doc:"the flow is open"`
	HasTelemetry vgen.Signal `port:"has_telemetry" width:"1" doc:"records are stored"`
	Profile      vgen.Signal `port:"profile" width:"profile" doc:"profile of the flow"`
	PathID       vgen.Signal `port:"path_id" width:"path" doc:"path of the stored records"`
	Nhop         vgen.Signal `port:"nhop" width:"nhop" doc:"number of stored records"`
	Generation   vgen.Signal `port:"generation" width:"generation" doc:"generation of the flow"`
}

type serialFlowPorts struct {
	Phase      vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear      engine.Clearing
	Ack        vgen.Signal `port:"op_ack" dir:"in" width:"1" doc:"an ACK passes"`
	Taken      vgen.Signal `port:"s_taken" dir:"in" width:"1" doc:"the ACK is transferred, in the stage of the verdict"`
	Write      vgen.Signal `port:"op_write" dir:"in" width:"1" doc:"a context write passes"`
	Table      vgen.Signal `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index      vgen.Signal `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	TWFast     fastWrite   `port:"tw_fast_" dir:"in"`
	TWRTT      rttWrite    `port:"tw_rtt_" dir:"in"`
	CWStart    vgen.Signal `port:"cw_start" dir:"in" width:"1" doc:"a context write opens the flow, held"`
	CWClose    vgen.Signal `port:"cw_close" dir:"in" width:"1" doc:"a context write closes the flow, held"`
	CWSetPr    vgen.Signal `port:"cw_set_profile" dir:"in" width:"profileset" doc:"a context write sets the profile, held"`
	CWSetSq    vgen.Signal `port:"cw_set_seq" dir:"in" width:"1" doc:"a context write sets lastUpdateSeq, held"`
	CWProf     vgen.Signal `port:"cw_profile" dir:"in" width:"profile" doc:"profile, held"`
	CWSeq      vgen.Signal `port:"cw_seq" dir:"in" width:"seq" doc:"lastUpdateSeq, held"`
	CWGen      vgen.Signal `port:"cw_generation" dir:"in" width:"generation" doc:"generation that a start begins, held"`
	Generation vgen.Signal `port:"s_generation" dir:"in" width:"generation" doc:"generation of the flow that the ACK belongs to"`
	Header     AckHeader   `port:"s_" dir:"in"`
	Stale      vgen.Signal `port:"any_stale" dir:"in" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime     vgen.Signal `port:"no_time" dir:"in" width:"1" doc:"no hop's timestamp has moved"`
	BadRate    vgen.Signal `port:"bad_rate" dir:"in" width:"1" doc:"a hop's rate code is unknown"`
	LinkDiff   vgen.Signal `port:"link_differs" dir:"in" width:"link1" doc:"a hop's link is not the stored one"`

	State   flowState   `port:"cd_" dir:"out"`
	Mark    vgen.Signal `port:"cd_mark" dir:"out" width:"timeword" doc:"lastUpdateSeq, in stage 2; lastUpdateTime in receiver mode, in stages 2 and 3, the low half first"`
	Verdict flowVerdict
}

// serialFlow builds hpcc_flow: classification of an ACK, whose fields are read at the input port.
func serialFlow(pl *serialPlan) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_flow", "Classification of an ACK against the stored context of its flow")
	m.Doc(
		"docs/numeric.md, table of classification. The context is two words of one memory, lastUpdateSeq and the time of the",
		"last records, and one of another. The word of the flags stays at the memory's output until the next operation.")
	w := pl.widths()
	w["link1"] = min(c.Telemetry.LinkIDBits, 1)
	if !c.CommitByTime {
		w["rtt"], w["rttsel"], w["rttindex"] = 0, 0, 0
	}
	ports := vgen.Ports[serialFlowPorts](m, w)
	ops := engine.NewSlots(m, ports.Phase)
	m.SetTiming(pl.verdict, pl.interval)
	last := pl.verdict - 1

	m.Section("Stored context")
	const state, markOut = 2, 2
	fb := c.FlowBits()
	states := engine.NewSlotMemory(m, "flow_context", fb, vgen.Pack(&ports.State).Width(), "flags, profile, path")
	stored := vgen.Unpack(&ports.State, states.Read("flow_context_q", engine.ReadAt(ops.At(state-1), ports.Index)))
	vgen.Connect(m, &ports.State, stored)
	lay := timesOf(c)
	times := engine.NewSlotMemory(m, "flow_times", fb+lay.bits, lay.width, "lastUpdateSeq; time of the stored records")
	word := func(n int) vgen.Signal { return vgen.Cat(ports.Index, vgen.Const(lay.bits, uint64(n))) }
	held := func(half int) vgen.Signal { return vgen.Const(fb+lay.bits, uint64(half<<lay.bits|lay.held)) }
	var reads []engine.Access
	for i := range lay.held {
		reads = append(reads, engine.ReadAt(ops.At(markOut-1+i), word(i)))
	}
	for i := range lay.writes {
		reads = append(reads, engine.ReadAt(ops.At(pl.verdict+i), held(i%2)))
	}
	time := times.Read("flow_times_q", reads...)
	m.Assign(ports.Mark, time)

	m.Section("Comparison of the ACK with the context")
	head := ports.Header
	take := func(name string, stage int, s vgen.Signal) vgen.Signal { return ops.Get(ops.Reg(name, stage, s), last) }
	missing := take("missing", state, engine.Closed(stored.Open, ports.Generation, stored.Generation))
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
	// What a clock says is compared half by half; a half that comes later takes the borrow of the one before.
	since := func(name string, first int) vgen.Signal {
		low := ops.Reg(name+"_low", first, head.Now.Trunc(lay.width).Zext(lay.width+1).Sub(time.Zext(lay.width+1)))
		upper := head.Now.Slice(c.ClockBits-1, lay.width)
		minus := time.Trunc(upper.Width()).Not()
		high := ops.Reg(name+"_high", first+1, lib.AddCarry(name+"_upper", upper, minus, low.Sig.Top().Not()))
		return vgen.Cat(high.Sig, low.Sig.Trunc(lay.width)).Named(name)
	}
	timeOut := markOut + lay.marks
	away := since("away", timeOut)
	ts := c.Telemetry.TSBits
	idle := take("idle", timeOut+2, away.Slice(c.ClockBits-1, ts).AnyBit().Or(aboveHalf(away.Trunc(ts))))

	fast, rtt := serialReaction(pl, m, ops, ports, stored.Profile)
	var commit vgen.Signal
	if c.CommitByTime {
		w := max(c.ClockBits, c.RTTBits)
		commit = take("commit", markOut+2, since("since_update", markOut).Zext(w).Gt(rtt.Zext(w)))
	} else {
		ahead := ops.Reg("ahead", markOut, head.AckSeq.Sub(time.Trunc(c.SeqBits)))
		commit = take("commit", markOut+1, ahead.Sig.AnyBit().And(ahead.Sig.Top().Not()))
	}

	m.Section("Verdict")
	late := commit.Not().And(fast.Not()).Named("no_commit")
	status := vgen.FirstOf(code(engine.StatusOK),
		vgen.When(missing, code(engine.StatusRejectedFlow)),
		vgen.When(tooMany, code(engine.StatusRejectedHops)),
		vgen.When(noHops, code(engine.StatusNoTelemetry)),
		vgen.When(ports.BadRate, code(engine.StatusRejectedRate)),
		vgen.When(hasNone, code(engine.StatusFirst)),
		vgen.When(changed, code(engine.StatusPathChanged)),
		vgen.When(idle, code(engine.StatusIdle)),
		vgen.When(ports.Stale, code(engine.StatusStale)),
		vgen.When(ports.NoTime, code(engine.StatusNoTime)),
		vgen.When(late, code(engine.StatusNoCommit)),
	)
	reject := missing.Or(tooMany).Or(noHops).Or(ports.BadRate).Named("reject")
	like := hasNone.Or(changed).Or(idle).Named("first_like")
	begin := reject.Not().And(like).Named("store_only")
	react := reject.Not().And(like.Not()).And(ports.Stale.Or(ports.NoTime).Or(late).Not()).Named("react_now")
	statusQ := ops.Reg("status", last, status).Sig
	kindQ := ops.Reg("kind", last, vgen.Cat(react, begin.Or(react.And(commit.Not())))).Sig
	reactQ := ops.Flag("react", last, react.And(ports.Ack)).Sig
	commitQ := ops.Flag("commit_react", last, react.And(commit).And(ports.Ack)).Sig
	storeQ := ops.Flag("store", last, begin.Or(react).And(ports.Ack)).Sig
	renewQ := ops.Flag("renew", last, begin.Or(react.And(commit)).And(ports.Ack)).Sig
	unknownQ := ops.Flag("unknown", last, missing.And(ports.Ack)).Sig
	m.Assign(ports.Verdict.Status, statusQ)
	m.Assign(ports.Verdict.Kind, kindQ)
	m.Assign(ports.Verdict.React, reactQ)
	m.Assign(ports.Verdict.Commit, commitQ)
	m.Assign(ports.Verdict.Store, storeQ)
	m.Assign(ports.Verdict.Unknown, unknownQ)

	m.Section("Write back")
	write := engine.InRange(ports.Write, ports.Index, c.Flows).Named("write_context")
	start, stop := write.And(ports.CWStart).Named("start"), write.And(ports.CWClose).Named("stop")
	life := engine.LifeWrite{Start: start, Close: stop, Generation: ports.CWGen}
	next := vgen.Clone(stored)
	next.Open = life.Open(stored.Open)
	next.HasTelemetry = stored.HasTelemetry.Or(storeQ).And(start.Or(stop).Not())
	next.Nhop = vgen.Mux(storeQ, head.Nhop, stored.Nhop)
	if stored.Profile.Exists() {
		next.Profile = vgen.Mux(write.And(ports.CWSetPr), ports.CWProf, stored.Profile)
	}
	if stored.PathID.Exists() {
		next.PathID = vgen.Mux(storeQ, head.PathID, stored.PathID)
	}
	if stored.Generation.Exists() {
		next.Generation = life.Renew(stored.Generation)
	}
	at := ops.At(pl.verdict)
	states.Write(ports.Clear, engine.WriteAt(at.And(storeQ.And(ports.Taken).Or(write)), ports.Index, vgen.Pack(next)))

	// The sequence number is written while the ACK is transferred; its time, from where it has been held, after that.
	setMark := write.And(ports.CWSetSq).Named("set_mark")
	writes := []engine.Access{
		engine.WriteAt(ops.At(timeOut+2), held(0), head.Now.Trunc(lay.width)),
		engine.WriteAt(ops.At(timeOut+3), held(1), head.Now.Slice(c.ClockBits-1, lay.width).Zext(lay.width)),
	}
	if c.CommitByTime {
		writes = append(writes, engine.WriteAt(at.And(setMark).Named("write_mark_low"), word(0),
			ports.CWSeq.Trunc(lay.width)))
	} else {
		seq := vgen.Mux(renewQ, head.SndNxt, ports.CWSeq).Zext(lay.width)
		writes = append(writes, engine.WriteAt(at.And(renewQ.And(ports.Taken).Or(setMark)).Named("write_seq"), word(0), seq))
	}
	if c.CommitByTime { // a context write is done at the last of these stages, where no ACK is
		last := pl.verdict + len(lay.writes)
		upper := ports.CWSeq.Slice(c.ClockBits-1, lay.width).Zext(lay.width)
		writes = append(writes, engine.WriteAt(ops.At(last).And(setMark).Named("write_mark_high"), word(1), upper))
	}
	for i, n := range lay.writes {
		sets := storeQ
		if n < lay.marks {
			sets = renewQ
		}
		when := ops.At(pl.verdict + 1 + i).And(sets).And(ports.Ack).Named(fmt.Sprintf("write_word%d", n))
		writes = append(writes, engine.WriteAt(when, word(n), time))
	}
	times.Write(ports.Clear, writes...)
	return m
}

// serialReaction holds what commits depend on for each profile: fast reaction and, in receiver mode, T.
func serialReaction(
	pl *serialPlan, m *vgen.Module, ops *engine.Slots, ports *serialFlowPorts, profile vgen.Signal,
) (fast, rtt vgen.Signal) {
	const read = 2 // the profile is there
	c := pl.c
	entry := func(name, doc string, sel, index, data vgen.Signal) vgen.Signal {
		write := ops.At(pl.verdict).And(ports.Table).And(sel).Named(name + "_write")
		if c.Profiles == 1 {
			clear := ports.Clear.Now
			return m.RegNext(name+"_entry", data.Where(clear.Not()), vgen.Enable(write.Or(clear)))
		}
		mem := engine.NewSlotMemory(m, name+"_table", c.ProfileBits(), data.Width(), doc)
		mem.Write(ports.Clear, engine.WriteAt(write, index, data))
		return mem.Read(name+"_q", engine.ReadAt(ops.At(read), profile))
	}
	fast = entry("fast", "fast reaction of each profile", ports.TWFast.Select, ports.TWFast.Index, ports.TWFast.Data)
	if c.CommitByTime {
		rtt = entry("rtt", "T of each profile", ports.TWRTT.Select, ports.TWRTT.Index, ports.TWRTT.Data)
	}
	return fast, rtt
}
