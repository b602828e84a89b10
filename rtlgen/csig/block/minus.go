package block

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Subtrahends are kept inverted where that is free. A subtraction is then an addition with a carry in, which on an
// iCE40 saves one gate a bit over inverters before the carry chain.

// Less is a - b from a and b inverted, modulo 2^w; b may have fewer bits.
func Less(name string, a, inverted vgen.Signal) vgen.Signal {
	if n := a.Width() - inverted.Width(); n > 0 {
		inverted = vgen.Cat(vgen.Const(1, 1).Repeat(n), inverted)
	}
	one := vgen.Const(1, 1)
	sum := vgen.Cat(a, one).Add(vgen.Cat(inverted, one)).Named(name + "_carried")
	return sum.Slice(a.Width(), 1)
}

// Minus is a - b, computed by less, and whether a is not below b; both have the same width.
func Minus(name string, a, inverted vgen.Signal) (difference, notBelow vgen.Signal) {
	w := a.Width()
	zero, one := vgen.Const(1, 0), vgen.Const(1, 1)
	sum := vgen.Cat(zero, a, one).Add(vgen.Cat(zero, inverted, one)).Named(name)
	return sum.Slice(w, 1), sum.Top()
}

// MinusIf is minus with a condition on top of the carry chain: the second result is whether it holds and a is not below
// b.
func MinusIf(name string, condition, a, inverted vgen.Signal) (difference, both vgen.Signal) {
	w := a.Width()
	zero, one := vgen.Const(1, 0), vgen.Const(1, 1)
	sum := vgen.Cat(zero, condition, a, one).Add(vgen.Cat(zero, zero, inverted, one)).Named(name)
	return sum.Slice(w, 1), sum.Top()
}
