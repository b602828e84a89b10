package cosim

import (
	"slices"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// difference is a signal that is not what the model says.
type difference struct {
	cycle     int64
	name      string
	tap       int // index of the tap; negative for a port
	port      int // index of the output port, for a port
	want, got []uint64
	issue     int64 // of a tap's item: the cycle from which the tap's latency counts
	order     int   // of a tap: its latency
}

// checker compares batches.
type checker struct {
	frame    *frame
	taps     []int // word of each tap in a record
	compared struct{ cycles, taps int64 }
}

func newChecker(f *frame) *checker {
	c := &checker{frame: f}
	for _, s := range f.layout.Taps {
		c.taps = append(c.taps, s.Offset)
	}
	return c
}

// check finds everything that differs in the first cycle in which something does, in pipeline order: taps of the
// oldest item first, then later ones, then ports. It returns nil when the batch is as expected.
func (c *checker) check(b *batch) []difference {
	first := int64(-1)
	stride := c.frame.layout.OutWords
	for _, e := range b.taps {
		got := b.got[int(e.cycle-b.start)*stride+c.taps[e.tap]]
		if got != e.want && (first < 0 || e.cycle < first) {
			first = e.cycle
		}
	}
	c.compared.taps += int64(len(b.taps))
	for cycle := b.settled; cycle < b.cycles; cycle++ {
		if first >= 0 && b.start+int64(cycle) > first {
			break
		}
		if !c.same(b, cycle) && !slices.Contains(b.uncheck, cycle) {
			first = b.start + int64(cycle)
			break
		}
	}
	c.compared.cycles += int64(b.cycles)
	if first < 0 {
		return nil
	}
	return c.collect(b, first)
}

// records are the outputs of one cycle, expected and found.
func (c *checker) records(b *batch, cycle int) (want, got []uint64) {
	words, stride := c.frame.words, c.frame.layout.OutWords
	return b.want[cycle*words : (cycle+1)*words], b.got[cycle*stride : cycle*stride+words]
}

// same compares the outputs of one cycle.
func (c *checker) same(b *batch, cycle int) bool {
	want, got := c.records(b, cycle)
	for i := range c.frame.streams {
		s := &c.frame.streams[i]
		if s.valid >= 0 && want[s.valid] == 0 {
			continue
		}
		for _, p := range s.ports {
			o := &c.frame.layout.Outputs[p]
			for w := o.Offset; w < o.Offset+o.Words; w++ {
				if want[w] != got[w] {
					return false
				}
			}
		}
		for _, l := range s.lanes {
			if !c.sameLanes(l, want, got) {
				return false
			}
		}
	}
	return true
}

// sameLanes compares the bytes that mean something.
func (c *checker) sameLanes(l lane, want, got []uint64) bool {
	data := &c.frame.layout.Outputs[l.data]
	keep := want[c.frame.layout.Outputs[l.keep].Offset]
	for w := range data.Words {
		if (want[data.Offset+w]^got[data.Offset+w])&byteMask(uint8(keep>>(8*w))) != 0 {
			return false
		}
	}
	return true
}

// byteMask has the bits of each byte set whose bit is set.
func byteMask(keep uint8) uint64 {
	if keep == 0xff {
		return ^uint64(0)
	}
	mask := uint64(0)
	for i := range 8 {
		if keep>>i&1 == 1 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// collect lists the differences of one cycle.
func (c *checker) collect(b *batch, cycle int64) []difference {
	var all []difference
	at := int(cycle - b.start)
	for _, e := range b.taps {
		if e.cycle != cycle {
			continue
		}
		got := b.got[at*c.frame.layout.OutWords+c.taps[e.tap]]
		if got == e.want {
			continue
		}
		t := &c.frame.taps[e.tap]
		all = append(all, difference{
			cycle: cycle, name: t.Name, tap: e.tap, port: -1, want: []uint64{e.want}, got: []uint64{got}, issue: cycle - int64(t.Latency), order: t.Latency,
		})
	}
	slices.SortStableFunc(all, func(a, b difference) int {
		if a.issue != b.issue {
			return int(a.issue - b.issue)
		}
		return a.order - b.order
	})
	if at < b.settled || slices.Contains(b.uncheck, at) {
		return all
	}
	want, got := c.records(b, at)
	differ := func(p int) {
		o := &c.frame.layout.Outputs[p]
		all = append(all, difference{cycle: cycle, name: o.Name, tap: -1, port: p, want: value(o, want), got: value(o, got)})
	}
	for _, s := range c.frame.streams {
		if s.valid >= 0 && want[s.valid] == 0 {
			continue
		}
		for _, p := range s.ports {
			o := &c.frame.layout.Outputs[p]
			if !slices.Equal(value(o, want), value(o, got)) {
				differ(p)
			}
		}
		for _, l := range s.lanes {
			if !c.sameLanes(l, want, got) {
				differ(l.data)
			}
		}
	}
	return all
}

// value is a copy of a port's words.
func value(s *vgen.Slot, record []uint64) []uint64 {
	return slices.Clone(record[s.Offset : s.Offset+s.Words])
}
