package cosim

import (
	"slices"

	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// difference is a signal that is not what the model says.
type difference struct {
	cycle     int64
	name      string
	tap       int // index of the tap; negative for a port
	port      int // index of the output port, for a port
	want, got uint64
	issue     int64 // of a tap's ACK
	order     int   // of a tap: its latency
}

// checker compares batches.
type checker struct {
	target   *stimulus.Target
	streams  []stimulus.Stream
	words    int
	stride   int
	taps     []int // word of each tap in a record
	compared struct{ cycles, taps int64 }
}

func newChecker(t *stimulus.Target) *checker {
	c := &checker{target: t, streams: t.Binding.OutputStreams(), words: outputWords(t), stride: t.Binding.Layout.OutWords}
	for _, s := range t.Binding.Layout.Taps {
		c.taps = append(c.taps, s.Offset)
	}
	return c
}

// check finds everything that differs in the first cycle in which something does, in pipeline order: taps of the
// oldest ACK first, then later ones, then ports. It returns nil when the batch is as expected.
func (c *checker) check(b *batch) []difference {
	first := int64(-1)
	for _, e := range b.taps {
		got := b.got[int(e.cycle-b.start)*c.stride+c.taps[e.tap]]
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

// same compares the outputs of one cycle.
func (c *checker) same(b *batch, cycle int) bool {
	want := b.want[cycle*c.words : (cycle+1)*c.words]
	got := b.got[cycle*c.stride : cycle*c.stride+c.words]
	outputs := c.target.Binding.Layout.Outputs
	for i := range c.streams {
		s := &c.streams[i]
		if s.Valid >= 0 && want[s.Valid] == 0 {
			continue
		}
		for _, p := range s.Ports {
			w := outputs[p].Offset
			if want[w] != got[w] {
				return false
			}
		}
	}
	return true
}

// collect lists the differences of one cycle.
func (c *checker) collect(b *batch, cycle int64) []difference {
	var all []difference
	at := int(cycle - b.start)
	for _, e := range b.taps {
		if e.cycle != cycle {
			continue
		}
		got := b.got[at*c.stride+c.taps[e.tap]]
		if got == e.want {
			continue
		}
		t := &c.target.Taps[e.tap]
		all = append(all, difference{
			cycle: cycle, name: t.Name, tap: e.tap, port: -1, want: e.want, got: got, issue: cycle - int64(t.Latency), order: t.Latency,
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
	outputs := c.target.Binding.Layout.Outputs
	for _, s := range c.streams {
		if s.Valid >= 0 && b.want[at*c.words+s.Valid] == 0 {
			continue
		}
		for _, p := range s.Ports {
			w := outputs[p].Offset
			want, got := b.want[at*c.words+w], b.got[at*c.stride+w]
			if want != got {
				all = append(all, difference{cycle: cycle, name: outputs[p].Name, tap: -1, port: p, want: want, got: got})
			}
		}
	}
	return all
}
