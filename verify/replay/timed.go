package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	model "github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Clock says when the ACKs of a timed replay arrive: in the cycle of their time in the trace.
type Clock struct {
	MHz      float64
	Compress float64 // how many times faster than the trace they come; the telemetry stays as it is
	Shared   bool    // all flows have one engine; otherwise each has one of its own, as flows of different senders do
}

func (c Clock) cycles(ns uint64) int64       { return int64(float64(ns) * c.MHz / 1e3 / c.Compress) }
func (c Clock) seconds(cycles int64) float64 { return float64(cycles) / (c.MHz * 1e6) }

// timedLeg offers each ACK from the cycle of its arrival on until the design takes it. ACKs wait in order in front of
// the design, without a bound. The clocked golden model says when the design is ready; the design must agree.
type timedLeg[E, C, W, D, R, T, P any] struct {
	law    *stimulus.Law[E, C, W, D, R, T, P]
	target *stimulus.Target[E, W, D, R]
	eng    engine.Engine // nil: the golden model alone
	waits  *waits
	now    int64
}

func newTimedLeg[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P], name string, o *Options) (
	*timedLeg[E, C, W, D, R, T, P], error,
) {
	leg := &timedLeg[E, C, W, D, R, T, P]{law: l}
	var err error
	if name == "model" {
		leg.target, err = l.NewTarget(false)
	} else {
		var d *designLeg[E, W, D, R]
		if d, err = newDesignLeg(l, name, o); err == nil {
			leg.target, leg.eng = d.target, d.eng
		}
	}
	if err != nil {
		return nil, err
	}
	leg.waits = newWaits(*o.Timed, leg.target.Timing)
	return leg, nil
}

func (l *timedLeg[E, C, W, D, R, T, P]) cycles() int64 { return l.now }

func (l *timedLeg[E, C, W, D, R, T, P]) close() error {
	if l.eng == nil {
		return nil
	}
	return l.eng.Close()
}

func (l *timedLeg[E, C, W, D, R, T, P]) run(p *Plan[E, W, R], done func(row *Item[E, W], r *R) error) (
	time.Duration, error,
) {
	f, err := newFeed(p)
	if err != nil {
		return 0, err
	}
	m, err := l.law.NewGolden(l.target.Timing)
	if err != nil {
		return 0, err
	}
	t := &timed[E, C, W, D, R, T, P]{timedLeg: l, plan: p, rows: f.next, model: m, done: done, start: -1}
	if !l.waits.clock.Shared {
		byFlow, err := t.byFlow(f)
		if err != nil {
			return f.spent, err
		}
		return f.spent, errors.Join(t.all(), byFlow.give(done))
	}
	return f.spent, t.all()
}

// mostByFlow bounds the rows of a replay in which each flow has its own engine: they are held in memory.
const mostByFlow = 1 << 19

// ofFlows holds the rows of a trace, flow by flow, and their decisions by row.
type ofFlows[E, W, R any] struct {
	rows    []*Item[E, W]
	results []R
}

// byFlow has the engine take one flow after the other: each finds it idle, as an engine of its own would be.
func (t *timed[E, C, W, D, R, T, P]) byFlow(f *feed[E, W, R]) (*ofFlows[E, W, R], error) {
	if t.plan.Rows > mostByFlow {
		return nil, fmt.Errorf("%s: %d rows; at most %d can be replayed flow by flow: take --shared, or a part of the trace",
			t.plan.File, t.plan.Rows, mostByFlow)
	}
	o := &ofFlows[E, W, R]{results: make([]R, t.plan.Rows)}
	for {
		it, err := f.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		o.rows = append(o.rows, it)
	}
	left := slices.Clone(o.rows)
	slices.SortStableFunc(left, func(a, b *Item[E, W]) int { return cmp.Compare(a.Flow, b.Flow) })
	t.rows = func() (*Item[E, W], error) {
		if len(left) == 0 {
			return nil, io.EOF
		}
		it := left[0]
		left = left[1:]
		return it, nil
	}
	t.done = func(row *Item[E, W], r *R) error {
		o.results[row.Number-1] = *r
		return nil
	}
	return o, nil
}

// give passes the decisions on in the order of the trace.
func (o *ofFlows[E, W, R]) give(done func(row *Item[E, W], r *R) error) error {
	for i, row := range o.rows {
		if err := done(row, &o.results[i]); err != nil {
			return err
		}
	}
	return nil
}

// all replays every row.
func (t *timed[E, C, W, D, R, T, P]) all() (err error) {
	if t.eng == nil {
		for err == nil && t.given < t.plan.Rows {
			if err = t.cycle(); err == nil && t.out.M.Valid {
				err = t.result(t.now-1, &t.out.M.Payload)
			}
		}
		return err
	}
	err = drive.Run(t.eng, t, 1)
	var wrong *Error
	if err != nil && !errors.As(err, &wrong) {
		err = fmt.Errorf("engine %s: %w", t.eng.Name(), err)
	}
	return err
}

// timed is one timed replay under way.
type timed[E, C, W, D, R, T, P any] struct {
	*timedLeg[E, C, W, D, R, T, P]
	plan  *Plan[E, W, R]
	rows  func() (*Item[E, W], error) // in the order in which they arrive; io.EOF at the end
	model *stimulus.Golden[E, C, W, D, R, T, P]
	done  func(row *Item[E, W], r *R) error

	in             model.Inputs[E, W]
	out            model.Outputs[D, R]
	tables, writes int         // taken
	start          int64       // cycle in which the first row arrives; -1: not known yet
	first          uint64      // its time in the trace, ns
	flow           int         // of the row that arrived last
	under          int         // rows taken, whose results the model still has
	next           *Item[E, W] // has not arrived
	read           bool        // the feed is at its end
	waiting        []*Item[E, W]
	asked          []*Item[E, W] // taken, whose results are still to come
	given          int
	progress       int64 // cycle in which something was last taken or decided

	ready   []bool // of s, by cycle of the batch, as the model has it
	decided []bool // likewise m_valid
}

// mostWaiting bounds the ACKs that wait in front of the design.
const mostWaiting = 1 << 20

// patience is how many cycles may pass with ACKs waiting and nothing done.
const patience = 1 << 20

// cycle makes the inputs of a cycle and takes the model through it.
func (t *timed[E, C, W, D, R, T, P]) cycle() error {
	now := t.now
	t.now++
	if err := t.arrive(now); err != nil {
		return err
	}
	in, out := &t.in, &t.out
	in.Rst = now < resetCycles
	in.MReady, in.CDReady = !in.Rst, !in.Rst
	in.TW.Valid = !in.Rst && t.tables < len(t.plan.Tables)
	if in.TW.Valid {
		in.TW.Payload = t.plan.Tables[t.tables]
	}
	in.CW.Valid = !in.Rst && !in.TW.Valid && t.writes < len(t.plan.Contexts)
	if in.CW.Valid {
		in.CW.Payload = t.plan.Contexts[t.writes]
	}
	in.S.Valid = len(t.waiting) > 0
	if in.S.Valid {
		in.S.Payload = t.waiting[0].Event
	}
	answer := t.model.Cycle(in, out)
	switch {
	case in.TW.Valid && answer.TW:
		t.tables++
		t.progress = now
	case in.CW.Valid && answer.CW:
		t.writes++
		t.progress = now
	}
	if in.S.Valid && answer.S {
		t.asked = append(t.asked, t.waiting[0])
		t.under++
		t.waiting = t.waiting[1:]
		t.progress = now
	}
	if out.M.Valid {
		t.under--
		t.progress = now
	}
	if len(t.waiting)+len(t.asked) > 0 && now-t.progress > patience {
		return fmt.Errorf("nothing was taken or decided in %d cycles up to cycle %d; row %d waits", patience, now,
			t.given+1)
	}
	return nil
}

// arrive lets the rows of a cycle arrive. The first one comes when tables and contexts are written and have settled.
func (t *timed[E, C, W, D, R, T, P]) arrive(now int64) error {
	if t.start < 0 {
		if t.tables < len(t.plan.Tables) || t.writes < len(t.plan.Contexts) || !t.out.InitDone ||
			now-t.progress < int64(2*t.target.Timing.Write()) {
			return nil
		}
	}
	for {
		if t.next == nil {
			if t.read {
				return nil
			}
			var err error
			if t.next, err = t.rows(); err == io.EOF {
				t.read = true
				return nil
			} else if err != nil {
				return err
			}
		}
		if t.start < 0 || !t.waits.clock.Shared && t.next.Flow != t.flow {
			if len(t.waiting) > 0 || t.under > 0 {
				return nil // the flow before is not done
			}
			t.start, t.first, t.flow = now, t.next.TimeNs, t.next.Flow
		}
		// A row whose time is before that of the row before it comes together with that one.
		at := t.start
		if t.next.TimeNs > t.first {
			at += t.waits.clock.cycles(t.next.TimeNs - t.first)
		}
		if at > now {
			return nil
		}
		t.waits.arrive(now)
		t.waiting = append(t.waiting, t.next)
		t.next = nil
		if len(t.waiting) > mostWaiting {
			return fmt.Errorf("row %d: %d ACKs wait in front of the engine, which does not keep up with %g MHz",
				t.given+1, mostWaiting, t.waits.clock.MHz)
		}
	}
}

// result takes the decision of the oldest row under way.
func (t *timed[E, C, W, D, R, T, P]) result(cycle int64, r *R) error {
	if len(t.asked) == 0 {
		return fmt.Errorf("a result in cycle %d, but no event is under way", cycle)
	}
	row := t.asked[0]
	t.asked = t.asked[1:]
	t.given++
	t.waits.decide(cycle, row.Number, row.TimeNs)
	return t.done(row, r)
}

// Fill makes the inputs of the next batch.
func (t *timed[E, C, W, D, R, T, P]) Fill(b *drive.Batch) error {
	if t.given == t.plan.Rows {
		b.Cycles = 0
		return nil
	}
	b.Size(t.target.Binding.Layout, batchCycles)
	t.ready, t.decided = t.ready[:0], t.decided[:0]
	for c := range batchCycles {
		if err := t.cycle(); err != nil {
			return err
		}
		t.ready, t.decided = append(t.ready, t.out.SReady), append(t.decided, t.out.M.Valid)
		t.target.Binding.PutInputs(b.Input(c), &t.in)
	}
	return nil
}

// Judge holds the design against the model's cycles, and takes its results.
func (t *timed[E, C, W, D, R, T, P]) Judge(batch *drive.Batch) error {
	b := t.target.Binding
	begin := t.now - batchCycles
	for c := range batchCycles {
		cycle := begin + int64(c)
		if cycle < resetCycles {
			continue
		}
		if s, _, _, _ := b.Ready(batch.Output(c)); s != t.ready[c] {
			return fmt.Errorf("s_ready is %t in cycle %d; the golden model has %t", s, cycle, t.ready[c])
		}
		r, ok := b.Result(batch.Output(c))
		if ok != t.decided[c] {
			return fmt.Errorf("m_valid is %t in cycle %d; the golden model has %t", ok, cycle, t.decided[c])
		}
		if ok {
			if err := t.result(cycle, &r); err != nil {
				return err
			}
		}
	}
	return nil
}
