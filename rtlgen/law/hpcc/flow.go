package hpcc

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// FlowContext is the part of a flow's context that classifies an ACK.
type FlowContext struct {
	Open         vgen.Signal   `port:"open" width:"1" doc:"the flow is open"`
	HasTelemetry vgen.Signal   `port:"has_telemetry" width:"1" doc:"records are stored"`
	Profile      vgen.Signal   `port:"profile" width:"profile" doc:"profile of the flow"`
	Seq          vgen.Signal   `port:"seq" width:"seq" doc:"lastUpdateSeq (lastUpdateTime in receiver mode)"`
	Time         vgen.Signal   `port:"time" width:"clock" doc:"local clock when the records were stored"`
	PathID       vgen.Signal   `port:"path_id" width:"path" doc:"path of the stored records"`
	Nhop         vgen.Signal   `port:"nhop" width:"nhop" doc:"number of stored records"`
	Generation   vgen.Signal   `port:"generation" width:"generation" doc:"generation of the flow"`
	LinkID       []vgen.Signal `port:"hop%d_link_id" count:"hops" width:"link" doc:"link of a stored record"`
}

// flowHop is what classification needs of a hop's record.
type flowHop struct {
	LinkID   vgen.Signal `port:"link_id" width:"link" doc:"identifier of the egress link"`
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
}

// flowVerdict is the result of classification.
type flowVerdict struct {
	Kind    vgen.Signal `port:"kind" dir:"out" width:"kind" doc:"kind of the result"`
	Status  vgen.Signal `port:"status" dir:"out" width:"status" doc:"status of the result before clamping"`
	React   vgen.Signal `port:"react" dir:"out" width:"1" doc:"U and W react to this ACK"`
	Commit  vgen.Signal `port:"commit" dir:"out" width:"1" doc:"Wc is updated"`
	Store   vgen.Signal `port:"store" dir:"out" width:"1" doc:"the records are stored"`
	Unknown vgen.Signal `port:"unknown" dir:"out" width:"1" doc:"an ACK of a flow that is not open, or no such flow: zeros are reported"`
}

type flowPorts struct {
	Op         engine.OpPorts
	TWKnown    knownWrite                     `port:"tw_rate_" dir:"in"`
	TWFast     fastWrite                      `port:"tw_fast_" dir:"in"`
	TWRTT      rttWrite                       `port:"tw_rtt_" dir:"in"`
	CWStart    vgen.Signal                    `port:"cw_start" dir:"in" width:"1" doc:"a context write opens the flow, held"`
	CWClose    vgen.Signal                    `port:"cw_close" dir:"in" width:"1" doc:"a context write closes the flow, held"`
	CWSetPr    vgen.Signal                    `port:"cw_set_profile" dir:"in" width:"profileset" doc:"a context write sets the profile, held"`
	CWSetSq    vgen.Signal                    `port:"cw_set_seq" dir:"in" width:"1" doc:"a context write sets lastUpdateSeq, held"`
	CWProf     vgen.Signal                    `port:"cw_profile" dir:"in" width:"profile" doc:"profile, held"`
	CWSeq      vgen.Signal                    `port:"cw_seq" dir:"in" width:"seq" doc:"lastUpdateSeq, held"`
	CWGen      vgen.Signal                    `port:"cw_generation" dir:"in" width:"generation" doc:"generation that a start begins, held"`
	Generation vgen.Signal                    `port:"s_generation" dir:"in" width:"generation" doc:"generation of the flow that the ACK belongs to"`
	Header     AckHeader                      `port:"s_" dir:"in"`
	Hop        []flowHop                      `port:"s_hop%d_" count:"hops" dir:"in"`
	Mem        engine.GroupPorts[FlowContext] `port:"fc_"`
	Context    FlowContext                    `port:"cd_" dir:"out"`
	Stale      vgen.Signal                    `port:"any_stale" dir:"in" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime     vgen.Signal                    `port:"no_time" dir:"in" width:"1" doc:"no hop's timestamp has moved"`
	Verdict    flowVerdict
}

// flowContextStage is the stage at which hpcc_flow gives the stored context out.
const flowContextStage = 4

// flowBlock builds hpcc_flow for operations that are interval cycles apart. The event is there at stage payload;
// any_stale and no_time arrive at recordsStage.
func flowBlock(c *config.NIC, interval, payload, recordsStage int) (*vgen.Module, engine.Loop) {
	m := vgen.NewModule("hpcc_flow", "Classification of an ACK against the stored context of its flow")
	m.Doc(
		"docs/numeric.md, table of classification. The context is read in stage 1 and written back when the verdict is known.")
	ports := vgen.Ports[flowPorts](m, flowWidths(c))
	p := lib.NewPipe(m)
	o := engine.NewOp(p, ports.Op, interval, c.Flows)
	t := engine.NewTables(m, p, o)
	last := recordsStage + 1
	m.SetTiming(last, 1)

	in := func(name string, s vgen.Signal) lib.Value { return p.Value(name, payload, s) }
	generation := in("generation", ports.Generation)
	ackSeq, sndNxt := in("ack_seq", ports.Header.AckSeq), in("snd_nxt", ports.Header.SndNxt)
	now, nhop, path := in("now", ports.Header.Now), in("nhop", ports.Header.Nhop), in("path_id", ports.Header.PathID)
	links := make([]lib.Value, c.MaxHops)
	codes := make([]lib.Value, c.MaxHops)
	for i, h := range ports.Hop {
		links[i] = in(fmt.Sprintf("hop%d_link_id", i), h.LinkID)
		codes[i] = in(fmt.Sprintf("hop%d_rate_code", i), h.RateCode)
	}

	// Stored context. It passes a register after that of the memory: from there to where it is compared is a long way.
	const found, decided = flowContextStage, flowContextStage + 1
	m.Assign(ports.Mem.ReadAddr, o.Flow(1))
	stored := vgen.Clone(&ports.Mem.Read)
	storedValues := map[*vgen.Signal]lib.Value{}
	for _, s := range vgen.Leaves(stored) {
		name := "stored_" + strings.TrimPrefix(s.Name(), "fc_rd_")
		storedValues[s] = p.Later(p.Reg(name, 2, *s), found)
	}
	ctx := func(s *vgen.Signal) lib.Value { return storedValues[s] }

	// Where the number of flows is no power of two, an index can be that of no flow: nothing is stored there.
	beyond := o.Beyond(found)
	outs := vgen.Leaves(&ports.Context)
	for i, s := range vgen.Leaves(stored) {
		seen := ctx(s).Signal
		if beyond.Exists() {
			seen = seen.Where(beyond.Not())
		}
		m.Assign(*outs[i], seen)
	}

	// Is the flow there, is the ACK well formed, does it match the stored context? Each difference has a register for
	// each field, since their comparisons are wide.
	const lookup = 2 // of the rate codes: a register after that of the payload
	known := rateKnown(m, o, lookup, ports.TWKnown, c.RateCodes())
	var badCode, changed vgen.Signal
	differs := func(name string, d vgen.Signal) { changed = vgen.AnyOf(changed, p.Reg("other_"+name, found, d).Signal) }
	badStage := lookup
	for i := range c.MaxHops {
		used := p.At(nhop, lookup).Gt(vgen.Const(config.NhopBits, uint64(i))).Named(fmt.Sprintf("hop%d_used", i))
		shown := known.ShrBy(p.At(codes[i], lookup)).Named(fmt.Sprintf("hop%d_known", i))
		unknown := p.Step(fmt.Sprintf("hop%d_unknown", i), lookup, shown.Bit(0).Not().And(used))
		badStage = unknown.Stage
		badCode = vgen.AnyOf(badCode, unknown.Signal)
		if links[i].Exists() {
			within := p.At(nhop, found).Gt(vgen.Const(config.NhopBits, uint64(i)))
			differs(fmt.Sprintf("hop%d_link", i), p.At(links[i], found).Ne(ctx(&stored.LinkID[i]).Signal).And(within))
		}
	}
	m.StageDoc(badStage, "hops whose rate code has no valid table entry")
	closed := engine.Closed(ctx(&stored.Open).Signal, p.At(generation, found), ctx(&stored.Generation).Signal)
	if generation.Exists() {
		closed = closed.Named("closed_or_other_life")
	}
	closedAck := closed.And(o.Is(engine.Ack, found))
	if beyond.Exists() {
		closed, closedAck = closed.Or(beyond), closedAck.Or(beyond)
	}
	missing := p.Reg("missing", found, closed)
	nothing := p.Reg("nothing", found, closedAck)
	tooMany := p.Reg("too_many_hops", found, p.At(nhop, found).Gt(vgen.Const(config.NhopBits, uint64(c.MaxHops))))
	noHops := p.Reg("no_hops", found, p.At(nhop, found).AnyBit().Not())
	badRate := p.Reg("bad_rate", badStage, badCode)
	hasNone := p.Reg("has_none", found, ctx(&stored.HasTelemetry).Not())
	differs("nhop", p.At(nhop, found).Ne(ctx(&stored.Nhop).Signal))
	if path.Exists() {
		differs("path", p.At(path, found).Ne(ctx(&stored.PathID).Signal))
	}
	changed = changed.Named("path_changed")
	m.StageDoc(badRate.Stage, "a hop's rate code is unknown")
	m.StageDoc(missing.Stage, "the ACK is compared with the stored context, field by field; the time since then in two "+
		"parts, for a shorter carry chain")
	step := func(name string, d vgen.Signal) vgen.Signal { return p.Reg(name, found, d).Signal }
	away, longAway := sinceThen("away", c.Telemetry.TSBits, p.At(now, found), ctx(&stored.Time).Signal, step)

	var commits vgen.Signal
	profile := ctx(&stored.Profile)
	fast := t.Entry("fast", "fast reaction of each profile", c.Profiles, found, &ports.TWFast, p.At(profile, found))
	if c.CommitByTime {
		rtt := t.Entry("rtt", "T of each profile", c.Profiles, found, &ports.TWRTT, p.At(profile, found))
		since, longSince := sinceThen("since_update", c.RTTBits, p.At(now, found), ctx(&stored.Seq).Signal, step)
		commits = longSince.Or(lib.Less("overdue", rtt.Signal, since))
	} else {
		ahead := p.Reg("ahead", found, p.At(ackSeq, found).Sub(ctx(&stored.Seq).Signal))
		commits = ahead.AnyBit().And(ahead.Top().Not())
	}
	commit := p.Reg("commit", decided, commits)
	m.StageDoc(commit.Stage, "conditions that need no record: is the ACK refused, does it restart, was the flow idle, may it "+
		"react?")
	// Conditions that need no record are decided first: is the ACK refused, does it restart?
	bad := p.At(badRate, decided)
	refused := missing.Or(tooMany.Signal).Or(noHops.Signal).Or(bad).Named("refused")
	anew := hasNone.Or(changed).Named("begins_anew")
	ack := o.Is(engine.Ack, decided)
	early := p.Reg("early_status", decided, vgen.FirstOf(code(engine.StatusOK),
		vgen.When(missing.Signal, code(engine.StatusRejectedFlow)),
		vgen.When(tooMany.Signal, code(engine.StatusRejectedHops)),
		vgen.When(noHops.Signal, code(engine.StatusNoTelemetry)),
		vgen.When(bad, code(engine.StatusRejectedRate)),
		vgen.When(hasNone.Signal, code(engine.StatusFirst)),
		vgen.When(changed, code(engine.StatusPathChanged))))
	settled := p.Reg("settled", decided, refused.Or(anew))
	var control []vgen.RegOption // where operations are spaced, the flags are kept and the valid bit decides
	if o.Dense {
		control = append(control, vgen.Reset(0))
	}
	begins := p.Reg("begins", decided, refused.Not().And(anew).And(ack), control...)
	open := p.Reg("open", decided, refused.Or(anew).Not().And(ack), control...)
	idle := p.Reg("idle", decided, longAway.Or(aboveHalf(away)))
	usable := p.Reg("usable", decided, commits.Or(fast.Signal))

	// Verdict, with the flags of the records. Where those take long, what waits for them waits in one
	// delay line.
	r := recordsStage
	o.To(last)
	p.Hold("flags", r, nothing, early, settled, begins, open, idle, commit, usable)
	waiting := []lib.Value{now, sndNxt, nhop, path}
	waiting = append(waiting, links...)
	for _, s := range vgen.Leaves(stored) {
		waiting = append(waiting, ctx(s))
	}
	p.Hold("context", last, waiting...)
	is := func(v lib.Value) vgen.Signal { return p.At(v, r) }
	status := vgen.FirstOf(code(engine.StatusOK),
		vgen.When(is(settled), is(early)),
		vgen.When(is(idle), code(engine.StatusIdle)),
		vgen.When(ports.Stale, code(engine.StatusStale)),
		vgen.When(ports.NoTime, code(engine.StatusNoTime)),
		vgen.When(is(usable).Not(), code(engine.StatusNoCommit)),
	)
	beginning, live := is(begins), is(open)
	if !o.Dense {
		beginning, live = beginning.And(o.Valid(r)).Named("begins"), live.And(o.Valid(r)).Named("live")
	}
	begin := beginning.Or(live.And(is(idle))).Named("store_only")
	current := live.And(is(idle).Not()).And(ports.Stale.Not()).And(ports.NoTime.Not()).Named("current")
	react := current.And(is(usable)).Named("react_now")
	renew := current.And(is(commit)).Named("commit_now")
	kind := vgen.Cat(react, begin.Or(react.And(is(commit).Not())))

	statusQ := p.Reg("status", r, status)
	kindQ := p.Reg("kind", r, kind)
	reactQ := p.Reg("react", r, react, vgen.Reset(0))
	m.StageDoc(reactQ.Stage, "the verdict, from the context and the records")
	commitQ := p.Reg("commit_react", r, renew, vgen.Reset(0))
	storeQ := p.Reg("store", r, begin.Or(react), vgen.Reset(0))
	renewQ := p.Reg("renew", r, begin.Or(renew), vgen.Reset(0))
	m.Assign(ports.Verdict.Status, statusQ.Signal)
	m.Assign(ports.Verdict.Kind, kindQ.Signal)
	m.Assign(ports.Verdict.React, reactQ.Signal)
	m.Assign(ports.Verdict.Commit, commitQ.Signal)
	m.Assign(ports.Verdict.Store, storeQ.Signal)
	m.Assign(ports.Verdict.Unknown, p.At(nothing, last))

	// Write back.
	write, sweep := o.Is(engine.Write, last), o.Is(engine.Clear, last)
	written := o.Put(m, last, o.Flow(last), storeQ.Or(write).Or(sweep), ports.Mem.WriteEn, ports.Mem.WriteAddr)
	m.StageDoc(written, "the context as it is written back")
	start, stop := write.And(ports.CWStart).Named("start"), write.And(ports.CWClose).Named("stop")
	life := engine.LifeWrite{Start: start, Close: stop, Generation: ports.CWGen}
	keep := func(s *vgen.Signal) vgen.Signal { return p.At(ctx(s), last) }
	alive := sweep.Not()
	store := storeQ.Signal
	mark := sndNxt
	if c.CommitByTime {
		mark = now
	}
	next := map[*vgen.Signal]vgen.Signal{
		&stored.Open:         life.Open(keep(&stored.Open)),
		&stored.HasTelemetry: keep(&stored.HasTelemetry).Or(store).And(start.Or(stop).Not()),
		&stored.Seq: vgen.Mux(renewQ.Signal, p.At(mark, last),
			vgen.Mux(write.And(ports.CWSetSq), ports.CWSeq, keep(&stored.Seq))),
		&stored.Time: vgen.Mux(store, p.At(now, last), keep(&stored.Time)),
		&stored.Nhop: vgen.Mux(store, p.At(nhop, last), keep(&stored.Nhop)),
	}
	if stored.Profile.Exists() {
		next[&stored.Profile] = vgen.Mux(write.And(ports.CWSetPr), ports.CWProf, keep(&stored.Profile))
	}
	if path.Exists() {
		next[&stored.PathID] = vgen.Mux(store, p.At(path, last), keep(&stored.PathID))
	}
	if generation.Exists() {
		next[&stored.Generation] = life.Renew(keep(&stored.Generation))
	}
	for i := range links {
		if links[i].Exists() {
			next[&stored.LinkID[i]] = vgen.Mux(store, p.At(links[i], last), keep(&stored.LinkID[i]))
		}
	}
	writes := vgen.Leaves(&ports.Mem.Write)
	for i, s := range vgen.Leaves(stored) {
		word := next[s].And(alive.Repeat(s.Width()))
		m.Assign(*writes[i], p.Step("write_"+strings.TrimPrefix(writes[i].Name(), "fc_wr_"), last, word).Signal)
	}
	return m, engine.Loop{Read: 1, Write: written}
}

// sinceThen is now - then in two parts, for a shorter carry chain: the low bits, and whether the
// whole difference is 2^bits or more. Both are a register later, made by step.
func sinceThen(
	name string, bits int, now, then vgen.Signal, step func(name string, d vgen.Signal) vgen.Signal,
) (low, more vgen.Signal) {
	difference := step(name+"_low", now.Trunc(bits).Zext(bits+1).Sub(then.Trunc(bits).Zext(bits+1)))
	top := now.Width() - 1
	high := step(name+"_high", now.Slice(top, bits).Sub(then.Slice(top, bits)))
	// The low part borrows from the high one, which must then be 1 for the whole to be below 2^bits.
	more = high.Bit(0).Xor(difference.Top()).Or(high.Slice(top-bits, 1).AnyBit()).Named(name + "_long")
	return difference.Trunc(bits), more
}

// aboveHalf reports whether x is above half of its range.
func aboveHalf(x vgen.Signal) vgen.Signal {
	return x.Top().And(x.Trunc(x.Width() - 1).AnyBit())
}

// rateKnown is a bit for each rate code, set by the table write that defines the code. It is written
// and read in the given stage.
func rateKnown(m *vgen.Module, o engine.Op, stage int, w knownWrite, codes int) vgen.Signal {
	known := m.State("rate_known", codes)
	write := o.Is(engine.Table, stage).And(w.Select).Named("rate_write")
	bit := lib.OneHot(codes, w.Index).Named("rate_decoded")
	if o.Dense {
		bit = m.RegNext("rate_bit", bit) // the write is held: there is time to decode it
		m.StageHint(1, "the rate code of a table write, one-hot")
	}
	set, clear := write.And(w.Data).Named("rate_set"), write.And(w.Data.Not()).Named("rate_clear")
	m.Next(known, known.Or(bit.And(set.Repeat(codes))).And(bit.And(clear.Repeat(codes)).Not()))
	return known
}

// flowWidths are the width keys of hpcc_flow.
func flowWidths(c *config.NIC) vgen.Widths {
	w := widths(c)
	w["index"] = max(c.FlowBits(), c.ProfileBits())
	w["profileset"] = min(c.ProfileBits(), 1)
	if !c.CommitByTime {
		w["rtt"], w["rttsel"], w["rttindex"] = 0, 0, 0
	}
	return w
}
