package link_test

import (
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/boardsim"
)

// Interpreted is the link core in the interpreter, with a design that is stepped by its dut_clk. It is the port of a
// [link.Session]; its time is that of the simulation: a read advances it.
type Interpreted struct {
	core   *vgen.Sim
	dut    *vgen.Sim
	layout vgen.Layout

	to      boardsim.Sender
	from    boardsim.Listener
	timeout int64 // cycles of clk
	clock   uint64
	cycle   int64 // of clk
	settled bool  // the outputs of the design have been given to the core
	dead    int64 // the board stops at this cycle; 0: never

	lastIn, wrong   *big.Int
	lastReset       uint64
	inChanged, rose int64
	distances       Distances

	// Disturb, if set, changes the bytes on the line; toBoard gives their direction.
	Disturb func(toBoard bool, b []byte) []byte
}

// Distances are the least numbers of cycles of clk between events, over a run.
type Distances struct{ InToRise, RiseToIn, RiseToRise, High int64 }

// NewInterpreted makes the board of a design.
func NewInterpreted(top *vgen.Module, s board.Shape) (*Interpreted, error) {
	l := vgen.NewLayout(top, false)
	s.InBits, s.OutBits = bitsOf(l.Inputs), bitsOf(l.Outputs)
	m, err := board.Core(s)
	if err != nil {
		return nil, err
	}
	b := &Interpreted{layout: l, to: boardsim.Sender{Divisor: s.Divisor}, from: boardsim.Listener{Divisor: s.Divisor},
		lastIn: new(big.Int), wrong: new(big.Int), inChanged: -1000, rose: -1000}
	b.distances = Distances{1 << 30, 1 << 30, 1 << 30, 1 << 30}
	if b.core, err = vgen.NewSim(m); err != nil {
		return nil, err
	}
	if b.dut, err = vgen.NewSim(top); err != nil {
		return nil, err
	}
	b.core.Set("rx", 1)
	b.core.Set("rst", 1)
	b.core.Step()
	b.core.Set("rst", 0)
	return b, b.core.Err()
}

func bitsOf(slots []vgen.Slot) (n int) {
	for _, s := range slots {
		n += s.Width
	}
	return n
}

// Reset resets the link core, as a button of a board does.
func (b *Interpreted) Reset() {
	b.core.Set("rst", 1)
	b.core.Step()
	b.core.Set("rst", 0)
}

// DieAt ends the board at a cycle of clk.
func (b *Interpreted) DieAt(cycle int64) { b.dead = cycle }

// Cycle is how many cycles of clk have passed.
func (b *Interpreted) Cycle() int64 { return b.cycle }

// Distances are those seen so far.
func (b *Interpreted) Distances() Distances { return b.distances }

// step makes a cycle of clk.
func (b *Interpreted) step() {
	b.core.Set("rx", b.to.Level())
	b.exchange()
	b.from.Sample(b.core.Get("tx"))
	b.core.Step()
	b.cycle++
	if b.core.Get("dut_clk") == 1 && b.clock == 0 {
		b.dut.Step() // with the inputs that it has
		b.distances.RiseToRise = min(b.distances.RiseToRise, b.cycle-b.rose)
		b.distances.InToRise = min(b.distances.InToRise, b.cycle-b.inChanged)
		b.rose = b.cycle
	} else if b.core.Get("dut_clk") == 0 && b.clock == 1 {
		b.distances.High = min(b.distances.High, b.cycle-b.rose)
	}
	b.clock = b.core.Get("dut_clk")
}

// The outputs are valid only so many cycles after a change of the inputs, and after the rising edge; until then they
// are wrong on purpose.
const (
	inToOut   = 8
	riseToOut = 8
)

// exchange connects the design with the core.
func (b *Interpreted) exchange() {
	if b.core.Get("active") == 0 {
		return
	}
	in, reset := b.core.GetBig("dut_in"), b.core.Get("dut_rst")
	if in.Cmp(b.lastIn) != 0 || reset != b.lastReset {
		b.lastIn, b.lastReset = new(big.Int).Set(in), reset
		b.inChanged = b.cycle
		b.distances.RiseToIn = min(b.distances.RiseToIn, b.cycle-b.rose)
	}
	switch {
	case b.cycle-b.inChanged < inToOut || b.cycle-b.rose < riseToOut:
		b.settled = false
		b.core.SetBig("dut_out", b.wrong)
	case !b.settled:
		b.settled = true
		at := uint(0)
		for _, s := range b.layout.Inputs {
			v := new(big.Int).Rsh(in, at)
			if s.Name == "rst" {
				v.SetUint64(reset)
			}
			b.dut.SetBig(s.Name, v.And(v, ones(s.Width)))
			at += uint(s.Width)
		}
		out := new(big.Int)
		at = 0
		for _, s := range b.layout.Outputs {
			out.Or(out, new(big.Int).Lsh(b.dut.GetBig(s.Name), at))
			at += uint(s.Width)
		}
		b.core.SetBig("dut_out", out)
		b.wrong = out.Xor(out, ones(int(at)))
	}
}

func ones(n int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return v.Sub(v, big.NewInt(1))
}

// Write sends bytes to the board.
func (b *Interpreted) Write(p []byte) (int, error) {
	sent := append([]byte{}, p...)
	if b.Disturb != nil {
		sent = b.Disturb(true, sent)
	}
	b.to.Bytes = append(b.to.Bytes, sent...)
	return len(p), nil
}

// Read runs the board until it has sent something.
func (b *Interpreted) Read(p []byte) (int, error) {
	for end := b.cycle + b.timeout; b.cycle < end; {
		if b.dead > 0 && b.cycle >= b.dead {
			return 0, nil
		}
		b.step()
		if err := errors.Join(b.core.Err(), b.dut.Err()); err != nil {
			return 0, err
		}
		if !b.to.Idle() {
			end = b.cycle + b.timeout
		}
		if len(b.from.Bytes) > 0 {
			got := b.from.Bytes
			if b.Disturb != nil {
				got = b.Disturb(false, got)
			}
			b.from.Bytes = nil
			if n := copy(p, got); n > 0 {
				return n, nil
			}
		}
	}
	return 0, nil
}

// Now is the time of the simulation: a microsecond a cycle.
func (b *Interpreted) Now() time.Time { return time.UnixMicro(b.cycle) }

// SetReadTimeout counts a millisecond as 1000 cycles.
func (b *Interpreted) SetReadTimeout(d time.Duration) error {
	b.timeout = int64(d / time.Microsecond)
	return nil
}

// Close does nothing.
func (b *Interpreted) Close() error {
	if b.from.Broken > 0 {
		return fmt.Errorf("the board has sent %d bytes without a stop bit", b.from.Broken)
	}
	return nil
}
