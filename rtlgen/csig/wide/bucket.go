package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// BucketShape says how a bucketizer is built.
type BucketShape struct {
	ValueBits int // of values and lower bounds
	CodeBits  int // 2^CodeBits buckets
	Search    bool
	// Interval is how many cycles at least lie between values. A search that has two puts two levels in each memory, and
	// takes a cycle a level; else each level has a memory of its own, and registers on all sides.
	Interval int
}

// bucketBlock builds csig_bucketizer, the coder of compact tags.
func bucketBlock(c *block.Shape) *vgen.Module {
	return Bucketizer("csig_bucketizer", BucketShape{
		ValueBits: block.ValueBits, CodeBits: block.BucketBits, Search: c.BucketSearch,
		Interval: apart(c, block.SmallestTagged),
	})
}

// Bucketizer codes values by tables of lower bounds (docs/csig.md, Codes): the code is the number of bounds at or below
// the value, minus one. There are two tables for each of four types.
func Bucketizer(name string, s BucketShape) *vgen.Module {
	switch {
	case s.shared():
		return sharedBucketizer(name, s)
	case s.Search:
		return searchBucketizer(name, s)
	}
	return parallelBucketizer(name, s)
}

// shared reports whether two levels of a search share a memory.
func (s BucketShape) shared() bool { return s.Search && s.Interval > 1 }

func (s BucketShape) ports(m *vgen.Module) *block.BucketPorts {
	return vgen.Ports[block.BucketPorts](m, vgen.Widths{"kind": block.KindBits, "value": s.ValueBits, "code": s.CodeBits,
		"valid": bit(s.shared())})
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

	stored := vgen.Cat(ports.Present.Not(), ports.WBound)
	if s.Interval == 1 { // what is written goes through registers, which know where to
		written, stored = m.RegNext("table_written_q", written), m.RegNext("bound_written_q", stored)
	}

	var inverted lib.Value
	if s.Interval == 1 {
		inverted = p.Reg("value_n", 0, ports.Value.Not())
	}

	m.StageDoc(1, "the bounds of the value's type, of the bank in use")
	m.StageDoc(2, "bounds that the value has reached: the carry of a difference")
	// reached[i] is 1 when bound i is at or below the value. A bound that is not there has a one above the value's bits.
	reached := make([]vgen.Signal, 1<<s.CodeBits)
	for i := 1; i < len(reached); i++ {
		mem := m.Memory(fmt.Sprintf("bound%d", i), 1<<block.TableBits, s.ValueBits+1,
			fmt.Sprintf("lower bound of bucket %d, by type and bank; top bit: none", i)).NoCollision()
		here := ports.Write.And(ports.WIndex.Eq(vgen.Const(s.CodeBits, uint64(i))))
		if s.Interval == 1 {
			here = m.StateNext(fmt.Sprintf("bound%d_written", i), here)
		}
		mem.Write(here, written, stored)
		bound := p.Reg(fmt.Sprintf("bound%d", i), 0, mem.ReadAsync(table))
		switch {
		case s.Interval > 1:
			reached[i] = p.Reg(fmt.Sprintf("reached%d", i), 1, p.At(value, 1).Zext(s.ValueBits+1).Ge(bound.Signal)).Signal
		case i%2 == 0: // the carry is what the register has
			left := p.At(value, 1).Zext(s.ValueBits + 2).Sub(bound.Zext(s.ValueBits + 2)).
				Named(fmt.Sprintf("value_less_bound%d", i))
			reached[i] = p.Reg(fmt.Sprintf("missed%d", i), 1, left.Top()).Not()
		default: // half of the comparisons are with the value inverted, which has registers of its own
			sum := bound.Zext(s.ValueBits + 2).Add(vgen.Cat(vgen.Const(2, 1), inverted.Signal)).
				Named(fmt.Sprintf("bound%d_less_value", i))
			reached[i] = p.Reg(fmt.Sprintf("missed%d", i), 1, sum.Top()).Not()
		}
	}

	// Bounds do not decrease, so that a bound in the middle tells in which half the last one is that is reached.
	m.Section("Last bound reached")
	var code lib.Value
	for stage := 2; len(reached) > 1; stage++ {
		var found vgen.Signal
		part := make([]vgen.Signal, len(reached))
		for i := 1; i < len(reached); i++ {
			part[i] = reached[i]
		}
		for n := 0; n < 2 && len(part) > 1; n++ {
			half := len(part) / 2
			middle := part[half]
			next := make([]vgen.Signal, half)
			for i := 1; i < half; i++ {
				next[i] = vgen.Mux(middle, part[half+i], part[i]).Named(fmt.Sprintf("half%d_of_%d", i, half))
			}
			part = next
			found = below(found, middle)
		}
		if code.Exists() {
			found = vgen.Cat(p.At(code, stage), found)
		}
		code = p.Reg("code", stage, found)
		m.StageDoc(code.Stage, "bounds do not decrease, so a comparison with the middle one gives the half that holds the last one reached")
		reached = reached[:len(part)]
		for i := 1; i < len(part); i++ {
			reached[i] = p.Reg(fmt.Sprintf("reached%d_of_%d", i, len(part)), stage, part[i]).Signal
		}
	}
	m.SetTiming(code.Stage, 1)
	m.Assign(ports.Code, code.Signal)
	return m
}

// below puts b below a; either may not exist.
func below(a, b vgen.Signal) vgen.Signal {
	switch {
	case !a.Exists():
		return b
	case !b.Exists():
		return a
	}
	return vgen.Cat(a, b)
}
