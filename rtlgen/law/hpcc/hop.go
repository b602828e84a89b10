package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type hopPorts struct {
	Op      engine.OpPorts
	TWRate  rateWrite   `port:"tw_rate_" dir:"in"`
	TWQueue queueWrite  `port:"tw_queue_" dir:"in"`
	Start   vgen.Signal `port:"s_valid" dir:"in" width:"start" role:"valid" doc:"a hop's differences are in"`
	Delta   hopDelta    `port:"s_" dir:"in"`
	Profile vgen.Signal `port:"s_profile" dir:"in" width:"profile" doc:"profile of the flow"`
	Live    vgen.Signal `port:"m_live" dir:"out" width:"1" doc:"the hop is on the path and its timestamp has changed"`
	U       vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"normalised inflight u' of the hop, 0 when it is not live"`
	DTS     vgen.Signal `port:"m_dts" dir:"out" width:"dts" doc:"time since the stored record, ticks"`
}

// limbsOf is how wide multiplications are cut: for the multiplier blocks of the target at line rate, and for those of
// an iCE40 UltraPlus in small designs.
func limbsOf(c *config.NIC) lib.Limbs {
	if c.Serial {
		return lib.Square(16)
	}
	return lib.LimbsOf(c.Multiplier)
}

// hopBlock builds hpcc_hop: u' = qmin / (B T) + dtx / (dts B), saturated (draft Figure 4, lines 4 and 5).
func hopBlock(c *config.NIC) (block, divider *vgen.Module) {
	f := c.Formats
	limbs := limbsOf(c)
	divider = lib.Divider("hop_divider", c.HopDivider, lib.DividerShape{
		NumBits:  c.Telemetry.TxBits + f.InvB.Width(),
		DenBits:  c.Telemetry.TSBits - 1,
		QuotBits: f.U.Width(),
		Shift:    f.U.Frac - f.InvB.Frac,
		Signed:   true,
		Bare:     true,
	}, limbs)

	m := vgen.NewModule("hpcc_hop", "Normalised inflight of one hop: queue and transmit rate over capacity")
	m.Doc("u' = qmin * InvBT + (dtx * InvB) / dts, each term rounded to "+f.U.String()+", the sum saturated.",
		"dtx * InvB is the time that the link was busy; divided by the time that passed it is the link's utilisation.")
	w := widths(c)
	w["index"] = c.TableIndexBits()
	w["start"] = 0
	if c.HopDivider.Kind == config.RestoringSerial {
		w["start"] = 1
	}
	ports := vgen.Ports[hopPorts](m, w)
	p := lib.NewPipe(m)
	o := engine.NewOp(p, ports.Op, 1, c.Flows)
	t := engine.NewTables(m, p, o)

	queueIndex := ports.Delta.RateCode
	if ports.Profile.Exists() {
		queueIndex = vgen.Cat(ports.Delta.RateCode, ports.Profile)
	}
	// The larger table may become a block memory: its word passes registers on its way
	const lookup, operands, queueOperands = 1, 2, 5
	rateAt := p.At(p.Value("rate_code", 0, ports.Delta.RateCode), lookup)
	queueAt := p.At(p.Value("queue_index", 0, queueIndex), lookup)
	invB := t.Entry("inv_b", "1/B of each rate code", c.RateCodes(), lookup, &ports.TWRate, rateAt)
	invBT := t.Entry("inv_bt", "1/(B T) of each rate code and profile", c.RateCodes()*c.Profiles, lookup, &ports.TWQueue,
		queueAt)
	ready := func(name string, v lib.Value, stage int) lib.Value { return p.Value(name, stage, p.At(v, stage)) }
	dtx := ready("dtx_in", p.Value("dtx", 0, ports.Delta.DTx), operands)
	qmin := ready("qmin_in", p.Value("qmin", 1, ports.Delta.Qmin), queueOperands)
	dts := p.Value("dts", 0, ports.Delta.DTS)
	live := p.Value("live", 0, ports.Delta.Live)

	// Transmit rate over capacity.
	busy := p.Mul("busy", p.Operand(dtx), p.Operand(ready("inv_b_in", invB, operands)), limbs)
	div := vgen.Instantiate[lib.DividerPorts](m, "u_hop_divider", divider)
	m.Assign(div.Num, busy.Signal)
	m.Assign(div.Den, p.At(dts, busy.Stage))
	if div.Valid.Exists() {
		m.Assign(div.Valid, p.At(p.Value("start", 0, ports.Start), busy.Stage, vgen.Reset(0)))
	}
	rate := p.Value("tx_share", busy.Stage+divider.Latency(), div.Quot)
	m.StageDoc(invB.Stage, "1/B of the hop's link, and 1/(B T)")
	m.StageDoc(busy.Stage, "busy = dtx * 1/B: the time that the link was busy")
	m.StageDoc(busy.Stage+1, "busy / dts, the share of the time")

	// Queue over capacity times T, added to it.
	p.Hold("wait", rate.Stage, live, dts)
	sum := p.MulAdd("inflight", qmin, ready("inv_bt_in", invBT, queueOperands), rate, f.InvBT.Frac-f.U.Frac, limbs)
	u := p.Reg("u", sum.Stage, sum.And(p.At(live, sum.Stage).Repeat(f.U.Width())))
	m.StageDoc(sum.Stage, "u' = qmin * 1/(B T) + busy / dts, saturated")
	m.StageDoc(u.Stage, "a hop that is not live has u' = 0")
	m.Assign(ports.Live, p.At(live, u.Stage))
	m.Assign(ports.U, u.Signal)
	m.Assign(ports.DTS, p.At(dts, u.Stage))
	m.SetTiming(u.Stage, divider.Interval())
	return m, divider
}
