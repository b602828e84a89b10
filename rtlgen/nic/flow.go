package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
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
	LinkID       []vgen.Signal `port:"hop%d_link_id" count:"hops" width:"link" doc:"link of a stored record"`
}

// flowHop is what classification needs of a hop's record.
type flowHop struct {
	LinkID   vgen.Signal `port:"link_id" width:"link" doc:"identifier of the egress link"`
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
}

// flowMemory is the port to the memory of flow contexts: the word read answers an address one cycle later.
type flowMemory struct {
	ReadAddr  vgen.Signal `port:"rd_addr" dir:"out" width:"flow" doc:"flow read"`
	Read      FlowContext `port:"rd_" dir:"in"`
	WriteEn   vgen.Signal `port:"wr_en" dir:"out" width:"1" doc:"write"`
	WriteAddr vgen.Signal `port:"wr_addr" dir:"out" width:"flow" doc:"flow written"`
	Write     FlowContext `port:"wr_" dir:"out"`
}

// flowVerdict is what comes out of classification.
type flowVerdict struct {
	Kind    vgen.Signal `port:"kind" dir:"out" width:"kind" doc:"kind of the result"`
	Status  vgen.Signal `port:"status" dir:"out" width:"status" doc:"status of the result before clamping"`
	React   vgen.Signal `port:"react" dir:"out" width:"1" doc:"U and W react to this ACK"`
	Commit  vgen.Signal `port:"commit" dir:"out" width:"1" doc:"Wc is updated"`
	Store   vgen.Signal `port:"store" dir:"out" width:"1" doc:"the records are stored"`
	Unknown vgen.Signal `port:"unknown" dir:"out" width:"1" doc:"an ACK of a flow that is not open, or no such flow: zeros are reported"`
}

type flowPorts struct {
	Op      OpPorts
	TWKnown knownWrite  `port:"tw_rate_" dir:"in"`
	TWFast  fastWrite   `port:"tw_fast_" dir:"in"`
	TWRTT   rttWrite    `port:"tw_rtt_" dir:"in"`
	CWStart vgen.Signal `port:"cw_start" dir:"in" width:"1" doc:"a context write opens the flow, held"`
	CWClose vgen.Signal `port:"cw_close" dir:"in" width:"1" doc:"a context write closes the flow, held"`
	CWSetPr vgen.Signal `port:"cw_set_profile" dir:"in" width:"profileset" doc:"a context write sets the profile, held"`
	CWSetSq vgen.Signal `port:"cw_set_seq" dir:"in" width:"1" doc:"a context write sets lastUpdateSeq, held"`
	CWProf  vgen.Signal `port:"cw_profile" dir:"in" width:"profile" doc:"profile, held"`
	CWSeq   vgen.Signal `port:"cw_seq" dir:"in" width:"seq" doc:"lastUpdateSeq, held"`
	Header  AckHeader   `port:"s_" dir:"in"`
	Hop     []flowHop   `port:"s_hop%d_" count:"hops" dir:"in"`
	Mem     flowMemory  `port:"fc_"`
	Context FlowContext `port:"cd_" dir:"out"`
	Stale   vgen.Signal `port:"any_stale" dir:"in" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime  vgen.Signal `port:"no_time" dir:"in" width:"1" doc:"no hop's timestamp has moved"`
	Verdict flowVerdict
}

// flowContextStage is the stage at which hpcc_flow gives the stored context out.
const flowContextStage = 4

// flowTiming says where the flow memory is read and written, in stages.
type flowTiming struct{ read, write int }

// flowBlock builds hpcc_flow for operations that are interval cycles apart. recordsStage is the stage at
// which any_stale and no_time arrive.
func flowBlock(c *config.NIC, interval, recordsStage int) (m *vgen.Module, at flowTiming) {
	m = vgen.NewModule("hpcc_flow", "Classification of an ACK against the stored context of its flow")
	m.Doc("docs/numeric.md, table of classification. The context is read in stage 1 and written back when the verdict is known.")
	ports := vgen.Ports[flowPorts](m, flowWidths(c))
	p := lib.NewPipe(m)
	o := newOp(p, ports.Op, interval)
	t := tables{m: m, p: p, op: o}
	last := recordsStage + 1
	m.SetTiming(last, 1)

	in := func(name string, s vgen.Signal) lib.Value {
		if !s.Exists() {
			return lib.Value{}
		}
		return p.Value(name, payloadStage(interval), s)
	}
	ackSeq, sndNxt := in("ack_seq", ports.Header.AckSeq), in("snd_nxt", ports.Header.SndNxt)
	now, nhop, path := in("now", ports.Header.Now), in("nhop", ports.Header.Nhop), in("path_id", ports.Header.PathID)
	links := make([]lib.Value, c.MaxHops)
	codes := make([]lib.Value, c.MaxHops)
	for i, h := range ports.Hop {
		links[i] = in(fmt.Sprintf("hop%d_link_id", i), h.LinkID)
		codes[i] = in(fmt.Sprintf("hop%d_rate_code", i), h.RateCode)
	}

	// Stored context. It passes a register behind that of the memory: from there to where it is compared is a long way.
	const found, decided = flowContextStage, flowContextStage + 1
	m.Assign(ports.Mem.ReadAddr, p.At(o.index, 1).Trunc(c.FlowBits()))
	stored := vgen.Clone(&ports.Mem.Read)
	storedValues := map[*vgen.Signal]lib.Value{}
	for i, s := range vgen.Leaves(stored) {
		name := "stored_" + fieldNames(c)[i]
		storedValues[s] = p.Value(name, found, p.At(p.Reg(name, 2, *s), found))
	}
	ctx := func(s *vgen.Signal) lib.Value { return storedValues[s] }

	// Where the number of flows is no power of two, an index can lie beyond the last flow: nothing is
	// stored there.
	var beyond vgen.Signal
	if c.Flows&(c.Flows-1) != 0 {
		flow := p.At(o.index, found).Trunc(c.FlowBits())
		beyond = flow.Ge(vgen.Const(c.FlowBits(), uint64(c.Flows))).Named("beyond_last_flow")
	}
	outs := vgen.Leaves(&ports.Context)
	for i, s := range vgen.Leaves(stored) {
		seen := ctx(s).Signal
		if beyond.Exists() {
			seen = seen.And(beyond.Not().Repeat(seen.Width()))
		}
		m.Assign(*outs[i], seen)
	}

	// Is the flow there, is the ACK well formed, does it compare with what is stored? What differs is a register for each field, since their
	// comparisons are wide.
	const lookup = 2 // of the rate codes: a register behind that of the payload
	known := rateKnown(m, o, lookup, ports.TWKnown, c.RateCodes())
	var badCode, changed vgen.Signal
	differs := func(name string, d vgen.Signal) { changed = orNext(changed, p.Reg("other_"+name, found, d).Signal) }
	badStage := lookup
	for i := range c.MaxHops {
		used := p.At(nhop, lookup).Gt(vgen.Const(config.NhopBits, uint64(i))).Named(fmt.Sprintf("hop%d_used", i))
		shown := known.ShrBy(p.At(codes[i], lookup)).Named(fmt.Sprintf("hop%d_known", i))
		unknown := p.Step(fmt.Sprintf("hop%d_unknown", i), lookup, shown.Bit(0).Not().And(used))
		badStage = unknown.Stage
		badCode = orNext(badCode, unknown.Signal)
		if links[i].Exists() {
			within := p.At(nhop, found).Gt(vgen.Const(config.NhopBits, uint64(i)))
			differs(fmt.Sprintf("hop%d_link", i), p.At(links[i], found).Ne(ctx(&stored.LinkID[i]).Signal).And(within))
		}
	}
	closed := ctx(&stored.Open).Not()
	closedAck := closed.And(o.is(opAck, found))
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
	away := p.Reg("away", found, p.At(now, found).Sub(ctx(&stored.Time).Signal))

	var commits vgen.Signal
	profile := ctx(&stored.Profile)
	tf := ports.TWFast
	fast := t.perProfile(c, "fast", "fast reaction of each profile", found, tf.Select, tf.Index, tf.Data, profile)
	if c.CommitByTime {
		tr := ports.TWRTT
		rtt := t.perProfile(c, "rtt", "T of each profile", found, tr.Select, tr.Index, tr.Data, profile)
		since := p.Reg("since_update", found, p.At(now, found).Sub(ctx(&stored.Seq).Signal))
		w := max(c.ClockBits, c.RTTBits)
		commits = lib.Less("overdue", rtt.Zext(w), since.Zext(w))
	} else {
		ahead := p.Reg("ahead", found, p.At(ackSeq, found).Sub(ctx(&stored.Seq).Signal))
		commits = ahead.AnyBit().And(ahead.Top().Not())
	}
	commit := p.Reg("commit", decided, commits)
	half := vgen.Const(c.ClockBits, 1<<(c.Telemetry.TSBits-1))
	// What needs no record is decided first: is the ACK refused, does it begin anew?
	code := func(v uint64) vgen.Signal { return vgen.Const(statusBits, v) }
	bad := p.At(badRate, decided)
	refused := missing.Or(tooMany.Signal).Or(noHops.Signal).Or(bad).Named("refused")
	anew := hasNone.Or(changed)
	ack := o.is(opAck, decided)
	early := p.Reg("early_status", decided, firstOf(code(statusOK),
		choice{missing.Signal, code(statusRejectedFlow)},
		choice{tooMany.Signal, code(statusRejectedHops)},
		choice{noHops.Signal, code(statusNoTelemetry)},
		choice{bad, code(statusRejectedRate)},
		choice{hasNone.Signal, code(statusFirst)},
		choice{changed, code(statusPathChanged)}))
	settled := p.Reg("settled", decided, refused.Or(anew))
	var control []vgen.RegOption // where operations are spaced, the flags are kept and the valid bit decides
	if o.dense {
		control = append(control, vgen.Reset(0))
	}
	begins := p.Reg("begins", decided, refused.Not().And(anew).And(ack), control...)
	open := p.Reg("open", decided, refused.Or(anew).Not().And(ack), control...)
	idle := p.Reg("idle", decided, away.Gt(half))
	usable := p.Reg("usable", decided, commits.Or(fast.Signal))

	// Verdict, with the flags of the records. Where those take long, what waits for them waits in one
	// delay line.
	r := recordsStage
	o.to(last)
	p.Hold("flags", r, nothing, early, settled, begins, open, idle, commit, usable)
	waiting := []lib.Value{now, sndNxt, nhop, path}
	waiting = append(waiting, links...)
	for _, s := range vgen.Leaves(stored) {
		waiting = append(waiting, ctx(s))
	}
	p.Hold("context", last, waiting...)
	is := func(v lib.Value) vgen.Signal { return p.At(v, r) }
	status := firstOf(code(statusOK),
		choice{is(settled), is(early)},
		choice{is(idle), code(statusIdle)},
		choice{ports.Stale, code(statusStale)},
		choice{ports.NoTime, code(statusNoTime)},
		choice{is(usable).Not(), code(statusNoCommit)},
	)
	beginning, live := is(begins), is(open)
	if !o.dense {
		beginning, live = beginning.And(o.validAt(r)), live.And(o.validAt(r))
	}
	begin := beginning.Or(live.And(is(idle))).Named("store_only")
	current := live.And(is(idle).Not()).And(ports.Stale.Not()).And(ports.NoTime.Not()).Named("current")
	react := current.And(is(usable)).Named("react_now")
	renew := current.And(is(commit)).Named("commit_now")
	kind := vgen.Cat(react, begin.Or(react.And(is(commit).Not())))

	statusQ := p.Reg("status", r, status)
	kindQ := p.Reg("kind", r, kind)
	reactQ := p.Reg("react", r, react, vgen.Reset(0))
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
	write, sweep := o.is(opWrite, last), o.is(opSweep, last)
	index := p.At(o.index, last).Trunc(c.FlowBits())
	put := p.Value("write_en", last, ifInRange(storeQ.Or(write).Or(sweep), p.At(o.index, last), c.Flows))
	if o.dense {
		put = p.Reg("write_en", last, put.Signal, vgen.Reset(0))
	}
	m.Assign(ports.Mem.WriteEn, put.Signal)
	m.Assign(ports.Mem.WriteAddr, p.Step("write_addr", last, index).Signal)
	start, stop := write.And(ports.CWStart).Named("start"), write.And(ports.CWClose).Named("stop")
	keep := func(s *vgen.Signal) vgen.Signal { return p.At(ctx(s), last) }
	alive := sweep.Not()
	store := storeQ.Signal
	mark := sndNxt
	if c.CommitByTime {
		mark = now
	}
	next := map[*vgen.Signal]vgen.Signal{
		&stored.Open:         keep(&stored.Open).Or(start).And(stop.Not()),
		&stored.HasTelemetry: keep(&stored.HasTelemetry).Or(store).And(start.Or(stop).Not()),
		&stored.Seq:          vgen.Mux(renewQ.Signal, p.At(mark, last), vgen.Mux(write.And(ports.CWSetSq), ports.CWSeq, keep(&stored.Seq))),
		&stored.Time:         vgen.Mux(store, p.At(now, last), keep(&stored.Time)),
		&stored.Nhop:         vgen.Mux(store, p.At(nhop, last), keep(&stored.Nhop)),
	}
	if stored.Profile.Exists() {
		next[&stored.Profile] = vgen.Mux(write.And(ports.CWSetPr), ports.CWProf, keep(&stored.Profile))
	}
	if path.Exists() {
		next[&stored.PathID] = vgen.Mux(store, p.At(path, last), keep(&stored.PathID))
	}
	for i := range links {
		if links[i].Exists() {
			next[&stored.LinkID[i]] = vgen.Mux(store, p.At(links[i], last), keep(&stored.LinkID[i]))
		}
	}
	writes := vgen.Leaves(&ports.Mem.Write)
	for i, s := range vgen.Leaves(stored) {
		word := next[s].And(alive.Repeat(s.Width()))
		m.Assign(*writes[i], p.Step("write_"+fieldNames(c)[i], last, word).Signal)
	}
	return m, flowTiming{read: 1, write: put.Stage}
}

// fieldNames are the names of the fields of a FlowContext that exist, in the order of vgen.Leaves.
func fieldNames(c *config.NIC) []string {
	names := []string{"open", "has_telemetry"}
	if c.ProfileBits() > 0 {
		names = append(names, "profile")
	}
	names = append(names, "seq", "time")
	if c.Telemetry.PathIDBits > 0 {
		names = append(names, "path_id")
	}
	names = append(names, "nhop")
	if c.Telemetry.LinkIDBits > 0 {
		for i := range c.MaxHops {
			names = append(names, fmt.Sprintf("hop%d_link_id", i))
		}
	}
	return names
}

// rateKnown is a bit for each rate code, set by the table write that defines the code. It is written
// and read in the given stage.
func rateKnown(m *vgen.Module, o op, stage int, w knownWrite, codes int) vgen.Signal {
	known := m.Reg("rate_known", codes, vgen.Reset(0), vgen.Control())
	write := o.is(opTable, stage).And(w.Select).Named("rate_write")
	bit := vgen.Const(codes, 1).ShlBy(w.Index)
	if o.dense {
		bit = m.RegNext("rate_bit", bit) // the write is held: there is time to decode it
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

func orNext(a, b vgen.Signal) vgen.Signal {
	if !a.Exists() {
		return b
	}
	return a.Or(b)
}

func andNext(a, b vgen.Signal) vgen.Signal {
	if !a.Exists() {
		return b
	}
	return a.And(b)
}

// choice is one row of a priority table.
type choice struct{ when, then vgen.Signal }

// firstOf is the value of the first row whose condition holds.
func firstOf(otherwise vgen.Signal, rows ...choice) vgen.Signal {
	out := otherwise
	for i := len(rows) - 1; i >= 0; i-- {
		out = vgen.Mux(rows[i].when, rows[i].then, out)
	}
	return out
}

// ifInRange is en where index is that of a flow.
func ifInRange(en, index vgen.Signal, flows int) vgen.Signal {
	if uint64(flows) == 1<<index.Width() {
		return en
	}
	return en.And(index.Lt(vgen.Const(index.Width(), uint64(flows))))
}
