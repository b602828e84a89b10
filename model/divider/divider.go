// Package divider holds the bit-exact functions of the dividers of docs/numeric.md: the quotient n*2^S/d, rounded half
// up and saturated, as each architecture computes it.
//
// The engine has two: busy time over elapsed time in every hop, and eta over U.
package divider

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Divide approximates num * 2^shift / den and saturates to 2^quotBits - 1. A den of 0 gives that too.
// num and den must fit the widths that the function was made for.
type Divide func(num wide.Uint128, den uint64) uint64

// Widths are the bits of a divider's operands and result. The raw quotient is Num * 2^Shift / Den.
type Widths struct {
	Num   int // 1 to 128
	Den   int // 1 to 64
	Shift int // 0 or more
	Quot  int // 1 to 64
}

// New makes the divider of kind d.Kind. Operands up to 128 bits in all intermediate products run in
// machine words; wider ones run in big integers.
//
// The error names the parameter that no divider of this kind can have.
func New(d config.Divider, numBits, denBits, shift, quotBits int) (Divide, error) {
	w := Widths{Num: numBits, Den: denBits, Shift: shift, Quot: quotBits}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("divider %s: %w", d.Kind, err)
	}
	switch d.Kind {
	case config.RestoringSerial, config.RestoringPipelined:
		return exact(w), nil
	case config.ReciprocalTable:
		t, err := NewTable(d)
		if err != nil {
			return nil, err
		}
		return byReciprocal(w, d.EntryBits, t.forWidth(w.Den)), nil
	case config.NewtonRaphson:
		n, err := NewNewton(d, w.Den)
		if err != nil {
			return nil, err
		}
		return byReciprocal(w, n.FracBits(), n.Reciprocal), nil
	}
	return nil, fmt.Errorf("divider kind %q is unknown; known are %s, %s, %s and %s", d.Kind,
		config.RestoringSerial, config.RestoringPipelined, config.ReciprocalTable, config.NewtonRaphson)
}

func (w Widths) check() error {
	for _, c := range []struct {
		what      string
		got       int
		low, high int
	}{
		{"numerator bits", w.Num, 1, 128},
		{"denominator bits", w.Den, 1, 64},
		{"shift", w.Shift, 0, 128},
		{"quotient bits", w.Quot, 1, 64},
	} {
		if c.got < c.low || c.got > c.high {
			return fmt.Errorf("%s are %d; they must lie between %d and %d", c.what, c.got, c.low, c.high)
		}
	}
	return nil
}

// exact is the quotient of both restoring dividers, sat(rhu(n*2^S/d)).
func exact(w Widths) Divide {
	top := wide.Mask(w.Quot)
	switch {
	case w.Num+w.Shift <= 64:
		return func(num wide.Uint128, den uint64) uint64 {
			if den == 0 {
				return top
			}
			n := num.Lo << w.Shift
			q := n / den
			r := n - q*den
			if r >= den-r {
				q++
			}
			return min(q, top)
		}
	case w.Num+w.Shift <= 128:
		return func(num wide.Uint128, den uint64) uint64 {
			if den == 0 {
				return top
			}
			q, r := num.Lsh(w.Shift).DivMod(den)
			if r >= den-r {
				if q.Sat(top) == top {
					return top
				}
				q.Lo++
			}
			return q.Sat(top)
		}
	}
	return func(num wide.Uint128, den uint64) uint64 {
		if den == 0 {
			return top
		}
		d := new(big.Int).SetUint64(den)
		n := num.Big()
		n.Lsh(n, uint(w.Shift)+1).Add(n, d) // (2 n 2^S + d) / 2d
		return saturate(n.Div(n, d.Lsh(d, 1)), top)
	}
}

// byReciprocal is q = sat(rhu(n * X * 2^S / 2^(XB+e))), with X the reciprocal of the mantissa of d
// and e its exponent: what both table kinds do with the X that they form.
func byReciprocal(w Widths, fracBits int, reciprocal func(mant uint64) uint64) Divide {
	top := wide.Mask(w.Quot)
	small := w.Num+fracBits+1 <= 128 // X is at most 2^XB, which takes XB+1 bits
	return func(num wide.Uint128, den uint64) uint64 {
		if den == 0 {
			return top
		}
		mant, exp := Normalise(den, w.Den)
		x := reciprocal(mant)
		cut := fracBits + exp - w.Shift
		if !small {
			p := num.Big()
			return saturate(roundBig(p.Mul(p, new(big.Int).SetUint64(x)), cut), top)
		}
		p := num.Mul(x)
		if cut < 0 && p.BitLen()-cut > w.Quot {
			if p == (wide.Uint128{}) {
				return 0
			}
			return top
		}
		return p.Round(cut).Sat(top)
	}
}

// Normalise writes den = m * 2^exp with 1 <= m < 2 and gives m as the integer mant with denBits-1
// fraction bits. den must not be 0.
func Normalise(den uint64, denBits int) (mant uint64, exp int) {
	exp = wide.From(den).BitLen() - 1
	return den << (denBits - 1 - exp), exp
}

// roundBig is rhu(p / 2^n); a negative n multiplies.
func roundBig(p *big.Int, n int) *big.Int {
	if n <= 0 {
		return p.Lsh(p, uint(-n))
	}
	p.Add(p, new(big.Int).Lsh(big.NewInt(1), uint(n-1)))
	return p.Rsh(p, uint(n))
}

func saturate(q *big.Int, top uint64) uint64 {
	if !q.IsUint64() || q.Uint64() > top {
		return top
	}
	return q.Uint64()
}
