package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// WindowContext is the part of a flow's context that the commit works on.
type WindowContext struct {
	Wc    vgen.Signal `port:"wc" width:"w" doc:"reference window, bytes"`
	W     vgen.Signal `port:"w" width:"w" doc:"window, bytes"`
	Stage vgen.Signal `port:"stage" width:"stage" doc:"incStage"`
}

type windowPorts struct {
	Op       engine.OpPorts
	TWInvRTT invRTTWrite                      `port:"tw_inv_rtt_" dir:"in"`
	TWEta    etaWrite                         `port:"tw_eta_" dir:"in"`
	TWStage  stageWrite                       `port:"tw_stage_" dir:"in"`
	TWWai    windowWrite                      `port:"tw_w_ai_" dir:"in"`
	TWWmin   windowWrite                      `port:"tw_w_min_" dir:"in"`
	TWWmax   windowWrite                      `port:"tw_w_max_" dir:"in"`
	CWSetWc  vgen.Signal                      `port:"cw_set_wc" dir:"in" width:"1" doc:"a context write sets Wc, held"`
	CWSetW   vgen.Signal                      `port:"cw_set_w" dir:"in" width:"1" doc:"a context write sets W, held"`
	CWSetSt  vgen.Signal                      `port:"cw_set_stage" dir:"in" width:"1" doc:"a context write sets incStage, held"`
	CW       WindowContext                    `port:"cw_" dir:"in"`
	React    vgen.Signal                      `port:"react" dir:"in" width:"1" doc:"W reacts to this ACK"`
	Commit   vgen.Signal                      `port:"commit" dir:"in" width:"1" doc:"Wc is updated by this ACK"`
	Unknown  vgen.Signal                      `port:"unknown" dir:"in" width:"1" doc:"no such flow: report zero"`
	Profile  vgen.Signal                      `port:"profile" dir:"in" width:"profile" doc:"profile of the flow"`
	U        vgen.Signal                      `port:"u" dir:"in" width:"u" doc:"U of the flow after this ACK"`
	Mem      engine.GroupPorts[WindowContext] `port:"wc_"`
	Out      WindowContext                    `port:"m_" dir:"out"`
	Below    vgen.Signal                      `port:"m_clamped_min" dir:"out" width:"1" doc:"W was raised to W_min, one stage before the others"`
	Above    vgen.Signal                      `port:"m_clamped_max" dir:"out" width:"1" doc:"W was lowered to W_max, one stage before the others"`
	Rate     vgen.Signal                      `port:"m_rate" dir:"out" width:"rate" doc:"pacing rate R = W / T, bytes a tick"`
}

// quotientDivider builds the divider of eta / U.
func quotientDivider(c *config.NIC) *vgen.Module {
	f := c.Formats
	return lib.Divider("quotient_divider", c.QuotientDivider, lib.DividerShape{
		NumBits:  f.Eta.Width(),
		DenBits:  f.U.Width(),
		QuotBits: f.Quot.Width(),
		Shift:    f.Quot.Frac,
		Signed:   !c.Serial,
		Bare:     true,
	}, limbsOf(c))
}

// windowBlock builds hpcc_window: W and R from U (draft Figure 5 and Figure 6, line 27).
// Operations are interval cycles apart.
func windowBlock(c *config.NIC, interval int, divider *vgen.Module) (*vgen.Module, engine.Loop) {
	f := c.Formats
	limbs := limbsOf(c)
	m := vgen.NewModule("hpcc_window", "Window and pacing rate from the average normalised inflight")
	m.Doc("q = eta / U in "+f.Quot.String()+"; W = Wc * q + W_ai when U >= eta or incStage >= maxStage, else Wc + W_ai;",
		"clamped to W_min and W_max. Only Wc * q and the logic after it lie between the read and the write of a flow's window.")
	w := widths(c)
	w["index"] = max(c.FlowBits(), c.ProfileBits())
	ports := vgen.Ports[windowPorts](m, w)
	p := lib.NewPipe(m)
	o := engine.NewOp(p, ports.Op, interval, c.Flows)
	t := engine.NewTables(m, p, o)
	ww := f.Window.Width()

	profile := p.Value("profile", 0, ports.Profile)
	u := p.Value("u", 0, ports.U)
	react, commit := p.Value("react", 0, ports.React), p.Value("commit", 0, ports.Commit)
	unknown := p.Value("unknown", 0, ports.Unknown)

	// eta / U
	const lookup, operands = 1, 2
	eta := t.Entry("eta", "eta of each profile", c.Profiles, lookup, &ports.TWEta, p.At(profile, lookup))
	etaIn, uIn := p.At(eta, operands), p.At(u, operands)
	div := vgen.Instantiate[lib.DividerPorts](m, "u_quotient_divider", divider)
	m.Assign(div.Num, etaIn)
	m.Assign(div.Den, uIn)
	if div.Valid.Exists() {
		m.Assign(div.Valid, o.Is(engine.Ack, operands))
	}
	quot := p.Value("quotient", operands+divider.Latency(), div.Quot)
	full := p.Reg("at_target", operands, lib.Less("below_target", uIn, etaIn).Not())
	m.StageDoc(eta.Stage, "eta of the flow's profile, for eta / U")
	m.StageDoc(full.Stage, "whether U is at or above its target: U >= eta")

	// The stored window arrives together with the quotient. Memory and multipliers stand where the part has them: at an
	// operation a cycle Wc passes a register on its way.
	at := quot.Stage
	read := at - 2
	if o.Dense {
		read--
	}
	p.Hold("wait", read, append([]lib.Value{react, commit, unknown, full, profile}, o.Values()...)...)
	m.Assign(ports.Mem.ReadAddr, o.Flow(read))
	wc := p.Reg("wc_old", read+1, ports.Mem.Read.Wc)
	wOld := p.Reg("w_old", read+1, ports.Mem.Read.W)
	stageOld := p.Reg("stage_old", read+1, ports.Mem.Read.Stage)
	// The value written back unless the ACK changes it: the stored one, that of a context write, or
	// nothing when the flow is cleared. Decided here, so that nothing is left to choose in front of the memory; and the
	// registers of Wc in front of its multipliers have no other reader.
	kept := func(name string, old lib.Value, sel, written vgen.Signal) lib.Value {
		s := old.Stage
		chosen := p.Reg(name+"_set", s-1, o.Is(engine.Write, s-1).And(sel), vgen.Reset(0))
		word := vgen.Mux(chosen.Signal, written, old.Signal)
		return p.Reg(name+"_kept", s, word.And(o.Is(engine.Clear, s).Not().Repeat(old.Width())))
	}
	wcKept := kept("wc", wc, ports.CWSetWc, ports.CW.Wc)
	wKept := kept("w", wOld, ports.CWSetW, ports.CW.W)
	stage := kept("stage", stageOld, ports.CWSetSt, ports.CW.Stage)
	step := stage.Stage
	m.StageDoc(wOld.Stage, "the flow's Wc, W and incStage, out of their memory")
	m.StageDoc(step, "stored values, kept unless the ACK changes them")
	limit := t.Entry("max_stage", "maxStage of each profile", c.Profiles, step-1, &ports.TWStage, p.At(profile, step-1))
	mi := p.Reg("multiply", step, p.At(full, step).Or(stage.Ge(p.At(limit, step))))
	stageUp := p.Reg("stage_up", step, lib.StageUp(stage.Signal))
	m.StageDoc(mi.Stage, "W scales by eta / U where U >= eta or incStage >= maxStage; else incStage counts on")
	var wai lib.Value
	increase := func(stage int) vgen.Signal {
		wai = t.Entry("w_ai", "W_ai of each profile", c.Profiles, stage-1, &ports.TWWai, p.At(profile, stage-1))
		return wai.Signal
	}
	// Both sums are kept until they have been compared: the choice between them would come before a carry chain.
	sum := p.ScaledSum("w_scaled", p.Operand(p.Later(wc, at)), p.Operand(quot), increase, f.Quot.Frac, limbs)
	s := sum.Stage - 1
	sumW := sum.Width()
	m.StageDoc(sum.Stage, "both candidates: Wc * eta / U + W_ai, with the rounding half added before, and Wc + W_ai")
	same := p.Reg("w_raised", s, p.At(wcKept, s).Zext(sumW).Add(p.At(wai, s).Zext(sumW)))
	wmin := t.Entry("w_min", "W_min of each profile", c.Profiles, s, &ports.TWWmin, p.At(profile, s))
	wmax := t.Entry("w_max", "W_max of each profile", c.Profiles, s, &ports.TWWmax, p.At(profile, s))
	s = sum.Stage
	reacts := p.At(react, s)
	scales := p.At(mi, s)
	// A borrow goes to a register and nowhere else: which of the two sums counts is looked at a cycle later.
	less := func(name string, a, b vgen.Signal) vgen.Signal { return p.Reg(name, s, lib.Less(name, a, b)).Signal }
	lowScaled, lowRaised := less("scaled_below_min", sum.Signal, wmin.Signal),
		less("raised_below_min", same.Signal, wmin.Signal)
	highScaled, highRaised := less("scaled_above_max", wmax.Signal, sum.Signal),
		less("raised_above_max", wmax.Signal, same.Signal)
	now := vgen.Mux(scales, sum.Signal.Fit(ww), same.Signal.Fit(ww)).Named("candidate")
	inside := p.Reg("w_inside", s, vgen.Mux(reacts, now, p.At(wKept, s)))
	m.StageDoc(inside.Stage, "the selected candidate, and both compared with the limits")
	wcInside := p.Reg("wc_inside", s, vgen.Mux(p.At(commit, s), now, p.At(wcKept, s)))
	s = inside.Stage
	scales, reacts = p.At(mi, s), p.At(react, s)
	commits := p.At(commit, s)
	low := vgen.Mux(scales, lowScaled, lowRaised).Named("candidate_below_min")
	high := vgen.Mux(scales, highScaled, highRaised).Named("candidate_above_max")
	below, above := p.Value("below_min", s, low.And(reacts).Named("below_min")),
		p.Value("above_max", s, high.And(reacts).Named("above_max"))
	clamped := func(inside, below, above vgen.Signal) vgen.Signal {
		return vgen.FirstOf(inside, vgen.When(below, p.At(wmin, s)), vgen.When(above, p.At(wmax, s)))
	}
	wNew := p.Reg("w_new", s, clamped(inside.Signal, below.Signal, above.Signal))
	wcNew := p.Reg("wc_new", s, clamped(wcInside.Signal, low.And(commits).Named("wc_below_min"),
		high.And(commits).Named("wc_above_max")))
	counted := p.At(stageUp, s).And(scales.Not().Repeat(c.StageBits))
	stageNew := p.Reg("stage_new", s, vgen.Mux(commits, counted, p.At(stage, s)))
	m.StageDoc(wNew.Stage, "W and Wc within W_min and W_max, written back")

	// Write back, from registers: the wires to the memory have a cycle to themselves.
	last := wNew.Stage
	put := p.At(react, s).And(o.Is(engine.Ack, s)).Or(o.Is(engine.Write, s)).Or(o.Is(engine.Clear, s))
	m.Assign(ports.Mem.WriteEn, p.Reg("write_en", s, o.InRange(put, s), vgen.Reset(0)).Signal)
	m.Assign(ports.Mem.WriteAddr, o.Flow(last))
	m.Assign(ports.Mem.Write.Wc, wcNew.Signal)
	m.Assign(ports.Mem.Write.W, wNew.Signal)
	m.Assign(ports.Mem.Write.Stage, stageNew.Signal)

	// Pacing rate. A result for no flow is zero.
	inv := t.Entry("inv_rtt", "1/T of each profile", c.Profiles, last-1, &ports.TWInvRTT, p.At(profile, last-1))
	rateP := p.MulApart("rate_product", p.Operand(wNew), p.Operand(inv), limbs)
	drop := f.Window.Frac + f.InvT.Frac - f.Rate.Frac
	saturated := p.RoundSaturated("rate", rateP, drop, f.Rate.Width())
	m.StageDoc(rateP.Stage, "R = W / T")
	m.StageDoc(saturated.Stage, "R rounded half up, saturated")
	s = saturated.Stage
	p.Hold("result", s, wNew, wcNew, stageNew, below, above, unknown)
	gone := p.At(unknown, s).Not()
	reported := func(name string, v vgen.Signal) lib.Value {
		return p.Reg(name, s, v.Where(gone))
	}
	rate := reported("rate_out", saturated.Signal)
	end := rate.Stage
	m.StageDoc(end, "reported values; zeros for a flow that does not exist")
	m.Assign(ports.Out.W, reported("w_out", p.At(wNew, s)).Signal)
	m.Assign(ports.Out.Wc, reported("wc_out", p.At(wcNew, s)).Signal)
	m.Assign(ports.Out.Stage, reported("stage_out", p.At(stageNew, s)).Signal)
	m.Assign(ports.Below, p.At(below, s))
	m.Assign(ports.Above, p.At(above, s))
	m.Assign(ports.Rate, rate.Signal)
	m.SetTiming(end, divider.Interval())
	m.Tap("quotient", quot.Signal, quot.Stage, "eta/U, "+f.Quot.String())
	m.Tap("window", wNew.Signal, wNew.Stage, "W after clamping, "+f.Window.String())
	return m, engine.Loop{Read: read, Write: last}
}
