package engine

import (
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// opBits is the width of an operation's code.
const opBits = 3

// The operations that pass the pipeline.
const (
	Ack   = iota // an acknowledgement
	Read         // context read
	Write        // context write
	Table        // table write
	Clear        // initialisation: clears the contexts and table entries of one index
)

var opNames = [...]string{"is_ack", "is_read", "is_write", "is_table", "is_clear"}

// OpPorts bring an operation to a block; they are valid in the block's stage 0.
type OpPorts struct {
	Valid vgen.Signal `port:"op_valid" dir:"in" width:"1" role:"valid" doc:"an operation enters"`
	Code  vgen.Signal `port:"op_code" dir:"in" width:"op" doc:"0 ACK, 1 context read, 2 context write, 3 table write, 4 clear"`
	Index vgen.Signal `port:"op_index" dir:"in" width:"index" doc:"flow, or index to clear"`
}

// Op is an operation inside a block, delayed to the stage at which it is asked for.
type Op struct {
	Dense bool // an operation a cycle

	p     *lib.Pipe
	flows int
	seen  map[string]vgen.Signal
	valid lib.Value
	code  lib.Value
	index lib.Value
}

// NewOp reads the operation at a block's ports. Operations are interval cycles apart; the index is that of one
// of so many flows.
func NewOp(p *lib.Pipe, in OpPorts, interval, flows int) Op {
	o := Op{
		p:     p,
		flows: flows,
		seen:  map[string]vgen.Signal{},
		valid: p.Value("op_valid", 0, in.Valid),
		code:  p.Value("op_code", 0, in.Code),
		index: p.Value("op_index", 0, in.Index),
		Dense: interval == 1,
	}
	p.Spaced(interval, o.Valid)
	if o.Dense {
		p.Fast()
	}
	return o
}

// To delays all of the operation to stage, the code and the index through one delay line.
func (o Op) To(stage int) { o.Hold("op", stage) }

// Hold delays the operation to stage, and values with it through the same line. Where the code is decoded a
// stage ahead, the line ends there.
func (o Op) Hold(name string, stage int, values ...lib.Value) {
	end := stage
	if o.Dense {
		end--
	}
	o.p.Hold(name, end, append(o.Values(), values...)...)
	o.Valid(end)
}

// Values are the code and the index, to be held with other values.
func (o Op) Values() []lib.Value { return []lib.Value{o.code, o.index} }

// Valid is the valid bit at stage; it is control state and has a reset in every stage.
func (o Op) Valid(stage int) vgen.Signal { return o.p.At(o.valid, stage, vgen.Reset(0)) }

// Is is 1 when an operation of the given code is at stage. With an operation a cycle it is a register, decoded
// a stage earlier.
func (o Op) Is(code, stage int) vgen.Signal {
	name := fmt.Sprintf("%s_s%d", opNames[code], stage)
	if s, ok := o.seen[name]; ok {
		return s
	}
	at := func(stage int) vgen.Signal { return o.Valid(stage).And(o.p.At(o.code, stage).Is(uint64(code))) }
	var s vgen.Signal
	if o.Dense && stage > 0 {
		o.p.Hint(stage, "the kind of the operation")
		s = o.p.Reg(opNames[code], stage-1, at(stage-1), vgen.Reset(0)).Signal
	} else {
		s = at(stage).Named(name)
	}
	o.seen[name] = s
	return s
}

// Flow is the flow of the operation at stage.
func (o Op) Flow(stage int) vgen.Signal {
	return o.p.At(o.index, stage).Trunc(bits.Len(uint(o.flows - 1)))
}

// Beyond is 1 where the index of the operation at stage is not that of a flow; it does not exist where every index is a
// flow.
func (o Op) Beyond(stage int) vgen.Signal {
	if o.flows&(o.flows-1) == 0 {
		return vgen.Signal{}
	}
	flow := o.Flow(stage)
	return flow.Ge(vgen.Const(flow.Width(), uint64(o.flows))).Named("beyond_last_flow")
}

// InRange is en where the operation at stage has the index of a flow.
func (o Op) InRange(en vgen.Signal, stage int) vgen.Signal {
	return InRange(en, o.p.At(o.index, stage), o.flows)
}

// InRange is en where index is below flows.
func InRange(en, index vgen.Signal, flows int) vgen.Signal {
	if uint64(flows) == 1<<index.Width() {
		return en
	}
	return en.And(index.Lt(vgen.Const(index.Width(), uint64(flows))))
}

// Into connects the operation at stage to a block that starts there.
func (o Op) Into(m *vgen.Module, stage int, in OpPorts) {
	m.Begin(in.Valid, stage)
	m.Assign(in.Valid, o.Valid(stage))
	m.Assign(in.Code, o.p.At(o.code, stage))
	m.Assign(in.Index, o.p.At(o.index, stage).Trunc(in.Index.Width()))
}

// Put leads the address and the write enable of a context group, known at stage, to its memory, and returns the
// stage in which the memory is written. With an operation a cycle both pass a register: so does the word written
// ([lib.Pipe.Step]).
func (o Op) Put(m *vgen.Module, stage int, flow, write, toEn, toAddr vgen.Signal) int {
	put := o.p.Value("write_en", stage, o.InRange(write, stage))
	if o.Dense {
		put = o.p.Reg("write_en", stage, put.Signal, vgen.Reset(0))
	}
	m.Assign(toEn, put.Signal)
	m.Assign(toAddr, o.p.Step("write_addr", stage, flow).Signal)
	return put.Stage
}
