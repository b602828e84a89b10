package cosim

import (
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// frame is what the comparison must know of a design: how to run it, and where its outputs and taps lie in the records of
// a cycle.
type frame struct {
	design  engine.Design
	layout  *vgen.Layout
	streams []stream
	taps    []vgen.Tap // as in layout.Taps
	words   int        // of the outputs, without taps
	async   bool       // the reset is asynchronous
}

// stream groups output ports that are judged together.
type stream struct {
	valid int    // word of the valid port in a record; negative: the ports always mean something
	ports []int  // indices into layout.Outputs
	lanes []lane // ports of which only some bytes mean something
}

// lane is a port of bytes, and the port with a bit for each byte that means something.
type lane struct{ data, keep int }

// newFrame makes the frame of a layout with the given taps.
func newFrame(d engine.Design, l *vgen.Layout, taps []vgen.Tap, streams []stream) frame {
	f := frame{design: d, layout: l, streams: streams, taps: taps, words: l.OutWords, async: d.Reset == vgen.AsyncLow}
	if len(l.Taps) > 0 {
		f.words = l.Taps[0].Offset
	}
	return f
}

// side is a golden model closed loop with a source of stimulus.
type side interface {
	// start is told where to leave what taps must show (leg.expect).
	start(l *leg)
	// step makes one cycle: what goes in, and what must come out. Payload without its valid may be left as it is. It says
	// whether there was reset.
	step(in, want []uint64) (reset bool)
	// items is the number of ACKs or packets decided so far.
	items() int64
}

// batch is a stretch of cycles on its way through the comparison.
type batch struct {
	start    int64 // first cycle
	cycles   int
	in       []uint64   // layout.InWords a cycle
	want     []uint64   // expected outputs, without taps
	got      []uint64   // layout.OutWords a cycle
	taps     []tapEvent // expected taps
	settled  int        // outputs mean something from this cycle of the batch on: reset has been seen
	uncheck  []int      // cycles of the batch in which outputs are not compared
	err      error
	progress int64 // items until its end
}

// tapEvent is the value that a tap must have in a cycle.
type tapEvent struct {
	cycle int64 // of the run
	tap   int   // index into the frame's taps
	want  uint64
}

// leg cuts the model's side into batches.
type leg struct {
	frame *frame
	side  side

	cycle   int64
	reset   bool // a cycle with reset has passed
	current *batch
	ahead   []tapEvent // beyond the current batch

	// skipReset leaves out the cycles of an asynchronous reset, which the interpreter shows a cycle later.
	skipReset bool
}

func newLeg(f *frame, s side) *leg {
	l := &leg{frame: f, side: s}
	s.start(l)
	return l
}

// expect notes what a tap must show so many cycles after the current one.
func (l *leg) expect(tap int, after int64, want uint64) {
	e := tapEvent{cycle: l.cycle + after, tap: tap, want: want}
	if e.cycle < l.current.start+int64(l.current.cycles) {
		l.current.taps = append(l.current.taps, e)
	} else {
		l.ahead = append(l.ahead, e)
	}
}

// fill makes the next cycles. The batch's slices are used again.
func (l *leg) fill(b *batch, cycles int) {
	lay, words := l.frame.layout, l.frame.words
	b.start, b.cycles, b.settled, b.err = l.cycle, cycles, 0, nil
	b.in = resize(b.in, cycles*lay.InWords)
	b.want = resize(b.want, cycles*words)
	b.got = resize(b.got, cycles*lay.OutWords)
	b.taps, b.uncheck = b.taps[:0], b.uncheck[:0]
	if !l.reset {
		b.settled = cycles
	}
	l.current = b
	l.fetch()
	for c := range cycles {
		reset := l.side.step(b.in[c*lay.InWords:(c+1)*lay.InWords], b.want[c*words:(c+1)*words])
		if reset {
			l.forget()
			if l.skipReset {
				b.uncheck = append(b.uncheck, c)
			}
		}
		l.cycle++
		if reset && !l.reset {
			l.reset = true
			b.settled = c + 1
		}
	}
	b.progress = l.side.items()
}

// fetch moves the expected taps that the new batch reaches into it.
func (l *leg) fetch() {
	end := l.current.start + int64(l.current.cycles)
	kept := l.ahead[:0]
	for _, e := range l.ahead {
		if e.cycle < end {
			l.current.taps = append(l.current.taps, e)
		} else {
			kept = append(kept, e)
		}
	}
	l.ahead = kept
}

// forget drops what the taps would have shown: a reset ends the operations in flight.
func (l *leg) forget() {
	l.ahead = l.ahead[:0]
	kept := l.current.taps[:0]
	for _, e := range l.current.taps {
		if e.cycle < l.cycle {
			kept = append(kept, e)
		}
	}
	l.current.taps = kept
}

// runTo makes the cycles from start to end-1 and drops them.
func runTo(l *leg, start, end int64) { each(l, start, end, func(int64, []uint64, []uint64) {}) }

// each makes the cycles from start to end-1 and shows their records.
func each(l *leg, start, end int64, see func(cycle int64, in, want []uint64)) {
	l.cycle = start
	var b batch
	for l.cycle < end {
		l.fill(&b, int(min(batchCycles, end-l.cycle)))
		for c := range b.cycles {
			in, words := l.frame.layout.InWords, l.frame.words
			see(b.start+int64(c), b.in[c*in:(c+1)*in], b.want[c*words:(c+1)*words])
		}
	}
}

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}
