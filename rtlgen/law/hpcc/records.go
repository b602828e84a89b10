package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// StoredRecord is what is kept of a hop's telemetry.
type StoredRecord struct {
	TS   vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx   vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
}

// recordHop is what the records block needs of a hop.
type recordHop struct {
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
	TS       vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx       vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen     vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
}

// recordMemory is the port to the memory of records: one memory a hop, side by side. The word read answers an address
// one cycle later.
type recordMemory struct {
	ReadAddr  vgen.Signal    `port:"rd_addr" dir:"out" width:"flow" doc:"record read"`
	WriteAddr vgen.Signal    `port:"wr_addr" dir:"out" width:"flow" doc:"record written"`
	Lane      []recordAccess `port:"hop%d_" count:"hops"`
}

type recordAccess struct {
	Read    StoredRecord `port:"rd_" dir:"in"`
	WriteEn vgen.Signal  `port:"wr_en" dir:"out" width:"1" doc:"write"`
	Write   StoredRecord `port:"wr_" dir:"out"`
}

// hopDelta is what a hop's record says since the stored one.
type hopDelta struct {
	Live     vgen.Signal `port:"live" width:"1" doc:"the hop is on the path and its time has moved"`
	DTS      vgen.Signal `port:"dts" width:"dts" doc:"time since the stored record, ticks"`
	DTx      vgen.Signal `port:"dtx" width:"tx" doc:"bytes sent since, units"`
	Qmin     vgen.Signal `port:"qmin" width:"qlen" doc:"smaller of the two queues, units"`
	RateCode vgen.Signal `port:"rate_code" width:"code" doc:"code of the egress link's rate"`
}

type recordsPorts struct {
	Valid  vgen.Signal  `port:"op_valid" dir:"in" width:"1" role:"valid" doc:"an operation enters"`
	Index  vgen.Signal  `port:"op_index" dir:"in" width:"flow" doc:"flow"`
	Nhop   vgen.Signal  `port:"s_nhop" dir:"in" width:"nhop" doc:"telemetry records of the ACK"`
	Hop    []recordHop  `port:"s_hop%d_" count:"hops" dir:"in"`
	Mem    recordMemory `port:"rc_"`
	React  vgen.Signal  `port:"react" dir:"in" width:"1" doc:"the flow reacts, in the last stage but one"`
	Store  vgen.Signal  `port:"store" dir:"in" width:"1" doc:"the records are stored, in the last stage but one"`
	Start  vgen.Signal  `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"the differences of a hop are out"`
	Delta  []hopDelta   `port:"m_hop%d_" count:"hops" dir:"out"`
	Stale  vgen.Signal  `port:"any_stale" dir:"out" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime vgen.Signal  `port:"no_time" dir:"out" width:"1" doc:"no hop's timestamp has moved"`
}

// recordsTiming says when the outputs of a records block are out, in stages of its operation.
type recordsTiming struct {
	delta   int // differences of the hops
	verdict int // any_stale and no_time
	group   engine.Loop
}

// delta computes the differences between an ACK's record and the stored one, all of one stage. The smaller queue is
// there a stage later than the rest.
func delta(
	c *config.NIC, p *lib.Pipe, tag string, stage int, ack recordHop, stored StoredRecord,
) (d hopDelta, stale, same vgen.Signal) {
	dts := p.Reg(tag+"dts", stage, ack.TS.Sub(stored.TS))
	d.DTS = dts.Slice(c.Telemetry.TSBits-2, 0)
	d.DTx = p.Reg(tag+"dtx", stage, ack.Tx.Sub(stored.Tx)).Signal
	less := p.Reg(tag+"shorter", stage, lib.Less(tag+"shorter", ack.Qlen, stored.Qlen))
	now, then := p.Reg(tag+"qlen_now", stage, ack.Qlen), p.Reg(tag+"qlen_then", stage, stored.Qlen)
	d.Qmin = p.Reg(tag+"qmin", stage+1, vgen.Mux(less.Signal, now.Signal, then.Signal)).Signal
	d.RateCode = p.Reg(tag+"code", stage, ack.RateCode).Signal
	// Equal time stamps are found in two steps, of which the second is in front of what asks.
	const piece = 8
	for low := 0; low < c.Telemetry.TSBits; low += piece {
		high := min(low+piece, c.Telemetry.TSBits) - 1
		equal := p.Reg(fmt.Sprintf("%ssame_%d", tag, low), stage, ack.TS.Slice(high, low).Eq(stored.TS.Slice(high, low)))
		same = vgen.AllOf(same, equal.Signal)
	}
	return d, dts.Top(), same.Named(tag + "same")
}

// recordsBlock builds hpcc_records with a lane for each hop. payload is the stage at which the ACK is there.
func recordsBlock(c *config.NIC, payload int) (*vgen.Module, recordsTiming) {
	m := vgen.NewModule("hpcc_records", "Differences of the telemetry records of all hops, side by side")
	m.Doc(
		"The stored records are read in stage 1 and written back in the last stage; the record of a hop whose time has not moved stays.")
	ports := vgen.Ports[recordsPorts](m, widths(c))
	p := lib.NewPipe(m)
	valid := p.Value("op_valid", 0, ports.Valid)
	index := p.Value("op_index", 0, ports.Index)
	nhop := p.Value("nhop", payload, ports.Nhop)

	// What is read passes a register after that of the memory: from there to where it is compared is a long way.
	const read, compare, out, flags, verdict, last = 1, 4, 5, 6, 7, 8 // in the last one wires go to five memories and more
	m.SetTiming(last, 1)
	m.StageDoc(compare+1, "each hop since its stored record: dts, dtx, which queue is shorter; equal time stamps by "+
		"byte")
	m.StageDoc(out+1, "qmin, the smaller queue; is a hop's dts negative, which is stale, and has any hop's time moved?")
	m.StageDoc(last, "which records are written: when the flow reacts, not those of hops whose time has not moved")
	m.Assign(ports.Mem.ReadAddr, p.At(index, read))
	m.Assign(ports.Mem.WriteAddr, p.At(index, last))
	var anyStale, anyMoved vgen.Signal
	for i, h := range ports.Hop {
		tag := fmt.Sprintf("hop%d_", i)
		ts, tx := p.Value(tag+"ts", payload, h.TS), p.Value(tag+"tx", payload, h.Tx)
		qlen, code := p.Value(tag+"qlen", payload, h.Qlen), p.Value(tag+"rate_code", payload, h.RateCode)
		ack := recordHop{RateCode: p.At(code, compare), TS: p.At(ts, compare), Tx: p.At(tx, compare),
			Qlen: p.At(qlen, compare)}
		mem := ports.Mem.Lane[i]
		stored := func(name string, s vgen.Signal) vgen.Signal { return p.At(p.Reg(tag+name, read+1, s), compare) }
		old := StoredRecord{TS: stored("old_ts", mem.Read.TS), Tx: stored("old_tx", mem.Read.Tx),
			Qlen: stored("old_qlen", mem.Read.Qlen)}
		d, stale, same := delta(c, p, tag, compare, ack, old)
		used := p.Reg(tag+"used", compare, p.At(nhop, compare).Gt(vgen.Const(config.NhopBits, uint64(i))))
		d.Live = used.And(same.Not()).Named(tag + "live")
		to := ports.Delta[i]
		vgen.Connect(m, &to, &d)
		anyStale = vgen.AnyOf(anyStale, used.And(stale))
		anyMoved = vgen.AnyOf(anyMoved, d.Live)

		kept := p.Value(tag+"kept", out, same)
		write := ports.Store.And(p.At(used, verdict)).And(ports.React.And(p.At(kept, verdict)).Not())
		m.Assign(mem.WriteEn, p.Reg(tag+"write_en", verdict, write, vgen.Reset(0)).Signal)
		m.Assign(mem.Write.TS, p.At(ts, last))
		m.Assign(mem.Write.Tx, p.At(tx, last))
		m.Assign(mem.Write.Qlen, p.At(qlen, last))
	}
	m.Assign(ports.Start, p.At(valid, out, vgen.Reset(0)))
	m.Assign(ports.Stale, p.Reg("any_stale", out, anyStale).Signal)
	m.Assign(ports.NoTime, p.Reg("no_time", out, anyMoved.Not()).Signal)
	return m, recordsTiming{out, flags, engine.Loop{Read: read, Write: last}}
}
