package wide

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// search is a bucketizer that finds the bucket from the top bit of its number down: level n compares with the bound
// whose bucket number is the n bits found so far, then a one and zeros.
type search struct {
	BucketShape
	m     *vgen.Module
	p     *lib.Pipe
	ports *block.BucketPorts

	written vgen.Signal // table
	bound   vgen.Signal // to be stored
	value   lib.Value
	table   lib.Value
}

func newSearch(name, purpose string, s BucketShape) *search {
	m := vgen.NewModule(name, purpose)
	ports := s.ports(m)
	p := lib.NewPipe(m)
	f := &search{BucketShape: s, m: m, p: p, ports: ports}
	f.value = p.Value("value", 0, ports.Value)
	f.table = p.Value("table", 0, vgen.Cat(ports.Type, ports.Bank).Named("table_read"))
	f.written = vgen.Cat(ports.WType, ports.WBank).Named("table_written")
	// An absent bound is all ones before it is inverted: only the largest value reaches it, and last covers that.
	f.bound = ports.WBound.Not().And(ports.Present.Repeat(s.ValueBits)).Named("bound_written")
	return f
}

// own reports whether the written bound belongs to a level, and returns the bits above in the number of its bucket;
// these do not exist in level 0.
func (f *search) own(level int) (own, prefix vgen.Signal) {
	low := f.CodeBits - 1 - level
	index := f.ports.WIndex
	own = index.Trunc(low + 1).Is(1 << low).Named(fmt.Sprintf("level%d_own", level))
	if level > 0 {
		prefix = index.Slice(f.CodeBits-1, low+1)
	}
	return own, prefix
}

// finish limits the code to the last bucket of the table. table is the value's table one stage before the code.
func (f *search) finish(code lib.Value, table vgen.Signal) *vgen.Module {
	m, p, at := f.m, f.p, code.Stage
	m.Section("Last bucket")
	last := p.Reg("last", at-1, f.last(table))
	out := p.Reg("bucket", at, vgen.Mux(code.Gt(last.Signal), last.Signal, code.Signal))
	m.SetTiming(out.Stage, 1+bit(f.shared()))
	m.Assign(f.ports.Code, out.Signal)
	return m
}

// last keeps the number of the last bucket of each table, and reads one. A table is written from its bucket 1 on.
func (f *search) last(table vgen.Signal) vgen.Signal {
	w := f.ports
	first := w.WIndex.Is(1)
	changes := w.Write.And(w.Present.Or(first)).Named("last_changes")
	next := w.WIndex.And(w.Present.Repeat(f.CodeBits)).Named("last_written")
	list := make([]vgen.Signal, 1<<block.TableBits)
	for i := range list {
		list[i] = f.m.RegNext(fmt.Sprintf("last%d_q", i), next, vgen.Enable(changes.And(f.written.Is(uint64(i)))))
	}
	return vgen.Select(table, list, list[len(list)-1])
}

// searchBucketizer takes a value a cycle: each level has its memory, and three cycles.
func searchBucketizer(name string, s BucketShape) *vgen.Module {
	f := newSearch(name, "Bucketizer of compact tags: binary search, a memory a level", s)
	m, p := f.m, f.p
	m.Doc("m_code is the number of lower bounds of the table at or below s_value, minus one.",
		"Each level of the search takes three cycles: the memory of its bounds is read, its output registered, and compared with.")
	var code lib.Value // the bits found so far, the highest first
	for level := range s.CodeBits {
		at := 3 * level
		mem := m.Memory(fmt.Sprintf("level%d", level), 1<<(block.TableBits+level), s.ValueBits,
			fmt.Sprintf("bounds of level %d, inverted, by type, bank, and bits found", level)).NoCollision()
		own, prefix := f.own(level)
		to, from := f.written, p.At(f.table, at)
		if level > 0 {
			to, from = vgen.Cat(to, prefix), vgen.Cat(from, p.At(code, at))
		}
		mem.Write(f.ports.Write.And(own), to, f.bound)
		bound := p.Reg(fmt.Sprintf("bound%d", level), at+1, mem.Read(fmt.Sprintf("bound%d_read", level), from))
		at = bound.Stage
		_, found := block.Minus(fmt.Sprintf("value_less_bound%d", level), p.At(f.value, at), bound.Signal)
		found = found.Named(fmt.Sprintf("reached%d", level))
		if level > 0 {
			found = vgen.Cat(p.At(code, at), found)
		}
		code = p.Reg(fmt.Sprintf("code%d", level), at, found)
	}
	return f.finish(code, p.At(f.table, code.Stage-1))
}

// sharedBucketizer takes a value every other cycle: two levels share a memory and a comparator, and each takes a cycle.
func sharedBucketizer(name string, s BucketShape) *vgen.Module {
	f := newSearch(name, "Bucketizer of compact tags: binary search, a memory for two levels", s)
	m, p := f.m, f.p
	m.Doc("m_code is the number of lower bounds of the table at or below s_value, minus one.",
		"Each level of the search takes a cycle: a bound is compared with, and the next one read. A memory has two levels, which take turns.")
	valid := p.Value("valid", 0, f.ports.Valid)
	value, table := f.ports.Value, f.table.Signal // of the pair of levels before, which keeps them for two cycles
	var known vgen.Signal                         // bits found so far, the last of them just now
	for level := 0; level < s.CodeBits; level += 2 {
		pair := level / 2
		both := level+1 < s.CodeBits
		name := func(what string) string { return fmt.Sprintf("%s%d", what, pair) }
		starts := p.At(valid, level, vgen.Reset(0))
		held := m.RegNext(name("value"), value, vgen.Enable(starts))
		heldTable := m.RegNext(name("table"), table, vgen.Enable(starts))
		bound := m.Wire(name("bound"), s.ValueBits)
		_, reached := block.Minus(name("value_less_bound"), held, bound)
		reached = reached.Named(name("reached"))

		// An address ends in the bits found so far, preceded by a one that distinguishes the levels.
		own, prefix := f.own(level)
		to, from := numbered(f.written, prefix, both), numbered(table, known, both)
		known = below(delayed(m, name("found_before"), known), reached)
		if level > 0 {
			known = known.Named(name("found"))
		}
		if both {
			ownNext, prefixNext := f.own(level + 1)
			to = vgen.Mux(ownNext, numbered(f.written, prefixNext, false), to)
			from = vgen.Mux(starts, from, numbered(heldTable, known, false))
			own = own.Or(ownNext)
			known = below(delayed(m, name("found_first"), known), reached).Named(name("found_second"))
		}
		to, from = to.Named(name("write_at")), from.Named(name("read_at"))
		mem := m.Memory(name("levels"), 1<<to.Width(), s.ValueBits,
			fmt.Sprintf("bounds of level %d and the next, inverted", level)).NoCollision()
		mem.Write(f.ports.Write.And(own), to, f.bound)
		m.Assign(bound, mem.Read(name("bound_read"), from))
		value, table = held, heldTable
	}
	return f.finish(p.Reg("code", s.CodeBits, known), table)
}

// numbered is the address of a bound: table, a one, and the bits of its bucket above the level. Where the other level
// of a memory has one more of them there is a zero between.
func numbered(table, prefix vgen.Signal, both bool) vgen.Signal {
	return vgen.Cat(table, below(vgen.Const(1+bit(both), 1), prefix))
}

// delayed is a signal one cycle later; none stays none.
func delayed(m *vgen.Module, name string, s vgen.Signal) vgen.Signal {
	if !s.Exists() {
		return s
	}
	return m.RegNext(name, s)
}
