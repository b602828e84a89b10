package transit

import (
	"math/big"
	"math/bits"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Flag is a constant bit.
func Flag(v bool) vgen.Signal { return vgen.Const(1, uint64(Bit(v))) }

// Bit is 1 if v holds.
func Bit(v bool) int {
	if v {
		return 1
	}
	return 0
}

// Or is the bitwise or. Constants that change nothing leave no gate.
func Or(list ...vgen.Signal) vgen.Signal { return joined(list, vgen.Signal.Or, 0) }

// And is the bitwise and. Constants that change nothing leave no gate.
func And(list ...vgen.Signal) vgen.Signal { return joined(list, vgen.Signal.And, 1) }

// joined combines signals of equal width. neutral is the bit that changes nothing; a constant of the other one decides.
func joined(list []vgen.Signal, op func(a, b vgen.Signal) vgen.Signal, neutral uint) vgen.Signal {
	var out vgen.Signal
	for _, s := range list {
		if v, fixed := s.IsConst(); fixed {
			ones := v.BitLen() == s.Width() && allOnes(v)
			zero := v.Sign() == 0
			switch {
			case neutral == 0 && zero, neutral == 1 && ones:
				if !out.Exists() {
					out = s
				}
				continue
			case neutral == 0 && ones, neutral == 1 && zero:
				return s
			}
		}
		if !out.Exists() {
			out = s
			continue
		}
		if _, fixed := out.IsConst(); fixed {
			out = s // the constant so far is the neutral one
			continue
		}
		out = op(out, s)
	}
	return out
}

// allOnes reports whether all bits of v up to its length are set.
func allOnes(v *big.Int) bool {
	next := new(big.Int).Add(v, big.NewInt(1))
	return next.TrailingZeroBits() == uint(v.BitLen())
}

// AtLeast compares with a constant, the bits above the constant apart.
func AtLeast(s vgen.Signal, v uint64) vgen.Signal {
	n := bits.Len64(v - 1)
	high := s.Slice(s.Width()-1, n).AnyBit()
	if v == 1<<n {
		return high
	}
	return high.Or(s.Trunc(n).Ge(vgen.Const(n, v)))
}

// Vector joins signals, the first one lowest.
func Vector(list []vgen.Signal) vgen.Signal {
	out := make([]vgen.Signal, len(list))
	for i, s := range list {
		out[len(list)-1-i] = s
	}
	return vgen.Cat(out...)
}
