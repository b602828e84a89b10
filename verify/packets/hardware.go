package packets

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// design is a packet pipeline in RTL: how to run it, what to write into it first, and what it counts.
type design struct {
	engine.Design
	Shape
	statuses []string
	program  []registers.Write
	counters []counter
}

// counter is a counter's register; port -1: not of a port.
type counter struct {
	name    string
	port    int
	address uint32
}

// hardware is a design in an engine.
type hardware struct {
	*design
	eng    engine.Engine
	ports  streams
	bus    bus
	cycle  int64 // done
	in     []uint64
	out    []uint64
	idle   []uint64 // inputs of a cycle in which nothing happens
	inLen  int
	outLen int
}

// batchCycles is how many cycles cross to the engine at once.
const batchCycles = 1024

const resetCycles = 2

func newHardware(d *design, o *Options) (*hardware, error) {
	open := o.Open
	if open == nil {
		open = engine.Open
	}
	eng, err := open(o.Engine, d.Design, engine.Options{VCD: o.VCD, CacheDir: o.CacheDir, Progress: o.Step, Hardware: o.Hardware})
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
	l := h.eng.Layout()
	h.inLen, h.outLen = l.InWords, l.OutWords
	h.in, h.out, h.idle = make([]uint64, batchCycles*l.InWords), make([]uint64, batchCycles*l.OutWords), make([]uint64, l.InWords)
	b := newBinder(l)
	h.ports, h.bus = b.streams(), b.bus()
	rst := b.in("rst")
	if b.err != nil {
		return b.err
	}
	if got := h.ports.in.data.Width / 8; got != h.BeatBytes {
		return fmt.Errorf("s_axis_tdata has %d bytes, the configuration says %d", got, h.BeatBytes)
	}
	if want := 2*portBits(h.Ports) + 2*h.TimeBits + h.QlenBits; h.ports.in.user.Width != want {
		return fmt.Errorf("s_axis_tuser has %d bits, the configuration makes it %d", h.ports.in.user.Width, want)
	}
	h.idle[h.ports.out.ready.Offset] = 1
	h.idle[h.bus.bready.Offset], h.idle[h.bus.rready.Offset] = 1, 1
	for c := range resetCycles {
		h.set(c)[rst.Offset] = 1
	}
	if err := h.run(resetCycles); err != nil {
		return err
	}
	for left := h.Sweep + 2; left > 0; left -= batchCycles {
		n := min(left, batchCycles)
		for c := range n {
			h.set(c)
		}
		if err := h.run(n); err != nil {
			return err
		}
	}
	for _, w := range h.program {
		if err := h.write(w); err != nil {
			return fmt.Errorf("engine %s: %w", h.eng.Name(), err)
		}
	}
	return nil
}

// set puts the idle inputs into a cycle of the batch, and returns them.
func (h *hardware) set(cycle int) []uint64 {
	in := h.in[cycle*h.inLen : (cycle+1)*h.inLen]
	copy(in, h.idle)
	return in
}

// get is the outputs of a cycle of the batch.
func (h *hardware) get(cycle int) []uint64 { return h.out[cycle*h.outLen : (cycle+1)*h.outLen] }

// run runs the first n cycles of the batch.
func (h *hardware) run(n int) error {
	err := h.eng.Run(n, h.in[:n*h.inLen], h.out[:n*h.outLen])
	h.cycle += int64(n)
	return err
}

// Statuses are the names of what can become of a packet.
func (h *hardware) Statuses() []string { return h.statuses }

// Cycles is how many cycles were run.
func (h *hardware) Cycles() int64 { return h.cycle }

// Close ends the instance.
func (h *hardware) Close() error { return h.eng.Close() }

// Process streams the packets through the device without a gap, as far as its credits go.
func (h *hardware) Process(in []Packet, progress func(done int)) ([]Result, error) {
	s := &stream{hardware: h, packets: in, results: make([]Result, 0, len(in)), pace: newPace(h.Shape, h.cycle)}
	if err := s.all(progress); err != nil {
		return nil, fmt.Errorf("engine %s: %w", h.eng.Name(), err)
	}
	return s.results, nil
}

// Counters reads every counter over the register bus.
func (h *hardware) Counters() (*Counters, error) {
	c := &Counters{Device: map[string]uint64{}, Ports: make([]map[string]uint64, h.Ports)}
	for p := range c.Ports {
		c.Ports[p] = map[string]uint64{}
	}
	for _, r := range h.counters {
		v, err := h.read(r.address)
		if err != nil {
			return nil, fmt.Errorf("engine %s: %w", h.eng.Name(), err)
		}
		to := c.Device
		if r.port >= 0 {
			to = c.Ports[r.port]
		}
		to[r.name] = uint64(v)
	}
	return c, nil
}
