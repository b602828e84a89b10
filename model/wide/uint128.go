// Package wide provides the 128-bit unsigned arithmetic of the golden model: exact products of table entries and
// counters, and the single rounding that follows them.
//
// The caller must ensure that results fit 128 bits; every function states its assumptions.
package wide

import (
	"math/big"
	"math/bits"
)

// Uint128 is the unsigned integer Hi*2^64 + Lo.
type Uint128 struct{ Hi, Lo uint64 }

// From is x as a 128-bit integer.
func From(x uint64) Uint128 { return Uint128{Lo: x} }

// Mul is the exact product of x and y.
func Mul(x, y uint64) Uint128 {
	hi, lo := bits.Mul64(x, y)
	return Uint128{hi, lo}
}

// Mul is x*y, which must fit in 128 bits.
func (x Uint128) Mul(y uint64) Uint128 {
	hi, lo := bits.Mul64(x.Lo, y)
	return Uint128{hi + x.Hi*y, lo}
}

// Add is x+y, which must fit in 128 bits.
func (x Uint128) Add(y Uint128) Uint128 {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	return Uint128{x.Hi + y.Hi + carry, lo}
}

// Sub is x-y; x must not be smaller than y.
func (x Uint128) Sub(y Uint128) Uint128 {
	lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
	return Uint128{x.Hi - y.Hi - borrow, lo}
}

// Cmp is -1, 0 or +1 as x is below, equal to or above y.
func (x Uint128) Cmp(y Uint128) int {
	switch {
	case x == y:
		return 0
	case x.Hi < y.Hi, x.Hi == y.Hi && x.Lo < y.Lo:
		return -1
	}
	return 1
}

// BitLen is the number of bits that x takes; 0 for x = 0.
func (x Uint128) BitLen() int {
	if x.Hi != 0 {
		return 64 + bits.Len64(x.Hi)
	}
	return bits.Len64(x.Lo)
}

// Lsh is x*2^n; the result must fit in 128 bits.
func (x Uint128) Lsh(n int) Uint128 {
	if n >= 64 {
		return Uint128{Hi: x.Lo << (n - 64)}
	}
	return Uint128{x.Hi<<n | x.Lo>>(64-n), x.Lo << n}
}

// Rsh is floor(x / 2^n).
func (x Uint128) Rsh(n int) Uint128 {
	if n >= 64 {
		return Uint128{Lo: x.Hi >> (n - 64)}
	}
	return Uint128{x.Hi >> n, x.Lo>>n | x.Hi<<(64-n)}
}

// Round is rhu(x / 2^n) = floor(x/2^n + 1/2). A negative n multiplies; the result must then fit.
func (x Uint128) Round(n int) Uint128 {
	if n <= 0 {
		return x.Lsh(-n)
	}
	// Adding half first could leave 128 bits; the bit below the cut is what decides.
	half := x.Rsh(n-1).Lo & 1
	return x.Rsh(n).Add(From(half))
}

// DivMod is the quotient and remainder of x by d, which must not be 0.
func (x Uint128) DivMod(d uint64) (q Uint128, r uint64) {
	q.Hi, r = x.Hi/d, x.Hi%d
	q.Lo, r = bits.Div64(r, x.Lo, d)
	return q, r
}

// Sat is min(x, limit).
func (x Uint128) Sat(limit uint64) uint64 {
	if x.Hi != 0 || x.Lo > limit {
		return limit
	}
	return x.Lo
}

// Big is x as a big integer.
func (x Uint128) Big() *big.Int {
	b := new(big.Int).SetUint64(x.Hi)
	b.Lsh(b, 64)
	return b.Or(b, new(big.Int).SetUint64(x.Lo))
}

// Mask is the integer of n ones, 2^n - 1, for n from 0 to 64.
func Mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// Bit is 1 if v holds.
func Bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
