package vgen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Sim runs a design in Go: two-state, cycle by cycle. Registers and memories start
// at 0. One Sim is used by one goroutine; any number can run the same design.
//
// Cycle by cycle: Set the inputs, Get the outputs, Step. In batches: Run.
//
// A mistake in a call, such as the name of a port that does not exist, is kept; Err
// reports the first.
type Sim struct {
	top    *Module
	root   *level
	layout Layout // without taps
	taps   Layout // with taps

	v     []uint64 // inputs, state, then constants and values
	state int      // where the state starts in v
	next  []uint64 // the state to come
	rst   int      // place of rst, -1 without
	dirty bool     // inputs or state changed since the last settle

	runs   []run
	wide   []wideOp
	cases  []int32
	plain  []update // one word, no enable
	gated  []update // one word, with enable
	wider  []update
	reads  []readState
	writes []writeState
	resets []resetValue
	mems   []memoryState

	outputs []move // output ports, then taps
	err     error
}

// update of a register: at counts from the start of the state.
type update struct{ at, src, words, en int }

type readState struct {
	at, words, mem, en, src, addrWords int
	clash                              int    // -1: no promise that the address is not written
	top                                uint64 // mask of the last word
}

type writeState struct{ mem, en, addr, data int }

type resetValue struct {
	at    int
	value []uint64
}

type memoryState struct {
	depth, stride int
	words         []uint64
	ram           bool
}

type move struct{ from, to, words int }

// NewSim checks a design and makes it ready to run.
func NewSim(top *Module) (*Sim, error) {
	d, err := check(top)
	if err != nil {
		return nil, err
	}
	return compile(d), nil
}

// Layout is the place of ports in the words of Run.
func (s *Sim) Layout() Layout { return s.layout }

// LayoutTaps is the layout of RunTaps, which gives the taps after the outputs.
func (s *Sim) LayoutTaps() Layout { return s.taps }

// Err is the first mistake made in calling the Sim, or nil.
func (s *Sim) Err() error { return s.err }

func (s *Sim) mistake(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("vgen: simulation of "+s.top.name+": "+format, args...)
	}
}

// Reset makes all registers, memories and inputs 0, as after NewSim.
func (s *Sim) Reset() {
	clear(s.v[:s.state+len(s.next)])
	for i := range s.mems {
		if s.mems[i].ram {
			clear(s.mems[i].words)
		}
	}
	s.dirty = true
}

// Run runs a batch of cycles. In each, the inputs are applied, everything settles,
// the outputs are sampled, and then comes the rising edge. in holds cycles times
// InWords words, out gets cycles times OutWords, as [Layout] says; out may be nil.
func (s *Sim) Run(cycles int, in, out []uint64) error {
	return s.run(cycles, in, out, s.layout, s.outputs[:len(s.layout.Outputs)])
}

// RunTaps is Run with the taps after the outputs, as LayoutTaps says.
func (s *Sim) RunTaps(cycles int, in, out []uint64) error {
	return s.run(cycles, in, out, s.taps, s.outputs)
}

func (s *Sim) run(cycles int, in, out []uint64, l Layout, moves []move) error {
	if s.err != nil {
		return s.err
	}
	if len(in) < cycles*l.InWords {
		return fmt.Errorf("vgen: simulation of %s: %d cycles need %d input words, there are %d",
			s.top.name, cycles, cycles*l.InWords, len(in))
	}
	if out != nil && len(out) < cycles*l.OutWords {
		return fmt.Errorf("vgen: simulation of %s: %d cycles need room for %d output words, there is room for %d",
			s.top.name, cycles, cycles*l.OutWords, len(out))
	}
	type trim struct {
		at   int
		mask uint64
	}
	var trims []trim
	for _, i := range l.Inputs {
		if i.Width%64 != 0 {
			trims = append(trims, trim{i.Offset + i.Words - 1, topMask(i.Width)})
		}
	}
	for c := range cycles {
		copy(s.v, in[c*l.InWords:(c+1)*l.InWords])
		for _, t := range trims {
			s.v[t.at] &= t.mask
		}
		s.settle()
		if out != nil {
			row := out[c*l.OutWords : (c+1)*l.OutWords]
			for _, m := range moves {
				if m.words == 1 {
					row[m.to] = s.v[m.from]
				} else {
					copy(row[m.to:m.to+m.words], s.v[m.from:])
				}
			}
		}
		s.edge()
	}
	return nil
}

// Set sets an input port, or rst. The value must fit.
func (s *Sim) Set(name string, value uint64) {
	s.set(name, func(slot Slot) ([]uint64, bool) {
		words := make([]uint64, slot.Words)
		words[0] = value
		return words, slot.Words > 1 || value&^maskFor(slot.Width) == 0
	}, value)
}

// SetBig is Set for values beyond 64 bits.
func (s *Sim) SetBig(name string, value *big.Int) {
	s.set(name, func(slot Slot) ([]uint64, bool) {
		if value == nil || value.Sign() < 0 || value.BitLen() > slot.Width {
			return nil, false
		}
		return toWords(value, slot.Words), true
	}, value)
}

func (s *Sim) set(name string, words func(Slot) ([]uint64, bool), value any) {
	i := slices.IndexFunc(s.layout.Inputs, func(in Slot) bool { return in.Name == name })
	if i < 0 {
		s.mistake("Set: there is no input %q", name)
		return
	}
	slot := s.layout.Inputs[i]
	w, ok := words(slot)
	if !ok {
		s.mistake("Set: %v does not fit in the %d bits of %q", value, slot.Width, name)
		return
	}
	copy(s.v[slot.Offset:], w)
	s.dirty = true
}

// Get is the value of a port of at most 64 bits, settled with the inputs as they are.
func (s *Sim) Get(name string) uint64 { return s.get("Get", name) }

// GetBig is the value of a port.
func (s *Sim) GetBig(name string) *big.Int { return s.getBig("GetBig", name) }

// Peek is the value of any named signal of at most 64 bits in the hierarchy:
// "u_core.u_lane0.u_sat".
func (s *Sim) Peek(path string) uint64 { return s.get("Peek", path) }

// PeekBig is Peek for signals of any width.
func (s *Sim) PeekBig(path string) *big.Int { return s.getBig("PeekBig", path) }

func (s *Sim) get(method, name string) uint64 {
	s.Eval()
	at, width, ok := s.find(name)
	if !ok {
		s.mistake("%s: there is no signal %q", method, name)
		return 0
	}
	if width > 64 {
		s.mistake("%s: %q has %d bits, use %sBig", method, name, width, method)
		return 0
	}
	return s.v[at]
}

func (s *Sim) getBig(method, name string) *big.Int {
	s.Eval()
	at, width, ok := s.find(name)
	if !ok {
		s.mistake("%s: there is no signal %q", method, name)
		return new(big.Int)
	}
	return fromWords(s.v[at : at+wordsFor(width)])
}

// Eval settles all combinational values after inputs were set. Get, Peek and Step do
// so by themselves.
func (s *Sim) Eval() {
	if s.dirty {
		s.settle()
	}
}

// Step is one rising edge of the clock with the inputs as they are, after which
// everything settles.
func (s *Sim) Step() {
	s.Eval()
	s.edge()
	s.settle()
}

// find gives the place and width of a named signal.
func (s *Sim) find(path string) (at, width int, ok bool) {
	l := s.root
	for {
		inst, rest, deeper := strings.Cut(path, ".")
		if !deeper {
			break
		}
		i := slices.IndexFunc(l.m.instances, func(i *Instance) bool { return i.name == inst })
		if i < 0 {
			return 0, 0, false
		}
		l, path = l.down[i], rest
	}
	if l == s.root && path == "rst" && s.rst >= 0 {
		return s.rst, 1, true
	}
	if l.names == nil {
		l.names = map[string]*node{}
		for _, n := range l.m.nodes {
			if name := n.reference(); name != "" {
				l.names[name] = n
			}
		}
		for _, n := range l.a.consts {
			l.names[n.name] = n
		}
	}
	n := l.names[path]
	if n == nil {
		return 0, 0, false
	}
	at, ok = l.at[n]
	return at, n.width, ok
}
