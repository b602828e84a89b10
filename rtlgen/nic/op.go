package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// opBits is the width of an operation's code.
const opBits = 3

// The operations that pass the pipeline.
const (
	opAck   = iota // an acknowledgement
	opRead         // context read
	opWrite        // context write
	opTable        // table write
	opSweep        // initialisation: clears the contexts and table entries of one index
)

var opNames = [...]string{"is_ack", "is_read", "is_write", "is_table", "is_clear"}

// OpPorts bring an operation to a block; they are valid in the block's stage 0.
type OpPorts struct {
	Valid vgen.Signal `port:"op_valid" dir:"in" width:"1" role:"valid" doc:"an operation enters"`
	Code  vgen.Signal `port:"op_code" dir:"in" width:"op" doc:"0 ACK, 1 context read, 2 context write, 3 table write, 4 clear"`
	Index vgen.Signal `port:"op_index" dir:"in" width:"index" doc:"flow, or index to clear"`
}

// ContextWritePorts hold the payload of a context write while it passes the pipeline.
type ContextWritePorts struct {
	Mask    vgen.Signal `port:"cw_mask" dir:"in" width:"mask" doc:"fields written, held: profile, u, wc, w, stage, seq, start, close from bit 0"`
	Profile vgen.Signal `port:"cw_profile" dir:"in" width:"profile" doc:"profile, held"`
	U       vgen.Signal `port:"cw_u" dir:"in" width:"u" doc:"U, held"`
	Wc      vgen.Signal `port:"cw_wc" dir:"in" width:"w" doc:"reference window, held"`
	W       vgen.Signal `port:"cw_w" dir:"in" width:"w" doc:"window, held"`
	Stage   vgen.Signal `port:"cw_stage" dir:"in" width:"stage" doc:"incStage, held"`
	Seq     vgen.Signal `port:"cw_seq" dir:"in" width:"seq" doc:"lastUpdateSeq, held"`
}

// Bits of a context write's mask.
const (
	maskProfile = iota
	maskU
	maskWc
	maskW
	maskStage
	maskSeq
	maskStart
	maskClose
	maskBits
)

// widths are the width keys of all ports of a configuration.
func widths(c *config.NIC) vgen.Widths {
	t, f := c.Telemetry, c.Formats
	return vgen.Widths{
		"op": opBits, "index": indexBits(c), "flow": c.FlowBits(),
		"table": tableBits, "tindex": c.TableIndexBits(), "tdata": c.TableDataBits(),
		"mask": maskBits, "profile": c.ProfileBits(), "u": f.U.Width(), "w": f.Window.Width(), "rate": f.Rate.Width(),
		"stage": c.StageBits, "seq": seqBits(c), "ackseq": ackSeqBits(c), "clock": c.ClockBits, "nhop": config.NhopBits,
		"path": t.PathIDBits, "link": t.LinkIDBits, "code": t.RateCodeBits, "ts": t.TSBits, "tx": t.TxBits, "qlen": t.QlenBits,
		"dts": t.TSBits - 1, "hops": c.MaxHops, "kind": kindBits, "status": statusBits, "count": c.CountBits,
		"invb": f.InvB.Width(), "invbt": f.InvBT.Width(), "invt": f.InvT.Width(), "eta": f.Eta.Width(),
		"rtt": c.RTTBits, "rttsel": 1, "rttindex": c.ProfileBits(),
	}
}

// seqBits is the width of lastUpdateSeq, or of lastUpdateTime in receiver mode.
func seqBits(c *config.NIC) int {
	if c.CommitByTime {
		return c.ClockBits
	}
	return c.SeqBits
}

// ackSeqBits is the width of ack_seq and snd_nxt, which the receiver mode does not have.
func ackSeqBits(c *config.NIC) int {
	if c.CommitByTime {
		return 0
	}
	return c.SeqBits
}

// indexBits is the width of the index that an operation carries: a flow, or what the sweep clears.
func indexBits(c *config.NIC) int { return max(c.FlowBits(), c.TableIndexBits()) }

// tableBits is the width of tw_table.
const tableBits = 4

// op is an operation inside a block, delayed to the stage at which it is asked for.
type op struct {
	p     *lib.Pipe
	seen  map[string]vgen.Signal
	valid lib.Value
	code  lib.Value
	index lib.Value
	dense bool // an operation a cycle
}

// newOp reads the operation at a block's ports. Operations are interval cycles apart.
func newOp(p *lib.Pipe, in OpPorts, interval int) op {
	o := op{
		p:     p,
		seen:  map[string]vgen.Signal{},
		valid: p.Value("op_valid", 0, in.Valid),
		code:  p.Value("op_code", 0, in.Code),
		index: p.Value("op_index", 0, in.Index),
		dense: interval == 1,
	}
	p.Spaced(interval, o.validAt)
	if o.dense {
		p.Fast()
	}
	return o
}

// to delays all of the operation to stage, the code and the index through one delay line.
func (o op) to(stage int) { o.hold("op", stage) }

// hold delays the operation to stage, and values with it through the same line. Where the code is decoded a
// stage ahead, the line ends there.
func (o op) hold(name string, stage int, values ...lib.Value) {
	end := stage
	if o.dense {
		end--
	}
	o.p.Hold(name, end, append([]lib.Value{o.code, o.index}, values...)...)
	o.validAt(end)
}

// validAt is the valid bit at stage; it is control state and has a reset in every stage.
func (o op) validAt(stage int) vgen.Signal { return o.p.At(o.valid, stage, vgen.Reset(0)) }

// is tells whether an operation of the given code is at stage. With an operation a cycle the answer is a
// register, decoded a stage earlier.
func (o op) is(code, stage int) vgen.Signal {
	name := fmt.Sprintf("%s_s%d", opNames[code], stage)
	if s, ok := o.seen[name]; ok {
		return s
	}
	at := func(stage int) vgen.Signal {
		return o.validAt(stage).And(o.p.At(o.code, stage).Eq(vgen.Const(opBits, uint64(code))))
	}
	var s vgen.Signal
	if o.dense && stage > 0 {
		s = o.p.Reg(opNames[code], stage-1, at(stage-1), vgen.Reset(0)).Signal
	} else {
		s = at(stage).Named(name)
	}
	o.seen[name] = s
	return s
}
