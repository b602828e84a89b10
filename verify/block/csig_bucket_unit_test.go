package block

import (
	"math/rand/v2"
	"slices"

	model "github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/wide"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// bucketTable is a table of lower bounds: bound 0 is 0, the first; those that are not there are missing at the end.
type bucketTable []uint64

// code counts the bounds at or below the value.
func (b bucketTable) code(value uint64) uint64 {
	n := uint64(0)
	for _, bound := range b {
		if bound <= value {
			n++
		}
	}
	return n - 1
}

// bucketCycle holds the port values of csig_bucketizer in a cycle.
type bucketCycle struct {
	start                           bool
	table, value                    uint64 // table: type and bank
	write                           bool
	wtable, windex, wbound, present uint64
	tested                          bool // the code must be this one
	code                            uint64
}

// bucketUnit is a bucketizer with a source of its inputs in each cycle.
func bucketUnit(name string, m *vgen.Module, next func(r *rand.Rand) bucketCycle) *Unit {
	latency := int64(m.Latency())
	var flying []due
	return &Unit{Name: name, Module: m, Play: func(c *Cycle) {
		var b bucketCycle
		if !c.Reset {
			b = next(c.Random)
		}
		in := []wide.Uint128{
			wide.From(b.table >> 1), wide.From(b.table & 1), wide.From(b.value),
			bit(b.write), wide.From(b.wtable >> 1), wide.From(b.wtable & 1), wide.From(b.windex), wide.From(b.wbound),
			wide.From(b.present),
		}
		if len(c.In) > len(in) {
			in = append([]wide.Uint128{bit(b.start)}, in...)
		}
		copy(c.In, in)
		if len(flying) > 0 && flying[0].cycle == c.Number {
			c.Want[0], c.Care[0] = flying[0].results[0], true
			flying = flying[1:]
		}
		if b.start && b.tested {
			flying = append(flying, due{c.Number + latency, []wide.Uint128{wide.From(b.code)}})
		}
	}}
}

// everyTable tries every value with every table of its width and size, through all types and banks in turn: a bank is
// written while the other is read.
type everyTable struct {
	valueBits, size   int
	latency, interval int
	table             bucketTable // written now, read next
	read              bucketTable
	phase, at         int
	finished          bool
}

func newEveryTable(m *vgen.Module, valueBits, codeBits int) *everyTable {
	size := 1 << codeBits
	return &everyTable{valueBits: valueBits, size: size, latency: m.Latency(), interval: m.Interval(),
		table: make(bucketTable, size)}
}

// advance moves to the next table: bounds that do not decrease; a bound above all values stands for an absent one.
func (e *everyTable) advance() {
	none := uint64(1) << e.valueBits
	for i := e.size - 1; i > 0; i-- {
		if e.table[i] < none {
			e.table[i]++
			for j := i + 1; j < e.size; j++ {
				e.table[j] = e.table[i]
			}
			return
		}
	}
	e.finished = true
}

func (e *everyTable) next(r *rand.Rand) bucketCycle {
	values := 1 << e.valueBits
	length := max(values*e.interval, e.latency+e.size)
	length += length % e.interval
	b := bucketCycle{start: e.at%e.interval == 0, table: r.Uint64N(8), value: r.Uint64() & wide.Mask(e.valueBits)}
	b.wtable, b.wbound = r.Uint64N(8), r.Uint64()&wide.Mask(e.valueBits)
	if b.start {
		b.table, b.value = uint64(e.phase)%8, uint64(e.at/e.interval%values)
	}
	if e.read != nil {
		b.tested, b.code = true, e.read.code(b.value)
	}
	// Entries that a read begun in the phase before may still access are not written.
	if i := e.at - e.latency + 1; i >= 1 && i < e.size && !e.finished {
		b.write, b.wtable, b.windex = true, uint64(e.phase+1)%8, uint64(i)
		if e.table[i] < uint64(values) {
			b.wbound, b.present = e.table[i], 1
		}
	}
	e.at++
	if e.at == length && !e.finished {
		e.read = slices.Clone(e.table)
		e.advance()
		e.phase, e.at = e.phase+1, 0
	}
	return b
}

// someTables reads tables at their bounds and next to them while others are written, with pauses.
type someTables struct {
	valueBits, size   int
	latency, interval int
	pause             int // cycles before the next value
	first             int // bound that is written first
	tables            [8]bucketTable
	victim            int // being written; negative: none
	wait              int
	index             int // of the bound written next
	written           bucketTable
}

func (s *someTables) next(r *rand.Rand) bucketCycle {
	limit := wide.Mask(s.valueBits)
	b := bucketCycle{table: r.Uint64N(8), value: draw(r, s.valueBits).Lo, wtable: r.Uint64N(8),
		windex: r.Uint64N(uint64(s.size)), wbound: r.Uint64() & limit, present: r.Uint64N(2)}
	if s.pause > 0 {
		s.pause--
	} else if b.start = r.IntN(8) > 0; b.start {
		s.pause = s.interval - 1
	}
	if t := s.tables[b.table]; t != nil {
		b.tested = true
		if r.IntN(4) > 0 {
			b.value = (t[r.IntN(len(t))] + uint64(r.IntN(3)) - 1) & limit
		}
		b.code = t.code(b.value)
	}
	switch {
	case s.victim < 0 && r.IntN(30) == 0:
		s.victim, s.wait, s.index = r.IntN(8), s.latency, s.first
		s.tables[s.victim], s.written = nil, s.draw(r)
	case s.victim >= 0 && s.wait > 0:
		s.wait--
	case s.victim >= 0 && s.index == s.size:
		s.tables[s.victim], s.victim = s.written, -1
	case s.victim >= 0 && r.IntN(4) > 0:
		b.write, b.wtable, b.windex, b.present = true, uint64(s.victim), uint64(s.index), 0
		if s.index < len(s.written) {
			b.wbound, b.present = s.written[s.index], 1
		}
		s.index++
		if r.IntN(200) == 0 { // begun again, with another table
			s.index, s.written = s.first, s.draw(r)
		}
	}
	return b
}

// draw is a table: any bounds, few different ones, or the draft's.
func (s *someTables) draw(r *rand.Rand) bucketTable {
	if s.valueBits == 32 && r.IntN(6) == 0 {
		return model.AppendixA(24)[r.IntN(3)]
	}
	t := make(bucketTable, 1+r.IntN(s.size))
	if r.IntN(3) == 0 {
		t = make(bucketTable, s.size)
	}
	few := []uint64{0, draw(r, s.valueBits).Lo, draw(r, s.valueBits).Lo, wide.Mask(s.valueBits)}
	all := r.IntN(2) == 0
	for i := 1; i < len(t); i++ {
		t[i] = few[r.IntN(4)]
		if all {
			t[i] = draw(r, s.valueBits).Lo
		}
	}
	slices.Sort(t)
	return t
}

// Bucketizer is a bucketizer against a count of bounds, as a unit. With every set, all tables and values are tried,
// once; otherwise they are drawn, at bounds and next to them.
func Bucketizer(name string, s rtl.BucketShape, every bool) *Unit {
	m := rtl.Bucketizer(name, s)
	if every {
		e := newEveryTable(m, s.ValueBits, s.CodeBits)
		u := bucketUnit(name, m, e.next)
		u.Finished = func() bool { return e.finished && e.at > e.interval<<e.valueBits }
		return u
	}
	some := &someTables{valueBits: s.ValueBits, size: 1 << s.CodeBits, first: 1, latency: m.Latency(),
		interval: m.Interval(), victim: -1}
	return bucketUnit(name, m, some.next)
}
