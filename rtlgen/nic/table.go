package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// The ports through which a block's copy of a table is written: the payload of stream tw, cut to what
// the copy holds, held while the write passes the pipeline.
type (
	knownWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is the rate table, held"`
		Index  vgen.Signal `port:"index" width:"code" doc:"rate code written, held"`
		Data   vgen.Signal `port:"known" width:"1" doc:"the rate code is known, held"`
	}
	rateWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is the rate table, held"`
		Index  vgen.Signal `port:"index" width:"code" doc:"rate code written, held"`
		Data   vgen.Signal `port:"inv_b" width:"invb" doc:"1/B, ticks a unit, held"`
	}
	queueWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is the queue table, held"`
		Index  vgen.Signal `port:"index" width:"tindex" doc:"rate code and profile written, held"`
		Data   vgen.Signal `port:"inv_bt" width:"invbt" doc:"1/(B T), held"`
	}
	rttWrite struct {
		Select vgen.Signal `port:"select" width:"rttsel" doc:"the table written is that of T, held"`
		Index  vgen.Signal `port:"index" width:"rttindex" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"rtt" doc:"T, ticks, held"`
	}
	invRTTWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is that of 1/T, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"invt" doc:"1/T, held"`
	}
	etaWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is that of eta, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"eta" doc:"eta, held"`
	}
	stageWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is the stage table, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"stage" doc:"maxStage, held"`
	}
	fastWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is the stage table, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"1" doc:"fast reaction, held"`
	}
	windowWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"the table written is that of this limit or increment, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"w" doc:"bytes, held"`
	}
)

// tables gives a block its copies of the tables that software writes. A table is written and read at
// the same stage, so that an operation sees exactly the writes issued before it.
type tables struct {
	m  *vgen.Module
	p  *lib.Pipe
	op op
}

// entry reads a table at stage; the entry is valid one stage later. A table of one entry has no index.
func (t tables) entry(name, doc string, entries, stage int, sel, windex, data, rindex vgen.Signal) lib.Value {
	at := stage
	if t.op.dense {
		at-- // the payload is held: with the operation it goes through registers to a memory that may be far away
	}
	step := func(what string, s vgen.Signal, opts ...vgen.RegOption) vgen.Signal {
		if !t.op.dense {
			return s
		}
		return t.p.Reg(name+"_"+what, at, s, opts...).Signal
	}
	sweep := t.op.is(opSweep, at)
	write := step("write", t.op.is(opTable, at).And(sel).Or(sweep).Named(fmt.Sprintf("%s_write", name)), vgen.Reset(0))
	word := step("word", data.And(sweep.Not().Repeat(data.Width())))
	if entries == 1 {
		return t.p.Reg(name, stage, t.m.RegNext(name+"_entry", word, vgen.Enable(write)))
	}
	// What a writing operation itself reads is not used.
	mem := t.m.Memory(name+"_table", entries, data.Width(), doc).NoCollision()
	addr := mem.AddrWidth()
	mem.Write(write, step("place", vgen.Mux(sweep, t.op.p.At(t.op.index, at).Trunc(addr), windex)), word)
	return t.p.Value(name, stage+1, mem.Read(fmt.Sprintf("%s_s%d", name, stage+1), rindex))
}

// perProfile reads a table that has an entry for each profile.
func (t tables) perProfile(c *config.NIC, name, doc string, stage int, sel, windex, data vgen.Signal, profile lib.Value) lib.Value {
	index := vgen.Const(1, 0)
	if profile.Exists() {
		index = t.p.At(profile, stage)
	}
	return t.entry(name, doc, c.Profiles, stage, sel, windex, data, index)
}
