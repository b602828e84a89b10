package drive

import (
	"slices"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Difference is a signal that differs from the model.
type Difference struct {
	Cycle     int64
	Name      string
	Rule      string // broken, in place of all that follows (Watcher)
	Tap       int    // index of the tap; negative for a port
	Port      int    // index of the output port; negative for a tap
	Want, Got []uint64
	Issue     int64 // of a tap's item: the cycle from which the tap's latency counts
	order     int   // of a tap: its latency
}

// compare finds everything that differs in the first cycle in which something does, in pipeline order: taps of the
// oldest item first, then later ones, then ports. It returns nil when the batch is as expected.
func (f *Frame) compare(b *Batch, watch Watcher) []Difference {
	first := b.Start + int64(b.Cycles)
	for _, e := range b.taps {
		if e.cycle < first && f.tap(b, e) != e.want {
			first = e.cycle
		}
	}
	at := 0
	for ; at < b.Cycles && b.Start+int64(at) <= first; at++ {
		if f.compared(b, at) && !f.same(b.wanted(f, at), b.Output(at)) {
			return f.collect(b, at)
		}
		if watch == nil {
			continue
		}
		if rule := watch.Watch(b.Start+int64(at), b.Input(at), b.Output(at)); rule != "" {
			return []Difference{{Cycle: b.Start + int64(at), Rule: rule, Tap: -1, Port: -1}}
		}
	}
	if first == b.Start+int64(b.Cycles) {
		return nil
	}
	return f.collect(b, int(first-b.Start))
}

// compared reports whether the outputs of a cycle of the batch mean something.
func (f *Frame) compared(b *Batch, at int) bool {
	return at >= b.settled && !slices.Contains(b.uncheck, at)
}

// tap is the value of a tap.
func (f *Frame) tap(b *Batch, e tapEvent) uint64 {
	return b.Output(int(e.cycle - b.Start))[f.Layout.Taps[e.tap].Offset]
}

// wanted is the expected record of a cycle of the batch.
func (b *Batch) wanted(f *Frame, at int) []uint64 { return b.want[at*f.Words : (at+1)*f.Words] }

// same compares the outputs of one cycle.
func (f *Frame) same(want, got []uint64) bool {
	for i := range f.Streams {
		s := &f.Streams[i]
		if s.Valid >= 0 && want[s.Valid] == 0 {
			continue
		}
		for _, p := range s.Ports {
			o := &f.Layout.Outputs[p]
			for w := o.Offset; w < o.Offset+o.Words; w++ {
				if want[w] != got[w] {
					return false
				}
			}
		}
		for _, l := range s.Lanes {
			if !f.sameLanes(l, want, got) {
				return false
			}
		}
	}
	return true
}

// sameLanes compares the bytes that mean something.
func (f *Frame) sameLanes(l Lane, want, got []uint64) bool {
	data := &f.Layout.Outputs[l.Data]
	keep := want[f.Layout.Outputs[l.Keep].Offset]
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

// collect lists the differences of one cycle of the batch.
func (f *Frame) collect(b *Batch, at int) []Difference {
	var all []Difference
	cycle := b.Start + int64(at)
	for _, e := range b.taps {
		if e.cycle != cycle || f.tap(b, e) == e.want {
			continue
		}
		t := &f.Taps[e.tap]
		all = append(all, Difference{
			Cycle: cycle, Name: t.Name, Tap: e.tap, Port: -1, Want: []uint64{e.want}, Got: []uint64{f.tap(b, e)},
			Issue: cycle - int64(t.Latency), order: t.Latency,
		})
	}
	slices.SortStableFunc(all, func(a, b Difference) int {
		if a.Issue != b.Issue {
			return int(a.Issue - b.Issue)
		}
		return a.order - b.order
	})
	if !f.compared(b, at) {
		return all
	}
	want, got := b.wanted(f, at), b.Output(at)
	for _, s := range f.Streams {
		if s.Valid >= 0 && want[s.Valid] == 0 {
			continue
		}
		differ := func(p int) {
			o := &f.Layout.Outputs[p]
			all = append(all, Difference{Cycle: cycle, Name: o.Name, Tap: -1, Port: p, Want: value(o, want), Got: value(o, got)})
		}
		for _, p := range s.Ports {
			if o := &f.Layout.Outputs[p]; !slices.Equal(value(o, want), value(o, got)) {
				differ(p)
			}
		}
		for _, l := range s.Lanes {
			if !f.sameLanes(l, want, got) {
				differ(l.Data)
			}
		}
	}
	return all
}

// value is a copy of a port's words.
func value(s *vgen.Slot, record []uint64) []uint64 {
	return slices.Clone(record[s.Offset : s.Offset+s.Words])
}
