package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// TableBits is the width of tw_table.
const TableBits = 4

// HeldTable is a table write, held while it passes the pipeline.
type HeldTable struct {
	Table vgen.Signal `port:"table" width:"table" doc:"table written, held"`
	Index vgen.Signal `port:"index" width:"tindex" doc:"entry written, held"`
	Data  vgen.Signal `port:"data" width:"tdata" doc:"value written, held"`
}

// TableWrite is a held table write with its table decoded.
type TableWrite struct {
	m           *vgen.Module
	index, data vgen.Signal
	is          func(table int) vgen.Signal
}

// decodeTable decodes the table of a held write. With an operation a cycle all of it is registered once
// more, which parts the way from the stream to the far ends of the core; the operation enters later than
// its payload is held.
func decodeTable(m *vgen.Module, tw HeldTable, dense bool) TableWrite {
	decode := func(table int) vgen.Signal { return tw.Table.Is(uint64(table)) }
	if !dense {
		return TableWrite{m, tw.Index, tw.Data, decode}
	}
	held := TableWrite{m: m}
	if tw.Index.Exists() {
		held.index = m.RegNext("tw_index_held", tw.Index)
	}
	held.data = m.RegNext("tw_data_held", tw.Data)
	selects := map[int]vgen.Signal{}
	m.StageHint(1, "the table that a table write selects")
	held.is = func(table int) vgen.Signal {
		if _, ok := selects[table]; !ok {
			selects[table] = m.RegNext(fmt.Sprintf("tw_is_table%d", table), decode(table))
		}
		return selects[table]
	}
	return held
}

// copyOf is the port through which a block's copy of a table is written: a struct of three signals, which say that
// the table is written, where and what. A table of one entry has no index; a copy that a design does not need has
// no port at all.
func copyOf(port any) (sel, index, data vgen.Signal) {
	switch list := vgen.Leaves(port); len(list) {
	case 2:
		return *list[0], vgen.Signal{}, *list[1]
	case 3:
		return *list[0], *list[1], *list[2]
	}
	return
}

// To leads the write to a block's copy of a table, which keeps of an entry the bits from low on.
func (w TableWrite) To(table, low int, port any) {
	sel, index, data := copyOf(port)
	if !sel.Exists() {
		return
	}
	w.m.Assign(sel, w.is(table))
	if index.Exists() {
		w.m.Assign(index, w.index.Trunc(index.Width()))
	}
	w.m.Assign(data, w.data.Slice(low+data.Width()-1, low))
}

// Copy is the write to a copy of a table in the core itself, in place of a block's port: of entries the low bits of
// the given width, of the index its low bits, none for a table of one entry.
func (w TableWrite) Copy(table, indexBits, width int) any {
	c := &struct{ Select, Index, Data vgen.Signal }{Select: w.is(table), Data: w.data.Trunc(width)}
	if indexBits > 0 {
		c.Index = w.index.Trunc(indexBits)
	}
	return c
}

// Tables gives a block its copies of the tables that software writes. A table is written and read at
// the same stage, so that an operation sees exactly the writes issued before it.
type Tables struct {
	m  *vgen.Module
	p  *lib.Pipe
	op Op
}

// NewTables are the tables of a block in module m.
func NewTables(m *vgen.Module, p *lib.Pipe, o Op) Tables { return Tables{m, p, o} }

// Entry reads at stage the entry at index of a table that is written through port; the entry is valid one stage
// later. A table of one entry has no index.
func (t Tables) Entry(name, doc string, entries, stage int, port any, rindex vgen.Signal) lib.Value {
	sel, windex, data := copyOf(port)
	at := stage
	if t.op.Dense {
		at-- // the payload is held; it passes registers with the operation to a memory that may be far away
	}
	step := func(what string, s vgen.Signal, opts ...vgen.RegOption) vgen.Signal {
		if !t.op.Dense {
			return s
		}
		return t.p.Reg(name+"_"+what, at, s, opts...).Signal
	}
	if t.op.Dense {
		t.p.Hint(at+1, fmt.Sprintf("write port of the table %s", name))
	}
	sweep := t.op.Is(Clear, at)
	write := step("write", t.op.Is(Table, at).And(sel).Or(sweep).Named(fmt.Sprintf("%s_write", name)), vgen.Reset(0))
	word := step("word", data.Where(sweep.Not()))
	if entries == 1 {
		return t.p.Reg(name, stage, t.m.RegNext(name+"_entry", word, vgen.Enable(write)))
	}
	// What a writing operation itself reads is not used.
	mem := t.m.Memory(name+"_table", entries, data.Width(), doc).NoCollision()
	addr := mem.AddrWidth()
	mem.Write(write, step("place", vgen.Mux(sweep, t.p.At(t.op.index, at).Trunc(addr), windex)), word)
	return t.p.Value(name, stage+1, mem.Read(fmt.Sprintf("%s_s%d", name, stage+1), rindex))
}
