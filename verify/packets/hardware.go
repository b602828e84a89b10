package packets

import (
	"errors"
	"fmt"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// design is a packet pipeline in RTL: how to run it, its register writes and its counters.
type design struct {
	*transit.Target
	statuses []registers.StatusInfo
	growth   int // beats that a packet can grow by
	// drops reports whether a packet is dropped, and its status then; nil: none is. Packets that leave are matched with
	// those that came by it, and it is compared with the counters.
	drops   func(p *Packet) (status int, dropped bool)
	program []registers.Write
}

// hardware is a design in an engine.
type hardware struct {
	*design
	eng   engine.Engine
	cycle int64 // done
	in    csig.Inputs
	out   csig.Outputs
}

// batchCycles is how many cycles cross to the engine at once.
const batchCycles = 1024

const resetCycles = 2

func newHardware(d *design, o *Options) (*hardware, error) {
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	eng, err := open(o.Engine, d.Design, engine.Options{VCD: o.VCD, CacheDir: o.CacheDir, Progress: o.Step,
		Hardware: o.Hardware})
	if err != nil {
		return nil, err
	}
	h := &hardware{design: d, eng: eng}
	if err := h.start(); err != nil {
		_ = eng.Close()
		return nil, err
	}
	return h, nil
}

// start resets the device, waits until it takes packets, and writes the program.
func (h *hardware) start() error {
	ports, err := transit.Bind(h.Sizes, h.eng.Layout())
	if err != nil {
		return err
	}
	h.Binding = ports
	if err := drive.Run(h.eng, &pause{h, resetCycles + h.Sweep + 2}, 1); err != nil {
		return err
	}
	for _, w := range h.program {
		if err := h.write(w); err != nil {
			return fmt.Errorf("engine %s: %w", h.eng.Name(), err)
		}
	}
	return nil
}

// begin begins a batch.
func (h *hardware) begin(b *drive.Batch, cycles int) {
	b.Size(h.eng.Layout(), cycles)
	b.Start = h.cycle
}

// idle makes the inputs of a cycle those in which nothing happens and everything is taken.
func (h *hardware) idle() *csig.Inputs {
	h.in.Valid, h.in.MReady, h.in.Bus = false, true, csig.BusInputs{BReady: true, RReady: true}
	return &h.in
}

// pause is the cycles in which the device is reset, and those after which it takes packets.
type pause struct {
	*hardware
	left int
}

// Fill makes idle cycles, the first of which with reset.
func (p *pause) Fill(b *drive.Batch) error {
	p.begin(b, min(p.left, batchCycles))
	for c := range b.Cycles {
		p.idle().Rst = p.cycle+int64(c) < resetCycles
		p.Binding.PutInputs(b.Input(c), &p.in)
	}
	p.in.Rst = false
	p.left -= b.Cycles
	return nil
}

// Judge looks at nothing.
func (p *pause) Judge(b *drive.Batch) error {
	p.cycle += int64(b.Cycles)
	return nil
}

// Statuses are the names of the outcomes of a packet.
func (h *hardware) Statuses() []string { return names(h.statuses) }

// Cycles is how many cycles were run.
func (h *hardware) Cycles() int64 { return h.cycle }

// Close ends the instance.
func (h *hardware) Close() error { return h.eng.Close() }

// Process streams the packets through the device without a gap, as its credits allow.
func (h *hardware) Process(next func() (*Packet, error), done func(*Packet, Result) error) error {
	s := &stream{hardware: h, next: next, done: done, pace: newPace(h.design, h.cycle)}
	err := s.take()
	if err == nil {
		err = drive.Run(h.eng, s, 1)
	}
	var wrong *Error
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return fmt.Errorf("engine %s: %w", h.eng.Name(), err)
}

// Counters reads every counter over the register bus.
func (h *hardware) Counters() (*Counters, error) {
	c, err := counters(h.statuses, h.Ports, func(port int, s registers.Status) (uint64, error) {
		address := uint32(registers.NoPort)
		if port >= 0 {
			address = registers.Counter(port, s)
		}
		v, err := h.read(address)
		return uint64(v), err
	})
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", h.eng.Name(), err)
	}
	return c, nil
}
