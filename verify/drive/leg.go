package drive

import (
	"slices"

	"github.com/hdlpkg/hpccgen/verify/engine"
)

// Side is a golden model in closed loop with a source of stimulus.
type Side interface {
	// Start is told where to leave what taps must show (Leg.Expect).
	Start(l *Leg)
	// Step makes one cycle: inputs and expected outputs. Payload without its valid may be left as it is. It
	// reports whether there was reset.
	Step(in, want []uint64) (reset bool)
	// Items is the number of ACKs or packets decided so far.
	Items() int64
}

// Watcher is a Side that also checks the design without the model. It sees a batch before the next one is
// made.
type Watcher interface {
	// Watch sees each cycle in order, reset included. What it returns is the rule that is broken; "" for none.
	Watch(cycle int64, in, out []uint64) (broken string)
}

// expected is the model's result for a batch.
type expected struct {
	want    []uint64   // outputs, Frame.Words a cycle
	taps    []tapEvent // taps
	settled int        // outputs mean something from this cycle of the batch on: reset has been seen
	uncheck []int      // cycles of the batch in which outputs are not compared
	items   int64      // ACKs or packets until its end
}

// tapEvent is the value that a tap must have in a cycle.
type tapEvent struct {
	cycle int64 // of the run
	tap   int   // index into the frame's taps
	want  uint64
}

// Leg is the Work of a comparison with a Side.
type Leg struct {
	frame *Frame
	side  Side
	watch Watcher // nil: none

	cycle   int64
	reset   bool // a cycle with reset has passed
	current *Batch
	ahead   []tapEvent // beyond the current batch

	// skipReset leaves out the cycles of an asynchronous reset, which the interpreter shows a cycle later.
	skipReset bool

	end      int64 // of a run
	batch    int   // cycles at once
	progress func(done int64)
	late     func() bool // ends a run with errOutOfTime
	outcome  Outcome
}

// Outcome is the result of a run in lockstep.
type Outcome struct {
	Cycles int64        // compared, up to the end of the batch with the first difference
	Items  int64        // ACKs or packets
	Taps   int64        // compared
	First  []Difference // of the first cycle in which something differs; nil: nothing did
	Batch  *Batch       // in which that is
}

// NewLeg makes a leg that starts at cycle 0, for the named engine.
func NewLeg(f *Frame, s Side, engine string) *Leg {
	l := &Leg{frame: f, side: s, skipReset: f.async() && engine == "go", batch: BatchCycles}
	l.watch, _ = s.(Watcher)
	s.Start(l)
	return l
}

// BatchCycles is how many cycles cross to the engine at once in lockstep; batches is how many batches are under way.
const (
	BatchCycles = 4096
	batches     = 4
)

// Lockstep runs cycles of a leg's stimulus on both sides. The model is some batches ahead, except for a Watcher.
func Lockstep(l *Leg, e engine.Engine, cycles int64, progress func(done int64)) (Outcome, error) {
	l.progress = progress
	if l.watch != nil {
		return l.run(e, cycles, 1)
	}
	return l.run(e, cycles, batches)
}

func (l *Leg) run(e engine.Engine, cycles int64, batches int) (Outcome, error) {
	l.end, l.outcome = l.cycle+cycles, Outcome{}
	err := Run(e, l, batches)
	return l.outcome, err
}

// Fill makes the model's side of the next batch.
func (l *Leg) Fill(b *Batch) error {
	if l.late != nil && l.late() {
		return errOutOfTime
	}
	l.fill(b, int(min(int64(l.batch), l.end-l.cycle)))
	return nil
}

// Judge compares a batch.
func (l *Leg) Judge(b *Batch) error {
	o := &l.outcome
	o.Taps += int64(len(b.taps))
	o.Cycles += int64(b.Cycles)
	o.Items = b.items
	if o.First = l.frame.compare(b, l.watch); o.First != nil {
		o.Batch = b
	}
	if l.progress != nil {
		l.progress(o.Cycles)
	}
	if o.First != nil {
		return ErrStop
	}
	return nil
}

// Cycle is the cycle of the model that comes next, or is under way.
func (l *Leg) Cycle() int64 { return l.cycle }

// Expect notes what a tap must show so many cycles after the current one; before it, if that is negative, as far as the
// current batch reaches.
func (l *Leg) Expect(tap int, after int64, want uint64) {
	e := tapEvent{cycle: l.cycle + after, tap: tap, want: want}
	switch {
	case e.cycle < l.current.Start:
	case e.cycle < l.current.Start+int64(l.current.Cycles):
		l.current.taps = append(l.current.taps, e)
	default:
		l.ahead = append(l.ahead, e)
	}
}

// fill makes the next cycles.
func (l *Leg) fill(b *Batch, cycles int) {
	words := l.frame.Words
	b.Size(l.frame.Layout, cycles)
	b.Start, b.settled = l.cycle, 0
	b.want = resize(b.want, cycles*words)
	b.taps, b.uncheck = b.taps[:0], b.uncheck[:0]
	if !l.reset {
		b.settled = cycles
	}
	l.current = b
	l.fetch()
	for c := range cycles {
		reset := l.side.Step(b.Input(c), b.want[c*words:(c+1)*words])
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
	b.items = l.side.Items()
}

// fetch moves the expected taps that the new batch reaches into it.
func (l *Leg) fetch() {
	end := l.current.Start + int64(l.current.Cycles)
	l.ahead = slices.DeleteFunc(l.ahead, func(e tapEvent) bool {
		if e.cycle < end {
			l.current.taps = append(l.current.taps, e)
		}
		return e.cycle < end
	})
}

// forget drops the expected values of taps: a reset ends the operations in flight.
func (l *Leg) forget() {
	l.ahead = l.ahead[:0]
	l.current.taps = slices.DeleteFunc(l.current.taps, func(e tapEvent) bool { return e.cycle >= l.cycle })
}

// RunTo makes the model's cycles from the next one to end-1, without a design, and shows their records; see may be nil.
func (l *Leg) RunTo(end int64, see func(cycle int64, in, want []uint64)) {
	var b Batch
	words := l.frame.Words
	for l.cycle < end {
		l.fill(&b, int(min(BatchCycles, end-l.cycle)))
		for c := range b.Cycles {
			if see != nil {
				see(b.Start+int64(c), b.Input(c), b.want[c*words:(c+1)*words])
			}
		}
	}
}

// From makes the leg start at another cycle.
func (l *Leg) From(cycle int64) *Leg {
	l.cycle = cycle
	return l
}
