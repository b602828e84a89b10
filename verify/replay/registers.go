package replay

import (
	"fmt"
	"io"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	model "github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// registersLeg runs on a generated design with registers. Tables and contexts are written over the bus, in accesses
// whose cycles the golden model tells, which runs beside; the results are those of the design.
type registersLeg[E, W, D, R any] struct {
	binding *stimulus.Binding[E, W, D, R]
	closed  func(source stimulus.Source[E, W]) (step func(in []uint64), err error)
	eng     engine.Engine
	now     int64 // cycles done
}

func newRegistersLeg[E, C, W, D, R, T, P any](l *stimulus.Law[E, C, W, D, R, T, P], name string, o *Options) (
	*registersLeg[E, W, D, R], error,
) {
	s, err := l.NewSubject(false)
	if err != nil {
		return nil, err
	}
	eng, err := o.start(name, s.Target.Design)
	if err != nil {
		return nil, err
	}
	return &registersLeg[E, W, D, R]{binding: s.Target.Binding, closed: s.Closed, eng: eng}, nil
}

func (l *registersLeg[E, W, D, R]) cycles() int64 { return l.now }
func (l *registersLeg[E, W, D, R]) close() error  { return l.eng.Close() }

func (l *registersLeg[E, W, D, R]) run(p *Plan[E, W, R], done func(row *Item[E, W], r *R) error) (time.Duration, error) {
	f, err := newFeed(p)
	if err != nil {
		return 0, err
	}
	r := &overBus[E, W, D, R]{registersLeg: l, tables: p.Tables, contexts: p.Contexts, resync: p.Resync, next: f.next,
		left: p.Rows, done: done}
	if r.step, err = l.closed(r); err != nil {
		return f.spent, err
	}
	if err := drive.Run(l.eng, r, 1); err != nil {
		return f.spent, fmt.Errorf("engine %s: %w", l.eng.Name(), err)
	}
	return f.spent, nil
}

// overBus is one replay under way, and the source of its stimulus: tables, then contexts, then the rows in order.
type overBus[E, W, D, R any] struct {
	*registersLeg[E, W, D, R]
	step func(in []uint64)

	tables   []config.TableWrite // still to be written
	contexts []W
	resync   bool
	next     func() (*Item[E, W], error)
	row      *Item[E, W]   // at stream s, or next there
	resumed  bool          // its resync write is done
	asked    []*Item[E, W] // rows taken, whose results are still to come from the design, oldest first
	open     int           // those whose results are still to come from the model
	left     int           // rows without a result
	idle     int64         // cycles since something was taken or given
	cycle    int64
	err      error // of reading
	done     func(row *Item[E, W], r *R) error
}

// Next offers what is next.
func (r *overBus[E, W, D, R]) Next(in *model.Inputs[E, W]) {
	in.Rst = r.cycle < resetCycles
	in.MReady, in.CDReady = !in.Rst, !in.Rst
	in.S.Valid, in.TW.Valid, in.CW.Valid = false, false, false
	switch {
	case in.Rst:
	case len(r.tables) > 0:
		in.TW = model.Stream[config.TableWrite]{Valid: true, Payload: r.tables[0]}
	case len(r.contexts) > 0:
		in.CW = model.Stream[W]{Valid: true, Payload: r.contexts[0]}
	case r.row == nil && r.err == nil:
		r.row, r.err = r.next()
		r.resumed = !r.resync
	}
	if len(r.tables) > 0 || len(r.contexts) > 0 || r.row == nil {
		return
	}
	switch {
	case r.resumed:
		in.S = model.Stream[E]{Valid: true, Payload: r.row.Event}
	case r.open == 0: // a context write overtakes ACKs that wait
		in.CW = model.Stream[W]{Valid: true, Payload: r.row.Resync}
	}
}

// Seen goes on where something was taken.
func (r *overBus[E, W, D, R]) Seen(in *model.Inputs[E, W], out stimulus.Answer) {
	r.cycle++
	r.idle++
	if in.Rst {
		return
	}
	if out.M {
		r.open--
	}
	switch {
	case in.TW.Valid && out.TW:
		r.tables = r.tables[1:]
	case in.CW.Valid && out.CW && len(r.contexts) > 0:
		r.contexts = r.contexts[1:]
	case in.CW.Valid && out.CW:
		r.resumed = true
	case in.S.Valid && out.S:
		r.asked, r.row = append(r.asked, r.row), nil
		r.open++
	default:
		return
	}
	r.idle = 0
}

// Fill makes the inputs of the next batch.
func (r *overBus[E, W, D, R]) Fill(b *drive.Batch) error {
	switch {
	case r.err != nil && r.err != io.EOF:
		return r.err
	case r.left == 0:
		b.Cycles = 0
		return nil
	case r.idle > patience:
		return fmt.Errorf("%d results are missing after cycle %d", r.left, r.now)
	}
	b.Size(r.binding.Layout, batchCycles)
	for c := range batchCycles {
		r.step(b.Input(c))
	}
	return nil
}

// Judge matches the results of the batch with the rows.
func (r *overBus[E, W, D, R]) Judge(b *drive.Batch) error {
	defer func() { r.now += batchCycles }()
	for c := range batchCycles {
		res, ok := r.binding.Result(b.Output(c))
		if !ok || r.now+int64(c) < resetCycles {
			continue
		}
		if len(r.asked) == 0 {
			return fmt.Errorf("a result in cycle %d, but no event is under way", r.now+int64(c))
		}
		row := r.asked[0]
		r.asked = r.asked[1:]
		r.left--
		r.idle = 0
		if err := r.done(row, &res); err != nil {
			return err
		}
	}
	return nil
}
