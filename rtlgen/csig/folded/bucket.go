package folded

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Bucketizer builds csig_bucketizer of a folded pipeline: a binary search in which all levels share a memory and a
// comparator. The place of bucket 0, whose bound is 0, has the number of the table's last bucket.
func Bucketizer(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_bucketizer", "Bucketizer of compact tags: binary search, one memory")
	m.Doc("m_code is the number of lower bounds of the table at or below s_value, minus one.",
		fmt.Sprintf(
			"Stages 1 to %d: each compares with a bound, and reads the next. The code is valid in the stage after, and held.", block.BucketBits),
		"s_value stays until then; w_valid is not high in two cycles in a row with w_present, and w_type and w_bank stay for a cycle after it.")
	w := c.PortWidths()
	w["value"], w["code"], w["valid"] = block.ValueBits, block.BucketBits, 1
	ports := vgen.Ports[block.BucketPorts](m, w)
	p := lib.NewPipe(m)
	start := p.Value("start", 0, ports.Valid)
	at := func(stage int) vgen.Signal { return p.At(start, stage, vgen.Reset(0), vgen.Control()) }

	m.StageDoc(1, "the table that is searched, held for the search")
	m.StageDoc(2, "binary search: in each cycle a bound is compared with, the middle of the rest, and the next is read")
	m.StageDoc(block.BucketBits+1, "the code so far, its upper bits first")
	m.Section("Tables")
	mem := m.Memory("bounds", 1<<(block.TableBits+block.BucketBits), block.ValueBits,
		"lower bounds by type, bank and bucket; of bucket 0 the number of the last").NoCollision()
	// A bound that is not there is all ones: no value but the largest reaches it, and the last bucket sees to that.
	written := vgen.Cat(ports.WType, ports.WBank).Named("table_written")
	counts := m.StateNext("last_written", ports.Write.And(ports.Present))
	index := m.RegNext("last_q", ports.WIndex)
	bound := ports.WBound.Or(ports.Present.Not().Repeat(block.ValueBits))
	mem.Write(ports.Write.Or(counts), vgen.Cat(written, ports.WIndex.And(counts.Not().Repeat(block.BucketBits))),
		vgen.Mux(counts, index.Zext(block.ValueBits), bound).Named("word_written"))

	m.Section("Search")
	table := vgen.Cat(ports.Type, ports.Bank)
	held := m.RegNext("table_q", table, vgen.Enable(ports.Valid))
	code := m.Reg("code_q", block.BucketBits)
	level := make([]vgen.Signal, block.BucketBits) // the bit that is found, of a stage; the first one lowest
	for i := range level {
		level[i] = at(block.BucketBits - i)
	}
	read := m.Wire("bound", block.ValueBits)
	reached := ports.Value.Ge(read).Named("reached")
	levels := vector(level).Named("levels")
	found := code.Or(levels.And(reached.Repeat(block.BucketBits))).Named("found")
	m.Next(code, found.And(ports.Valid.Not().Repeat(block.BucketBits)))
	// The next bound to compare with is that of the middle of the rest; behind the last level the number of the last
	// bucket is read.
	next := found.Or(vgen.Cat(vgen.Const(1, 0), levels.Slice(block.BucketBits-1, 1))).Named("next")
	done := at(block.BucketBits)
	place := vgen.Mux(ports.Valid, vgen.Const(block.BucketBits, 1<<(block.BucketBits-1)),
		next.And(done.Not().Repeat(block.BucketBits)))
	m.Assign(read, mem.ReadEn("bound_q", vgen.Cat(vgen.Mux(ports.Valid, table, held), place).Named("read_at"),
		searching(at)))
	last := read.Trunc(block.BucketBits)
	m.Assign(ports.Code, vgen.Mux(code.Gt(last), last, code))
	m.SetTiming(block.BucketBits+1, block.FoldedCycles)
	return m
}

// searching reports whether a bound is read.
func searching(at func(stage int) vgen.Signal) vgen.Signal {
	list := make([]vgen.Signal, block.BucketBits+1)
	for i := range list {
		list[i] = at(i)
	}
	return or(list...)
}
