package nic

import (
	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// linkRecord is what is kept of a hop's telemetry.
type linkRecord struct {
	LinkID vgen.Signal `port:"link_id" width:"link" doc:"identifier of the egress link"`
	TS     vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx     vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen   vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
}

// linkDelta is what a hop's record says since the stored one.
type linkDelta struct {
	Live     vgen.Signal `port:"live" width:"1" doc:"the hop is on the path and its time has moved"`
	DTS      vgen.Signal `port:"dts" width:"dts" doc:"time since the stored record, ticks"`
	DTx      vgen.Signal `port:"dtx" width:"tx" doc:"bytes sent since, units"`
	Qmin     vgen.Signal `port:"qmin" width:"qlen" doc:"smaller of the two queues, units"`
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
}

type serialRecordsPorts struct {
	Phase vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Table vgen.Signal `port:"op_table" dir:"in" width:"1" doc:"a table write passes"`
	Index vgen.Signal `port:"op_index" dir:"in" width:"flow" doc:"flow of the operation"`
	TW    knownWrite  `port:"tw_rate_" dir:"in"`
	Nhop  vgen.Signal `port:"s_nhop" dir:"in" width:"nhop" doc:"telemetry records of the ACK"`
	Hop   []HopRecord `port:"s_hop%d_" count:"hops" dir:"in"`
	React vgen.Signal `port:"react" dir:"in" width:"1" doc:"the flow reacts"`
	Store vgen.Signal `port:"store" dir:"in" width:"1" doc:"the records are stored"`

	Delta    linkDelta   `port:"m_" dir:"out"`
	Stale    vgen.Signal `port:"any_stale" dir:"out" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime   vgen.Signal `port:"no_time" dir:"out" width:"1" doc:"no hop's timestamp has moved"`
	BadRate  vgen.Signal `port:"bad_rate" dir:"out" width:"1" doc:"a hop's rate code is unknown"`
	LinkDiff vgen.Signal `port:"link_differs" dir:"out" width:"link1" doc:"a hop's link is not the stored one"`
}

// serialRecords builds hpcc_records: the hops of an ACK one after the other against what is stored, and,
// after the verdict, one a cycle into the memory.
func serialRecords(pl *serialPlan) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_records", "Differences of the telemetry records of the hops, one after the other")
	m.Doc("A hop's stored record is read, and its differences stay in registers until those of the next hop.",
		"After the verdict the records are stored, a hop a cycle; that of a hop whose time has not moved stays as it was.")
	w := pl.widths()
	w["link1"] = min(c.Telemetry.LinkIDBits, 1)
	ports := vgen.Ports[serialRecordsPorts](m, w)
	ops := pl.operations(m, ports.Phase)
	hops := pl.hops(ops)
	m.SetTiming(pl.verdict, pl.interval)

	// The hop looked at: each for a gap, then each for a cycle.
	h := c.MaxHops
	word := ports.Hop[0]
	var number, pass vgen.Signal
	for j := range h {
		pass = orNext(pass, ops.at(pl.verdict+j))
	}
	pass = pass.Named("storing")
	used := ports.Nhop.AnyBit()
	addr := ports.Index
	if h > 1 {
		hb := bits.Len(uint(h - 1))
		var step vgen.Signal
		for i := 1; i < h; i++ {
			step = orNext(step, ops.at(i*pl.gap))
		}
		for j := range h - 1 {
			step = step.Or(ops.at(pl.verdict + j))
		}
		clear := ops.at(0).Or(ops.at(pl.verdict - 1))
		number = m.Reg("hop_q", hb, vgen.Reset(0), vgen.Control(), vgen.Enable(clear.Or(step)))
		m.Next(number, number.Add(vgen.Const(hb, 1)).And(clear.Not().Repeat(hb)))
		words := make([]vgen.Signal, h)
		for i := range ports.Hop {
			words[i] = vgen.Pack(&ports.Hop[i])
		}
		word = *vgen.Unpack(&ports.Hop[0], vgen.Select(number, words, words[h-1]).Named("hop_word"))
		used = ports.Nhop.Gt(number.Zext(config.NhopBits))
		addr = vgen.Cat(ports.Index, number)
	}
	used = used.Named("hop_used")

	like := linkRecord{word.LinkID, word.TS, word.Tx, word.Qlen}
	mem := m.Memory("records", 1<<addr.Width(), vgen.Pack(&like).Width(), "telemetry records").NoCollision()
	old := *vgen.Unpack(&like, mem.ReadEn("record_q", addr, hops.at(1)))
	const compare, flags = 2, 3

	dts := hops.reg("dts", compare, word.TS.Sub(old.TS)).sig
	dtx := hops.reg("dtx", compare, word.Tx.Sub(old.Tx)).sig
	less := word.Qlen.Lt(old.Qlen)
	qmin := hops.reg("qmin", compare, vgen.Mux(less, word.Qlen, old.Qlen)).sig
	moved := dts.AnyBit().Named("moved")
	live := used.And(moved).Named("live")
	m.Assign(ports.Delta.DTS, dts.Trunc(c.Telemetry.TSBits-1))
	m.Assign(ports.Delta.DTx, dtx)
	m.Assign(ports.Delta.Qmin, qmin)
	m.Assign(ports.Delta.Live, live)
	m.Assign(ports.Delta.RateCode, word.RateCode)

	// Flags over all hops of the ACK.
	over := func(name string, hit vgen.Signal) vgen.Signal {
		q := m.Reg(name, 1, vgen.Enable(hops.at(flags)))
		m.Next(q, hit.Or(q.And(ops.at(flags).Not())))
		return q
	}
	known := m.Reg("rate_known", c.RateCodes(), vgen.Reset(0), vgen.Control())
	write := ops.at(pl.verdict).And(ports.Table).And(ports.TW.Select).Named("rate_write")
	bit := vgen.Const(c.RateCodes(), 1).ShlBy(ports.TW.Index).And(write.Repeat(c.RateCodes())).Named("rate_bit")
	m.Next(known, vgen.Mux(ports.TW.Data, known.Or(bit), known.And(bit.Not())))
	shown := known.ShrBy(word.RateCode).Named("shown")
	m.Assign(ports.BadRate, over("bad_rate_q", used.And(shown.Bit(0).Not())))
	m.Assign(ports.Stale, over("any_stale_q", used.And(dts.Top())))
	m.Assign(ports.NoTime, over("any_moved_q", live).Not())
	if word.LinkID.Exists() {
		m.Assign(ports.LinkDiff, over("link_differs_q", used.And(word.LinkID.Ne(old.LinkID))))
	}

	// Which hops have moved, the first at the bottom once all are there.
	var kept vgen.Signal
	if h == 1 {
		kept = moved.Not()
	} else {
		q := m.Reg("moved_q", h, vgen.Enable(hops.at(flags).Or(pass)))
		m.Next(q, vgen.Cat(moved, q.Slice(h-1, 1)))
		kept = q.Bit(0).Not()
	}
	store := pass.And(ports.Store).And(used).And(ports.React.And(kept).Not()).Named("store_hop")
	mem.Write(store, addr, vgen.Pack(&like))
	return m
}
