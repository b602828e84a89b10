package hpcc

import (
	"fmt"

	"math/bits"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// linkRecord is the stored part of a hop's telemetry.
type linkRecord struct {
	LinkID vgen.Signal `port:"link_id" width:"link" doc:"identifier of the egress link"`
	TS     vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx     vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen   vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
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

	Delta    hopDelta    `port:"m_" dir:"out"`
	Stale    vgen.Signal `port:"any_stale" dir:"out" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime   vgen.Signal `port:"no_time" dir:"out" width:"1" doc:"no hop's timestamp has moved"`
	BadRate  vgen.Signal `port:"bad_rate" dir:"out" width:"1" doc:"a hop's rate code is unknown"`
	LinkDiff vgen.Signal `port:"link_differs" dir:"out" width:"link1" doc:"a hop's link is not the stored one"`
}

// serialRecords builds hpcc_records: compares the hops of an ACK, one after the other, with the stored records, and,
// after the verdict, one a cycle into the memory.
func serialRecords(pl *serialPlan) *vgen.Module {
	c := pl.c
	m := vgen.NewModule("hpcc_records", "Differences of the telemetry records of the hops, one after the other")
	m.Doc("A hop's stored record is read, and its differences stay in registers until those of the next hop.",
		"Each record waits, in a spare word, for the verdict and the transfer of its ACK. After that the records are stored, a hop a cycle;",
		"the record of a hop whose timestamp is unchanged stays.")
	w := pl.widths()
	w["link1"] = min(c.Telemetry.LinkIDBits, 1)
	ports := vgen.Ports[serialRecordsPorts](m, w)
	ops := engine.NewSlots(m, ports.Phase)
	hops := pl.hops(ops)
	m.SetTiming(pl.verdict, pl.interval)

	m.Section("The current hop: each for a gap, after the verdict each for a cycle")
	h := c.MaxHops
	word := ports.Hop[0]
	hb := bits.Len(uint(h)) // number h is that of the words in which records wait
	number := vgen.Const(hb, 0)
	var storing vgen.Signal
	for j := range h {
		storing = vgen.AnyOf(storing, ops.At(pl.verdict+1+j))
	}
	storing = storing.Named("storing")
	used := ports.Nhop.AnyBit()
	if h > 1 {
		var step vgen.Signal
		for i := 1; i < h; i++ {
			step = vgen.AnyOf(step, ops.At(i*pl.gap))
		}
		for j := range h - 1 {
			step = step.Or(ops.At(pl.verdict + j))
		}
		clear := ops.At(0).Or(ops.At(pl.verdict - 1)).Named("hop_starts")
		number = m.Reg("hop_q", hb, vgen.Reset(0), vgen.Control(), vgen.Enable(clear.Or(step)))
		m.Next(number, number.Add(vgen.Const(hb, 1)).And(clear.Not().Repeat(hb)))
		words := make([]vgen.Signal, h)
		for i := range ports.Hop {
			words[i] = vgen.Pack(&ports.Hop[i]).Named(fmt.Sprintf("hop%d_word", i))
		}
		word = *vgen.Unpack(&ports.Hop[0], vgen.Select(number, words, words[h-1]).Named("hop_word"))
		used = ports.Nhop.Gt(number.Zext(config.NhopBits))
	}
	used = used.Named("hop_used")

	m.Section("Stored record, and the differences")
	like := linkRecord{word.LinkID, word.TS, word.Tx, word.Qlen}
	recordBits := vgen.Pack(&like).Width()
	fb := max(c.FlowBits(), hb)
	const compare, flags = 2, 3
	moved := m.Wire("moved", 1)
	waiting := vgen.Cat(number.Zext(fb), vgen.Const(hb, uint64(h))).Named("waiting_address")
	const doc = "telemetry records; the upper two bits of one that waits: its hop is on the path, and its time has moved"
	mem := m.Memory("records", 1<<(fb+hb), recordBits+2, doc).NoCollision()
	var again vgen.Signal
	for j := range h {
		again = vgen.AnyOf(again, ops.At(pl.verdict+j))
	}
	again = again.Named("reading_again")
	read := mem.ReadEn("record_q", vgen.Mux(again, waiting, vgen.Cat(ports.Index.Zext(fb), number)), hops.At(1).Or(again))
	old := *vgen.Unpack(&like, read.Trunc(recordBits))

	dts := hops.Reg("dts", compare, word.TS.Sub(old.TS)).Sig
	dtx := hops.Reg("dtx", compare, word.Tx.Sub(old.Tx)).Sig
	less := word.Qlen.Lt(old.Qlen)
	qmin := hops.Reg("qmin", compare, vgen.Mux(less, word.Qlen, old.Qlen)).Sig
	m.Assign(moved, dts.AnyBit())
	live := used.And(moved).Named("live")
	m.Assign(ports.Delta.DTS, dts.Trunc(c.Telemetry.TSBits-1))
	m.Assign(ports.Delta.DTx, dtx)
	m.Assign(ports.Delta.Qmin, qmin)
	m.Assign(ports.Delta.Live, live)
	m.Assign(ports.Delta.RateCode, word.RateCode)

	m.Section("Flags over all hops of the ACK")
	over := func(name string, hit vgen.Signal) vgen.Signal {
		q := m.Reg(name, 1, vgen.Enable(hops.At(flags)))
		m.Next(q, hit.Or(q.And(ops.At(flags).Not())))
		return q
	}
	known := m.State("rate_known", c.RateCodes())
	write := ops.At(pl.verdict).And(ports.Table).And(ports.TW.Select).Named("rate_write")
	bit := lib.OneHot(c.RateCodes(), ports.TW.Index).And(write.Repeat(c.RateCodes())).Named("rate_bit")
	m.Next(known, vgen.Mux(ports.TW.Data, known.Or(bit), known.And(bit.Not())))
	shown := known.ShrBy(word.RateCode).Named("shown")
	m.Assign(ports.BadRate, over("bad_rate_q", used.And(shown.Bit(0).Not())))
	m.Assign(ports.Stale, over("any_stale_q", used.And(dts.Top())))
	m.Assign(ports.NoTime, over("any_moved_q", live).Not())
	if word.LinkID.Exists() {
		m.Assign(ports.LinkDiff, over("link_differs_q", used.And(word.LinkID.Ne(old.LinkID))))
	}

	m.Section("Records that waited are stored, a cycle after their reading")
	last := number
	if h > 1 {
		last = m.RegNext("hop_before", number)
	}
	wanted := read.Bit(recordBits + 1).And(ports.React.Not().Or(read.Bit(recordBits))).Named("wanted")
	store := storing.And(ports.Store).And(wanted).Named("store_hop")
	waits := hops.At(flags)
	mem.Write(store.Or(waits), vgen.Mux(storing, vgen.Cat(ports.Index.Zext(fb), last), waiting),
		vgen.Mux(storing, read, vgen.Cat(used, moved, vgen.Pack(&like))))
	return m
}
