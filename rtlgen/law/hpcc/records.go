package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// StoredRecord is the stored part of a hop's telemetry.
type StoredRecord struct {
	TS   vgen.Signal `port:"ts" width:"ts" doc:"timestamp, ticks"`
	Tx   vgen.Signal `port:"tx" width:"tx" doc:"bytes sent, units"`
	Qlen vgen.Signal `port:"qlen" width:"qlen" doc:"queue, units"`
}

// recordHop holds the inputs of the records block for a hop.
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

// hopDelta holds the differences of a hop's record since the stored one.
type hopDelta struct {
	Live     vgen.Signal `port:"live" width:"1" doc:"the hop is on the path and its timestamp has changed"`
	DTS      vgen.Signal `port:"dts" width:"dts" doc:"time since the stored record, ticks"`
	DTx      vgen.Signal `port:"dtx" width:"tx" doc:"bytes sent since the stored record, units"`
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
	Start  vgen.Signal  `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"the differences of a hop are valid"`
	Delta  []hopDelta   `port:"m_hop%d_" count:"hops" dir:"out"`
	Stale  vgen.Signal  `port:"any_stale" dir:"out" width:"1" doc:"a hop's telemetry is older than stored"`
	NoTime vgen.Signal  `port:"no_time" dir:"out" width:"1" doc:"no hop's timestamp has moved"`
}

// recordPorts are the ports of hop_record, all in stages of the operation.
type recordPorts struct {
	ACK     recordHop    `port:"s_" dir:"in"`
	Stored  StoredRecord `port:"rd_" dir:"in"`
	Used    vgen.Signal  `port:"used" dir:"in" width:"1" doc:"the hop is on the path, when the records are compared"`
	React   vgen.Signal  `port:"react" dir:"in" width:"1" doc:"the flow reacts, in the last stage but one"`
	Store   vgen.Signal  `port:"store" dir:"in" width:"1" doc:"the records are stored, in the last stage but one"`
	Delta   hopDelta     `port:"m_" dir:"out"`
	Stale   vgen.Signal  `port:"stale" dir:"out" width:"1" doc:"the hop's telemetry is older than stored"`
	WriteEn vgen.Signal  `port:"wr_en" dir:"out" width:"1" doc:"write"`
	Write   StoredRecord `port:"wr_" dir:"out"`
}

// recordsTiming says when the outputs of a records block are out, in stages of its operation.
type recordsTiming struct {
	delta   int // differences of the hops
	verdict int // any_stale and no_time
	group   engine.Loop
}

// Stages of hpcc_records. What is read passes a register after that of the memory: from there to where it is compared
// is a long way. In the last one wires go to the memories of all hops.
const (
	recordRead, recordCompare, recordOut = 1, 4, 5
	recordFlags, recordVerdict           = 6, 7
	recordLast                           = 8
)

// delta computes the differences between an ACK's record and the stored one, all of one stage. The smaller queue is
// there a stage later than the rest.
func delta(
	c *config.NIC, p *lib.Pipe, stage int, ack recordHop, stored StoredRecord,
) (d hopDelta, stale, same vgen.Signal) {
	dts := p.Reg("dts", stage, ack.TS.Sub(stored.TS))
	d.DTS = dts.Slice(c.Telemetry.TSBits-2, 0)
	d.DTx = p.Reg("dtx", stage, ack.Tx.Sub(stored.Tx)).Signal
	less := p.Reg("shorter", stage, lib.Less("shorter", ack.Qlen, stored.Qlen))
	now, then := p.Reg("qlen_now", stage, ack.Qlen), p.Reg("qlen_then", stage, stored.Qlen)
	d.Qmin = p.Reg("qmin", stage+1, vgen.Mux(less.Signal, now.Signal, then.Signal)).Signal
	d.RateCode = p.Reg("code", stage, ack.RateCode).Signal
	// Equal time stamps are found in two steps, of which the second is in front of what asks.
	const piece = 8
	for low := 0; low < c.Telemetry.TSBits; low += piece {
		high := min(low+piece, c.Telemetry.TSBits) - 1
		equal := p.Reg(fmt.Sprintf("same_%d", low), stage, ack.TS.Slice(high, low).Eq(stored.TS.Slice(high, low)))
		same = vgen.AllOf(same, equal.Signal)
	}
	return d, dts.Top(), same.Named("same")
}

// recordBlock builds hop_record: one hop. payload is the stage at which the ACK is there.
func recordBlock(c *config.NIC, payload int) *vgen.Module {
	m := vgen.NewModule("hop_record", "Differences of a hop's telemetry since its stored record")
	m.Doc(fmt.Sprintf(
		"The ACK comes in stage %d, the stored record in stage %d, the path's length in stage %d of the operation.",
		payload, recordRead+1, recordCompare))
	ports := vgen.Ports[recordPorts](m, widths(c))
	m.StageDoc(recordCompare+1, "dts, dtx, and which queue is shorter; equal timestamps by byte")
	m.StageDoc(recordOut+1, "qmin, the smaller queue")
	m.StageDoc(recordLast, "the record is written when the flow reacts, unless the hop's timestamp is unchanged")
	p := lib.NewPipe(m)
	ts, tx := p.Value("ts", payload, ports.ACK.TS), p.Value("tx", payload, ports.ACK.Tx)
	qlen, code := p.Value("qlen", payload, ports.ACK.Qlen), p.Value("rate_code", payload, ports.ACK.RateCode)
	ack := recordHop{RateCode: p.At(code, recordCompare), TS: p.At(ts, recordCompare), Tx: p.At(tx, recordCompare),
		Qlen: p.At(qlen, recordCompare)}
	stored := func(name string, s vgen.Signal) vgen.Signal { return p.At(p.Reg(name, recordRead+1, s), recordCompare) }
	old := StoredRecord{TS: stored("old_ts", ports.Stored.TS), Tx: stored("old_tx", ports.Stored.Tx),
		Qlen: stored("old_qlen", ports.Stored.Qlen)}
	d, stale, same := delta(c, p, recordCompare, ack, old)
	used := p.Reg("on_path", recordCompare, ports.Used)
	d.Live = used.And(same.Not()).Named("live")
	vgen.Connect(m, &ports.Delta, &d)
	m.Assign(ports.Stale, used.And(stale))

	kept := p.Value("kept", recordOut, same)
	write := ports.Store.And(p.At(used, recordVerdict)).And(ports.React.And(p.At(kept, recordVerdict)).Not())
	m.Assign(ports.WriteEn, p.Reg("write_en", recordVerdict, write, vgen.Reset(0)).Signal)
	m.Assign(ports.Write.TS, p.At(ts, recordLast))
	m.Assign(ports.Write.Tx, p.At(tx, recordLast))
	m.Assign(ports.Write.Qlen, p.At(qlen, recordLast))
	return m
}

// recordsBlock builds hpcc_records with a lane for each hop. payload is the stage at which the ACK is there.
func recordsBlock(c *config.NIC, payload int) (*vgen.Module, recordsTiming) {
	m := vgen.NewModule("hpcc_records", "Differences of the telemetry records of all hops, side by side")
	m.Doc("The stored records are read in stage 1 and written back in the last stage.")
	ports := vgen.Ports[recordsPorts](m, widths(c))
	p := lib.NewPipe(m)
	valid := p.Value("op_valid", 0, ports.Valid)
	index := p.Value("op_index", 0, ports.Index)
	nhop := p.Value("nhop", payload, ports.Nhop)
	m.SetTiming(recordLast, 1)
	m.StageDoc(recordFlags, "is a hop's telemetry older than stored, and has any hop's timestamp changed?")
	m.Assign(ports.Mem.ReadAddr, p.At(index, recordRead))
	m.Assign(ports.Mem.WriteAddr, p.At(index, recordLast))
	one := recordBlock(c, payload)
	var anyStale, anyMoved vgen.Signal
	for i := range ports.Hop {
		hop := vgen.Instantiate[recordPorts](m, fmt.Sprintf("u_hop%d", i), one)
		vgen.Connect(m, &hop.ACK, &ports.Hop[i])
		mem := ports.Mem.Lane[i]
		vgen.Connect(m, &hop.Stored, &mem.Read)
		m.Assign(hop.Used, p.At(nhop, recordCompare).Gt(vgen.Const(config.NhopBits, uint64(i))))
		m.Assign(hop.React, ports.React)
		m.Assign(hop.Store, ports.Store)
		vgen.Connect(m, &ports.Delta[i], &hop.Delta)
		anyStale = vgen.AnyOf(anyStale, p.Value("stale", recordOut, hop.Stale).Signal)
		anyMoved = vgen.AnyOf(anyMoved, p.Value("live", recordOut, hop.Delta.Live).Signal)
		m.Assign(mem.WriteEn, hop.WriteEn)
		vgen.Connect(m, &mem.Write, &hop.Write)
	}
	m.Assign(ports.Start, p.At(valid, recordOut, vgen.Reset(0)))
	m.Assign(ports.Stale, p.Reg("any_stale", recordOut, anyStale).Signal)
	m.Assign(ports.NoTime, p.Reg("no_time", recordOut, anyMoved.Not()).Signal)
	return m, recordsTiming{recordOut, recordFlags, engine.Loop{Read: recordRead, Write: recordLast}}
}
