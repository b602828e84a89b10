package nic

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type serialHopPorts struct {
	Phase   vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear   clearing
	Table   vgen.Signal `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	TWRate  rateWrite   `port:"tw_rate_" dir:"in"`
	TWQueue queueWrite  `port:"tw_queue_" dir:"in"`
	Delta   linkDelta   `port:"s_" dir:"in"`
	Profile vgen.Signal `port:"s_profile" dir:"in" width:"profile" doc:"profile of the flow"`
	U       vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"normalised inflight u' of the hop, 0 when it is not live"`
	DTS     vgen.Signal `port:"m_dts" dir:"out" width:"dts" doc:"time since the stored record, ticks"`
}

// serialHop builds hpcc_hop: u' = qmin / (B T) + dtx / (dts B), saturated (draft Figure 4, lines 4 and 5),
// of one hop after the other. What a hop leaves waiting while its quotient is worked out waits in a memory.
func serialHop(pl *serialPlan) *vgen.Module {
	c, f := pl.c, pl.c.Formats
	m := vgen.NewModule("hpcc_hop", "Normalised inflight of one hop after the other: queue and transmit rate over capacity")
	m.Doc("u' = qmin * InvBT + (dtx * InvB) / dts, each term rounded to "+f.U.String()+", the sum saturated.",
		"dtx * InvB is the time that the link was busy; divided by the time that passed it is the link's utilisation.")
	ports := vgen.Ports[serialHopPorts](m, pl.widths())
	hops := pl.hops(pl.operations(m, ports.Phase))
	ops := pl.operations(m, ports.Phase)
	in := ports.Delta
	m.SetTiming(pl.hopOut+1-pl.delta, pl.gap)

	// Tables; a write is later than any hop of its own operation and earlier than those of the next.
	write := ops.at(pl.verdict).And(ports.Table).Named("write_table")
	tr, tq := ports.TWRate, ports.TWQueue
	lookUp := hops.at(pl.delta)
	rates := newSerialMemory(m, "inv_b_table", c.Telemetry.RateCodeBits, tr.Data.Width(), "1/B of each rate code")
	rates.write(ports.Clear, access{write.And(tr.Select), tr.Index, tr.Data})
	invB := rates.read("inv_b_q", access{when: lookUp, addr: in.RateCode})
	queues := newSerialMemory(m, "inv_bt_table", c.TableIndexBits(), tq.Data.Width(), "1/(B T) of each rate code and profile")
	queues.write(ports.Clear, access{write.And(tq.Select), tq.Index, tq.Data})
	invBT := queues.read("inv_bt_q", access{when: lookUp, addr: wordAddr(c.TableIndexBits(), in.RateCode, ports.Profile)})

	// Transmit rate over capacity.
	// The entries go through registers: a memory's output is late in its cycle.
	load := pl.delta + 1
	entry := func(name string, s vgen.Signal) vgen.Signal { return hops.reg(name, load, s).sig }
	given := func(name string, s vgen.Signal) vgen.Signal {
		return hops.get(hops.value(name, s, pl.delta, pl.delta+pl.gap-1), load)
	}
	busy := lib.SerialProduct{Name: "busy", Load: hops.at(load), Multiplier: given("dtx", in.DTx), Multiplicand: entry("inv_b", invB),
		Steps: pl.gap - 1}.Build(m)
	dts := hops.value("dts", in.DTS, pl.delta, pl.delta+pl.gap-1)
	div := vgen.Instantiate[lib.DividerPorts](m, "u_hop_divider", pl.divider)
	m.Assign(div.Num, busy)
	m.Assign(div.Den, hops.get(dts, pl.ratio))
	if div.Valid.Exists() {
		m.Assign(div.Valid, hops.at(pl.ratio))
	}
	rate := hops.value("tx_share", div.Quot, pl.ratio+pl.divider.Latency(), pl.ratio+pl.divider.Latency())

	// Queue over capacity times T.
	queueAt := pl.queueStage()
	uw := f.U.Width()
	queue := lib.Saturate("queue_share", lib.SerialProduct{Name: "queue", Load: hops.at(load), Multiplier: given("qmin", in.Qmin),
		Multiplicand: entry("inv_bt", invBT), Steps: pl.gap - 1, Shift: f.InvBT.Frac - f.U.Frac}.Build(m), uw)

	// Two words of a hop wait for its quotient: the queue's part, and the time difference.
	live := hops.get(hops.reg("live", pl.delta, in.Live), queueAt)
	dtsAt := pl.delta
	for pl.hopsMeet(dtsAt, queueAt) {
		dtsAt++
	}
	out := pl.hopOut
	depth := bits.Len(uint((out-pl.delta)/pl.gap + 2))
	width := max(uw+1, dts.sig.Width())
	place := func(name string, stage int) vgen.Signal {
		return counter(m, name, depth, -pl.phantoms(stage), hops.at(stage))
	}
	waiting := m.Memory("waiting", 2<<depth, width, "of each hop in the divider: the queue's part of u' and whether the hop is live; its time difference").NoCollision()
	second := hops.at(dtsAt)
	data := vgen.Mux(second, hops.get(dts, dtsAt).Zext(width), vgen.Cat(live, queue).Zext(width))
	where := vgen.Mux(second, vgen.Cat(place("dts_place_q", dtsAt), vgen.Const(1, 1)), vgen.Cat(place("queue_place_q", queueAt), vgen.Const(1, 0)))
	waiting.Write(second.Or(hops.at(queueAt)), where, data)
	readU, readDTS := hops.at(out-1), hops.at(out)
	left := waiting.ReadEn("waited", vgen.Cat(place("out_place_q", out), readDTS), readU.Or(readDTS))

	sum := lib.SaturatingAdd("inflight", left.Trunc(uw), hops.get(rate, out), uw)
	m.Assign(ports.U, hops.reg("u", out, sum.And(left.Bit(uw).Repeat(uw))).sig)
	m.Assign(ports.DTS, left.Trunc(dts.sig.Width()))
	return m
}

type serialMaxPorts struct {
	Phase vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	U     vgen.Signal `port:"s_u" dir:"in" width:"u" doc:"normalised inflight of a hop"`
	DTS   vgen.Signal `port:"s_dts" dir:"in" width:"dts" doc:"its time difference, ticks"`
	UMax  vgen.Signal `port:"m_u" dir:"out" width:"u" doc:"largest normalised inflight"`
	Tau   vgen.Signal `port:"m_tau" dir:"out" width:"dts" doc:"time difference of that hop, ticks"`
}

// serialMax builds hop_max: the largest u' of the path and the time difference of its hop; of equal
// ones the first (draft Figure 4, lines 6 and 7). The maximum grows hop by hop.
func serialMax(pl *serialPlan) *vgen.Module {
	m := vgen.NewModule("hop_max", "Largest normalised inflight of the path; of equal ones the first")
	ports := vgen.Ports[serialMaxPorts](m, pl.widths())
	ops := pl.operations(m, ports.Phase)
	hops := pl.hops(ops)
	at := pl.hopOut + 1
	larger := m.Reg("larger_q", 1)
	take := hops.at(at + 1).And(larger).Named("take")
	u := m.RegNext("u_q", ports.U, vgen.Enable(take))
	m.Next(larger, ops.at(at).Or(ports.U.Gt(u)))
	m.Assign(ports.UMax, u)
	m.Assign(ports.Tau, m.RegNext("tau_q", ports.DTS, vgen.Enable(take)))
	m.SetTiming(2, pl.gap)
	return m
}
