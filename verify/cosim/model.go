package cosim

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// batch is a stretch of cycles on its way through the comparison.
type batch struct {
	start    int64 // first cycle
	cycles   int
	in       []uint64   // Layout.InWords a cycle
	want     []uint64   // expected outputs, without taps
	got      []uint64   // Layout.OutWords a cycle
	taps     []tapEvent // expected taps
	settled  int        // outputs mean something from this cycle of the batch on: reset has been seen
	uncheck  []int      // cycles of the batch in which outputs are not compared
	err      error
	progress int64 // ACKs issued until its end
}

// tapEvent is the value that a tap must have in a cycle.
type tapEvent struct {
	cycle int64 // of the run
	tap   int   // index into the target's taps
	want  uint64
}

// leg is the model's side: a source of stimulus closed loop with the golden model.
type leg struct {
	target *stimulus.Target
	model  *hpcc.Clocked
	source stimulus.Source
	taps   []tapReader
	words  int // of the outputs, without taps

	cycle   int64
	reset   bool // a cycle with reset has passed
	acks    int64
	current *batch
	ahead   []tapEvent // beyond the current batch

	// skipReset leaves out the cycles of an asynchronous reset, which the interpreter shows a cycle later.
	skipReset bool

	onAck func(cycle int64, a *hpcc.Ack, r *hpcc.Result) // may be nil
	in    hpcc.Inputs
	out   hpcc.Outputs
}

// tapReader reads the value of one tap from the model; ok is false when this reaction says nothing about it.
type tapReader struct {
	latency int64
	read    readTap
}

type readTap func(t *hpcc.Taps, r *hpcc.Result) (v uint64, ok bool)

// newLeg makes the model's side. attach is given the model and makes the source.
func newLeg(t *stimulus.Target, attach func(m *hpcc.Clocked) stimulus.Source) (*leg, error) {
	m, err := hpcc.NewClocked(t.Config, t.Timing)
	if err != nil {
		return nil, err
	}
	l := &leg{target: t, model: m, words: outputWords(t)}
	for i := range t.Taps {
		r, err := readerOf(t.Taps[i].Name)
		if err != nil {
			return nil, err
		}
		l.taps = append(l.taps, tapReader{int64(t.Taps[i].Latency), r})
	}
	l.source = attach(m)
	observer, _ := l.source.(interface {
		Issued(a *hpcc.Ack, r *hpcc.Result)
		Reacted(t *hpcc.Taps)
	})
	var reaction hpcc.Taps
	m.OnReact = func(_ int64, t *hpcc.Taps) {
		if observer != nil {
			observer.Reacted(t)
		}
		reaction = *t
	}
	m.OnAck = func(_ int64, a *hpcc.Ack, r *hpcc.Result) {
		l.acks++
		if r.Kind.Reacts() {
			l.expect(&reaction, r)
		}
		if observer != nil {
			observer.Issued(a, r)
		}
		if l.onAck != nil {
			l.onAck(l.cycle, a, r)
		}
	}
	return l, nil
}

// outputWords is the number of words of a cycle's outputs before the taps.
func outputWords(t *stimulus.Target) int {
	l := t.Binding.Layout
	if len(l.Taps) > 0 {
		return l.Taps[0].Offset
	}
	return l.OutWords
}

// readerOf finds the model's value for a tap of the design by its name.
func readerOf(name string) (readTap, error) {
	var hop int
	if n, _ := fmt.Sscanf(name, "u_hop%d", &hop); n == 1 && hop < hpcc.MaxHops {
		return func(t *hpcc.Taps, _ *hpcc.Result) (uint64, bool) { return t.UHop[hop], t.HopValid[hop] }, nil
	}
	if name == "tau" || name == "arg_max" { // of the hop chosen, when there is one
		f := tapValues[name]
		return func(t *hpcc.Taps, r *hpcc.Result) (uint64, bool) { return f(t, r), t.UMax > 0 }, nil
	}
	if f, ok := tapValues[name]; ok {
		return func(t *hpcc.Taps, r *hpcc.Result) (uint64, bool) { return f(t, r), true }, nil
	}
	return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", name)
}

// tapValues are the taps that every reaction sets. Those behind the commit show the result.
var tapValues = map[string]func(t *hpcc.Taps, r *hpcc.Result) uint64{
	"u_max":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.UMax },
	"arg_max":  func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return uint64(t.ArgMax) },
	"tau":      func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Tau },
	"alpha":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Alpha },
	"u_new":    func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.U },
	"quotient": func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Quotient },
	"window":   func(t *hpcc.Taps, _ *hpcc.Result) uint64 { return t.Window },
	"rate":     func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return r.Rate },
	"stage":    func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Stage) },
	"kind":     func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Kind) },
	"status":   func(_ *hpcc.Taps, r *hpcc.Result) uint64 { return uint64(r.Status) },
}

// expect notes what the taps must show for a reaction issued in this cycle.
func (l *leg) expect(t *hpcc.Taps, r *hpcc.Result) {
	end := l.current.start + int64(l.current.cycles)
	for i := range l.taps {
		v, ok := l.taps[i].read(t, r)
		if !ok {
			continue
		}
		e := tapEvent{cycle: l.cycle + l.taps[i].latency, tap: i, want: v}
		if e.cycle < end {
			l.current.taps = append(l.current.taps, e)
		} else {
			l.ahead = append(l.ahead, e)
		}
	}
}

// fill makes the next cycles. The batch's slices are used again.
func (l *leg) fill(b *batch, cycles int) {
	lay := l.target.Binding.Layout
	b.start, b.cycles, b.settled, b.err = l.cycle, cycles, 0, nil
	b.in = resize(b.in, cycles*lay.InWords)
	b.want = resize(b.want, cycles*l.words)
	b.got = resize(b.got, cycles*lay.OutWords)
	b.taps, b.uncheck = b.taps[:0], b.uncheck[:0]
	if !l.reset {
		b.settled = cycles
	}
	l.current = b
	l.fetch()
	for c := range cycles {
		l.source.Next(&l.in)
		if l.in.Rst {
			l.forget()
			if l.skipReset {
				b.uncheck = append(b.uncheck, c)
			}
		}
		l.model.Cycle(&l.in, &l.out)
		l.target.Binding.PutInputs(b.in[c*lay.InWords:], &l.in)
		l.target.Binding.PutOutputs(b.want[c*l.words:], &l.out)
		l.source.Seen(&l.in, &l.out)
		l.cycle++
		if l.in.Rst && !l.reset {
			l.reset = true
			b.settled = c + 1
		}
	}
	b.progress = l.acks
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

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}
