package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type serialWindowPorts struct {
	Phase   vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear   engine.Clearing
	Ack     vgen.Signal      `port:"op_ack" dir:"in" width:"1" doc:"an ACK passes"`
	Write   vgen.Signal      `port:"op_write" dir:"in" width:"1" doc:"a context write passes"`
	Table   vgen.Signal      `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index   vgen.Signal      `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	Profile vgen.Signal      `port:"profile" dir:"in" width:"profile" doc:"profile of the flow, valid from the stage before"`
	React   vgen.Signal      `port:"react" dir:"in" width:"1" doc:"W reacts to this ACK"`
	Commit  vgen.Signal      `port:"commit" dir:"in" width:"1" doc:"Wc is updated by this ACK"`
	Unknown vgen.Signal      `port:"unknown" dir:"in" width:"1" doc:"no such flow: report zero"`
	TW      engine.HeldTable `port:"tw_" dir:"in"`
	CWSetWc vgen.Signal      `port:"cw_set_wc" dir:"in" width:"1" doc:"a context write sets Wc, held"`
	CWSetW  vgen.Signal      `port:"cw_set_w" dir:"in" width:"1" doc:"a context write sets W, held"`
	CWSetSt vgen.Signal      `port:"cw_set_stage" dir:"in" width:"1" doc:"a context write sets incStage, held"`
	CW      WindowContext    `port:"cw_" dir:"in"`
	U       vgen.Signal      `port:"u" dir:"in" width:"u" doc:"U of the flow after this ACK"`
	Out     WindowContext    `port:"m_" dir:"out"`
	Below   vgen.Signal      `port:"m_clamped_min" dir:"out" width:"1" doc:"W was raised to W_min"`
	Above   vgen.Signal      `port:"m_clamped_max" dir:"out" width:"1" doc:"W was lowered to W_max"`
	Rate    vgen.Signal      `port:"m_rate" dir:"out" width:"rate" doc:"pacing rate R = W / T, bytes a tick, in the last stage"`
}

// The words of a profile in the window's memory: the low three bits of the table's code.
const (
	itemInvRTT = int(config.TableInvRTT) & 7
	itemEta    = int(config.TableEta) & 7
	itemStage  = int(config.TableStage) & 7
	itemWAI    = int(config.TableWAI) & 7
	itemWMin   = int(config.TableWMin) & 7
	itemWMax   = int(config.TableWMax) & 7
)

// serialWindow builds hpcc_window: W and R from U (draft Figure 5 and Figure 6, line 27). Flows and tables
// share a memory, from which an operation reads what it needs word by word.
func serialWindow(pl *serialPlan) *vgen.Module {
	c, f := pl.c, pl.c.Formats
	m := vgen.NewModule("hpcc_window", "Window and pacing rate from the average normalised inflight")
	m.Doc(
		"q = eta / U in "+f.Quot.String()+", or 1 where U < eta and incStage < maxStage; W = Wc * q + W_ai, clamped to W_min and W_max.",
		"One memory holds Wc, incStage and W of the flows, and eta, maxStage, W_ai, W_min, W_max and 1/T of the profiles.")
	w := pl.widths()
	ports := vgen.Ports[serialWindowPorts](m, w)
	ops := engine.NewSlots(m, ports.Phase)
	s, ww := pl.window, f.Window.Width()
	m.SetTiming(pl.end-s, pl.interval)
	given := func(name string, sig vgen.Signal, from int) *engine.Held {
		return ops.Value(name, sig, s, pl.until(from, s))
	}
	ack, write, table := given("ack", ports.Ack, 1), given("write", ports.Write, 1), given("table", ports.Table, 1)
	index, profile := given("index", ports.Index, 1), ops.Value("profile", ports.Profile, s-1, pl.until(2, s-1))
	react, commit, unknown := given("react", ports.React, pl.verdict), given("commit", ports.Commit, pl.verdict),
		given("unknown", ports.Unknown, pl.verdict)
	u := ops.Value("u", ports.U, s, s+pl.interval-1)

	ab := windowAddrBits(c)
	width := max(ww+c.StageBits, f.Eta.Width(), f.InvT.Width())
	mem := engine.NewSlotMemory(m, "window_context", ab, width,
		"Wc with incStage, and W of the flows; entries of the profiles, by the low bits of their tables' codes")
	entry := func(stage int, item int) engine.Access {
		low := vgen.Const(3, uint64(item))
		if profile != nil {
			low = vgen.Cat(ops.Get(profile, stage), low)
		}
		return engine.ReadAt(ops.At(stage), vgen.Cat(vgen.Const(1, 1), low.Zext(ab-1)))
	}
	flow := func(stage int, which uint64) engine.Access {
		return engine.ReadAt(ops.At(stage), vgen.Cat(ops.Get(index, stage), vgen.Const(1, which)).Zext(ab))
	}
	const wordWc, wordW = 0, 1
	at, sumAt, done := pl.scale, pl.product, pl.decide
	word := mem.Read("window_q", entry(s-1, itemEta), entry(at-2, itemStage), flow(at-1, wordWc), entry(sumAt-1, itemWAI),
		entry(sumAt, itemWMin), entry(sumAt+2, itemWMax), flow(sumAt+4, wordW), entry(done-1, itemInvRTT))

	m.Section("q = eta / U")
	eta := word.Trunc(f.Eta.Width())
	div := vgen.Instantiate[lib.DividerPorts](m, "u_quotient_divider", pl.quotient)
	m.Assign(div.Num, eta)
	m.Assign(div.Den, ports.U)
	if div.Valid.Exists() {
		m.Assign(div.Valid, ops.At(s))
	}
	quotAt := s + pl.quotient.Latency()
	quot := ops.Value("quotient", div.Quot, quotAt, quotAt)
	cw := max(f.U.Width(), f.Eta.Width())
	full := ops.Reg("at_target", s, ops.Get(u, s).Zext(cw).Ge(eta.Zext(cw)))

	m.Section("Wc * q, a bit of q a cycle; incStage")
	// Where W is not scaled, q is one.
	limit := ops.Reg("max_stage", at-1, word.Trunc(c.StageBits))
	wc := ops.Reg("wc_old", at, word.Trunc(ww))
	stage := word.Slice(ww+c.StageBits-1, ww)
	scale, counted := lib.StageStep(stage, ops.Get(limit, at), ops.Get(full, at))
	stageOld, stageUp := ops.Reg("stage_old", at, stage), ops.Reg("stage_up", at, counted)
	qb := scaleBits(c)
	one := vgen.Cat(vgen.Const(1, 1), vgen.Const(f.Quot.Frac, 0)).Zext(qb)
	q := ops.Get(quot, at)
	factor := vgen.Mux(scale, q.Zext(qb), one).Named("factor")
	scaled := lib.SerialProduct{Name: "scaled", Load: ops.At(at), Multiplier: factor,
		Multiplicand: wc.Sig, Steps: qb, Shift: f.Quot.Frac}.Build(m)

	m.Section("W = Wc * q + W_ai, or W_min, or W_max, or W unchanged")
	sw := max(scaled.Width(), ww) + 1
	sum := ops.Reg("w_sum", sumAt, scaled.Zext(sw).Add(word.Trunc(ww).Zext(sw)))
	below := ops.Reg("below_min", sumAt+1, sum.Sig.Lt(word.Trunc(ww).Zext(sw)).And(ops.Get(react, sumAt+1)))
	above := ops.Reg("above_max", sumAt+3, sum.Sig.Gt(word.Trunc(ww).Zext(sw)).And(ops.Get(react, sumAt+3)))
	reacts := ops.Get(react, sumAt+5)
	lower := ops.At(sumAt + 4).And(ops.Get(above, sumAt+4)).And(ops.Get(below, sumAt+4).Not())
	stays := ops.At(sumAt + 5).And(reacts.Not())
	first := ops.At(sumAt + 2)
	zero := ops.At(sumAt + 5).And(ops.Get(unknown, sumAt+5)).Named("w_unknown")
	wNew := m.Reg("w_new", ww, vgen.Enable(first.Or(lower).Or(stays)))
	fromSum := first.And(ops.Get(below, sumAt+2).Not()).Named("w_from_sum")
	m.Next(wNew, vgen.Mux(fromSum, sum.Sig.Trunc(ww), word.Trunc(ww).And(zero.Not().Repeat(ww))))
	wOut := ops.Value("w_new", wNew, done, done+pl.interval-5)

	m.Section("Decision; writes to the memory and reads from it")
	commits := ops.Get(commit, done).Named("commits")
	wcOut := vgen.Mux(commits, wNew, ops.Get(wc, done).And(ops.Get(unknown, done).Not().Repeat(ww))).Named("wc_new")
	stageKept := ops.Get(stageOld, done).Where(ops.Get(unknown, done).Not())
	stageOut := vgen.Mux(commits, ops.Get(stageUp, done), stageKept).Named("stage_new")
	m.Assign(ports.Out.W, wNew)
	m.Assign(ports.Out.Wc, wcOut)
	m.Assign(ports.Out.Stage, stageOut)
	m.Assign(ports.Below, ops.Get(below, done))
	m.Assign(ports.Above, ops.Get(above, done))

	writes := func(stage int) vgen.Signal {
		return engine.InRange(ops.Get(write, stage), ops.Get(index, stage), c.Flows)
	}
	setWc, setSt, setW := writes(done).And(ports.CWSetWc).Named("set_wc"),
		writes(done).And(ports.CWSetSt).Named("set_stage"), writes(done+1).And(ports.CWSetW).Named("set_w")
	wcWord := vgen.Cat(vgen.Mux(setSt, ports.CW.Stage, stageOut), vgen.Mux(setWc, ports.CW.Wc, wcOut))
	wWord := vgen.Mux(setW, ports.CW.W, ops.Get(wOut, done+1))
	is := func(t config.Table) vgen.Signal { return ports.TW.Table.Eq(vgen.Const(engine.TableBits, uint64(t))) }
	etaAt, restAt := pl.tableStages()
	twLow := ports.TW.Table.Trunc(3)
	if profile != nil {
		twLow = vgen.Cat(ports.TW.Index.Trunc(c.ProfileBits()), twLow)
	}
	twAddr := vgen.Cat(vgen.Const(1, 1), twLow.Zext(ab-1))
	rest := is(config.TableInvRTT).Or(is(config.TableStage)).Or(is(config.TableWAI)).Or(is(config.TableWMin)).Or(
		is(config.TableWMax))
	passes := func(stage int) vgen.Signal { return ops.At(stage).And(ops.Get(table, stage)) }
	entryWrite := passes(etaAt).And(is(config.TableEta)).Or(passes(restAt).And(rest))
	ackDone := ops.Get(ack, done).And(commits)
	storeW := ops.Get(ack, done+1).And(ops.Get(react, done+1))
	mem.Write(ports.Clear,
		engine.WriteAt(ops.At(done).And(ackDone.Or(setWc).Or(setSt)).Named("write_wc"),
			flow(done, wordWc).At(), wcWord.Zext(width)),
		engine.WriteAt(ops.At(done+1).And(storeW.Or(setW)).Named("write_w"), flow(done+1, wordW).At(), wWord.Zext(width)),
		engine.WriteAt(entryWrite.Named("write_entry"), twAddr, ports.TW.Data.Fit(width)))
	ignoreRest(m, ports.TW, c.ProfileBits(), width)

	m.Section("R = W * 1/T, a bit of 1/T a cycle")
	drop := f.Window.Frac + f.InvT.Frac - f.Rate.Frac
	rate := lib.SerialProduct{Name: "rate", Load: ops.At(done), Multiplier: word.Trunc(f.InvT.Width()), Multiplicand: wNew,
		Steps: f.InvT.Width(), Shift: drop}.Build(m)
	m.Assign(ports.Rate, lib.Saturate("rate_saturated", rate, f.Rate.Width()))
	m.Tap("quotient", q, at, "eta/U, "+f.Quot.String())
	m.Tap("window", wNew, done, "W after clamping, "+f.Window.String())
	return m
}

// tableStages are the stages in which the window's memory takes a table write: one for eta, one for the
// other entries. A write comes after the last reading of the operation before and ahead of the first of the
// one after, and never together with that of a context.
func (pl *serialPlan) tableStages() (eta, rest int) {
	n := pl.interval
	meets := func(a, b int) bool { return (a-b)%n == 0 }
	eta = pl.window
	for meets(eta, pl.decide) || meets(eta, pl.decide+1) {
		eta++
	}
	rest = max(pl.window, pl.decide-n)
	for meets(rest, pl.decide) || meets(rest, pl.decide+1) || meets(rest, eta) {
		rest++
	}
	return eta, rest
}
