package block

import (
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/model/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Unit is a block under test with its stimulus and its reference.
type Unit struct {
	Name   string
	Module *vgen.Module

	// Play chooses the inputs of a cycle and the outputs expected in it.
	Play func(c *Cycle)

	// Watch, if set, is called with the port values of each cycle, and checks them without the reference.
	Watch func(c *Observed) error

	// Finished reports whether all operands have been sent and checked; false for random ones.
	Finished func() bool

	ins, outs []vgen.PortInfo
}

// Cycle is one cycle of a unit: Play sets In, and Want and Care for the expected outputs. Ports are in the order of the
// module's declaration, inputs and outputs separately; clock and reset are not among them.
type Cycle struct {
	Number int64
	Reset  bool // asserted in this cycle: its rising edge resets
	In     []wide.Uint128
	Want   []wide.Uint128
	Care   []bool
	Random *rand.Rand
}

// Observed is a unit's port values in a cycle.
type Observed struct {
	Number  int64
	Reset   bool
	In, Out []wide.Uint128
}

func (u *Unit) prepare() {
	u.ins, u.outs = nil, nil
	for _, p := range u.Module.Ports() {
		if p.Dir == "in" {
			u.ins = append(u.ins, p)
		} else {
			u.outs = append(u.outs, p)
		}
	}
}

// port is the index of a port in a list; negative when it is not there.
func port(list []vgen.PortInfo, name string) int {
	for i, p := range list {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// inputs and outputs are the ports of a module.
func inputs(m *vgen.Module) []vgen.PortInfo {
	u := Unit{Module: m}
	u.prepare()
	return u.ins
}

func outputs(m *vgen.Module) []vgen.PortInfo {
	u := Unit{Module: m}
	u.prepare()
	return u.outs
}

// draw is a random value of width bits; the ends of the range come up often.
func draw(r *rand.Rand, width int) wide.Uint128 {
	v := wide.Uint128{Hi: r.Uint64(), Lo: r.Uint64()}
	switch r.IntN(8) {
	case 0:
		v = wide.Uint128{}
	case 1:
		v = wide.Uint128{Hi: ^uint64(0), Lo: ^uint64(0)}
	case 2:
		v = wide.From(uint64(r.IntN(4)))
	case 3: // a power of two, or next to one
		n := r.IntN(width)
		v = wide.From(1).Lsh(n)
		if r.IntN(2) == 0 {
			v = v.Sub(wide.From(1))
		}
	case 4: // any magnitude
		v = v.Rsh(128 - width).Rsh(r.IntN(width))
	}
	return cut(v, width)
}

// cut keeps the low width bits.
func cut(v wide.Uint128, width int) wide.Uint128 {
	if width >= 128 {
		return v
	}
	return v.Lsh(128 - width).Rsh(128 - width)
}
