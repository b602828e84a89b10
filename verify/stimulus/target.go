package stimulus

import (
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"

	sim "github.com/hdlpkg/hpccgen/verify/engine"
)

// Target is a generated engine as verification sees it: what to run, its published timing, and where its ports and
// taps lie.
type Target[E, W, D, R any] struct {
	Design  sim.Design
	Timing  engine.Timing
	Binding *Binding[E, W, D, R]
	Taps    []vgen.Tap // as in Layout.Taps; Latency counts from the event's issue
}

// NewTarget generates the engine of the law, with or without its taps.
func (l *Law[E, C, W, D, R, T, P]) NewTarget(taps bool) (*Target[E, W, D, R], error) {
	e, err := l.Build()
	if err != nil {
		return nil, err
	}
	t := &Target[E, W, D, R]{
		Design: sim.Design{Top: e.Top, Taps: taps, Name: l.Engine.Name, Config: l.Engine.Hash},
		Timing: e.Timing,
	}
	if l.Engine.AsyncReset {
		t.Design.Reset = vgen.AsyncLow
	}
	layout := vgen.NewLayout(e.Top, taps)
	if taps {
		t.Taps = vgen.Taps(e.Top)
	}
	t.Binding, err = l.Bind(&layout)
	return t, err
}

// Timing is that of the generated engine.
func (l *Law[E, C, W, D, R, T, P]) Timing() (engine.Timing, error) {
	t, err := l.NewTarget(false)
	if err != nil {
		return engine.Timing{}, err
	}
	return t.Timing, nil
}
