package hpcc

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type serialHopPorts struct {
	Phase   vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear   engine.Clearing
	Table   vgen.Signal `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	TWRate  rateWrite   `port:"tw_rate_" dir:"in"`
	TWQueue queueWrite  `port:"tw_queue_" dir:"in"`
	Delta   hopDelta    `port:"s_" dir:"in"`
	Profile vgen.Signal `port:"s_profile" dir:"in" width:"profile" doc:"profile of the flow"`
	Live    vgen.Signal `port:"m_live" dir:"out" width:"1" doc:"the hop is on the path and its timestamp has changed"`
	U       vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"normalised inflight u' of the hop, 0 when it is not live"`
	DTS     vgen.Signal `port:"m_dts" dir:"out" width:"dts" doc:"time since the stored record, ticks"`
}

// serialHop builds hpcc_hop: u' = qmin / (B T) + dtx / (dts B), saturated (draft Figure 4, lines 4 and 5),
// of one hop after the other. What a hop leaves waiting while its quotient is worked out waits in a memory.
func serialHop(pl *serialPlan) *vgen.Module {
	c, f := pl.c, pl.c.Formats
	m := vgen.NewModule("hpcc_hop",
		"Normalised inflight of one hop after the other: queue and transmit rate over capacity")
	m.Doc("u' = qmin * InvBT + (dtx * InvB) / dts, each term rounded to "+f.U.String()+", the sum saturated.",
		"dtx * InvB is the time that the link was busy; divided by the time that passed it is the link's utilisation.")
	ports := vgen.Ports[serialHopPorts](m, pl.widths())
	hops := pl.hops(engine.NewSlots(m, ports.Phase))
	ops := engine.NewSlots(m, ports.Phase)
	in := ports.Delta
	m.SetTiming(pl.hopOut+1-pl.delta, pl.gap)

	m.Section("1/B and 1/(B T)")
	// A write is later than any hop of its own operation and earlier than those of the next.
	write := ops.At(pl.verdict).And(ports.Table).Named("write_table")
	tr, tq := ports.TWRate, ports.TWQueue
	lookUp := hops.At(pl.delta)
	rates := engine.NewSlotMemory(m, "inv_b_table", c.Telemetry.RateCodeBits, tr.Data.Width(), "1/B of each rate code")
	rates.Write(ports.Clear, engine.WriteAt(write.And(tr.Select), tr.Index, tr.Data))
	invB := rates.Read("inv_b_q", engine.ReadAt(lookUp, in.RateCode))
	queues := engine.NewSlotMemory(m, "inv_bt_table", c.TableIndexBits(), tq.Data.Width(),
		"1/(B T) of each rate code and profile")
	queues.Write(ports.Clear, engine.WriteAt(write.And(tq.Select), tq.Index, tq.Data))
	invBT := queues.Read("inv_bt_q", engine.ReadAt(lookUp, tableIndex(c, in.RateCode, ports.Profile)))

	m.Section("(dtx * 1/B) / dts, a bit of dtx a cycle")
	// The entries are registered: a memory's output is late in its cycle.
	load := pl.delta + 1
	entry := func(name string, s vgen.Signal) vgen.Signal { return hops.Reg(name, load, s).Sig }
	given := func(name string, s vgen.Signal) vgen.Signal {
		return hops.Get(hops.Value(name, s, pl.delta, pl.delta+pl.gap-1), load)
	}
	busy := lib.SerialProduct{
		Name: "busy", Load: hops.At(load), Multiplier: given("dtx", in.DTx), Multiplicand: entry("inv_b", invB),
		Steps: pl.gap - 1,
	}.Build(m)
	dts := hops.Value("dts", in.DTS, pl.delta, pl.delta+pl.gap-1)
	div := vgen.Instantiate[lib.DividerPorts](m, "u_hop_divider", pl.divider)
	m.Assign(div.Num, busy)
	m.Assign(div.Den, hops.Get(dts, pl.ratio))
	if div.Valid.Exists() {
		m.Assign(div.Valid, hops.At(pl.ratio))
	}
	rate := hops.Value("tx_share", div.Quot, pl.ratio+pl.divider.Latency(), pl.ratio+pl.divider.Latency())

	m.Section("qmin * 1/(B T), a bit of qmin a cycle")
	queueAt := pl.queueStage()
	uw := f.U.Width()
	queue := lib.Saturate("queue_share", lib.SerialProduct{Name: "queue", Load: hops.At(load),
		Multiplier:   given("qmin", in.Qmin),
		Multiplicand: entry("inv_bt", invBT), Steps: pl.gap - 1, Shift: f.InvBT.Frac - f.U.Frac}.Build(m), uw)

	m.Section("Operands that wait for the quotient")
	// Two words of a hop: the queue's part, and the time difference.
	live := hops.Get(hops.Reg("live", pl.delta, in.Live), queueAt)
	dtsAt := pl.delta
	for pl.hopsMeet(dtsAt, queueAt) {
		dtsAt++
	}
	out := pl.hopOut
	depth := bits.Len(uint((out-pl.delta)/pl.gap + 2))
	width := max(uw+1, dts.Sig.Width())
	place := func(name string, stage int) vgen.Signal {
		return engine.Counter(m, name, depth, -pl.phantoms(stage), hops.At(stage))
	}
	waiting := m.Memory("waiting", 2<<depth, width,
		"of each hop in the divider: the queue's part of u' and whether the hop is live; its time difference").NoCollision()
	second := hops.At(dtsAt)
	data := vgen.Mux(second, hops.Get(dts, dtsAt).Zext(width), vgen.Cat(live, queue).Zext(width))
	where := vgen.Mux(second, vgen.Cat(place("dts_place_q", dtsAt), vgen.Const(1, 1)),
		vgen.Cat(place("queue_place_q", queueAt), vgen.Const(1, 0)))
	waiting.Write(second.Or(hops.At(queueAt)), where, data)
	readU, readDTS := hops.At(out-1), hops.At(out)
	left := waiting.ReadEn("waited", vgen.Cat(place("out_place_q", out), readDTS), readU.Or(readDTS))

	m.Section("u'")
	sum := lib.SaturatingAdd("inflight", left.Trunc(uw), hops.Get(rate, out), uw)
	waited := left.Bit(uw)
	m.Assign(ports.Live, hops.Reg("live_out", out, waited).Sig)
	m.Assign(ports.U, hops.Reg("u", out, sum.And(waited.Repeat(uw))).Sig)
	m.Assign(ports.DTS, left.Trunc(dts.Sig.Width()))
	return m
}

type serialMaxPorts struct {
	Phase vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Live  vgen.Signal `port:"s_live" dir:"in" width:"1" doc:"the hop counts; at least one hop does"`
	U     vgen.Signal `port:"s_u" dir:"in" width:"u" doc:"normalised inflight of a hop"`
	DTS   vgen.Signal `port:"s_dts" dir:"in" width:"dts" doc:"its time difference, ticks"`
	UMax  vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"largest normalised inflight"`
	Tau   vgen.Signal `port:"m_tau" dir:"out" width:"dts" doc:"time difference of that hop, ticks"`
}

// serialMax builds hop_max: the largest u' of the live hops and the time difference of its hop; of equal
// ones the first (draft Figure 4, lines 6 and 7). The maximum grows hop by hop. A hop that is not live comes with
// an u' of 0, and gives way to any that is.
func serialMax(pl *serialPlan) *vgen.Module {
	m := vgen.NewModule("hop_max", "Largest normalised inflight of the path; the first of equal ones")
	ports := vgen.Ports[serialMaxPorts](m, pl.widths())
	ops := engine.NewSlots(m, ports.Phase)
	hops := pl.hops(ops)
	at := pl.hopOut + 1
	larger := m.Reg("larger_q", 1)
	take := hops.At(at + 1).And(larger).Named("take")
	u := m.RegNext("u_q", vgen.Cat(ports.U, ports.Live), vgen.Enable(take))
	m.Next(larger, ops.At(at).Or(vgen.Cat(ports.U, ports.Live).Gt(u)))
	m.Assign(ports.UMax, u.Slice(u.Width()-1, 1))
	m.Assign(ports.Tau, m.RegNext("tau_q", ports.DTS, vgen.Enable(take)))
	m.SetTiming(2, pl.gap)
	return m
}

// tableIndex is the index of an entry for each rate code and profile; where there is one profile it has no part.
func tableIndex(c *config.NIC, code, profile vgen.Signal) vgen.Signal {
	if profile.Exists() {
		code = vgen.Cat(code, profile)
	}
	return code.Fit(c.TableIndexBits())
}
