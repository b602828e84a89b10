package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// BucketShape says how a bucketizer is built.
type BucketShape struct {
	ValueBits int // of values and lower bounds
	CodeBits  int // 2^CodeBits buckets
	Search    bool
	// LevelCycles is how many cycles a level of the search takes: 1, where the memory is read, compared with, and the
	// next address made in one cycle; 2 with a register behind the comparison; 3 with one behind the memory too.
	LevelCycles int
}

// bucketPorts are the ports of csig_bucketizer. A bank is never written while it is read.
type bucketPorts struct {
	Type    vgen.Signal `port:"s_type" dir:"in" width:"2" doc:"signal type"`
	Bank    vgen.Signal `port:"s_bank" dir:"in" width:"1" doc:"bank that holds the type's table"`
	Value   vgen.Signal `port:"s_value" dir:"in" width:"value" doc:"signal value"`
	Code    vgen.Signal `port:"m_code" dir:"out" width:"code" doc:"bucket of the value"`
	Write   vgen.Signal `port:"w_valid" dir:"in" width:"1" role:"valid" doc:"a lower bound is written"`
	WType   vgen.Signal `port:"w_type" dir:"in" width:"2" doc:"type of its table"`
	WBank   vgen.Signal `port:"w_bank" dir:"in" width:"1" doc:"bank, not the one in use"`
	WIndex  vgen.Signal `port:"w_index" dir:"in" width:"code" doc:"its bucket, at least 1: bucket 0 begins at 0"`
	WBound  vgen.Signal `port:"w_bound" dir:"in" width:"value" doc:"lower bound, not below the one before it"`
	Present vgen.Signal `port:"w_present" dir:"in" width:"1" doc:"the table has this bucket; 0: no value reaches it, nor those after it"`
}

// tableBits is the width of the number of a bucket table: type and bank.
const tableBits = 3

// bucketBlock builds csig_bucketizer, the coder of compact tags.
func bucketBlock(c *config.CSIG) *vgen.Module {
	s := BucketShape{ValueBits: valueBits, CodeBits: bucketBits, Search: c.BucketSearch, LevelCycles: 3}
	if c.DataBits == 64 { // small and slow devices
		s.LevelCycles = 1
	}
	return Bucketizer("csig_bucketizer", s)
}

// Bucketizer codes values by tables of lower bounds (docs/csig.md, Codes): the code is the number of bounds at or below
// the value, minus one. There are two tables for each of four types.
func Bucketizer(name string, s BucketShape) *vgen.Module {
	if s.Search {
		return searchBucketizer(name, s)
	}
	return parallelBucketizer(name, s)
}

func (s BucketShape) ports(m *vgen.Module) *bucketPorts {
	return vgen.Ports[bucketPorts](m, vgen.Widths{"value": s.ValueBits, "code": s.CodeBits})
}

// parallelBucketizer compares a value with all bounds at once.
func parallelBucketizer(name string, s BucketShape) *vgen.Module {
	m := vgen.NewModule(name, "Bucketizer of compact tags: one comparator a lower bound")
	m.Doc("m_code is the number of lower bounds of the table at or below s_value, minus one.",
		"Stage 0: bounds. Stage 1: comparisons. Then the last bound that is reached, two bits a stage.")
	ports := s.ports(m)
	p := lib.NewPipe(m)
	value := p.Value("value", 0, ports.Value)
	table := vgen.Cat(ports.Type, ports.Bank).Named("table_read")
	written := vgen.Cat(ports.WType, ports.WBank).Named("table_written")

	// reached[i] is 1 when bound i is at or below the value. A bound that is not there has a one above the value's bits.
	reached := make([]lib.Value, 1<<s.CodeBits)
	for i := 1; i < len(reached); i++ {
		mem := m.Memory(fmt.Sprintf("bound%d", i), 1<<tableBits, s.ValueBits+1, fmt.Sprintf("lower bound of bucket %d, by type and bank; top bit: none", i)).NoCollision()
		here := ports.Write.And(ports.WIndex.Eq(vgen.Const(s.CodeBits, uint64(i))))
		mem.Write(here, written, vgen.Cat(ports.Present.Not(), ports.WBound))
		bound := p.Reg(fmt.Sprintf("bound%d", i), 0, mem.ReadAsync(table))
		reached[i] = p.Reg(fmt.Sprintf("reached%d", i), 1, p.At(value, 1).Zext(s.ValueBits+1).Ge(bound.Signal))
	}

	// Bounds do not decrease, so that a bound in the middle tells in which half the last one is that is reached.
	m.Section("last bound reached")
	var code lib.Value
	for stage := 2; len(reached) > 1; stage++ {
		var found vgen.Signal
		part := make([]vgen.Signal, len(reached))
		for i := 1; i < len(reached); i++ {
			part[i] = reached[i].Signal
		}
		for n := 0; n < 2 && len(part) > 1; n++ {
			half := len(part) / 2
			middle := part[half]
			next := make([]vgen.Signal, half)
			for i := 1; i < half; i++ {
				next[i] = vgen.Mux(middle, part[half+i], part[i])
			}
			part = next
			found = append2(found, middle)
		}
		if code.Exists() {
			found = vgen.Cat(p.At(code, stage), found)
		}
		code = p.Reg("code", stage, found)
		reached = reached[:len(part)]
		for i := 1; i < len(part); i++ {
			reached[i] = p.Reg(fmt.Sprintf("reached%d_of_%d", i, len(part)), stage, part[i])
		}
	}
	m.SetTiming(code.Stage, 1)
	m.Assign(ports.Code, code.Signal)
	return m
}

// append2 puts b below a, which may not exist.
func append2(a, b vgen.Signal) vgen.Signal {
	if !a.Exists() {
		return b
	}
	return vgen.Cat(a, b)
}

// searchBucketizer finds the bucket by binary search, a level a memory.
func searchBucketizer(name string, s BucketShape) *vgen.Module {
	m := vgen.NewModule(name, "Bucketizer of compact tags: binary search, a memory a level")
	m.Doc("m_code is the number of lower bounds of the table at or below s_value, minus one.",
		fmt.Sprintf("Level n holds the bounds whose bucket ends in a one and %d-n zeros, by type, bank and the bits above; it takes %d cycle(s).", s.CodeBits-1, s.LevelCycles),
		"Bounds that are not there are stored as all ones, and the last bucket apart: a code is at most that.")
	ports := s.ports(m)
	p := lib.NewPipe(m)
	value := p.Value("value", 0, ports.Value)
	table := p.Value("table", 0, vgen.Cat(ports.Type, ports.Bank))
	written := vgen.Cat(ports.WType, ports.WBank).Named("table_written")
	bound := ports.WBound.Or(ports.Present.Not().Repeat(s.ValueBits)).Named("bound_written")

	var code lib.Value // the bits found so far, the highest first
	stage := 0
	for level := range s.CodeBits {
		low := s.CodeBits - 1 - level
		mem := m.Memory(fmt.Sprintf("level%d", level), 1<<(tableBits+level), s.ValueBits, fmt.Sprintf("bounds of level %d", level)).NoCollision()
		own := ports.WIndex.Slice(low, 0).Eq(vgen.Const(low+1, 1<<low)).Named(fmt.Sprintf("level%d_own", level))
		waddr, raddr := written, p.At(table, stage)
		if level > 0 {
			waddr = vgen.Cat(written, ports.WIndex.Slice(s.CodeBits-1, low+1))
			raddr = vgen.Cat(raddr, p.At(code, stage))
		}
		mem.Write(ports.Write.And(own), waddr, bound)
		read := p.Value(fmt.Sprintf("bound%d", level), stage+1, mem.Read(fmt.Sprintf("bound%d_s%d", level, stage+1), raddr))
		stage++
		if s.LevelCycles == 3 {
			read = p.Reg(read.Name, stage, read.Signal)
			stage++
		}
		reached := p.At(value, stage).Ge(read.Signal).Named(fmt.Sprintf("reached%d", level))
		found := reached
		if level > 0 {
			found = vgen.Cat(p.At(code, stage), reached)
		}
		if s.LevelCycles == 1 && level < s.CodeBits-1 {
			code = p.Value(fmt.Sprintf("code%d", level), stage, found)
			continue
		}
		code = p.Reg(fmt.Sprintf("code%d", level), stage, found)
		stage++
	}

	m.Section("last bucket")
	last := p.Reg("last", stage-1, lastBucket(m, s, ports, written, p.At(table, stage-1)))
	out := p.Reg("bucket", stage, vgen.Mux(code.Gt(last.Signal), last.Signal, code.Signal))
	m.SetTiming(out.Stage, 1)
	m.Assign(ports.Code, out.Signal)
	return m
}

// lastBucket keeps the number of the last bucket of each table, and reads that of one. It follows the writing of a table in
// any order.
func lastBucket(m *vgen.Module, s BucketShape, ports *bucketPorts, written, table vgen.Signal) vgen.Signal {
	before := ports.WIndex.Sub(vgen.Const(s.CodeBits, 1))
	list := make([]vgen.Signal, 1<<tableBits)
	for i := range list {
		here := ports.Write.And(written.Eq(vgen.Const(tableBits, uint64(i))))
		list[i] = m.Reg(fmt.Sprintf("last%d_q", i), s.CodeBits, vgen.Reset(0), vgen.Enable(here))
	}
	was := vgen.Select(written, list, list[len(list)-1]).Named("last_was")
	beyond := ports.WIndex.Gt(was).Named("beyond_last")
	next := vgen.Mux(ports.Present, vgen.Mux(beyond, ports.WIndex, was), vgen.Mux(beyond, was, before)).Named("last_next")
	for _, q := range list {
		m.Next(q, next)
	}
	return vgen.Select(table, list, list[len(list)-1])
}
