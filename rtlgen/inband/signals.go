package inband

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// flag is a constant bit.
func flag(v bool) vgen.Signal {
	if v {
		return vgen.Const(1, 1)
	}
	return vgen.Const(1, 0)
}

// all is 1 when every bit of the list is, anyOf when one is.
func all(list ...vgen.Signal) vgen.Signal {
	out := list[0]
	for _, s := range list[1:] {
		out = out.And(s)
	}
	return out
}

func anyOf(list ...vgen.Signal) vgen.Signal {
	out := list[0]
	for _, s := range list[1:] {
		out = out.Or(s)
	}
	return out
}

// is compares with a constant.
func is(s vgen.Signal, v uint64) vgen.Signal { return s.Eq(vgen.Const(s.Width(), v)) }

// plus adds a constant, modulo the width.
func plus(s vgen.Signal, v uint64) vgen.Signal { return s.Add(vgen.Const(s.Width(), v)) }

// fit zero-extends or cuts to a width; only for values known to fit.
func fit(s vgen.Signal, width int) vgen.Signal {
	if s.Width() >= width {
		return s.Trunc(width)
	}
	return s.Zext(width)
}

// gate is the signal where on is 1, else zeros.
func gate(s, on vgen.Signal) vgen.Signal { return s.And(on.Repeat(s.Width())) }

// vector joins signals, the first one lowest.
func vector(list []vgen.Signal) vgen.Signal {
	out := make([]vgen.Signal, len(list))
	for i, s := range list {
		out[len(list)-1-i] = s
	}
	return vgen.Cat(out...)
}

// halfOf is a half of a word whose first byte is on top.
func halfOf(s vgen.Signal, i int) vgen.Signal {
	top := s.Width() - 1 - halfBits*i
	return s.Slice(top, top-halfBits+1)
}

// swapped exchanges the bytes of a half: the stream has its first byte lowest, a header's field on top.
func swapped(s vgen.Signal) vgen.Signal { return vgen.Cat(s.Slice(7, 0), s.Slice(15, 8)) }

// state is a bit of control state, 0 after reset.
func state(m *vgen.Module, name string) vgen.Signal {
	return m.Reg(name, 1, vgen.Reset(0), vgen.Control())
}

// later is a control bit, one cycle later.
func later(m *vgen.Module, name string, s vgen.Signal) vgen.Signal {
	return m.RegNext(name, s, vgen.Reset(0), vgen.Control())
}

// rule is one line of the walk: where the bit is 1 the packet has the status, unless a line before it applies.
type rule struct {
	when   vgen.Signal
	status uint64
}

// firstOf is the status of the first rule that applies, or else of the last argument; applies tells whether one does.
func firstOf(rules []rule, otherwise vgen.Signal) (status, applies vgen.Signal) {
	status, applies = otherwise, rules[0].when
	for i := len(rules) - 1; i >= 0; i-- {
		status = vgen.Mux(rules[i].when, vgen.Const(statusBits, rules[i].status), status)
		if i > 0 {
			applies = applies.Or(rules[i].when)
		}
	}
	return status, applies
}

// ones is a number of so many ones.
func ones(n int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return v.Sub(v, big.NewInt(1))
}
