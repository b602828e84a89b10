package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Interpreter runs a design in vgen's interpreter: no external tool, no build.
type Interpreter struct {
	sim    *vgen.Sim
	layout vgen.Layout
	taps   bool
	closed bool
}

func openInterpreter(d Design, o Options) (*Interpreter, error) {
	if d.Top == nil {
		return nil, fmt.Errorf("engine: a design needs a top module")
	}
	sim, err := vgen.NewSim(d.Top)
	if err != nil {
		return nil, err
	}
	e := &Interpreter{sim: sim, layout: sim.Layout(), taps: d.Taps}
	if d.Taps {
		e.layout = sim.LayoutTaps()
	}
	return e, nil
}

// Name is "go".
func (e *Interpreter) Name() string { return "go" }

// Layout describes the records.
func (e *Interpreter) Layout() *vgen.Layout { return &e.layout }

// Run runs a batch of cycles.
func (e *Interpreter) Run(cycles int, in, out []uint64) error {
	if e.closed {
		return errClosed
	}
	if err := checkRecords(&e.layout, cycles, in, out); err != nil {
		return err
	}
	if e.taps {
		return e.sim.RunTaps(cycles, in, out)
	}
	return e.sim.Run(cycles, in, out)
}

// Close ends the instance.
func (e *Interpreter) Close() error {
	e.closed = true
	return nil
}
