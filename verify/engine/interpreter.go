package engine

import (
	"errors"
	"math/big"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Interpreter runs a design in vgen's interpreter: no external tool, no build.
type Interpreter struct {
	sim    *vgen.Sim
	layout vgen.Layout
	taps   bool
	vcd    *vgen.VCD
	wave   *waveform // that vcd writes to
	closed bool
}

func openInterpreter(d Design, o Options) (*Interpreter, error) {
	if d.Top == nil {
		return nil, errNoTop
	}
	if err := checkStart("go", o.Start, StartZero); err != nil {
		return nil, err
	}
	sim, err := vgen.NewSim(d.Top)
	if err != nil {
		return nil, err
	}
	e := &Interpreter{sim: sim, layout: sim.Layout(), taps: d.Taps}
	if d.Taps {
		e.layout = sim.LayoutTaps()
	}
	if e.wave, err = createWaveform(o, d.Top.Name()); err != nil {
		return nil, err
	}
	if e.wave != nil {
		e.vcd = vgen.NewVCD(e.wave, sim)
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
	if e.vcd == nil {
		return e.run(cycles, in, out)
	}
	for c := range cycles {
		record := in[c*e.layout.InWords : (c+1)*e.layout.InWords]
		for _, s := range e.layout.Inputs {
			e.sim.SetBig(s.Name, slotValue(s, record))
		}
		e.vcd.Record()
		if err := e.run(1, record, out[c*e.layout.OutWords:]); err != nil {
			return err
		}
	}
	return e.wave.failed()
}

func (e *Interpreter) run(cycles int, in, out []uint64) error {
	if e.taps {
		return e.sim.RunTaps(cycles, in, out)
	}
	return e.sim.Run(cycles, in, out)
}

// slotValue is the value of a slot in a record, without bits above its width.
func slotValue(s vgen.Slot, record []uint64) *big.Int {
	v := new(big.Int)
	for w := s.Words - 1; w >= 0; w-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(record[s.Offset+w]))
	}
	mask := new(big.Int).Lsh(big.NewInt(1), uint(s.Width))
	return v.And(v, mask.Sub(mask, big.NewInt(1)))
}

// Close ends the instance and completes its waveform.
func (e *Interpreter) Close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	if e.vcd == nil {
		return nil
	}
	return errors.Join(e.vcd.Close(), e.wave.close())
}
