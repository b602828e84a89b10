package nic

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type serialWindowPorts struct {
	Phase   vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear   clearing
	Ack     vgen.Signal   `port:"op_ack" dir:"in" width:"1" doc:"an ACK passes"`
	Write   vgen.Signal   `port:"op_write" dir:"in" width:"1" doc:"a context write passes"`
	Table   vgen.Signal   `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index   vgen.Signal   `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	Profile vgen.Signal   `port:"profile" dir:"in" width:"profile" doc:"profile of the flow, from the stage before on"`
	React   vgen.Signal   `port:"react" dir:"in" width:"1" doc:"W reacts to this ACK"`
	Commit  vgen.Signal   `port:"commit" dir:"in" width:"1" doc:"Wc is updated by this ACK"`
	Unknown vgen.Signal   `port:"unknown" dir:"in" width:"1" doc:"no such flow: report zero"`
	TW      heldTable     `port:"tw_" dir:"in"`
	CWSetWc vgen.Signal   `port:"cw_set_wc" dir:"in" width:"1" doc:"a context write sets Wc, held"`
	CWSetW  vgen.Signal   `port:"cw_set_w" dir:"in" width:"1" doc:"a context write sets W, held"`
	CWSetSt vgen.Signal   `port:"cw_set_stage" dir:"in" width:"1" doc:"a context write sets incStage, held"`
	CW      WindowContext `port:"cw_" dir:"in"`
	U       vgen.Signal   `port:"u" dir:"in" width:"u" doc:"U of the flow after this ACK"`
	Out     WindowContext `port:"m_" dir:"out"`
	Below   vgen.Signal   `port:"m_clamped_min" dir:"out" width:"1" doc:"W was raised to W_min"`
	Above   vgen.Signal   `port:"m_clamped_max" dir:"out" width:"1" doc:"W was lowered to W_max"`
	Rate    vgen.Signal   `port:"m_rate" dir:"out" width:"rate" doc:"pacing rate R = W / T, bytes a tick, in the last stage"`
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
	m.Doc("q = eta / U in "+f.Quot.String()+", or 1 where U < eta and incStage < maxStage; W = Wc * q + W_ai, clamped to W_min and W_max.",
		"One memory holds Wc, incStage and W of the flows, and eta, maxStage, W_ai, W_min, W_max and 1/T of the profiles.")
	w := pl.widths()
	ports := vgen.Ports[serialWindowPorts](m, w)
	ops := pl.operations(m, ports.Phase)
	s, ww := pl.window, f.Window.Width()
	m.SetTiming(pl.end-s, pl.interval)
	given := func(name string, sig vgen.Signal, from int) *held { return ops.value(name, sig, s, pl.until(from, s)) }
	ack, write, table := given("ack", ports.Ack, 1), given("write", ports.Write, 1), given("table", ports.Table, 1)
	index, profile := given("index", ports.Index, 1), ops.value("profile", ports.Profile, s-1, pl.until(2, s-1))
	react, commit, unknown := given("react", ports.React, pl.verdict), given("commit", ports.Commit, pl.verdict), given("unknown", ports.Unknown, pl.verdict)
	u := ops.value("u", ports.U, s, s+pl.interval-1)

	ab := windowAddrBits(c)
	width := max(ww+c.StageBits, f.Eta.Width(), f.InvT.Width())
	mem := newSerialMemory(m, "window_context", ab, width, "Wc with incStage, and W of the flows; entries of the profiles")
	entry := func(stage int, item int) access {
		low := vgen.Const(3, uint64(item))
		if profile != nil {
			low = vgen.Cat(ops.get(profile, stage), low)
		}
		return access{when: ops.at(stage), addr: vgen.Cat(vgen.Const(1, 1), low.Zext(ab-1))}
	}
	flow := func(stage int, which uint64) access {
		return access{when: ops.at(stage), addr: vgen.Cat(ops.get(index, stage), vgen.Const(1, which)).Zext(ab)}
	}
	const wordWc, wordW = 0, 1
	at, sumAt, done := pl.scale, pl.product, pl.decide
	word := mem.read("window_q", entry(s-1, itemEta), entry(at-2, itemStage), flow(at-1, wordWc), entry(sumAt-1, itemWAI),
		entry(sumAt, itemWMin), entry(sumAt+2, itemWMax), flow(sumAt+4, wordW), entry(done-1, itemInvRTT))

	// eta / U
	eta := word.Trunc(f.Eta.Width())
	div := vgen.Instantiate[lib.DividerPorts](m, "u_quotient_divider", pl.quotient)
	m.Assign(div.Num, eta)
	m.Assign(div.Den, ports.U)
	if div.Valid.Exists() {
		m.Assign(div.Valid, ops.at(s))
	}
	quotAt := s + pl.quotient.Latency()
	quot := ops.value("quotient", div.Quot, quotAt, quotAt)
	cw := max(f.U.Width(), f.Eta.Width())
	full := ops.reg("at_target", s, ops.get(u, s).Zext(cw).Ge(eta.Zext(cw)))

	// Wc q. Where W is not scaled, q is one.
	limit := ops.reg("max_stage", at-1, word.Trunc(c.StageBits))
	wc := ops.reg("wc_old", at, word.Trunc(ww))
	stage := word.Slice(ww+c.StageBits-1, ww)
	scale, counted := lib.StageStep(stage, ops.get(limit, at), ops.get(full, at))
	stageOld, stageUp := ops.reg("stage_old", at, stage), ops.reg("stage_up", at, counted)
	qb := scaleBits(c)
	one := vgen.Cat(vgen.Const(1, 1), vgen.Const(f.Quot.Frac, 0)).Zext(qb)
	q := ops.get(quot, at)
	scaled := lib.SerialProduct{Name: "scaled", Load: ops.at(at), Multiplier: vgen.Mux(scale, q.Zext(qb), one).Named("factor"),
		Multiplicand: wc.sig, Steps: qb, Shift: f.Quot.Frac}.Build(m)

	// W_ai, W_min, W_max, or W as it was.
	sw := max(scaled.Width(), ww) + 1
	sum := ops.reg("w_sum", sumAt, scaled.Zext(sw).Add(word.Trunc(ww).Zext(sw)))
	below := ops.reg("below_min", sumAt+1, sum.sig.Lt(word.Trunc(ww).Zext(sw)).And(ops.get(react, sumAt+1)))
	above := ops.reg("above_max", sumAt+3, sum.sig.Gt(word.Trunc(ww).Zext(sw)).And(ops.get(react, sumAt+3)))
	reacts := ops.get(react, sumAt+5)
	lower := ops.at(sumAt + 4).And(ops.get(above, sumAt+4)).And(ops.get(below, sumAt+4).Not())
	stays := ops.at(sumAt + 5).And(reacts.Not())
	first := ops.at(sumAt + 2)
	zero := ops.at(sumAt + 5).And(ops.get(unknown, sumAt+5)).Named("w_unknown")
	wNew := m.Reg("w_new", ww, vgen.Enable(first.Or(lower).Or(stays)))
	fromSum := first.And(ops.get(below, sumAt+2).Not()).Named("w_from_sum")
	m.Next(wNew, vgen.Mux(fromSum, sum.sig.Trunc(ww), word.Trunc(ww).And(zero.Not().Repeat(ww))))
	wOut := ops.value("w_new", wNew, done, done+pl.interval-5)

	// Decision and write back.
	commits := ops.get(commit, done).Named("commits")
	wcOut := vgen.Mux(commits, wNew, ops.get(wc, done).And(ops.get(unknown, done).Not().Repeat(ww))).Named("wc_new")
	stageOut := vgen.Mux(commits, ops.get(stageUp, done), ops.get(stageOld, done).And(ops.get(unknown, done).Not().Repeat(c.StageBits))).Named("stage_new")
	m.Assign(ports.Out.W, wNew)
	m.Assign(ports.Out.Wc, wcOut)
	m.Assign(ports.Out.Stage, stageOut)
	m.Assign(ports.Below, ops.get(below, done))
	m.Assign(ports.Above, ops.get(above, done))

	writes := func(stage int) vgen.Signal {
		return ifInRange(ops.get(write, stage), ops.get(index, stage), c.Flows)
	}
	setWc, setSt, setW := writes(done).And(ports.CWSetWc).Named("set_wc"), writes(done).And(ports.CWSetSt).Named("set_stage"), writes(done+1).And(ports.CWSetW).Named("set_w")
	wcWord := vgen.Cat(vgen.Mux(setSt, ports.CW.Stage, stageOut), vgen.Mux(setWc, ports.CW.Wc, wcOut))
	wWord := vgen.Mux(setW, ports.CW.W, ops.get(wOut, done+1))
	is := func(t config.Table) vgen.Signal { return ports.TW.Table.Eq(vgen.Const(tableBits, uint64(t))) }
	etaAt, restAt := pl.tableStages()
	twLow := ports.TW.Table.Trunc(3)
	if profile != nil {
		twLow = vgen.Cat(ports.TW.Index.Trunc(c.ProfileBits()), twLow)
	}
	twAddr := vgen.Cat(vgen.Const(1, 1), twLow.Zext(ab-1))
	rest := is(config.TableInvRTT).Or(is(config.TableStage)).Or(is(config.TableWAI)).Or(is(config.TableWMin)).Or(is(config.TableWMax))
	entryWrite := ops.at(etaAt).And(ops.get(table, etaAt)).And(is(config.TableEta)).Or(ops.at(restAt).And(ops.get(table, restAt)).And(rest))
	ackDone := ops.get(ack, done).And(commits)
	storeW := ops.get(ack, done+1).And(ops.get(react, done+1))
	mem.write(ports.Clear,
		access{ops.at(done).And(ackDone.Or(setWc).Or(setSt)), flow(done, wordWc).addr, wcWord.Zext(width)},
		access{ops.at(done + 1).And(storeW.Or(setW)), flow(done+1, wordW).addr, wWord.Zext(width)},
		access{entryWrite.Named("write_entry"), twAddr, trunc(ports.TW.Data, width)})
	ignoreRest(m, ports.TW, c.ProfileBits(), width)

	// Pacing rate.
	drop := f.Window.Frac + f.InvT.Frac - f.Rate.Frac
	rate := lib.SerialProduct{Name: "rate", Load: ops.at(done), Multiplier: word.Trunc(f.InvT.Width()), Multiplicand: wNew,
		Steps: f.InvT.Width(), Shift: drop}.Build(m)
	m.Assign(ports.Rate, lib.Saturate("rate_saturated", rate, f.Rate.Width()))
	m.Tap("quotient", q, at-s, "eta/U, "+f.Quot.String())
	m.Tap("window", wNew, done-s, "W after clamping, "+f.Window.String())
	return m
}

// tableStages are the stages in which the window's memory takes a table write: one for eta, one for the
// other entries. A write comes after the last reading of the operation before and ahead of the first of the
// one behind, and never together with that of a context.
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
