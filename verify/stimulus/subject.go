package stimulus

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Subject is the engine of a law with its golden model and its stimulus.
type Subject[E, C, W, D, R, T, P any] struct {
	Law    *Law[E, C, W, D, R, T, P]
	Target *Target[E, W, D, R]
	// OnEvent is called with each event that a side issues; may be nil.
	OnEvent func(e *E, r *R)

	frame drive.Frame
	taps  []func(t *P, r *R) (v uint64, ok bool)
}

// NewSubject generates the engine of the law, with or without its taps.
func (l *Law[E, C, W, D, R, T, P]) NewSubject(taps bool) (*Subject[E, C, W, D, R, T, P], error) {
	t, err := l.NewTarget(taps)
	if err != nil {
		return nil, err
	}
	s := &Subject[E, C, W, D, R, T, P]{Law: l, Target: t, frame: drive.NewFrame(t.Design, t.Binding.Layout, t.Taps)}
	s.frame.Units = l.Units
	for i := range t.Taps {
		read := l.tap(t.Taps[i].Name)
		if read == nil {
			return nil, fmt.Errorf("the design has a tap %q that the golden model does not know", t.Taps[i].Name)
		}
		s.taps = append(s.taps, read)
	}
	return s, nil
}

// tap reads the model's value for a tap: as the law says, else the field of that name of the law's taps, or of the
// decision. It is nil for an unknown name.
func (l *Law[E, C, W, D, R, T, P]) tap(name string) func(t *P, r *R) (v uint64, ok bool) {
	if l.Tap != nil {
		if read := l.Tap(name); read != nil {
			return read
		}
	}
	if get := bind.Getter[P](name); get != nil {
		return func(t *P, _ *R) (uint64, bool) { return get(t), true }
	}
	if get := bind.Getter[R](name); get != nil {
		return func(_ *P, r *R) (uint64, bool) { return get(r), true }
	}
	return nil
}

// Subject is NewSubject for whoever does not know the law.
func (l *Law[E, C, W, D, R, T, P]) Subject(taps bool) (drive.Subject, error) {
	return l.NewSubject(taps)
}

// Frame is that of the engine.
func (s *Subject[E, C, W, D, R, T, P]) Frame() *drive.Frame { return &s.frame }

// Golden is the golden model of an engine as a source sees it: with registers, they stand behind software of its own.
type Golden[E, C, W, D, R, T, P any] struct {
	*engine.Clocked[E, C, W, D, R, T, P]
	master *master[E, C, W, D, R, T, P] // nil without registers
}

// NewGolden is the golden model of an engine with that timing.
func (l *Law[E, C, W, D, R, T, P]) NewGolden(t engine.Timing) (*Golden[E, C, W, D, R, T, P], error) {
	m, err := engine.NewClocked(l.Engine, l.Model, t)
	if err != nil || !l.Engine.AXILite {
		return &Golden[E, C, W, D, R, T, P]{Clocked: m}, err
	}
	return &Golden[E, C, W, D, R, T, P]{m, newMaster(l)}, m.WithRegisters(l.Engine, l.software())
}

// Cycle makes one cycle. With registers it sets the inputs of the bus. The answer is what the source is told.
func (g *Golden[E, C, W, D, R, T, P]) Cycle(in *engine.Inputs[E, W], out *engine.Outputs[D, R]) Answer {
	if g.master == nil {
		g.Clocked.Cycle(in, out)
		return AnswerOf(out)
	}
	g.master.Next(in)
	g.Clocked.Cycle(in, out)
	return g.master.Seen(in, out)
}

// side is the golden model closed loop with a source.
type side[E, C, W, D, R, T, P any] struct {
	*Subject[E, C, W, D, R, T, P]
	model   *Golden[E, C, W, D, R, T, P]
	source  Source[E, W]
	gen     *Generator[E, W] // of the source; nil: none
	leg     *drive.Leg
	items   int64
	onEvent func(cycle int64, e *E, r *R) // may be nil
	in      engine.Inputs[E, W]
	out     engine.Outputs[D, R]
}

// newSide makes the model's side. attach is given the model and makes the source.
func (s *Subject[E, C, W, D, R, T, P]) newSide(
	attach func(side *side[E, C, W, D, R, T, P]) Source[E, W],
) (*side[E, C, W, D, R, T, P], error) {
	m, err := s.Law.NewGolden(s.Target.Timing)
	if err != nil {
		return nil, err
	}
	d := &side[E, C, W, D, R, T, P]{Subject: s, model: m}
	d.source = attach(d)
	var reaction P
	reacted := false
	m.OnReact = func(_ int64, t *P) { reaction, reacted = *t, true }
	m.OnEvent = func(issue int64, e *E, r *R) {
		d.items++
		late := m.Now() - 1 - issue // cycles since the issue: without slices an event acts when it is transferred
		if reacted {
			for i, read := range s.taps {
				if v, ok := read(&reaction, r); ok {
					d.leg.Expect(i, int64(s.frame.Taps[i].Latency)-late, v)
				}
			}
		}
		d.count(e, r, &reaction, reacted)
		reacted = false
		if s.OnEvent != nil {
			s.OnEvent(e, r)
		}
		if d.onEvent != nil {
			d.onEvent(d.leg.Cycle()-late, e, r)
		}
	}
	return d, nil
}

// count counts the bins that an event has exercised.
func (d *side[E, C, W, D, R, T, P]) count(e *E, r *R, t *P, reacted bool) {
	if d.gen == nil {
		return
	}
	if reacted {
		d.Law.React(d.gen.Cov, t)
	}
	var of C // of no flow
	if h := d.Law.Model.Header(e); int(h.Flow) < d.Law.Engine.Flows {
		of = d.model.Model().Context(h.Flow)
	}
	d.Law.Count(d.gen, e, r, &of)
}

// Count counts a decision on an event of a generator. The context is that of its flow after the decision.
func (l *Law[E, C, W, D, R, T, P]) Count(g *Generator[E, W], e *E, r *R, of *C) {
	scenario, made := g.issued()
	if !made {
		return
	}
	g.Cov.decided(scenario, l.Model.Header(e).Flow, l.Kind(r), l.Model.Status(r), l.Model.Life(of).Open)
	l.Observe(g.Cov, e, r, of)
}

// generator makes the generator of a seed the source.
func (d *side[E, C, W, D, R, T, P]) generator(seed uint64) *Generator[E, W] {
	d.gen = d.Law.NewGenerator(d.Target.Timing, seed, d.model.Model().Context)
	return d.gen
}

// Start stores the leg.
func (d *side[E, C, W, D, R, T, P]) Start(l *drive.Leg) { d.leg = l }

// Items is the number of events that were issued.
func (d *side[E, C, W, D, R, T, P]) Items() int64 { return d.items }

// Step makes one cycle.
func (d *side[E, C, W, D, R, T, P]) Step(in, want []uint64) bool {
	d.source.Next(&d.in)
	answer := d.model.Cycle(&d.in, &d.out)
	d.Target.Binding.PutInputs(in, &d.in)
	d.Target.Binding.PutOutputs(want, &d.out)
	d.source.Seen(&d.in, answer)
	return d.in.Rst
}

// Closed is the model closed loop with a source; each call of step gives the inputs of one cycle, for a subject without
// taps.
func (s *Subject[E, C, W, D, R, T, P]) Closed(source Source[E, W]) (step func(in []uint64), err error) {
	d, err := s.newSide(func(*side[E, C, W, D, R, T, P]) Source[E, W] { return source })
	if err != nil {
		return nil, err
	}
	want := make([]uint64, s.Target.Binding.Layout.OutWords)
	return func(in []uint64) { d.Step(in, want) }, nil
}

// Random is the model with the generator of a seed.
func (s *Subject[E, C, W, D, R, T, P]) Random(seed uint64) (drive.Side, error) {
	return s.newSide(func(d *side[E, C, W, D, R, T, P]) Source[E, W] {
		return d.generator(seed)
	})
}

// Report adds up events and coverage.
func (s *Subject[E, C, W, D, R, T, P]) Report(rep *drive.Report, sides []drive.Side) {
	cov := sides[0].(*side[E, C, W, D, R, T, P]).gen.Cov
	for _, d := range sides[1:] {
		cov.Merge(&d.(*side[E, C, W, D, R, T, P]).gen.Cov.Bins)
	}
	rep.Acks, rep.Coverage, rep.Holes = rep.Items, cov.Rows(), cov.Holes()
}

// Record records the generator's actions.
func (s *Subject[E, C, W, D, R, T, P]) Record(seed uint64, cycle int64, before int) (timeline.Script, int64, error) {
	var rec *Recorder[E, W]
	var start int64
	d, err := s.newSide(func(d *side[E, C, W, D, R, T, P]) Source[E, W] {
		gen := d.generator(seed)
		start = gen.GoTo(cycle, before)
		rec = Record[E, W](gen)
		return rec
	})
	if err != nil {
		return nil, 0, err
	}
	drive.NewLeg(&s.frame, d, "").From(start).RunTo(cycle+1, nil)
	return &rec.Script, start, nil
}

// Play is the model with a script.
func (s *Subject[E, C, W, D, R, T, P]) Play(script timeline.Script) (drive.Side, error) {
	return s.newSide(func(*side[E, C, W, D, R, T, P]) Source[E, W] { return NewPlayer(script.(*Script[E, W])) })
}

// Pin moves an event to the cycle before its issue.
func (s *Subject[E, C, W, D, R, T, P]) Pin(from timeline.Script) (timeline.Script, error) {
	best := from.(*Script[E, W])
	p := NewPlayer(best)
	taken := *best
	taken.Acks, taken.Writes, taken.Reads, taken.Tables = nil, nil, nil, nil
	p.Taken = &taken
	d, err := s.newSide(func(*side[E, C, W, D, R, T, P]) Source[E, W] { return p })
	if err != nil {
		return nil, err
	}
	next := 0 // event taken and not yet issued
	d.onEvent = func(cycle int64, e *E, _ *R) {
		// An event can wait in the input slice as well; a reset drops it there.
		for acks := p.Taken.Acks; next < len(acks); next++ {
			if any(acks[next].Op) == any(*e) {
				acks[next].Cycle = cycle - 1
				next++
				return
			}
		}
	}
	drive.NewLeg(&s.frame, d, "").RunTo(best.Cycles, nil)
	return p.Taken, nil
}
